"""Evaluating an information extraction system as an estimator (Lowe & King 2003)."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "codings": "Codings read_codings",
        "comparison": "actor_table",
        "estimates": "Evaluation agreement annotator_sample evaluate machine_sample",
        "allocation": "minimum_variance per_category",
        "drawn": "DrawnLeads drawn_leads plan_leads plan_random_leads",
        "scale": "Scale read_cameo_scale read_scale",
        "sheet": "read_settled read_sheet settle write_page write_sheet",
    },
)
