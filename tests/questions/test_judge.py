"""Can I trust my judge? By Python and by the shell: systems, repeats, labels in a column or in files, gates."""

import csv
import json
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError

RANDOM = np.random.default_rng(5)
CASES = 300
TRUTH = {system: RANDOM.random(CASES) < rate for system, rate in (("base", 0.5), ("tuned", 0.8), ("tuned again", 0.78))}


def write_rows(path, rows):
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def read_rows(path):
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(systems=tuple(TRUTH), labelled=60, repeats=1):
    """Return verdicts on the cases of some systems, the first of which have labels; the first verdict is the same."""
    found = []
    for system in systems:
        rng = np.random.default_rng(len(system))
        for case, truth in enumerate(TRUTH[system].tolist()):
            for _ in range(repeats):
                right = rng.random() < (0.92 if truth else 0.85)
                found.append(
                    {
                        "id": f"c{case}",
                        "system": system,
                        "verdict": "pass" if right == truth else "fail",
                        "label": ("pass" if truth else "fail") if case < labelled else "",
                    }
                )
    return found


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_rows("verdicts.csv", rows_of())
    Path("rubric.md").write_text("Is the reply correct?\n", encoding="utf-8")
    return tmp_path


def test_systems_are_corrected_compared_and_the_highest_is_named(folder):
    report = nc.judge(nc.read("verdicts.csv"), by="system")
    for system, truth in TRUTH.items():
        assert report.estimation.groups[system].low <= truth.sum() <= report.estimation.groups[system].high
    assert report.best == ["tuned", "tuned again"]
    assert "highest rate: one of tuned, tuned again (95 % confidence)" in report.lines()
    assert set(report.systems) == set(TRUTH)
    assert report.estimation.data.frame.unit is not None, "the same cases are paired"


def test_a_system_without_labels_is_listed_and_its_difference_has_an_interval(folder):
    write_rows("some.csv", [row | {"label": row["label"] * (row["system"] == "tuned")} for row in rows_of()])
    lines = nc.judge(nc.read("some.csv"), by="system").lines()
    [base] = [line.split("  ") for line in lines if line.startswith("base")]
    assert [cell.strip() for cell in base if cell.strip()][:3] == ["base", "300", "0"], "items, labels"
    write_rows("two.csv", rows_of(("tuned", "tuned again")))
    [difference] = [
        line for line in nc.judge(nc.read("two.csv"), by="system").lines() if line.startswith("The difference")
    ]
    assert re.search(
        r"is not significant: tuned again has .* points (more|less) than tuned \(95 % interval -", difference
    )


def test_arrays_give_the_numbers_of_the_file(folder):
    rows = rows_of()
    given = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    labels = np.where(given["label"] == "", np.nan, given["label"] == "pass")
    of_arrays = nc.judge(
        nc.read(given["verdict"] == "pass", labels, id=given["id"], by={"system": given["system"]}), by="system"
    )
    of_file = nc.judge(nc.read("verdicts.csv"), by="system")
    assert of_arrays.rows() == of_file.rows()
    assert of_arrays.labels_checksum == of_file.labels_checksum


def test_verdicts_that_are_asked_for_again_are_no_further_items(folder):
    rows = rows_of(["base"])
    write_rows("once.csv", rows)
    write_rows("copied.csv", [row for row in rows for _ in range(3)])
    once, copied = nc.judge(nc.read("once.csv")), nc.judge(nc.read("copied.csv"))
    assert once.rates == copied.rates
    assert once.consistency is None
    assert (copied.consistency.value, copied.consistency.items) == (1, CASES)
    write_rows("twice.csv", rows_of(["base"], repeats=2))
    consistency = nc.judge(nc.read("twice.csv")).consistency
    truth = np.where(TRUTH["base"], 0.92**2 + 0.08**2, 0.85**2 + 0.15**2).mean()
    assert consistency.low < truth < consistency.high < 1


def test_labels_in_files_are_those_of_the_column(folder):
    rows = rows_of(["base"])
    write_rows("once.csv", rows)
    write_rows("bare.csv", [{"id": row["id"], "verdict": row["verdict"]} for row in rows])
    for name in ("ann", "bo"):
        write_rows(f"{name}.csv", [{"id": row["id"], "label": row["label"]} for row in rows if row["label"]])
    assert nc.judge(nc.read("bare.csv", "ann.csv")).rates == nc.judge(nc.read("once.csv")).rates
    labels = [{"id": row["id"], "label": row["label"]} for row in rows[:60]]
    write_rows("bo.csv", [{**labels[0], "label": "pass" if labels[0]["label"] == "fail" else "fail"}, *labels[1:]])
    disputed = nc.judge(nc.read("bare.csv", ["ann.csv", "bo.csv"]))
    assert disputed.disputed == ("c0",)
    accuracy, settled = (each.rates["accuracy"] for each in (disputed, nc.judge(nc.read("once.csv"))))
    assert accuracy.high - accuracy.low > settled.high - settled.low


