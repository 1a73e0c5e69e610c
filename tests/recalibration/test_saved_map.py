"""Maps are what their forms define, come back from their files as they were, and no file holds one that is wrong."""

import json

import numpy as np
import pytest
from scipy.special import expit, logit, softmax

from nlpcalib.errors import InputError
from nlpcalib.recalibration.saved_map import CLASS_FORMS, FORMS, corrected_top, curve_of, made, read_map, write_map

LINEAR = {"intercept": 0.5, "slope": 2, "floor": 0.01}
BETA = {"a": 1.5, "b": 0.5, "bias": -0.25, "floor": 0.01}
CURVE = {"values": [0.1, 0.5], "fitted": [0.2, 0.4]}
STEPS = {"values": [0.1, 0.5], "merged": [0.1, 0.2, 0.3, 0.4, 0.5]}
SOFTMAX = {"weight": [0.5, 2], "bias": [0, 1], "floor": 1e-3}
SHIFTS = {
    **{"heat": 0.5, "slope": 0.8, "soft": 0.01, "floor": 1e-6, "bias": [0.5, 0, -0.5]},
    **{"matrix": [1.2, 0.3, 0, 0, -0.2, 0.1, 0, 0, 0.4], "bend": [0.1, 0.2, 0.3], **CURVE},
}
CLASSES = {"intercept": [0.1, 0.2], "slope": [1, 2], "floor": [0.01, 0.02]}
BETA_CLASSES = {"a": [1, 2], "b": [0.5, 0], "bias": [0, 1], "floor": [0.01, 0.02]}
Q = np.array([0, 0.005, 0.1, 0.3, 0.5, 0.995, 1])
PAIRS = np.column_stack([Q, 1 - Q])
INSIDE, PAIRS_INSIDE = Q.clip(0.01, 0.99), PAIRS.clip([0.01, 0.02], [0.99, 0.98])


def write(path, form, parameters, **more):
    path.write_text(json.dumps({"method": "", "form": form, "parameters": parameters, **more}), encoding="utf-8")
    return path


def shares(each):
    return each / each.sum(axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("form", "parameters", "q", "expected"),
    [
        ("linear", LINEAR, Q, expit(0.5 + 2 * logit(INSIDE))),
        ("beta", BETA, Q, expit(-0.25 + 1.5 * np.log(INSIDE) - 0.5 * np.log(1 - INSIDE))),
        ("curve", CURVE, Q, [0.2, 0.2, 0.2, 0.3, 0.4, 0.4, 0.4]),
        ("steps", STEPS, Q, [0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5]),
        ("softmax", SOFTMAX, PAIRS, shares(PAIRS.clip(1e-3) ** [0.5, 2] * [1, np.e])),
        ("linear_by_class", CLASSES, PAIRS, shares(expit([0.1, 0.2] + [1, 2] * logit(PAIRS_INSIDE)))),
        (
            "beta_by_class",
            BETA_CLASSES,
            PAIRS,
            shares(expit([0, 1] + [1, 2] * np.log(PAIRS_INSIDE) - [0.5, 0] * np.log(1 - PAIRS_INSIDE))),
        ),
    ],
)
def test_a_map_is_what_its_form_defines(tmp_path, form, parameters, q, expected):
    np.testing.assert_allclose(read_map(write(tmp_path / "map.json", form, parameters))(q), expected, rtol=1e-12)


def test_shifts_are_a_softmax_of_scores_and_a_curve_of_the_likeliest_class(tmp_path):
    q = np.random.default_rng(0).dirichlet([2, 1, 0.5], 50)
    logs = np.log(q)
    p = softmax(0.5 * logs, axis=1)
    matrix = np.reshape(SHIFTS["matrix"], (3, 3))
    scores = 0.8 * logs + SHIFTS["bias"] + np.log(p + 0.01) @ matrix.T - SHIFTS["bend"] * np.log(1.01 - p)
    found = softmax(scores, axis=1)
    top = np.interp(found.max(axis=1), CURVE["values"], CURVE["fitted"])
    expected = corrected_top(found, top)
    np.testing.assert_allclose(read_map(write(tmp_path / "map.json", "shifts", SHIFTS))(q), expected, rtol=1e-10)


