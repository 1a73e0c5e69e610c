"""`nlpcalib plan` and `nlpcalib estimate`: from a file of predictions to whom to read, and from labels to numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import borrowed_totals, restricted
from nlpcalib.estimation.estimates import Estimate, Sample, estimate_totals
from nlpcalib.estimation.labelled import labelled_sample
from nlpcalib.estimation.planning import forecast_width, labels_for_width, rates
from nlpcalib.io.files import atomic_folder, check_file, write_csv, write_json
from nlpcalib.sampling.agreement import agreement
from nlpcalib.sampling.cells import count_cells
from nlpcalib.sampling.exports import CANNOT_TELL
from nlpcalib.sampling.labels import YES_NO, Labels, categories, read_annotations, some
from nlpcalib.sampling.page import write_page
from nlpcalib.sampling.plan import Frame, Plan, draw_plan, expected_plan, extend_plan, read_plan, write_plan
from nlpcalib.sampling.settling import Settled, disagreement_rows, joined, settle
from nlpcalib.sampling.sheet import sheet_rows, write_sheet

_MISSING = 5
_PRINTED = 21
"""The whole corpus and twenty groups."""


@dataclass(frozen=True, eq=False)
class Items:
    """The N items of a file."""

    path: Path
    ids: tuple[str, ...]
    table: pa.Table
    frame: Frame

    def column(self, name: str) -> list[str]:
        """Return a column as texts; `InputError` if there is none of this name."""
        if name not in self.table.column_names:
            raise InputError(f"{self.path}: found the columns {', '.join(self.table.column_names)}; expected {name!r}")
        return ["" if value is None else str(value) for value in self.table[name].to_pylist()]


def read_items(path: str | Path) -> Items:
    """Read Parquet, CSV or TSV with a column `q`, and optionally `id`, `text`, `unit` and any to group by.

    Without `id`, items have the numbers of their rows, from 1. Items of one `unit`, such as a document, are read
    together. Raises `InputError` for a file or predictions of another kind, and ids that are there twice.
    """
    path = Path(path)
    check_file(path)
    try:
        if path.suffix.lower() == ".parquet":
            table = pa.parquet.read_table(path)
        else:
            table = pa.csv.read_csv(
                path,
                parse_options=pa.csv.ParseOptions(
                    delimiter="\t" if path.suffix.lower() == ".tsv" else ",", newlines_in_values=True
                ),
                convert_options=pa.csv.ConvertOptions(column_types={"id": pa.string(), "unit": pa.string()}),
            )
        table.validate(full=True)
    # Arrow raises OSError for damaged pages and UnicodeDecodeError for damaged names.
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0]}, expected a whole table") from None
    if "q" not in table.column_names:
        raise InputError(f"{path}: found the columns {', '.join(table.column_names)}; expected one named 'q'")
    try:
        q = table["q"].cast(pa.float64()).to_numpy()
    except pa.ArrowException:
        raise InputError(f"{path}: found a column 'q' of {table['q'].type}, expected numbers in [0, 1]") from None
    ids = _texts(table, "id") if "id" in table.column_names else tuple(str(row) for row in range(1, len(q) + 1))
    if len(set(ids)) < len(ids):
        raise InputError(f"{path}: found {len(ids) - len(set(ids))} ids again, expected each once")
    names, unit = ids, None
    if "unit" in table.column_names:
        found, unit = np.unique(np.array(_texts(table, "unit"), dtype=object), return_inverse=True)
        names = tuple(found)
    try:
        return Items(path, ids, table, Frame(names, q, unit))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _texts(table: pa.Table, name: str) -> tuple[str, ...]:
    return tuple("" if value is None else str(value) for value in table[name].to_pylist())


def plan_file(
    file: str | Path,
    out: str | Path,
    *,
    budget: int | None = None,
    width: float | None = None,
    labels: Sequence[str | Path] = (),
    yes: str | None = None,
    design: str = "two-phase",
    seed: int = 0,
    question: str = "Is this item positive?",
    codebook: str = "",
    stream: IO[str] | None = None,
) -> Plan:
    """Write plan.json, sheet-N.csv and page-N.html of the next items to read, N the phase, and print what they are for.

    The first call plans the pilot. With the labels of what `out` planned so far, the next call plans the rest; it
    never drops a unit that was planned.

    Raises `InputError` if there is a plan in `out` and no label, or a sheet or page of that name, so that no plan and
    nobody's labels are overwritten, and unless either a budget or a width is given.
    """
    items = read_items(file)
    frame, path = items.frame, Path(out) / "plan.json"
    if (budget is None) == (width is None) and not labels:
        raise InputError("plan: expected either a budget of labels or the width of the interval")
    if path.exists() and not labels:
        raise InputError(
            f"{path}: found a plan, expected another folder (--out), or the labels it asked for (--labels)"
        )
    sample = None
    done = np.array([], dtype=np.int64)
    if labels:
        before = _plan_of(items, path)
        sample = _sample(items, before, _read(items, before, labels, yes=yes)[1], labels)
        done = before.drawn(frame)
        place = np.searchsorted(done, _units(items, sample.rows))
        labelled = len(np.unique(place))
        if labelled < len(done):
            raise InputError(
                f"{_named(labels)}: found labels of {labelled} units, expected all {len(done)} planned so far"
            )
        positive = np.bincount(place, np.nan_to_num(sample.y, nan=0.5), minlength=len(done))

        def planned(n: int) -> Plan:
            return extend_plan(before, frame, positive, max(n, len(done)))

        budget = before.budget if budget is None else budget
    else:
        planned = partial(expected_plan, frame, seed=seed, design=design)
    if width is not None:
        budget = _budget(lambda n: _forecast(items, planned(n), sample), width, len(frame.ids) - 1)
    expected = planned(budget or 0)
    plan = expected if labels else draw_plan(frame, budget or 0, seed, design)
    forecast = _forecast(items, expected, sample)
    rows = items.frame.rows_of(np.setdiff1d(plan.drawn(frame), done))
    if not rows.size:
        print(
            f"Nothing is left to read of a budget of {plan.budget}: estimate, or plan with a larger one.", file=stream
        )
        return plan
    phase = len(plan.read)
    names = f"sheet-{phase}.csv", f"page-{phase}.html"
    for taken in (Path(out, name) for name in names if Path(out, name).exists()):
        raise InputError(f"{taken}: found a file, which may hold labels, expected a name that is free")
    texts = items.column("text") if "text" in items.table.column_names else [""] * len(items.ids)
    sheet = sheet_rows([items.ids[row] for row in rows], [texts[row] for row in rows], plan.seed)
    with atomic_folder(out) as folder:
        write_plan(folder / "plan.json", plan)
        write_sheet(folder / names[0], sheet)
        write_page(folder / names[1], f"Annotation, part {phase}", question, codebook, sheet)
    unit = "items" if frame.unit is None else f"items in {len(np.unique(_units(items, rows)))} units"
    whole = "items" if frame.unit is None else "units"
    print(f"{len(rows)} {unit} to read now, of {plan.budget} {whole} in all, out of {len(frame.ids)}.", file=stream)
    basis = "the labels so far" if labels else "the model, if it is calibrated"
    print(f"Expected width of the 95 % interval for the share, from {basis}: {forecast:.2g}.", file=stream)
    if not plan.complete:
        print("Annotate them, then plan again with --labels: their answers decide what to read next.", file=stream)
    else:
        print("Annotate them, then run nlpcalib estimate with the sheets of all parts.", file=stream)
    print(f"files: {path}, {Path(out, names[0])}, {Path(out, names[1])}", file=stream)
    return plan


def estimate_file(
    file: str | Path,
    labels: Sequence[str | Path],
    plan: str | Path,
    *,
    by: Sequence[str] = (),
    out: str | Path | None = None,
    method: str = "score",
    level: float = 0.95,
    yes: str | None = None,
    settled: str | Path | None = None,
    borrow: str = "none",
    stream: IO[str] | None = None,
) -> list[Estimate]:
    """Print the number of positive items with its interval, and one for each group; write them into `out`.

    The whole corpus comes first. Where several annotators labelled an item, the majority counts; how far they agree and
    what is in dispute is printed, and written as tables; labels in `settled` decide. With `borrow`, groups share labels
    (`nlpcalib.estimation.borrowing`): for "one-change" the last column of `by` is the period, whose texts sort in time,
    and those before it name the series.

    Raises `InputError` for labels that are missing or unknown, for another corpus than the plan's, and for shared
    labels that would have to be carried over to where none reaches.
    """
    if borrow != "none" and (not by or method != "score"):
        raise InputError("borrow: found no groups or another method than score, expected --by and the score method")
    items = read_items(file)
    drawn_by = _plan_of(items, plan)
    if yes is not None:
        others = sorted(set().union(*map(categories, labels)) - {yes})
        if others:
            print(f"Labels counted as no: {some(others)}.", file=stream)
    annotators, agreed_on = _read(items, drawn_by, labels, settled, yes)
    sample = _sample(items, drawn_by, agreed_on, labels)
    q = items.frame.q
    estimates = estimate_totals(q, sample, level=level, method=method)
    if by:
        keys = list(zip(*(items.column(name) for name in by), strict=True))
        names = sorted(set(keys))
        index = {key: number for number, key in enumerate(names)}
        group = np.array([index[key] for key in keys])
        if borrow == "none":
            texts = [", ".join(key) for key in names]
            estimates += estimate_totals(q, sample, group, texts, level=level, method=method)
        else:
            estimates += _borrowed(q, sample, group, names, borrow, level)
    weight = sample.weights[sample.stratum[sample.rows]]
    agreed = agreement(annotators, dict(zip((items.ids[row] for row in sample.rows), weight.tolist(), strict=True)))
    for estimate in estimates[:_PRINTED]:
        print(_sentence(estimate, level), file=stream)
    if len(estimates) > _PRINTED:
        rest = "estimates.csv has them" if out else "name a folder with --out for all of them"
        print(f"… and {len(estimates) - _PRINTED:,} more groups: {rest}.", file=stream)
    for pair in agreed:
        print(
            f"{pair.first} and {pair.second} differ on {pair.differ} of {pair.items} items: they agree on "
            f"{pair.agreed:.1%} of the corpus, kappa {pair.kappa:.2f}. Independent errors on {pair.error:.1%} of the "
            "items would explain it.",
            file=stream,
        )
    if agreed_on.disputed:
        print(
            f"{len(agreed_on.disputed)} items are in dispute: {some(agreed_on.disputed)}. The interval holds both "
            "answers for them, until one more annotator labels them, or --settled decides.",
            file=stream,
        )
    if out is not None:
        # Matplotlib takes half a second to import.
        from nlpcalib.figures.intervals import draw_intervals
        from nlpcalib.figures.style import house_style, save_figure

        rows = [_row(estimate) for estimate in estimates]
        with atomic_folder(out) as folder:
            write_csv(folder / "estimates.csv", rows)
            write_json(
                folder / "estimates.json", {"method": method, "borrow": borrow, "level": level, "estimates": rows}
            )
            with house_style():
                save_figure(folder / "intervals", *draw_intervals(rows, level))
            if agreed:
                write_csv(folder / "agreement.csv", [{**asdict(pair), "error": pair.error} for pair in agreed])
                write_csv(folder / "disagreements.csv", _disagreements(items, annotators, agreed_on, yes))
    where = "no files written: name a folder with --out" if out is None else f"files: {out}"
    print(where, file=stream)
    return estimates


def _plan_of(items: Items, path: str | Path) -> Plan:
    """Read the plan of some items; `InputError` if it is another corpus'."""
    plan = read_plan(path)
    try:
        plan.check(items.frame)
    except InputError as error:
        raise InputError(f"{items.path}: {error} ({path})") from None
    return plan


