"""Logs and records of workflow scripts: what a job did, why it failed, and which files it read and wrote."""

from __future__ import annotations

import atexit
import logging
import os
import sys
from pathlib import Path
from typing import Any

from nlpcalib.cli.exits import Stopped, raise_signals
from nlpcalib.errors import InputError
from nlpcalib.io.data_note import DATA_NOTE
from reproduction.workflow.job_records import Contents, forget, read_inputs, write_records


def start_log(snakemake: Any) -> None:
    """Log what a script does, check the files that it reads, and record them and what it wrote if it ends well.

    `snakemake` is the object of that name in a script, which describes its job. Log records, warnings and the traceback
    of a failure go to the job's log file and to standard error. Bad input has one line: its message is all that a user
    needs, and a traceback would hide it. A signal that asks the script to end has one line too, and what is unfinished
    is taken away first.

    Raises `InputError` for an input that another job wrote and that is not as it was then.
    """
    path = snakemake.log[0]
    # Bytes that are not UTF-8 may come as surrogates from the input into a message, which must be in the log even so.
    to_file = logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace")
    job = Path(path).with_suffix("").as_posix().removeprefix("results/logs/")
    logging.basicConfig(
        level=logging.INFO,
        handlers=[to_file, logging.StreamHandler(sys.stderr)],
        format=f"%(asctime)s {job}: %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    logging.captureWarnings(True)
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it reports every glyph that it leaves out of a PDF
    sys.excepthook = _log_exception
    raise_signals()
    _note_simulated(snakemake)
    forget(snakemake.output)
    atexit.register(_record, snakemake, read_inputs(snakemake.input))


def _note_simulated(snakemake: Any) -> None:
    """Let the job's figures and pages say that their text is simulated, if it is."""
    dataset = snakemake.config.get("datasets", {}).get(getattr(snakemake.wildcards, "dataset", ""), {})
    if dataset.get("simulated"):
        DATA_NOTE.set("Simulated text")


def _record(snakemake: Any, inputs: Contents) -> None:
    """Write the job's record as the script ends."""
    try:
        write_records(snakemake.rule, inputs, snakemake.output)
    except BaseException:
        # Python would end with status 0, and the next job would look for the record.
        logging.getLogger().exception("found no way to record the outputs")
        logging.shutdown()
        os._exit(1)


def _log_exception(kind, error, traceback) -> None:
    atexit.unregister(_record)
    if issubclass(kind, InputError | Stopped):
        logging.getLogger().error("%s", error)
    else:
        logging.getLogger().error("failed", exc_info=(kind, error, traceback))
