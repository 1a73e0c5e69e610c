"""Attributes of mentions and templates on pairs, as claims about sentences."""

from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.lexicon import GENDERS, NUMBERS, TYPES
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions
from nlpcalib.systems.coref.model.pair_templates import TEMPLATES, PairTemplates
from nlpcalib.systems.coref.model.templates import History, antecedent_features, bucket, current_features
from nlpcalib.systems.text.document import Document, Sentence


def document(*rows: str, speakers: tuple = ()) -> Document:
    """Make a document of sentences of word/tag/head/relation, each said by its speaker."""
    sentences = []
    for number, row in enumerate(rows):
        words, tags, heads, relations = zip(*(word.split("/") for word in row.split()), strict=True)
        sentences.append(Sentence(f"d-{number}", words, tags, heads=tuple(map(int, heads)), relations=relations))
    if speakers:
        sentences = [replace(one, speaker=name) for one, name in zip(sentences, speakers, strict=True)]
    return Document("d", tuple(sentences))


class Templates:
    """Attributes and templates by the words of mentions; a number tells apart those with the same words."""

    def __init__(self, one: Document, spans: list[Span] | None = None) -> None:
        spans = candidate_mentions(one) if spans is None else spans
        self.table = mention_table(one, spans)
        self.history = History(self.table)
        words = [" ".join(one.sentences[span.sentence].words[span.start : span.end]) for span in spans]
        before = [words[:place].count(name) for place, name in enumerate(words)]
        self.names = [f"{name}{count + 1}" if count else name for name, count in zip(words, before, strict=True)]
        self._values = {
            name: values
            for group in PairTemplates(self.table, self.history).block(0, np.tri(len(spans), k=-1, dtype=bool)).values()
            for name, values in group.items()
        }

    def value(self, template: str, current: str, antecedent: str) -> int:
        i, j = self.names.index(current), self.names.index(antecedent)
        assert j < i
        return int(self._values[template][i * (i - 1) // 2 + j])

    def attribute(self, name: str, mention: str):
        return getattr(self.table, name)[self.names.index(mention)]


def said(words: str) -> str:
    """Return a sentence of subject pronouns and names, all nsubj of its last word, a verb."""
    *mentions, verb = words.split()
    count = len(mentions) + 1
    rows = [f"{word}/{'NNP' if word[1:] and word[0].isupper() else 'PRP'}/{count}/nsubj" for word in mentions]
    return " ".join([*rows, f"{verb}/VBD/0/root"])


def test_speakers_are_the_same_next_in_turn_others_or_unknown():
    dialogue = Templates(
        document(*map(said, ("I sat", "you sat", "she sat", "we sat", "they sat")), speakers=("A", "B", "B", "A", None))
    )
    assert dialogue.value("speaker", "she", "you") == 1
    assert dialogue.value("speaker", "we", "I") == 1
    assert dialogue.value("speaker", "you", "I") == 2
    assert dialogue.value("speaker", "we", "she") == 2
    assert dialogue.value("speaker", "they", "we") == 0
    third = Templates(document(*map(said, ("I sat", "you sat", "we sat")), speakers=("A", "B", "C")))
    assert third.value("speaker", "we", "I") == 3


def test_names_of_speakers_are_told_from_other_names():
    dialogue = Templates(
        document(
            *map(said, ("I sat", "Ana you Leo sat", "I sat", "Ruiz sat")),
            speakers=("Ana Ruiz", "Ben", "Ana Ruiz", "Ben"),
        )
    )
    # "I" of Ana after "Ana", and the name after what its bearer said.
    assert dialogue.value("speaks", "I2", "Ana") == 3 * 2
    assert dialogue.value("speaks", "Ana", "I") == 2
    assert dialogue.value("speaks", "Ruiz", "I2") == 2
    assert dialogue.value("speaks", "you", "Ana") == 3 * 1
    assert dialogue.value("speaks", "Ruiz", "you") == 1
    assert dialogue.value("speaks", "Ruiz", "Ana") == 1 + 3
    assert dialogue.value("speaks", "I2", "Leo") == dialogue.value("speaks", "I2", "I") == 0


def test_a_name_that_two_speakers_bear_is_neither():
    dialogue = Templates(document(*map(said, ("I sat", "Ruiz sat")), speakers=("Ana Ruiz", "Leo Ruiz")))
    assert dialogue.attribute("speaks", "Ruiz") == -1


QUOTED = document(
    "she/PRP/2/nsubj said/VBD/0/root :/:/2/punct ``/``/5/punct I/PRP/6/nsubj sat/VBD/2/ccomp ./././punct".replace(
        "./././punct", "././2/punct"
    ),
    "we/PRP/2/nsubj sat/VBD/0/root ''/''/2/punct he/PRP/5/nsubj said/VBD/2/parataxis",
    "``/``/3/punct you/PRP/3/nsubj sat/VBD/0/root ''/''/3/punct",
    "\"/''/3/punct they/PRP/3/nsubj sat/VBD/0/root",
)


def test_quotations_are_numbered_across_sentences():
    table = Templates(QUOTED)
    mentions = ("she", "I", "we", "he", "you", "they")
    assert [table.attribute("quotation", name) for name in mentions] == [0, 1, 1, 0, 2, 0]


def test_pairs_know_which_of_them_is_quoted_and_whether_quotations_follow_each_other():
    table = Templates(QUOTED)
    assert table.value("quotation", "he", "she") == 0
    assert table.value("quotation", "we", "I") == 1
    assert table.value("quotation", "he", "I") == 2
    assert table.value("quotation", "I", "she") == 3
    assert table.value("quotation", "you", "we") == 5
    later = Templates(
        document(
            *(f"\"/``/3/punct {word}/PRP/3/nsubj sat/VBD/0/root \"/''/3/punct" for word in ("I", "he", "you")),
        )
    )
    assert later.value("quotation", "you", "I") == 4


def test_straight_quotes_open_and_close_by_turns_where_tags_do_not_tell():
    rows = '"/"/3/punct I/PRP/3/nsubj sat/VBD/0/root "/"/3/punct he/PRP/6/nsubj sat/VBD/3/parataxis'
    table = Templates(document(rows))
    assert (table.attribute("quotation", "I"), table.attribute("quotation", "he")) == (1, 0)


ACRONYMS = document(
    "United/NNP/3/nsubj Nations/NNP/1/flat sat/VBD/0/root",
    "UN/NNP/2/nsubj sat/VBD/0/root",
    "U.N./NNP/2/nsubj sat/VBD/0/root",
    "UNO/NNP/2/nsubj sat/VBD/0/root",
    "United/NNP/4/nsubj Nations/NNP/1/flat Organisation/NNP/1/flat sat/VBD/0/root",
    "un/NN/2/nsubj sat/VBD/0/root",
)


def test_acronyms_match_the_initials_of_names_either_way():
    table = Templates(ACRONYMS)
    for acronym, name, match in (
        ("UN", "United Nations", 1),
        ("U.N.", "United Nations", 1),
        ("UNO", "United Nations", 0),
        ("United Nations Organisation", "UNO", 1),
        ("United Nations Organisation", "UN", 0),
        ("U.N.", "UN", 0),
        ("un", "United Nations", 0),
    ):
        assert table.value("initials", acronym, name) == match


def test_names_share_first_and_last_words():
    table = Templates(
        document(
            "Ana/NNP/3/nsubj Ruiz/NNP/1/flat sat/VBD/0/root",
            *("Leo/NNP/3/nsubj Ruiz/NNP/1/flat sat/VBD/0/root", "Ana/NNP/2/nsubj sat/VBD/0/root"),
            *("Ana/NNP/3/nsubj Ruiz/NNP/1/flat sat/VBD/0/root", "she/PRP/2/nsubj sat/VBD/0/root"),
        )
    )
    assert table.value("ends", "Leo Ruiz", "Ana Ruiz") == 1 + 1
    assert table.value("ends", "Ana", "Ana Ruiz") == 1 + 2
    assert table.value("ends", "Ana Ruiz2", "Ana Ruiz") == 1 + 1 + 2
    assert table.value("ends", "Ana", "Leo Ruiz") == 1
    assert table.value("ends", "she", "Ana") == 0
    assert table.value("overlap", "Ana", "Ana Ruiz") == 1 + 1
    assert table.value("overlap", "Ana Ruiz2", "Ana") == 1 + 2
    assert table.value("overlap", "Ana Ruiz2", "Ana Ruiz") == 1 + 1 + 2
    assert table.value("overlap", "Ana Ruiz2", "Leo Ruiz") == 1
    assert table.value("overlap", "Ana", "Leo Ruiz") == 0


def test_a_mention_inside_another_is_nested():
    table = Templates(
        document("Ana/NNP/3/nmod:poss 's/POS/1/case boat/NN/5/nsubj has/VBZ/5/aux sunk/VBN/0/root it/PRP/5/obj")
    )
    assert table.value("nested", "Ana 's boat", "Ana 's") == 2
    assert table.value("nested", "it", "Ana 's boat") == 0
    assert table.value("governs", "Ana 's boat", "Ana 's") == 2
    assert table.value("governs", "it", "Ana 's") == 0
    assert table.value("roles", "Ana 's boat", "Ana 's") == 1 * 5 + 4
    assert table.value("roles", "it", "Ana 's boat") == 2 * 5 + 1
    later = Templates(document("the/DT/2/det boat/NN/0/root of/IN/4/case Ana/NNP/2/nmod"))
    assert later.value("nested", "Ana", "the boat of Ana") == 1
    assert later.value("governs", "Ana", "the boat of Ana") == 1


@pytest.mark.parametrize(
    ("mention", "number", "gender"),
    [
        ("she/PRP/2/nsubj", "singular", "female"),
        ("him/PRP/2/nsubj", "singular", "male"),
        ("them/PRP/2/nsubj", "plural", "unknown"),
        ("myself/PRP/2/nsubj", "singular", "person"),
        ("you/PRP/2/nsubj", "unknown", "person"),
        ("itself/PRP/2/nsubj", "singular", "thing"),
        ("those/DT/2/nsubj", "plural", "unknown"),
        ("boats/NNS/2/nsubj", "plural", "thing"),
        ("actress/NN/2/nsubj", "singular", "female"),
        ("July/NNP/2/nsubj", "singular", "thing"),
        ("Lincolnshire/NNP/2/nsubj", "singular", "thing"),
        ("Leo/NNP/2/nsubj", "singular", "male"),
        ("Mary/NNP/3/nsubj Leo/NNP/1/flat", "singular", "female"),
        ("Mrs./NNP/2/compound Leo/NNP/3/nsubj", "singular", "female"),
        ("Leo/NNP/4/nsubj and/CC/3/cc Mary/NNP/1/conj", "plural", None),
        ("doctors/NNS/2/nsubj", "plural", "person"),
        ("woman/NN/2/nsubj", "singular", "female"),
    ],
)
def test_number_and_gender(mention, number, gender):
    words = mention.count(" ") + 1
    table = mention_table(
        one := document(f"{mention} sat/VBD/0/root"),
        [max(candidate_mentions(one), key=lambda span: span.end - span.start)],
    )
    assert table.end[0] - table.start[0] == words
    assert NUMBERS[table.number[0]] == number
    assert gender is None or GENDERS[table.gender[0]] == gender


@pytest.mark.parametrize(
    ("mention", "kind", "words"),
    [
        ("herself/PRP/2/nsubj", "he", ("she",)),
        ("their/PRP$/2/nmod:poss", "they", ("they",)),
        ("that/DT/2/nsubj", "this", ("this",)),
        ("the/DT/2/det boat/NN/3/nsubj", "the", ("boat",)),
        ("An/DT/3/det old/JJ/3/amod boat/NN/4/nsubj", "a", ("old", "boat")),
        ("those/DT/2/det boats/NNS/3/nsubj", "this N", ("boats",)),
        ("her/PRP$/2/nmod:poss boat/NN/3/nsubj", "possessed", ("boat",)),
        ("boats/NNS/2/nsubj of/IN/3/case oak/NN/1/nmod", "bare", ("boats",)),
        ("the/DT/2/det UN/NNP/3/nsubj", "name", ("un",)),
        ("Ana/NNP/3/nsubj Ruiz/NNP/1/flat", "name", ("ana", "ruiz")),
    ],
)
def test_types_and_words_of_mentions(mention, kind, words):
    one = document(f"{mention} sat/VBD/0/root")
    table = mention_table(one, [max(candidate_mentions(one), key=lambda span: span.end - span.start)])
    assert TYPES[table.type[0]] == kind
    assert table.words[0] == words


def test_agreement_holds_both_numbers_and_both_genders():
    table = Templates(document(said("she they sat")))
    assert table.value("number", "they", "she") == NUMBERS.index("plural") * len(NUMBERS) + NUMBERS.index("singular")
    # A gender by itself is like the other; of two, whether they are one.
    assert table.value("gender", "they", "she") == GENDERS.index("unknown") * len(GENDERS) + GENDERS.index("male")
    pairs = {
        (earlier, pronoun): Templates(document(said(f"{earlier} {pronoun} sat"))).value("gender", pronoun, earlier)
        for earlier in ("Leo", "Mary", "it")
        for pronoun in ("he", "she", "they")
    }
    assert pairs["Leo", "he"] == pairs["Mary", "she"] != pairs["Leo", "she"] == pairs["Mary", "he"]
    assert pairs["it", "he"] == pairs["it", "she"] != pairs["it", "they"]
    assert pairs["Leo", "they"] == pairs["Mary", "they"]


def test_he_and_she_have_the_same_features():
    by_pronoun = []
    for pronoun in ("he", "she"):
        table = Templates(document(said("Boats it sat"), said(f"{pronoun} sat"), said(f"it {pronoun} they sat"))).table
        history = History(table)
        features = zip(current_features(table, history), antecedent_features(table, history), strict=True)
        by_pronoun.append([both for both, kind in zip(features, table.type, strict=True) if TYPES[kind] == "he"])
    assert by_pronoun[0] == by_pronoun[1]
    assert len(by_pronoun[0]) == 2


def test_an_apposition_stands_under_its_antecedent_and_a_nominal_predicate_over_its_subject():
    table = Templates(document("Ana/NNP/6/nsubj ,/,/1/punct Ruiz/NNP/1/appos ,/,/1/punct a/DT/6/det clerk/NN/0/root"))
    assert table.value("relation", "Ruiz", "Ana , Ruiz") == 1
    assert table.value("relation", "a clerk", "Ana , Ruiz") == 2
    assert table.value("relation", "a clerk", "Ruiz") == 0
    object_of_noun = Templates(document("boat/NN/0/root it/PRP/1/nmod"))
    assert object_of_noun.value("relation", "it", "boat it") == 0


def test_reflexives_are_known_and_arguments_of_one_verb_share_their_clause():
    table = Templates(
        document(
            "she/PRP/2/nsubj saw/VBD/0/root herself/PRP/2/obj in/IN/6/case her/PRP$/6/nmod:poss boat/NN/2/obl",
            said("it sat"),
        )
    )
    assert table.value("reflexive", "herself", "she") == 1
    assert table.value("reflexive", "her", "she") == table.value("reflexive", "it", "herself") == 0
    assert table.value("clause", "herself", "she") == 2
    assert table.value("clause", "her", "she") == 1
    assert table.value("clause", "it", "she") == 0


def test_between_counts_those_who_would_agree_as_well():
    table = Templates(document(said("he she you they it Leo sat"), said("he sat")))
    # you, a person, and Leo agree with he in number and gender; she, they and it do not.
    assert table.value("between", "he2", "Leo") == 0
    assert table.value("between", "he2", "you") == 1
    assert table.value("between", "he2", "he") == 2
    crowd = Templates(document(said("he " * 7 + "sat")))
    assert [crowd.value("between", "he7", f"he{j}" if j > 1 else "he") for j in range(1, 7)] == [4, 4, 3, 2, 1, 0]


def test_string_templates_leave_out_determiners_and_case():
    table = Templates(
        document(
            "the/DT/3/det old/JJ/3/amod boat/NN/4/nsubj sat/VBD/0/root",
            "An/DT/3/det old/JJ/3/amod Boat/NN/4/nsubj sat/VBD/0/root",
            "boats/NNS/2/nsubj sat/VBD/0/root",
            "new/JJ/2/amod boat/NN/3/nsubj sat/VBD/0/root",
            said("it sat"),
        )
    )
    assert table.value("exact", "An old Boat", "the old boat") == 1
    assert table.value("exact", "new boat", "the old boat") == 0
    assert table.value("head", "new boat", "the old boat") == 1
    assert table.value("head", "boats", "An old Boat") == 2
    assert table.value("head", "it", "boats") == 0
    # How many had the same head from the antecedent to the current mention, and before the current one at all.
    assert table.value("nearest", "new boat", "An old Boat") == 0
    assert table.value("nearest", "new boat", "the old boat") == 1
    assert table.value("since", "it", "the old boat") == 2
    assert table.value("seen", "it", "the old boat") == 3
    assert table.value("seen", "it", "boats") == 1


def test_distances_are_counted_in_mentions_and_sentences():
    table = Templates(document(*(said("it sat") for _ in range(9))))
    for far in range(1, 9):
        last, first = "it9", f"it{9 - far}" if far < 8 else "it"
        assert table.value("distance", last, first) == bucket(np.array(far - 1))
        assert table.value("sentences", last, first) == bucket(np.array(far))


def test_buckets():
    values = np.array([0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 20, 30, 49, 50, 99, 100, 10**6])
    np.testing.assert_array_equal(bucket(values), [0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 10, 11, 11, 12, 12])
    assert bucket(values, 4).max() == 4


def test_features_say_what_the_document_said_before():
    table = Templates(document(said("Ana sat"), said("Ana sat")))
    first, second = current_features(table.table, table.history)
    assert "seen=0,0&name" in first
    assert "seen=1,1&name" in second
    assert "head=ana\thead=NNP&name" in second
    assert "before=<s>\tbefore=<s>&name" in second
    assert "governor=nsubj:sat\tgovernor=nsubj&name" in second
    assert all("speakers=" not in feature for row in antecedent_features(table.table, table.history) for feature in row)


def test_templates_have_as_many_values_as_they_say():
    assert {name: count for group in TEMPLATES.values() for name, count in group.items()}["roles"] == 25
    names = [name for group in TEMPLATES.values() for name in group]
    assert len(set(names)) == len(names)
