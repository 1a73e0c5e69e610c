from snakemake.utils import min_version

min_version("9.19")


include: "workflow/rules/start.smk"


configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/parsing.smk"
include: "workflow/rules/sentiment.smk"
include: "workflow/rules/tagging.smk"
include: "workflow/rules/ablation.smk"
include: "workflow/rules/coref.smk"
include: "workflow/rules/events.smk"
include: "workflow/rules/news.smk"
include: "workflow/rules/event_tables.smk"
include: "workflow/rules/newsroom.smk"
include: "workflow/rules/extraction_eval.smk"
include: "workflow/rules/calibration.smk"
include: "workflow/rules/simulation.smk"
include: "workflow/rules/section7.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/check.smk"


localrules:
    all,
    sentiment,
    tagging,
    coref,
    events,
    extraction_eval,
    simulation,


rule all:
    default_target: True
    input:
        rules.merged_config.output,
        size_targets(),
        coref_targets(),
        event_targets(),
        section_7_targets(),
        parsing_targets(),
        prediction_targets(),
        table_targets(*REPORT_CATEGORIES),
        figure_targets(*REPORT_CATEGORIES),
        rules.check.output,
        rules.compare_tiers.output,


rule sentiment:
    input:
        table_targets("sentiment"),
        figure_targets("sentiment"),


rule tagging:
    input:
        table_targets("tagging"),
        figure_targets("tagging"),


rule coref:
    input:
        coref_targets(),
        table_targets("coref"),
        figure_targets("coref"),


rule events:
    input:
        event_targets(),
        table_targets("events"),
        figure_targets("events"),


rule extraction_eval:
    input:
        table_targets("extraction_eval"),
        figure_targets("extraction_eval"),


rule simulation:
    input:
        section_7_targets(),
        table_targets("simulation"),
        figure_targets("simulation"),


onsuccess:
    logger.info(
        run_summary(str(path) for job in workflow.dag.jobs for path in job.output)
    )
