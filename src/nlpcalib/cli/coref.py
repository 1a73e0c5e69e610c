"""`nlpcalib coref`: find the entities of documents, with probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, Token

from nlpcalib.cli.parameters import AllFiles, Positive, Probability, Seed, whole
from nlpcalib.cli.paths import check_paths


def _window(_type: type, tokens: Sequence[Token]) -> int:
    """Return the mentions of a window, 0 for no windows."""
    from nlpcalib.systems.coref.model.long_documents import MIN_WINDOW_MENTIONS

    text = tokens[0].value
    if text != "0" and not (text.isdecimal() and int(text) >= MIN_WINDOW_MENTIONS):
        raise ValueError(f"found '{text}', expected a whole number of at least {MIN_WINDOW_MENTIONS}")
    return int(text)


def coref(
    files: AllFiles | None = None,
    /,
    *,
    scores: Path | None = None,
    source: Annotated[Literal["text", "jsonl", "conllu", "conll"] | None, Parameter(name="--from")] = None,
    separate: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    mentions: Literal["predicted", "gold"] = "predicted",
    model: Path | None = None,
    parser: str | None = None,
    format: Literal["json", "conllu", "resolved"] = "json",
    certain: Probability | None = None,
    out: Path | None = None,
    html: Path | None = None,
    at_least: Probability | None = None,
    threshold: Probability | None = None,
    window: Annotated[int, Parameter(converter=_window)] = 1000,
    temperature: Positive | None = None,
    samples: Annotated[int, whole(0)] = 10,
    seed: Seed = 0,
    jobs: Annotated[int, whole(1)] = 1,
) -> None:
    """Find the entities in documents, with probabilities.

    Resolves coreference in plain text, JSON lines, CoNLL-U or CoNLL-2012: antecedents, pairs, entities and sampled
    entities with their probabilities, document by document. On unseen ordinary text, 40 % of the joined pairs of people
    are wrong.

    Example: nlpcalib coref story.txt --html story.html

    Parameters
    ----------
    files
        Plain text, JSON lines with texts, CoNLL-U or CoNLL-2012, in UTF-8, or a folder of such files; - reads standard
        input.
    scores
        Instead of FILES: JSON lines with another model's text, spans and antecedent scores.
    source
        Format of all FILES (default: recognised).
    separate
        Split plain texts into documents at N or more blank lines, or at a line such as ***.
    mentions
        predicted (default), or gold: those in FILES.
    model
        Another coreference model.
    parser
        Another spaCy model, for documents without trees.
    format
        JSON lines (default); CoNLL-U with Entity=; JSON lines of the text with pronouns replaced by names.
    certain
        Least membership of pronouns that are replaced in resolved text, and probability that the name is theirs
        (default 0.9).
    out
        File for the result (default: standard output).
    html
        Page that shows entities and probabilities in the text.
    at_least
        Least probability to list (default 0.01, and 0.2 in windows; 0: all).
    threshold
        Merge entities if the mean probability of their pairs is at least this (default: the model's).
    window
        Resolve longer documents in windows of this many mentions (default 1000, at least 100; 0: whole).
    temperature
        Temperature of antecedents: above 1 flattens their probabilities, below 1 sharpens them (default: the model's).
    samples
        Number of sampled clusterings (default 10).
    seed
        Seed of the samples (default 0).
    jobs
        Number of processes; results do not depend on it (default 1).
    """
    written = [path for path in (out, html) if path is not None]
    check_paths([], [*(files or []), *(Path(each) for each in (scores, model, parser) if each)], outputs=written)
    from nlpcalib.systems.coref.answer.wrong_joins import wrong_joins_line
    from nlpcalib.systems.coref.resolve_files import resolve_files, summary_line

    found = resolve_files(
        files or [], scores=scores, source=source, separate=separate, mentions=mentions, model=model, parser=parser,
        format=format, certain=certain, out=out, html=html, at_least=at_least, threshold=threshold,
        window=window or None, temperature=temperature, samples=samples, seed=seed, jobs=jobs,
    )  # fmt: skip
    if written:
        print(f"{summary_line(found)}; files: {', '.join(map(str, written))}")
        if scores is None and model is None:
            print(wrong_joins_line())
