"""From a file of predictions to a plan, and from labels to numbers, without a prediction in sight."""

import csv
import io
import json
import re
import tempfile
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli import app as cli
from nlpcalib.cli.app import main
from nlpcalib.errors import OPTIONS, InputError, InputWarning
from nlpcalib.io.files import read_csv
from nlpcalib.sampling.plan import read_plan

N = 2000
RANDOM = np.random.default_rng(5)
Q = np.round(RANDOM.beta(0.2, 1.5, N), 6)
Y = RANDOM.random(N) < Q


def command(*arguments, stream=None, **options):
    """Run a command whose errors are raised; what it prints goes to a stream, if one is given."""
    for name, value in options.items():
        values = value if isinstance(value, list) else [value]
        arguments = [*arguments, f"--{name}", *values]
    words = [str(argument) for argument in arguments]
    called, bound = cli._parse(words)
    named = OPTIONS.set(cli._options(words))
    with redirect_stdout(stream or io.StringIO()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "(?s).*column doc has 500 values")  # documents, whose items are read alone
        try:
            called(*bound.args, **bound.kwargs)
        finally:
            OPTIONS.reset(named)


def plan_file(corpus, out, labels=(), **options):
    command("plan", "items", corpus, *labels, "--out", out, **options)
    return read_plan(out / "plan.json")


def estimate_file(corpus, labels, plan, by=(), out=None, **options):
    """Return the rows of the record as objects; files are written if what is printed, or a folder, is asked for."""
    if not out and "stream" not in options:
        printed = io.StringIO()
        command("estimate", corpus, *labels, "--plan", plan, "--by", ",".join(by), "--json", stream=printed, **options)
        return [SimpleNamespace(**row) for row in json.loads(printed.getvalue())["estimates"]]
    with tempfile.TemporaryDirectory() as folder:
        out = out or Path(folder) / "out"
        command("estimate", corpus, *labels, "--plan", plan, "--by", ",".join(by), "--out", out, **options)
        return [SimpleNamespace(**row) for row in json.loads((out / "estimates.json").read_text())["estimates"]]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "items.csv"
    lines = [f"d{row},{Q[row]!r},text {row},{'AB'[row % 2]},s{row // 4}" for row in range(N)]
    path.write_text("id,q,text,country,press\n" + "\n".join(lines).replace("np.float64(", "").replace(")", ""))
    return path


def annotate(sheet, path, open_items=()):
    rows = csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig")))
    names = [row["item"].removeprefix("item ") for row in rows]
    answers = [("cannot tell" if name in open_items else "yes" if Y[int(name[1:])] else "no") for name in names]
    path.write_text("item,label\n" + "".join(f"{a},{b}\n" for a, b in zip(names, answers, strict=True)))
    return names


def test_two_phases_lead_to_a_number_that_holds(corpus, tmp_path):
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=300, seed=2, design="two-phase", stream=printed)
    assert "Annotate 120 items now, 300 items in all, out of" in printed.getvalue()
    first = annotate(out / "sheet-1.csv", tmp_path / "first.csv")
    pilot = estimate_file(corpus, [tmp_path / "first.csv"], out / "plan.json", stream=printed)[0]
    plan_file(corpus, out, labels=[tmp_path / "first.csv"], stream=printed)
    second = annotate(out / "sheet-2.csv", tmp_path / "second.csv")
    assert (len(first), len(second), len({*first, *second})) == (120, 180, 300)
    lines = (tmp_path / "second.csv").read_text().splitlines()
    (tmp_path / "part.csv").write_text("\n".join(lines[:100]))
    with pytest.warns(UserWarning, match="part 2 of the plan is annotated up to item 99 of 180 in its sheet"):
        part = estimate_file(corpus, [tmp_path / "first.csv", tmp_path / "part.csv"], out / "plan.json", stream=printed)
    assert (part[0].read, pilot.read) == (219, 120)
    assert part[0].low <= Y.sum() <= part[0].high
    labels = [tmp_path / "first.csv", tmp_path / "second.csv"]
    found = estimate_file(corpus, labels, out / "plan.json", by=["country"], out=tmp_path / "o", stream=printed)
    assert [estimate.group for estimate in found] == ["", "A", "B"]
    assert found[0].low <= Y.sum() <= found[0].high
    assert found[0].high - found[0].low < 0.8 * (pilot.high - pilot.low)
    rows = read_csv(tmp_path / "o" / "estimates.csv")
    assert [row["group"] for row in rows] == ["", "A", "B"]
    assert rows[0]["positive"] == str(sum(Y[int(name[1:])] for name in {*first, *second}))
    content = json.loads((tmp_path / "o" / "estimates.json").read_text())
    assert content["estimates"][0]["total"] == found[0].total


def test_labels_after_a_gap_in_the_sheet_do_not_count(corpus, tmp_path):
    plan_file(corpus, tmp_path / "plan", budget=100, seed=2, design="random")
    names = annotate(tmp_path / "plan/sheet-1.csv", tmp_path / "all.csv")
    lines = (tmp_path / "all.csv").read_text().splitlines()
    (tmp_path / "some.csv").write_text("\n".join(lines[:61] + lines[62:81]))
    with pytest.warns(UserWarning, match="annotated up to item 60 of 100 in its sheet: 19 after the first gap are not"):
        found = estimate_file(corpus, [tmp_path / "some.csv"], tmp_path / "plan/plan.json")[0]
    assert (found.read, found.positive) == (60, sum(Y[int(name[1:])] for name in names[:60]))
    (tmp_path / "none.csv").write_text("\n".join([lines[0], *lines[2:]]))
    with pytest.raises(InputError, match="found no label of"):
        estimate_file(corpus, [tmp_path / "none.csv"], tmp_path / "plan/plan.json")


