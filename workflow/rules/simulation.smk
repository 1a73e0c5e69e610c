# Simulation: section 4.3 of the thesis, and estimates and intervals where the truth is known.
#
# Needs:  nothing
# Makes:  results/simulation/{beta}/scores.csv, and results/simulation/regimes, how often intervals hold the truth in regimes drawn
#         at random; Figures 4.7 to 4.11 of the thesis and the same for other distributions, what
#         bins of which size show of a known error, how many are best, and what wrong labels do
# Steps:  draw and score pairs, tables, figures; `snakemake simulation` makes this chapter alone


BETAS = {f"beta_{a:g}_{b:g}": [a, b] for a, b in config["simulation"]["betas"]}


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


rule statement_table:
    output:
        page(
            "results/tables/simulation/statements.html",
            "simulation",
            table="statements about methods",
        ),
        csv=["results/tables/simulation/statements.csv"],
    log:
        "results/logs/tables/simulation/statements.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.simulation.known_truth"),
        make="reproduction.simulation.known_truth:statement_table",
        seed=config["seed"],
    message:
        "Try the statements about methods where the truth is known"
    script:
        "../../scripts/tables/tables.py"


rule bin_count_table:
    output:
        page(
            "results/tables/simulation/bin_counts.html",
            "simulation",
            table="how many bins?",
        ),
        csv=["results/tables/simulation/bin_counts.csv"],
    log:
        "results/logs/tables/simulation/bin_counts.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.simulation.bin_counts"),
        make="reproduction.simulation.bin_counts:bin_count_table",
        sizes=config["simulation"]["bin_counts"],
        seed=config["seed"],
    message:
        "Count the bins that show a known error best"
    script:
        "../../scripts/tables/tables.py"


rule draw_synthetic:
    input:
        scores=expand("results/simulation/{beta}/scores.csv", beta=BETAS),
    output:
        figure_synthetic=page(
            "results/figures/simulation/figure_synthetic{style}.png",
            "simulation",
            "1 Figures",
            "figure_synthetic",
            figure="4.7 to 4.11 of the thesis: synthetic pairs",
        ),
        figure_betas=page(
            "results/figures/simulation/figure_betas{style}.png",
            "simulation",
            "1 Figures",
            "figure_betas",
            figure="Score against bin size by distribution",
        ),
        csv=[
            "results/figures/simulation/figure_synthetic{style}.csv",
            "results/figures/simulation/figure_betas{style}.csv",
        ],
        pdf=expand(
            "results/figures/simulation/{name}{{style}}.{end}",
            name=["figure_synthetic", "figure_betas"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/simulation/figure_synthetic{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.simulation"),
        draw={
            "figure_synthetic": "reproduction.figures.simulation:figure_synthetic",
            "figure_betas": "reproduction.figures.simulation:figure_betas",
        },
        betas=BETAS,
    message:
        "Draw the scores of synthetic pairs"
    script:
        "../../scripts/figures/figure.py"


rule draw_bins:
    input:
        table="results/tables/simulation/bin_counts.csv",
    output:
        figure_bin_size_truth=page(
            "results/figures/simulation/figure_bin_size_truth.png",
            "simulation",
            "1 Figures",
            "figure_bin_size_truth",
            figure="Bin size and the true error",
        ),
        figure_bin_counts=page(
            "results/figures/simulation/figure_bin_counts.png",
            "simulation",
            "1 Figures",
            "figure_bin_counts",
            figure="How many bins?",
        ),
        csv=[
            "results/figures/simulation/figure_bin_size_truth.csv",
            "results/figures/simulation/figure_bin_counts.csv",
        ],
        pdf=expand(
            "results/figures/simulation/{name}.{end}",
            name=["figure_bin_size_truth", "figure_bin_counts"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/simulation/figure_bin_size_truth.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.bin_size"),
        draw={
            "figure_bin_size_truth": "reproduction.figures.bin_size:figure_bin_size_truth",
            "figure_bin_counts": "reproduction.figures.bin_size:figure_bin_counts",
        },
        pairs=config["simulation"]["pairs"],
        seed=config["seed"],
    message:
        "Draw what bins of which size show of a known error"
    script:
        "../../scripts/figures/figure.py"


rule draw_smooth_curves:
    output:
        figure_smooth_curves=page(
            "results/figures/simulation/figure_smooth_curves.png",
            "simulation",
            "1 Figures",
            "figure_smooth_curves",
            figure="Smooth calibration curves",
        ),
        csv=[
            "results/figures/simulation/figure_smooth_curves.csv",
        ],
        pdf=expand(
            "results/figures/simulation/{name}.{end}",
            name=["figure_smooth_curves"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/simulation/figure_smooth_curves.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.section7"),
        draw={
            "figure_smooth_curves": "reproduction.figures.section7:figure_smooth_curves",
        },
        seed=config["seed"],
    message:
        "Draw smooth calibration curves"
    script:
        "../../scripts/figures/figure.py"


rule draw_em:
    input:
        table="results/tables/simulation/section_7/em.csv",
    output:
        figure_em=page(
            "results/figures/simulation/figure_em.png",
            "simulation",
            "1 Figures",
            "figure_em",
            figure="EM with few labels",
        ),
        csv=[
            "results/figures/simulation/figure_em.csv",
        ],
        pdf=expand(
            "results/figures/simulation/{name}.{end}",
            name=["figure_em"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/simulation/figure_em.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.section7"),
        draw={
            "figure_em": "reproduction.figures.section7:figure_em",
        },
    message:
        "Draw what EM does with few labels"
    script:
        "../../scripts/figures/figure.py"


rule figure_synthetic:
    input:
        expand("results/figures/simulation/figure_synthetic.{end}", end=PICTURES)
        * bool(BETAS),
    localrule: True


rule simulation:
    input:
        rules.figure_synthetic.input,
        expand("results/figures/simulation/figure_betas.{end}", end=PICTURES)
        * bool(BETAS),
        [
            *expand(
                "results/figures/simulation/figure_bin_size_truth.{end}", end=PICTURES
            ),
            *expand(
                "results/figures/simulation/figure_bin_counts.{end}", end=PICTURES
            ),
            "results/tables/simulation/bin_counts.csv",
        ]
        * bool(config["simulation"]["bin_counts"]),
        expand(
            "results/figures/simulation/{name}.{end}",
            name=["figure_smooth_curves", "figure_em"],
            end=PICTURES,
        )
        * bool(config["simulation"]["section_7"]),
        expand(
            "results/tables/simulation/section_7/{study}.csv",
            study=SECTION_7_STUDIES if config["simulation"]["section_7"] else [],
        ),
        "results/tables/simulation/statements.csv",
    localrule: True
