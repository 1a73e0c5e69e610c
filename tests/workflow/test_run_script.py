"""What a script is called with is what its rule names."""

import ast
import runpy
import sys
import types
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from reproduction.workflow import run_script as module
from reproduction.workflow.rules import read_rules
from reproduction.workflow.run_script import run_script

ROOT = Path(__file__).parents[2]


def job(**parts):
    return SimpleNamespace(**{part: parts.get(part, {}) for part in ("input", "output", "params", "wildcards")})


@pytest.fixture(autouse=True)
def no_log(monkeypatch):
    monkeypatch.setattr(module, "logged_job", nullcontext)


def test_files_parameters_and_wildcards_go_by_their_names():
    def main(path_pairs, paths_models, path_labels, path_table, query, n, title):
        found.append((path_pairs, paths_models, path_labels, path_table, query, n, title))

    found = []
    files = {"pairs": ["p.parquet"], "models": "m.npz", "labels": [], "unused": "u.csv"}
    run_script(
        main,
        job(
            input=files, output={"table": "t.csv"}, params={"query": {"name": "a"}}, wildcards={"query": "a", "n": "3"}
        ),
        title="A",
    )
    assert found == [("p.parquet", ["m.npz"], None, "t.csv", {"name": "a"}, "3", "A")]


def test_an_argument_that_the_rule_does_not_name_stops_the_script():
    with pytest.raises(TypeError, match="path_labels"):
        run_script(lambda path_labels: None, job(input={"truth": "t.csv"}))
    with pytest.raises(ValueError, match="too many"):
        run_script(lambda path_labels: None, job(input={"labels": ["a.csv", "b.csv"]}))


def test_every_rule_names_what_its_script_takes():
    """Also those that no configuration of ours asks for; a name is of an input or of an output, and not of both."""
    for name, rule in read_rules(ROOT, "studies/Snakefile").items():
        if rule.made_by or rule.script.parent.name == "section7":
            continue  # all that the rule names is for a function that the script loads
        tree = ast.parse(rule.script.read_text(encoding="utf-8"))
        [call] = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "run_script"
        ]
        [main] = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main"]
        given = {keyword.arg for keyword in call.keywords}
        taken = {each.arg for each in [*main.args.args, *main.args.kwonlyargs]} - given
        assert not set(rule.inputs) & set(rule.outputs) & {each.partition("_")[2] for each in taken}, name
        files = {f"{kind}_{file}" for kind in ("path", "paths") for file in (*rule.inputs, *rule.outputs)}
        defaults = [each.arg for each in main.args.args[len(main.args.args) - len(main.args.defaults) :]]
        defaults += [each.arg for each, value in zip(main.args.kwonlyargs, main.args.kw_defaults, strict=True) if value]
        assert taken - files - {*rule.params, *rule.wildcards, *defaults} == set(), name


@pytest.mark.parametrize(
    ("inputs", "params", "message"),
    [
        ({"rows": "a.csv"}, {"sead": 1}, "found sead, expected some of published, rows, seed"),
        ({"rows": "a.csv", "seed": "b.csv"}, {"seed": 1}, "found seed as input and as parameter"),
    ],
)
def test_a_figure_takes_all_that_it_is_given_and_each_of_it_once(inputs, params, message, tmp_path, monkeypatch):
    drawings = types.ModuleType("drawings")
    drawings.drawn = lambda rows, *, seed=0, published=False: None
    monkeypatch.setitem(sys.modules, "drawings", drawings)
    main = runpy.run_path(str(ROOT / "scripts/figures/figure.py"))["main"]
    with pytest.raises(ValueError, match=message):
        main({"drawn": "drawings:drawn"}, inputs, {"drawn": tmp_path / "drawn.png"}, params)
