# Simulation: section 4.3 of the thesis, and estimates and intervals of calibration error where the truth is known.
#
# Needs:  nothing
# Makes:  results/simulation/{beta}/scores.csv, Figures 4.7 to 4.11 of the thesis and the same for other distributions, what
#         bins of which size show of a known error, how many are best, and how often intervals hold the truth and tests
#         reject, in results/{figures,tables}/simulation
# Steps:  draw and score pairs, tables, figures; `snakemake simulation` makes this chapter alone


DEPENDENCES = (
    "independent",
    "sentences",
    "documents",
    "unequal",
    "giant",
    "items",
    "rows",
)
COVERAGE = dict(config["simulation"]["coverage"])
BETAS = {f"beta_{a:g}_{b:g}": [a, b] for a, b in config["simulation"]["betas"]}


def simulation_figure(figure, label):
    """Return the files of a figure of simulated pairs, as `figure_files` does."""
    return figure_files(
        f"results/figures/simulation/{figure}",
        caption=f"../report/{figure}.rst",
        category=REPORT_CATEGORIES["simulation"],
        labels={"shows": label},
    )


def simulation_targets():
    figures = []
    if BETAS:
        figures += ["figure_synthetic", "figure_betas"]
    if config["simulation"]["bin_counts"]:
        figures += ["figure_bin_size_truth", "figure_bin_counts"]
    figures += [f"figure_coverage_{n}" for n in COVERAGE]
    tables = (
        ["estimation_coverage"] if config["simulation"]["estimation"]["labels"] else []
    )
    return [
        *expand("results/figures/simulation/{figure}.png", figure=figures),
        *expand("results/tables/simulation/{table}.csv", table=tables),
    ]


rule synthetic_study:
    output:
        "results/simulation/{beta}/scores.csv",
    log:
        "results/logs/simulation/{beta}.log",
    wildcard_constraints:
        beta="|".join(BETAS) or "no distribution",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        library=library("simulation/synthetic_study.py"),
        beta=lambda wildcards: BETAS[wildcards.beta],
        shift=config["simulation"]["shift"],
        pairs=config["simulation"]["pairs"],
        bin_sizes=config["simulation"]["bin_sizes"],
        sample_sizes=config["simulation"]["sample_sizes"],
        replicates=config["simulation"]["replicates"],
        seed=config["seed"],
    message:
        "Score synthetic pairs of {wildcards.beta}"
    script:
        "../../scripts/simulation/synthetic_study.py"


rule figure_synthetic:
    input:
        scores=expand("results/simulation/{beta}/scores.csv", beta=list(BETAS)[:1]),
    output:
        **simulation_figure(
            "figure_synthetic", "4.7 to 4.11 of the thesis: synthetic pairs"
        ),
    log:
        "results/logs/figures/simulation/figure_synthetic.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/figure_synthetic.py"),
        style=config["figures"],
        beta=list(BETAS.values())[:1],
    message:
        "Draw Figures 4.7 to 4.11 of the thesis"
    script:
        "../../scripts/simulation/figure_synthetic.py"


rule figure_betas:
    input:
        scores=expand("results/simulation/{beta}/scores.csv", beta=BETAS),
    output:
        **simulation_figure("figure_betas", "Score against bin size by distribution"),
    log:
        "results/logs/figures/simulation/figure_betas.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/figure_betas.py"),
        style=config["figures"],
        betas=BETAS,
    message:
        "Draw the score of synthetic pairs of every distribution against bin size"
    script:
        "../../scripts/simulation/figure_betas.py"


rule figure_bin_size_truth:
    output:
        **simulation_figure("figure_bin_size_truth", "Bin size beside the true error"),
    log:
        "results/logs/figures/simulation/figure_bin_size_truth.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/figure_bin_size_truth.py"),
        style=config["figures"],
        pairs=config["simulation"]["pairs"],
        seed=config["seed"],
    message:
        "Draw calibration errors against bin size where the true error is known"
    script:
        "../../scripts/simulation/figure_bin_size_truth.py"


