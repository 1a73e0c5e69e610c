"""What the verdicts on Lowe & King's claims leave out, and what counts as most."""

import pytest

from reproduction.claims import extraction_eval
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(extraction_eval)


def frequency(leads, level=1.0):
    return {"category": "", "level": level, "leads": leads, "share": leads / 100_000}


def verdicts(**tables):
    frequencies = tables.pop("frequencies", [frequency(90_000, level=None), *map(frequency, (9_000, 500, 3, 2))])
    given = Results({"leads_frequencies": frequencies, **tables})
    return [outcome(judge(given)) for judge in JUDGES.values()]


@pytest.mark.parametrize("frequencies", [[frequency(50)], [frequency(50), frequency(0), frequency(9, level=None)]])
def test_what_needs_two_categories_or_the_truth_is_not_judged(frequencies):
    """A category without leads is not used, and no event is no category."""
    assert verdicts(frequencies=frequencies) == ["not applicable"] * 4


def test_most_of_the_rarer_half_is_more_than_half_of_it():
    """One of the two rarer categories is likelier than not to be missed by 38 leads: 3 in 100,000, but not 1 in 10."""
    assert (
        verdicts(frequencies=[frequency(60_000), frequency(20_000), frequency(10_000), frequency(3)])[0]
        == "does not hold"
    )


def test_the_most_frequent_category_is_reported_with_the_rarest():
    given = Results({"leads_frequencies": [frequency(3), frequency(60_000), frequency(20_000)]})
    assert JUDGES["random_samples_miss"](given).measured.startswith(
        "60,000 leads of the most frequent category, 3 of the rarest; 1 of the 1 rarer"
    )
