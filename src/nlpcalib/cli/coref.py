"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from nlpcalib.cli.parameters import AllFiles, Positive, Probability, Seed, whole
from nlpcalib.cli.paths import check_paths


def coref(
    files: AllFiles | None = None,
    /,
    *,
    scores: Path | None = None,
    mentions: Literal["predicted", "gold"] = "predicted",
    model: Path | None = None,
    format: Literal["json", "conllu", "resolved"] = "json",
    out: Path | None = None,
    html: Path | None = None,
    at_least: Probability | None = None,
    threshold: Probability | None = None,
    temperature: Positive = 1.0,
    samples: Annotated[int, whole(0)] = 10,
    seed: Seed = 0,
) -> None:
    """Find the entities in documents, with probabilities.

    Writes antecedents, pairs, entities and samples of entities with their probabilities, for each document. On ordinary
    text, 40 % (32 to 47) of the joined pairs of people are wrong.

    Example: nlpcalib coref story.txt --html story.html

    Parameters
    ----------
    files
        Plain text, JSON lines with texts, CoNLL-U or CoNLL-2012, in UTF-8, or a folder of such files; - reads standard
        input.
    scores
        Instead of FILES: JSON lines with another model's text, spans and antecedent scores.
    mentions
        predicted (default), or gold: those in FILES.
    model
        Another coreference model.
    format
        JSON lines (default); CoNLL-U with Entity=; JSON lines of the text with pronouns replaced by names.
    out
        File for the result (default: standard output).
    html
        Page that shows entities and probabilities in the text.
    at_least
        Least probability to list (default 0.01, and 0.2 in windows; 0: all).
    threshold
        Merge entities if the mean probability of their pairs is at least this (default: the model's).
    temperature
        Temperature of antecedents: above 1 flattens their probabilities, below 1 sharpens them (default 1).
    samples
        Number of sampled clusterings (default 10).
    seed
        Seed of the samples (default 0).
    """
    written = [path for path in (out, html) if path is not None]
    check_paths([], [*(files or []), *(Path(each) for each in (scores, model) if each)], outputs=written)
    from nlpcalib.systems.coref.find_entities import wrong_joins_line
    from nlpcalib.systems.coref.resolve_files import resolve_files, summary_line

    found = resolve_files(
        files or [], scores=scores, mentions=mentions, model=model, format=format, out=out, html=html,
        at_least=at_least, threshold=threshold, temperature=temperature, samples=samples, seed=seed,
    )  # fmt: skip
    if written:
        print(f"{summary_line(found)}; files: {', '.join(map(str, written))}")
        if scores is None and model is None:
            print(wrong_joins_line())
