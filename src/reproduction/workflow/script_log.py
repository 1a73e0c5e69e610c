"""Logs and records of workflow scripts: what a job did, why it failed, which files it read and wrote, what it took."""

from __future__ import annotations

import logging
import os
import re
import resource
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.files import DATA_NOTE, write_json
from nlpcalib.io.signals import Stopped, raise_signals
from reproduction.workflow.job_records import base_of, forget, read_inputs, write_records
from reproduction.workflow.made_with import code_of_job, write_configuration

_BYTES_OF_PEAK = 1 if sys.platform == "darwin" else 1024
"""Bytes in a unit of `ru_maxrss`."""


@contextmanager
def logged_job(snakemake: Any) -> Iterator[None]:
    """Log what a script does inside, check the files that it reads, and record them and what it wrote if it ends well.

    `snakemake` is the object of that name in a script, which describes its job. Log records, warnings and the traceback
    of a failure go to the job's log file and to standard error. Bad input has one line: its message is all that a user
    needs, and a traceback would hide it. A signal that asks the script to end has one line too, and what is unfinished
    is taken away first. Next to the log, a file `.json` has the time and memory that the job took, and
    the checksums of its records.

    Raises `InputError` for an input that another job wrote and that is not as it was then.
    """
    start, path = time.monotonic(), Path(snakemake.log[0])
    base = base_of(snakemake.log[0])
    _start_log(path)
    sys.excepthook = _log_exception
    raise_signals()
    forget(snakemake.output, base)
    used = path.with_suffix(".json")
    used.unlink(missing_ok=True)
    inputs = read_inputs(snakemake.input, base)
    # A process may do several jobs, and only some of them are of simulated text.
    note = DATA_NOTE.set(_data_note(snakemake))
    try:
        yield
    finally:
        DATA_NOTE.reset(note)
    made_by = {
        "code": code_of_job(),
        "configuration": write_configuration(snakemake.config, base),
        "log": Path(os.path.relpath(used, base)).as_posix(),
    }
    records = write_records(snakemake.rule, inputs, snakemake.output, base, **made_by)
    write_json(used, {**_used(), "seconds": round(time.monotonic() - start, 2), "records": records})


def _start_log(path: Path) -> None:
    # Bytes that are not UTF-8 may come as surrogates from the input into a message, which must be in the log even so.
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace")
    job = path.with_suffix("").as_posix().rpartition("results/logs/")[2]
    logging.basicConfig(
        level=logging.INFO,
        handlers=[to_file, logging.StreamHandler(sys.stderr)],
        format=f"%(asctime)s {job}: %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    warnings.showwarning = _log_warning
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it reports every glyph that it leaves out of a PDF


def _log_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any
) -> None:
    """Log a warning in one line, with its place in the code only if it is for developers."""
    place = "" if issubclass(category, UserWarning) else f"{filename}:{lineno}: {category.__name__}: "
    logging.getLogger().warning("%s%s", place, message)


def _data_note(snakemake: Any) -> str:
    """Return what the job's figures and pages say about their data: that their text is simulated, if it is."""
    dataset = snakemake.config.get("datasets", {}).get(getattr(snakemake.wildcards, "dataset", ""), {})
    return "Simulated text" if dataset.get("simulated") else ""


def _used() -> dict[str, float]:
    """Return the processor time and the largest memory of this process and of those that it waited for."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    # Linux counts from the last `exec` in `VmHWM`. Its `ru_maxrss` survives that, so that a small job would have the
    # memory that Snakemake held when it started the job.
    status = Path("/proc/self/status")
    text = status.read_text(encoding="ascii") if status.exists() else ""
    found = re.search(r"^VmHWM:\s+(\d+) kB$", text, re.MULTILINE)
    peak = int(found[1]) * 1024 if found else own.ru_maxrss * _BYTES_OF_PEAK
    return {
        "cpu_seconds": round(sum(part.ru_utime + part.ru_stime for part in (own, children)), 2),
        "peak_mb": round(max(peak, children.ru_maxrss * _BYTES_OF_PEAK) / 1e6, 1),
    }


def _log_exception(kind, error, traceback) -> None:
    if issubclass(kind, InputError | Stopped):
        logging.getLogger().error("%s", error)
    else:
        logging.getLogger().error("failed", exc_info=(kind, error, traceback))
