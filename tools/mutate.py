"""Measure what share of small faults in the library the fast tests find (a mutation score), by package.

    python tools/mutate.py --sample 300 --results mutants.jsonl

A mutant is the library with one operator, constant or condition changed. They are drawn with a seed, from each package
in proportion to the places where it can be changed, and run one after the other against the fast tests of their
package: first the files that import the module, then the others. A mutant is killed if a test fails, or if a stage of
tests takes more than `--limit` seconds of CPU. Results are added to the file line by line, and a run that was stopped
goes on where it was.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "src/nlpcalib"
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


def draw(sample: int, seed: int) -> list[tuple[str, int]]:
    """Return modules, as paths below the library, and numbers of their sites: a sample stratified by package."""
    places: dict[str, list[tuple[str, int]]] = {}
    for path in sorted(LIBRARY.glob("*/**/*.py")):
        name = path.relative_to(LIBRARY).as_posix()
        count = sum(1 for _ in sites(ast.parse(path.read_text(encoding="utf-8"))))
        places.setdefault(name.partition("/")[0], []).extend((name, number) for number in range(count))
    whole = sum(map(len, places.values()))
    drawn = []
    for package, each in places.items():
        number = min(max(round(sample * len(each) / whole), 3), len(each))
        drawn += random.Random(f"{seed} {package}").sample(each, number)
    random.Random(seed).shuffle(drawn)  # a run that is stopped has some of each
    return drawn


def stages(module: str) -> list[list[str]]:
    """Return the test files of the module's package that import it, and the others."""
    files = sorted((ROOT / "tests" / module.partition("/")[0]).glob("test_*.py"))
    name = "nlpcalib." + module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    near = [str(path) for path in files if name in path.read_text(encoding="utf-8")]
    return [stage for stage in (near, [str(path) for path in files if str(path) not in near]) if stage]


def run(tests: Sequence[str], library: Path, limit: int) -> tuple[bool, str]:
    """Return whether tests pass with the library in a folder, and the first that does not."""
    environment = os.environ | {"PYTHONPATH": str(library), "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-n", "0", *tests]
    # CPU time, so that a busy machine kills no mutant.
    command = ["sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *pytest]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", ended.stdout, re.MULTILINE)
    return ended.returncode in (0, 5), failed[1] if failed else ""  # 5: no test is left without the slow ones


@cache
def passes(test: str, limit: int) -> bool:
    """Return whether a test passes with the library as it is; nothing is learned from one that does not."""
    return run([test], LIBRARY.parent, limit)[0]


def is_killed(module: str, number: int, limit: int) -> tuple[bool, str]:
    """Return whether a test finds a mutant, and what was changed; raises `RuntimeError` if it fails anyway."""
    source = (LIBRARY / module).read_text(encoding="utf-8")
    tree = ast.parse(source)
    node, kind = list(sites(tree))[number]
    line = f"{kind} in line {getattr(node, 'lineno', 0)}: {(ast.get_source_segment(source, node) or '')[:60]!r}"
    change(node)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(LIBRARY, Path(folder) / "nlpcalib", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / "nlpcalib" / module).write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
        for files in stages(module):
            passed, test = run(files, Path(folder), limit)
            if not passed:
                if test and not passes(test, limit):
                    raise RuntimeError(f"{test} fails without a mutant")
                return True, line
    return False, line


def report(results: Sequence[dict]) -> str:
    """Return a table of packages."""
    killed = Counter(row["module"].partition("/")[0] for row in results if row["killed"])
    tried = Counter(row["module"].partition("/")[0] for row in results)
    lines = ["| package | mutants | killed | share |", "| --- | ---: | ---: | ---: |"]
    for package, number in [*sorted(tried.items()), ("all", len(results))]:
        found = killed.total() if package == "all" else killed[package]
        lines.append(f"| `{package}` | {number} | {found} | {found / max(number, 1):.0%} |")
    return "\n".join(lines)


def main() -> None:
    """Try the mutants that are not in the file of results, and print the table of all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--limit", type=int, default=120, help="seconds of CPU")
    parser.add_argument("--results", type=Path, required=True)
    options = parser.parse_args()
    lines = options.results.read_text(encoding="utf-8").splitlines() if options.results.exists() else []
    results = [json.loads(line) for line in lines]
    done = {(row["module"], row["number"]) for row in results}
    with options.results.open("a", encoding="utf-8") as file:
        for module, number in draw(options.sample, options.seed):
            if (module, number) not in done:
                killed, what = is_killed(module, number, options.limit)
                results.append({"module": module, "number": number, "killed": killed, "what": what})
                file.write(json.dumps(results[-1], ensure_ascii=False) + "\n")
                file.flush()
    print(report(results))


if __name__ == "__main__":
    main()