def test_a_plan_gives_each_label_its_weight(folder):
    truth = TRUTH["base"]
    verdict = truth ^ (RANDOM.random(CASES) < 0.1)
    rows = [
        {"id": f"c{n}", "q": f"{0.1 + 0.8 * each:.2f}", "verdict": int(each)} for n, each in enumerate(verdict.tolist())
    ]
    write_rows("items.csv", rows)
    plan = nc.plan_items("items.csv", budget=80, design="stratified", seed=1)
    plan.save("plan")
    write_rows("labels.csv", [{"id": f"c{row}", "label": int(truth[row])} for row in plan.rows.tolist()])
    report = nc.judge(nc.read("items.csv", "labels.csv", q="verdict", plan="plan/plan.json"))
    assert len(report.verdicts.rows) == 80
    assert report.estimation.low <= truth.sum() <= report.estimation.high
    assert report.rates["accuracy"].low < (verdict == truth).mean() < report.rates["accuracy"].high


def test_ratings_are_verdicts_from_a_threshold_on(folder):
    truth = TRUTH["base"]
    rating = np.clip(np.where(truth, 4, 2) + RANDOM.integers(-1, 2, CASES), 1, 5)
    found = nc.judge(nc.read(rating, truth.astype(float), threshold=3))
    assert found.rates == nc.judge(nc.read(rating >= 3, truth.astype(float))).rates
    with pytest.raises(nc.InputError, match=r"looks like ratings from 1 to 5: .*judge with threshold=4 counts 4"):
        nc.judge(nc.read(rating, truth.astype(float)))


def test_a_stale_report_is_noticed(folder, capsys):
    words = "judge verdicts.csv --by system --rubric rubric.md --out judged"
    assert main(words.split()) == 0
    saved = json.loads(Path("judged/judge.json").read_text(encoding="utf-8"))
    assert list(saved["rubric"]) == ["rubric.md"]
    assert saved["labels"] == {"items": 180, "sha256": nc.judge(nc.read("verdicts.csv"), by="system").labels_checksum}
    assert main(["verify", "judged"]) == 0
    Path("rubric.md").write_text("Is the reply correct and polite?\n", encoding="utf-8")
    assert main(["verify", "judged"]) == 2
    assert "rubric.md: found another file than" in capsys.readouterr().err


def test_the_gate_is_on_the_lower_end(folder, capsys):
    rates = nc.judge(nc.read("verdicts.csv"), by="system").rates
    lower = min(rates["sensitivity"].low, rates["specificity"].low)
    words = "judge verdicts.csv --by system --fail-below"
    assert main([*words.split(), f"{lower - 0.001:.4f}"]) == 0
    capsys.readouterr()
    assert main([*words.split(), f"{lower + 0.001:.4f}"]) == 3
    assert "specificity may be as low as" in capsys.readouterr().err
    write_rows("alike.csv", [{**row, "label": row["label"] and "pass"} for row in rows_of(["base"])])
    capsys.readouterr()
    assert main(["judge", "alike.csv", "--fail-below", ".1"]) == 3
    assert "specificity is not defined: no labelled item is negative" in capsys.readouterr().err


def test_how_many_labels_a_width_takes(folder):
    report = nc.judge(nc.read("verdicts.csv"), by="system", width=0.1)
    needed = report.labels_needed
    assert needed["accuracy"] < needed["kappa"]
    assert f"kappa: an interval of width 0.1 takes about {needed['kappa']:,} labels in all" in str(report)


@pytest.mark.parametrize(
    ("change", "named", "message"),
    [
        ({"verdict": "maybe"}, {}, "bad.csv, line 3, column verdict: found the verdict 'maybe'"),
        ({"label": "2"}, {}, "bad.csv, line 3, column label: found the label '2'"),
        ({"id": ""}, {}, "bad.csv, line 3: found no id"),
        ({"id": "c0", "label": "fail"}, {"yes": "pass"}, "bad.csv: found another label of 'c0'"),
        ({}, {"q": "score"}, "bad.csv: found the columns"),
        (
            {},
            {"threshold": 3},
            "bad.csv, line 3, column verdict: found the verdict 'fail', expected a number",
        ),
        ({}, {"id": [1]}, "id: found values with the file bad.csv"),
        ({}, {"level": 95}, "level: found 95"),
        ({}, {"width": 2}, "width: found 2"),
        ({}, {"plan": "plan.json"}, "plan.json"),
        ({}, {"rubric": "none.md"}, "none.md"),
    ],
)
def test_what_cannot_be_judged_is_refused(change, named, message, folder):
    rows = rows_of()
    rows[0]["label"] = "pass"
    rows[1] |= change
    write_rows("bad.csv", rows)
    asked = {name: named[name] for name in ("level", "width", "rubric") if name in named}
    with pytest.raises((nc.InputError, OSError), match=message):
        nc.judge(nc.read("bad.csv", **{name: named[name] for name in named.keys() - asked}), **asked)


def test_a_verdict_that_is_missing_leaves_its_row_out_and_is_no_no(folder):
    rows = rows_of(["base"])
    write_rows("some.csv", [{**row, "verdict": "" if n % 10 == 9 else row["verdict"]} for n, row in enumerate(rows)])
    with pytest.warns(nc.InputWarning, match="30 rows left out, without a prediction in verdict"):
        found = nc.judge(nc.read("some.csv"))
    write_rows("kept.csv", [row for n, row in enumerate(rows) if n % 10 != 9])
    assert found.rates == nc.judge(nc.read("kept.csv")).rates


