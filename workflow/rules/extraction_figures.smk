# Figures of the evaluation of an extraction system, and the targets of its chapter.
#
# Needs:  tables of frequencies and evaluations.json of extraction_eval.smk
# Makes:  results/figures/{dataset}/figure_{categories,levels,rates,answers,saving,annotators}.png
# Steps:  draw


rule draw_categories:
    input:
        frequencies="results/tables/{dataset}/leads_frequencies.csv",
    output:
        figure_categories=page(
            "results/figures/{dataset}/figure_categories.png",
            "extraction_eval",
            "1 Figures",
            "figure_categories",
            figure="Categories by frequency",
        ),
        csv=[
            "results/figures/{dataset}/figure_categories.csv",
        ],
        pdf=expand(
            "results/figures/{{dataset}}/{name}.{end}",
            name=["figure_categories"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_categories.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.extraction_eval"),
        draw={
            "figure_categories": "reproduction.figures.extraction_eval:figure_categories",
        },
    message:
        "Draw how frequent categories are in {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_evaluation:
    input:
        evaluations="results/extraction_eval/{dataset}/evaluations.json",
        saving="results/extraction_eval/{dataset}/saving.csv",
    output:
        figure_levels=page(
            "results/figures/{dataset}/figure_levels{style}.png",
            "extraction_eval",
            "1 Figures",
            "figure_levels",
            figure="1 of Lowe & King: bias of conflict levels",
        ),
        figure_rates=page(
            "results/figures/{dataset}/figure_rates{style}.png",
            "extraction_eval",
            "1 Figures",
            "figure_rates",
            figure="How much of each category is found",
        ),
        figure_answers=page(
            "results/figures/{dataset}/figure_answers{style}.png",
            "extraction_eval",
            "1 Figures",
            "figure_answers",
            figure="What each category is extracted as",
        ),
        figure_saving=page(
            "results/figures/{dataset}/figure_saving{style}.png",
            "extraction_eval",
            "1 Figures",
            "figure_saving",
            figure="What sampling by category saves",
        ),
        csv=[
            "results/figures/{dataset}/figure_levels{style}.csv",
            "results/figures/{dataset}/figure_rates{style}.csv",
            "results/figures/{dataset}/figure_answers{style}.csv",
            "results/figures/{dataset}/figure_saving{style}.csv",
        ],
        pdf=expand(
            "results/figures/{{dataset}}/{name}{{style}}.{end}",
            name=["figure_levels", "figure_rates", "figure_answers", "figure_saving"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_levels{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.extraction_eval"),
        draw={
            "figure_levels": "reproduction.figures.extraction_eval:figure_levels",
            "figure_rates": "reproduction.figures.extraction_eval:figure_rates",
            "figure_answers": "reproduction.figures.extraction_eval:figure_answers",
            "figure_saving": "reproduction.figures.extraction_eval:figure_saving",
        },
    message:
        "Draw the evaluation of the system on {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_annotators:
    input:
        evaluations="results/extraction_eval/{dataset}/annotators.json",
    output:
        figure_annotators=page(
            "results/figures/{dataset}/figure_annotators.png",
            "extraction_eval",
            "1 Figures",
            "figure_annotators",
            figure="Section 4.3 of Lowe & King: system and annotators",
        ),
        csv=[
            "results/figures/{dataset}/figure_annotators.csv",
        ],
        pdf=expand(
            "results/figures/{{dataset}}/{name}.{end}",
            name=["figure_annotators"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_annotators.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.extraction_eval"),
        draw={
            "figure_annotators": "reproduction.figures.extraction_eval:figure_annotators",
        },
    message:
        "Draw the annotators of {wildcards.dataset} beside the system"
    script:
        "../../scripts/figures/figure.py"


rule figure_levels:
    input:
        expand(
            "results/figures/{dataset}/figure_levels.{end}",
            dataset=TRUE_LEADS,
            end=PICTURES,
        ),
    localrule: True


rule extraction_eval:
    input:
        rules.figure_levels.input,
        expand(
            "results/figures/{dataset}/figure_categories.{end}",
            dataset=LEADS,
            end=PICTURES,
        ),
        expand(
            "results/figures/{dataset}/{name}.{end}",
            dataset=TRUE_LEADS,
            name=["figure_rates", "figure_answers", "figure_saving"],
            end=PICTURES,
        ),
        expand(
            "results/tables/{dataset}/{name}.csv",
            dataset=TRUE_LEADS,
            name=["leads_summary", "leads_coverage"],
        ),
        expand(
            "results/figures/{dataset}/figure_annotators.{end}",
            dataset=ANNOTATED_LEADS,
            end=PICTURES,
        ),
    localrule: True
