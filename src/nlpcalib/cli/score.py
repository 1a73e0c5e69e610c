"""`nlpcalib score`: score coreference against a key."""

from __future__ import annotations

import json
from pathlib import Path

from nlpcalib.cli.parameters import Json


def score(key: Path, response: Path, /, *, no_singletons: bool = False, as_json: Json = False) -> None:
    """Score coreference and its probabilities against a key.

    Prints recall, precision and F1 of mentions, pairs, MUC, B³, CEAF, BLANC and LEA, and the CoNLL F1, as the reference
    scorer of the CoNLL shared tasks computes them. For JSON lines of nlpcalib coref --at-least 0, also measures the
    probabilities of its links: their calibration error, expected and true number, share wrong at each threshold, and
    the temperature that corrects them.

    Example: nlpcalib score key.conll response.conll

    Parameters
    ----------
    key
        Annotated documents, in CoNLL-2012 or CoNLL-U.
    response
        The same documents with a system's entities, in CoNLL-2012, CoNLL-U or JSON lines of nlpcalib coref.
    no_singletons
        Leave entities of one mention out of both files.
    """
    from nlpcalib.systems.coref.score_entities import score_entities

    report = score_entities(key, response, singletons=not no_singletons)
    print(json.dumps(report.record()) if as_json else report)
