"""Find sentences of more than forty words, and words that need a second reading, in what people read.

    python tools/check_prose.py

A line is printed for each finding, as FILE:LINE: what was found; the exit status is 1 if there is one. Pages, captions,
descriptions of the configuration and the help of commands are held to both rules; docstrings and comments to the words
alone.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
MAX_WORDS = 40
"""Words of a sentence."""
UNWANTED = re.compile(r"\b(beside|(?<!cannot )tells?|told|says|knows)\b", re.IGNORECASE)
"""Words with a better one: next to; report, explain, list, estimate; has. "Cannot tell" is a label that people give."""
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
MIN_COMMANDS = 10
"""Fewer commands in the help of `nlpcalib` mean that the help is not understood."""


def parts(separator: str, text: str, line: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text between separators, a regular expression without groups, each with its line."""
    for part in re.split(f"({separator})", text):
        if part.strip() and not re.fullmatch(separator, part):
            yield line + part[: len(part) - len(part.lstrip())].count("\n"), part.strip()
        line += part.count("\n")


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prose of Markdown or reStructuredText: paragraphs, items of lists, headings, cells of tables."""

    def lines(match: re.Match[str]) -> str:
        return "\n" * match[0].count("\n")

    text = re.sub(r"^ *(```|~~~).*?^ *\1 *$", lines, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->|\{%.*?%\}|^\.\. .*?$", lines, text, flags=re.MULTILINE | re.DOTALL)
    code = r"\$\$.*?\$\$|\$[^$\n]+\$|``[^`]+``|`[^`]+`|\{\{.*?\}\}"
    text = re.sub(code, lambda match: "code" + lines(match), text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", lambda match: match[1] + lines(match)[match[1].count("\n") :], text)
    # Rows of tables, headings, items and quotations begin a paragraph of their own; a form feed separates them.
    text = re.sub(r"^(?: *(?:[-*+]|\d+\.) |#+ |> )", "\f", text, flags=re.MULTILINE)
    yield from parts(r"\f|\n\s*\n", text.replace("|", "\f"))


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a page; a full stop ends one where a capital, a digit or a mark follows it."""
    end = r"(?<=[.!?])[\"”'*_)]*\s+(?=[\"“*_(]*[A-Z0-9]|\*[a-z]|\([a-z]\))"
    for line, paragraph in paragraphs(text):
        for place, sentence in parts(end, paragraph, line):
            yield place, " ".join(sentence.split())


def unwanted(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a text that have a better one, each with its sentence."""
    for line, sentence in sentences(text):
        for word in UNWANTED.findall(sentence):
            yield line, f"'{word}': {sentence}"


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield what is wrong in a text."""
    for line, sentence in sentences(text):
        words = sum(bool(re.search(r"\w", word)) for word in sentence.split())
        if words > MAX_WORDS:
            yield line, f"{words} words: {sentence}"
    yield from unwanted(text)


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield every text that stands by itself: docstrings of modules, classes, functions, constants and fields."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str() as text)):
                yield node.lineno, text


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield runs of comment lines, and the comments behind code."""
    run: list[str] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if run and token.start[0] != last + 1:
                yield last - len(run) + 1, "\n".join(run)
                run = []
            run.append(token.string.lstrip("# "))
            last = token.start[0]
    if run:
        yield last - len(run) + 1, "\n".join(run)


def comments_of_rules(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a rule file, in one piece."""
    yield 1, "\n".join(found[1] if (found := re.fullmatch(r" *# ?(.*)", line)) else "" for line in text.splitlines())


def descriptions(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """Yield every description of a schema."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == "description" and isinstance(value, yaml.ScalarNode):
                yield value.start_mark.line + 1, value.value
            yield from descriptions(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from descriptions(value)


def helps(*command: str) -> Iterator[tuple[str, str]]:
    """Yield each command line that shows help, and what it shows after the usage; options are paragraphs."""
    line = ("nlpcalib", *command, "--help")
    program = Path(sys.executable).with_name("nlpcalib")
    shown = subprocess.run([program, *line[1:]], stdout=subprocess.PIPE, text=True, check=True).stdout
    text = re.sub(r"^[╭╰].*$", "", shown.partition("\n\n")[2], flags=re.MULTILINE)
    text = re.sub(r"^│ (?:\* )? *(?=\S.*  )", "\n", re.sub(r" *│$", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    yield " ".join(line), text.replace("│", " ")
    if "─ Commands ─" in shown:
        for name in re.findall(r"^│ ([a-z]+)  ", shown, re.MULTILINE):
            yield from helps(*command, name)


def texts() -> Iterator[tuple[str, Iterable[tuple[int, str]]]]:
    """Yield what people read by its place, with what is wrong there."""
    for path in (*(ROOT / f"{page}.md" for page in ("README", "CONTRIBUTING", "CHANGELOG")), *files("docs", "md")):
        yield name(path), faults(path.read_text(encoding="utf-8"))
    for path in (*files("workflow/report", "rst"), *files("studies/report", "rst")):
        yield name(path), faults(path.read_text(encoding="utf-8"))
    for path in (path for folder in ("src", "scripts", "studies", "tools") for path in files(folder, "py")):
        source = path.read_text(encoding="utf-8")
        yield name(path), within(unwanted, [*docstrings(source), *comments(source)])
    for path in (ROOT / "workflow/Snakefile", *files("workflow/rules", "smk"), *files("studies", "smk")):
        yield name(path), within(unwanted, comments_of_rules(path.read_text(encoding="utf-8")))
    yield name(SCHEMA), within(faults, descriptions(yaml.compose(SCHEMA.read_text(encoding="utf-8"))))
    commands = list(helps())
    for command, text in commands:
        yield command, faults(text)
    if len(commands) < MIN_COMMANDS:
        yield "nlpcalib --help", [(1, f"found {len(commands)} commands, expected {MIN_COMMANDS} or more")]


def within(find, found: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield what is wrong in texts that begin at a line of their own."""
    for start, text in found:
        for line, fault in find(text):
            yield start + line - 1, fault


def files(folder: str, suffix: str) -> list[Path]:
    """Return the files of a folder, and of those in it, of one kind; there has to be one."""
    found = sorted((ROOT / folder).rglob(f"*.{suffix}"))
    if not found:
        raise FileNotFoundError(f"{folder}: found no file *.{suffix}")
    return found


def name(path: Path) -> str:
    """Return the path of a file from the root of the project."""
    return path.relative_to(ROOT).as_posix()


def main() -> int:
    """Print the findings, and return whether there are any."""
    found = [f"{place}:{line}: {fault}" for place, each in texts() for line, fault in each]
    print("\n".join(found), end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
