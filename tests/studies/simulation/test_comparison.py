"""Two models' log losses: the worse one is not shown better because of what did not occur."""

import numpy as np
import pytest

from studies.simulation.comparison import LEVEL, ROWS_PER_UNIT, SECOND_MODELS, comparison_row


@pytest.mark.parametrize("second", ["below .01 divided by 30", "rounded to 2 digits", "clipped to .01 to .99"])
@pytest.mark.parametrize("per_unit", [1, ROWS_PER_UNIT])
def test_intervals_hold_where_students_t_of_the_losses_does_not(second, per_unit):
    row = comparison_row(second, 300, per_unit, "of rare events", draws=300, seed=1)
    assert row["held"] >= 0.975 - 3 * np.sqrt(0.975 * 0.025 / row["samples"])
    assert row["worse_shown_better"] <= (1 - LEVEL) / 2
    assert row["held_t"] < 0.95


def test_a_temperature_is_found_as_often_as_by_students_t_where_samples_show_it():
    """At a temperature of .7 rare events speak against the second model, at 1.3 for it."""
    for second, lost in (("temperature 0.7", 0.01), ("temperature 1.3", 0.05)):
        row = comparison_row(second, 3000, 1, "of rare events", draws=100, seed=2)
        assert row["better_shown"] >= row["better_shown_t"] - lost
        assert row["held"] >= 0.95


def test_all_second_models_are_probabilities_and_another_model():
    q = np.linspace(0.0001, 0.9999, 10_001)
    for change in SECOND_MODELS.values():
        second = change(q)
        assert ((second >= 0) & (second <= 1)).all()
        assert (second != q).any()
