"""Trees drawn from a parser's own distribution (Keith, Blodgett and O'Connor 2018, *Monte Carlo syntax marginals*).

A transition parser gives each valid action a the probability

    P(a) = exp(s_a / T) / Σ_b exp(s_b / T),

with its score s_a (log scale, no unit) and the temperature T > 0. A tree drawn action by action is an exact draw from
the parser's distribution of trees. The action with the largest s_a / T + G_a, with independent Gumbel noise G_a, is a
draw from P (Gumbel 1954). So spaCy's choice of the best valid action becomes a draw when its scores get noise.

With scores 1 and 0, the first action has the probability .731 at T = 1 and .622 at T = 2:

    >>> noise = np.log(np.random.default_rng(0).standard_exponential((400_000, 2)))
    >>> for T in (1, 2):
    ...     print(f"{np.mean((np.array([1, 0]) / T - noise).argmax(axis=1) == 0):.2f} {1 / (1 + np.exp(-1 / T)):.3f}")
    0.73 0.731
    0.62 0.622
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Sentence
from nlpcalib.systems.text.parsing.trees import parsed_sentence

_ACTIONS_PER_DRAW = 16
"""Actions for which noise is drawn at once: a word takes two, and drawing them singly is slow."""


def check_sampling(nlp: Language, name: str) -> None:
    """Raise `InputError` for a model whose parser reads anything but one vector for each word."""
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
        vectors that the parser reads.
    streams : sequence of sequences of Generator
        A generator for each tree of each sentence. A tree depends only on its sentence and its generator.
    temperature : float
        T, greater than 0. Below 1, trees are closer to the best one.

    Returns
    -------
    list of lists of Sentence
        Trees with the relations that the parser was trained on.
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
            # The negative logarithm of an exponential variable is a Gumbel variable; single precision has zeros.
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
