# Simulation: section 4.3 of the thesis, and estimates and intervals where the truth is known.
#
# Needs:  nothing; keyword_series the archive of Wikipedia's current events
# Makes:  results/simulation/{beta}/scores.csv, Figures 4.7 to 4.11 of the thesis and the same for other distributions, what
#         bins of which size show of a known error, how many are best, how often intervals hold the truth in regimes drawn at
#         random, and what wrong labels do, in results/{figures,tables}/simulation
# Steps:  draw and score pairs, tables, figures; `snakemake simulation` makes this chapter alone


KINDS = ("calibration_error", "items", "documents", "series")
BETAS = {f"beta_{a:g}_{b:g}": [a, b] for a, b in config["simulation"]["betas"]}


def simulation_targets():
    asked = {
        "bin_counts": config["simulation"]["bin_counts"],
        "keyword_series": config["simulation"]["keyword_series"],
        "wrong_labels": config["simulation"]["wrong_labels"],
    }
    return [
        f"results/tables/simulation/{table}.csv"
        for table, wanted in asked.items()
        if wanted
    ]


rule synthetic_study:
    output:
        scores="results/simulation/{beta}/scores.csv",
    wildcard_constraints:
        beta="|".join(BETAS) or "no distribution",
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
    params:
        sizes=config["simulation"]["bin_counts"],
        seed=config["seed"],
    message:
        "Try the debiased error with few bins and with many"
    script:
        "../../scripts/simulation/bin_counts.py"


rule regimes:
    output:
        regimes="results/simulation/regimes/{kind}.csv",
    wildcard_constraints:
        kind="|".join(KINDS),
    resources:
        **growing(runtime=120),
    params:
        number=config["simulation"]["regimes"]["number"],
        draws=config["simulation"]["regimes"]["draws"],
        seed=config["seed"],
    message:
        "Measure coverage in regimes drawn at random: {wildcards.kind}"
    script:
        "../../scripts/simulation/regimes.py"


rule keyword_series:
    input:
        archive=archive("wikipedia_current_events"),
    output:
        table="results/tables/simulation/keyword_series.csv",
    params:
        replicates=config["simulation"]["keyword_series"],
        seed=config["seed"],
    message:
        "Estimate series by year from keywords and labels"
    script:
        "../../scripts/simulation/keyword_series.py"


rule wrong_labels:
    output:
        wrong_labels="results/tables/simulation/wrong_labels.csv",
    params:
        replicates=config["simulation"]["wrong_labels"],
        seed=config["seed"],
    message:
        "Measure what wrong labels do to intervals"
    script:
        "../../scripts/simulation/wrong_labels.py"
