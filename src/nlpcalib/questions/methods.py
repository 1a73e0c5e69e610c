"""The methods paragraph of an estimate, for a paper or an appendix, and its references."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nlpcalib.errors import counted
from nlpcalib.tables.periods import period_column
from nlpcalib.version import __version__

if TYPE_CHECKING:
    from nlpcalib.estimation.estimates import Estimate
    from nlpcalib.sampling.agreement import Agreement
    from nlpcalib.sampling.plan import Plan
    from nlpcalib.sampling.samples import Sample

_FEATURES = {
    "words of the texts": "the texts' latent semantic dimensions [@deerwester1990]",
    "vectors of the texts": "the texts' vectors",
    "further columns": "further columns of the table",
    "verdicts on other systems": "the judge's verdicts on other systems",
}
"""What improves predictions, by its name in reports, as a paper calls it."""
METHODS_FOLDER = Path(__file__).with_suffix("")
"""The folder of sentences and references."""


def methods_paragraph(
    plan: Plan | None, sample: Sample, estimates: Sequence[Estimate], agreed: Sequence[Agreement],
    annotators: Sequence[int], *, decided: int, level: float, by: Sequence[str],
    features: str, changes: Sequence[str], wrong: str, predicted: bool = True,
    match: str = "",
) -> tuple[str, str]:  # fmt: skip
    """Return what was done, in Markdown with citations, and the references in BibTeX.

    Without a `plan`, items were drawn one by one, with the weights of the sample.

    `annotators` has the number of annotators of each item that was read. Of `decided` items another reading, or a
    majority, settled the label. `features` are what improved the predictions, a key of `_FEATURES`, or nothing.
    Unless items are `predicted`, labels alone are used. `changes` are
    sentences about changes between groups, and `wrong` is one about wrong labels.
    """
    wording, whole = tomllib.loads((METHODS_FOLDER / "sentences.toml").read_text("utf-8")), estimates[0]
    method = "score" if predicted or features else "labels"
    adapted = "The labels adapted these" if predicted else "Predictions were learnt from the labels"
    improved = f" {adapted} by logistic regression on {_FEATURES[features]}, cross-fitted." if features else ""
    source = (
        f"the number of different matches of `{match}` in a text: none, one, or more"
        if match
        else "the probabilities of a model"
    )
    read, left = len(sample.rows), int(np.isnan(sample.y).sum())
    fewest, most = min(annotators), max(annotators)
    each = (
        "one annotator" if most == 1 else f"{most} annotators" if fewest == most else f"{fewest} to {most} annotators"
    )
    drawn, strata = "items", "similar predictions"
    if sample.unit is not None:
        drawn, strata = "units", "units whose counts are about equally uncertain by the predictions"
    if plan is None:
        design, planned = "random" if len(sample.weights) == 1 else "given", ""
    else:
        design, planned = plan.design, f" of {plan.budget:,} planned {drawn}"
    groups = " and ".join(period[0] if (period := period_column(name)) else name for name in by)
    divided = " among the texts with a match" if design == "words" else ""
    by_seed = "" if plan is None else f" (seed {plan.seed})"
    blind = "" if plan is None else ", without seeing predictions"
    sentences = [
        f"We estimated how many of {counted(whole.items, 'item')} are positive."
        f"{f' First predictions were {source}.' * predicted}{improved}",
        f"The {drawn} to annotate were drawn at random{by_seed} "
        f"{wording['designs'][design].format(strata=strata, drawn=drawn)}.",
        f"{counted(read, 'item')}{planned} were labelled{blind}, "
        f"each by {each}: {np.nansum(sample.y):,.0f} are positive"
        f"{f', {left:,} are open and count both ways' if left else ''}.",
    ]
    sentences += [
        f"{pair.first} and {pair.second} labelled {counted(pair.items, 'item')} both; they agree on "
        f"{100 * pair.agreed:.1f} % of {'the corpus' if pair.items == read else 'them'}, {_kappa(pair.kappa)}."
        for pair in agreed
    ]
    by_others = f"Where annotators differ, a majority or another reading decided ({counted(decided, 'item')})."
    sentences += [
        *([by_others] if decided else []),
        f"The total is {whole.total:,.0f} ({100 * level:g} % interval {whole.low:,.0f} to {whole.high:,.0f}), "
        f"by {wording['methods'][method]}.",
        wrong,
        *([f"Items are grouped by {groups}{divided}. {wording['groups']}"] if by else []),
        *([*changes, wording["changes"]] if changes else []),
        f"Computed with nlpcalib {__version__} [@nlpcalib; @nguyen2015].",
    ]
    return with_references(sentences)


def with_references(sentences: Sequence[str]) -> tuple[str, str]:
    """Return sentences with citations as a paragraph, and the references that they cite in BibTeX."""
    text = " ".join(sentences) + "\n"
    references = (METHODS_FOLDER / "references.bib").read_text("utf-8").replace("VERSION", __version__)
    cited = [entry for entry in references.splitlines() if f"@{entry.partition('{')[2].partition(',')[0]}" in text]
    return text, "\n\n".join(cited) + "\n"


def _kappa(kappa: float) -> str:
    if np.isnan(kappa):
        return "where all labels are alike, so kappa is not defined"
    return f"with a kappa of {kappa:.2f} [@cohen1960]"
