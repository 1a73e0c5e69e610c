"""Look for documents that an earlier part or year of a corpus has, and for too many broken records in all parts."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.io.files import atomic_path, write_json
from reproduction.corpora.parts import repeated_documents
from reproduction.workflow.run_script import run_script


def main(
    source: str,
    paths_found: Sequence[str],
    paths_earlier: Sequence[str],
    path_repeated: str,
    path_ids: str,
    *,
    broken: float,
) -> None:
    """Write a list for each part, the places of its documents that are in an earlier one, and digests of all ids.

    `paths_earlier` are the digests of earlier years.
    """
    repeated, digests = repeated_documents(paths_found, source, broken, map(np.load, paths_earlier))
    write_json(path_repeated, repeated)
    with atomic_path(path_ids) as temporary, temporary.open("wb") as file:
        np.save(file, digests)


if "snakemake" in globals():
    run_script(main, snakemake)
