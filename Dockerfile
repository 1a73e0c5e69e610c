# Runs the whole workflow, as the README's section on the paper does, by a user that is not root. The results are in
# /nlpcalib/results; your user, whose number the image gets, must own the folder:
#   mkdir -p results && docker build --tag nlpcalib --build-arg UID="$(id -u)" .
#   docker run --volume "$PWD/results:/nlpcalib/results" nlpcalib
# It runs any job of the profiles without a shared disk too: they start `python`, which finds the library of this commit.
FROM python:3.11.11-slim-bookworm
ARG UID=1000
RUN useradd --create-home --uid "$UID" nlpcalib && install --directory --owner nlpcalib /nlpcalib
USER nlpcalib
WORKDIR /nlpcalib
COPY --chown=nlpcalib . .
RUN tools/set_up
ENV PATH=/nlpcalib/.venv/bin:$PATH
CMD ["snakemake", "--cores", "2"]
