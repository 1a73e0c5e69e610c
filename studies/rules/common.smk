# What the studies share.
#
# Needs:  the configuration, with the section `studies`
# Makes:  STUDIES, that section; study_library() for the parameters of rules

from studies.configuration import check_studies, estimated_codes

try:
    check_studies(config, ROOT / "studies/config.schema.yaml")
    if workflow.is_main_process:
        check_countries(config, estimated_codes)
except InputError as error:
    raise WorkflowError(str(error))

STUDIES = config["studies"]
REPORT_CATEGORIES["estimation"] = "Estimates from labels"
REPORT_CATEGORIES["real_tasks"] = "Real tasks"


def study_library(script, *modules):
    """Return a checksum of the library files that a script of the studies imports; see `library`."""
    return library_digest(ROOT / "studies/scripts" / script, SOURCE, *modules)
