# Tagging: section 4.2 of the paper, an HMM against a CRF on part-of-speech tags.
#
# Needs:  results/tagging/{dataset}/{model}/ (model, marginals, pairs of tags and bigrams), of tagging_models.smk
# Makes:  the calibration of each model's pairs, and tables in results/tables/{dataset}; tagging_figures.smk draws
# Steps:  calibration, comparison, counts of tags and queries of phrases in documents

from reproduction.tagging.variants import nested_variants

TARGETS = ("tags", "bigrams")
STAGE = "_recalibrated" if config["recalibrated"] else ""
SHOWN = RECALIBRATED if config["recalibrated"] else TAGGERS
"""The models whose predictions figures and tables are of: as they were trained, or recalibrated."""
PHRASE_TAGGERS = {
    "hmm": "HMM",
    "crf": "CRF",
    nested_variants(config["tagging"]["ablation"]["templates"])[-1]: "CRF-Advanced",
}
"""The taggers whose phrases are queried, with their titles."""
COUNTED_TAGS = {
    name: [names.get(tag, tag) for tag in config["tagging"]["counted_tags"]]
    for name, names in TAG_NAMES.items()
}


rule measure_taggers:
    input:
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/{{target}}/pairs.parquet", model=SHOWN
        ),
    output:
        calibration_outputs(
            "tagging",
            expand("results/tagging/{{dataset}}/{model}/{{target}}", model=SHOWN),
        ),
    log:
        "results/logs/measure_taggers/{dataset}_{target}.log",
    wildcard_constraints:
        target=one_of(TARGETS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/measure.py"),
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of {wildcards.target} of the taggers on {wildcards.dataset}"
    script:
        "../../scripts/calibration/measure.py"


use rule measure_taggers as measure_other_tagger with:
    input:
        pairs="results/tagging/{dataset}/{other}/{target}/pairs.parquet",
    output:
        calibration_outputs("tagging", ["results/tagging/{dataset}/{other}/{target}"]),
    log:
        "results/logs/measure_other_tagger/{dataset}_{other}_{target}.log",
    message:
        "Measure the calibration of {wildcards.target} of {wildcards.other} on {wildcards.dataset}"


rule compare_taggers:
    input:
        models=expand(
            "results/tagging/{{dataset}}/{model}{{stage}}/model.npz", model=TAGGERS
        ),
        marginals=expand(
            "results/tagging/{{dataset}}/{model}{{stage}}/marginals.npz", model=TAGGERS
        ),
        test="results/corpora/{dataset}/test.conllu",
    output:
        page(
            "results/tagging/{dataset}/comparison_tags{stage}.html",
            "tagging",
            caption="comparison",
            table="HMM against CRF: tags{stage}",
        ),
        page(
            "results/tagging/{dataset}/comparison_bigrams{stage}.html",
            "tagging",
            caption="comparison",
            table="HMM against CRF: bigrams{stage}",
        ),
        csv=expand(
            "results/tagging/{{dataset}}/comparison_{target}{{stage}}.csv",
            target=TARGETS,
        ),
    log:
        "results/logs/compare_taggers/{dataset}_{stage}.log",
    wildcard_constraints:
        stage="|_recalibrated",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/compare_taggers.py"),
        seed=config["seed"],
        names=TAGGERS,
        targets=TARGETS,
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
        replicates=config["tagging"]["replicates"],
        # Next to the figures' own stage the other is shown on frequent labels alone.
        bigrams=lookup(
            dpath="at{stage}",
            within={f"at{STAGE}": 0},
            default=config["tagging"]["frequent_bigrams"],
        ),
    message:
        "Compare the taggers on {wildcards.dataset}, label by label"
    script:
        "../../scripts/tagging/compare_taggers.py"


# The HMM has all tags of the training set, so a comparison with it has all labels of the figure.
use rule compare_taggers as compare_other_tagger with:
    input:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz",
            model=[f"hmm{STAGE}", "{other}"],
        ),
        marginals=expand(
            "results/tagging/{{dataset}}/{model}/marginals.npz",
            model=[f"hmm{STAGE}", "{other}"],
        ),
        test="results/corpora/{dataset}/test.conllu",
    output:
        page(
            "results/tagging/{dataset}/{other}/comparison_tags.html",
            "tagging",
            caption="comparison",
            table="HMM against {other}: tags",
        ),
        page(
            "results/tagging/{dataset}/{other}/comparison_bigrams.html",
            "tagging",
            caption="comparison",
            table="HMM against {other}: bigrams",
        ),
        csv=expand(
            "results/tagging/{{dataset}}/{{other}}/comparison_{target}.csv",
            target=TARGETS,
        ),
    log:
        "results/logs/compare_other_tagger/{dataset}_{other}.log",
    params:
        names=["hmm", "{other}"],
        bigrams=0,
    message:
        "Compare the HMM with {wildcards.other} on {wildcards.dataset}, label by label"


