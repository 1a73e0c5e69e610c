"""Retrieve one corpus of the registry, from the local mirror or the network, into one verified archive."""

from pathlib import Path

from nlpcalib.errors import InputError
from reproduction.corpora.retrieval.archives import retrieve
from reproduction.workflow.script_log import start_log


def main(path_registry: str, path_manifest: str, path_output: str, corpus: str, path_mirror: str | None) -> None:
    """Write the archive `path_output` of `corpus` as `reproduction.corpora.retrieval.archives.retrieve` does.

    Raises `nlpcalib.errors.InputError` when the corpus cannot be had or differs from the registry.
    """
    mirror = Path(path_mirror).expanduser() if path_mirror else None
    if mirror and not mirror.is_dir():
        raise InputError(f"{mirror}: found no folder, expected the mirror that `mirror:` in the configuration names")
    retrieve(corpus, registry=path_registry, manifest=path_manifest, output=path_output, mirror=mirror)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_registry=snakemake.input.registry,
        path_manifest=snakemake.input.manifest,
        path_output=snakemake.output[0],
        corpus=snakemake.params.corpus,
        # Not a parameter: where a verified archive came from is no reason to retrieve it again.
        path_mirror=snakemake.config["mirror"],
    )
