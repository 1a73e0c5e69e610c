"""Verdicts: their tally, a line for each claim, and those that the README begins with."""

from tools.result_tables import verdicts
from tools.results_page import with_parts

from reproduction.claims.verdicts import AS_IN_THE_PAPER, DIFFERS, NOT_APPLICABLE, REPRODUCED, UNDECIDED


def judged(dataset, place, claim, verdict, **others):
    chapter = "events" if place.startswith("6") else "tagging"
    row = {
        "chapter": chapter,
        "dataset": dataset,
        "place": place,
        "claim": claim,
        "quote": f"“{claim}”",
        "measured": f"{claim} here",
    }
    return row | {"evidence": "interval", "verdict": verdict} | others


ROWS = [
    judged("ewt", "4.2.2, Figure 3", "a", REPRODUCED, low="0.25", high="-0.5"),
    judged("ewt", "4.2.2, Figure 4", "b", DIFFERS),
    judged("ewt", "4.2.2", "c", REPRODUCED),
    judged("ewt", "4.2.1", "d", NOT_APPLICABLE),
    judged("wsj_sample", "4.2.2, Figure 3", "a", DIFFERS),
    judged("wsj_sample", "4.2.2", "c", REPRODUCED),
    judged("wsj_sample", "4.2.1", "d", UNDECIDED, evidence="no interval decides: 2.4 times the text would, if …"),
    *(judged("muc3/attack", f"6.{number}", f"e{number}", REPRODUCED) for number in range(9)),
]


def test_the_tally_counts_each_corpus_and_all():
    header, *lines = verdicts.tally(ROWS)
    assert header == ["corpus", REPRODUCED, DIFFERS, UNDECIDED, NOT_APPLICABLE]
    assert lines == [
        ["EWT", "2", "1", "", "1"], ["WSJ", "1", "1", "1", ""], ["MUC-3, attack", "9", "", "", ""],
        ["all, each once", "12", "2", "1", "1"],
    ]  # fmt: skip


def test_a_verdict_of_another_name_is_counted_too():
    header, line, _ = verdicts.tally([judged("ewt", "4", "a", "draws wanting")])
    assert dict(zip(header, line, strict=True))["draws wanting"] == "1"


def test_a_claim_is_one_line_with_its_verdicts_and_with_numbers_only_where_it_differs():
    evidence = "no interval decides; holds in 8 of 10 draws, does not in 2"
    default = [
        judged("newsroom", "4.2.2, Figure 3", "a", UNDECIDED, evidence=evidence),
        judged("sotu/hostility", "4.2.2", "c", NOT_APPLICABLE),
        judged("newswire/attack", "4.2.2", "c", AS_IN_THE_PAPER),
        judged("newsroom", "4", "f", NOT_APPLICABLE),
    ]
    _, *lines = verdicts.of_claims(ROWS, default)
    assert len(lines) == 14
    assert lines[:4] == [
        ["a (4.2.2, Figure 3)", "reproduced: EWT; differs: WSJ", "undecided: newsroom (8 : 2)", "WSJ: a here"],
        ["b (4.2.2, Figure 4)", "differs: EWT", "", "EWT: b here"],
        ["c (4.2.2)", "reproduced: EWT, WSJ", "as in the paper: newswire", ""],
        ["d (4.2.1)", "undecided: WSJ (2.4 ×)", "", ""],
    ]
    assert lines[-1] == ["f (4)", "", "not applicable", ""]


def test_of_each_chapter_the_claim_stands_that_most_corpora_decide_and_the_unwelcome_before_the_welcome():
    _, *lines = verdicts.telling(ROWS)
    assert [line[0][:2].strip() for line in lines] == ["a", "e0"]
    assert lines[0][1:] == ["WSJ: a here", "reproduced on EWT; differs on WSJ"]
    _, [claim, *others] = verdicts.telling([row for row in ROWS if row["claim"] in "bc"])
    assert (claim, others) == ("c (4.2.2)", ["WSJ: c here", "reproduced on EWT, WSJ"])
    _, [claim, *_] = verdicts.telling([judged("ewt", "5", "below 1 % (here: in bins)", DIFFERS)])
    assert claim == "below 1 % (5)"


def test_a_corpus_whose_taggers_are_trained_in_two_ways_counts_once():
    twice = [judged(name, "4", "a", REPRODUCED) for name in ("wsj_sample", "wsj_sample_fixed")]
    apart = [judged(name, "5", "b", REPRODUCED) for name in ("ewt", "wsj_sample")]
    _, [claim, *_] = verdicts.telling(twice + apart)
    assert claim == "b (5)"
    assert "Of 3 [verdicts](docs/results/verdicts.md) on 2 corpora" in verdicts.tallied(twice + apart)


def test_the_readme_has_tally_and_claims_where_it_asks_for_them():
    readme = "before\n<!-- verdicts -->\nold\n<!-- end -->\nafter\n"
    shown = with_parts(readme, ROWS)
    assert "| a (4.2.2, Figure 3) | WSJ: a here |" in shown
    assert shown.index("12 are *reproduced*, 2 *differ* and 1 are *undecided*") < shown.index("| e0 (6.0) | MUC-3")
    assert "old" not in with_parts(readme, ROWS)
    assert with_parts("none\n", ROWS) == "none\n"
