"""The thesis' taggers by name: two HMMs, a CRF for each variant of the ablation, and its CRFs by AdaGrad.

This module imports nothing heavy, because the workflow reads its list of models from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

HMM_ML, HMM_MAP = "hmm_ml", "hmm_map"
BASIC_ADAGRAD, ADVANCED_ADAGRAD = "crf_basic_adagrad", "crf_advanced_adagrad"


@dataclass(frozen=True, slots=True)
class Variant:
    """How one model is trained."""

    title: str
    """What figures and tables call it."""
    method: str
    """`ml` or `map` for an HMM, `lbfgs` or `adagrad` for a CRF."""
    templates: tuple[str, ...] = ()
    """What a CRF observes, names of `reproduction.tagging.templates.TEMPLATES`; an HMM observes the bare word."""

    @property
    def is_hmm(self) -> bool:
        """Whether the model is an HMM, and a CRF otherwise."""
        return self.method in ("ml", "map")


def variants(order: Sequence[str]) -> dict[str, Variant]:
    """Return the models of an ablation that adds templates in `order`, at least two, by name.

    First the HMM by maximum likelihood (thesis, section 4.1.1) and by MAP (paper, section 4.2.1). Then a CRF for each
    template, called by the one added last, the first being CRF-Basic and the last CRF-Advanced, all by L-BFGS, so that
    they do not differ in how far the optimiser came. Then these two by AdaGrad, as the thesis trains them.
    """
    nested = {
        name: Variant(f"+ {template}" if number else "CRF-Basic", "lbfgs", tuple(order[: number + 1]))
        for number, (name, template) in enumerate(zip(nested_variants(order), order, strict=True))
    }
    return {
        HMM_ML: Variant("HMM, ML", "ml"),
        HMM_MAP: Variant("HMM, MAP", "map"),
        **nested,
        BASIC_ADAGRAD: Variant("CRF-Basic, AdaGrad", "adagrad", (order[0],)),
        ADVANCED_ADAGRAD: Variant("CRF-Advanced, AdaGrad", "adagrad", tuple(order)),
    }


def nested_variants(order: Sequence[str]) -> list[str]:
    """Return the names of the nested, from CRF-Basic to CRF-Advanced."""
    return [f"crf_{template}" for template in order]


def comparisons(order: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of models whose calibration is compared: the thesis' claims, then each variant with the next."""
    nested = nested_variants(order)
    claimed = [
        (HMM_ML, BASIC_ADAGRAD),
        (BASIC_ADAGRAD, ADVANCED_ADAGRAD),
        (HMM_ML, HMM_MAP),
        (HMM_MAP, BASIC_ADAGRAD),
        (HMM_ML, nested[0]),
        (nested[0], nested[-1]),
        (BASIC_ADAGRAD, nested[0]),
        (ADVANCED_ADAGRAD, nested[-1]),
    ]
    return list(dict.fromkeys([*claimed, *pairwise(nested)]))
