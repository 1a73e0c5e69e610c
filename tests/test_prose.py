"""What people read is short: sentences of at most forty words, without words that need a second reading.

Docstrings and comments are held to the words alone.
"""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest
import yaml

from nlpcalib.shell.cli import RUNS, main

ROOT = Path(__file__).parents[1]
LONGEST = 40
"""Words of a sentence."""
UNWANTED = re.compile(r"\b(beside|(?<!cannot )tells?|told|says|knows)\b", re.IGNORECASE)
"""Words with a better one: next to; report, explain, list, estimate; has. "Cannot tell" is a label that people give."""
PAGES = [
    *(ROOT / f"{page}.md" for page in ("README", "CONTRIBUTING", "CHANGELOG")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
CAPTIONS = [path for folder in ("workflow", "studies") for path in sorted((ROOT / folder / "report").glob("*.rst"))]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
CODE = [path for folder in ("src", "scripts", "studies", "tools") for path in sorted((ROOT / folder).rglob("*.py"))]
RULES = [ROOT / "Snakefile", ROOT / "studies/Snakefile"]
RULES += [path for folder in ("workflow", "studies") for path in sorted((ROOT / folder / "rules").glob("*.smk"))]


def paragraphs(text):
    """Return the prose of a page in Markdown or reStructuredText: paragraphs, items of lists, headings, cells."""
    text = re.sub(r"^ *(```|~~~).*?^ *\1 *$", "\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->|\{%.*?%\}|^\.\. .*?$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$|``[^`]+``|`[^`]+`|\{\{.*?\}\}", "code", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    # Rows of tables, headings, items and quotations begin a paragraph of their own.
    text = re.sub(r"^( *(?:[-*+]|\d+\.) |#+ |> |\|)", r"\n\n", text, flags=re.MULTILINE)
    text = re.sub(r"\|", "\n\n", text)
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def sentences(text):
    """Return the sentences of a page; a full stop ends one where a capital, a digit or a mark follows it."""
    return [
        sentence
        for paragraph in paragraphs(text)
        for sentence in re.split(r"(?<=[.!?])[\"”'*_)]*\s+(?=[\"“*_(]*[A-Z0-9]|\*[a-z]|\([a-z]\))", paragraph)
    ]


def length(sentence):
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def faults(text):
    """Return what is wrong in a text, a line for each sentence."""
    found = []
    for sentence in sentences(text):
        if length(sentence) > LONGEST:
            found.append(f"{length(sentence)} words: {sentence}")
        found += [f"'{word}': {sentence}" for word in UNWANTED.findall(sentence)]
    return found


def docstrings(source):
    """Yield every text that stands by itself: docstrings of modules, classes, functions, constants and fields."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield text


def comments(source):
    """Yield runs of comment lines, and the comments behind code."""
    run, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if run and token.start[0] != last + 1:
                yield " ".join(run)
                run = []
            run.append(token.string.lstrip("# "))
            last = token.start[0]
    if run:
        yield " ".join(run)


def unwanted(texts):
    """Return the words that have a better one, each with its sentence."""
    return [
        f"'{word}': {sentence}" for text in texts for sentence in sentences(text) for word in UNWANTED.findall(sentence)
    ]


def name(path):
    return path.relative_to(ROOT).as_posix()


def descriptions(schema):
    """Yield every description of a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("description"), str):
            yield schema["description"]
        for value in schema.values():
            yield from descriptions(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from descriptions(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Short. " + "word " * 41 + "end.", 1),
        ("word " * 20 + "end. " + "Word " * 20 + "end.", 0),
        ("| " + "word " * 30 + "| " + "word " * 30 + "|", 0),
        ("- " + "word " * 30 + "\n- " + "word " * 30, 0),
        ("```sh\n" + "word " * 50 + "\n```", 0),
        ("The truth stands beside it, besides.", 1),
        ("A title\n\nThe table tells how.", 1),
    ],
)
def test_faults_are_found_in_prose_and_nowhere_else(text, expected):
    assert len(faults(text)) == expected


def test_docstrings_and_comments_are_found_in_code():
    source = (
        '"""It knows."""\n\nA = "it says"  # Beside\n"""What is told."""\n\n\n'
        "def f():\n    # it cannot\n    # tell us\n    return A\n"
    )
    found = unwanted([*docstrings(source), *comments(source)])
    assert [fault.partition(":")[0] for fault in found] == ["'knows'", "'told'", "'Beside'"]


@pytest.mark.parametrize("path", CODE, ids=name)
def test_docstrings_and_comments_are_in_plain_words(path):
    source = path.read_text(encoding="utf-8")
    found = unwanted([*docstrings(source), *comments(source)])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", RULES, ids=name)
def test_comments_of_rules_are_in_plain_words(path):
    lines = [found[1] for found in re.finditer(r"^ *# ?(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)]
    found = unwanted(["\n".join(lines)])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_are_short_sentences_in_plain_words(page):
    found = faults(page.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("caption", CAPTIONS, ids=lambda path: path.stem)
def test_captions_are_short_sentences_in_plain_words(caption):
    found = faults(caption.read_text(encoding="utf-8"))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("command", ["", *RUNS])
def test_help_is_short_sentences_in_plain_words(command, capsys):
    with pytest.raises(SystemExit):
        main([*filter(None, [command]), "--help"])
    _, _, text = capsys.readouterr().out.partition("\n\n")
    # Options and commands are paragraphs of their own.
    text = re.sub(r"^ {2,4}(?=\S)", "\n", text, flags=re.MULTILINE)
    assert len(text) > 200
    assert not faults(text)


def test_descriptions_of_the_configuration_are_short_sentences_in_plain_words():
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    found = [fault for text in descriptions(schema) for fault in faults(text)]
    assert not found, "\n".join(found)
