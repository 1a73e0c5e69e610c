# Ablation: sections 4.1 and 4.2 of the thesis, taggers that see more and more of each word, on one tag.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, pairs of all tags and of one), tables in results/tables/{dataset}
# Steps:  train, pairs, tables

from dataclasses import asdict

TRAINED_TOGETHER = {}
"""The thesis' taggers of each job: HMMs, CRFs by L-BFGS and CRFs by AdaGrad."""
for name, variant in THESIS_TAGGERS.items():
    kind = "hmm" if variant.is_hmm else variant.method
    TRAINED_TOGETHER.setdefault(kind, {})[name] = asdict(variant)


for kind, models in TRAINED_TOGETHER.items():

    rule:
        name:
            f"train_ablation_{kind}"
        input:
            train="results/corpora/{dataset}/train.conllu",
            dev="results/corpora/{dataset}/dev.conllu",
        output:
            models=of_models(models, "model.npz"),
            selections=of_models(models, "selection.csv"),
        log:
            f"results/logs/train_ablation/{{dataset}}_{kind}.log",
        conda:
            "../../envs/crf.yaml"
        resources:
            **growing(mem_mb=3000, runtime=120),
        params:
            library=library("tagging/train_ablation.py"),
            variants=list(models.values()),
            settings={
                "pseudocounts": config["tagging"]["pseudocounts"],
                "c2": config["tagging"]["ablation"]["c2"],
                "epochs": config["tagging"]["ablation"]["adagrad"]["epochs"],
                "step": config["tagging"]["ablation"]["adagrad"]["step"],
                "seed": config["seed"],
            },
            sentences=config["tagging"]["ablation"]["sentences"],
        message:
            f"Train {', '.join(models)} on {{wildcards.dataset}}"
        script:
            "../../scripts/tagging/train_ablation.py"


rule evaluate_taggers:
    input:
        models=of_models(THESIS_TAGGERS, "model.npz"),
        test="results/corpora/{dataset}/test.conllu",
    output:
        [
            file
            for model in THESIS_TAGGERS
            for target in THESIS_TARGETS
            for file in calibration_outputs(
                f"results/tagging/{{dataset}}/{model}/{target}",
                "tagging",
                model=model,
                target=target,
            )
        ],
        evaluations=of_models(THESIS_TAGGERS, "evaluation.json"),
        tags=of_models(THESIS_TAGGERS, "tags/pairs.parquet"),
        one_tag=of_models(THESIS_TAGGERS, "one_tag/pairs.parquet"),
    log:
        "results/logs/evaluate_taggers/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/evaluate_taggers.py"),
        seed=config["seed"],
        one_tag=one_tag,
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
    message:
        "Measure the pairs of the thesis' taggers on {wildcards.dataset}"
    script:
        "../../scripts/tagging/evaluate_taggers.py"
