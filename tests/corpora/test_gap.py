"""The reader of GAP's snippets, and the snippets as documents."""

import zipfile

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.coref.gap import numbered_pairs, with_labels
from reproduction.coref.gap_scores import Question, gap_rows, questions
from reproduction.corpora.readers.gap import read_gap

HEADER = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
TEXT = 'Ana "Bo" Ruiz met Eva. She sat.'
ROW = f"one\t{TEXT}\tShe\t23\tAna\t0\tFALSE\tEva\t18\tTRUE\thttp://example.org"


def archive(folder, *rows, header=HEADER):
    path = folder / "gap.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("gap-development.tsv", "\n".join([header, *rows, ""]))
    return path


def test_a_row_is_a_snippet_with_places_in_characters(tmp_path):
    [snippet] = read_gap(archive(tmp_path, ROW))
    assert snippet.text[slice(*snippet.pronoun)] == "She"
    assert [snippet.text[slice(*name)] for name in snippet.names] == ["Ana", "Eva"]
    assert snippet.coreferent == (False, True)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t23\t", "\t22\t", "line 2: found no 'She' at character '22'"),
        ("\t23\t", "\t-1\t", "found no 'She'"),
        ("FALSE", "no", "found the labels no, TRUE"),
        ("FALSE", "TRUE", "TRUE for both names"),
        ("\tEva", "", "found 10 columns, expected 11"),
    ],
)
def test_broken_rows_are_refused(tmp_path, old, new, message):
    with pytest.raises(InputError, match=message):
        list(read_gap(archive(tmp_path, ROW.replace(old, new, 1))))


def test_other_columns_are_refused(tmp_path):
    with pytest.raises(InputError, match="line 1: found other columns"):
        list(read_gap(archive(tmp_path, ROW, header="ID\tText")))


def parsed():
    """Return the snippet's text as a parser would, in words of its own."""
    first = Sentence(
        "1",
        ("Ana", '"', "Bo", '"', "Ruiz", "met", "Eva", "."),
        ("NNP", "``", "NNP", "''", "NNP", "VBD", "NNP", "."),
        heads=(6, 3, 1, 3, 1, 0, 6, 6),
        relations=("nsubj", "punct", "flat", "punct", "flat", "root", "obj", "punct"),
    )
    second = Sentence(
        "2", ("She", "sat", "."), ("PRP", "VBD", "."), heads=(2, 0, 2), relations=("nsubj", "root", "punct")
    )
    return Document("one", (first, second))


def test_pairs_are_of_the_pronoun_and_the_mentions_that_have_the_names_heads(tmp_path):
    [snippet] = read_gap(archive(tmp_path, ROW))
    document = with_labels(parsed(), snippet)
    assert [(each.sentence, each.start, each.end, each.entity) for each in document.mentions] == [
        (0, 0, 1, "A"),
        (0, 6, 7, "B"),
        (1, 0, 1, "B"),
    ]
    spans = candidate_mentions(document)
    assert numbered_pairs(document, spans) == [(2, 0, False), (2, 1, True)]
    assert numbered_pairs(document, spans[1:]) == [(1, -1, False), (1, 0, True)]


def test_answers_are_the_marginals_and_the_decoded_entities(tmp_path):
    import numpy as np

    from nlpcalib.systems.coref.model.posterior import pair_marginals

    [snippet] = read_gap(archive(tmp_path, ROW))
    document = with_labels(parsed(), snippet)
    spans = tuple(candidate_mentions(document))
    links = np.zeros((3, 3))
    links[2, :2] = 0.2, 0.7
    found = questions([Resolution(document, spans, links, pair_marginals(links), np.array([0, 1, 1]), 0.5)])
    assert list(found) == [Question("one", True, False, 0.2, False), Question("one", True, True, 0.7, True)]


def test_scores_are_recall_precision_and_f1_of_joined_pairs():
    answered = [
        Question("m", False, True, 0.9, True),
        Question("m", False, False, 0.4, True),
        Question("f", True, True, 0.3, False),
        Question("f", True, True, 0.8, True),
    ]
    everything, masculine, feminine = gap_rows(answered, bin_size=2)
    assert (everything["recall"], everything["precision"]) == (2 / 3, 2 / 3)
    assert masculine["f1"] == pytest.approx(2 / 3)
    assert feminine["f1"] == pytest.approx(2 / 3)
    assert everything["f1_ratio"] == pytest.approx(1)
    assert everything["expected_pairs"] == pytest.approx(2.4)


def test_a_name_after_a_title_is_in_the_phrase_with_the_title(tmp_path):
    text = "Dr. Ruiz met Eva. She sat."
    row = f"one\t{text}\tShe\t18\tRuiz\t4\tTRUE\tEva\t13\tFALSE\thttp://example.org"
    [snippet] = read_gap(archive(tmp_path, row))
    first = Sentence(
        "1",
        ("Dr.", "Ruiz", "met", "Eva", "."),
        ("NNP", "NNP", "VBD", "NNP", "."),
        heads=(3, 1, 0, 3, 3),
        relations=("nsubj", "flat", "root", "obj", "punct"),
    )
    document = with_labels(Document("one", (first, parsed().sentences[1])), snippet)
    assert numbered_pairs(document, candidate_mentions(document)) == [(2, 0, True), (2, 1, False)]
