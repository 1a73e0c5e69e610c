"""The time that is left of a run of the workflow, from how long jobs of each rule took, in this run or the last."""

from __future__ import annotations

import json
import logging
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from nlpcalib.io.files import write_json
from nlpcalib.io.progress import time_left

_EVERY = 60.0
"""Seconds between two notes."""


class TimeLeft(logging.Handler):
    """Listens to Snakemake's events, and notes about once a minute how long the rest takes.

    Jobs of a rule take as long as those before, of this run or the last one here; those of a new rule as the mean job.
    As many run at a time as so far. `seconds` is a file of JSON that keeps the seconds of a job by rule.
    """

    def __init__(self, logger: logging.Logger, seconds: Path) -> None:
        super().__init__(logging.INFO)
        self._logger, self._path = logger, seconds
        self._left: Counter[str] = Counter()
        self._running: dict[int, tuple[str, float]] = {}
        self._took: dict[str, list[float]] = {}
        self._start = self._noted = 0.0
        self._before: dict[str, float] = {}
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):  # no such record counts as none
            self._before = {rule: float(took) for rule, took in json.loads(seconds.read_bytes()).items()}

    def emit(self, record: logging.LogRecord) -> None:
        """Take one event."""
        content: dict[str, Any] = record.__dict__
        event = getattr(content.get("event"), "value", None)
        if event == "run_info":
            self._left = Counter({rule: n for rule, n in content["stats"].items() if rule != "total"})
            self._start = self._noted = record.created
        elif event == "job_info":
            self._running[content["jobid"]] = content["rule_name"], record.created
        elif event == "job_finished" and content["job_id"] in self._running:
            rule, began = self._running.pop(content["job_id"])
            self._left[rule] -= 1
            self._took.setdefault(rule, []).append(record.created - began)
            if self._start and record.created - self._noted > _EVERY:
                self._noted = record.created
                self._note(record.created)

    def _note(self, now: float) -> None:
        took = [each for every in self._took.values() for each in every]
        expected = self._before | {rule: sum(every) / len(every) for rule, every in self._took.items()}
        with suppress(OSError):  # a full disk stops jobs in words; the record of seconds is no reason to
            self._path.parent.mkdir(exist_ok=True)
            write_json(self._path, expected)
        mean = sum(took) / len(took)
        begun = Counter(rule for rule, _ in self._running.values())
        work = sum(expected.get(rule, mean) * (number - begun[rule] / 2) for rule, number in self._left.items())
        at_a_time = max(sum(took) / (now - self._start), 1)
        rest = sum(self._left.values())
        if rest:
            # Snakemake takes no arguments of a message.
            self._logger.info(f"about {time_left(work / at_a_time)} left, for {rest} jobs")
