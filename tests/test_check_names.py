"""The check of names finds each kind of fault that is planted, and nothing in code without one."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
from check_names import faults

PLANTED = {
    "a constant with two values": (
        {"a.py": "_COLOURS = ('red',)", "b.py": "_COLOURS = ('blue',)"},
        "the constant _COLOURS has several meanings",
    ),
    "constants that are assigned together": (
        {"a.py": "X_WIDTH, Y_WIDTH = 1, 2", "b.py": "Y_WIDTH = 3"},
        "the constant Y_WIDTH has several meanings",
    ),
    "a number that bounds anything": ({"a.py": "_BLOCK = 1 << 16"}, "the number _BLOCK is named by one word"),
    "a function with two meanings": (
        {"x/a.py": "def kind_of(path): ...", "y/b.py": "def kind_of(path): ..."},
        "the function or class kind_of has several meanings",
    ),
    "a function and a class": (
        {"x/a.py": "def Kind(): ...", "y/b.py": "class Kind: ..."},
        "the function or class Kind has several meanings",
    ),
    "a fragment": ({"a.py": '_MAX_BYTES = 5\n"""Of a file."""'}, "begins with a fragment: Of a file."),
    "a fragment of a field": ({"a.py": 'class A:\n    x: int\n    """What the model is."""'}, "What the model is."),
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, source in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source, encoding="utf-8")


@pytest.mark.parametrize(("files", "expected"), PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_found(files: dict[str, str], expected: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    (fault,) = faults([tmp_path])
    assert expected in fault
    assert all(f"{tmp_path / name}:1" in fault or len(files) == 1 for name in files)


def test_what_has_one_meaning_is_no_fault(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "x/a.py": '_FOLDER = 1 + LAST\n"""What a folder holds of files is listed."""\ndef read(path, name): ...',
            "x/b.py": "_FOLDER = 1 + LAST\n_MAX_BYTES = 5\ndef read(path, name): ...\ndef _private(): ...",
            "y/c.py": "def _private(): ...\nclass A:\n    def read(self): ...\ndef ordered(rows):\n    local = 3",
            "cli/d.py": "def read(path): ...",
        },
    )
    assert faults([tmp_path]) == []
