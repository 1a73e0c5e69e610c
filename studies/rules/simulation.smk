# Simulation, further: how often intervals hold the truth, in regimes that nobody chose and in those with names, and what
# wrong labels do.
#
# Needs:  nothing
# Makes:  results/simulation/regimes/{kind}.csv, a table and a figure of them, and
#         results/tables/simulation/{intervals,wrong_labels,comparisons}.csv
# Steps:  draw regimes, tabulate, draw the figure


KINDS = ("calibration_error", "items", "documents", "series")
REGIMES = expand("results/simulation/regimes/{kind}.csv", kind=KINDS)


def simulation_targets():
    """Return the tables and figures of this file."""
    return [
        "results/tables/simulation/regimes.csv",
        "results/figures/simulation/figure_regimes.png",
        "results/tables/simulation/intervals.csv",
        "results/tables/simulation/wrong_labels.csv",
        "results/tables/simulation/comparisons.csv",
    ]


rule regimes:
    output:
        regimes="results/simulation/regimes/{kind}.csv",
    log:
        "results/logs/regimes/{kind}.log",
    wildcard_constraints:
        kind="|".join(KINDS),
    conda:
        "../../envs/base.yaml"
    resources:
        runtime=partial(growing, 120),
    params:
        library=study_library("simulation/regimes.py"),
        seed=config["seed"],
        number=STUDIES["regimes"]["number"],
        draws=STUDIES["regimes"]["draws"],
    message:
        "Measure coverage in regimes drawn at random: {wildcards.kind}"
    script:
        "../scripts/simulation/regimes.py"


rule regimes_table:
    input:
        regimes=REGIMES,
    output:
        page(
            "results/tables/simulation/regimes.html",
            "simulation",
            table="coverage of intervals",
        ),
        csv=["results/tables/simulation/regimes.csv"],
    log:
        "results/logs/tables/simulation/regimes.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.simulation.study"),
        make="studies.simulation.study:regimes_table",
    message:
        "Tabulate coverage in regimes drawn at random"
    script:
        "../../scripts/tables/tables.py"


rule figure_regimes:
    input:
        regimes=REGIMES,
    output:
        figure_regimes=page(
            "results/figures/simulation/figure_regimes.png",
            "simulation",
            "1 Figures",
            "figure_regimes",
            figure="Coverage over regimes drawn at random",
        ),
        figure_regimes_csv="results/figures/simulation/figure_regimes.csv",
        pdf=expand("results/figures/simulation/figure_regimes.{end}", end=PRINTED),
    log:
        "results/logs/figures/simulation/figure_regimes.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.simulation.figures"),
        draw={"figure_regimes": "studies.simulation.figures:figure_regimes"},
    message:
        "Draw coverage in regimes drawn at random"
    script:
        "../../scripts/figures/figure.py"


rule interval_table:
    output:
        page(
            "results/tables/simulation/intervals.html",
            "simulation",
            table="three intervals",
        ),
        csv=["results/tables/simulation/intervals.csv"],
    log:
        "results/logs/tables/simulation/intervals.log",
    conda:
        "../../envs/base.yaml"
    resources:
        runtime=partial(growing, 60),
    params:
        library=library("tables/tables.py", "studies.simulation.intervals"),
        make="studies.simulation.intervals:interval_table",
        seed=config["seed"],
        draws=STUDIES["intervals"],
    message:
        "Measure coverage of three intervals of the calibration error"
    script:
        "../../scripts/tables/tables.py"


rule wrong_label_table:
    output:
        page(
            "results/tables/simulation/wrong_labels.html",
            "simulation",
            table="wrong labels",
        ),
        csv=["results/tables/simulation/wrong_labels.csv"],
    log:
        "results/logs/tables/simulation/wrong_labels.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.simulation.wrong_labels"),
        make="studies.simulation.wrong_labels:wrong_label_table",
        seed=config["seed"],
        replicates=STUDIES["wrong_labels"],
    message:
        "Estimate from labels of which some are wrong"
    script:
        "../../scripts/tables/tables.py"


rule comparison_table:
    output:
        page(
            "results/tables/simulation/comparisons.html",
            "simulation",
            table="two models' log losses",
        ),
        csv=["results/tables/simulation/comparisons.csv"],
    log:
        "results/logs/tables/simulation/comparisons.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.simulation.comparison"),
        make="studies.simulation.comparison:comparison_table",
        seed=config["seed"],
        draws=STUDIES["comparisons"],
    message:
        "Compare two models of which one is worse in what is rare"
    script:
        "../../scripts/tables/tables.py"