def test_labels_drawn_at_random_beforehand_count_by_the_shell_as_in_python(corpus, tmp_path):
    rows = np.sort(np.random.default_rng(8).choice(N, 200, replace=False))
    path, out, printed = tmp_path / "mine.csv", tmp_path / "out", io.StringIO()
    path.write_text("item,label\n" + "".join(f"d{row},{'yes' if Y[row] else 'no'}\n" for row in reversed(rows)))
    command("estimate", corpus, path, "--by", "country", "--out", out, stream=printed)
    assert "There is no plan: labels are taken for a random sample of all items." in printed.getvalue()
    shell = json.loads((out / "estimates.json").read_text())["estimates"]
    given = {f"d{row}": int(Y[row]) for row in rows}
    python = nc.estimate(nc.read(corpus, given), by="country").record()["estimates"]
    assert shell == json.loads(json.dumps(python))
    assert shell[0]["low"] <= Y.sum() <= shell[0]["high"]
    for found in (nc.estimate(nc.read(corpus, path), by="country"), nc.estimate(nc.read(corpus, [path]), by="country")):
        assert found.record()["estimates"] == python


def test_a_random_sample_needs_ids_of_its_items_and_no_predictions(corpus, dated, tmp_path):
    rows, path = np.random.default_rng(8).choice(N, 400, replace=False), tmp_path / "mine.csv"
    path.write_text("item,label\n" + "".join(f"t{row},{'yes' if Y[row] else 'no'}\n" for row in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        found = nc.estimate(nc.read(dated, path))
    assert found.notes[1].startswith("No predictions are used: the table has no column q")
    assert "the model alone" not in str(found)
    found.save(tmp_path / "out")
    [row] = read_csv(tmp_path / "out" / "estimates.csv")
    assert row["predicted"] == "", "nothing was predicted: no sum is reported"
    assert found.low <= Y.sum() <= found.high
    assert found.methods()[0].split(".")[1].startswith(" Predictions were learnt from the labels")
    with pytest.raises(InputError, match="found 400 items such as"):
        nc.estimate(nc.read(corpus, path))
    unnamed = tmp_path / "unnamed.csv"
    unnamed.write_text(corpus.read_text().replace("id,", "key,", 1))
    with pytest.raises(InputError, match="expected one named 'id', which labels name rows by, or its name: id='NAME'"):
        nc.estimate(nc.read(unnamed, path))


def test_methods_of_a_table_without_predictions_and_texts_name_labels_alone(tmp_path):
    (tmp_path / "items.csv").write_text("id,country\n" + "".join(f"d{row},A\n" for row in range(500)))
    (tmp_path / "mine.csv").write_text(
        "item,label\n" + "".join(f"d{row},no\nd{row + 1},yes\n" for row in range(0, 60, 2))
    )
    text = nc.estimate(nc.read(tmp_path / "items.csv", tmp_path / "mine.csv")).methods()[0]
    assert "by a score interval of the labels, weighted by inverse inclusion probabilities" in text
    assert "predictions" not in text


def test_groups_of_few_labels_name_what_gives_them_more(dated, tmp_path):
    rows, path = np.random.default_rng(8).choice(N, 60, replace=False), tmp_path / "mine.csv"
    path.write_text("item,label\n" + "".join(f"t{row},{'yes' if Y[row] else 'no'}\n" for row in rows))
    months, years = (
        str(nc.estimate(nc.read(dated, path), by="month(date)")),
        str(nc.estimate(nc.read(dated, path), by="year(date)")),
    )
    hint = "Groups have as few as 0 labels: by='quarter(date)' has longer periods."
    assert hint in months
    assert "longer periods" not in years
    printed = io.StringIO()
    plan_file(dated, tmp_path / "plan", match="flood", budget=80, by="month(date)", stream=printed)
    assert "Groups will have few labels: --by 'quarter(date)' has longer periods." in printed.getvalue()


def test_a_number_and_its_interval_have_the_digits_that_the_width_allows():
    q = np.repeat([0.1, 0.9], [180, 20])
    found = nc.estimate(nc.read(q, {row: int(row > 180) for row in range(0, 200, 2)}))
    assert 1 < found.high - found.low < 10
    assert f"{found.total:.1f} of 200 items are positive (95 % interval {found.low:.1f} to {found.high:.1f}, " in str(
        found
    )


@pytest.fixture
def dated(tmp_path):
    """Return a table of dated texts without predictions, in which keywords find most of the positive ones."""
    path = tmp_path / "texts.csv"
    texts = ["The Flood and an earthquake" if Y[row] and row % 5 else "a quiet day" for row in range(N)]
    rows = [f"t{row},{2000 + row % 4}-0{1 + row % 9}-15,{text} {row}" for row, text in enumerate(texts)]
    path.write_text("id,date,text\n" + "\n".join(rows))
    return path


def labelled_in_two_phases(table, out):
    """Annotate both sheets of a plan as Y has it, and return the files of labels."""
    labels = []
    for part in (1, 2):
        labels.append(out.with_name(f"{part}.csv"))
        sheet = csv.DictReader(io.StringIO((out / f"sheet-{part}.csv").read_text(encoding="utf-8-sig")))
        answers = [f"{row['item']},{'yes' if Y[int(row['item'][6:])] else 'no'}" for row in sheet]
        labels[-1].write_text("\n".join(["item,label", *answers]))
        if part == 1:
            plan_file(table, out, labels=labels)
    return labels


def test_one_phase_is_enough_where_predictions_are_frequent(corpus, tmp_path):
    assert plan_file(corpus, tmp_path / "plan", budget=300).design == "stratified"
    rare = tmp_path / "rare.csv"
    rare.write_text("id,q\n" + "".join(f"d{row},{q / 4:.6f}\n" for row, q in enumerate(Q)))
    assert plan_file(rare, tmp_path / "rare", budget=300).design == "two-phase"


def test_keywords_and_dates_lead_to_a_series_with_a_methods_paragraph(dated, tmp_path):
    out = tmp_path / "plan"
    plan = plan_file(dated, out, match="flood|earthquake", budget=200, seed=3, design="two-phase")
    assert plan.match == "flood|earthquake"
    labels = labelled_in_two_phases(dated, out)
    results, printed = tmp_path / "results", io.StringIO()
    found = estimate_file(dated, labels, out / "plan.json", by=["year(date)"], out=results, stream=printed)
    assert [each.group for each in found] == ["", "2000", "2001", "2002", "2003"]
    assert found[0].low <= Y.sum() <= found[0].high
    text = (results / "methods.md").read_text(encoding="utf-8")
    assert "the number of different matches of `flood|earthquake` in a text" in text
    assert "The items to annotate were drawn at random (seed 3) in two phases, within strata of similar pre" in text
    assert "200 items of 200 planned items were labelled, without seeing predictions, each by one annotator:" in text
    assert "sum of q" not in printed.getvalue()
    slope = next(line for line in printed.getvalue().splitlines() if line.startswith("The rate has"))
    differences = printed.getvalue().split(f"{slope}\n")[1].splitlines()[0]
    assert "The rate has no significant rise or fall from 2000 to 2003: its mean change is" in slope
    assert differences.startswith(
        "None of 4 differences between consecutive periods, or the first and the last, is significant"
    )
    assert f"{slope} {differences} Changes are contrasts" in text
    changes = read_csv(results / "changes.csv")
    assert [(row["first"], row["last"], row["per"]) for row in changes] == [
        ("2000", "2003", "year"), ("2000", "2001", ""), ("2001", "2002", ""), ("2002", "2003", ""), ("2000", "2003", "")
    ]  # fmt: skip
    shares = [each.total / each.items for each in found[1:]]
    # Shares lean on all labels, and a difference on those of its two years.
    assert float(changes[1]["low"]) < shares[1] - shares[0] < float(changes[1]["high"])
    cited = set(re.findall(r"@(\w+)", text))
    assert cited == set(re.findall(r"@\w+\{(\w+),", (results / "references.bib").read_text(encoding="utf-8")))


def test_a_later_part_asks_what_the_first_part_asked(dated, tmp_path):
    out, labels = tmp_path / "plan", tmp_path / "labels.csv"
    (tmp_path / "codebook.txt").write_text("Floods count, drills do not.")
    asked = {"ask": "Is this a flood?", "codebook": tmp_path / "codebook.txt", "by": "year(date)"}
    plan_file(dated, out, match="flood", budget=200, design="two-phase", **asked)
    annotate_texts(out / "sheet-1.csv", labels)
    printed = io.StringIO()
    plan_file(dated, out, labels=[labels], stream=printed)
    assert "of the widest group of year(date)" in printed.getvalue()
    for part in (1, 2):
        page = (out / f"page-{part}.html").read_text(encoding="utf-8")
        assert "Is this a flood?" in page
        assert "Floods count, drills do not." in page
    with pytest.raises(InputError, match="no such file, expected the plan of the part before: --out is its folder"):
        plan_file(dated, tmp_path / "other", labels=[labels])


def test_labels_that_contradict_the_predictions_are_warned_of(dated, tmp_path):
    out, labels = tmp_path / "plan", tmp_path / "labels.csv"
    plan_file(dated, out, match="flood", budget=300, design="stratified")
    annotate_texts(out / "sheet-1.csv", labels)
    lines = labels.read_text().replace(",yes", ",NO").replace(",no", ",yes").splitlines()
    labels.write_text("\n".join(lines))
    with pytest.warns(UserWarning, match="positive labels are rarer where q is high: is it of the other class"):
        estimate_file(dated, [labels], out / "plan.json")


def annotate_texts(sheet, path):
    rows = csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig")))
    answers = [f"{row['item']},{'yes' if Y[int(row['item'][6:])] else 'no'}" for row in rows]
    path.write_text("\n".join(["item,label", *answers]))


def test_words_teach_where_keywords_fail_and_the_paragraph_has_it(tmp_path):
    """Half of the positive texts have other words than the keyword."""
    found = ["the flood came", "rivers burst their banks"]
    texts = [found[row % 2] if Y[row] else f"a quiet day in {'ABCD'[row % 4]}" for row in range(N)]
    path, out = tmp_path / "texts.csv", tmp_path / "plan"
    path.write_text("id,text\n" + "\n".join(f"t{row},{text}" for row, text in enumerate(texts)))
    plan_file(path, out, match="flood", budget=200, design="stratified")
    sheet = csv.DictReader(io.StringIO((out / "sheet-1.csv").read_text(encoding="utf-8-sig")))
    answers = [f"{row['item']},{'yes' if Y[int(row['item'][6:])] else 'no'}" for row in sheet]
    (tmp_path / "labels.csv").write_text("\n".join(["item,label", *answers]))
    printed, results = io.StringIO(), tmp_path / "results"
    [whole] = estimate_file(path, [tmp_path / "labels.csv"], out / "plan.json", out=results, stream=printed)
    assert "Words of the texts improve the predictions" in printed.getvalue()
    assert whole.low <= Y.sum() <= whole.high
    assert whole.predicted == pytest.approx(nc.read(path, match="flood").frame.q.sum()), "that of the keywords alone"
    assert "[@deerwester1990], cross-fitted." in (results / "methods.md").read_text(encoding="utf-8")


def test_the_width_of_years_takes_more_labels_than_that_of_all(dated, tmp_path):
    budgets = [
        plan_file(
            dated, tmp_path / str(number), match="flood|earthquake", width="0.08", design="two-phase", **options
        ).budget
        for number, options in enumerate(({}, {"by": "year(date)"}))
    ]
    assert budgets[0] < budgets[1]
    with pytest.raises(InputError, match=r"width: found 0\.0001, expected one that reading 1999 units can reach"):
        plan_file(dated, tmp_path / "none", match="flood", width="0.0001", by="year(date)")


def test_a_plan_remembers_columns_and_dates_and_groups_of_a_plan_divide_all_texts(dated, tmp_path):
    rows = [line.split(",") for line in dated.read_text().splitlines()]
    days = [f"{day[8:]}/{day[5:7]}/{day[2:4]}" for _, day, _ in rows[1:]]
    named = tmp_path / "news.csv"
    lines = [f"{name},{day},{text}" for (name, _, text), day in zip(rows[1:], days, strict=True)]
    named.write_text("\n".join(["Nr,Published,Headline", *lines]))
    out = tmp_path / "plan"
    options = {"id": "Nr", "text": "Headline", "date": "Published", "dates": "%d/%m/%y", "by": "year(date)"}
    assert plan_file(named, out, match="flood|earthquake", budget=200, design="two-phase", **options).match
    labels = labelled_in_two_phases(named, out)
    found = estimate_file(named, labels, out / "plan.json", by=["year(date)"])
    assert [(each.group, each.items) for each in found] == [("", N), *((str(2000 + k), N // 4) for k in range(4))]
    with pytest.raises(InputError, match="expected one named 'Title'"):
        estimate_file(named, labels, out / "plan.json", text="Title")


def test_a_table_without_predictions_names_the_way_to_keywords(dated, tmp_path):
    with pytest.raises(InputError, match=r"expected one named 'q', or --q with its name, .*, or --match with keywords"):
        plan_file(dated, tmp_path / "plan", budget=100)
    with pytest.raises(InputError, match="found 'volcano' in no text, expected words of some texts"):
        plan_file(dated, tmp_path / "plan", budget=100, match="volcano")


def test_a_date_that_is_none_is_named_with_its_line(dated):
    dated.write_text(dated.read_text().replace("t1,2001-02-15", "t1,15.02.2001"))
    with pytest.raises(InputError, match=r"texts.csv, line 3, column date: found the date '15.02.2001', expected one"):
        nc.read(dated, match="flood").column("year(date)")


def test_who_names_a_unit_of_time_is_led_to_a_column_of_dates(dated):
    with pytest.raises(InputError, match=r"expected one named 'year', or year\(COLUMN\) with the name of a column of"):
        nc.read(dated, match="flood").column("year")


def test_dates_that_are_missing_are_counted_and_the_message_has_the_way_out(dated):
    text = dated.read_text().replace("t1,2001-02-15", "t1,").replace("t5,2001-06-15", "t5,")
    dated.write_text(text)
    with pytest.raises(
        InputError, match=r"line 3, column date: found no date, here and in 2 rows in all, .* fill them"
    ):
        nc.read(dated, match="flood").column("year(date)")


def test_no_sheet_and_no_page_shows_a_prediction(corpus, tmp_path):
    (tmp_path / "codebook.txt").write_text("Count attacks.")
    plan_file(corpus, tmp_path / "plan", budget=100, codebook=tmp_path / "codebook.txt")
    page = (tmp_path / "plan" / "page-1.html").read_text()
    sheet = (tmp_path / "plan" / "sheet-1.csv").read_text(encoding="utf-8-sig")
    assert sheet.startswith("item,text,label")
    assert "Count attacks." in page
    assert not [q for q in Q if f"{q!r}" in page or f"{q!r}" in sheet]


def test_a_codebook_that_is_no_text_is_named(corpus, tmp_path, capsys):
    codebook = tmp_path / "codebook.doc"
    codebook.write_bytes(b"\xd0\xcf\x11\xe0")
    out = tmp_path / "plan"
    assert main(["plan", "items", str(corpus), "--budget", "50", "--codebook", str(codebook), "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"nlpcalib: {codebook}: found bytes that are not UTF-8, expected UTF-8 text\n"
    assert not out.exists()


def test_a_wider_interval_needs_fewer_labels(corpus, tmp_path):
    plans = [plan_file(corpus, tmp_path / str(width), width=width).budget for width in (0.1, 0.05)]
    assert 10 < plans[0] < plans[1] < N


def test_documents_are_read_whole(corpus, tmp_path):
    text = corpus.read_text().replace("country,press", "country,unit")
    corpus.write_text(text)
    plan_file(corpus, tmp_path / "plan", budget=40, design="stratified")
    names = annotate(tmp_path / "plan" / "sheet-1.csv", tmp_path / "labels.csv")
    assert len(names) == 160
    assert len({int(name[1:]) // 4 for name in names}) == 40
    found = estimate_file(corpus, [tmp_path / "labels.csv"], tmp_path / "plan" / "plan.json")[0]
    assert found.read == 160
    assert found.low <= Y.sum() <= found.high


def test_open_labels_are_named_in_words(corpus, tmp_path):
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=100, design="random", stream=printed)
    names = annotate(out / "sheet-1.csv", tmp_path / "l.csv")
    annotate(out / "sheet-1.csv", tmp_path / "l.csv", open_items=names[:3])
    estimate_file(corpus, [tmp_path / "l.csv"], out / "plan.json", stream=printed)
    assert "3 labels left open" in printed.getvalue()


def test_a_plan_is_never_overwritten_and_missing_labels_are_named(corpus, tmp_path):
    out = tmp_path / "plan"
    plan_file(corpus, out, budget=50)
    before = (out / "plan.json").read_bytes()
    with pytest.raises(InputError, match=r"found a plan, expected another folder, .* or the labels it asked for"):
        plan_file(corpus, out, budget=60)
    names = annotate(out / "sheet-1.csv", tmp_path / "l.csv")
    lines = (tmp_path / "l.csv").read_text().splitlines()
    (tmp_path / "l.csv").write_text("\n".join(lines[:-1]))
    with pytest.raises(InputError, match=f"l.csv: found no label of {names[-1]}; expected one of each item"):
        plan_file(corpus, out, labels=[tmp_path / "l.csv"])
    with pytest.raises(InputError, match="expected one: the labels to make"):
        plan_file(corpus, tmp_path / "other")
    with pytest.raises(InputError, match="width: found"):
        plan_file(corpus, tmp_path / "other", width=1e-6)
    assert (out / "plan.json").read_bytes() == before
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", ["sheet-1.csv", "page-1.html"])
def test_a_sheet_that_may_hold_labels_is_never_overwritten(corpus, tmp_path, name):
    """Without its plan, or as the table of predictions itself."""
    (tmp_path / name).write_bytes(corpus.read_bytes())
    items = name if name.endswith(".csv") else corpus.name
    with pytest.raises(InputError, match=f"{name}: found a file, which may hold labels"):
        plan_file(tmp_path / items, tmp_path, budget=50)
    assert (tmp_path / name).read_bytes() == corpus.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([corpus.name, name])


@pytest.mark.filterwarnings("ignore:(?s).*have the id of another:UserWarning")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,p\na,1\n", "found the columns id, p; expected one named 'q', or q= with its name"),
        ("id,q\na,x\n", "line 2, column q: found the verdict 'x', expected yes or no"),
        ("id,q\na,.1\na,.2\nb,.3\n", "found ids again, expected each once"),
    ],
)
def test_files_without_predictions_are_refused(tmp_path, content, message):
    (tmp_path / "items.csv").write_text(content)
    with pytest.raises(InputError, match=message):
        nc.plan_items(nc.read(tmp_path / "items.csv"), budget=1)


def test_a_plan_of_other_items_is_refused_with_both_files(corpus, tmp_path):
    plan_file(corpus, tmp_path / "plan", budget=50)
    other = tmp_path / "other.csv"
    other.write_text("".join(corpus.read_text().splitlines(keepends=True)[:-1]))
    annotate(tmp_path / "plan/sheet-1.csv", tmp_path / "l.csv")
    with pytest.raises(
        InputError, match=r"other\.csv: found 1999 items in 1999 units, expected the 2000 in 2000 when .*plan\.json"
    ):
        estimate_file(other, [tmp_path / "l.csv"], tmp_path / "plan/plan.json")


def test_a_column_that_is_not_there_is_named_with_the_file(corpus):
    with pytest.raises(InputError, match=r"items\.csv: found the columns id, q, .*; expected one named 'land'"):
        nc.read(corpus).column("land")


def test_of_many_groups_the_first_are_printed_and_all_written(corpus, tmp_path):
    out, labels = tmp_path / "plan", tmp_path / "l.csv"
    printed = io.StringIO()
    plan_file(corpus, out, budget=50, design="stratified", stream=printed)
    assert printed.getvalue().splitlines()[-1].startswith(f"files: {out / 'plan.json'}, {out / 'sheet-1.csv'}")
    annotate(out / "sheet-1.csv", labels)
    printed = io.StringIO()
    settings = {"by": ["id"], "out": tmp_path / "results", "stream": printed}
    estimates = estimate_file(corpus, [labels], out / "plan.json", **settings)
    printed = printed.getvalue().splitlines()
    assert len(estimates) == 2001
    first = next(place for place, line in enumerate(printed) if line.startswith("by id"))
    shown = [line.split()[1:5] for line in printed[first + 1 : first + 21]]
    assert all(row[0] == "1" and row[3] in ("0", "1") for row in shown), "counts are whole"
    own = [float(row[2]) for row in shown]
    assert own == [round(each.predicted, 1) for each in estimates[1:21]], "with the decimals of the interval"
    assert all(len(line) <= 80 for line in printed[first : first + 21])
    assert printed[first + 21] == "… and 1,980 more groups, which estimates.csv lists."
    assert printed[-1] == f"files: {tmp_path / 'results'}"


def test_a_category_that_no_label_has_is_refused(corpus, tmp_path):
    out, labels = tmp_path / "plan", tmp_path / "l.csv"
    plan_file(corpus, out, budget=40, design="random")
    names = annotate(out / "sheet-1.csv", labels)
    categories = ["protest", "visit"] * 20
    labels.write_text("item,label\n" + "".join(f"{a},{b}\n" for a, b in zip(names, categories, strict=True)))
    with pytest.raises(InputError, match=r"l\.csv: found the labels protest, visit, expected 'protests' among"):
        estimate_file(corpus, [labels], out / "plan.json", yes="protests")
    assert estimate_file(corpus, [labels], out / "plan.json", yes="visit")[0].positive == 20
    labels.write_text("item,label\n" + "".join(f"{name},no\n" for name in names))  # events may be rare
    assert estimate_file(corpus, [labels], out / "plan.json", yes="visit")[0].positive == 0


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("--budget", "x", "a whole number of at least 1"),
        ("--seed", "-1", "a whole number of at least 0"),
        ("--width", "-.1", "a number between 0 and 1"),
    ],
)
def test_options_out_of_range_are_one_line(corpus, tmp_path, capsys, option, value, expected):
    with pytest.raises(SystemExit) as stopped:
        main(["plan", "items", str(corpus), "--out", str(tmp_path / "plan"), f"{option}={value}"])
    assert stopped.value.code == 2
    wrong = capsys.readouterr().err.splitlines()[0]
    assert wrong == f"nlpcalib plan items: error: Invalid value for {option}: found '{value}', expected {expected}"


def test_the_shell_plans_and_estimates(corpus, tmp_path, capsys):
    out, labels = tmp_path / "plan", tmp_path / "l.csv"
    assert main(["plan", "items", str(corpus), "--budget", "50", "--design", "stratified", "--out", str(out)]) == 0
    annotate(out / "sheet-1.csv", labels)
    capsys.readouterr()
    assert main(["estimate", str(corpus), str(labels), "--plan", str(out / "plan.json"), "--by", "country"]) == 0
    *_, found, header, first, second = capsys.readouterr().out.splitlines()
    assert found.startswith("The ")
    assert [line.split()[0] for line in (header, first, second)] == ["by", "A", "B"]
    assert len(header) == len(first) == len(second) <= 80
    assert main(["plan", "items", str(corpus), "--budget", "50", "--out", str(out)]) == 2
    assert "found a plan" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["plan", "items", str(corpus)])
    assert "found no --out, expected nlpcalib plan items --out OUT" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["items.csv", "--budget", "9"], ["--detect", ".02"], [], ["--budget", "9", "a"]])
def test_the_one_command_that_planning_was_names_the_two_that_it_is(capsys, arguments):
    assert main(["plan", *arguments]) == 2
    wrong = capsys.readouterr().err.splitlines()[0]
    assert "expected `nlpcalib plan labels` with --detect" in wrong
    assert "`nlpcalib plan items FILE` with --budget" in wrong


def two_annotators(out, tmp_path, errors):
    """Two files of labels of the same items, the second wrong on some; return those."""
    names = annotate(out / "sheet-1.csv", tmp_path / "ana.csv")
    wrong = names[:errors]
    text = (tmp_path / "ana.csv").read_text()
    for name in wrong:
        before, after = ("yes", "no") if f"\n{name},yes\n" in text else ("no", "yes")
        text = text.replace(f"\n{name},{before}\n", f"\n{name},{after}\n")
    (tmp_path / "bo.csv").write_text(text)
    return wrong


def test_two_annotators_are_compared_and_a_third_settles(corpus, tmp_path):
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=100, design="random", stream=printed)
    wrong = two_annotators(out, tmp_path, 5)
    files = [tmp_path / "ana.csv", tmp_path / "bo.csv"]
    alone = estimate_file(corpus, files[:1], out / "plan.json")[0]
    open_items = estimate_file(corpus, files, out / "plan.json", out=tmp_path / "o", stream=printed)[0]
    said = "ana and bo differ on 5 of 100 items: they agree on 95.0 % of the corpus (95 % interval 8"
    assert said in printed.getvalue()
    assert "5 items in dispute" in printed.getvalue()
    assert open_items.low <= alone.low <= alone.high <= open_items.high
    rows = read_csv(tmp_path / "o" / "disagreements.csv")
    assert {row["item"] for row in rows} == {f"item {name}" for name in wrong}
    assert {row["label"] for row in rows} == {""}
    assert all({row["label of ana"], row["label of bo"]} == {"yes", "no"} for row in rows)
    [pair] = read_csv(tmp_path / "o" / "agreement.csv")
    assert float(pair["error"]) == pytest.approx(0.0257, abs=1e-4)
    unfilled = tmp_path / "o" / "disagreements.csv"
    with pytest.raises(InputError, match=rf"disagreements\.csv: found no label, .* such as .*{wrong[0]}"):
        estimate_file(corpus, files, out / "plan.json", settled=unfilled)
    half, printed = tmp_path / "half.csv", io.StringIO()
    half.write_text("item,label\n" + "\n".join([f"item {wrong[0]},yes", *(f"item {name}," for name in wrong[1:])]))
    estimate_file(corpus, files, out / "plan.json", settled=half, stream=printed)
    assert re.search(rf"4 items in dispute: .*{wrong[4]}.* or .*half\.csv does", printed.getvalue())
    # The list of disagreements is a sheet. Filled in, it decides, as a third annotator's labels do.
    lines = [f"{row['item']},{row['label of ana']}" for row in rows]
    cy, printed = tmp_path / "cy.csv", io.StringIO()
    cy.write_text("item,label\n" + "\n".join(lines))
    assert estimate_file(corpus, files, out / "plan.json", settled=cy, stream=printed)[0] == alone
    assert "dispute" not in printed.getvalue()
    assert "cy" not in printed.getvalue(), "what settles is no annotator to agree with"
    assert estimate_file(corpus, [*files, cy], out / "plan.json")[0] == alone