rule bin_counts:
    output:
        report(
            "results/tables/simulation/bin_counts.html",
            caption="../report/bin_counts.rst",
            category=REPORT_CATEGORIES["simulation"],
            labels={"shows": "table: how many bins?"},
        ),
        **simulation_figure("figure_bin_counts", "How many bins?"),
        table="results/tables/simulation/bin_counts.csv",
    log:
        "results/logs/tables/simulation/bin_counts.log",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        library=library("simulation/bin_counts.py"),
        style=config["figures"],
        sizes=config["simulation"]["bin_counts"],
        seed=config["seed"],
    message:
        "Try the debiased error with few bins and with many"
    script:
        "../../scripts/simulation/bin_counts.py"


rule coverage:
    output:
        "results/simulation/coverage/{dependence}_{n}.json",
    log:
        "results/logs/simulation/coverage_{dependence}_{n}.log",
    benchmark:
        "results/benchmarks/simulation/coverage_{dependence}_{n}.tsv"
    wildcard_constraints:
        dependence="|".join(DEPENDENCES),
        n=r"\d+",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 1000 * attempt,
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        library=library("simulation/coverage.py"),
        replicates=lambda wildcards: COVERAGE[int(wildcards.n)],
        seed=config["seed"],
    message:
        "Measure coverage on {wildcards.n} pairs, {wildcards.dependence}"
    script:
        "../../scripts/simulation/coverage.py"


rule estimation_coverage:
    output:
        coverage="results/tables/simulation/estimation_coverage.csv",
        series="results/tables/simulation/estimation_series.csv",
        wrong_labels="results/tables/simulation/estimation_labels.csv",
    log:
        "results/logs/tables/simulation/estimation_coverage.log",
    benchmark:
        "results/benchmarks/simulation/estimation_coverage.tsv"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        library=library("simulation/estimation_coverage.py"),
        labels=config["simulation"]["estimation"]["labels"],
        replicates=config["simulation"]["estimation"]["replicates"],
        seed=config["seed"],
    message:
        "Measure how often intervals for a corpus total hold it"
    script:
        "../../scripts/simulation/estimation_coverage.py"


rule coverage_tables:
    input:
        coverage=expand(
            "results/simulation/coverage/{dependence}_{n}.json",
            dependence=DEPENDENCES,
            n=COVERAGE,
        ),
    output:
        report(
            "results/tables/simulation/coverage.html",
            caption="../report/coverage.rst",
            category=REPORT_CATEGORIES["simulation"],
            labels={"shows": "table: estimates and intervals"},
        ),
        report(
            "results/tables/simulation/tests.html",
            caption="../report/tests.rst",
            category=REPORT_CATEGORIES["simulation"],
            labels={"shows": "table: tests of perfect calibration"},
        ),
        coverage="results/tables/simulation/coverage.csv",
        tests="results/tables/simulation/tests.csv",
    log:
        "results/logs/tables/simulation/coverage.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/coverage_tables.py"),
    message:
        "Tabulate coverage of intervals and rejections of tests"
    script:
        "../../scripts/simulation/coverage_tables.py"


rule figure_coverage:
    input:
        coverage=expand(
            "results/simulation/coverage/{dependence}_{{n}}.json",
            dependence=DEPENDENCES,
        ),
        table="results/tables/simulation/coverage.csv",
    output:
        png=report(
            "results/figures/simulation/figure_coverage_{n}.png",
            caption="../report/figure_coverage.rst",
            category=REPORT_CATEGORIES["simulation"],
            labels={"shows": "Coverage and width of intervals, {n} pairs"},
        ),
        pdf="results/figures/simulation/figure_coverage_{n}.pdf",
        csv="results/figures/simulation/figure_coverage_{n}.csv",
    log:
        "results/logs/figures/simulation/figure_coverage_{n}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/figure_coverage.py"),
        style=config["figures"],
    message:
        "Draw coverage and width of intervals on {wildcards.n} pairs"
    script:
        "../../scripts/simulation/figure_coverage.py"
