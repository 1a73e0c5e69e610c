"""Results of tools that evaluate language models are read as verdicts on items, in the forms that their code writes."""

import json
import warnings
import zipfile
from pathlib import Path

import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.predictions import packed_logs
from nlpcalib.predictions.formats.verdict_logs import read_verdict_log


def inspect_log(values):
    """Return a log with one score of each sample and epoch; the sample has a scorer of exact matches too."""
    samples = [
        {
            "id": sample, "epoch": epoch, "input": "…", "target": "…",
            "scores": {"model_graded_qa": {"value": value}, "match": {"value": "C", "answer": "…"}},
        }
        for sample, epoch, value in values
    ]  # fmt: skip
    return {"version": 2, "status": "success", "eval": {"task": "qa", "model": "openai/a"}, "samples": samples}


def promptfoo_results(rows):
    """Return results of tests, with a rubric, and a rating in the viewer where there is one."""
    results = []
    for test, variables, provider, passed, rating in rows:
        parts = [{"pass": True, "score": 1, "reason": "", "assertion": {"type": "contains"}}]
        parts += [{"pass": passed, "score": float(passed), "reason": "", "assertion": {"type": "llm-rubric"}}]
        if rating is not None:
            parts.append({"pass": rating, "score": float(rating), "reason": "", "assertion": {"type": "human"}})
        grading = {"pass": passed, "score": 1, "reason": "", "componentResults": parts}
        results.append(
            {
                "promptIdx": 0, "testIdx": test, "vars": {"question": variables}, "provider": {"id": provider},
                "prompt": {"raw": "…", "label": "…"}, "success": passed, "gradingResult": grading,
            }
        )  # fmt: skip
    return {"evalId": "e", "results": {"version": 3, "prompts": [], "results": results, "stats": {}}, "config": {}}


def deepeval_run(rows):
    cases = [
        {"name": name, "input": text, "success": passed, "metricsData": [{"name": "Correctness", "success": passed}]}
        for name, text, passed in rows
    ]
    return {"testRunData": {"testFile": None, "testCases": cases}, "testRunLink": None}


@pytest.fixture
def written(tmp_path):
    def write(content, name="log.json"):
        path = tmp_path / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return write


def rows_of(path, judge=None):
    return [(row.item, row.system, verdict, row.label) for row, verdict in read_verdict_log(path, judge)]


def test_epochs_of_inspect_are_verdicts_on_one_sample(written):
    path = written(inspect_log([("a", 1, "C"), ("a", 2, "I"), (7, 1, "N")]))
    model = "openai/a"
    assert rows_of(path, "model_graded_qa") == [("a", model, "1", ""), ("a", model, "0", ""), ("7", model, "0", "")]


def test_a_log_that_inspect_wrote_is_read():
    """Version 0.3.285 wrote it: five samples, two epochs, one sample that a scorer left unscored."""
    path = Path(__file__).parents[1] / "data/verdict_logs/inspect.json"
    with pytest.warns(nc.InputWarning, match="2 of 10 rows have no verdict of graded"):
        rows = rows_of(path, "graded")
    assert [(item, verdict) for item, _, verdict, _ in rows] == [
        (item, str(int((int(item) + epoch) % 3 > 0))) for epoch in (1, 2) for item in "0124"
    ]
    assert {verdict for _, _, verdict, _ in rows_of(path, "match")} == {"1"}


def test_ratings_of_the_viewer_of_promptfoo_are_labels_and_equal_tests_one_item(written):
    path = written(
        promptfoo_results([(0, "x", "a", True, False), (1, "x", "a", False, None), (2, "y", "a", True, True)])
    )
    assert rows_of(path, "llm-rubric") == [("0", "a", "1", "0"), ("0", "a", "0", ""), ("2", "a", "1", "1")]


def test_metrics_of_deepeval_are_judges(written):
    path = written(deepeval_run([("t0", "x", True), ("t1", "y", False), ("t2", "x", False)]))
    assert rows_of(path) == [("t0", "", "1", ""), ("t1", "", "0", ""), ("t0", "", "0", "")]


