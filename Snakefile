from snakemake.utils import min_version

min_version("9.19")


configfile: "config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/calibration.smk"
include: "workflow/rules/sentiment.smk"
include: "workflow/rules/tagging.smk"
include: "workflow/rules/ablation.smk"
include: "workflow/rules/check.smk"


localrules:
    all,


rule all:
    default_target: True
    input:
        rules.merged_config.output,
        sentiment_targets(),
        tagging_targets(),
        ablation_targets(),
        prediction_targets(),
        rules.check.output,
