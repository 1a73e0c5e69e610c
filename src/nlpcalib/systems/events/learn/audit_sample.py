"""The audit page: a probability sample of events that a reader labels before seeing the model's reasons.

An item is a document and a country that it mentions; its event probability may be 0. Documents without a verb of the
query are not among the items. So the labels estimate how many items are events, as `nlpcalib estimate` does, and not
how many events the corpus reports.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.io import page
from nlpcalib.io.files import atomic_open, atomic_path
from nlpcalib.io.parquet import PARQUET_OPTIONS
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.page import content_name
from nlpcalib.sampling.plan import Plan, draw_plan, write_plan
from nlpcalib.sampling.sheet import ITEM_PREFIX, blind_order
from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import Query

_AUDIT_FOLDER = Path(__file__).with_name("audit")
_EVENTS_PER_LIST = 25
"""Events in each list that is shown without asking for labels."""


@dataclass(frozen=True, eq=False)
class Audit:
    """N items, and those drawn for annotation."""

    items: Sequence[tuple[str, str, str]]
    """Document, country and date of each item; a missing date is empty."""
    q: np.ndarray
    """float64 (N,): the probability of each item's event."""
    plan: Plan
    rows: np.ndarray
    """int64: the drawn rows."""

    @property
    def ids(self) -> list[str]:
        """The id of each item."""
        return [item_name(document, country) for document, country, _ in self.items]


def item_name(document: str, country: str) -> str:
    """Return the id of an item, from its document and country."""
    return f"{document} {country}"


def draw_audit(records: Iterable[Mapping], limit: int = 200, seed: int = 0) -> Audit:
    """Draw at most `limit` items from the records of `audit_record`, stratified by probability.

    A document has several records if its trees differ. The order of records does not matter. Raises `InputError` for a
    duplicate document and country.
    """
    found = sorted(
        (record["document"], event["country"], record["date"] or "", event["probability"])
        for record in records
        for event in record["events"]
    )
    for first, second in itertools.pairwise(found):
        if first[:2] == second[:2]:
            raise InputError(f"audit: found {first[1]} in document {first[0]!r} twice, expected each document once")
    items, q = [item[:3] for item in found], np.array([item[3] for item in found])
    if not items:
        return Audit(items, q, Plan("stratified", seed, 0, "", 0, (0,), ((0,),)), np.array([], int))
    frame = Frame([item_name(*item[:2]) for item in items], q)
    plan = draw_plan(frame, min(limit, len(items)), seed, "stratified")
    return Audit(items, q, plan, plan.queue(frame).first(plan.read[-1]))


def audit_events(
    records: Callable[[], Iterable[Mapping]],
    query: Query,
    title: str,
    seed: int,
    *,
    path_page: str | Path,
    path_plan: str | Path,
    path_items: str | Path,
) -> None:
    """Draw events of a query, and write the page that asks about them, the plan that drew them, and all items.

    Each call of `records` returns the records of `audit_record`.
    """
    audit = draw_audit(records(), seed=seed)
    description = f"Countries that are the {' or '.join(query.roles)} of: {', '.join(query.words)}"
    write_audit(path_page, records(), audit, title=title, description=description)
    write_plan(path_plan, audit.plan)
    write_audit_items(path_items, audit)


def write_audit(
    path: str | Path, records: Iterable[Mapping], audit: Audit, *, title: str, description: str = ""
) -> None:
    """Write the drawn events as a self-contained HTML page, in random order.

    The page shows a document and asks for a label. After the answer, which is then final, it shows the probability and
    the links that the event depends on. Two more lists show the most probable and the most uncertain events that were
    not drawn, with the model's probabilities and without a question. `records` are those of `draw_audit`. `title` and
    `description` state the question and the documents.
    """
    drawn = [audit.items[row][:2] for row in audit.rows]
    lists = {name: [audit.items[row][:2] for row in rows] for name, rows in _listed(audit.q, audit.rows).items()}
    wanted = {*drawn, *itertools.chain.from_iterable(lists.values())}
    kept = [
        {**record, "events": chosen}
        for record in records
        if (chosen := [each for each in record["events"] if (record["document"], each["country"]) in wanted])
    ]
    names = [item_name(*each) for each in drawn]
    order = [names[place] for place in blind_order(names, audit.plan.seed)]
    known = country_names()
    content = {
        "description": description,
        "total": len(audit.items),
        "items": [f"{ITEM_PREFIX}{name}" for name in order],
        "lists": {name: [f"{ITEM_PREFIX}{item_name(*each)}" for each in rows] for name, rows in lists.items()},
        "names": {code: known[code] for code in sorted({country for _, country in wanted} & known.keys())},
    }
    before, after = page.frame(_AUDIT_FOLDER, title, labelled=True)
    with atomic_open(path) as stream:
        stream.write(before)
        stream.write(page.data_element({"id": content_name({"title": title, **content}), **content}))
        for record in sorted(kept, key=lambda record: (record["document"], record["events"][0]["country"])):
            stream.write(page.data_element(record))
        stream.write(after)


def _listed(q: np.ndarray, drawn: np.ndarray) -> dict[str, list[int]]:
    """Return the rows of the most probable and of the most uncertain events that were not drawn."""
    rest = np.setdiff1d(np.arange(len(q)), drawn)
    lists = {}
    for name, score in {"most probable": q, "most uncertain": q * (1 - q)}.items():
        own = rest[score[rest] > 0]
        lists[name] = own[np.argsort(-score[own], kind="stable")[:_EVENTS_PER_LIST]].tolist()
    return lists


def write_audit_items(path: str | Path, audit: Audit) -> None:
    """Write all items as Parquet for `nlpcalib estimate`: `id`, `q`, `document`, `country`, `date`."""
    columns = {"id": pa.array(audit.ids, pa.string()), "q": pa.array(audit.q, pa.float64())}
    for place, name in enumerate(("document", "country", "date")):
        columns[name] = pa.array([item[place] for item in audit.items], pa.string())
    with atomic_path(path) as temporary:
        pa.parquet.write_table(pa.table(columns), temporary, **PARQUET_OPTIONS)