def failing(rows, system="base"):
    """Return rows of which the judge failed on every tenth of a system."""
    return [row | {"verdict": ""} if row["system"] == system and n % 10 == 9 else row for n, row in enumerate(rows)]


def test_failures_are_counted_by_system_with_labels_in_a_column_or_a_file(folder):
    rows = failing(rows_of())
    write_rows("some.csv", rows)
    write_rows("bare.csv", [{**row, "label": ""} for row in rows])
    write_rows("labels.csv", [{name: row[name] for name in ("id", "system", "label")} for row in rows if row["label"]])
    for files in (["some.csv"], ["bare.csv", "labels.csv"]):
        with pytest.warns(nc.InputWarning, match="30 rows left out, without a prediction .*; 6 of them labelled$"):
            report = nc.judge(nc.read(*files, q="verdict"), by="system")
        assert "Items without a verdict, left out: 30 of 300 of base (6 labelled)." in report.lines()


@pytest.mark.filterwarnings("ignore:.*rows left out")
def test_labels_of_failures_count_where_as_many_are_positive_as_negative(folder):
    half = {label: [n for n, row in enumerate(rows_of(["base"], CASES)) if row["label"] == label][:25]
            for label in ("pass", "fail")}  # fmt: skip
    chosen = {*half["pass"], *half["fail"]}
    rows = [row | {"label": row["label"] * (n in chosen)} for n, row in enumerate(rows_of(["base"], CASES))]
    asked = "As many labels are positive as negative"
    for table in (rows, failing(rows)):
        write_rows("some.csv", table)
        assert any(line.startswith(asked) for line in nc.judge("some.csv").lines())


def test_intervals_are_the_same_however_the_case_is_named(folder):
    rows = [row | {"row": n, "case": row["id"]} for n, row in enumerate(rows_of())]
    write_rows(
        "rows.csv", [{name: row[name] for name in ("row", "case", "system", "verdict", "label")} for row in rows]
    )
    by_id, by_unit = (
        nc.judge(nc.read("rows.csv", **named), by="system") for named in ({"id": "case"}, {"id": "row", "unit": "case"})
    )
    assert by_id.record()["corrected"] == by_unit.record()["corrected"]
    assert by_id.record()["changes"] == by_unit.record()["changes"]
    assert by_id.rates == by_unit.rates


def test_periods_have_a_trend_and_no_ranking(folder):
    rows = [{"verdict": row["verdict"], "label": row["label"], "month": f"2026-{1 + n % 6:02d}"}
            for n, row in enumerate(rows_of(["base"], CASES))]  # fmt: skip
    write_rows("months.csv", rows)
    report = nc.judge("months.csv", by="month")
    assert any(each.per for each in report.estimation.changes)
    assert not [line for line in report.lines() if "highest rate" in line]


def test_several_judges_correct_one_rate_together(folder):
    """Each label counts once, whatever the number of judges."""
    random, held = np.random.default_rng(11), 0
    for _ in range(40):
        truth = random.random(200) < 0.7
        known = np.where(random.permutation(200) < 60, truth, np.nan)
        verdicts = np.concatenate([np.where(random.random(200) < right, truth, ~truth) for right in (0.9, 0.85, 0.8)])
        ids = np.tile([f"c{n}" for n in range(200)], 3)
        judges = {"model": np.repeat(["a", "b", "c"], 200)}
        data = nc.read(verdicts, np.tile(known, 3), id=ids, by=judges)
        _, low, high = nc.judge(data, judges="model").estimation.whole.share
        held += low <= truth.mean() <= high
    assert held >= 35  # .95 less two standard errors


def test_a_table_without_labels_is_refused(folder):
    write_rows("bare.csv", [{"id": "a", "verdict": "yes"}])
    with pytest.raises(
        nc.InputError, match=r"bare.csv: found the columns id, verdict; expected one named 'y', or y= with its name"
    ):
        nc.judge(nc.read("bare.csv"))


def test_a_yes_that_no_verdict_or_label_has_is_refused():
    verdicts = ["pass", "fail"] * 20
    with pytest.raises(nc.InputError, match="found the verdicts fail, pass, expected 'passed' among them"):
        nc.judge(nc.read(verdicts, verdicts, yes="passed"))
    with pytest.raises(nc.InputError, match=r"found the labels 3\.5, 4\.5, expected '5' among them"):
        nc.judge(nc.read(["5", "3"] * 20, [4.5, 3.5] * 20, yes="5"))
    whole = nc.judge(nc.read(list("55533"), np.array(list("53533")), yes="5")).rates
    assert nc.judge(nc.read(list("55533"), [5.0, 3.0, 5.0, 3.0, 3.0], yes="5")).rates == whole


