"""`nlpcalib plan labels`: how many labels does it take?"""

from __future__ import annotations

import argparse

from nlpcalib.shell.arguments import check_files, read_pairs


def run(options: argparse.Namespace) -> None:
    """Print how many labels it takes."""
    if options.file is not None:
        check_files(options.file)
    from nlpcalib.api.plan import estimated_design_effect, plan_labels

    given: dict = {"prevalence": options.prevalence}
    if options.file is not None:
        pairs = read_pairs(options.file, options)
        given = {"q": pairs.q, "design_effect": estimated_design_effect(pairs)}
    plan = plan_labels(detect=options.detect, power=options.power, level=options.level, **given)
    print(*plan.lines(), sep="\n")
