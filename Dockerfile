# Runs the README's first command. The results are in /nlpcalib/results:
#   docker build --tag nlpcalib . && docker run --volume "$PWD/results:/nlpcalib/results" nlpcalib
FROM python:3.11.11-slim-bookworm
WORKDIR /nlpcalib
COPY . .
RUN sed -n 's/^\(python3 -m venv .*\) && \.venv\/bin\/snakemake.*$/\1/p' README.md > setup.sh && sh -eu setup.sh
CMD [".venv/bin/snakemake", "--cores", "2"]