def test_a_bound_on_wrong_labels_widens_the_corrected_rate_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(8)
    truth = random.random(600) < 0.6
    verdict = np.where(random.random(600) < 0.1, ~truth, truth)
    cells = (
        f"{'pass' if v else 'fail'},{('fail', 'pass')[int(t)] if n < 200 else ''}\n"
        for n, (v, t) in enumerate(zip(verdict, truth, strict=True))
    )
    (tmp_path / "verdicts.csv").write_text("verdict,label\n" + "".join(cells))
    plain, bounded = nc.judge(nc.read("verdicts.csv")), nc.judge(nc.read("verdicts.csv"), label_error=0.05)
    assert bounded.rates["sensitivity"] == plain.rates["sensitivity"]
    assert bounded.estimation.low == pytest.approx((plain.estimation.low - 30) / 0.95)
    assert "kappa take labels for the truth" in str(bounded)
    assert main(["judge", "verdicts.csv", "--label-error", ".05", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["corrected"][0]["low"] == bounded.estimation.low


def test_labels_that_are_ratings_have_the_threshold_of_the_verdicts(tmp_path):
    rng = np.random.default_rng(4)
    human = rng.integers(1, 6, 200)
    judged = np.clip(human + rng.integers(-1, 2, 200), 1, 5)
    expected = nc.judge(nc.read((judged >= 4).astype(int), np.where(np.arange(200) < 120, human >= 4, np.nan)))
    assert (
        nc.judge(nc.read(judged, np.where(np.arange(200) < 120, human, np.nan), threshold=4)).rows() == expected.rows()
    )
    path = tmp_path / "ratings.csv"
    rows = (
        f"{judge},{person if row < 120 else ''}" for row, (judge, person) in enumerate(zip(judged, human, strict=True))
    )
    path.write_text("\n".join(["verdict,label", *rows]) + "\n", encoding="utf-8")
    assert nc.judge(nc.read(path, threshold=4)).rows() == expected.rows()


def test_a_column_that_pairs_systems_is_named_if_it_is_not_called_id(folder):
    rows = [
        {
            "case": f"c{case}",
            "model": model,
            "verdict": ("yes", "no")[(case + len(model)) % 2],
            "label": "yes" * (case < 9),
        }
        for case in range(20)
        for model in ("a", "bb")
    ]
    write_rows("cases.csv", rows[:-1])
    with pytest.warns(nc.InputWarning, match=r"to pair groups by column case, name it: id='case'"):
        nc.judge(nc.read("cases.csv"), by="model")
    nc.judge(nc.read("cases.csv", id="case"), by="model")  # warnings are errors


def numbers_in(sentence):
    return [float(number) / 100 for number in re.findall(r"(\d+\.\d) (?:to|%)", sentence)]


def test_the_verdict_says_what_the_intervals_say(folder):
    report = nc.judge(nc.read("verdicts.csv"), by="system")
    corrected, trusted, beside = report.verdict()
    rates = [report.rates[name] for name in ("accuracy", "sensitivity", "specificity")]
    ends = [rates[0].low, rates[0].high, *(1 - end for rate in rates[1:] for end in (rate.high, rate.low))]
    assert numbers_in(trusted) == pytest.approx(ends, abs=0.00051)
    share, low, high = report.estimation.whole.share
    alone = report.verdicts.share.mean()
    assert numbers_in(corrected) == pytest.approx([share, low, high, alone], abs=0.00051)
    assert numbers_in(beside)[-2:] == pytest.approx([1 - rates[0].high, 1 - rates[0].low], abs=0.00051)
    assert not any(line.startswith("base rate") for line in report.lines())  # one interval of one share
    assert [line for line in report.lines() if line.startswith(("You can trust", "Corrected"))] == [corrected, trusted]


def test_a_system_that_the_judge_would_choose_against_people_is_named_first(folder):
    random = np.random.default_rng(0)
    rows = []
    for system, good, fooled in (("alpha", 0.7, 0.0), ("gamma", 0.5, 0.8)):
        for case in range(400):
            truth = random.random() < good
            verdict = truth or random.random() < fooled
            label = ("yes" if truth else "no") if case < 100 else ""
            rows.append({"id": f"c{case}", "system": system, "verdict": "yes" if verdict else "no", "y": label})
    write_rows("fooled.csv", rows)
    best, danger, *_ = nc.judge("fooled.csv", by="system").lines()
    assert best == "highest rate: alpha (95 % confidence)"
    assert danger.startswith("the judge alone would choose gamma (.930): its corrected rate is .5")


@pytest.mark.parametrize(("apart", "words"), [(0.0, "less than"), (0.9, "more than")])
def test_the_difference_by_the_judge_stands_beside_the_share_of_its_wrong_verdicts(folder, apart, words):
    random, rows = np.random.default_rng(3), []
    for case in range(400):
        for system, good in (("alpha", 0.05 + apart), ("beta", 0.05)):
            truth = case % 100 < 100 * good
            verdict = truth != (random.random() < 0.2)
            label = ("yes" if truth else "no") if random.random() < 0.4 else ""
            rows.append({"id": f"c{case}", "system": system, "verdict": "yes" if verdict else "no", "y": label})
    write_rows("apart.csv", rows)
    [beside] = [line for line in nc.judge("apart.csv", by="system").lines() if line.startswith("By the judge alone")]
    assert words in beside


def test_a_judge_that_always_says_yes_is_not_shown_to_be_right_more_often(folder):
    write_rows("yes.csv", [row | {"verdict": "pass"} for row in rows_of(["base"])])
    sentences = nc.judge(nc.read("yes.csv")).verdict()
    assert "It is not shown to be right more often than a judge that always gives the same answer." in sentences
    write_rows("right.csv", [row | {"verdict": row["label"] or "fail"} for row in rows_of(["base"], labelled=200)])
    with pytest.warns(nc.InputWarning, match="all 200 labels are the verdict on their item: are they the judge's own"):
        assert not any("always gives" in sentence for sentence in nc.judge(nc.read("right.csv")).verdict())


def test_with_all_items_labelled_nothing_is_corrected(folder):
    write_rows("all.csv", rows_of(["base"], labelled=CASES))
    assert not any("corrected" in sentence for sentence in nc.judge(nc.read("all.csv")).verdict())


def test_the_judge_alone_may_lie_outside_of_the_interval(folder):
    rows = rows_of(["base"], labelled=200)
    write_rows("kind.csv", [row | {"verdict": "pass" if RANDOM.random() < 0.9 else row["verdict"]} for row in rows])
    report = nc.judge(nc.read("kind.csv"))
    assert report.verdict()[0].endswith("above it.")
    assert report.verdicts.share.mean() > report.estimation.whole.share[2]


def test_the_figure_has_a_row_for_all_items_and_for_each_system(folder):
    rows = [row | {"label": row["label"] * (row["system"] != "tuned")} for row in rows_of()]
    write_rows("some.csv", rows)
    report = nc.judge(nc.read("some.csv"), by="system")
    report.save("out")
    with Path("out/judge.csv").open(encoding="utf-8") as file:
        drawn = {row["group"]: row for row in csv.DictReader(file)}
    assert list(drawn) == ["", *report.estimation.groups]
    judged = [row["verdict"] == "pass" for row in rows if row["system"] == "base"]
    assert float(drawn["base"]["judge_alone"]) == pytest.approx(np.mean(judged))
    labels = [row["label"] == "pass" for row in rows if row["system"] == "base" and row["label"]]
    assert float(drawn["base"]["labels_alone"]) == pytest.approx(np.mean(labels))
    assert (drawn["tuned"]["labels"], drawn["tuned"]["labels_alone"], drawn["tuned"]["sensitivity"]) == ("0", "", "")
    assert float(drawn["base"]["sensitivity_low"]) == report.systems["base"]["sensitivity"].low
    assert {path.name for path in Path("out").iterdir()} >= {"judge.png", "judge.pdf", "judge.csv", "judge.json"}


def test_the_mean_rating_of_each_prompt_needs_no_plan(folder):
    random = np.random.default_rng(4)
    truth = random.integers(1, 6, 600)
    rows = [
        {"id": f"r{n}", "prompt": "AB"[n % 2], "q": int(np.clip(each + random.integers(-1, 2), 1, 5)),
         "label": int(each) if n % 5 < 2 else ""}
        for n, each in enumerate(truth.tolist())
    ]  # fmt: skip
    write_rows("ratings.csv", rows)
    groups = nc.estimate(nc.read("ratings.csv", "ratings.csv", values=(1, 5)), by="prompt").groups
    for place, prompt in enumerate("AB"):
        _, low, high = groups[prompt].share
        assert low <= truth[place::2].mean() <= high
    with pytest.raises(InputError, match=r"estimate with values=\(1, 5\) estimates their mean"):
        nc.judge(nc.read("ratings.csv", q="q"))


@pytest.fixture
def rated(tmp_path, monkeypatch):
    """Ratings of 200 answers, and those of two people for 60 of them, who differ across the threshold on four."""
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(6)
    human = random.integers(1, 6, 200)
    judged = np.clip(human + random.integers(-1, 2, 200), 1, 5)
    write_rows("ratings.csv", [{"id": f"a{n}", "verdict": rating} for n, rating in enumerate(judged)])
    other = human.copy()
    other[:4] = np.where(human[:4] >= 4, 2, 5)
    write_rows("ann.csv", [{"id": f"a{n}", "label": human[n]} for n in range(60)])
    write_rows("bo.csv", [{"id": f"a{n}", "stars": other[n]} for n in range(60)])
    return human, judged


def test_ratings_in_files_have_the_threshold_whatever_their_column(rated):
    human, judged = rated
    expected = nc.judge(nc.read((judged >= 4).astype(int), np.where(np.arange(200) < 60, human >= 4, np.nan)))
    assert nc.judge(nc.read("ratings.csv", "ann.csv", threshold=4)).rows() == expected.rows()
    write_rows("ann.csv", [{"id": f"a{n}", "stars": human[n]} for n in range(60)])
    assert nc.judge(nc.read("ratings.csv", "ann.csv", threshold=4, y="stars")).rows() == expected.rows()


def test_two_people_agree_with_an_interval_and_their_sheet_settles_the_rest(rated, capsys):
    write_rows("bo.csv", [{"id": row["id"], "label": row["stars"]} for row in read_rows("bo.csv")])
    command = ["judge", "ratings.csv", "ann.csv", "bo.csv", "--threshold", "4"]
    assert main([*command, "--out", "judged"]) == 0
    printed = capsys.readouterr().out
    assert "ann and bo differ on 4 of 60 items: they agree on 93.3 % of the items that both labelled" in printed
    assert "disagreements.csv, which is saved with this report, filled in and passed as --settled, does" in printed
    [pair] = read_rows("judged/agreement.csv")
    # Clopper and Pearson's interval of 56 of 60.
    assert (float(pair["agreed_low"]), float(pair["agreed_high"])) == pytest.approx((0.838, 0.982), abs=2e-3)
    assert 0 < float(pair["kappa_low"]) < float(pair["kappa"]) < float(pair["kappa_high"]) < 1
    sheet = read_rows("judged/disagreements.csv")
    assert [row["item"] for row in sheet] == ["item a0", "item a1", "item a2", "item a3"]
    write_rows("settled.csv", [{**row, "label": row["label of ann"]} for row in sheet])
    assert main([*command, "--settled", "settled.csv", "--json"]) == 0
    assert (
        json.loads(capsys.readouterr().out)["rates"] == nc.judge(nc.read("ratings.csv", "ann.csv", threshold=4)).rows()
    )
    write_rows("judged/disagreements.csv", [{**row, "label": "yes"} for row in sheet])
    assert main([*command, "--out", "judged"]) == 2
    assert "found a sheet that was filled in" in capsys.readouterr().err


def test_more_labels_than_items_are_called_that(rated):
    report = nc.judge(nc.read("ratings.csv", "ann.csv", threshold=4), width=0.03)
    assert report.labels_needed["kappa"] > 200
    assert any(line.endswith("labels in all, more than there are (200 items)") for line in report.lines())


def test_a_system_alone_is_judged_as_if_its_cases_were_items():
    """Every case has one answer of each system, so within a system cases and items are the same."""
    random = np.random.default_rng(7)
    system, case = np.repeat(["A", "B", "C"], 100), np.tile(np.arange(100), 3)
    y = (random.random(300) < 0.5).astype(float)
    verdicts = np.where(random.random(300) < 0.2, 1 - y, y)
    labels = np.where(random.random(300) < 0.2, y, np.nan)
    paired, alone = (nc.judge(nc.read(verdicts, labels, id=ids), by=system) for ids in (case, np.arange(300)))
    for name in "ABC":
        assert paired.systems[name]["sensitivity"] == alone.systems[name]["sensitivity"]


def test_labels_name_an_item_by_its_own_id_and_the_column_of_its_system(folder):
    rows = [{"case": row["id"], **{name: row[name] for name in ("system", "verdict", "label")}} for row in rows_of()]
    read = [row for row in rows if row["label"]]
    write_rows("verdicts.csv", [{name: row[name] for name in ("case", "system", "verdict")} for row in rows])
    write_rows("inline.csv", rows)
    expected = nc.judge(nc.read("inline.csv", id="case", y="label"), by="system").lines()
    for name in ("case", "id"):
        write_rows("l.csv", [{name: row["case"], "system": row["system"], "label": row["label"]} for row in read])
        assert nc.judge(nc.read("verdicts.csv", "l.csv", id="case"), by="system").lines() == expected
    write_rows("l.csv", [{"id": row["case"], "label": row["label"]} for row in read if row["system"] == "base"])
    with pytest.raises(InputError, match=r"such as 'c0': expected the column system in the labels"):
        nc.judge(nc.read("verdicts.csv", "l.csv", id="case"), by="system")
    write_rows("base.csv", [row for row in rows if row["system"] == "base"])
    write_rows("l.csv", [{"id": row["case"], "system": row["system"], "label": row["label"]} for row in read])
    with pytest.raises(InputError, match="found the item 'c0' again"):  # and no label of another system counts
        nc.judge(nc.read("base.csv", "l.csv", id="case"), by="system")


def planned_ratings_of_two(random):
    """Write a judge's ratings of two prompts, and the ratings of two readers of the items of a plan; return truth."""
    truth = random.integers(1, 6, 400)
    rating = np.clip(truth + random.integers(-1, 2, 400), 1, 5)
    rows = [{"case": f"{n:03}", "prompt": "AB"[n % 2], "rating": int(each)} for n, each in enumerate(rating.tolist())]
    write_rows("ratings.csv", rows)
    names = {"q": "rating", "id": "case"}
    plan = nc.plan_items(nc.read("ratings.csv", **names, values=(1, 5)), by="prompt", budget=120, seed=2)
    plan.save("plan")
    for reader, errors in (("ana", 0.0), ("ben", 0.1)):
        wrong = random.random(400) < errors
        said = np.where(wrong, 6 - truth, truth).tolist()
        write_rows(f"{reader}.csv", [{"item": f"item {row:03}", "label": said[row]} for row in plan.rows.tolist()])
    return truth, plan


def test_ratings_in_files_have_the_threshold_with_a_plan_too(folder):
    truth, plan = planned_ratings_of_two(np.random.default_rng(8))
    options = {"plan": "plan/plan.json", "q": "rating", "id": "case", "threshold": 4}
    report = nc.judge(nc.read("ratings.csv", "ana.csv", **options), by="prompt")
    assert len(report.verdicts.rows) == 120
    np.testing.assert_array_equal(report.verdicts.y, truth[report.verdicts.rows] >= 4)
    assert report.estimation.low <= (truth >= 4).sum() <= report.estimation.high
    assert set(report.estimation.groups) == {"A", "B"}
    both = nc.judge(nc.read("ratings.csv", ["ana.csv", "ben.csv"], **options), by="prompt")
    assert both.disputed
    assert list(both.annotators) == ["ana", "ben"]
    assert both.agreement[0].agreed < 1
    assert both.rates["accuracy"].high - both.rates["accuracy"].low > 0
    write_rows("yes_no.csv", [{"item": f"item {row:03}", "label": "yes" if truth[row] >= 4 else "no"}
                              for row in plan.rows.tolist()])  # fmt: skip
    assert nc.judge(nc.read("ratings.csv", "yes_no.csv", **options), by="prompt").rates == report.rates
    write_rows("ratings.csv", [row | {"rating": 1 + int(row["rating"]) % 5} for row in read_rows("ratings.csv")])
    with pytest.raises(InputError, match="when the plan was drawn"):
        nc.read("ratings.csv", "ana.csv", **options)


def test_verdicts_of_two_systems_on_one_case_are_planned_by_cases(folder):
    rows = [
        {"ticket": row["id"], **{key: row[key] for key in ("system", "verdict")}} for row in rows_of(["base", "tuned"])
    ]
    write_rows("verdicts.csv", rows)
    with pytest.raises(InputError) as error:
        nc.plan_items(nc.read("verdicts.csv", q="verdict", id="ticket"), by="system", budget=60)
    assert "found ids again, expected each once: rows of one id are read together with unit=" in str(error.value)
    plan = nc.plan_items(nc.read("verdicts.csv", q="verdict", unit="ticket"), by="system", budget=60, seed=1)
    plan.save("plan")
    labels = {
        (system, f"c{n}"): int(each) for system in ("base", "tuned") for n, each in enumerate(TRUTH[system].tolist())
    }
    told = [{"item": f"item {row + 1}", "label": labels[rows[row]["system"], rows[row]["ticket"]]}
            for row in plan.rows.tolist()]  # fmt: skip
    assert len(told) == 120
    write_rows("l.csv", told)
    data = nc.read("verdicts.csv", "l.csv", q="verdict", unit="ticket", plan="plan/plan.json")
    report = nc.judge(data, by="system")
    for system in ("base", "tuned"):
        _, low, high = report.estimation.groups[system].share
        assert low <= TRUTH[system].mean() <= high
    assert [each.shown for each in report.estimation.changes] == [True]


@pytest.mark.parametrize("code", ["999", "-9", "?"])
def test_a_code_for_a_missing_rating_is_no_high_or_low_rating(code, folder):
    rows = [{"id": f"c{n}", "verdict": 1 + n % 5} for n in range(60)]
    write_rows("v.csv", rows)
    write_rows("l.csv", [{"id": row["id"], "label": row["verdict"] if n else code} for n, row in enumerate(rows)])
    with pytest.raises(InputError, match=re.escape(f"found the label {code!r}, expected a rating")):
        nc.judge(nc.read("v.csv", "l.csv", threshold=4))
    write_rows("one.csv", [row | {"label": row["verdict"] if n else code} for n, row in enumerate(rows)])
    with pytest.raises(InputError, match=re.escape(f"found the label {code!r}, expected a rating")):
        nc.judge(nc.read("one.csv", threshold=4))


def test_a_difference_of_items_that_are_all_labelled_is_of_what_made_them():
    random = np.random.default_rng(0)
    verdict = random.random(200) < 0.6
    label = np.where(random.random(200) < 0.9, verdict, ~verdict).astype(float)
    system = np.repeat(["A", "B"], 100)
    [change] = nc.judge(nc.read(verdict, label, by={"system": system}), by="system").estimation.changes
    assert change.value == pytest.approx(label[100:].mean() - label[:100].mean())
    spread = np.sqrt(sum(label[system == name].var() / 100 for name in "AB"))
    assert change.high - change.low == pytest.approx(2 * 1.96 * spread, rel=0.1)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (("yes", "perhaps", "no"), "line 3, column verdict: found the verdict 'perhaps', expected yes or no"),
        ((".3", ".4", "n"), "line 4: found prediction 'n', expected a probability"),
    ],
)
def test_the_row_that_is_no_decision_and_no_probability_is_named(cells, message, folder):
    write_rows("v.csv", [{"id": f"c{n}", "verdict": cell} for n, cell in enumerate(cells)])
    with pytest.raises(nc.InputError, match=message):
        nc.plan_items(nc.read("v.csv", q="verdict"), budget=1)


