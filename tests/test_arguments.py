"""Messages name arguments as their reader writes them, and nothing else of a message is changed."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import nlpcalib as nc
from nlpcalib.cli import app
from nlpcalib.errors import OPTIONS, argument, arguments

FILES = sorted(Path(nc.__file__).parent.rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
COMMANDS = (
    "calibrate", "compare", "recalibrate", "plan labels", "plan items", "estimate", "judge", "look", "verify", "coref",
    "score", "events", "learn", "spans",
)  # fmt: skip
OF_COMMANDS = {name: app._options(name.split()) for name in COMMANDS}
PARAMETERS = {
    name
    for door in (getattr(nc, name) for name in nc.__all__)
    if inspect.isfunction(door)
    for name, each in inspect.signature(door).parameters.items()
    if each.kind is not each.POSITIONAL_ONLY
}
BY_HAND = re.compile(rf"(?<![\w.<-])({'|'.join(sorted(PARAMETERS))})=(?!=)")


def texts(tree):
    """Yield the strings of a module that are no docstrings, with their lines."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node.lineno, node.value


@pytest.fixture(params=COMMANDS)
def options(request):
    token = OPTIONS.set(OF_COMMANDS[request.param])
    yield OF_COMMANDS[request.param]
    OPTIONS.reset(token)


def test_an_argument_is_written_as_a_call_and_as_an_option():
    assert argument("by") == "by="
    assert argument("by", "a b") == "by='a b'"
    assert arguments({"q": "p", "keep_classes": True, "values": (1, 5)}) == "q='p', keep_classes=True, values=(1, 5)"
    token = OPTIONS.set(OF_COMMANDS["recalibrate"])
    assert argument("by") == "--by"
    assert argument("by", "a b") == "--by 'a b'"
    assert argument("by", "-a") == "--by=-a"
    assert argument("fitted", "map.json") == "--map map.json"
    assert arguments({"q": "p", "keep_classes": True}) == "--q p --keep-classes"
    OPTIONS.reset(token)
    token = OPTIONS.set(OF_COMMANDS["estimate"])
    assert argument("values", (1, 5)) == "--values 1,5"
    OPTIONS.reset(token)


def test_a_command_reads_back_the_options_that_messages_print(options):
    names = {option.removeprefix("--") for option in options.values()}
    assert len(names) == len(options)
    for name, option in options.items():
        assert argument(name) == option


def test_an_argument_that_the_command_has_not_is_a_mistake():
    token = OPTIONS.set(OF_COMMANDS["verify"])
    with pytest.raises(RuntimeWarning, match="a message names by, which this command has not"):
        argument("by")
    OPTIONS.reset(token)


def test_messages_name_arguments_by_one_function():
    """A string with `by=` in it reaches the shell as it is: `argument` has to write it."""
    named = {"html_table.py", "page.py"}  # attributes of HTML
    found = [
        f"{path.name}, line {line}: {text}"
        for path, tree in TREES.items()
        if path.name not in named and path.name != "templates.py"  # names of a model's features
        for line, text in texts(tree)
        if BY_HAND.search(text) and "<" not in text
    ]
    assert found == []


def test_every_argument_of_a_message_is_one_that_can_be_given():
    known = PARAMETERS.union(*OF_COMMANDS.values())
    called = [
        (path.name, node.args[0].value)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "argument"
        if isinstance(node.args[0], ast.Constant)
    ]
    assert len(called) > 80
    assert [each for each in called if each[1] not in known] == []


def test_every_option_that_a_message_names_is_one_of_a_command():
    known = {option for each in OF_COMMANDS.values() for option in each.values()}
    found = {
        (path.name, option)
        for path, tree in TREES.items()
        for _, text in texts(tree)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text)
        if not re.search("<|var\\(", text)
    }
    others = {"--help", "--version", "--example"}
    assert {each for each in found if each[1] not in known | others} == set()


def test_what_a_table_has_is_printed_as_it_is(tmp_path, monkeypatch, capfd):
    """Classes, columns and folders may be called like arguments."""
    monkeypatch.chdir(tmp_path)
    folder = Path("runs/seed=3 by=x")
    folder.mkdir(parents=True)
    head = "id,level=high,level=low,gold\n"
    rows = [
        f"{row},{0.7 if row % 3 else 0.2},{0.3 if row % 3 else 0.8},level={'high' if row % 3 else 'low'}\n"
        for row in range(300)
    ]
    path = folder / "by=year.csv"
    path.write_text(head + "".join(rows), encoding="utf-8")
    assert app.main(["calibrate", str(path), "--q", "level=high,level=low", "--y", "gold"]) == 0
    printed = capfd.readouterr()
    assert str(path) in printed.out
    assert "--" not in re.sub(r"nlpcalib [a-z]+ .*", "", printed.out + printed.err)
    assert app.main(["calibrate", str(path), "--q", "seed=3"]) == 2
    assert (
        f"{path}: found the columns id, level=high, level=low, gold; expected one named 'seed=3'"
        in capfd.readouterr().err
    )
