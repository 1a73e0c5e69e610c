"""Retrieve one corpus of the registry, from the local mirror or the network, into one verified archive."""

from pathlib import Path

from nlpcalib.errors import InputError
from reproduction.corpora.retrieval.archives import retrieve
from reproduction.workflow.run_script import run_script


def main(path_registry: str, path_manifest: str, path_archive: str, corpus: str, path_mirror: str | None) -> None:
    """Write the archive `path_archive` of `corpus` as `reproduction.corpora.retrieval.archives.retrieve` does.

    Raises `nlpcalib.errors.InputError` when the corpus cannot be had or differs from the registry.
    """
    mirror = Path(path_mirror).expanduser() if path_mirror else None
    if mirror and not mirror.is_dir():
        raise InputError(f"{mirror}: found no folder, expected the mirror that `mirror:` in the configuration names")
    retrieve(corpus, registry=path_registry, manifest=path_manifest, output=path_archive, mirror=mirror)


if "snakemake" in globals():
    # Not a parameter: where a verified archive came from is no reason to retrieve it again.
    run_script(main, snakemake, path_mirror=snakemake.config["mirror"])
