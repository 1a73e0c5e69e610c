"""Processes give what one gives, in the same order, and read no farther ahead than they are asked to."""

from dataclasses import dataclass
from itertools import count, islice

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.processes import map_in_processes


@dataclass(frozen=True)
class Inverses:
    """Makes a function that divides by its item."""

    numerator: float

    def __call__(self):
        return self.divide

    def divide(self, item):
        if not item:
            raise InputError("found 0, expected a divisor")
        return self.numerator / item


def test_results_come_in_the_order_of_the_items_and_items_are_not_read_far_ahead():
    read = []
    items = (read.append(number) or number for number in count(1))
    found = map_in_processes(Inverses(6.0), items, 2)
    assert list(islice(found, 30)) == [6.0 / number for number in range(1, 31)]
    assert len(read) <= 30 + 10
    found.close()
    assert list(map_in_processes(Inverses(6.0), range(1, 4), 1)) == [6.0, 3.0, 2.0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_after_the_results_before_it(jobs):
    def items():
        yield from (1, 2, 3)
        raise InputError("line 4: found nothing")

    for source, message in ((items(), "line 4"), ((1, 2, 3, 0, 4), "expected a divisor")):
        found = map_in_processes(Inverses(6.0), source, jobs)
        assert [next(found) for _ in range(3)] == [6.0, 3.0, 2.0]
        with pytest.raises(InputError, match=message):
            next(found)