def _named(paths: Sequence[str | Path]) -> str:
    return ", ".join(map(str, paths))


def _borrowed(
    q: np.ndarray, sample: Sample, group: np.ndarray, names: Sequence[tuple[str, ...]], how: str, level: float
) -> list[Estimate]:
    """Return the estimates of groups, in the order of their sorted names; each series shares its own labels."""
    series = sorted({key[:-1] for key in names}) if how == "one-change" else [()]
    found = []
    for key in series:
        members = [number for number, name in enumerate(names) if name[: len(key)] == key]
        chosen = np.isin(group, members)
        texts = [", ".join(names[number]) for number in members]
        try:
            found += borrowed_totals(
                q[chosen], restricted(sample, chosen), np.searchsorted(members, group[chosen]), texts,
                how=how, level=level,
            )  # fmt: skip
        except InputError as error:
            raise InputError(f"{', '.join(key)}: {error}" if key else str(error)) from None
    return found


def _read(
    items: Items, plan: Plan, paths: Sequence[str | Path], settled: str | Path | None = None, yes: str | None = None
) -> tuple[dict[str, Labels], Settled]:
    """Return the labels of each annotator, and those that they settle on or that a file settles."""
    known = {items.ids[row] for row in items.frame.rows_of(plan.drawn(items.frame))}
    numbers, other = (YES_NO, None) if yes is None else ({yes: 1}, 0)
    annotators = joined([read_annotations(path, known, numbers, other) for path in paths])
    if yes is not None and not any(1 in labels.values() for labels in annotators.values()):
        _check_category(yes, paths)
    if settled is None:
        return annotators, settle(annotators)
    decided: Labels = {}
    for own in read_annotations(settled, known, numbers, other).values():
        decided |= own
    return annotators, settle(annotators, decided)


