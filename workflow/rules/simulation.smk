# Simulation: section 4.3 of the thesis, and estimates and intervals of calibration error where the truth is known.
#
# Needs:  nothing; keyword_series the archive of Wikipedia's current events
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


def simulation_targets():
    asked = {
        "bin_counts": config["simulation"]["bin_counts"],
        "coverage": COVERAGE,
        "estimation_coverage": config["simulation"]["estimation"]["labels"],
        "keyword_series": config["simulation"]["keyword_series"],
    }
    return [
        f"results/tables/simulation/{table}.csv"
        for table, sizes in asked.items()
        if sizes
    ]


rule synthetic_study:
    output:
        scores="results/simulation/{beta}/scores.csv",
    wildcard_constraints:
        beta="|".join(BETAS) or "no distribution",
    resources:
        **growing(runtime=60),
    params:
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


rule bin_counts:
    output:
        table_page("bin_counts", "how many bins?", "simulation"),
        **figure_outputs("figure_bin_counts", "simulation", "How many bins?"),
        table="results/tables/simulation/bin_counts.csv",
    resources:
        **growing(runtime=60),
    params:
        sizes=config["simulation"]["bin_counts"],
        seed=config["seed"],
    message:
        "Try the debiased error with few bins and with many"
    script:
        "../../scripts/simulation/bin_counts.py"


rule coverage:
    output:
        coverage="results/simulation/coverage/{dependence}_{n}.json",
    benchmark:
        "results/benchmarks/simulation/coverage_{dependence}_{n}.tsv"
    wildcard_constraints:
        dependence="|".join(DEPENDENCES),
        n=r"\d+",
    resources:
        **growing(runtime=60),
    params:
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
    benchmark:
        "results/benchmarks/simulation/estimation_coverage.tsv"
    resources:
        **growing(runtime=120),
    params:
        labels=config["simulation"]["estimation"]["labels"],
        replicates=config["simulation"]["estimation"]["replicates"],
        seed=config["seed"],
    message:
        "Measure how often intervals for a corpus total hold it"
    script:
        "../../scripts/simulation/estimation_coverage.py"


rule keyword_series:
    input:
        archive=archive("wikipedia_current_events"),
    output:
        table="results/tables/simulation/keyword_series.csv",
    benchmark:
        "results/benchmarks/simulation/keyword_series.tsv"
    resources:
        **growing(runtime=60),
    params:
        replicates=config["simulation"]["keyword_series"],
        seed=config["seed"],
    message:
        "Estimate series by year from keywords and labels"
    script:
        "../../scripts/simulation/keyword_series.py"
