"""Measure which lines of the library the fast tests execute, and what share of small faults in them they find.

    python tools/mutate.py --folder ../mutation --sample 400 --packages nlpcalib/calibration nlpcalib/chains

The fast tests run once in a clone of what is committed, under coverage.py, which must be installed. This gives the
lines that each test executes, also in processes that it starts, and what each test costs. A mutant is the library with
one operator, constant or condition changed. Mutants are drawn with a seed, from each package in proportion to the
places where it can be changed. Each runs against tests of its own topic: those that execute the changed statement, and
then others of the same files, since a fixture or a cache may have executed it for them. A mutant is killed if a test
fails or takes more than `--limit` seconds of CPU. It survives if no test executes the statement. Results are added to a
file line by line, and a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from math import ceil
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parents[1]
SETTINGS = """
[run]
source_pkgs = nlpcalib, newsroom, reproduction
patch = subprocess
data_file = {folder}/coverage
context = ${{PYTEST_CURRENT_TEST-}}
[paths]
library =
    {folder}/project/src
    */src
"""
"""Processes that a test starts have its name as their context; copies of the library count as the library."""

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the nodes that a mutant changes, with what it makes of them, in the same order for the same code."""
    annotations = {
        part
        for node in ast.walk(tree)
        for field in ("annotation", "returns")
        if getattr(node, field, None) is not None
        for part in ast.walk(getattr(node, field))
    }
    for node in ast.walk(tree):
        if node in annotations:
            continue
        if isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in _OTHER:
            yield node, "operator"
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in _OTHER:
            yield node, "comparison"
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield node, "condition"
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            yield node, "constant"


def change(node: ast.AST) -> None:
    """Change a node of `sites` in place."""
    if isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = _OTHER[type(node.op)]()  # type: ignore[assignment] # of the same kind, as the table has it
    elif isinstance(node, ast.Compare):
        node.ops[0] = _OTHER[type(node.ops[0])]()  # type: ignore[call-overload] # of the same kind
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        node.value = not node.value if isinstance(node.value, bool) else node.value + 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test costs, in seconds of CPU with those of the processes it starts, unless it fails."""
    failed, start = item.session.testsfailed, sum(os.times()[:4])
    result = yield
    if item.session.testsfailed == failed:
        item.config.stash.setdefault(COSTS, {})[item.nodeid] = sum(os.times()[:4]) - start
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Count what fixtures execute for the whole file, since its tests may share them."""
    switch(item.nodeid.partition("::")[0])
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Count what a test itself executes for the test."""
    switch(item.nodeid)
    return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the costs next to the clone."""
    costs = session.config.stash.get(COSTS, {})
    (session.config.rootpath.parent / "costs.json").write_text(json.dumps(costs), encoding="utf-8")


COSTS = pytest.StashKey[dict[str, float]]()


def switch(context: str) -> None:
    """Have coverage.py note lines for a test or a file."""
    current = coverage.Coverage.current()
    if current is not None:
        current.switch_context(context)


@dataclass(frozen=True)
class Statement:
    """Where a node stands."""

    lines: frozenset[int]
    """Of the innermost statement around it, without its body."""
    at_import: bool
    """Whether it stands outside of functions."""


