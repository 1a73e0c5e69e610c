"""`nlpcalib score`: score coreference against a key."""

from __future__ import annotations

import argparse
import json

from nlpcalib.errors import counted

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


def run(options: argparse.Namespace) -> None:
    """Print the scores."""
    from nlpcalib.coref.score.score_files import score_files

    found = score_files(options.key, options.response, singletons=options.singletons)
    scores = {name: getattr(found.results, key) for name, key in METRICS.items()}
    if options.json:
        named = {METRICS[name]: {part: getattr(score, part) for part in _PARTS} for name, score in scores.items()}
        content = {"documents": found.documents, "singletons": options.singletons, **named}
        print(json.dumps(content | {"conll_f1": found.results.conll_f1}))
        return
    print(f"{options.response}: {counted(found.documents, 'document')} against {options.key}")
    print(f"{'':10}" + "".join(f"{part:>11}" for part in ("recall", "precision", "F1")))
    for name, score in scores.items():
        print(f"{name:10}" + "".join(f"{100 * getattr(score, part):11.2f}" for part in _PARTS))
    print(f"{'CoNLL F1':10}{100 * found.results.conll_f1:33.2f}  (mean F1 of MUC, B³ and CEAFe)")


_PARTS = ("recall", "precision", "f1")
