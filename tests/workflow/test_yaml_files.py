"""Files of YAML that are broken, or that aliases let grow."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from reproduction.workflow.yaml_files import MAX_VALUES, check_yaml

ROOT = Path(__file__).parents[2]


def refusal(tmp_path, content):
    path = tmp_path / "config.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as refused:
        check_yaml(path)
    message = str(refused.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("path", [ROOT / "config.yaml", *sorted((ROOT / "configs").glob("*.yaml"))], ids=str)
def test_configurations_that_come_along_are_fine(path):
    check_yaml(path)


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("a: 1\nb: [1,\nc: [2\n", "line "),
        ("a:\n\tb: 1\n", "line 2, column 1"),
        ("a: 'b\n", "line 2, column 1"),
        ("a: b: c\n", "line 1, column 5"),
        ("a: \x00\n", ""),
        ("a: *b\n", "line 1, column 4"),
    ],
)
def test_broken_files_are_named_with_line_and_column(tmp_path, content, place):
    message = refusal(tmp_path, content)
    assert message.startswith(place)
    assert re.search(r"found .*, expected ", message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3, column 1: found the key 'a' again, after line 1, expected it once"),
        ("a:\n  b: 1\n  'b': 2\n", "line 3, column 3: found the key 'b' again, after line 2"),
        ('{"a": [{"b": 1,\n "b": 1}]}', "line 2, column 2: found the key 'b' again, after line 1"),
        ("seed: 010\n", "line 1, column 7: found 010, which YAML reads as 8; expected"),
        ("a: [1, -0_7]\n", "line 1, column 8: found -0_7, which YAML reads as -7"),
        ("at: 12:30\n", "line 1, column 5: found 12:30, which YAML reads as 750"),
    ],
)
def test_values_that_are_not_those_one_sees_are_refused(tmp_path, content, message):
    assert refusal(tmp_path, content).startswith(message)


def test_numbers_texts_and_keys_of_several_places_are_fine(tmp_path):
    path = tmp_path / "config.yaml"
    text = "a: &a {x: 0, y: 10, z: '010', u: 0.5, v: 2012-01-01, w: 08a}\nb: {<<: *a, x: 1}\nc: [*a, *a]\n"
    path.write_text(text, encoding="utf-8")
    check_yaml(path)


@pytest.mark.parametrize(
    ("content", "place"), [("a: &a [*a]\n", "line 1, column 8"), ("a: &a\n  b:\n    c: *a\n", "line 3, column 8")]
)
def test_aliases_inside_of_what_they_name_are_refused(tmp_path, content, place):
    assert refusal(tmp_path, content).startswith(f"{place}: found the alias *a inside of what it names")


def test_aliases_of_aliases_are_counted_and_not_followed(tmp_path):
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 40)]
    message = refusal(tmp_path, "\n".join(["a0: &a0 [x]", *lines]))
    assert message.startswith("line 6, column ")
    assert f"found more than {MAX_VALUES:,} values" in message


def test_other_encodings_are_refused(tmp_path):
    assert "is not UTF-8" in refusal(tmp_path, "a: é".encode("latin-1"))


def test_json_and_aliases_that_do_not_grow_are_fine(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"a":\t[1, {"b": null}]}')
    check_yaml(path)
    path.write_text("a: &a {x: 1}\nb: *a\nc: [*a, *a]\nd: &d 3\ne: *d\n")
    check_yaml(path)


@pytest.mark.slow
def test_configurations_are_checked_before_snakemake_reads_them(tmp_path):
    """Snakemake reads such files before it asks the workflow, and fails on them without a line or follows them."""
    laughs = "".join(f"a{n}: &a{n} {{x: *a{n - 1}, y: *a{n - 1}}}\n" for n in range(1, 60))
    for content, message in {
        "b: [1,\nc: [2\n": r"line 3, column 1: found what is not YAML",
        "a: &a\n  b: *a\n": r"line 2, column 6: found the alias \*a inside of what it names",
        f"a0: &a0 {{x: 1}}\n{laughs}": r"line \d+, column \d+: found more than 100,000 values",
        "seed: x\n": r"configuration: key seed: found 'x', expected a whole number",
        "seed: 3\n": None,
    }.items():
        path = tmp_path / "my.yaml"
        path.write_text(content, encoding="utf-8")
        command = [sys.executable, ROOT / "tools/check_config.py", path]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == (2 if message else 0)
        assert re.search(message or "^$", done.stderr)
        assert done.stderr.count("\n") == (1 if message else 0)