@pytest.mark.parametrize("times", [2, 3])
def test_a_table_that_stands_several_times_is_named_whatever_its_ids(times, folder):
    rows = rows_of(["base"], repeats=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_rows("twice.csv", rows)
        nc.judge(nc.read("twice.csv"))  # a judge that was asked again
        once = rows_of(["base"])
        write_rows("asked.csv", [row | {"ask": ask} for ask in range(times) for row in once])
        nc.judge(nc.read("asked.csv"))  # one that never changes its mind: a column shows that it was asked again
    write_rows("pasted.csv", rows * times)
    with pytest.warns(nc.InputWarning, match=f"the first 600 rows stand {times} times, equal in every column"):
        nc.judge(nc.read("pasted.csv"))
    verdicts, ids = ([row[name] for row in once * times] for name in ("verdict", "id"))
    labels = [{"pass": 1.0, "fail": 0.0}.get(row["label"], np.nan) for row in once * times]
    with pytest.warns(nc.InputWarning, match=f"the first 300 rows stand {times} times"):
        nc.judge(nc.read(verdicts, labels, id=ids))


def judged_alike(errors, labelled=120, seed=3, column="judge"):
    """Return verdicts of judges that err so often on the same 300 items, and the one label of some items."""
    random = np.random.default_rng(seed)
    truth = random.random(CASES) < 0.4
    rows = [
        {"id": f"c{case}", column: name, "verdict": ("fail", "pass")[int(truth[case] ^ (random.random() < error))]}
        for name, error in errors.items()
        for case in range(CASES)
    ]
    read = random.permutation(CASES)[:labelled].tolist()
    return rows, [{"item": f"c{case}", "label": ("fail", "pass")[int(truth[case])]} for case in sorted(read)]


def test_the_more_accurate_of_two_judges_is_named_from_one_label_of_each_item(folder, capsys):
    rows, labels = judged_alike({"sure": 0.08, "rash": 0.3})
    write_rows("v.csv", rows)
    write_rows("l.csv", labels)
    report = nc.judge(nc.read("v.csv", "l.csv"), judges="judge")
    [pair] = report.differences
    assert (pair.first, pair.last, pair.items, pair.labels) == ("rash", "sure", CASES, 120)
    assert pair.low < -0.22 < pair.high < 0
    assert report.best == ["sure"]
    assert any(line.startswith("sure is more accurate than rash by .") for line in report.lines())
    assert not any("more than" in line or "highest rate" in line for line in report.lines()), "rates are of one corpus"
    given = {row["item"]: row["label"] for row in labels}
    write_rows("inline.csv", [row | {"label": given.get(row["id"], "") * (row["judge"] == "rash")} for row in rows])
    assert nc.judge(nc.read("inline.csv"), judges="judge").rows() == report.rows(), "in any row of the item"
    write_rows("m.csv", [{"model" if name == "judge" else name: row[name] for name in row} for row in rows])
    assert main(["judge", "m.csv", "l.csv", "--judges", "model", "--out", "judged"]) == 0
    assert "highest accuracy: sure" in capsys.readouterr().out
    assert json.loads(Path("judged/judge.json").read_text())["accuracy_differences"][0]["value"] == pair.value
    assert not Path("judged/changes.csv").exists()
    with pytest.raises(InputError, match=r"expected the column model in the labels too; or, .* judges='model'"):
        nc.judge(nc.read("m.csv", "l.csv"), by="model")
    labelled = [row | {"label": given.get(row["id"], "")} for row in rows]
    labelled[-1]["label"] = {"fail": "pass", "pass": "fail", "": "pass"}[labelled[-1]["label"]]
    labelled[CASES - 1]["label"] = {"fail": "pass", "pass": "fail"}[labelled[-1]["label"]]
    write_rows("conflict.csv", labelled)
    with pytest.raises(InputError, match="found another label of 'c299', expected one of each item"):
        nc.judge(nc.read("conflict.csv"), judges="judge")


def test_judges_that_are_alike_are_left_open(folder):
    rows, labels = judged_alike({"one": 0.2, "two": 0.2, "three": 0.2}, labelled=60)
    write_rows("v.csv", rows)
    write_rows("l.csv", labels)
    report = nc.judge(nc.read("v.csv", "l.csv"), judges="judge", width=0.1)
    assert len(report.differences) == 3
    assert report.best == ["one", "three", "two"]
    assert sum(line.startswith("It is open whether") for line in report.lines()) == 3


def test_words_that_count_as_not_the_positive_one_are_named():
    verdicts = ["A", "B", "tie", "B", "A"] * 3
    labels = np.array([*verdicts[:9], *"BBBBBB"])
    with pytest.raises(InputError, match=r"found the verdict 'B', expected A and one other; yes='A,B,tie' counts B, t"):
        nc.read(verdicts, labels, yes="A")
    assert "B, tie count as not A." in nc.judge(nc.read(verdicts, labels, yes="A,B,tie")).lines()
    labels[4] = "?!"
    with pytest.raises(InputError, match=r"found the label '\?!', expected one of A, B, tie"):
        nc.read(verdicts, labels, yes="A,B,tie")


def test_labels_without_an_answer_are_counted_and_are_of_neither_kind():
    verdict = np.tile([1.0, 0.0], 100)
    report = nc.judge(nc.read(verdict, {row: ("yes", "no")[row % 2] if row >= 5 else "unsure" for row in range(60)}))
    assert "60 of 200 items have a label, 5 of them neither yes nor no: intervals hold for either" in str(report)
    assert (report.rates["sensitivity"].items, report.rates["specificity"].items) == (27, 28)