rule tagging_tables:
    input:
        hmm=f"results/tagging/{{dataset}}/hmm{STAGE}/evaluation.json",
        crf=f"results/tagging/{{dataset}}/crf{STAGE}/evaluation.json",
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/{target}/calibration.json",
            model=SHOWN,
            target=TARGETS,
        ),
        tags=f"results/tagging/{{dataset}}/comparison_tags{STAGE}.csv",
        bigrams=f"results/tagging/{{dataset}}/comparison_bigrams{STAGE}.csv",
    output:
        page("results/tables/{dataset}/taggers.html", "tagging", table="taggers"),
        page(
            "results/tables/{dataset}/comparison.html",
            "tagging",
            caption="comparison_counts",
            table="HMM against CRF",
        ),
        csv=[
            "results/tables/{dataset}/taggers.csv",
            "results/tables/{dataset}/comparison.csv",
        ],
    log:
        "results/logs/tables/{dataset}/taggers.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.tagging"),
        make="reproduction.tables.tagging:tagging_tables",
        frequent=config["tagging"]["frequent_bigrams"],
    message:
        "Tabulate the taggers of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule recalibration_table:
    input:
        tables=expand(
            "results/tagging/{{dataset}}/{model}_recalibrated/errors.csv",
            model=TAGGERS,
        ),
    output:
        page(
            "results/tables/{dataset}/recalibration.html",
            "tagging",
            table="recalibration",
        ),
        csv=["results/tables/{dataset}/recalibration.csv"],
    log:
        "results/logs/tables/{dataset}/recalibration.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.stacked"),
        make="reproduction.tables.stacked:of_models",
        models=list(TAGGERS),
        title="Errors on the test set, after recalibration on the development set",
    message:
        "Tabulate the recalibration of taggers on {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule tag_count_table:
    input:
        hmm="results/tagging/{dataset}/hmm/model.npz",
        crf="results/tagging/{dataset}/crf/model.npz",
        hmm_recalibrated="results/tagging/{dataset}/hmm_recalibrated/model.npz",
        crf_recalibrated="results/tagging/{dataset}/crf_recalibrated/model.npz",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        page(
            "results/tables/{dataset}/tag_counts.html",
            "tagging",
            table="tags in documents",
        ),
        csv=["results/tables/{dataset}/tag_counts.csv"],
    log:
        "results/logs/tables/{dataset}/tag_counts.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tagging.counts"),
        make="reproduction.tagging.counts:tag_count_table",
        tags=lookup(dpath="{dataset}", within=COUNTED_TAGS),
    message:
        "Count tags in documents of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule phrase_tables:
    input:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz", model=PHRASE_TAGGERS
        ),
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        page("results/tables/{dataset}/phrases.html", "tagging", table="phrases"),
        page(
            "results/tables/{dataset}/phrase_counts.html",
            "tagging",
            caption="tag_counts",
            table="phrases in documents",
        ),
        csv=[
            "results/tables/{dataset}/phrases.csv",
            "results/tables/{dataset}/phrase_counts.csv",
        ],
    log:
        "results/logs/tables/{dataset}/phrases.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tagging.phrases"),
        make="reproduction.tagging.phrases:phrase_tables",
        names=list(PHRASE_TAGGERS),
    message:
        "Query the phrases of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"