def statement(tree: ast.Module, node: ast.AST) -> Statement:
    """Return where a node stands."""
    around = [each for each in ast.walk(tree) if isinstance(each, ast.stmt) and node in ast.walk(each)]
    inner = around[-1]  # walked breadth first
    body = getattr(inner, "body", None)
    last = body[0].lineno - 1 if body else inner.end_lineno or inner.lineno
    own = range(node.lineno, (node.end_lineno or node.lineno) + 1)  # type: ignore[attr-defined] # all of `sites` have it
    functions = [each for each in around if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = any(node in ast.walk(part) for each in functions for part in each.body)
    return Statement(frozenset([*range(inner.lineno, max(last, inner.lineno) + 1), *own]), not inside)


@dataclass(frozen=True)
class Tests:
    """The fast tests of a clone, and what they execute."""

    folder: Path
    packages: Sequence[str]
    budget: float
    limit: int
    passing: dict[tuple[str, str], bool] = field(default_factory=dict)

    @property
    def project(self) -> Path:
        """The clone."""
        return self.folder / "project"

    @property
    def library(self) -> Path:
        """The library in the clone."""
        return self.project / "src"

    @cached_property
    def _costs(self) -> dict[str, float]:
        return json.loads((self.folder / "costs.json").read_text(encoding="utf-8"))

    @cached_property
    def measured(self) -> coverage.Coverage:
        """What the tests executed; measured once."""
        settings, data = self.folder / "settings.ini", self.folder / "coverage"
        if not data.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["git", "clone", "--quiet", ROOT, self.project], check=True)
            # Python compares the text of a module with its compiled form, not their times, which are too coarse.
            compiled = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "src"]
            subprocess.run([sys.executable, *compiled], cwd=self.project, check=True)
            settings.write_text(SETTINGS.format(folder=self.folder), encoding="utf-8")
            plugin = ["-p", "tools.mutate"]
            run = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", *PYTEST, *plugin]
            run += [f"tests/{topic}" for topic in sorted({topic_of(f"{each}/") for each in self.packages})]
            subprocess.run(run, cwd=self.project, env=self._environment())
            subprocess.run([sys.executable, "-m", "coverage", "combine", f"--rcfile={settings}"], cwd=self.folder)
        found = coverage.Coverage(data_file=str(data), config_file=str(settings))
        found.load()
        return found

    def _environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(self.library)}

    def of(self, module: str, where: Statement) -> list[str]:
        """Return what the budget allows: the topic's tests that execute a statement, then others of their files.

        Cheap files come first.
        """
        contexts = self.measured.get_data().contexts_by_lineno(str(self.library / module))
        found = {
            re.sub(r" \(\w+\)$", "", each)
            for line, names in contexts.items()
            if where.at_import or line in where.lines
            for each in names
        }
        files: dict[str, list[str]] = defaultdict(list)
        folder = f"tests/{topic_of(module)}/"
        if not (self.project / folder).is_dir():
            folder = "tests/"
        for test in self._costs:
            file = test.partition("::")[0]
            if file.startswith(folder) and (test in found or file in found):
                files[file].append(test)
        near = sorted(files, key=lambda file: sum(map(self._costs.__getitem__, files[file])))
        tests = [test for file in near for test in sorted(files[file], key=self._costs.__getitem__)]
        drawn = set(tests)
        tests += [test for test in self._costs if test.partition("::")[0] in files and test not in drawn]
        left = self.budget
        kept: list[str] = []
        for test in tests:
            if self._costs[test] <= left or not kept:
                left -= self._costs[test]
                kept.append(test)
        return kept

    def run(self, tests: Sequence[str]) -> tuple[bool, str]:
        """Return whether tests pass, and the first that does not."""
        with tempfile.TemporaryFile("w+") as output:
            child = os.fork()  # what it has imported so far, it need not import for each mutant
            if not child:
                os.setpgid(0, 0)
                os.chdir(self.project)
                os.environ |= self._environment()
                sys.path.insert(0, str(self.library))
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                # CPU time, so that a busy machine kills no mutant; the alarm is for what waits for ever.
                resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))
                signal.alarm(10 * self.limit)
                status = pytest.main([*PYTEST, "--assert=plain", "-x", *tests], plugins=[AsListed(tests)])
                sys.stdout.flush()
                os._exit(status)
            _, ended = os.waitpid(child, 0)
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            output.seek(0)
            printed = output.read()
        status = os.waitstatus_to_exitcode(ended)
        if status == 4 and any("::" in test for test in tests):  # a mutant may change the names of tests
            return self.run(sorted({test.partition("::")[0] for test in tests}))
        failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", printed, re.MULTILINE)
        return status == 0, failed[1] if failed else ""

    def try_mutant(self, module: str, number: int) -> dict:
        """Return whether a mutant is killed, by which test, and what was changed."""
        path = self.library / module
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        same = ast.unparse(tree)
        node, kind = list(sites(tree))[number]
        what = f"{kind} in line {getattr(node, 'lineno', 0)}: {(ast.get_source_segment(source, node) or '')[:60]!r}"
        tests = self.of(module, statement(tree, node))
        change(node)
        passed, test = True, ""
        if tests:
            try:
                path.write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
                passed, test = self.run(tests)
                if test and (test, module) not in self.passing:
                    path.write_text(same, encoding="utf-8")
                    self.passing[test, module] = self.run([test])[0]
            finally:
                path.write_text(source, encoding="utf-8")
        if test and not self.passing[test, module]:
            raise RuntimeError(f"{test} fails without a mutant of {module}")
        found = {"killed": not passed, "tests": len(tests), "by": test}
        return {"module": module, "number": number, **found, "what": what}


class AsListed:
    """Has pytest run tests as they are listed, where the tests' own order begins with runs of the workflow."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.places = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort the tests; what is not listed by its name comes last."""
        items.sort(key=lambda item: self.places.get(item.nodeid, len(self.places)))


