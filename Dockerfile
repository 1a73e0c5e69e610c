# Runs the whole workflow, as the README's section on the paper does. The results are in /nlpcalib/results:
#   docker build --tag nlpcalib . && docker run --volume "$PWD/results:/nlpcalib/results" nlpcalib
FROM python:3.11.11-slim-bookworm
WORKDIR /nlpcalib
COPY . .
RUN tools/set_up
CMD [".venv/bin/snakemake", "--cores", "2"]
