"""Logs of workflow scripts: what a job did, to its log file and the terminal, and why it failed."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.shell.exits import Stopped, raise_signals


def start_log(snakemake: Any) -> None:
    """Send log records, warnings and the traceback of a failure to the job's log file and to standard error.

    `snakemake` is the object of that name in a script, which describes its job.

    Bad input is told in one line: its message says all that a user needs, and a traceback would hide it. So is a
    signal that asks the script to end, which first takes away what it has not finished.
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
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every glyph that it leaves out of a PDF
    sys.excepthook = _log_exception
    raise_signals()


def _log_exception(kind, error, traceback) -> None:
    if issubclass(kind, InputError | Stopped):
        logging.getLogger().error("%s", error)
    else:
        logging.getLogger().error("failed", exc_info=(kind, error, traceback))
