# By the directive `include:` Snakemake would forget the target that is made by default.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