def test_sheets_of_each_phase_by_the_same_people_are_labels_of_two(corpus, tmp_path):
    """Four files whose names differ by the number of the phase, and share no item, are of two annotators."""
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=100)
    two_annotators(out, tmp_path, 6)
    sheets = []
    for name in ("ana", "bo"):
        first, *rows = (tmp_path / f"{name}.csv").read_text().splitlines()
        for phase, part in ((1, rows[::2]), (2, rows[1::2])):
            sheets.append(tmp_path / f"phase{phase}_{name}.csv")
            sheets[-1].write_text("\n".join([first, *part]) + "\n")
    estimate_file(corpus, sheets, out / "plan.json", out=tmp_path / "o", stream=printed)
    assert printed.getvalue().count("differ on") == 1
    assert "phase1_ana and phase2_ana" in printed.getvalue()
    assert "of one annotator alone" not in printed.getvalue()
    pairs = read_csv(tmp_path / "o" / "agreement.csv")
    assert [int(pair["items"]) for pair in pairs] == [
        sum(len(path.read_text().splitlines()) - 1 for path in sheets[:2])
    ]
    for pair in pairs:
        assert float(pair["kappa_low"]) < float(pair["kappa"]) < float(pair["kappa_high"])


def test_a_sheet_of_disagreements_that_is_filled_in_is_never_lost(corpus, tmp_path):
    out, results = tmp_path / "plan", tmp_path / "results"
    plan_file(corpus, out, budget=60, design="random")
    wrong = two_annotators(out, tmp_path, 2)
    call = (corpus, [tmp_path / "ana.csv", tmp_path / "bo.csv"], out / "plan.json")
    for _ in range(2):
        estimate_file(*call, out=results)
    sheet = results / "disagreements.csv"
    sheet.write_text(re.sub(rf"(item {wrong[0]},.*),$", r"\1,cannot tell", sheet.read_text(), flags=re.MULTILINE))
    filled = sheet.read_text()
    with pytest.raises(InputError, match=r"disagreements.csv: found a sheet that was filled in, expected --settled "):
        estimate_file(*call, out=results)
    estimate_file(*call, out=results, settled=sheet)
    assert sheet.read_text() == filled
    assert "cannot tell" in filled
    assert json.loads((results / "estimates.json").read_text())["files"].keys() >= {"disagreements.csv"}


