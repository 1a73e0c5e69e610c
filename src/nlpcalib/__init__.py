"""Calibration of NLP models, and what their probabilities say about a corpus that cannot be labelled."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The front door. What stands behind a name is imported when the name is first used, so that `import nlpcalib` is quick.
_HOMES = {
    "calibrate": "front_door.measured",
    "CalibrationReport": "front_door.measured",
    "compare": "front_door.compared",
    "recalibrate": "front_door.recalibrated",
    "plan_labels": "front_door.planned",
    "InputError": "errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nlpcalib' has no attribute '{name}'")
    value = getattr(import_module(f"nlpcalib.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
