"""What only Snakemake needs: the configuration, traced imports, the logs of scripts."""
