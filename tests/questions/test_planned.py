"""As many labels as are planned detect the error as often as was wanted."""

import re
import shlex

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.calibration import METHODS, Pairs, Settings, SortedPairs
from nlpcalib.cli.app import main
from nlpcalib.questions.plan_labels import estimated_design_effect


def test_a_smaller_error_a_higher_power_and_dependence_take_more_labels():
    base = nc.plan_labels(detect=0.05).labels
    assert nc.plan_labels(detect=0.025).labels > 3 * base
    assert nc.plan_labels(detect=0.05, power=0.9).labels > base
    assert nc.plan_labels(detect=0.05, level=0.99).labels > base
    assert nc.plan_labels(detect=0.05, prevalence=0.1).labels < base
    assert 2 * base < nc.plan_labels(detect=0.05, design_effect=2).labels < 3 * base


@pytest.mark.slow
@pytest.mark.parametrize(("detect", "lowest", "highest"), [(0.03, 0.15, 0.85), (0.08, 0.3, 0.9)])
def test_the_plan_keeps_its_power(detect, lowest, highest):
    """An error of the same size everywhere, above or below the diagonal by turns."""
    rng = np.random.default_rng(0)
    n = nc.plan_labels(rng.uniform(lowest, highest, 5000), detect=detect).labels
    found = 0
    for _ in range(200):
        q = rng.uniform(lowest, highest, n)
        y = rng.random(n) < q + detect * np.where(np.sin(6 * q) > 0, 1, -1)
        found += METHODS["bias_corrected_rms/score"](SortedPairs(q, y), Settings()).low > 0
    assert found / 200 == pytest.approx(0.8, abs=0.1)


def test_units_that_repeat_a_label_have_their_size_as_design_effect():
    rng = np.random.default_rng(1)
    q = np.repeat(rng.random(2000), 5)
    y = np.repeat(rng.random(2000) < q[::5], 5)
    assert estimated_design_effect(nc.read(q, y=y, unit=np.arange(10_000) // 5).pairs()) == pytest.approx(5, rel=1e-9)
    assert estimated_design_effect(Pairs(q, y)) == 1


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"detect": 0}, "detect: found 0"),
        ({"detect": 0.1, "power": 1}, "power: found 1"),
        ({"detect": 0.1, "prevalence": 0}, "prevalence: found 0"),
        ({"detect": 0.1, "design_effect": 0.5}, "design effect of 0.5"),
        ({"detect": 0.1, "q": [2]}, "row 0: found prediction 2.0, expected a probability"),
    ],
)
def test_numbers_out_of_range_are_refused(named, message):
    with pytest.raises(nc.InputError, match=message):
        nc.plan_labels(named.pop("q", None), **named)


def test_the_shell_prints_the_number(capsys, tmp_path):
    assert main(["plan", "labels", "--detect", ".02"]) == 0
    assert capsys.readouterr().out.startswith("to detect a calibration error of .02 label about ")
    table = tmp_path / "pairs.csv"
    table.write_text("q,y,unit\n" + "0.3,0,a\n0.6,1,a\n0.2,0,b\n0.7,0,b\n" * 20, encoding="utf-8")
    assert main(["plan", "labels", str(table), "--detect", ".1"]) == 0
    assert "design effect" in capsys.readouterr().out


def test_a_number_of_labels_that_rests_on_an_assumption_is_rounded():
    plan = nc.plan_labels(detect=0.02)
    assert plan.labels > 30_000
    assert plan.lines() == [
        "to detect a calibration error of .02 label about 30,000 predictions",
        "power .8, level .95, design effect 1.00, label variance .25 assumed",
    ]
    measured = nc.plan_labels(np.random.default_rng(0).random(1000), detect=0.02)
    assert f" {measured.labels:,} predictions" in measured.lines()[0]
    assert "assumed" not in measured.lines()[1]


def test_labels_are_planned_for_predictions_and_not_for_texts_or_verdicts(tmp_path, capsys):
    texts, verdicts = tmp_path / "texts.csv", tmp_path / "v.csv"
    texts.write_text("id,text\n1,flood\n2,sun\n", encoding="utf-8")
    rows = "".join(f"{row},{'AB'[row % 2]}\n" for row in range(900))
    verdicts.write_text(f"nr,said\n{rows}", encoding="utf-8")
    with pytest.raises(nc.InputError, match="expected one named 'q'"):
        nc.plan_labels(texts, detect=0.1)
    with pytest.raises(nc.InputError, match="found verdicts, expected probabilities; plan_items plans the labels"):
        nc.plan_labels(nc.read(verdicts, q="said", yes="A"), detect=0.1)
    assert main(["plan", "labels", str(verdicts), "--q", "said", "--yes", "A", "--detect", ".1"]) == 2
    [command] = re.findall("nlpcalib (plan items .*?) plans", capsys.readouterr().err)
    assert main([*shlex.split(command)[:-2], str(tmp_path / "plan"), shlex.split(command)[-1]]) == 0
