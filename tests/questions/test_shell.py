"""The shell prints the answer in a few lines, and refuses in one."""

import inspect
import json
import os
import re
import runpy
import shlex
import subprocess
import sys
import termios
import warnings
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import app, main
from nlpcalib.cli.example import EXAMPLES, FOLDER


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    q = rng.beta(0.3, 0.8, 1500).round(3)
    y = rng.random(1500) < q**1.3
    path = tmp_path / "pairs.csv"
    rows = (
        f"{a},{int(b)},{'rare' if row < 12 else 'often'},{row // 5}"
        for row, (a, b) in enumerate(zip(q, y, strict=True))
    )
    path.write_text("q,y,label,unit\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def run(capfd, *arguments):
    status = main([str(argument) for argument in arguments])
    printed = capfd.readouterr()
    return status, printed.out.splitlines(), printed.err


def test_calibrate_answers_in_four_to_seven_lines(table, capfd, tmp_path):
    status, lines, errors = run(capfd, "calibrate", table, "--out", tmp_path / "out")
    assert (status, errors) == (0, f"nlpcalib: {table}: 1,500 rows; ids: none; units: 300\n")
    assert 4 <= len(lines) <= 7
    assert max(map(len, lines[1:-2])) <= 100  # the first and the last two have paths
    assert "1,500 pairs" in lines[0]
    assert re.search(r"calibration error \.\d{4} \(95 % interval .* to .*\) over \d+ bins", lines[1])
    assert lines[2].startswith("direction: ")
    assert re.match(r"classes: 2; (none clearly|miscalibrated \(Holm\): often \.\d{4}$)", lines[3])
    assert lines[4] == "too few positive or negative labels for an interval: rare"
    assert lines[5].startswith("next: ")
    assert lines[6] == f"files: {tmp_path / 'out'}"


@pytest.mark.parametrize("options", [[], ["--by", "my market"], ["--unit", "doc", "--yes", "tak"]])
def test_the_next_command_of_calibrate_runs(options, capfd, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    q = rng.random(900)
    right = np.where(rng.random(900) < q**2, "tak", "nie")
    rows = (f"{q[n]},{right[n]},{n % 3},{n // 3}" for n in range(900))
    words = "\n".join(["q,y,my market,doc", *rows])
    Path("my pairs.csv").write_text(words if "tak" in options else words.replace("tak", "1").replace("nie", "0"))
    status, lines, _ = run(capfd, "calibrate", "my pairs.csv", *options)
    last = lines[-1].removeprefix("next: nlpcalib ")
    assert (status, shlex.split(last)) == (0, ["recalibrate", "my pairs.csv", *options, "--out", "recalibrated"])
    assert run(capfd, *shlex.split(last))[0] == 0
    assert Path("recalibrated", "recalibrated.csv").is_file()


def test_labels_drawn_by_their_answer_have_no_command_that_refuses_them(capfd, tmp_path):
    rng = np.random.default_rng(1)
    q = rng.random(900)
    path = tmp_path / "pairs.csv"
    path.write_text("q,y\n" + "\n".join(f"{each},{int(rng.random() < each**2)}" for each in q))
    lines = run(capfd, "calibrate", path, "--drawn", "answer", "--base-rate", ".05")[1]
    assert lines[-1] == "next: label a random sample to recalibrate"


def test_without_a_folder_nothing_is_written(table, capfd, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert run(capfd, "calibrate", table)[0] == 0
    assert sorted(tmp_path.iterdir()) == before


def test_compare_names_the_better_model(table, capfd, tmp_path):
    text = table.read_text(encoding="utf-8").splitlines()
    worse = tmp_path / "worse.csv"
    rows = (f"{float(line.split(',', 1)[0]) ** 0.5},{line.split(',', 1)[1]}" for line in text[1:])
    worse.write_text("\n".join([text[0], *rows]) + "\n", encoding="utf-8")
    status, lines, _ = run(capfd, "compare", table, worse, "--out", tmp_path / "out")
    assert status == 0
    assert lines[-2] == "choose pairs; worse is shown worse in calibration error and log loss"
    assert (tmp_path / "out/reliability.png").exists()


@pytest.fixture
def classifiers(tmp_path):
    """Return tables of three classifiers of 600 texts, the second with its columns and rows in another order."""
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 1.5, (3, 600, 3)) + rng.normal(0, 1.5, (600, 3))
    right = [("ham", "spam", "other, maybe")[k] for k in logits.mean(axis=0).argmax(axis=1)]
    paths = []
    for number, order in enumerate(([0, 1, 2], [2, 0, 1], [0, 1, 2])):
        q = np.exp((1, 2.5, 1)[number] * logits[number])
        q /= q.sum(axis=1, keepdims=True)
        names = ["ham", "spam", '"other, maybe"']
        rows = [
            ",".join(
                [f"t{row}", '"other, maybe"' if "," in right[row] else right[row], *(f"{q[row, k]:.9f}" for k in order)]
            )
            for row in (range(600) if number != 1 else reversed(range(600)))
        ]
        paths.append(tmp_path / f"model_{number}.csv")
        paths[-1].write_text("\n".join([",".join(["id", "gold", *(names[k] for k in order)]), *rows]) + "\n")
    return paths


def test_compare_takes_several_ordinary_classifiers(classifiers, capfd, tmp_path):
    status, lines, _ = run(capfd, "compare", *classifiers, "--out", tmp_path / "out")
    assert status == 0
    assert lines[0] == "600 predictions of the likeliest class, joined by id"
    assert [line for line in lines[1:-3] if not line.startswith(" ")] == [
        "calibration error of the top class", "calibration error of all classes", "accuracy", "log loss",
    ]  # fmt: skip
    assert lines[-2].startswith("open between model_0 and model_2; model_1 is shown worse in calibration error")
    assert (tmp_path / "out/models.csv").exists()


def test_limits_set_the_exit_status_after_the_answer(classifiers, capfd):
    first, worse, _ = classifiers
    status, _, errors = run(capfd, "compare", first, worse, "--fail-if-worse", "--fail-above", ".05")
    assert status == 3
    assert "model_1: calibration error of the top class ." in errors
    assert "above 0.05; model_1 is shown worse than model_0 in calibration error of the top class" in errors
    assert run(capfd, "compare", worse, first, "--fail-if-worse")[0] == 0
    assert run(capfd, "calibrate", worse, "--fail-above", ".05")[0] == 3
    assert run(capfd, "calibrate", worse, "--fail-above", ".9")[0] == 0


def test_compare_names_the_files_whose_rows_differ(table, capfd, tmp_path):
    lines = table.read_text(encoding="utf-8").splitlines()
    other = tmp_path / "other.csv"
    lines[1], lines[2] = "0.1,0,often,0", "0.2,1,often,0"
    table.write_text("\n".join(lines), encoding="utf-8")
    other.write_text("\n".join([lines[0], lines[2], lines[1], *lines[3:]]), encoding="utf-8")
    status, _, errors = run(capfd, "compare", table, other)
    found = "row 1: found y False in one and True in the other, expected the same events in the same order"
    assert (status, errors) == (2, f"nlpcalib: {table}, {other}: {found}\n")


@pytest.fixture
def two_models(tmp_path):
    """Return two models of the same 400 events with ids, the second less sure, and its rows by id."""
    rng = np.random.default_rng(3)
    q = rng.random(400)
    y = rng.random(400) < q
    lines = [[f"e{row},{value[row]:.6f},{int(y[row])}" for row in range(400)] for value in (q, 0.2 + 0.6 * q)]
    (tmp_path / "a.csv").write_text("\n".join(["id,q,y", *lines[0]]))
    return tmp_path / "a.csv", tmp_path / "b.csv", lines[1]


def test_compare_joins_by_id_whatever_the_order(two_models, capfd):
    first, second, rows = two_models
    second.write_text("\n".join(["id,q,y", *rows]))
    _, aligned, _ = run(capfd, "compare", first, second)
    assert aligned[0] == "400 pairs, joined by id"
    order = np.random.default_rng(4).permutation(400)
    second.write_text("\n".join(["id,q,y", *(rows[row] for row in order)]))
    _, joined, _ = run(capfd, "compare", first, second)
    assert joined == aligned
    second.write_text("\n".join(["id,q,y", *(f" {rows[row]}" for row in order)]))
    assert run(capfd, "compare", first, second)[1] == aligned


def test_compare_reports_that_rows_without_ids_are_taken_as_they_stand(two_models, capfd):
    first, second, rows = two_models
    second.write_text("\n".join(["name,q,y", *rows]))
    _, lines, _ = run(capfd, "compare", first, second)
    assert lines[0] == "400 pairs, rows taken to be in the same order: no column id in all"


def test_compare_refuses_other_ids_and_repeated_ones_in_another_order(two_models, capfd):
    first, second, rows = two_models
    second.write_text("\n".join(["id,q,y", *rows[:-1], rows[-1].replace("e399", "f399")]))
    status, _, errors = run(capfd, "compare", first, second)
    assert (status, errors) == (
        2,
        f"nlpcalib: {first}, {second}: found 1 id in the first alone, such as 'e399', expected the same ids in both\n",
    )
    status, _, errors = run(capfd, "compare", first, first, second)
    assert (status, errors.partition(": found")[0]) == (2, f"nlpcalib: {first}, {second}")
    first.write_text(first.read_text().replace("e1,", "e0,"))
    second.write_text("\n".join(["id,q,y", rows[0].replace("e0", "e2"), rows[1].replace("e1", "e0"), *rows[2:]]))
    status, _, errors = run(capfd, "compare", first, second)
    assert status == 2
    assert "row 1: found the id 'e0' in one and 'e2' in the other, and ids that stand more than once" in errors


def test_the_level_is_named_wherever_an_interval_is(table, capfd, tmp_path):
    _, lines, _ = run(capfd, "calibrate", table, "--level", ".9")
    assert "(90 % interval" in lines[1]
    _, lines, _ = run(capfd, "calibrate", table, "--level", ".975")
    assert "(97.5 % interval" in lines[1]


def test_the_help_of_plan_has_a_command_for_each_question(capsys):
    assert main(["plan", "--help"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^\W*labels +Plan how many labels.*\n\W*items +Choose the items", printed, re.MULTILINE)


def test_recalibrate_prints_the_error_before_and_after(table, capfd):
    status, lines, _ = run(capfd, "recalibrate", table, "--method", "temperature")
    assert status == 0
    assert lines[1].startswith("before calibration error")
    assert lines[2].startswith("after  calibration error")


def test_a_limit_that_no_interval_can_be_shown_above_fails_with_the_reason(tmp_path, capfd):
    path = tmp_path / "few.csv"
    path.write_text("q,y\n" + "".join(f".{70 + row},1\n" for row in range(9)), encoding="utf-8")
    status, _, err = run(capfd, "calibrate", path, "--fail-if-shown-above", ".2")
    assert status == 3
    assert "no interval shows that it is at most 0.2; label more" in err
    other = tmp_path / "other.csv"
    other.write_text(path.read_text(encoding="utf-8").replace(".7", ".6"), encoding="utf-8")
    for limit in (["--fail-if-shown-above", ".2"], ["--fail-if-worse"]):
        status, _, err = run(capfd, "compare", path, other, *limit)
        assert status == 3, limit
        assert "no interval shows" in err


@pytest.mark.parametrize("command", ["calibrate", "compare", "recalibrate", "coref"])
def test_an_unknown_option_is_refused_by_its_name(command, capfd):
    files = ["a.csv", "b.csv"] if command == "compare" else ["a.csv"]
    with pytest.raises(SystemExit) as stopped:
        main([command, *files, "--colour", "red"])
    assert stopped.value.code == 2
    printed = capfd.readouterr().err
    wrong, advice = printed.splitlines()
    assert wrong.startswith(f"nlpcalib {command}: error: ")
    assert "Unknown option: --colour" in wrong
    assert advice == f"nlpcalib {command} --help explains each option."


@pytest.mark.parametrize("command", ["calibrate", "recalibrate"])
def test_a_missing_file_is_answered_before_any_library_is_loaded(command):
    code = (
        "import sys; from nlpcalib.cli.app import main; status = main(sys.argv[1:]); "
        "print(status, [name for name in ('numpy', 'scipy', 'matplotlib', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, command, "no.csv"], capture_output=True, text=True, check=True)
    assert done.stdout == "2 []\n"
    assert done.stderr == "nlpcalib: no.csv: no such file\n"


def test_an_unknown_method_is_one_line(table, capfd):
    status, lines, errors = run(capfd, "calibrate", table, "--method", "best")
    assert (status, lines) == (2, [])
    assert errors.count("\n") == 1


def arguments_of(command):
    if command.default_command:
        yield from command.assemble_argument_collection(parse_docstring=True)
    for name in command:
        if not name.startswith("-") and name != "install-completion":
            yield from arguments_of(command[name])


def test_the_help_names_the_default_of_each_option_that_has_one():
    shown = [each for each in arguments_of(app) if each.parameter.show is not False and each.name.startswith("--")]
    assert {"--level", "--style", "--samples", "--format"} <= {each.name for each in shown}
    without = (None, False, "", (), [], inspect.Parameter.empty)
    silent = [
        each.name for each in shown if each.field_info.default not in without and "default" not in each.parameter.help
    ]
    assert silent == []


def test_no_help_keeps_the_indentation_of_its_source():
    options = [each for each in arguments_of(app) if each.parameter.show is not False and each.parameter.help]
    assert options
    assert [each.name for each in options if "\n " in each.parameter.help] == []


def test_a_file_may_be_called_like_an_option(monkeypatch, tmp_path, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-a").write_text("q,y\n.4,1\n.3,0\n", encoding="utf-8")
    assert run(capfd, "calibrate", "--", "-a")[1][0].startswith(f"{tmp_path}/-a: 2 pairs")
    with pytest.raises(SystemExit):
        main(["calibrate", "-a"])
    assert "Unknown option: -a" in capfd.readouterr().err


def test_predictions_of_the_other_class_are_not_to_be_recalibrated(tmp_path):
    rng = np.random.default_rng(3)
    q = rng.random(500)
    with pytest.warns(nc.InputWarning, match="is it of the other class"):
        found = nc.calibrate(q, rng.random(500) < 1 - q)
    assert found.advice() == "check which class the predictions are of: labels are rarer where they are high"


def test_a_command_leaves_warnings_as_they_were(table, capfd):
    before = warnings.showwarning, list(warnings.filters)
    run(capfd, "calibrate", table)
    assert (warnings.showwarning, list(warnings.filters)) == before


QUESTIONS = ("calibrate {0}", "compare {0} {1}", "recalibrate {0} --method beta")


@pytest.mark.parametrize("question", QUESTIONS)
def test_json_is_the_record(question, table, tmp_path, capfd):
    other = tmp_path / "other.csv"
    head, *rows = table.read_text(encoding="utf-8").splitlines()
    worse = (f"{float(q) ** 0.5},{rest}" for q, _, rest in (row.partition(",") for row in rows))
    other.write_text("\n".join([head, *worse]) + "\n", encoding="utf-8")
    words = question.format(table, other).split()
    status, lines, _ = run(capfd, *words, "--json", "--out", tmp_path / "out")
    assert status == 0
    (saved,) = (path for path in (tmp_path / "out").glob("*.json") if path.name != "map.json")
    content = json.loads(saved.read_text(encoding="utf-8"))
    printed = json.loads("\n".join(lines))
    headline = {"passed", "error", "low", "high", "ece", "accuracy"}
    assert printed.keys() - headline
    assert {name: printed[name] for name in printed.keys() - headline} == {
        name: content[name] for name in printed.keys() - headline
    }
    assert printed.keys() >= content.keys() - {"files", "inputs"}


def test_a_limit_of_the_lower_end_passes_where_chance_alone_may_have_made_the_error(table, capfd):
    report = nc.calibrate(nc.read(table))
    low, error = report.interval[0], report.error
    between = (low + error) / 2
    assert run(capfd, "calibrate", table, "--fail-above", between)[0] == 3
    assert run(capfd, "calibrate", table, "--fail-if-shown-above", between)[0] == 0
    status, _, err = run(capfd, "calibrate", table, "--fail-if-shown-above", low / 2)
    assert status == 3
    assert "shown above" in err
    assert run(capfd, "compare", table, table, "--fail-if-shown-above", low / 2)[0] == 3


def test_a_limit_of_0_asks_the_answer_that_is_printed(tmp_path, capfd):
    """Intercept and slope show what bins do not, and the interval may begin above 0 where no test shows an error."""
    seen = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        odds = rng.normal(0, 1.5, 150)
        y = rng.random(150) < 1 / (1 + np.exp(-odds * (0.6 if seed % 2 else 1)))
        path = tmp_path / f"{seed}.csv"
        rows = zip(1 / (1 + np.exp(-odds)), y.astype(int), strict=True)
        path.write_text("q,y\n" + "".join(f"{q:.6f},{label}\n" for q, label in rows), encoding="utf-8")
        lines, low = nc.calibrate(nc.read(path)).lines(), nc.calibrate(nc.read(path)).interval[0]
        by_tests = "show an error" in lines[1] and "neither" not in lines[1]
        shown = by_tests or (low > 0 and "neither" not in lines[1])
        if by_tests or "neither" in lines[1]:
            seen.add((low > 0, shown))
            status, _, err = run(capfd, "calibrate", path, "--fail-if-shown-above", "0")
            assert status == (3 if shown else 0)
            assert ("Cox's test" in err) == shown
    assert (False, True) in seen


def test_the_printed_command_has_the_level(table, capfd):
    assert "--level 0.9 " in run(capfd, "calibrate", table, "--level", ".9")[1][-1]
    assert "--level" not in run(capfd, "calibrate", table)[1][-1]


def test_a_label_after_the_column_names_the_option_of_labels(table, capfd):
    _, _, err = run(capfd, "calibrate", table, "--y", "y=1")
    assert "expected one named 'y=1': --yes 1 names the label in y that counts as yes" in err


def test_a_limit_of_the_lower_end_is_also_one_for_each_label(tmp_path, capfd):
    """A label of a tenth of the rows is .2 too high, which the error of all rows hides."""
    rng = np.random.default_rng(5)
    n, names = 4000, ("a", "b", "c", "bad")
    label = rng.choice(4, n, p=[0.3, 0.3, 0.3, 0.1])
    q = rng.uniform(0.3, 0.9, n)
    right = q - 0.2 * (label == 3)
    y = rng.random(n) < right
    path, sound = tmp_path / "labels.csv", tmp_path / "sound.csv"
    for each, predicted in ((path, q), (sound, right)):
        rows = "".join(f"{p:.4f},{int(t)},{names[k]}\n" for p, t, k in zip(predicted, y, label, strict=True))
        each.write_text("q,y,label\n" + rows, encoding="utf-8")
    assert nc.calibrate(nc.read(path)).interval[0] < 0.07
    status, _, err = run(capfd, "calibrate", path, "--fail-if-shown-above", ".07")
    assert status == 3
    assert "classes shown above 0.07, with intervals that hold together: bad ." in err
    assert run(capfd, "compare", sound, path, "--fail-if-shown-above", ".07")[0] == 3
    assert run(capfd, "calibrate", path, "--fail-if-shown-above", ".25")[0] == 0
    assert run(capfd, "calibrate", sound, "--fail-if-shown-above", ".01")[0] == 0


def test_intervals_of_labels_that_hold_together_are_those_of_a_higher_level():
    rng = np.random.default_rng(6)
    q = rng.uniform(0.3, 0.9, 3000)
    y, label = rng.random(3000) < q - 0.08, np.repeat(["a", "b", "c"], 1000)
    lows = [nc.calibrate(q[part], y[part], level=1 - 0.05 / 3).interval[0] for part in map(label.__eq__, "abc")]
    report = nc.calibrate(nc.read(q, y=y, predicted=label))
    for limit in (*lows, min(lows) - 1e-6, max(lows) + 1e-6):
        found = [line.partition(" ")[0] for line in report.classes_shown_above(limit)]
        assert sorted(found) == [name for name, low in zip("abc", lows, strict=True) if low > limit]


def test_a_map_is_one_line_in_a_session(table):
    assert "\n" not in repr(nc.recalibrate(table).map)
    assert len(repr(nc.recalibrate(table).map)) < 100


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("calibrate", "600 predictions of the likeliest class"),
        ("recalibrate", "after  calibration error of the top class"),
        ("estimate", "2024: "),
        ("events", "protest: 110 of 300 documents report an event"),
    ],
)
def test_an_example_runs_on_tables_of_the_package_and_names_its_command(command, shown, capfd):
    status, lines, err = run(capfd, command, "--example")
    assert status == 0
    assert any(shown in line for line in lines)
    made = re.search("the example is: nlpcalib (.*)", err)[1]
    assert run(capfd, *shlex.split(made))[1] == lines


def test_a_command_without_an_example_names_those_that_have_one(capfd):
    status, _, err = run(capfd, "compare", "--example")
    assert status == 2
    assert "found the command compare, expected one of calibrate, recalibrate, estimate, events" in err


def test_the_examples_are_what_their_tool_makes(tmp_path, monkeypatch):
    tool = runpy.run_path(str(Path(__file__).parents[2] / "tools/example_tables.py"))
    made = sorted(tool["FOLDER"].iterdir())
    monkeypatch.setitem(tool["main"].__globals__, "FOLDER", tmp_path)
    tool["main"]()
    assert {path.name: path.read_bytes() for path in made} == {
        path.name: path.read_bytes() for path in tmp_path.iterdir()
    }
    true = [row["protest"] for row in tool["news"]()]
    estimated = nc.estimate(nc.read(tmp_path / "news.csv", tmp_path / "labels.csv", plan=tmp_path / "plan.json"))
    assert estimated.low <= sum(true) <= estimated.high


def in_terminal(*arguments, columns):
    """Return the lines that a command prints in a terminal of so many columns."""
    screen, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (40, columns))
    command = [sys.executable, "-m", "nlpcalib", *arguments]
    process = subprocess.Popen(command, stdout=terminal, stderr=terminal, stdin=subprocess.DEVNULL)
    os.close(terminal)
    printed = b""
    try:
        while part := os.read(screen, 1 << 16):
            printed += part
    except OSError:  # the terminal's end, in Linux
        pass
    os.close(screen)
    assert process.wait() == 0
    return printed.decode().rpartition("\x1b[K")[2].splitlines()  # without progress


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "most"), [(80, 80), (200, 100)])
@pytest.mark.parametrize("command", EXAMPLES)
def test_a_line_fits_a_terminal_and_breaks_no_word(command, columns, most, capfd):
    lines = in_terminal(command, "--example", columns=columns)
    assert [line for line in lines if len(line) > most and " " in line.strip()] == []
    assert main([command, "--example"]) == 0
    captured = capfd.readouterr()
    assert set(" ".join(lines).split()) <= set((captured.err + captured.out).split())


@pytest.mark.filterwarnings("ignore:.*have the same predictions:nlpcalib.InputWarning")
def test_reports_are_data_frames_with_the_rows_of_their_files(tmp_path):
    pd = pytest.importorskip("pandas")
    predictions, news = FOLDER / "predictions.csv", FOLDER / "news.csv"
    reports = {
        "by_class.csv": nc.calibrate(nc.read(predictions)),
        "comparison.csv": nc.compare(nc.read(predictions), nc.read(predictions)),
        "recalibration.csv": nc.recalibrate(predictions, method="temperature"),
        "estimates.csv": nc.estimate(nc.read(news, FOLDER / "labels.csv", plan=FOLDER / "plan.json"), by="year(date)"),
        "rates.csv": nc.judge(nc.read([1, 0, 1, 1, 0, 0] * 9, [1, 0, 1, 0, 0, 1] * 9)),
        "totals.csv": nc.find_events(news, "protest", period="year"),
    }
    for name, report in reports.items():
        report.save(tmp_path / name)
        saved, frame = pd.read_csv(tmp_path / name / name), report.to_frame()
        assert list(frame.columns) == list(saved.columns), name
        rows = frame.head(len(saved))
        for column in saved.select_dtypes("number"):
            np.testing.assert_allclose(pd.to_numeric(rows[column]), saved[column], err_msg=f"{name} {column}")
        assert "\n" not in repr(report), name
        assert len(repr(report)) < 300, name
    assert len(reports["totals.csv"].to_frame()) == 5 + 4 * len(reports["totals.csv"].countries)


def test_events_print_their_totals_as_json(capfd):
    status, lines, _ = run(capfd, "events", "--example", "--json", "--period", "year")
    found = json.loads("\n".join(lines))
    assert status == 0
    assert [row["period"] for row in found["totals"]] == ["all", "2021", "2022", "2023", "2024"]
    assert found["totals"][0]["mean"] == pytest.approx(sum(row["mean"] for row in found["totals"][1:]))


OF_EVERY_COMMAND = ("plan labels --detect .02", "learn news.csv marks.csv --out events.json", "spans scores.jsonl")


@pytest.mark.parametrize("line", OF_EVERY_COMMAND)
def test_commands_without_a_folder_of_results_print_json_too(line, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = ("Rain falls in France", "Workers strike in Peru")
    news = [f"{row},2020-01-{row + 1:02},{said[row % 2]} on day {row}." for row in range(24)]
    Path("news.csv").write_text("\n".join(["id,date,text", *news]) + "\n", encoding="utf-8")
    marks = [f"{row},{'PER' if row % 2 else 'none'}" for row in range(24)]
    Path("marks.csv").write_text("\n".join(["item,label", *marks]) + "\n", encoding="utf-8")
    scores = [{"labels": ["O", "B-PER", "I-PER"]}, {"logits": [[2, 1, 0], [0, 1, 2]]}]
    Path("scores.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in scores), encoding="utf-8")
    status, lines, err = run(capfd, *line.split(), "--json")
    assert (status, err) == (0, "")
    assert len(json.loads("\n".join(lines))) > 3


def test_usage_names_every_argument(capfd):
    for command in ("calibrate", "judge", "verify", "plan labels", "plan items", "learn", "coref", "estimate"):
        main([*command.split(), "--help"])
        usage = capfd.readouterr().out.splitlines()[0]
        assert "ARGS" not in usage
        assert usage.startswith(f"Usage: nlpcalib {command} ")


def test_json_begins_with_the_headline(capfd, tmp_path):
    (tmp_path / "verdicts.csv").write_text("id,verdict,y\n" + "".join(f"{n},{n % 2},{n % 3 % 2}\n" for n in range(60)))
    shown = {
        "calibrate --example": ["passed", "error", "low", "high", "accuracy", "ece"],
        "recalibrate --example": ["error_before", "error_after"],
        "estimate --example": ["total", "low", "high"],
        f"judge {tmp_path / 'verdicts.csv'}": ["passed", "rate", "low", "high", "judge_alone"],
    }
    for words, names in shown.items():
        status, lines, _ = run(capfd, *words.split(), "--json")
        assert (status, list(json.loads("\n".join(lines)))[: len(names)]) == (0, names)


def test_a_limit_above_0_asks_the_interval_and_0_what_is_shown():
    """Here the interval begins above 0, and neither of the two tests shows an error at its half of the level."""
    random = np.random.default_rng(21)
    q = random.random(400)
    report = nc.calibrate(q, random.random(400) < 0.07 + 0.86 * q)
    assert report.interval[0] > 0.01
    assert report.shown_above(0.005).startswith("calibration error")
    assert not report.shown_above(0)