def test_a_later_part_names_what_is_in_dispute_and_how_to_settle_it(corpus, tmp_path):
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=200, design="two-phase", stream=printed)
    assert "dispute" not in printed.getvalue()
    wrong = two_annotators(out, tmp_path, 3)
    files, first = [tmp_path / "ana.csv", tmp_path / "bo.csv"], (out / "plan.json").read_text()
    plan_file(corpus, out, labels=files, stream=printed)
    line = next(line for line in printed.getvalue().splitlines() if "dispute" in line)
    assert line == (
        f"3 items in dispute: {', '.join(wrong)}. Each counts as half a positive item, until one more annotator labels "
        "them, or disagreements.csv of nlpcalib estimate --out, filled in and passed as --settled, does."
    )
    (out / "plan.json").write_text(first)
    for name in ("sheet-2.csv", "page-2.html"):
        (out / name).unlink()
    settled, printed = tmp_path / "ana.csv", io.StringIO()
    plan = plan_file(corpus, out, labels=files, settled=settled, stream=printed)
    assert "dispute" not in printed.getvalue()
    assert plan.complete


def test_the_same_sheet_under_another_name_is_no_second_annotator(corpus, tmp_path):
    out, printed = tmp_path / "plan", io.StringIO()
    plan_file(corpus, out, budget=60, design="random")
    annotate(out / "sheet-1.csv", tmp_path / "ana.csv")
    alone = estimate_file(corpus, [tmp_path / "ana.csv"], out / "plan.json")
    lines = (tmp_path / "ana.csv").read_text().splitlines()
    (tmp_path / "bo.csv").write_text("\r\n".join([lines[0], *lines[:0:-1]]))
    with pytest.warns(UserWarning, match=r"1 file left out, a copy of another one: .*bo\.csv"):
        both = estimate_file(corpus, [tmp_path / "ana.csv", tmp_path / "bo.csv"], out / "plan.json", stream=printed)
    assert both == alone
    assert "agree" not in printed.getvalue()
    named = [f"{line},{'annotator' if line == lines[0] else 'Bo'}" for line in lines]
    (tmp_path / "bo.csv").write_text("\n".join(named))
    estimate_file(corpus, [tmp_path / "ana.csv", tmp_path / "bo.csv"], out / "plan.json", stream=printed)
    assert "ana and Bo differ on 0 of 60 items" in printed.getvalue()


