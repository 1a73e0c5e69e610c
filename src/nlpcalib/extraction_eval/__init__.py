"""Evaluating an information extraction system as an estimator (Lowe & King 2003)."""

from nlpcalib.extraction_eval.codings import Codings, read_codings
from nlpcalib.extraction_eval.estimates import Evaluation, agreement, coder_sample, evaluate, machine_sample
from nlpcalib.extraction_eval.page import write_page
from nlpcalib.extraction_eval.plan import Plan, read_plan, write_plan
from nlpcalib.extraction_eval.sampling import (
    draw_plan,
    draw_random_plan,
    minimum_variance,
    per_category,
    proportional,
)
from nlpcalib.extraction_eval.scale import Scale, read_cameo_scale, read_scale
from nlpcalib.extraction_eval.sheet import read_settled, read_sheet, settle, write_sheet

__all__ = [
    "Codings",
    "Evaluation",
    "Plan",
    "Scale",
    "agreement",
    "coder_sample",
    "draw_plan",
    "draw_random_plan",
    "evaluate",
    "machine_sample",
    "minimum_variance",
    "per_category",
    "proportional",
    "read_cameo_scale",
    "read_codings",
    "read_plan",
    "read_scale",
    "read_settled",
    "read_sheet",
    "settle",
    "write_page",
    "write_plan",
    "write_sheet",
]