def test_a_log_is_judged_as_a_table_with_its_rows_is(written):
    rows = [(n, f"q{n}", "ab"[n % 2], n % 3 > 0, n % 5 > 0 if n < 60 else None) for n in range(200)]
    path = written(promptfoo_results(rows))
    report = nc.judge(path, by="system", columns={"verdict": "llm-rubric"})
    verdicts, labels = [int(row[3]) for row in rows], [float("nan") if row[4] is None else row[4] for row in rows]
    assert report.rates == nc.judge(verdicts, labels).rates
    assert set(report.systems) == {"a", "b"}


@pytest.mark.parametrize("columns", [{"verdct": "model_graded_qa"}, {"id": "sample"}, {"unit": "case"}])
def test_columns_that_a_log_has_not_are_refused(columns, written):
    path = written(inspect_log([("a", 1, "C"), ("b", 1, "I")]))
    with pytest.raises(nc.InputError, match="in columns=, expected"):
        nc.judge(path, columns={"verdict": "model_graded_qa", **columns})


def test_what_is_unclear_in_a_log_is_refused(written, tmp_path):
    path = written(inspect_log([("a", 1, "C")]))
    with pytest.raises(
        nc.InputError, match="found verdicts of match, model_graded_qa, expected columns= to name one of them"
    ):
        read_verdict_log(path)
    two = written(promptfoo_results([(0, "x", "a", True, True), (0, "x", "b", True, True)]))
    with pytest.raises(nc.InputError, match="found outputs of a, b, expected by=system"):
        nc.judge(two, columns={"verdict": "llm-rubric"})
    with pytest.raises(nc.InputError, match="found by=topic, expected by=system"):
        nc.judge(two, columns={"verdict": "llm-rubric"}, by="topic")
    partial = written(inspect_log([("a", 1, "P")]))
    with pytest.raises(nc.InputError, match="sample a, epoch 1, verdict: found the label 'P'"):
        nc.judge(partial, "labels.csv", columns={"verdict": "model_graded_qa"})
    with pytest.raises(nc.InputError, match="found a log without 'epoch'"):
        read_verdict_log(written({"eval": {"model": "a"}, "samples": [{"id": 1, "scores": {}}]}))


def test_a_packed_log_that_inspect_wrote_is_read():
    """Version 0.3.285 wrote it, packed with Zstandard: the task of `inspect.json`, with other ids of samples."""
    path = Path(__file__).parents[1] / "data/verdict_logs/inspect.eval"
    with pytest.warns(nc.InputWarning, match="2 of 10 rows have no verdict of graded"):
        rows = rows_of(path, "graded")
    assert [(item, verdict) for item, _, verdict, _ in rows] == [
        (item, str(int((int(item) + epoch) % 3 > 0))) for epoch in (1, 2) for item in "0124"
    ]
    assert {system for _, system, _, _ in rows} == {"mockllm/model"}
    assert nc.look(path).commands[1] == f"judge {path} LABELS --columns verdict=graded"


HEAD = {"eval": {"model": "m"}}


def packed(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_log_is_read_by_its_samples_or_parts_of_their_summaries_alike(tmp_path, written):
    content = inspect_log([("a", 1, "C"), ("a", 2, "I"), ("b", 1, "C")])
    expected = rows_of(written(content), "match")
    samples, head = content["samples"], {"eval": content["eval"]}
    for members in (
        {"header.json": head, "summaries.json": samples},
        {"_journal/start.json": head, **{f"_journal/summaries/{n}.json": [each] for n, each in enumerate(samples)}},
        {"header.json": head, **{f"samples/{n}.json": each for n, each in enumerate(samples)}},
    ):
        assert rows_of(packed(tmp_path / "log.eval", members), "match") == expected


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ({"notes.txt": "…"}, "found an archive without header.json"),
        ({"header.json": "{", "summaries.json": []}, "found a damaged log"),
        ({"header.json": "[" * 9_000, "summaries.json": []}, "found a damaged log"),
        ({"header.json": {}, "summaries.json": []}, "found a log without 'eval'"),
        ({"header.json": HEAD, "summaries.json": [{"id": 1, "scores": {}}]}, "a log without 'epoch'"),
        ({"header.json": HEAD, "summaries.json": ["a"]}, "found a log without"),
        ({"header.json": HEAD, "summaries.json": " " * 10_000}, "bytes unpacked, expected at most"),
    ],
)
def test_packed_logs_that_are_none_are_refused_in_one_line(members, found, tmp_path, monkeypatch):
    monkeypatch.setattr(packed_logs, "MAX_LOG_BYTES", 10_000)
    path = packed(tmp_path / "log.eval", members)
    with pytest.raises(nc.InputError, match=found) as refused:
        nc.judge(path)
    assert str(refused.value).startswith(f"{path}: ")


