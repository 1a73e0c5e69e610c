"""The packaged model on letters, mails, essays, recipes, screenplays, chats and interviews."""

import pytest
from tests.systems.coref.ordinary_text import Joined, count, ordinary_texts

from nlpcalib.systems.coref import resolve
from nlpcalib.systems.coref.answer.reading import parsed_texts
from nlpcalib.systems.text.parsing.model import load_parser


@pytest.fixture(scope="module")
def joined():
    texts = list(ordinary_texts())
    assert len(texts) >= 30
    found = Joined()
    for text, resolution in zip(
        texts, resolve(parsed_texts([(text.id, text.text) for text in texts], load_parser())), strict=True
    ):
        count(found, text, resolution)
    return found


def test_i_and_you_of_one_writer_are_hardly_ever_one(joined):
    """Where nobody is known to tell a quotation, its *you* may be the writer."""
    assert joined.writer_and_reader <= 0.002 * joined.joined


def test_few_joined_pairs_are_wrong_and_most_true_pairs_are_joined(joined):
    """Before texts had writers and turns, .28 were wrong and .75 joined."""
    assert joined.share_wrong <= 0.15
    assert joined.share_found >= 0.70
