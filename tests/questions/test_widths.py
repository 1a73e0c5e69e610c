"""Whatever a command prints fits a terminal of 80 columns, and one of 100."""

import io
import re
from contextlib import suppress

import pytest

from nlpcalib.cli.app import app, main
from nlpcalib.cli.example import EXAMPLES


class Terminal(io.StringIO):
    def isatty(self):
        return True


def names(command, name=()):
    """Yield the words that call each command and each group of commands, below `nlpcalib`."""
    yield name
    for each in command:
        if not each.startswith("-") and each != "install-completion":
            yield from names(command[each], (*name, each))


def too_long(monkeypatch, columns, arguments):
    """Return the lines of a command that are longer than its terminal, and could be broken."""
    screen = Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", screen)
    with suppress(SystemExit):  # of a misspelt option
        main(list(arguments))
    # Progress ends in a sequence that erases its line.
    lines = re.sub("\x1b\\[[0-9;]*m", "", screen.getvalue()).rpartition("\x1b[K")[2].splitlines()
    assert lines
    return [line for line in lines if len(line) > columns and " " in line.strip()]


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("arguments", [(*name, "--help") for name in names(app)], ids=" ".join)
def test_help_fits(monkeypatch, columns, arguments):
    assert too_long(monkeypatch, columns, arguments) == []


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("command", EXAMPLES)
def test_the_example_of_a_command_fits(monkeypatch, columns, command):
    assert too_long(monkeypatch, columns, (command, "--example")) == []


@pytest.mark.parametrize("columns", [80, 100])
def test_warnings_and_errors_fit(monkeypatch, columns, tmp_path):
    table = tmp_path / "table.csv"
    rows = [f"{row % 9 / 10},{row % 2},r{row}" for row in range(60)]
    table.write_text("\n".join(["q,y,id", "0.5,,blank", *rows]) + "\n")
    assert too_long(monkeypatch, columns, ("calibrate", str(table))) == []
    table.write_text("\n".join(["q,y,id", "1.5,1,r", *rows]) + "\n")
    assert too_long(monkeypatch, columns, ("calibrate", str(table))) == []
    assert too_long(monkeypatch, columns, ("events", str(table), "--category", "protest")) == []
    assert too_long(monkeypatch, columns, ("calibrate", str(table), "--fail-if-shown-abov", "0.1")) == []
