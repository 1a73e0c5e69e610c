"""Measure the calibration of NLP models, and count in corpora that you cannot label."""

from nlpcalib.lazy import lazy_names
from nlpcalib.version import __version__ as __version__

# What stands behind a name is imported when the name is first used, so that `import nlpcalib` is quick.
__getattr__, __dir__, __all__ = lazy_names(__name__)