def _disagreements(
    items: Items, annotators: Mapping[str, Labels], settled: Settled, yes: str | None
) -> list[dict[str, str]]:
    texts = items.column("text") if "text" in items.table.column_names else [""] * len(items.ids)
    row_of = {item: row for row, item in enumerate(items.ids)}
    names = {1: yes or "yes", 0: "no", None: CANNOT_TELL}
    return disagreement_rows(annotators, settled, lambda item: texts[row_of[item]], lambda label: names[label])


def _sample(items: Items, plan: Plan, settled: Settled, labels: Sequence[str | Path]) -> Sample:
    """Return the sample whose labels are there. A dispute is open."""
    found = settled.labels | dict.fromkeys(settled.disputed)
    y = {item: np.nan if label is None else float(label) for item, label in found.items()}
    try:
        return labelled_sample(plan, items.frame, items.ids, y)
    except InputError as error:
        raise InputError(f"{_named(labels)}: {error}") from None


def _check_category(yes: str, labels: Sequence[str | Path]) -> None:
    """Raise `InputError` if labels have categories, and `yes` is none of them."""
    others = sorted(set().union(*map(categories, labels)))
    if others and yes not in others:
        names = ", ".join(map(repr, others[:_MISSING]))
        raise InputError(f"{_named(labels)}: found the labels {names}, expected {yes!r} among them, or no for all")


