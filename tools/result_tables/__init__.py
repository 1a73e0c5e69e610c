"""Tables of the results pages: which files of a run hold their numbers, and how these are shown.

`TABLES` has an entry for each table. Its function takes the rows of each file. It returns the rows of the table
as they are shown, the header first.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tools.result_tables import models, studies
from tools.result_tables.cells import TITLES, Row, Shown, part

from nlpcalib.io.files import read_json
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.text.parsing.model import PACKAGED_PARSER


@dataclass(frozen=True)
class Table:
    """A table of a page."""

    files: tuple[str | Path, ...]
    """Files of a run, below its folder, or of the package; a run that lacks one leaves the table as it is."""
    rows: Callable[..., Shown]
    replicates: int = 0
    """A run with fewer replicates leaves the table as it is too."""
    page: Callable[[Shown], Shown] = list
    """The part of the table that a page shows, next to a link to all of it."""

    def read(self, results: Path) -> Shown | None:
        """Return the rows that the files of a run give, or None if the run lacks one of them."""
        paths = [results / name for name in self.files]
        if not all(path.is_file() for path in paths):
            return None
        tables = [_read(path) for path in paths]
        replicates = (int(row["replicates"]) for rows in tables for row in rows if "replicates" in row)
        return self.rows(*tables) if min(replicates, default=0) >= self.replicates else None


def _read(path: Path) -> list[Row]:
    if path.suffix == ".parquet":
        return [models.over_all_tags(path)]
    if path.suffix in (".npz", ".zip"):
        return [{"parameters": str(models.parameters(path))}]
    if path.suffix == ".json":
        found = read_json(path)
        return found.get("scores", [found])
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _tables(dataset: str, *names: str) -> tuple[str, ...]:
    return tuple(f"tables/{dataset}/{name}.csv" for name in names)


_ABLATION = ("ewt", "oct27", "daily547")
_VARIANTS = ("HMM, ML", "HMM, MAP", "CRF-Basic", "+ suffixes", "CRF-Advanced, AdaGrad")
_PHRASES = ("ewt", "ontogum")
_TAGGED = ("ewt", "ontogum", "wsj_sample_fixed")
_SECOND_MODELS = ("below .01 divided by 30", "clipped to .001 to .999", "temperature 0.7", "temperature 1.5")
_REGIMES = ("perfect (", "overconfident, skewed", "perfect, unequal units")
_TAGGER_ROWS = ("accuracy", "calibration error", "… bias", "share", "significantly", "mean error of 100")
_TRAINED = ("parsing/newsroom/parser.zip", "coref/newsroom/likelihood/model.npz")
_TRAINING = ("train_parser/newsroom", "train_coref/newsroom_likelihood")
_COREF = ("ontogum", "ontogum_parsed", "litbank")
TABLES = {
    **{
        f"recalibration_{name}": Table(
            _tables(name, "recalibration"),
            partial(models.tagger_recalibration, name),
            page=part(lambda row: not row[0].startswith("…") or "(chosen)" in row[0] or "beta" in row[0], ("rows",)),
        )
        for name in ("newsroom", "ewt", "ontogum")
    },
    **{
        f"variants_{name}": Table(
            _tables(name, "recalibration_ablation"),
            partial(models.variant_recalibration, TITLES[name]),
        )
        for name in ("newsroom", "ewt", "ontogum")
    },
    **{
        f"tag_counts_{name}": Table(
            _tables(name, "tag_counts"),
            partial(models.counts, "tag", "tag", ("hmm", "crf"), TITLES[name]),
            page=part(lambda row: row[1] == "NNP", ("tag",)),
        )
        for name in ("newsroom", "ewt")
    },
    "phrases": Table(
        (*_tables("ewt", "phrases"), *_tables("ontogum", "phrases")),
        partial(models.phrases, _PHRASES),
        page=part(lambda row: row[0] in ("EWT, HMM", "EWT, all templates", "OntoGUM, all templates")),
    ),
    "phrase_counts": Table(
        (*_tables("ewt", "phrase_counts"), *_tables("ontogum", "phrase_counts")),
        partial(models.phrase_counts, _PHRASES),
    ),
    "entities_newsroom": Table(
        _tables("newsroom", "entity_counts"), partial(models.counts, "counted", "counted", ("likelihood",), "newsroom")
    ),
    "entities_ontogum": Table(
        _tables("ontogum", "entity_counts"),
        partial(models.counts, "counted", "counted", ("cross_validation",), "OntoGUM"),
    ),
    "coref_recalibration_newsroom": Table(
        _tables("newsroom", "coref_recalibration"), partial(models.coref_recalibration, "newsroom")
    ),
    "coref_recalibration_folds": Table(
        ("coref/ontogum/cross_validation/recalibrated/errors.csv",),
        partial(models.coref_recalibration, "OntoGUM, four folds"),
    ),
    "coref_genres": Table(
        (*_tables("ontogum", "coref_genres"), *_tables("litbank", "coref_genres")),
        models.coref_genres,
        page=part(lambda row: len(row[1]) > len("9,900")),
    ),
    "parser_accuracy": Table((PACKAGED_PARSER.with_name("card.json"),), models.parser_accuracy),
    "trained": Table(
        (*_TRAINED, *(f"logs/{name}.json" for name in _TRAINING), PACKAGED_PARSER, PACKAGED_MODEL),
        models.trained,
    ),
    "event_coverage": Table(_tables("events", "coverage"), studies.event_coverage),
    "event_recalibration": Table(
        tuple(f"events/{name}/attack/recalibration.csv" for name in ("newswire", "newswire_parsed")),
        partial(studies.event_recalibration, ("newswire", "newswire, parsed")),
    ),
    "estimates_muc3_draw": Table(
        _tables("muc3", "event_estimates"),
        partial(studies.event_estimates, "incident"),
        page=part(lambda row: row[0] in ("any", "SLV", "COL", "PER")),
    ),
    "estimates_newswire": Table(
        _tables("newswire_parsed", "event_estimates_coverage"),
        studies.estimates_coverage,
        500,
        part(lambda row: row[0] == "any", ("country",)),
    ),
    "estimates_muc3": Table(_tables("muc3", "event_estimates_coverage"), studies.estimates_coverage, 500),
    **{
        f"sentiment_{name}": Table(_tables(name, "sentiment"), partial(models.sentiment, TITLES[name]))
        for name in ("timeline", "ubuntu")
    },
    "ablation_newsroom": Table(_tables("newsroom", "ablation"), partial(models.ablation, ("newsroom",))),
    "ablation_open": Table(
        tuple(path for name in _ABLATION for path in _tables(name, "ablation")),
        partial(models.ablation, _ABLATION),
        page=part(lambda row: row[0] in _VARIANTS),
    ),
    "coref_open": Table(
        tuple(path for name in _COREF for path in _tables(name, "coref_models")),
        partial(models.coref, ("OntoGUM", "OntoGUM, trees by the parser", "LitBank, trees by the parser")),
        page=part(lambda row: "gold mentions" not in row[0], ("documents, pairs",)),
    ),
    "synthetic": Table(("simulation/beta_0.5_0.5/scores.csv",), studies.synthetic),
    "regimes": Table(
        _tables("simulation", "regimes"),
        studies.regimes,
        10,
        part(lambda row: row[1] not in ("ppi++", "active"), ("median", "width / 3.92 · RMSE", "weakest where")),
    ),
    "intervals": Table(
        _tables("simulation", "intervals"),
        studies.intervals,
        50,
        part(lambda row: row[1] != "5,000" and row[0].startswith(_REGIMES)),
    ),
    "series_changes": Table(("simulation/regimes/series.csv",), studies.series_changes, 10),
    "estimation_labels": Table(
        _tables("simulation", "wrong_labels"),
        studies.estimation_labels,
        400,
        part(lambda row: row[1] == "5 %, both ways" or row[1] == "10 %, misses"),
    ),
    "comparisons": Table(
        _tables("simulation", "comparisons"),
        studies.comparisons,
        100,
        part(lambda row: row[0] in _SECOND_MODELS and row[1] == "independent", ("rows are",)),
    ),
    "real_tasks": Table(_tables("real_tasks", "real_tasks"), studies.real_tasks, 400),
    "leads": Table(_tables("newswire_leads", "leads_summary"), studies.leads_summary),
    "figure_3": Table(_tables("newsroom", "taggers"), models.figure_3),
    "frequent_tags": Table(
        ("tagging/newsroom/hmm/tags/by_class.csv", "tagging/newsroom/crf/tags/by_class.csv"), models.frequent_tags
    ),
    "coref_kinds": Table(_tables("ontogum_parsed", "coref_kinds"), models.coref_kinds),
    "taggers_open": Table(
        tuple(path for name in _TAGGED for path in _tables(name, "taggers", "comparison")),
        partial(models.taggers, _TAGGED),
        page=part(
            lambda row: row[0].startswith(_TAGGER_ROWS), [f"{models.README_TEXT}: {name}" for name in ("HMM", "CRF")]
        ),
    ),
    "neural_tagger": Table(
        ("figures/ewt/figure_4.csv", *(f"tagging/ewt/{model}/tags/pairs.parquet" for model in models.FOUR_TAGGERS)),
        models.neural_tagger,
    ),
}
