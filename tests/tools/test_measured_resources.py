"""A rule asks for what its jobs took, and for more where its inputs are larger; its short jobs are one submission."""

import json
from types import SimpleNamespace

import pytest
import yaml
from tools.measured_resources import MAX_JOBS_IN_GROUP, Job, group_sizes, measured_jobs, profile_lines, resources


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
    write("results/records/a.json", {"rule": "read", "inputs": {"data/texts": {}, "data/gone": {}}, "files": {"a": {}}})
    write("results/records/b.json", {"rule": "read", "job": "a"})
    used = {"peak_mb": 200.0, "seconds": 5.0, "cpu_seconds": 4.0}
    write("results/logs/read/a.json", used | {"records": {"results/records/b.json": "", "results/records/a.json": ""}})
    write("results/logs/configurations/c.json", {"seed": 1})
    [job] = measured_jobs(tmp_path)
    assert job == Job("read", pytest.approx(3), 200.0, 5.0, frozenset({"data/texts", "data/gone"}), frozenset({"a"}))


def chain(rule, number, seconds, reads="{}", writes="{}"):
    """Return jobs of a rule, each with a file of its own that it reads, and one that it writes."""
    return [
        Job(rule, 0, 100, seconds, frozenset({reads.format(place)}), frozenset({writes.format(place)}))
        for place in range(number)
    ]


def test_short_jobs_of_a_rule_fill_ten_minutes_and_long_ones_are_a_submission_each():
    jobs = [
        Job("short", 0, 100, 15),
        Job("short", 0, 100, 20),
        *[Job("long", 0, 100, 400)] * 2,
        Job("alone", 0, 100, 1),
    ]
    rules = {name: name for name in ("short", "long", "alone")}
    assert group_sizes(jobs, rules) == {"short": 30}
    assert group_sizes([Job("short", 0, 100, 0.1)] * 2, rules) == {"short": MAX_JOBS_IN_GROUP}
    assert group_sizes(jobs, {}) == {}, "a rule that is not submitted has a group"


def test_chains_of_a_group_of_the_workflow_are_counted_whole():
    jobs = [*chain("draw", 2, 20, "{}.txt", "{}.drawn"), *chain("featurise", 2, 40, "{}.drawn", "{}.npz")]
    assert group_sizes(jobs, {"draw": "messages", "featurise": "messages"}) == {"messages": 10}


def test_jobs_that_wait_for_each_other_by_way_of_another_rule_are_not_one_submission():
    first = [*chain("apply", 2, 1, "{}.model", "{}.pairs"), *chain("recalibrate", 2, 1, "{}.pairs", "{}.map")]
    rules = {"apply": "apply", "recalibrate": "recalibrate"}
    assert group_sizes(first, rules) == {"apply": 50, "recalibrate": 50}
    assert group_sizes([*first, *chain("apply", 2, 1, "{}.map", "{}.again")], rules) == {}


def test_the_lines_are_a_profile_whose_jobs_in_groups_ask_for_few_minutes_each():
    jobs = [*chain("short", 2, 2), Job("alone", 0, 100, 2)]
    profile = yaml.safe_load("\n".join(profile_lines(jobs, {"short": "short", "alone": "alone"})))
    assert profile["groups"] == {"short": "short"}
    assert profile["group-components"] == {"short": 50}
    assert profile["set-resources"]["short"]["runtime"] == "3 * attempt"
    assert profile["set-resources"]["alone"]["runtime"] == "10 * attempt"
    assert "groups" not in yaml.safe_load("\n".join(profile_lines([Job("alone", 0, 100, 2)], {"alone": "alone"})))