IMPORTED = (
    *("matplotlib.pyplot", "pyarrow.parquet", "scipy.stats", "spacy"),
    *("anyio.pytest_plugin", "hypothesis.internal.conjecture.engine", "hypothesis.strategies", "xdist.plugin"),
)
"""What takes long to import, and no test asks whether it is. Without it, a fork starts in .2 s instead of 2 s."""
PYTEST = ("-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not slow")


def draw(library: Path, packages: Sequence[str], sample: int, seed: int) -> list[tuple[str, int]]:
    """Return modules, as paths below the library, and numbers of their sites: a sample stratified by package.

    It is of all packages unless some are named.
    """
    places: dict[str, list[tuple[str, int]]] = {}
    for path in sorted(library.glob("*/**/*.py")):
        name = path.relative_to(library).as_posix()
        if packages and package_of(name) not in packages:
            continue
        count = sum(1 for _ in sites(ast.parse(path.read_text(encoding="utf-8"))))
        places.setdefault(package_of(name), []).extend((name, number) for number in range(count))
    whole = sum(map(len, places.values()))
    drawn = []
    for package, each in places.items():
        number = min(max(ceil(sample * len(each) / whole), 3), len(each))  # no fewer than asked in all
        drawn += random.Random(f"{seed} {package}").sample(each, number)
    random.Random(seed).shuffle(drawn)  # a run that is stopped has some of each
    return drawn


def report(tests: Tests, results: Sequence[dict]) -> str:
    """Return a table of packages: lines that the fast tests execute, and mutants that they find."""
    lines: Counter[str] = Counter()
    missing: Counter[str] = Counter()
    for path in sorted(tests.library.rglob("*.py")):
        if tests.packages and package_of(path.relative_to(tests.library).as_posix()) not in tests.packages:
            continue
        _, statements, _, missed, _ = tests.measured.analysis2(str(path))
        for package in (package_of(path.relative_to(tests.library).as_posix()), "all"):
            lines[package] += len(statements)
            missing[package] += len(missed)
    tried: dict[str, list[dict]] = defaultdict(list)
    for row in results:
        for package in (package_of(row["module"]), "all"):
            tried[package].append(row)
    table = ["| package | lines | executed | mutants | executed | killed | share |", "| --- |" + " ---: |" * 6]
    for package in sorted(lines, key=lambda package: (package == "all", package)):
        rows = tried[package]
        killed, executed = sum(row["killed"] for row in rows), sum(row["tests"] > 0 for row in rows)
        share = f"{killed / len(rows):.0%}" if rows else ""
        covered = f"{1 - missing[package] / max(lines[package], 1):.1%}"
        name = package if package == "all" else f"`{package}`"
        table.append(f"| {name} | {lines[package]:,} | {covered} | {len(rows)} | {executed} | {killed} | {share} |")
    return "\n".join(table)


def package_of(module: str) -> str:
    """Return the package of a module's path, such as `nlpcalib/calibration`."""
    return "/".join(module.split("/")[:2]) if module.count("/") > 1 else module.partition("/")[0]


def topic_of(module: str) -> str:
    """Return the folder of a module's package, and of its tests, such as `calibration`."""
    return module.split("/")[1].removesuffix(".py")


def main() -> None:
    """Try the mutants that are not in the file of results, and print the table of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="of the clone, what was measured, and the results")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--packages", nargs="*", default=[], help="such as nlpcalib/chains: all unless named")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=10, help="CPU seconds that the tests of a mutant may cost")
    parser.add_argument("--limit", type=int, default=40, help="CPU seconds after which a mutant is killed")
    options = parser.parse_args()
    tests = Tests(options.folder.resolve(), options.packages, options.budget, options.limit)
    tests.measured.get_data()  # makes the clone
    for module in IMPORTED:
        with suppress(ImportError):  # a plugin of pytest that is not installed takes no time
            import_module(module)
    gc.freeze()
    path = options.folder / "mutants.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    results = [json.loads(line) for line in lines]
    done = {(row["module"], row["number"]) for row in results}
    with path.open("a", encoding="utf-8") as file:
        for module, number in draw(tests.library, options.packages, options.sample, options.seed):
            if (module, number) not in done:
                results.append(tests.try_mutant(module, number))
                file.write(json.dumps(results[-1], ensure_ascii=False) + "\n")
                file.flush()
    print(report(tests, results))


if __name__ == "__main__":
    main()
