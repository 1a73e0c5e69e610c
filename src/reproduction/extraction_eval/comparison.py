"""Estimates from two samples of the same cost next to the truth, as tables that people read."""

from __future__ import annotations

from reproduction.extraction_eval.estimates import Evaluation

_COMPARED = ("truth_share", "truth_given_answer", "answer_given_truth", "expected_level")


def summary_table(
    stratified: Evaluation, random: Evaluation, truth: Evaluation, **annotators: Evaluation
) -> list[dict]:
    """Return a row for each measure of the whole: `truth`, and each sample's and annotator's estimate with its limits.

    `truth` is the machine's; annotators are estimated from the leads of the stratified sample (section 4.3).
    """
    rows = []
    shown = {"stratified": stratified, "random": random, **annotators}
    for true, *estimates in zip(truth.summary, *(each.summary for each in shown.values()), strict=True):
        row = {"measure": true["measure"], "truth": true["value"]}
        for name, estimate in zip(shown, estimates, strict=True):
            row |= {name: estimate["value"], f"{name}_low": estimate["low"], f"{name}_high": estimate["high"]}
        rows.append(row)
    return rows


def category_table(stratified: Evaluation, random: Evaluation, truth: Evaluation) -> list[dict]:
    """Return a row for each category of each measure: as `summary_table`, with how many leads have it in truth.

    `annotated_stratified` and `annotated_random` are how many of these each sample has.
    """
    rows = []
    for true, first, second in zip(truth.categories, stratified.categories, random.categories, strict=True):
        for measure in _COMPARED:
            row = {
                "measure": measure,
                "category": true["category"],
                "leads": true["annotated"],
                "annotated_stratified": first["annotated"],
                "annotated_random": second["annotated"],
                "truth": true[measure],
            }
            for name, estimate in (("stratified", first), ("random", second)):
                row |= {f"{name}{end}": estimate[f"{measure}{end}"] for end in ("", "_low", "_high")}
            rows.append(row)
    return sorted(rows, key=lambda row: _COMPARED.index(row["measure"]))
