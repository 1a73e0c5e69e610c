"""CoNLL-U with probabilities in MISC: `Prob=0.98`, and the right tag as `Gold=NOUN`.

The predicted tag is in UPOS, its probability and the right tag in MISC, unless the user names other columns or keys of
MISC. A tagged treebank may have the gold tag in UPOS and `Pred=NOUN|Prob=0.98` in MISC. The format is
described at https://universaldependencies.org/format.html.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_blocks
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.tables.conllu_columns import CONLLU_COLUMNS, conllu_cells


def read_conllu_probabilities(lines: Iterable[bytes], name: str, keys: Mapping[str, str]) -> Iterator[Example]:
    """Yield the words of each sentence that have a probability; the unit is the document, or the sentence without any.

    With `keys["unit"]` as `sent_id` the unit is the sentence.
    Lines of multiword tokens and empty nodes count as words if they have a probability.
    """
    document = ""
    for block in numbered_blocks(lines, name):
        place = f"{name}, line {block[0][0]}"
        sentence = f"line {block[0][0]}"
        q, y, labels = [], [], []
        words: dict[str, list[str]] = {"sentence": [], "token": [], "form": []}
        for number, line in block:
            if line.startswith("#"):
                key, _, value = (part.strip() for part in line[1:].partition("="))
                document = (value or f"document at line {number}") if key in ("newdoc id", "newdoc") else document
                sentence = value if key == "sent_id" and value else sentence
                continue
            where = f"{name}, line {number}"
            cells = conllu_cells(line, where)
            values = dict(item.partition("=")[::2] for item in cells[9].split("|"))
            values.update(zip(CONLLU_COLUMNS, cells, strict=True))
            if keys["q"] not in values:
                continue
            q.append(_probability(values[keys["q"]], keys["q"], where))
            for key in (keys[part] for part in ("y", "label") if part in keys):
                if key not in values:
                    raise InputError(f"{where}: found {keys['q']} without {key}, expected both")
            y.append("y" in keys and values[keys["y"]] == values[keys["label"]])
            labels.append(values[keys["label"]])
            for key, cell in zip(words, (sentence, cells[0], cells[1]), strict=True):
                words[key].append(cell)
        unit = sentence if keys.get("unit") == "sent_id" else document or sentence
        yield Example(place, unit, q, y, labels, marks=words)


def _probability(text: str, key: str, where: str) -> float:
    try:
        return float(text) if text.isascii() and "_" not in text else float("nan")
    except ValueError:
        raise InputError(f"{where}: found {key} {text[:40]!r}, expected a probability in [0, 1]") from None
