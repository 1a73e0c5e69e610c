"""Verdicts of several tiers stand side by side, and a run of one keeps those of the others."""

import runpy
from pathlib import Path

from nlpcalib.io.files import read_csv, write_csv
from reproduction.claims.verdicts import side_by_side

ROOT = Path(__file__).parents[2]
main = runpy.run_path(str(ROOT / "scripts/check/compare_tiers.py"))["main"]


def claim(dataset, text, verdict):
    return {"dataset": dataset, "place": "4.1", "claim": text, "measured": ".1", "verdict": verdict}


EMBEDDED = [
    claim("newsroom", "one", "reproduced"),
    claim("timeline", "one", "differs"),
    claim("newsroom", "two", "undecided"),
]
OPEN = [claim("ewt", "one", "differs"), claim("ewt", "three", "reproduced")]


def test_each_claim_is_one_row_with_the_datasets_of_each_tier():
    rows = side_by_side({"embedded": EMBEDDED, "open": OPEN})
    assert [(row["claim"], row["embedded"], row["open"]) for row in rows] == [
        ("one", "newsroom: reproduced; timeline: differs", "ewt: differs"),
        ("two", "newsroom: undecided", ""),
        ("three", "", "ewt: reproduced"),
    ]


def test_a_second_tier_joins_the_first_in_the_order_of_the_readme(tmp_path):
    kept = {name: tmp_path / "claims" / f"{name}.csv" for name in ("open", "embedded")}
    kept["open"].parent.mkdir()
    for name, claims in (("open", OPEN), ("embedded", EMBEDDED)):
        write_csv(tmp_path / "check.csv", claims)
        others = [str(path) for other, path in kept.items() if other != name and path.exists()]
        main(str(tmp_path / "check.csv"), others, str(kept[name]), str(tmp_path / "tiers.csv"), name)
    assert list(read_csv(tmp_path / "tiers.csv")[0]) == ["place", "claim", "embedded", "open"]
    assert read_csv(kept["open"]) == OPEN
    assert "newsroom: reproduced; timeline: differs" in (tmp_path / "tiers.html").read_text(encoding="utf-8")
