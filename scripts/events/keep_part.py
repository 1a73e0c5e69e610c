"""Write the shard of a part of a corpus: its documents that no earlier part has."""

import datetime
from collections.abc import Iterator

from nlpcalib.io.files import read_json
from nlpcalib.systems.text.dated import DatedText
from reproduction.events.texts import write_shards
from reproduction.workflow.json_lines import read_json_lines
from reproduction.workflow.run_script import run_script


def main(path_passages: str, path_repeated: str, path_documents: str, path_texts: str, *, part: int) -> None:
    """Write what `read_news.py` writes of a shard, from what `read_part.py` and `check_parts.py` wrote.

    Parts are counted from 1.
    """
    repeated = set(read_json(path_repeated)[part - 1])

    def kept() -> Iterator[tuple[DatedText, bool]]:
        for _, row in read_json_lines(path_passages):
            if row["number"] not in repeated:
                date = datetime.date.fromisoformat(row["date"])
                yield DatedText(row["id"], date, row["text"], {}), row["selected"]

    write_shards(kept(), [path_documents], [path_texts])


if "snakemake" in globals():
    run_script(main, snakemake)
