"""The pipeline that Snakemake runs: the models, corpora, simulated news, studies and claims of the papers."""
