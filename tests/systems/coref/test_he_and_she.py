"""Pairs of an occupation and a pronoun, after Winogender (Rudinger et al. 2018), in sentences of our own."""

import numpy as np
import pytest

from nlpcalib.systems.coref import resolve
from nlpcalib.systems.text.parsing import load_parser

PRONOUNS = {"he": ("he", "his", "him"), "she": ("she", "her", "her")}
SENTENCES = {
    "written before training": (
        (
            "The {a} told the {b} that {they} had finished the repair.",
            "The {a} met the {b} because {they} needed some advice.",
            "The {a} thanked the {b} after {they} answered every question.",
            "The {a} called the {b} and {they} asked for the keys.",
            "The {a} left early. {They} was tired.",
            "When the {a} arrived , {they} greeted the {b}.",
            "The {a} gave the {b} {their} phone number.",
            "The {a} spoke slowly so that the {b} could follow {them}.",
        ),
        "mechanic customer, nurse patient, engineer client, teacher student, accountant visitor, carpenter neighbor, "
        "librarian child, plumber owner, doctor teenager, secretary witness",
    ),
    "written after it": (
        (
            "The {a} assured the {b} that {they} would be ready by noon.",
            "The {a} asked the {b} whether {they} could wait outside.",
            "The {a} showed the {b} the report before {they} signed it.",
            "Since {they} was late , the {a} apologised to the {b}.",
            "The {a} and the {b} argued because {they} had lost the keys.",
            "The {b} trusted the {a}. {They} had helped before.",
            "The {a} told the {b} about {their} plans for the summer.",
            "The {a} looked at the {b} and said nothing to {them}.",
        ),
        "pilot passenger, baker buyer, lawyer defendant, dentist guest, manager worker, electrician tenant, "
        "chemist colleague, painter collector, guard prisoner, editor writer",
    ),
}


def probabilities(templates: tuple[str, ...], occupations: str, pronoun: str) -> np.ndarray:
    """Return the marginals of the pronoun with the first and with the second person, float64 (sentences, 2).

    They are 0 where the parser leaves no such mention.
    """
    forms = dict(zip(("they", "their", "them"), PRONOUNS[pronoun], strict=True))
    people = [tuple(pair.split()) for pair in occupations.split(", ")]
    texts = [template.format(a=a, b=b, They=pronoun.capitalize(), **forms) for template in templates for a, b in people]
    marginals = np.zeros((len(texts), 2))
    parsed = load_parser().parse_texts((str(number), text) for number, text in enumerate(texts))
    for row, pair, answer in zip(marginals, people * len(templates), resolve(parsed), strict=True):
        words = [span.text(answer.document).lower() for span in answer.mentions]
        mention = next(place for place, word in enumerate(words) if word in PRONOUNS[pronoun])
        for column, name in enumerate(pair):
            place = next((place for place, word in enumerate(words) if word.endswith(name)), None)
            row[column] = 0.0 if place is None else answer.marginals[mention, place]
    return marginals


@pytest.mark.parametrize("written", SENTENCES)
def test_he_and_she_are_as_likely_the_person_of_an_occupation(written):
    he, she = (probabilities(*SENTENCES[written], pronoun).mean(axis=0) for pronoun in PRONOUNS)
    assert np.all(np.abs(he - she) < 0.03)
    # Neither is the trivial answer, that nobody is anybody.
    assert np.all(he > 0.1)