INSPECT_LOG = Path(__file__).parents[1] / "data/verdict_logs/inspect.eval"


@pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
def test_a_packed_log_that_is_cut_short_is_refused(share, tmp_path):
    whole = INSPECT_LOG.read_bytes()
    path = tmp_path / "log.eval"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(nc.InputError, match="found a damaged log"):
        rows_of(path, "match")


def test_damage_is_refused_where_scores_stand_and_harmless_elsewhere(tmp_path):
    whole = INSPECT_LOG.read_bytes()
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(INSPECT_LOG) as archive:
        members = sorted(archive.infolist(), key=lambda member: member.header_offset)
    needed = []
    for member in members:
        start = member.header_offset + 30 + int.from_bytes(whole[member.header_offset + 26 :][:2], "little")
        start += int.from_bytes(whole[member.header_offset + 28 :][:2], "little")
        end = start + member.compress_size
        path.write_bytes(whole[:start] + bytes(end - start) + whole[end:])
        try:
            assert rows_of(path, "match") == rows_of(INSPECT_LOG, "match")
        except nc.InputError:
            needed.append(member.filename)
    assert len(needed) < len(members)
    assert sorted(needed) == ["header.json", "summaries.json"]


def test_a_log_that_lzma_cannot_unpack_is_refused(tmp_path):
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("header.json", json.dumps(HEAD))
        archive.writestr("summaries.json", "[]")
    whole = bytearray(path.read_bytes())
    whole[52:62] = bytes(each ^ 255 for each in whole[52:62])
    path.write_bytes(whole)
    with pytest.raises(nc.InputError, match=r"found a damaged log \(LZMAError\)"):
        nc.judge(path)


def test_rows_without_a_verdict_are_left_out_and_counted(written):
    path = written(inspect_log([("a", 1, "C"), ("b", 1, float("nan"))]))
    with pytest.warns(nc.InputWarning, match="1 of 2 rows have no verdict of model_graded_qa: left out"):
        assert len(read_verdict_log(path, "model_graded_qa")) == 1


def test_other_files_are_no_logs(written, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("id,verdict\na,yes\n", encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_verdict_log(table) is None
        assert read_verdict_log(written({"id": "a", "verdict": "yes"})) is None
        assert read_verdict_log(written([1])) is None


def test_two_rubrics_of_one_test_are_two_judges_and_inputs_of_one_name_are_several_items(written):
    results = promptfoo_results([(0, "a", "p", True, None)])
    [result] = results["results"]["results"]
    parts = result["gradingResult"]["componentResults"]
    parts.append({"pass": False, "assertion": {"type": "llm-rubric", "value": "is polite"}})
    with pytest.raises(InputError, match="found verdicts of contains, llm-rubric: None, llm-rubric: is polite, exp"):
        read_verdict_log(written(results))
    run = deepeval_run([("refunds", "one", True), ("refunds", "two", False), ("refunds", "one", False)])
    assert [row.item for row, _ in read_verdict_log(written(run, "run.json"))] == [
        "refunds 1",
        "refunds 2",
        "refunds 1",
    ]


@pytest.mark.parametrize("lines", [1, 2])
def test_a_line_for_each_result_is_read_as_the_whole(lines, written, tmp_path):
    content = promptfoo_results([(0, "a", "one", True, True), (1, "b", "one", False, None)][:lines])
    for result in content["results"]["results"]:
        result["gradingResult"]["componentResults"] = result["gradingResult"]["componentResults"][1:]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(result) + "\n" for result in content["results"]["results"]), encoding="utf-8")
    assert read_verdict_log(path) == read_verdict_log(written(content))
