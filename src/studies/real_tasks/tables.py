"""The tables and the figure of all tasks."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from reproduction.workflow.table_files import TitledRows, numbers
from studies.real_tasks.tasks import TASKS


def real_task_table(tables: Sequence[str], *, tasks: Sequence[str]) -> list[TitledRows]:
    """Return the rows of each task's file."""
    named = zip(tasks, tables, strict=True)
    rows = [{"task": TASKS[task].title, **numbers(row)} for task, path in named for row in read_csv(path)]
    return [("How often intervals hold in twelve real tasks", rows)]
