"""Write src/nlpcalib/systems/coref/model/lexicon/words.tsv: names and nouns that are persons, or are not.

    python tools/coref_lexicon.py NAMES WORDNET

NAMES is the folder of the package `names` 0.3.0 (counts of the US census of 1990, public domain), WORDNET that of
WordNet 3.0 (in Debian's `wordnet-base`, /usr/share/wordnet). The result depends on nothing else.
"""

import sys
from collections import defaultdict
from pathlib import Path

OUTPUT = Path(__file__).parents[1] / "src/nlpcalib/systems/coref/model/lexicon/words.tsv"
SURNAMES, COMMON = 20_000, 1_000
"""Surnames that are kept, and those so frequent that a place of that name is in doubt."""
FILES = [
    "act",
    "animal",
    "artifact",
    "attribute",
    "body",
    "cognition",
    "communication",
    "event",
    "feeling",
    "food",
    "group",
    "place",
    "motive",
    "object",
    "person",
    "phenomenon",
    "plant",
    "possession",
    "process",
    "quantity",
    "relation",
    "shape",
    "state",
    "substance",
    "time",
]
"""WordNet's lexicographer files of nouns, from number 4 on; location is called a place."""
SEXES = {"male": {"male", "man", "boy"}, "female": {"female", "woman", "girl"}}
"""Words that make a person of one gender, at the beginning of WordNet's gloss."""
Row = tuple[str, str, str, str]


def given_names(folder: Path) -> list[Row]:
    """Return given names: of one gender if nine in ten bearers are."""
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    for gender in ("male", "female"):
        for line in (folder / f"dist.{gender}.first").read_text().splitlines():
            name, percent, *_ = line.split()
            shares[name.lower()][gender] = max(float(percent), 0.0005)
    rows = []
    for name, share in shares.items():
        gender, most = max(share.items(), key=lambda item: item[1])
        rows.append((name, "given name", gender if most >= 0.9 * sum(share.values()) else "person", "person"))
    return rows


def surnames(folder: Path) -> list[str]:
    """Return surnames, the most frequent first."""
    lines = (folder / "dist.all.last").read_text().splitlines()
    return [line.split()[0].lower() for line in lines[:SURNAMES]]


def nouns(folder: Path) -> tuple[list[Row], set[str]]:
    """Return nouns of one word that are persons by their first sense or things by all, and names of places or times."""
    synsets: dict[str, tuple[str, list[str], str]] = {}
    places, names = set(), set()
    for line in (folder / "data.noun").read_text().splitlines():
        if line.startswith(" "):
            continue
        data, _, gloss = line.partition(" | ")
        number, lexical, _, count, *rest = data.split()
        lexical = FILES[int(lexical) - 4] if int(lexical) > 3 else ""
        words = rest[: 2 * int(count, 16) : 2]
        begin = {word.strip(",;()") for word in gloss.split(";")[0].split()[:5]}
        gender = next((gender for gender, marks in SEXES.items() if marks & begin), "person")
        synsets[number] = (lexical, words, gender)
        capital = {word.lower() for word in words if word.isalpha() and word[0].isupper()}
        names |= capital if lexical == "person" else set()
        places |= capital if lexical in ("place", "time") else set()

    rows = []
    for line in (folder / "index.noun").read_text().splitlines():
        if line.startswith(" ") or not line.partition(" ")[0].isalpha():
            continue
        word, _, senses, pointers, *rest = line.split()
        tagged, numbers = int(rest[int(pointers) + 1]), rest[-int(senses) :]
        if not any(word in synsets[number][1] for number in numbers):
            continue  # always capitalised: a name
        kinds = [synsets[number][0] for number in numbers]
        if kinds[0] == "person":
            rows.append((word, "noun", synsets[numbers[0]][2], "person"))
        elif tagged:
            thing = kinds[0] != "group" and not {"person", "animal"} & set(kinds)
            rows.append((word, "noun", "thing" if thing else "unknown", kinds[0]))
    return rows, places - names


def main(names: Path, wordnet: Path) -> None:
    """Write the table, sorted."""
    rows, places = nouns(wordnet)
    given, last = given_names(names), surnames(names)
    people = {name for name, *_ in given} | set(last[:COMMON])
    places -= people
    rows += given
    rows += [(name, "surname", "person", "person") for name in last if name not in places]
    rows += [(name, "place or time", "thing", "place") for name in places]
    text = "".join("\t".join(row) + "\n" for row in [("word", "use", "gender", "class"), *sorted(rows)])
    OUTPUT.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
