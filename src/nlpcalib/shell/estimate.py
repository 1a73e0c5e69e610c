"""`nlpcalib estimate`: how many items of a corpus are positive."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError, counted
from nlpcalib.io.sets import is_changed
from nlpcalib.shell.arguments import input_paths, note, where
from nlpcalib.tables.periods import period_of

if TYPE_CHECKING:
    from nlpcalib.estimation.changes import Change
    from nlpcalib.estimation.estimates import Estimate
    from nlpcalib.sampling.agreement import Agreement
    from nlpcalib.shell.items import Annotations, Items

_SHEET = "disagreements.csv"
_PRINTED = 21
"""The whole corpus and twenty groups."""


def run(options: argparse.Namespace) -> None:
    """Print the answer and, if a folder is named, write the results."""
    by = [name for name in options.by.split(",") if name]
    if options.borrow != "none" and not by:
        raise InputError("borrow: found no groups, expected --by")
    if options.out is not None:
        _check_sheet(options.out / _SHEET, options.settled)
    from nlpcalib.estimation.borrowing import estimate_groups
    from nlpcalib.estimation.changes import change_sentences, estimate_changes
    from nlpcalib.estimation.estimates import estimate_totals
    from nlpcalib.recalibration.layer import layered
    from nlpcalib.sampling.agreement import annotator_agreement
    from nlpcalib.shell.items import asked_before, negative_categories, read_labelled, read_planned

    planned, question = read_planned(options.file, options.plan), options.label_question
    items = planned.items
    keys = items.keys(by)
    note(options, options.file, items.facts(by))
    planned_to_borrow = asked_before(options.plan).get("borrow", "none")
    if by and options.borrow == "none" != planned_to_borrow:
        print(f"Groups share no labels here, and the plan counted on it: --borrow {planned_to_borrow}.")
    if options.yes is not None and (others := negative_categories(options.labels, options.yes, question)):
        print(f"Labels counted as no: {others}.")
    found = read_labelled(
        planned, options.labels, settled=options.settled, yes=options.yes, question=question, partly=True
    )
    q, gain, sample = items.frame.q, 0.0, found.sample
    if items.frame.texts is not None:
        from nlpcalib.text.words import word_features

        words = word_features(items.frame.texts)
        q, gain = layered(q, words, sample.rows, sample.y, unit=sample.unit, seed=planned.plan.seed)
    how = {"level": options.level, "method": options.method}
    estimates, alone = estimate_totals(q, found.sample, **how), Counter({"": items.frame.q.sum()})
    changes: list[Change] = []
    if by:
        place = f"{options.file}, column {by[-1]}"
        estimates += estimate_groups(q, found.sample, keys, borrow=options.borrow, place=place, **how)
        if options.method == "score":
            changes = estimate_changes(q, found.sample, keys, level=options.level)
        for key, prediction in zip(keys, items.frame.q.tolist(), strict=True):
            alone[", ".join(key)] += prediction
    estimates = [replace(each, predicted=float(alone[each.group])) for each in estimates]
    weight = found.sample.weights[found.sample.stratum[found.sample.rows]].tolist()
    agreed = annotator_agreement(
        found.annotators, dict(zip((items.ids[row] for row in found.sample.rows), weight, strict=True))
    )
    model = not planned.plan.match
    if gain:
        print(f"Labels improve the predictions by words of the texts: the loss on held-out labels falls by {gain:.0%}.")
    shown = change_sentences(changes, options.level)
    print(*_lines(estimates, shown, agreed, found.settled.disputed, options, model=model), sep="\n")
    if options.out is not None:
        from nlpcalib.shell.methods import methods_paragraph

        texts = methods_paragraph(
            planned.plan, found.sample, estimates, agreed,
            [sum(items.ids[row] in labels for labels in found.annotators.values()) for row in found.sample.rows],
            decided=found.decided, method=options.method, level=options.level, by=by, borrow=options.borrow,
            words=gain > 0, changes=shown,
        )  # fmt: skip
        _write(options, items, estimates, changes, agreed, found, texts, model=model)
    print(where(options))


def _check_sheet(sheet: Path, settled: Path | None) -> None:
    """Raise `InputError` if a sheet that would be replaced may have labels that are not read."""
    if is_changed(sheet, "estimates.json") and not (settled and settled.exists() and sheet.samefile(settled)):
        raise InputError(f"{sheet}: found a sheet that was filled in, expected --settled {sheet}, or another --out")


def _lines(
    estimates: Sequence[Estimate], changes: Sequence[str], agreed: Sequence[Agreement], disputed: Sequence[str],
    options: argparse.Namespace, *, model: bool,
) -> list[str]:  # fmt: skip
    from nlpcalib.shell.items import in_dispute

    groups = [estimate.notes for estimate in estimates[1:]]
    common = [each for each in groups[0] if all(each in notes for notes in groups)] if len(groups) > 1 else []
    lines = [_sentence(estimate, options.level, common, model=model) for estimate in estimates[:_PRINTED]]
    if len(estimates) > _PRINTED:
        rest = "estimates.csv has them" if options.out else "name a folder with --out for all of them"
        lines.append(f"… and {len(estimates) - _PRINTED:,} more groups: {rest}.")
    if common:
        lines.append(f"Each group: {' '.join(common)}")
    if len(changes) > _PRINTED:
        changes = [f"{len(changes) - 1:,} mean changes: changes.csv has them.", changes[-1]]
    lines += changes
    if changes and options.borrow != "none":
        lines.append("Changes rest on the labels of each group alone: nothing is borrowed for them.")
    lines += [
        f"{pair.first} and {pair.second} differ on {pair.differ:,} of {counted(pair.items, 'item')}: they agree on "
        f"{100 * pair.agreed:.1f} % of the corpus, kappa {pair.kappa:.2f}. Independent errors on "
        f"{100 * pair.error:.1f} % of the items would explain it." + _unchecked(estimates[0], pair)
        for pair in agreed
    ]
    if disputed:
        lines.append(in_dispute(disputed, "The interval holds both answers", options.settled))
    return lines


def _unchecked(estimate: Estimate, pair: Agreement) -> str:
    """Return what errors as frequent as two annotators' make of labels that one of them gave alone."""
    if pair.items >= estimate.read:
        return ""
    most = pair.error * (1 - estimate.share[0]) * estimate.items
    return f" In labels of one annotator alone they make up to {most:,.0f} false positives, which no interval holds."


