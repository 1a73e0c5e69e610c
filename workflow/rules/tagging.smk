# Tagging: section 4.2 of the paper, an HMM against a CRF on part-of-speech tags.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, marginals, pairs and their calibration),
#         Figures 1, 3 and 4 in results/figures/{dataset}, two tables in results/tables/{dataset}
# Steps:  train, exact marginals on the test set, pairs of two queries (tags, bigrams), calibration, comparison, figures


wildcard_constraints:
    model="|".join(TAGGERS),
    query="|".join(QUERIES),


rule train_hmm:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        code=code("tagging/train_hmm.py"),
    output:
        model="results/tagging/{dataset}/hmm/model.npz",
        selection="results/tagging/{dataset}/hmm/selection.csv",
    log:
        "results/logs/tagging/{dataset}/train_hmm.log",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        pseudocounts=config["tagging"]["pseudocounts"],
        bin_size=config["calibration"]["bin_size"],
    message:
        "Train the HMM on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_hmm.py"


rule train_crf:
    input:
        train="results/corpora/{dataset}/train.conllu",
        code=code("tagging/train_crf.py"),
    output:
        "results/tagging/{dataset}/crf/candidates/{c2}.npz",
    log:
        "results/logs/tagging/{dataset}/train_crf_{c2}.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/train_crf_{c2}.tsv"
    conda:
        "../../envs/crf.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        sentences=config["tagging"]["crf_sentences"],
        seed=config["seed"],
    message:
        "Train the CRF with c2 = {wildcards.c2} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_crf.py"


rule select_crf:
    input:
        candidates=expand(
            "results/tagging/{{dataset}}/crf/candidates/{c2}.npz",
            c2=config["tagging"]["c2"],
        ),
        dev="results/corpora/{dataset}/dev.conllu",
        code=code("tagging/select_crf.py"),
    output:
        model="results/tagging/{dataset}/crf/model.npz",
        selection="results/tagging/{dataset}/crf/selection.csv",
    log:
        "results/logs/tagging/{dataset}/select_crf.log",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        c2=config["tagging"]["c2"],
        bin_size=config["calibration"]["bin_size"],
    message:
        "Choose a CRF for {wildcards.dataset}"
    script:
        "../../scripts/tagging/select_crf.py"


rule tag_marginals:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
        code=code("tagging/tag_marginals.py"),
    output:
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
    log:
        "results/logs/tagging/{dataset}/{model}/marginals.log",
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    message:
        "Compute the marginals of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/tag_marginals.py"


rule tagging_pairs:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        test="results/corpora/{dataset}/test.conllu",
        code=code("tagging/tagging_pairs.py"),
    output:
        "results/tagging/{dataset}/{model}/{query}/pairs.parquet",
    log:
        "results/logs/tagging/{dataset}/{model}/pairs_{query}.log",
    wildcard_constraints:
        query="|".join((*QUERIES, "one_tag")),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        tag=lambda wildcards: one_tag(wildcards)["tag"],
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Make prediction-label pairs of {wildcards.model}, {wildcards.query}, on {wildcards.dataset}"
    script:
        "../../scripts/tagging/tagging_pairs.py"


rule compare_taggers:
    input:
        **of_each_tagger("model.npz"),
        hmm_marginals="results/tagging/{dataset}/hmm/marginals.npz",
        crf_marginals="results/tagging/{dataset}/crf/marginals.npz",
        test="results/corpora/{dataset}/test.conllu",
        code=code("tagging/compare_taggers.py"),
    output:
        "results/tagging/{dataset}/comparison_{query}.csv",
        report(
            "results/tagging/{dataset}/comparison_{query}.html",
            caption="../report/comparison.rst",
            category="tagging: {dataset}",
            subcategory="HMM against CRF, label by label",
            labels={"query": "{query}"},
        ),
    log:
        "results/logs/tagging/{dataset}/compare_{query}.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/compare_{query}.tsv"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["samples"],
        replicates=config["tagging"]["replicates"],
        seed=config["seed"],
    message:
        "Compare the taggers on {wildcards.query} of {wildcards.dataset}, label by label"
    script:
        "../../scripts/tagging/compare_taggers.py"


rule figure_1:
    input:
        pairs=f"results/tagging/{{dataset}}/{config['tagging']['figure_1']['model']}/tags/pairs.parquet",
        code=code("tagging/figure_1.py"),
    output:
        **figure_outputs("figure_1", "1: binning"),
    log:
        "results/logs/figures/{dataset}/figure_1.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        tag=config["tagging"]["figure_1"]["tag"],
        model=config["tagging"]["figure_1"]["model"],
        bin_size=config["tagging"]["figure_1"]["bin_size"],
    message:
        "Draw Figure 1 of {wildcards.dataset}: equal-width against adaptive bins"
    script:
        "../../scripts/tagging/figure_1.py"


rule figure_3:
    input:
        **of_each_tagger("tags/pairs.parquet"),
        code=code("tagging/figure_3.py"),
    output:
        **figure_outputs("figure_3", "3: all tags"),
    log:
        "results/logs/figures/{dataset}/figure_3.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["samples"],
        seed=config["seed"],
    message:
        "Draw Figure 3 of {wildcards.dataset}: calibration curves over all tags"
    script:
        "../../scripts/tagging/figure_3.py"


rule figure_4:
    input:
        tags="results/tagging/{dataset}/comparison_tags.csv",
        bigrams="results/tagging/{dataset}/comparison_bigrams.csv",
        code=code("tagging/figure_4.py"),
    output:
        **figure_outputs("figure_4", "4: HMM against CRF by label"),
    log:
        "results/logs/figures/{dataset}/figure_4.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Draw Figure 4 of {wildcards.dataset}: calibration errors by label"
    script:
        "../../scripts/tagging/figure_4.py"


rule figure_smoothing:
    input:
        **of_each_tagger("selection.csv"),
        code=code("tagging/figure_smoothing.py"),
    output:
        **figure_outputs("figure_smoothing", "Smoothing decides direction"),
    log:
        "results/logs/figures/{dataset}/figure_smoothing.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    message:
        "Draw accuracy and calibration of {wildcards.dataset} against smoothing"
    script:
        "../../scripts/tagging/figure_smoothing.py"


rule tagging_tables:
    input:
        hmm="results/tagging/{dataset}/hmm/evaluation.json",
        crf="results/tagging/{dataset}/crf/evaluation.json",
        calibration=expand(
            "results/tagging/{{dataset}}/{model}/{query}/calibration.json",
            model=TAGGERS,
            query=QUERIES,
        ),
        comparison=expand(
            "results/tagging/{{dataset}}/comparison_{query}.csv", query=QUERIES
        ),
        code=code("tagging/tagging_tables.py"),
    output:
        table_page("taggers", "taggers", "tagging"),
        report(
            "results/tables/{dataset}/comparison.html",
            caption="../report/comparison_counts.rst",
            category="tagging: {dataset}",
            subcategory="Tables",
            labels={"table": "HMM against CRF"},
        ),
        taggers="results/tables/{dataset}/taggers.csv",
        comparison="results/tables/{dataset}/comparison.csv",
    log:
        "results/logs/tables/{dataset}/tagging.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Tabulate the taggers of {wildcards.dataset}"
    script:
        "../../scripts/tagging/tagging_tables.py"
