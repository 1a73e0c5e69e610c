"""The code and the configuration that a job ran with, and what of them has changed since."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nlpcalib.errors import counted, some
from nlpcalib.io.files import read_json, write_json
from reproduction.workflow.imports import code_checksum, imported_files
from reproduction.workflow.records import LOGS, RESULTS

SOURCE = Path(__file__).parents[2]
ROOT = SOURCE.parent
PACKAGES = ("newsroom", "nlpcalib", "reproduction", "studies")
CONFIGURATIONS = RESULTS / LOGS / "configurations"
"""Where each configuration that a job ran with is written down, by its checksum."""
CHECKSUM_DIGITS = 16

JobRecord = Mapping[str, Any]


def code_of_job() -> dict[str, str]:
    """Return the checksums of the running script and of the project's files that it imports, by their paths."""
    main = getattr(sys.modules["__main__"], "__file__", None)
    script = None if main is None else Path(main).resolve()
    files = set() if script is None or not script.is_file() else {script, *imported_files(script, SOURCE)}
    for module in list(sys.modules.values()):
        place = getattr(module, "__file__", None)
        # Some modules are loaded by their names; a package's own gathers names, as `imported_files` explains.
        if place and module.__name__.partition(".")[0] in PACKAGES and not place.endswith("__init__.py"):
            files.add(Path(place))
    return {path.relative_to(ROOT).as_posix(): _checksum(path) for path in sorted(files) if path.is_relative_to(ROOT)}


def write_configuration(config: Mapping[str, Any], base: Path = Path()) -> str:
    """Return the checksum of a configuration, and write it down where no job has; `base` is where results are."""
    content = json.dumps(config, sort_keys=True, default=str)
    name = hashlib.sha256(content.encode()).hexdigest()[:CHECKSUM_DIGITS]
    path = base / CONFIGURATIONS / f"{name}.json"
    if (base / RESULTS).is_dir() and not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, json.loads(content))
    return name


def changed_code(records: Mapping[str, JobRecord], root: Path = ROOT) -> Iterator[str]:
    """Yield which files of the project differ from those that results, by their paths, were made with."""
    results = defaultdict(list)
    for name, record in records.items():
        for place, expected in record.get("code", {}).items():
            if _checksum(root / place) != expected:
                results[place].append(name)
    for place, names in sorted(results.items()):
        now = "changed" if (root / place).is_file() else "no longer there"
        yield (
            f"{place}: {now} since {counted(len(names), 'result')} ({some(sorted(names))}) were made with it; run the "
            "same command again"
        )


def mixed_configurations(records: Mapping[str, JobRecord], results: Path) -> Iterator[str]:
    """Yield that results, by their paths, were made with several configurations, and what differs between them."""
    number = Counter(record["configuration"] for record in records.values() if "configuration" in record)
    if len(number) < 2:
        return
    folder = results.parent / CONFIGURATIONS
    places = [folder / f"{name}.json" for name in number]
    contents = [_flat(read_json(place)) if place.is_file() else {} for place in places]
    keys = sorted({key for each in contents for key in each})
    differ = [key for key in keys if len({each.get(key) for each in contents}) > 1]
    made = ", ".join(f"{counted(count, 'result')} with {name}" for name, count in number.most_common())
    what = f", which differ in {some(differ)}" if differ else ""
    yield (
        f"{results.name}: found results of {len(number)} configurations ({made}; {CONFIGURATIONS}){what}; expected "
        "one: delete those of the others and run the same command again"
    )


def _flat(value: Any, name: str = "") -> dict[str, str]:
    """Return the options of a configuration by their paths, such as `figures.style`."""
    if not isinstance(value, dict):
        return {name: json.dumps(value, default=str)}
    return {
        path: option
        for key, inner in value.items()
        for path, option in _flat(inner, f"{name}.{key}" if name else str(key)).items()
    }


def _checksum(path: Path) -> str:
    return code_checksum(path)[:CHECKSUM_DIGITS] if path.is_file() else ""
