"""How much of a corpus may be broken before it is refused."""

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.bad_records import Tolerance, tolerated
from nlpcalib.systems.text.document import Document, Sentence


def some(number, broken):
    def build(name, is_broken):
        if is_broken:
            raise InputError("f.conllu, line 3: found an open bracket, expected none")
        return Document(name, (Sentence("1", ("a",)),))

    names = [f"d{each}" for each in range(number)]
    return [(name, lambda name=name, bad=each < broken: build(name, bad)) for each, name in enumerate(names)]


@pytest.mark.parametrize(("broken", "refused"), [(10, False), (11, True)])
def test_ten_broken_lines_are_no_reason_to_refuse_a_corpus_and_the_first_five_are_named(broken, refused, caplog):
    tolerance = Tolerance("c.txt", 0.1, count=60)
    for line in range(broken):
        tolerance.skip_line(line + 1, "found nothing")
    assert caplog.text.count("found nothing; left out") == 5
    if refused:
        with pytest.raises(InputError, match=r"line 1: found nothing; 11 of 60 lines are broken, expected at most 10"):
            tolerance.close()
    else:
        tolerance.close()
        assert "c.txt: 10 of 60 lines left out" in caplog.text


@pytest.mark.parametrize(("broken", "refused"), [(10, False), (11, True)])
def test_of_many_lines_a_share_may_be_broken(broken, refused):
    tolerance = Tolerance("c.txt", 0.1, count=100, broken=broken - 1, free=0)
    tolerance.skip_line(1, "found nothing")
    if refused:
        with pytest.raises(InputError, match=r"11 of 100 lines are broken, expected at most 10\.0% of them or 0"):
            tolerance.close()
    else:
        tolerance.close()


@pytest.mark.parametrize(
    ("broken", "count", "hopeless"),
    [(1_000_000, 1_000_000, False), (1_000_001, 2_000_001, True), (1_000_001, 2_000_003, False)],
)
def test_after_a_million_broken_lines_that_are_more_than_half_no_more_are_read(broken, count, hopeless):
    tolerance = Tolerance("c.txt", 0.0, count=count, broken=broken - 1)
    if hopeless:
        with pytest.raises(InputError, match="1,000,001 of"):
            tolerance.skip_line(1, "found nothing")
    else:
        tolerance.skip_line(1, "found nothing")


@pytest.mark.parametrize(("number", "broken"), [(100, 5), (2, 1), (21, 1)])
def test_one_document_and_one_in_twenty_may_be_broken(number, broken, caplog):
    assert len(list(tolerated(some(number, broken), "f.conllu"))) == number - broken
    assert "f.conllu, line 3: found an open bracket, expected none (document d0); left out" in caplog.text


@pytest.mark.parametrize(("number", "broken"), [(100, 6), (1, 1), (3, 2)])
def test_more_than_one_in_twenty_or_all_may_not(number, broken):
    with pytest.raises(InputError, match=f"{broken} of {number} documents are broken"):
        list(tolerated(some(number, broken), "f.conllu"))
