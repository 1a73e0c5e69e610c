"""`nlpcalib.score_entities`: how good is coreference, against a key?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from nlpcalib.errors import counted
from nlpcalib.questions.answer import InWords
from nlpcalib.systems.coref.score.links import TEMPERATURES, LinkEstimate
from nlpcalib.systems.coref.score.score_files import FileScores, score_files

METRICS = {
    "mentions": "mentions",
    "MUC": "muc",
    "B³": "b_cubed",
    "CEAFm": "ceaf_m",
    "CEAFe": "ceaf_e",
    "pairs": "pairwise",
    "BLANC": "blanc",
    "LEA": "lea",
}
"""What is scored, and its name in `CorefResults`."""
_PARTS = ("recall", "precision", "f1")


@dataclass(frozen=True, repr=False)
class ScoreReport(InWords):
    """The scores of a response, as the reference scorer of the CoNLL shared tasks computes them."""

    key: Path
    response: Path
    scores: FileScores
    singletons: bool

    def record(self) -> dict[str, object]:
        """Return the scores as shares of 1, by metric."""
        results = self.scores.results
        named = {name: {part: getattr(getattr(results, name), part) for part in _PARTS} for name in METRICS.values()}
        found = {"documents": self.scores.documents, "singletons": self.singletons, **named}
        found |= {"conll_f1": results.conll_f1}
        return found if self.scores.links is None else {**found, "links": asdict(self.scores.links)}

    def lines(self) -> list[str]:
        """Return a table in words, in percent."""
        results = self.scores.results
        return [
            f"{self.response}: {counted(self.scores.documents, 'document')} against {self.key}",
            f"{'':10}" + "".join(f"{part:>11}" for part in ("recall", "precision", "F1")),
            *(
                f"{name:10}" + "".join(f"{100 * getattr(getattr(results, key), part):11.2f}" for part in _PARTS)
                for name, key in METRICS.items()
            ),
            f"{'CoNLL F1':10}{100 * results.conll_f1:33.2f}  (mean F1 of MUC, B³ and CEAFe)",
            *self._link_lines(),
        ]

    def _link_lines(self) -> list[str]:
        """Return how right the probabilities of links are, in words; nothing for a response without probabilities."""
        links = self.scores.links
        if links is None:
            return []
        temperature, (least, *_, most) = links.temperature, TEMPERATURES.tolist()
        end = f", the end of those tried ({least:.2f} to {most:.2f})" * (temperature.value in (least, most))
        if temperature.low is None or temperature.high is None:
            advice = "an interval needs several documents"
        else:
            is_right = temperature.low <= 1 <= temperature.high
            repair = "the best lies outside of what was tried" if end else "recalibrate: nlpcalib coref --temperature"
            advice = "1 is in the interval" if is_right else repair
        return [
            f"probabilities of {counted(links.links, 'link')} (intervals of 95 % by documents):",
            f"  calibration error {_shown(links.error)}, bias-corrected",
            f"  expected {links.expected:.0f}, true {links.true:,}: ratio {_shown(links.ratio)}; the key has "
            f"{links.true_in_key:,}",
            *(
                f"  p ≥ {each.at_least}: {counted(each.links, 'link')}, wrong {_shown(each.wrong)}"
                for each in links.sure
            ),
            f"  best temperature {_shown(temperature)}{end}: {advice}",
        ]

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0]}; CoNLL F1 {100 * self.scores.results.conll_f1:.2f}>"


def score_entities(key: str | Path, response: str | Path, *, singletons: bool = True) -> ScoreReport:
    """Score a system's entities against a key, and its probabilities, document by document.

    Parameters
    ----------
    key, response : path
        CoNLL-2012 or CoNLL-U, of the same documents with the same numbers of words. The response may be the JSON lines
        of `nlpcalib coref` on the key, with all antecedents; then the report has `scores.links`.
    singletons : bool
        Whether entities of one mention count.

    Raises `InputError` as `nlpcalib.systems.coref.score.score_files` does.
    """
    found = score_files(Path(key), Path(response), singletons=singletons)
    return ScoreReport(Path(key), Path(response), found, singletons)


def _shown(estimate: LinkEstimate) -> str:
    if estimate.value is None:
        return "unknown"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"