def test_the_likeliest_class_takes_its_probability_and_the_others_share_the_rest_as_before():
    q = np.array([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [1, 0, 0], [0.4, 0.35, 0.25]])
    found = corrected_top(q, np.array([0.8, 0.3, 0.5, 0.1]))
    # A class is overtaken below the share that it would have were it as likely as the second: .3 is no less than 1/3.
    least = np.array([0.2 / 0.6, 0.35 / 0.95]) + 1e-9
    expected = [
        *([0.8, 0.2 * 0.6, 0.2 * 0.4], [(1 - least[0]) / 2, (1 - least[0]) / 2, least[0]], [1, 0, 0]),
        [least[1], (1 - least[1]) * 0.35 / 0.6, (1 - least[1]) * 0.25 / 0.6],
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)


def test_a_curve_follows_a_line_from_one_end_to_the_other():
    line = made("linear", intercept=-0.3, slope=0.7, floor=1e-9)
    followed = made("curve", **curve_of(line))
    q = expit(np.linspace(-19, 19, 999))
    np.testing.assert_allclose(followed(q), line(q), rtol=1e-3)
    assert followed.parameters["values"][[0, -1]] == pytest.approx(expit([-20, 20]), rel=1e-12)
    assert followed.parameters["values"].size == 801
    np.testing.assert_array_equal(curve_of(followed)["fitted"], followed.parameters["fitted"])


@pytest.mark.parametrize("named", [False, True])
def test_a_map_comes_back_from_its_file_with_its_names(tmp_path, named):
    more = {"classes": ["a", "b"], "fitted_to": {"n": 3, "labels": "1f"}} if named else {}
    first = read_map(write(tmp_path / "map.json", "softmax", SOFTMAX, **more))
    write_map(tmp_path / "again.json", first, "shrinkage")
    again = read_map(tmp_path / "again.json")
    assert (again.classes, again.fitted_to) == ((("a", "b"), more["fitted_to"]) if named else ((), None))
    assert {name: value.tolist() for name, value in again.parameters.items()} == SOFTMAX
    content = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert content == {"method": "shrinkage", "form": "softmax", "parameters": SOFTMAX, **more}


@pytest.mark.parametrize(
    ("form", "parameters", "message"),
    [
        ("cubic", LINEAR, "expected map.json"),
        ("linear", {**LINEAR, "more": 1}, "found the parameters intercept, slope, floor, more, expected intercept"),
        ("linear", {**LINEAR, "slope": [1, 2]}, "found another slope, expected a number"),
        ("curve", {**CURVE, "values": 0.1}, "found another values, expected a list of numbers"),
        ("curve", {**CURVE, "values": []}, "found another values, expected a list of numbers"),
        ("linear", {**LINEAR, "slope": float("nan")}, "found nan as slope, expected a number between −1e.09 and 1e.09"),
        ("linear", {**LINEAR, "slope": "1"}, "found '1' as slope, expected a number"),
        ("linear", {**LINEAR, "slope": True}, "found True as slope, expected a number"),
        ("linear", {**LINEAR, "slope": 10**400}, "found 1000.* as slope, expected a number"),
        ("linear", {**LINEAR, "intercept": -1e9 - 1}, "found -1000000001.0 as intercept"),
        ("linear", {**LINEAR, "slope": -0.1}, "found the slope -0.1, by which higher predictions become lower ones"),
        ("linear", {**LINEAR, "floor": 0.51}, "found the floor 0.51, expected one from 2.22e-16 to 0.5"),
        ("linear", {**LINEAR, "floor": 0.9e-16}, "found the floor 9e-17"),
        ("softmax", {**SOFTMAX, "floor": 1e-308}, "found the floor 1e-308, expected one from 2.23e-308 to 0.5"),
        ("softmax", {**SOFTMAX, "weight": [1, -1]}, "found the weight -1"),
        ("softmax", {**SOFTMAX, "weight": [1, 1, 1]}, "found lists of several lengths, expected a number for each"),
        ("shifts", {**SHIFTS, "matrix": [1] * 8}, "found a matrix of 8, expected a number for each pair of classes"),
        ("curve", {"values": [0.1, 0.5, 1], "fitted": [0.7, 0.2, 0.9]}, "found a curve that falls from 0.7 to 0.2"),
        ("curve", {**CURVE, "values": [-0.1, 0.5]}, "found values from -0.1 to 0.5, expected probabilities"),
        ("curve", {**CURVE, "fitted": [0, 1.1]}, "found fitted from 0 to 1.1"),
        ("curve", {**CURVE, "values": [0.2, 0.1]}, "found a curve that is none"),
        ("curve", {**CURVE, "values": [0.2, 0.2]}, "found a curve that is none"),
        ("curve", {**CURVE, "values": [0.1, 0.2, 0.3]}, "found a curve that is none"),
        ("steps", {**STEPS, "values": [0.1]}, "found a curve that is none"),
    ],
)
def test_a_file_of_another_map_is_refused(tmp_path, form, parameters, message):
    with pytest.raises(InputError, match=message):
        read_map(write(tmp_path / "map.json", form, parameters))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"classes": "ab"}, "found the classes 'ab', expected a list of names"),
        ({"classes": ["a", 1]}, r"found the classes \['a', 1\]"),
        ({"classes": ["a", "a"]}, "found 1 different classes, expected 2"),
        ({"classes": ["a", "b", "c"]}, "found 3 different classes, expected 2"),
        ({"fitted_to": 3}, "found 3 as 'fitted_to'"),
        ({"parameters": 3}, "found what is no map, expected map.json"),
    ],
)
def test_a_file_of_what_contradicts_its_map_is_refused(tmp_path, more, message):
    with pytest.raises(InputError, match=message):
        read_map(write(tmp_path / "map.json", "softmax", **({"parameters": SOFTMAX} | more)))


