"""A folder of dated documents by year, so that the jobs of one year need the files of that year alone.

The year is the first in the name of each file or folder directly in it: `1987/`, `news-1988.jsonl.gz`, `19890401.xml`.
It decides which jobs read a file. A document counts at its own date, so a wrong name changes no count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below

_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|2[01])\d\d)(?=(?:\d\d){0,2}(?!\d))")
"""A year from 1500 to 2199, perhaps with a month and a day behind it."""


def files_by_year(folder: Path | str) -> Mapping[str, list[str]]:
    """Return the files of each year in a folder, in order; none of a folder that is missing.

    Files whose names begin with a point are left out. Raises `InputError` for a file in the place of the folder, for a
    folder without files, and for a name without a year.
    """
    folder = Path(folder)
    if not folder.exists():
        return {}
    if not folder.is_dir():
        raise InputError(f"{folder}: found a file, expected a folder with a file or a folder for each year")
    years: dict[str, list[str]] = {}
    for entry in sorted(path for path in folder.iterdir() if not path.name.startswith(".")):
        year = _YEAR.search(entry.name)
        if not year:
            raise InputError(f"{entry}: found no year in the name, expected one, such as news-1987.csv or 1987")
        files = files_below(entry) if entry.is_dir() else [entry]
        years.setdefault(year[1], []).extend(str(path) for path in files if not path.name.startswith("."))
    found = {year: files for year, files in sorted(years.items()) if files}
    if not found:
        raise InputError(f"{folder}: found a folder without files, expected a file or a folder for each year")
    return found
