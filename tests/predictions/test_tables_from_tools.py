"""Each recipe of the page makes a table of what its tool writes, without failures, which it counts."""

import json
import re
from pathlib import Path

import pytest

import nlpcalib as nc

PAGE = (Path(__file__).parents[2] / "docs/how-to/tables-from-tools.md").read_text(encoding="utf-8")
RECIPES = {
    re.search(r'Path\("([^"]+)"\)', block)[1]: block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
}
SERVERS = RECIPES.pop("lines.jsonl")
RECIPES |= {
    server: SERVERS.replace('["openai"]', f'["{server}"]').replace("lines.jsonl", server)
    for server in re.findall(r'^    "(.*)": lambda', SERVERS, re.MULTILINE)
}


def inspect_log():
    values = ["C", "I", "N", "P", float("nan"), "C"]
    samples = [
        {
            "id": n,
            "epoch": 1,
            "input": "q",
            "target": "a",
            "scores": {"model_graded_qa": {"value": value, "history": []}},
        }
        for n, value in enumerate(values)
    ]
    log = {"version": 2, "status": "success", "eval": {"task": "qa", "model": "openai/a"}}
    return [log | {"samples": [*samples, {"id": 9, "epoch": 1, "input": "q", "target": "a", "scores": None}]}]


def promptfoo_result(test, passed, human=None, **part):
    parts = [{"pass": True, "score": 1, "reason": "", "assertion": {"type": "contains"}}]
    parts.append({"pass": passed, "score": int(passed), "reason": "", "assertion": {"type": "llm-rubric"}, **part})
    if human is not None:
        parts.append({"pass": human, "score": int(human), "reason": "", "assertion": {"type": "human"}})
    return {
        "promptIdx": 0, "testIdx": test, "vars": {"question": test}, "provider": {"id": "openai:a", "label": ""},
        "prompt": {"raw": "…", "label": "…"}, "gradingResult": {"pass": passed, "componentResults": parts},
    }  # fmt: skip


def promptfoo():
    results = [
        promptfoo_result(0, True, human=True), promptfoo_result(1, False), promptfoo_result(2, True, human=False),
        promptfoo_result(3, False, metadata={"graderError": True}),
        promptfoo_result(4, False, reason="Could not extract JSON from llm-rubric response"),
        {**promptfoo_result(5, False), "gradingResult": None},
    ]  # fmt: skip
    return [{"evalId": "e", "results": {"version": 3, "results": results, "stats": {}}, "config": {}}]


def deepeval():
    def case(name, **metric):
        return {"name": name, "input": name, "success": False, "metricsData": [{"name": "Correctness", **metric}]}

    cases = [
        case("a", success=True, score=0.9), case("b", success=False, score=0.1),
        case("c", success=False, score=None, error="Evaluation LLM outputted an invalid JSON."),
        {"name": "d", "input": "d", "success": True, "metricsData": None},
    ]  # fmt: skip
    return [{"testRunData": {"testFile": None, "testCases": cases}, "testRunLink": None}]


def chosen(*tokens, name="token"):
    return [{name: token, "logprob": logprob} for token, logprob in tokens]


B = (("B", -0.2231435513142097), (" b", -2.302585092994046), ("A", -2.302585092994046))
"""Tokens of probability .8, .1 and .1, of which two are one answer."""
FILES = {
    "log.json": (inspect_log(), ["0,openai/a,1", "1,openai/a,0", "2,openai/a,0", "5,openai/a,1"], 3),
    "results.json": (
        promptfoo(),
        ['"{""question"": 0}",openai:a,1,1', '"{""question"": 1}",openai:a,0,', '"{""question"": 2}",openai:a,1,0'],
        3,
    ),
    ".latest_test_run.json": (deepeval(), ["a,1", "b,0"], 2),
    "replies.jsonl": (
        [
            {"id": "a", "response": "Answer: Paris\nConfidence: 85%", "gold": "Paris"},
            {"id": "b", "response": "Answer: Lyon\nConfidence: 40 %", "gold": "Paris"},
            {"id": "c", "response": "Answer: Lyon\nConfidence: 7 of 10", "gold": "Paris"},
            {"id": "d", "response": "I cannot answer that.", "gold": "Paris"},
            {"id": "e", "response": None, "gold": "Paris"},
        ],
        ["a,0.85,1", "b,0.4,0"],
        3,
    ),
    "samples.jsonl": (
        [
            {"id": "a", "answers": ["Paris", "paris ", "Lyon", "Paris"], "gold": "Paris"},
            {"id": "b", "answers": [None, "Lyon"], "gold": "Paris"},
        ],
        ["a,0.75,1"],
        1,
    ),
    "openai": (
        [
            {
                "id": "r1", "object": "response", "gold": "B",
                "output": [
                    {"type": "reasoning", "summary": []},
                    {"type": "message", "content": [{"type": "output_text", "text": "B", "logprobs": [
                        {"token": "B", "logprob": B[0][1], "top_logprobs": chosen(*B)}]}]},
                ],
            },
            {"id": "r2", "object": "response", "gold": "B", "output": [], "error": {"code": "server_error"}},
        ],
        ["r1,0.9,1"],
        1,
    ),
    "llama.cpp": (
        [
            {"id": "x", "content": "B", "gold": "a", "completion_probabilities": [
                {"token": "B", "logprob": B[0][1], "top_logprobs": chosen(*B)}]},
            {"id": "y", "error": {"code": 503, "message": "Loading model"}, "gold": "a"},
        ],
        ["x,0.9,0"],
        1,
    ),
    "tgi": (
        [
            {"id": "x", "generated_text": "B", "gold": "B", "details": {"finish_reason": "length", "top_tokens": [
                chosen(*B, name="text")]}},
            {"id": "y", "error": "Model is overloaded", "error_type": "overloaded", "gold": "B"},
        ],
        ["x,0.9,1"],
        1,
    ),
}  # fmt: skip


def rounded(line):
    return re.sub(r"0\.\d+", lambda found: f"{float(found[0]):.12g}", line)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_makes_the_table_of_its_tool_and_counts_what_failed(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    content, lines, failed = FILES[name]
    Path(name).write_text("\n".join(map(json.dumps, content)) + "\n", encoding="utf-8")
    exec(compile(RECIPES[name], name, "exec"), {})
    assert capsys.readouterr().out == f"{failed} left out\n"
    _, *rows = Path("table.csv").read_text(encoding="utf-8").splitlines()
    assert list(map(rounded, rows)) == lines


def test_every_recipe_has_a_file_as_its_tool_writes_it():
    assert RECIPES.keys() == FILES.keys()


def test_a_table_of_verdicts_is_judged(tmp_path):
    rows = [f"{n},m,{int(n % 3 > 0)},{int(n % 3 > 0) if n % 7 else n % 2}" for n in range(90)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,system,q,y", *rows]), encoding="utf-8")
    assert "90 of 90 items have a label" in str(nc.judge(nc.read(path)))