@pytest.mark.parametrize(
    ("form", "parameters"),
    [
        ("linear", {"intercept": -1e9, "slope": 1e9, "floor": 1e-15}),
        ("linear", {"intercept": 0, "slope": 0, "floor": 0.5}),
        ("softmax", {**SOFTMAX, "floor": float(np.finfo(float).tiny)}),
        ("shifts", {**SHIFTS, "floor": float(np.finfo(float).tiny)}),
        ("curve", {"values": [0, 1], "fitted": [0, 1]}),
        ("curve", {"values": [0.2, 0.4], "fitted": [0.3, 0.3 - 0.9e-9]}),
    ],
)
def test_a_file_may_go_to_its_limits(tmp_path, form, parameters):
    assert read_map(write(tmp_path / "map.json", form, parameters)).form == form


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"parameters": {}}', "found no key 'form', expected map.json of nlpcalib recalibrate"),
        ('{"form": "linear", "parameters": {"slope": 1, "slope": 2}}', "found the key 'slope' twice in one object"),
        ("[]", "found what is no map"),
    ],
)
def test_a_file_that_is_no_map_is_refused(tmp_path, text, message):
    (tmp_path / "map.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_map(tmp_path / "map.json")


@pytest.mark.parametrize("form", FORMS)
def test_a_map_that_is_read_never_falls_or_leaves_probabilities(tmp_path, form):
    """Parameters of any size are drawn; of those that are accepted, every prediction has an answer."""
    draw, accepted = np.random.default_rng(1), 0
    _, single, many = FORMS[form]
    q = np.concatenate([[0, 5e-324, 1e-15, 1 - 1e-16, 1], draw.random(200)])
    q.sort()
    classes = np.column_stack([q, (1 - q) / 2, (1 - q) / 2])
    of_label = {"by_class": {"labels": ["a", "b", "c"]}}
    for _ in range(300):
        parameters = {}
        for name in (*single, *many):
            size = {"merged": 7, "matrix": 9}.get(name, 3) if name in many else None
            value = draw.normal(size=size) * 10.0 ** draw.uniform(-3, 12)
            if name in ("values", "fitted", "merged"):
                value = np.sort(draw.random(size))
            elif name in ("floor", "soft"):
                value = 10.0 ** draw.uniform(-20, 0, size)
            elif name in ("slope", "heat", "weight", "a", "b"):
                value = np.abs(value)
            parameters[name] = value.tolist() if size else float(value)
        try:
            read = read_map(write(tmp_path / "map.json", form, parameters, **of_label.get(form, {})))
            found = read(q, ["b"] * q.size) if form in of_label else read(classes if form in CLASS_FORMS else q)
        except InputError:
            continue
        accepted += 1
        assert ((found >= 0) & (found <= 1)).all()
        if form in CLASS_FORMS:
            np.testing.assert_allclose(found.sum(axis=1), 1)
        else:
            assert (np.diff(found) >= -1e-12).all()
    assert accepted > 30
