"""A page to look at: the events of verbs with the links that they depend on, for reading and not for counting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from nlpcalib.io import page
from nlpcalib.io.files import atomic_open
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import Query

_AUDIT_FOLDER = Path(__file__).with_name("audit")
_EVENTS_PER_LIST = 50
"""Events in each list."""
Key = tuple[str, str]
"""A document and a country."""


def write_audit(path: str | Path, records: Callable[[], Iterable[Mapping]], query: Query, title: str) -> None:
    """Write the likeliest and the least certain events of a query as a self-contained HTML page.

    The page shows each event's document, its probability and the links that it depends on. Each call of `records`
    returns the records of `audit_record`, of which a document has several if its trees differ. The order of records
    does not matter.
    """
    q = {
        (record["document"], event["country"]): event["probability"]
        for record in records()
        for event in record["events"]
        if event["probability"] > 0
    }
    lists = {
        "least certain": _first(q, lambda p: -p * (1 - p)),
        "most probable": _first(q, lambda p: -p),
    }
    wanted = {key for keys in lists.values() for key in keys}
    kept = [
        {**record, "events": chosen}
        for record in records()
        if (chosen := [each for each in record["events"] if (record["document"], each["country"]) in wanted])
    ]
    known = country_names()
    content = {
        "description": f"Countries that are the {' or '.join(query.roles)} of: {', '.join(query.words)}",
        "lists": {name: [" ".join(key) for key in keys] for name, keys in lists.items()},
        "names": {code: known[code] for code in sorted({country for _, country in wanted} & known.keys())},
    }
    before, after = page.frame(_AUDIT_FOLDER, title)
    with atomic_open(path) as stream:
        stream.write(before)
        stream.write(page.data_element(content))
        for record in sorted(kept, key=lambda record: (record["document"], record["events"][0]["country"])):
            stream.write(page.data_element(record))
        stream.write(after)


def _first(q: Mapping[Key, float], order: Callable[[float], float]) -> list[Key]:
    """Return the documents and countries that come first by `order` of their probabilities."""
    return sorted(q, key=lambda key: (order(q[key]), key))[:_EVENTS_PER_LIST]