def _sentence(estimate: Estimate, level: float, common: Sequence[str], *, model: bool) -> str:
    share = " to ".join(f"{100 * part:.2f} %" for part in estimate.share[1:])
    name = f"{estimate.group}: " if estimate.group else ""
    alone = f", and the model alone reports {estimate.predicted:,.0f}" if model else ""
    return " ".join(
        [
            f"{name}{estimate.total:,.0f} of {counted(estimate.items, 'item')} are positive ({100 * level:g} % "
            f"interval {estimate.low:,.0f} to {estimate.high:,.0f}, {share}); {estimate.read:,} were read{alone}.",
            *(each for each in estimate.notes if each not in common),
        ]
    )


def _write(
    options: argparse.Namespace, items: Items, estimates: Sequence[Estimate], changes: Sequence[Change],
    agreed: Sequence[Agreement], found: Annotations, texts: tuple[str, str], *, model: bool,
) -> None:  # fmt: skip
    # Matplotlib takes half a second to import.
    from nlpcalib.estimation.changes import change_sentences
    from nlpcalib.figures.intervals import draw_intervals, draw_periods
    from nlpcalib.figures.style import house_style, save_figure
    from nlpcalib.io.files import write_csv, write_json
    from nlpcalib.io.sets import atomic_set

    rows = [_row(estimate) for estimate in estimates]
    settings = {"method": options.method, "borrow": options.borrow, "level": options.level}
    with atomic_set(options.out, "estimates.json", input_paths(options)) as folder:
        write_csv(folder / "estimates.csv", rows)
        write_json(folder / "estimates.json", {**settings, "table": options.tables[-1][1], "estimates": rows})
        with house_style():
            draw = draw_intervals
            if len(rows) > 1 and all(period_of(str(row["group"])) for row in rows[1:]):
                draw = partial(draw_periods, title=" ".join(change_sentences(changes[:1], options.level)))
            save_figure(folder / "intervals", *draw(rows, options.level, model=model))
        if changes:
            write_csv(folder / "changes.csv", [_change_row(each) for each in changes])
        for name, text in zip(("methods.md", "references.bib"), texts, strict=True):
            (folder / name).write_text(text, encoding="utf-8")
        if agreed:
            write_csv(folder / "agreement.csv", [{**asdict(pair), "error": pair.error} for pair in agreed])
            write_csv(folder / _SHEET, _disagreements(items, found, options.yes))


def _disagreements(items: Items, found: Annotations, yes: str | None) -> list[dict[str, str]]:
    from nlpcalib.sampling.exports import CANNOT_TELL
    from nlpcalib.sampling.settling import disagreement_rows

    row_of = {item: row for row, item in enumerate(items.ids)}
    names = {1: yes or "yes", 0: "no", None: CANNOT_TELL}
    texts = items.texts
    return disagreement_rows(found.annotators, found.settled, lambda item: texts[row_of[item]], names.__getitem__)


def _row(estimate: Estimate) -> Mapping[str, object]:
    # Half labels are those that the annotator left open.
    positive = int(estimate.positive) if estimate.positive.is_integer() else estimate.positive
    return asdict(estimate) | {"positive": positive, "notes": " ".join(estimate.notes)}


def _change_row(change: Change) -> Mapping[str, object]:
    return {
        name: None if isinstance(value, float) and isnan(value) else value for name, value in asdict(change).items()
    }
