"""The methods paragraph of an estimate, for a paper or an appendix, and its references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

import nlpcalib
from nlpcalib.errors import counted

if TYPE_CHECKING:
    from nlpcalib.estimation.estimates import Estimate
    from nlpcalib.sampling.agreement import Agreement
    from nlpcalib.sampling.plan import Plan
    from nlpcalib.sampling.samples import Sample

_DESIGNS = {
    "two-phase": "in two phases, within strata of {strata}; labels of the first phase decided how many {drawn} of each "
    "stratum the second has",
    "stratified": "within strata of {strata}",
    "random": "with equal probabilities",
}
_METHODS = {
    "score": ("a score interval: labels, weighted by inverse inclusion probabilities, correct a working model of the "
              "predictions [@sarndal1992]", ("sarndal1992",)),
    "classical": ("the expansion estimator, which uses labels alone [@horvitz1952]", ("horvitz1952",)),
    "ppi++": ("PPI++, which weights predictions by their fit to the labels [@angelopoulos2023]", ("angelopoulos2023",)),
    "active": ("the difference estimator, predictions plus weighted errors [@zrnic2024]", ("zrnic2024",)),
}  # fmt: skip
_BORROWING = {
    "none": "Each group rests on its own labels.",
    "changing-rates": "Groups share rates of error, which may change over time.",
    "same-rates": "Groups share all rates of error.",
}
_CHANGES = (
    "Changes are contrasts of the groups' totals; a mean change is the slope of the least-squares line through the "
    "labels of all items. Their intervals come from the labels of each group alone, with their joint covariance under "
    "the design."
)
_REFERENCES = {
    "nlpcalib": "@software{nlpcalib, title = {nlpcalib}, author = {{The nlpcalib authors}}, version = {%s}}",
    "nguyen2015": "@inproceedings{nguyen2015, author = {Nguyen, Khanh and O'Connor, Brendan}, title = {Posterior "
    "calibration and exploratory analysis for natural language processing models}, booktitle = {Proceedings of EMNLP}, "
    "year = {2015}, url = {https://aclanthology.org/D15-1182/}}",
    "sarndal1992": '@book{sarndal1992, author = {S{\\"a}rndal, Carl-Erik and Swensson, Bengt and Wretman, Jan}, '
    "title = {Model Assisted Survey Sampling}, publisher = {Springer}, year = {1992}}",
    "horvitz1952": "@article{horvitz1952, author = {Horvitz, Daniel G. and Thompson, Donovan J.}, title = {A "
    "generalization of sampling without replacement from a finite universe}, journal = {Journal of the American "
    "Statistical Association}, volume = {47}, number = {260}, pages = {663--685}, year = {1952}}",
    "angelopoulos2023": "@misc{angelopoulos2023, author = {Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, "
    "Tijana}, title = {{PPI++}: Efficient Prediction-Powered Inference}, year = {2023}, eprint = {2311.01453}, "
    "archiveprefix = {arXiv}}",
    "zrnic2024": "@inproceedings{zrnic2024, author = {Zrnic, Tijana and Cand{\\`e}s, Emmanuel J.}, title = {Active "
    "Statistical Inference}, booktitle = {Proceedings of ICML}, year = {2024}}",
    "deerwester1990": "@article{deerwester1990, author = {Deerwester, Scott and Dumais, Susan T. and Furnas, George W. "
    "and Landauer, Thomas K. and Harshman, Richard}, title = {Indexing by latent semantic analysis}, journal = "
    "{Journal of the American Society for Information Science}, volume = {41}, number = {6}, pages = {391--407}, "
    "year = {1990}}",
    "cohen1960": "@article{cohen1960, author = {Cohen, Jacob}, title = {A coefficient of agreement for nominal "
    "scales}, journal = {Educational and Psychological Measurement}, volume = {20}, number = {1}, pages = {37--46}, "
    "year = {1960}}",
}


def methods_paragraph(
    plan: Plan, sample: Sample, estimates: Sequence[Estimate], agreed: Sequence[Agreement],
    annotators: Sequence[int], *, decided: int, method: str, level: float, by: Sequence[str], borrow: str, words: bool,
    changes: Sequence[str],
) -> tuple[str, str]:  # fmt: skip
    """Return what was done, in Markdown with citations, and the references in BibTeX.

    `annotators` has the number of annotators of each item that was read. Of `decided` items another reading, or a
    majority, settled the label. `changes` are sentences about changes between groups.
    """
    whole = estimates[0]
    improved = (
        " The labels improved these by logistic regression on the texts' latent semantic dimensions [@deerwester1990], "
        "cross-fitted."
    )
    source = (
        f"the number of different matches of `{plan.match}` in a text: none, one, or more"
        if plan.match
        else "the probabilities of a model"
    )
    how, cited = _METHODS[method]
    read, left = len(sample.rows), int(np.isnan(sample.y).sum())
    fewest, most = min(annotators), max(annotators)
    each = counted(most, "annotator") if fewest == most else f"{fewest} to {most} annotators"
    drawn, strata = "items", "similar predictions"
    if sample.unit is not None:
        drawn, strata = "units", "units whose counts are about equally uncertain by the predictions"
    sentences = [
        f"We estimated how many of {counted(whole.items, 'item')} are positive. First predictions were {source}."
        f"{improved * words}",
        f"The {drawn} to annotate were drawn at random (seed {plan.seed}) "
        f"{_DESIGNS[plan.design].format(strata=strata, drawn=drawn)}.",
        f"{counted(read, 'item')} of {plan.budget:,} planned {drawn} were labelled, without seeing predictions, "
        f"each by {each}: {np.nansum(sample.y):,.0f} are positive"
        f"{f', {left:,} are open and count both ways' if left else ''}.",
    ]
    sentences += [
        f"{pair.first} and {pair.second} labelled {counted(pair.items, 'item')} both; they agree on "
        f"{100 * pair.agreed:.1f} % of the corpus, with a kappa of {pair.kappa:.2f} [@cohen1960]."
        for pair in agreed
    ]
    if decided:
        sentences.append(
            f"Where annotators differ, a majority or another reading decided ({counted(decided, 'item')})."
        )
    sentences += [
        f"The total is {whole.total:,.0f} ({100 * level:g} % interval {whole.low:,.0f} to {whole.high:,.0f}), "
        f"by {how}.",
        *([f"Groups are those of {' and '.join(by)}. {_BORROWING[borrow]}"] if by else []),
        *([*changes, _CHANGES] if changes else []),
        f"Computed with nlpcalib {nlpcalib.__version__} [@nlpcalib; @nguyen2015].",
    ]
    keys = [
        "nlpcalib",
        "nguyen2015",
        *cited,
        *(["deerwester1990"] if words else []),
        *(["cohen1960"] if agreed else []),
    ]
    entries = [_REFERENCES[key].replace("%s", nlpcalib.__version__) for key in keys]
    return " ".join(sentences) + "\n", "\n\n".join(entries) + "\n"
