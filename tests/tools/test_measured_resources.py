"""A rule asks for what its jobs took, and for more where its inputs are larger."""

import json
from types import SimpleNamespace

import pytest
from tools.measured_resources import Job, measured_jobs, resources


def asked(expressions, input_mb, attempt=1):
    """Return what Snakemake makes of the expressions of a profile."""
    size = SimpleNamespace(size_mb=input_mb)
    return {name: eval(each, {"input": size, "attempt": attempt}) for name, each in expressions.items()}


def test_larger_inputs_ask_for_as_many_times_more_as_they_are_larger_and_no_fewer_than_were_measured():
    rule = resources([Job("train", 5, 900, 100), Job("train", 10, 1000, 600)])["train"]
    assert asked(rule, 10) == asked(rule, 1) == {"mem_mb": 1500, "runtime": 40}
    assert asked(rule, 100) == {"mem_mb": 15_000, "runtime": 400}
    assert asked(rule, 100, attempt=2) == {"mem_mb": 30_000, "runtime": 800}


def test_what_a_smaller_job_took_is_asked_for_too():
    rule = resources([Job("draw", 10, 500, 60), Job("draw", 4, 2000, 900)])["draw"]
    assert asked(rule, 4) == {"mem_mb": 3000, "runtime": 60}


def test_small_inputs_do_not_show_how_needs_grow_and_a_small_job_asks_for_the_least():
    assert resources([Job("table", 0.01, 150, 1)]) == {"table": {"mem_mb": "500 * attempt", "runtime": "10 * attempt"}}


def test_a_run_has_the_inputs_of_each_job_by_the_record_of_its_outputs(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))

    write("data/texts", "x" * (3 << 20))
    write("results/records/a.json", {"rule": "read", "inputs": {"data/texts": {}, "data/gone": {}}})
    write("results/records/b.json", {"rule": "read", "job": "a"})
    used = {"peak_mb": 200.0, "seconds": 5.0, "cpu_seconds": 4.0}
    write("results/logs/read/a.json", used | {"records": {"results/records/b.json": "", "results/records/a.json": ""}})
    write("results/logs/configurations/c.json", {"seed": 1})
    [job] = measured_jobs(tmp_path)
    assert job == Job("read", pytest.approx(3), 200.0, 5.0)
