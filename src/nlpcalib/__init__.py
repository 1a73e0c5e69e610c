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
        "api.apply_map": "MappedPredictions apply_map",
        "api.explore": "Exploration explore",
        "api.plan_labels": "LabelPlan plan_labels",
        "api.plan_items": "ItemPlan plan_items",
        "api.estimate": "EstimationReport estimate",
        "api.judge": "JudgeReport judge",
        "api.find_entities": "EntityReport find_entities",
        "api.resolve_files": "resolve_files",
        "api.score_entities": "ScoreReport score_entities",
        "api.find_spans": "SpanReport find_spans",
        "api.find_events": "EventReport find_events",
        "api.learn_events": "LearntEvents learn_events",
        "api.verify": "verify",
        "estimation.shared_effect": "SharedEffect fit_shared_effect",
        "predictions.reading": "ReadingOptions",
        "errors": "InputError InputWarning",
    },
)
