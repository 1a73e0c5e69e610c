"""Measure the calibration of NLP models, and count in corpora that you cannot label."""

from nlpcalib.lazy import lazy_names
from nlpcalib.version import __version__ as __version__

# What stands behind a name is imported when the name is first used, so that `import nlpcalib` is quick.
_named, __dir__, __all__ = lazy_names(__name__)


def __getattr__(name: str) -> object:
    """Return a public name. Questions are functions of `Predictions`; these read what else they get."""
    if name not in ("calibrate", "compare", "recalibrate", "plan_labels", "plan_items", "estimate", "judge"):
        return _named(name)
    from nlpcalib.predictions.read import reading

    return reading(_named(name))
