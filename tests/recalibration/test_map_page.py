"""The NumPy code of the page about the saved map gives the numbers of the library."""

import re
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.recalibration.saved_map import FORMS

PAGE = (Path(__file__).parents[2] / "docs/reference/map.md").read_text(encoding="utf-8")
(CODE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def apply_map():
    names: dict = {}
    exec(CODE, names)
    return names["apply_map"]


def predictions(classes, n=400):
    rng = np.random.default_rng(classes)
    logits = rng.normal(0, 1.5, (n, classes))
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = (rng.random((n, 1)) > true.cumsum(axis=1)).sum(axis=1)
    stated = np.exp(2 * logits + np.arange(classes) / 2)
    return stated / stated.sum(axis=1, keepdims=True), y


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("method", ["shrinkage", "temperature"])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_the_code_of_the_page_applies_maps_as_the_library_does(classes, method, tmp_path, apply_map):
    q, y = predictions(classes)
    if classes == 2:
        q, y = q[:, 1], y.astype(bool)
    report = nc.recalibrate(q, y, method=method)
    report.save(tmp_path)
    new = predictions(classes, 50)[0]
    new = new[:, 1] if classes == 2 else new
    np.testing.assert_allclose(apply_map(tmp_path / "map.json", new), report.map(new), rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_the_code_of_the_page_applies_a_map_that_differs_by_class(tmp_path, apply_map):
    rng = np.random.default_rng(5)
    q, label = rng.uniform(0.05, 0.95, 900), np.repeat(["PER", "ORG", "LOC"], 300)
    report = nc.recalibrate(nc.read(q, y=rng.random(900) < np.where(label == "ORG", q / 2, q), predicted=label))
    assert report.map.form == "by_class"
    report.save(tmp_path)
    new, of = np.linspace(0, 1, 40), np.resize(["LOC", "ORG", "MISC"], 40)
    expected = report.predict(new, of)
    np.testing.assert_allclose(apply_map(tmp_path / "map.json", new, of), expected, rtol=1e-12, atol=1e-12)


def test_the_page_has_every_form_and_its_parameters():
    table = PAGE.partition("| form |")[2]
    for form, (_, single, many) in FORMS.items():
        assert f"`{form}`" in table
        if not form.endswith("by_class"):
            assert [name for name in (*single, *many) if f"`{name}`" not in PAGE and f"{name}[" not in PAGE] == []
