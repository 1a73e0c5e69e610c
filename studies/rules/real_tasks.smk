# Real tasks: how often intervals hold in twelve annotated corpora, whose truth is known.
#
# Needs:  corpora of the registry, so that the target `studies` leaves it out and `real_tasks` is one of its own
# Makes:  results/real_tasks/{task}/pairs.parquet and coverage.csv, a table and a figure of all tasks
# Steps:  predict by a model that was trained on other texts, draw labels again and again, tabulate, draw the figure

from studies.real_tasks.tasks import TASKS


wildcard_constraints:
    task="|".join(TASKS),


rule real_tasks:
    input:
        "results/tables/real_tasks/real_tasks.csv",
        "results/figures/real_tasks/figure_real_tasks.png",
    localrule: True


rule real_task_items:
    input:
        archives=lambda wildcards: [
            f"results/corpora/archives/{corpus}.zip"
            for corpus in TASKS[wildcards.task].corpora
        ],
    output:
        pairs="results/real_tasks/{task}/pairs.parquet",
    log:
        "results/logs/real_task_items/{task}.log",
    conda:
        "../../envs/crf.yaml"
    params:
        library=study_library("real_tasks/make_items.py"),
        corpora=lambda wildcards: TASKS[wildcards.task].corpora,
        seed=config["seed"],
    message:
        "Make the items of a real task: {wildcards.task}"
    script:
        "../scripts/real_tasks/make_items.py"


rule real_task_coverage:
    input:
        pairs="results/real_tasks/{task}/pairs.parquet",
    output:
        coverage="results/real_tasks/{task}/coverage.csv",
    log:
        "results/logs/real_task_coverage/{task}.log",
    conda:
        "../../envs/base.yaml"
    resources:
        runtime=partial(growing, 60),
    params:
        library=study_library("real_tasks/draw_labels.py"),
        labels=lambda wildcards: TASKS[wildcards.task].labels,
        draws=STUDIES["real_tasks"],
        seed=config["seed"],
    message:
        "Draw labels of a real task: {wildcards.task}"
    script:
        "../scripts/real_tasks/draw_labels.py"


rule real_task_table:
    input:
        tables=expand("results/real_tasks/{task}/coverage.csv", task=TASKS),
    output:
        page(
            "results/tables/real_tasks/real_tasks.html",
            "real_tasks",
            table="twelve real tasks",
        ),
        csv=["results/tables/real_tasks/real_tasks.csv"],
    log:
        "results/logs/tables/real_tasks/real_tasks.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.real_tasks.tables"),
        make="studies.real_tasks.tables:real_task_table",
        tasks=list(TASKS),
    message:
        "Tabulate coverage in real tasks"
    script:
        "../../scripts/tables/tables.py"


rule figure_real_tasks:
    input:
        table="results/tables/real_tasks/real_tasks.csv",
    output:
        figure_real_tasks=page(
            "results/figures/real_tasks/figure_real_tasks.png",
            "real_tasks",
            "1 Figures",
            "figure_real_tasks",
            figure="Coverage and width in twelve real tasks",
        ),
        figure_real_tasks_csv="results/figures/real_tasks/figure_real_tasks.csv",
        pdf=expand("results/figures/real_tasks/figure_real_tasks.{end}", end=PRINTED),
    log:
        "results/logs/figures/real_tasks/figure_real_tasks.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.real_tasks.figures"),
        draw={"figure_real_tasks": "studies.real_tasks.figures:figure_real_tasks"},
    message:
        "Draw coverage and width in real tasks"
    script:
        "../../scripts/figures/figure.py"