def test_a_plan_of_other_texts_and_a_sheet_of_another_file_are_refused(corpus, tmp_path):
    out, labels = tmp_path / "plan", tmp_path / "sheet.csv"
    plan_file(corpus, out, budget=40, design="random")
    sheet = (out / "sheet-1.csv").read_text(encoding="utf-8-sig")
    lines = sheet.splitlines()
    filled = [lines[0], *(f"{line}no" for line in lines[1:])]
    labels.write_text("\r\n".join(filled).replace("text ", "text  "))
    estimate_file(corpus, [labels], out / "plan.json")
    words = filled[3].split(",")
    labels.write_text("\n".join([*filled[:3], f"{words[0]},another text,no", *filled[4:]]))
    with pytest.raises(InputError, match=r"sheet\.csv, line 4: found the text 'another text' of the item 'd\d+', exp"):
        estimate_file(corpus, [labels], out / "plan.json")
    corpus.write_text(corpus.read_text().replace(",text 7,", ",text seven,"))
    with pytest.raises(InputError, match=r"items\.csv: found the plan's 2000 items with other ids, .* or texts"):
        estimate_file(corpus, [labels], out / "plan.json")


def test_the_list_of_disagreements_has_the_names_of_the_labels(corpus, tmp_path):
    out = tmp_path / "plan"
    plan_file(corpus, out, budget=100, design="random")
    two_annotators(out, tmp_path, 5)
    files = [tmp_path / "ana.csv", tmp_path / "bo.csv"]
    for path, name in zip(files, ("protest", "Protest"), strict=True):
        path.write_text(path.read_text().replace(",yes\n", f",{name}\n").replace(",no\n", ",other\n"))
    printed = io.StringIO()
    estimate_file(corpus, files, out / "plan.json", yes="protest", out=tmp_path / "o", stream=printed)[0]
    assert "Labels counted as no: other." in printed.getvalue()
    rows = read_csv(tmp_path / "o" / "disagreements.csv")
    assert all({row["label of ana"], row["label of bo"]} == {"protest", "no"} for row in rows)
    sheet = tmp_path / "settled.csv"
    sheet.write_text("item,label\n" + "".join(f"{row['item']},{row['label of ana']}\n" for row in rows))
    settings = {"yes": "protest"}
    settled = estimate_file(corpus, files, out / "plan.json", settled=sheet, out=tmp_path / "s", **settings)
    assert f"another reading decided ({len(rows)} items)" in " ".join((tmp_path / "s/methods.md").read_text().split())
    assert "another reading decided" not in (tmp_path / "o/methods.md").read_text()
    assert settled == estimate_file(corpus, files[:1], out / "plan.json", **settings)


