"""Adjusting p-values for their number."""

import numpy as np

from nlpcalib.calibration.multiple_tests import adjusted, benjamini_hochberg, holm


def test_holm_by_hand():
    # Sorted .005, .01, .03, .04 times 4, 3, 2, 1 are .02, .03, .06, .04; none may be below the one before it.
    np.testing.assert_allclose(holm(np.array([0.01, 0.04, 0.03, 0.005])), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(holm(np.array([0.9, 0.5])), [1.0, 1.0])
    np.testing.assert_allclose(holm(np.array([0.2, 0.02])), [0.2, 0.04])


def test_benjamini_and_hochberg_by_hand():
    np.testing.assert_allclose(benjamini_hochberg(np.array([0.01, 0.04, 0.03, 0.005])), [0.02, 0.04, 0.04, 0.02])


def test_what_was_not_tested_does_not_count():
    table = adjusted(np.array([0.02, np.nan, 0.03]))
    np.testing.assert_allclose(table["p_holm"], [0.04, np.nan, 0.04])
    np.testing.assert_allclose(table["p_fdr"], [0.03, np.nan, 0.03])
