# Simulation: section 4.3 of the thesis, and estimates and intervals where the truth is known.
#
# Needs:  nothing
# Makes:  results/simulation/{beta}/scores.csv, and results/simulation/regimes, how often intervals hold the truth in regimes drawn
#         at random; by rows of figures.smk and tables.smk Figures 4.7 to 4.11 of the thesis and the same for other distributions, what
#         bins of which size show of a known error, how many are best, and what wrong labels do
# Steps:  draw and score pairs, tables, figures; `snakemake simulation` makes this chapter alone


BETAS = {f"beta_{a:g}_{b:g}": [a, b] for a, b in config["simulation"]["betas"]}


def studied(study):
    """Return what a study is of, nothing if the configuration does not ask for it."""
    return ["simulation"] if config["simulation"][study] else []


rule synthetic_study:
    output:
        scores=expand("results/simulation/{beta}/scores.csv", beta=BETAS),
    log:
        "results/logs/synthetic_study.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("simulation/synthetic_study.py"),
        seed=config["seed"],
        betas=list(BETAS.values()),
        shift=config["simulation"]["shift"],
        pairs=config["simulation"]["pairs"],
        bin_sizes=config["simulation"]["bin_sizes"],
        sample_sizes=config["simulation"]["sample_sizes"],
        replicates=config["simulation"]["replicates"],
    message:
        "Score synthetic pairs"
    script:
        "../../scripts/simulation/synthetic_study.py"
