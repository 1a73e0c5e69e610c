"""Candidate events as rows that a person can check: who does what, in which sentence, and with what probability."""

from __future__ import annotations

from collections.abc import Iterator

from nlpcalib.events.read.probability import DocumentEvents

_EVIDENCE = 3


def candidate_rows(events: DocumentEvents) -> Iterator[tuple[int, dict]]:
    """Yield a row for each candidate and each country that its entity has in a sample or in the 1-best clustering.

    Before the row stands the candidate's place in `events.found`.

    Rows have `document`, `date`, `country`, `sentence` (its number, from 1), `verb`, `role`, `mention`, `evidence` (the
    mentions described with the country, each with its exact marginal to share an entity with `mention`, up to three),
    `probability` (share of samples in which the mention's entity is the country's), `map_event` (whether it is in the
    1-best clustering), `passive`, `negated`, `modal` and `text`, the sentence. `reported`, `past`, `part`, `first_day`
    and `last_day`, which the paper's reading does not find, are False or empty.
    """
    document, mentions = events.resolution.document, events.resolution.mentions
    for number, candidate in enumerate(events.found):
        sentence = document.sentences[candidate.sentence]
        for column, country in enumerate(events.countries):
            probability, best = float(events.samples[number, column].mean()), bool(events.map_event[number, column])
            if not probability and not best:
                continue
            nearest = events.described_with(country, candidate.mention)[:_EVIDENCE]
            evidence = (f"{mentions[each].text(document)} ({marginal:.2f})" for each, marginal in nearest if marginal)
            yield (
                number,
                {
                    "document": document.id,
                    "date": document.date,
                    "country": country,
                    "sentence": candidate.sentence + 1,
                    "verb": candidate.lemma,
                    "role": candidate.role,
                    "mention": mentions[candidate.mention].text(document),
                    "evidence": "; ".join(evidence),
                    "probability": probability,
                    "map_event": best,
                    "passive": candidate.passive,
                    "negated": candidate.negated,
                    "modal": candidate.modal,
                    "reported": False,
                    "past": False,
                    "part": "",
                    "first_day": None,
                    "last_day": None,
                    "text": sentence.text().strip(),
                },
            )
