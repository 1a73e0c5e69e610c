"""The time left of a run, where how long each job takes is known."""

import json
import logging
from types import SimpleNamespace

import pytest

from reproduction.workflow.time_left import TimeLeft


class Events:
    """What Snakemake reports of a run whose jobs follow each other."""

    def __init__(self, path):
        self.noted, self.now, self.number = [], 1.0, 0
        self.handler = TimeLeft(SimpleNamespace(info=self.noted.append), path)

    def report(self, event, **content):
        record = logging.makeLogRecord({"event": SimpleNamespace(value=event), "created": self.now, **content})
        self.handler.emit(record)

    def run(self, rule, seconds):
        self.number += 1
        self.report("job_info", jobid=self.number, rule_name=rule)
        self.now += seconds
        self.report("job_finished", job_id=self.number)


def test_jobs_take_as_long_as_those_of_their_rule(tmp_path):
    events = Events(tmp_path / "new" / "seconds.json")
    events.report("run_info", stats={"slow": 4, "fast": 61, "total": 65})
    events.run("slow", 100)
    events.run("fast", 2)
    assert events.noted == ["about 1.8 h left, for 64 jobs"], "of a rule that did not run jobs take as long as the mean"
    for _ in range(31):
        events.run("fast", 2)
    assert events.noted[1:] == ["about 6 min left, for 33 jobs"]
    assert json.loads((tmp_path / "new" / "seconds.json").read_text())["slow"] == 100


def test_a_second_run_takes_the_times_of_the_first(tmp_path):
    path = tmp_path / "seconds.json"
    path.write_text('{"slow": 600}', encoding="utf-8")
    events = Events(path)
    events.report("run_info", stats={"slow": 1, "fast": 2, "total": 3})
    events.run("fast", 61)
    assert events.noted == ["about 11 min left, for 2 jobs"]


@pytest.mark.parametrize("record", ["", "[]", '{"slow": null}', '{"slow": "long"}', "\udcff"])
def test_what_is_no_record_of_seconds_counts_as_none(tmp_path, record):
    path = tmp_path / "seconds.json"
    path.write_text(record, encoding="utf-8", errors="surrogateescape")
    events = Events(path)
    events.report("run_info", stats={"fast": 2, "total": 2})
    events.run("fast", 120)
    assert events.noted == ["about 2 min left, for 1 jobs"]


def test_events_without_a_run_and_other_records_are_passed_over(tmp_path):
    events = Events(tmp_path / "seconds.json")
    events.handler.emit(logging.makeLogRecord({"msg": "no event"}))
    events.report("job_finished", job_id=7)
    events.run("alone", 1000)
    assert events.noted == []
