"""Verdicts in the results of tools that evaluate language models: Inspect (also packed), promptfoo and DeepEval.

* Inspect: `samples` with `id`, `epoch` and `scores` by scorer, of the `model` in `eval`. Values C and I are correct and
  incorrect, and N, no answer, is incorrect. Each value of a scorer that has several is a judge. Epochs of a sample are
  verdicts on one item.
* promptfoo: `results` in `results`, with `vars`, `provider`, `prompt` and the components of `gradingResult`, or
  a line for each result. Tests with the same variables are one item. A component `human` is a label.
* DeepEval: `testCases`, also in `testRunData`, with `input` and `metricsData`. Test cases with one input are one item.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, InputFinding, counted, located, some
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import check_file
from nlpcalib.predictions.formats.packed_logs import read_packed_log

_WORDS_OF_INSPECT = {"C": "1", "I": "0", "N": "0"}
_ERRORS = ("Could not extract JSON", "API error", "API call error", "Error:", "Grading failed", "No output")
"""How the reason of a component begins where its grader failed."""
_HUMAN = "human"
"""Type of the assertion that promptfoo adds for what a person clicked."""


@dataclass(frozen=True)
class LoggedVerdict:
    """What the judges of a log decided on one output."""

    place: str
    item: str
    system: str
    verdicts: Mapping[str, str]
    """The verdict of each judge; without those that failed."""
    label: str = ""
    """What a person decided, if the tool has it."""


def logged_verdicts(path: str | Path) -> list[LoggedVerdict] | None:
    """Return the rows of a log, with the verdicts of all its judges; None for another file.

    Raises `InputError` for damaged logs, and for logs that lack what their tool writes.
    """
    path = Path(path)
    check_file(path)
    with located(path):
        try:
            return _rows(read_packed_log(path) if path.suffix == ".eval" else _content(path))
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f"found a log without {error}, expected one that Inspect, promptfoo or DeepEval wrote"
            ) from None


def _content(path: Path) -> Any:
    """Return the JSON of a file, or of each line of results of promptfoo; None for another file."""
    try:
        text = path.read_text(encoding="utf-8")
        first, _, rest = text.strip().partition("\n")
        content = json.loads(text if '"promptIdx"' not in first or not rest else first)
        if not isinstance(content, dict) or "promptIdx" not in content:
            return content
        return {"results": {"results": [content, *map(json.loads, filter(str.strip, rest.splitlines()))]}}
    except (ValueError, RecursionError):
        return None  # the reader of tables reports the fault


def read_verdict_log(path: str | Path, judge: str | None = None) -> list[tuple[LoggedVerdict, str]] | None:
    """Return the rows of a log with the verdict of a judge: a scorer, assertion or metric; None for another file.

    Warns of rows in which it gave no verdict, which are left out. Raises `InputError` for logs without verdicts, and,
    naming them, for several judges of which none was named.
    """
    found = logged_verdicts(path)
    if found is None:
        return None
    with located(path):
        judges = sorted({name for row in found for name in row.verdicts})
        if judge is None and len(judges) == 1:
            [judge] = judges
        if judge not in judges:
            named = "found no verdict" if not judges else f"found verdicts of {some(judges)}"
            raise InputError(
                f"{named}, expected columns= to name one of them as verdict, such as verdict={(judges or ['…'])[0]}"
            )
    rows = [(row, row.verdicts[judge]) for row in found if judge in row.verdicts]
    if missing := len(found) - len(rows):
        sentence = f"{missing:,} of {counted(len(found), 'row')} have no verdict of {judge}: left out"
        report_findings([InputFinding("verdict", sentence)], path)
    return rows


def _rows(content: Any) -> list[LoggedVerdict] | None:
    """Return the rows of the tool that wrote the content; None where none of them did."""
    if not isinstance(content, dict):
        return None
    if "eval" in content and "samples" in content:
        return list(_inspect(content))
    if isinstance(content.get("results"), dict) and "results" in content["results"]:
        return list(_promptfoo(content["results"]["results"]))
    run = content.get("testRunData", content)
    return list(_deepeval(run["testCases"])) if isinstance(run, dict) and "testCases" in run else None


def _inspect(content: Mapping[str, Any]) -> Iterator[LoggedVerdict]:
    for sample in content["samples"] or ():
        values = {name: each["value"] for name, each in (sample.get("scores") or {}).items()}
        scores = {
            f"{name}: {part}" if part else name: _scalar(each)
            for name, value in values.items()
            for part, each in (value.items() if isinstance(value, dict) else [("", value)])
        }
        verdicts = {name: _WORDS_OF_INSPECT.get(value, value) for name, value in scores.items() if value != "nan"}
        item = str(sample["id"])
        yield LoggedVerdict(f"sample {item}, epoch {sample['epoch']}", item, content["eval"]["model"], verdicts)


def _promptfoo(results: list[Mapping[str, Any]]) -> Iterator[LoggedVerdict]:
    several = len({result["promptIdx"] for result in results}) > len({_provider(result) for result in results})
    first: dict[str, str] = {}
    for result in results:
        item = first.setdefault(json.dumps(result["vars"], sort_keys=True), str(result["testIdx"]))
        grading = result.get("gradingResult") or {}
        parts = [(part, part.get("assertion") or {}) for part in grading.get("componentResults") or ()]
        judges = Counter(_judge(assertion) for _, assertion in parts)
        verdicts, label = {}, ""
        for part, assertion in parts:
            name = _judge(assertion)
            if assertion.get("type") == _HUMAN:
                label = _scalar(part["pass"])
            elif not _has_failed(part, result):
                named = f"{name}: {assertion.get('value')}" if judges[name] > 1 else name
                verdicts[named] = _scalar(part["pass"])
        prompt = f", {_first_given(result['prompt'].get('label'), result['promptIdx'])}" if several else ""
        place = f"test {result['testIdx']}, prompt {result['promptIdx']}"
        yield LoggedVerdict(place, item, f"{_provider(result)}{prompt}", verdicts, label)


def _has_failed(part: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """Return whether the grader gave no verdict: it says so, or its reason is an error's."""
    said = str(part.get("reason") or result.get("error") or "")
    return (part.get("metadata") or {}).get("graderError", False) or said.startswith(_ERRORS)


def _judge(assertion: Mapping[str, Any]) -> str:
    """Return the name of an assertion: its metric, or else its type."""
    return str(_first_given(assertion.get("metric"), assertion.get("type")))


def _provider(result: Mapping[str, Any]) -> str:
    return str(_first_given(result["provider"].get("label"), result["provider"]["id"]))


def _first_given(name: Any, other: Any) -> Any:
    """Return a name, or the other one where it is absent or empty; 0 is a name."""
    return other if name is None or name == "" else name


def _deepeval(cases: list[Mapping[str, Any]]) -> Iterator[LoggedVerdict]:
    inputs: dict[str, set[str]] = {}
    for case in cases:
        inputs.setdefault(str(case["name"]), set()).add(str(case["input"]))
    first: dict[str, str] = {}
    for case in cases:
        named = str(case["name"]) if len(inputs[str(case["name"])]) == 1 else f"{case['name']} {len(first) + 1}"
        item = first.setdefault(str(case["input"]), named)
        metrics = case.get("metricsData") or ()
        verdicts = {
            each["name"]: _scalar(each["success"])
            for each in metrics
            if each.get("success") is not None and not each.get("error")
        }
        yield LoggedVerdict(f"test case {case['name']}", item, "", verdicts)


def _scalar(value: Any) -> str:
    """Return a verdict as a table would have it: 1 and 0 for true and false."""
    return str(int(value) if isinstance(value, bool) else value)
