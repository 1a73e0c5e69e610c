"""Measure the calibration of NLP models, and count in corpora that you cannot label."""

from nlpcalib.lazy import lazy_names
from nlpcalib.version import __version__ as __version__

# What stands behind a name is imported when the name is first used, so that `import nlpcalib` is quick.
__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "api.calibrate": "CalibrationReport calibrate",
        "api.compare": "ComparisonReport compare",
        "api.recalibrate": "RecalibrationReport recalibrate",
        "api.coref": "EntityReport find_entities",
        "api.estimate": "estimate",
        "api.events": "EventReport find_events",
        "api.learn": "LearntEvents learn_events",
        "api.plan": "LabelPlan plan_labels",
        "api.plan_items": "ItemPlan plan_items",
        "api.spans": "SpanReport find_spans",
        "estimation.shared_effect": "SharedEffect fit_shared_effect",
        "errors": "InputError InputWarning",
    },
)
