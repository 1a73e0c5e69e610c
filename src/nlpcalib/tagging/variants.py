"""The thesis' taggers by name: two HMMs, a CRF for each rung of the ablation, and its CRFs by AdaGrad.

This module imports nothing heavy, because the workflow reads its list of models from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

HMM_ML, HMM_MAP = "hmm_ml", "hmm_map"
BASIC_ADAGRAD, ADVANCED_ADAGRAD = "crf_basic_adagrad", "crf_advanced_adagrad"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one model is trained."""

    title: str
    """What figures and tables call it."""
    method: str
    """`ml` or `map` for an HMM, `lbfgs` or `adagrad` for a CRF."""
    templates: tuple[str, ...] = ()
    """What a CRF observes, names of `nlpcalib.tagging.templates.TEMPLATES`; an HMM observes the bare word."""


def recipes(order: Sequence[str]) -> dict[str, Recipe]:
    """Return the models of an ablation that adds templates in `order`, at least two, by name.

    First the HMM by maximum likelihood (thesis, section 4.1.1) and by MAP (paper, section 4.2.1). Then a CRF per rung,
    called by the template added last, the first being CRF-Basic and the last CRF-Advanced, all by L-BFGS, so that rungs
    do not differ in how far the optimiser came. Then these two by AdaGrad, as the thesis trains them.
    """
    rungs = {
        name: Recipe(f"+ {template}" if number else "CRF-Basic", "lbfgs", tuple(order[: number + 1]))
        for number, (name, template) in enumerate(zip(rung_names(order), order, strict=True))
    }
    return {
        HMM_ML: Recipe("HMM, ML", "ml"),
        HMM_MAP: Recipe("HMM, MAP", "map"),
        **rungs,
        BASIC_ADAGRAD: Recipe("CRF-Basic, AdaGrad", "adagrad", (order[0],)),
        ADVANCED_ADAGRAD: Recipe("CRF-Advanced, AdaGrad", "adagrad", tuple(order)),
    }


def rung_names(order: Sequence[str]) -> list[str]:
    """Return the names of the rungs, from CRF-Basic to CRF-Advanced."""
    return [f"crf_{template}" for template in order]


def steps(order: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of models whose calibration is compared: the thesis' claims, then each rung with the next."""
    rungs = rung_names(order)
    claimed = [
        (HMM_ML, BASIC_ADAGRAD),
        (BASIC_ADAGRAD, ADVANCED_ADAGRAD),
        (HMM_ML, HMM_MAP),
        (HMM_MAP, BASIC_ADAGRAD),
        (HMM_ML, rungs[0]),
        (rungs[0], rungs[-1]),
        (BASIC_ADAGRAD, rungs[0]),
        (ADVANCED_ADAGRAD, rungs[-1]),
    ]
    return list(dict.fromkeys([*claimed, *pairwise(rungs)]))