def _units(items: Items, rows: np.ndarray) -> np.ndarray:
    return rows if items.frame.unit is None else items.frame.unit[rows]


def _forecast(items: Items, plan: Plan, sample: Sample | None) -> float:
    """Return the width that is expected when a plan is read."""
    frame = items.frame
    strata = frame.strata(plan.design)
    rows, y = (np.array([], dtype=np.int64), np.array([])) if sample is None else (sample.rows, sample.y)
    stratum = strata if frame.unit is None else strata[frame.unit]
    whole = count_cells(frame.q, stratum, plan.weights, rows, np.nan_to_num(y, nan=0.5))[0].whole
    return forecast_width(whole, rates(whole, sample is not None), plan.weights)


def _budget(forecast: Callable[[int], float], width: float, largest: int) -> int:
    found = labels_for_width(forecast, width, largest)
    if found is None:
        raise InputError(f"width: found {width}, expected one that reading {largest} units can reach")
    return found


def _sentence(estimate: Estimate, level: float) -> str:
    share = " to ".join(f"{part:.2%}" for part in estimate.share[1:])
    name = f"{estimate.group}: " if estimate.group else ""
    return " ".join(
        [
            f"{name}{estimate.total:.0f} of {estimate.items} items are positive ({100 * level:g}% interval "
            f"{estimate.low:.0f} to {estimate.high:.0f}, {share}); {estimate.read} were read, and the model alone "
            f"reports {estimate.predicted:.0f}.",
            *estimate.notes,
        ]
    )


def _row(estimate: Estimate) -> Mapping[str, object]:
    return {
        "group": estimate.group,
        "items": estimate.items,
        "read": estimate.read,
        # Half labels are those that the annotator left open.
        "positive": int(estimate.positive) if estimate.positive.is_integer() else estimate.positive,
        "predicted": estimate.predicted,
        "total": estimate.total,
        "low": estimate.low,
        "high": estimate.high,
        "notes": " ".join(estimate.notes),
    }
