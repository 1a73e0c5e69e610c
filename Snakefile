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
include: "workflow/rules/coref.smk"
include: "workflow/rules/events.smk"
include: "workflow/rules/estimation.smk"
include: "workflow/rules/newsroom.smk"
include: "workflow/rules/extraction_eval.smk"
include: "workflow/rules/calibration.smk"
include: "workflow/rules/simulation.smk"
include: "workflow/rules/check.smk"


localrules:
    all,
    sentiment,
    tagging,
    coref,
    events,
    estimation,
    extraction_eval,
    simulation,


rule all:
    default_target: True
    input:
        rules.merged_config.output,
        size_targets(),
        sentiment_targets(),
        tagging_targets(),
        ablation_targets(),
        bin_size_targets(),
        coref_targets(),
        event_targets(),
        estimation_targets(),
        lead_targets(),
        simulation_targets(),
        parsing_targets(),
        prediction_targets(),
        explorer_targets(),
        rules.check.output,
        rules.compare_tiers.output,


rule sentiment:
    input:
        sentiment_targets(),


rule tagging:
    input:
        tagging_targets(),
        ablation_targets(),


rule coref:
    input:
        coref_targets(),


rule events:
    input:
        event_targets(),


rule estimation:
    input:
        estimation_targets(),


rule extraction_eval:
    input:
        lead_targets(),


rule simulation:
    input:
        simulation_targets(),


onsuccess:
    logger.info(
        run_summary(str(path) for job in workflow.dag.jobs for path in job.output)
    )
