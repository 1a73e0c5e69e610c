"""Trees drawn from a parser's own distribution (Keith, Blodgett and O'Connor 2018, *Monte Carlo syntax marginals*).

A transition parser gives each action a probability, the softmax of its scores over the actions that are valid. A tree
drawn one action after the other is an exact draw from the parser's distribution of trees. The largest of scores plus
Gumbel noise is such a draw (Gumbel 1954), so spaCy's own choice of the best valid action draws when its scores are
noisy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from nlpcalib.errors import InputError
from nlpcalib.text.document import Sentence
from nlpcalib.text.parsing.trees import parsed_sentence

_ACTIONS_PER_DRAW = 16
"""Actions for which noise is drawn at once; a word takes two."""


def check_sampling(nlp: Language, name: str) -> None:
    """Raise `InputError` for a model whose parser listens to something else than one vector for each word."""
    parser: Any = nlp.get_pipe("parser")
    for node in parser.model.walk():
        if "listener" in node.name and "tok2vec-listener" not in node.name:
            found = f"found a parser with a {node.name}, whose trees cannot be sampled"
            raise InputError(f"model {name}: {found}, expected 1 as the number of trees")


def sample_trees(
    parser: Any, docs: Sequence[Doc], streams: Sequence[Sequence[np.random.Generator]], temperature: float
) -> list[list[Sentence]]:
    """Return trees of single sentences, each drawn with a generator of its own.

    Parameters
    ----------
    parser : spacy.pipeline.DependencyParser
    docs : sequence of Doc
        One sentence each, without a tree: all words but the first have `is_sent_start` False. `tensor` has the
        vectors that the parser listens to.
    streams : sequence of sequences of Generator
        Of each sentence, one for each tree. A tree depends on its sentence and its generator alone.
    temperature : float
        Greater than 0. Scores are divided by it: below 1, trees are nearer to the best one.

    Returns
    -------
    list of lists of Sentence
        With words, heads and relations as the parser was trained on.
    """
    model = parser.model.predict(docs)
    drawn = [[state.copy() for _ in own] for state, own in zip(parser.moves.init_batch(docs), streams, strict=True)]
    states = [state for own in drawn for state in own]
    sources = [source for own in streams for source in own]
    moves = parser.moves.n_moves
    step = 0
    noise = np.empty((0, _ACTIONS_PER_DRAW, moves), dtype=np.float32)
    while going := [place for place, state in enumerate(states) if not state.is_final()]:
        states, sources = [states[place] for place in going], [sources[place] for place in going]
        if step % _ACTIONS_PER_DRAW == 0:
            noise = np.stack(
                [source.standard_exponential((_ACTIONS_PER_DRAW, moves), dtype=np.float32) for source in sources]
            )
            # The logarithm of an exponential variable is a Gumbel one, negated; single precision has zeros.
            np.log(np.maximum(noise, np.finfo(np.float32).tiny, out=noise), out=noise)
        elif len(going) < len(noise):
            noise = noise[going]
        scores = np.ascontiguousarray(
            model.predict(states) / temperature - noise[:, step % _ACTIONS_PER_DRAW], dtype=np.float32
        )
        parser.transition_states(states, scores)
        step += 1
    return [_trees(parser, doc, own) for doc, own in zip(docs, drawn, strict=True)]


def _trees(parser: Any, doc: Doc, states: Sequence[Any]) -> list[Sentence]:
    found: dict[tuple, Sentence] = {}
    trees = []
    for state in states:
        arcs = tuple((arc["head"], arc["child"], arc["label"]) for arc in state.arcs)
        if arcs not in found:
            own = doc.copy()
            parser.set_annotations([own], [state])
            (found[arcs],) = map(parsed_sentence, own.sents)
        trees.append(found[arcs])
    return trees