def test_one_annotator_has_no_agreement(corpus, tmp_path):
    out = tmp_path / "plan"
    plan_file(corpus, out, budget=50, design="random")
    annotate(out / "sheet-1.csv", tmp_path / "l.csv")
    estimate_file(corpus, [tmp_path / "l.csv"], out / "plan.json", out=tmp_path / "o")
    assert {path.name for path in (tmp_path / "o").iterdir()} >= {"estimates.csv", "estimates.json"}
    assert not (tmp_path / "o" / "agreement.csv").exists()


def test_a_year_that_no_label_reaches_may_have_any_number(corpus, tmp_path):
    lines = corpus.read_text().splitlines()
    out = tmp_path / "plan"
    plan_file(corpus, out, budget=200, design="stratified")
    names = set(annotate(out / "sheet-1.csv", tmp_path / "l.csv"))
    # The last year begins after the last item that was read.
    last = max(int(name[1:]) for name in names)
    years = ["year", *("2001" if row > last else str(1990 + row * 5 // N) for row in range(N))]
    corpus.write_text("\n".join(f"{line},{year}" for line, year in zip(lines, years, strict=True)))
    found = estimate_file(corpus, [tmp_path / "l.csv"], out / "plan.json", by=["year"])
    _, *others, end = found
    assert (end.group, end.read, end.low, end.high) == ("2001", 0, 0, end.items)
    assert end.notes.startswith("No item was read: the interval has every number")
    assert sum(each.total for each in found[1:]) == pytest.approx(found[0].total, abs=1e-6)
    assert all(each.read > 0 and each.high < each.items for each in others)


def test_groups_that_are_no_column_are_refused(corpus, tmp_path):
    plan_file(corpus, tmp_path / "plan", budget=40, design="stratified")
    annotate(tmp_path / "plan/sheet-1.csv", tmp_path / "l.csv")
    with pytest.raises(InputError, match="expected one named 'nope'"):
        command("estimate", corpus, tmp_path / "l.csv", plan=tmp_path / "plan/plan.json", by="nope")


def test_a_folder_with_a_plan_is_refused_before_items_are_read(corpus, tmp_path):
    plan_file(corpus, tmp_path / "plan", budget=40)
    corpus.write_text("no table", encoding="utf-8")
    with pytest.raises(InputError, match="found a plan, expected another folder"):
        plan_file(corpus, tmp_path / "plan", budget=40)
