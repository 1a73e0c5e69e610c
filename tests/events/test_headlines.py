"""Headlines whose verbs are tagged as nouns, read a second time."""

import pytest

from nlpcalib.events.read.headlines import headline_verbs
from nlpcalib.text.document import Sentence
from nlpcalib.text.tree import Tree


def read(*words: str) -> tuple[str, str, str] | None:
    """Return the agent, the verb and the patient of words in the form word/tag or word/tag/relation."""
    columns = [(*word.split("/"), "dep")[:3] for word in words]
    texts, tags, relations = zip(*columns, strict=True)
    tree = Tree(Sentence("1", texts, tags=tags, heads=(0,) * len(texts), relations=relations))
    found = list(headline_verbs(tree, {"shell", "shells"}, {"shell", "shells"}, set()))
    if not found:
        return None
    [(verb, agent, patient)] = found
    return (
        " ".join(tree.words[each] for each in agent),
        tree.words[verb],
        " ".join(tree.words[each] for each in patient),
    )


def test_a_verb_that_is_tagged_as_a_noun_has_its_agent_before_it_and_its_patient_after_it():
    headline = ("Russian/JJ", "forces/NNS", "shell/NN", "Kherson/NNP", "Oblast/NNP")
    assert read(*headline) == ("russian forces", "shell", "kherson oblast")
    assert read("Army/NN", "shells/NNS", "city/NN") == ("army", "shells", "city")


@pytest.mark.parametrize(
    "words",
    [
        ("Army/NN", "shell/NN", "factory/NN"),  # one army shells
        ("Forces/NNS", "shells/NNS", "city/NN"),
        ("Forces/NNS", "shell/NN"),
        ("shell/NN", "Kherson/NNP"),
        ("Forces/NNS", "say/VBP", "shell/NN", "damage/NN"),
        ("Quickly/RB", "shell/NN", "Kherson/NNP"),
        ("Forces/NNS", "bomb/NN", "Kherson/NNP"),
    ],
)
def test_a_noun_is_a_noun_where_it_does_not_agree_lacks_a_neighbour_or_the_clause_has_a_verb(words):
    assert read(*words) is None


def test_a_verb_of_a_relative_clause_or_of_another_clause_is_not_the_headlines():
    relative = ("Troops/NNS", "who/WP", "left/VBD/acl:relcl", "rebels/NNS", "shell/NN", "Kherson/NNP")
    assert read(*relative) == ("rebels", "shell", "kherson")
    other = ("Talks/NNS", "failed/VBD", ";/:", "forces/NNS", "shell/NN", "Kherson/NNP")
    assert read(*other) == ("forces", "shell", "kherson")
