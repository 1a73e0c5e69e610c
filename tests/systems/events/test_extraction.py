"""Who attacks whom, and whose they are: hand-parsed sentences, and the newsroom, whose events are known."""

import re
from collections import defaultdict
from dataclasses import replace

import pytest
from tests.systems.events.queries import ATTACK

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions, entities_of
from nlpcalib.systems.events.read.extraction import (
    Affiliation,
    CandidateEvent,
    affiliations,
    candidate_events,
    find_evidence,
)
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.document import Document, Sentence

LEXICON = CountryLexicon(supplement("newsroom", "names", "other_senses"))
BOTH = Query("attack", ("attack",), ("agent", "patient"))

SENTENCES = """
American/JJ/2/amod forces/NNS/3/nsubj attacked/VBD/0/root Iran/NNP/3/obj
= agent forces USA; patient Iran IRN
U.S./NNP/2/compound forces/NNS/3/nsubj attack/VBP/0/root Iran/NNP/3/obj
= agent forces USA; patient Iran IRN
The/DT/2/det Americans/NNPS/3/nsubj attacked/VBD/0/root
= agent Americans USA
Iraq/NNP/3/nmod:poss 's/POS/1/case troops/NNS/4/nsubj attacked/VBD/0/root Kuwait/NNP/4/obj
= agent troops IRQ; patient Kuwait KWT
The/DT/2/det president/NN/6/nsubj of/IN/5/case the/DT/5/det U.S./NNP/2/nmod attacked/VBD/0/root Iran/NNP/6/obj
= agent president USA; patient Iran IRN
Troops/NNS/4/nsubj from/IN/3/case Iraq/NNP/1/nmod attacked/VBD/0/root Kuwait/NNP/4/obj
= agent Troops IRQ; patient Kuwait KWT
France/NNP/2/nsubj attacks/VBZ/0/root Iran/NNP/2/obj
= agent France FRA; patient Iran IRN
They/PRP/2/nsubj attacked/VBD/0/root Iraq/NNP/2/obj
= agent They -; patient Iraq IRQ
France/NNP/4/nsubj and/CC/3/cc Germany/NNP/1/conj attacked/VBD/0/root Iran/NNP/4/obj
= agent France FRA; agent and -; agent Germany DEU; patient Iran IRN
American/JJ/4/amod and/CC/3/cc British/JJ/1/conj forces/NNS/5/nsubj attacked/VBD/0/root
= agent forces GBR+USA
Iraq/NNP/3/nmod:poss 's/POS/1/case army/NN/8/nsubj and/CC/7/cc Iran/NNP/7/nmod:poss 's/POS/5/case navy/NN/3/conj
attacked/VBD/0/root Kuwait/NNP/8/obj
= agent army IRQ; agent and -; agent navy IRN; patient Kuwait KWT
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass attacked/VBN/0/root by/IN/6/case American/JJ/6/amod forces/NNS/3/obl:agent
= agent forces USA passive; patient Iran IRN passive
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass attacked/VBN/0/root by/IN/5/case France/NNP/3/obl
= agent France FRA passive; patient Iran IRN passive
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass attacked/VBN/0/root by/IN/5/case France/NNP/3/obl:agent and/CC/7/cc
Germany/NNP/5/conj
= agent France FRA passive; agent and - passive; agent Germany DEU passive; patient Iran IRN passive
Iran/NNP/4/nsubj:pass has/VBZ/4/aux been/VBN/4/aux:pass attacked/VBN/0/root from/IN/6/case Iraq/NNP/4/obl
= patient Iran IRN passive
Iran/NNP/4/nsubj has/VBZ/4/aux been/VBN/4/aux attacked/VBN/0/root
= patient Iran IRN passive
Troops/NNS/3/nsubj:pass got/VBD/3/aux:pass attacked/VBN/0/root
= patient Troops - passive
The/DT/2/det town/NN/7/nsubj attacked/VBN/2/acl by/IN/6/case Iraqi/JJ/6/amod forces/NNS/3/obl:agent burned/VBD/0/root
= agent forces IRQ passive; patient town - passive
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass shelled/VBN/0/root and/CC/5/cc attacked/VBN/3/conj by/IN/8/case
French/JJ/8/amod troops/NNS/5/obl:agent
= agent troops FRA passive; patient Iran IRN passive
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass shelled/VBN/0/root and/CC/5/cc attacked/VBN/3/conj by/IN/8/case
French/JJ/8/amod troops/NNS/3/obl:agent
= agent troops FRA passive; patient Iran IRN passive
Iran/NNP/3/nsubj:pass was/VBD/3/aux:pass attacked/VBN/0/root and/CC/5/cc looted/VBN/3/conj by/IN/8/case
French/JJ/8/amod troops/NNS/3/obl:agent
= agent troops FRA passive; patient Iran IRN passive
Iran/NNP/4/nsubj:pass had/VBD/4/aux been/VBN/4/aux:pass shelled/VBN/0/root and/CC/6/cc attacked/VBN/4/conj
= patient Iran IRN passive
Iraq/NNP/3/nsubj has/VBZ/3/aux bombed/VBN/0/root and/CC/5/cc attacked/VBN/3/conj Iran/NNP/5/obj
= agent Iraq IRQ; patient Iran IRN
Iraqi/JJ/2/amod troops/NNS/3/nsubj crossed/VBD/0/root the/DT/5/det border/NN/3/obj and/CC/7/cc attacked/VBD/3/conj
Kuwait/NNP/7/obj
= agent troops IRQ; patient Kuwait KWT
Iraq/NNP/2/nsubj attacked/VBD/0/root and/CC/4/cc looted/VBD/2/conj Kuwait/NNP/2/obj
= agent Iraq IRQ; patient Kuwait KWT
Iraq/NNP/2/nsubj shelled/VBD/0/root and/CC/4/cc attacked/VBD/2/conj Kuwait/NNP/2/obj
= agent Iraq IRQ; patient Kuwait KWT
Iraq/NNP/2/nsubj shelled/VBD/0/root Kuwait/NNP/2/obj and/CC/5/cc attacked/VBD/2/conj
= agent Iraq IRQ
French/JJ/2/amod troops/NNS/4/nsubj:pass were/VBD/4/aux:pass sent/VBN/0/root and/CC/6/cc attacked/VBD/4/conj
it/PRP/6/obj
= agent troops FRA; patient it -
French/JJ/2/amod troops/NNS/3/nsubj advanced/VBD/0/root and/CC/6/cc were/VBD/6/aux:pass attacked/VBN/3/conj
= patient troops FRA passive
The/DT/2/det troops/NNS/6/nsubj who/WP/4/nsubj attacked/VBD/2/acl:relcl Iran/NNP/4/obj fled/VBD/0/root
= agent troops -; patient Iran IRN
Iraq/NNP/3/nmod:poss 's/POS/1/case army/NN/9/nsubj ,/,/6/punct which/WDT/6/nsubj attacked/VBD/3/acl:relcl
Iran/NNP/6/obj ,/,/6/punct fled/VBD/0/root
= agent army IRQ; patient Iran IRN
The/DT/2/det soldiers/NNS/9/nsubj that/WDT/4/nsubj crossed/VBD/2/acl:relcl the/DT/6/det border/NN/4/obj and/CC/8/cc
attacked/VBD/4/conj fled/VBD/0/root
= agent soldiers -
The/DT/2/det town/NN/8/nsubj that/WDT/5/nsubj:pass was/VBD/5/aux:pass attacked/VBN/2/acl:relcl by/IN/7/case
Iraq/NNP/5/obl:agent burned/VBD/0/root
= agent Iraq IRQ passive; patient town - passive
The/DT/2/det town/NN/6/nsubj that/WDT/5/obj Iraq/NNP/5/nsubj attacked/VBD/2/acl:relcl burned/VBD/0/root
= agent Iraq IRQ; patient town -
The/DT/2/det troops/NNS/8/nsubj who/WP/6/nsubj he/PRP/5/nsubj said/VBD/2/acl:relcl attacked/VBD/5/ccomp Iran/NNP/6/obj
fled/VBD/0/root
= agent troops -; patient Iran IRN
Soldiers/NNS/9/nsubj:pass who/WP/3/nsubj attacked/VBD/1/acl:relcl Iran/NNP/3/obj and/CC/7/cc their/PRP$/7/nmod:poss
commanders/NNS/1/conj were/VBD/9/aux:pass punished/VBN/0/root
= agent Soldiers -; patient Iran IRN
It/PRP/3/nsubj was/VBD/3/cop Iraq/NNP/0/root that/WDT/5/nsubj attacked/VBD/3/acl:relcl Iran/NNP/5/obj
= agent Iraq IRQ; patient Iran IRN
The/DT/2/det country/NN/6/nsubj whose/WP$/4/nmod:poss troops/NNS/5/nsubj attacked/VBD/2/acl:relcl
apologized/VBD/0/root
= agent troops -
Iraqi/JJ/2/amod troops/NNS/5/nsubj attacking/VBG/2/acl Iran/NNP/3/obj fled/VBD/0/root
= agent troops IRQ; patient Iran IRN
Iraq/NNP/2/nsubj began/VBD/0/root to/TO/4/mark attack/VB/2/xcomp Iran/NNP/4/obj
= agent Iraq IRQ; patient Iran IRN
Iraq/NNP/2/nsubj stopped/VBD/0/root attacking/VBG/2/xcomp Iran/NNP/3/obj
= agent Iraq IRQ; patient Iran IRN
Iraq/NNP/2/nsubj tried/VBD/0/root to/TO/4/mark attack/VB/2/xcomp Iran/NNP/4/obj
= agent Iraq IRQ modal; patient Iran IRN modal
Iraq/NNP/2/nsubj refused/VBD/0/root to/TO/4/mark attack/VB/2/xcomp
= agent Iraq IRQ negated
Iraq/NNP/2/nsubj ordered/VBD/0/root French/JJ/4/amod troops/NNS/2/obj to/TO/6/mark attack/VB/2/xcomp Iran/NNP/6/obj
= agent troops FRA modal; patient Iran IRN modal
French/JJ/2/amod troops/NNS/4/nsubj:pass were/VBD/4/aux:pass ordered/VBN/0/root to/TO/6/mark attack/VB/4/xcomp
Iran/NNP/6/obj
= agent troops FRA modal; patient Iran IRN modal
Iraq/NNP/3/nsubj is/VBZ/3/cop ready/JJ/0/root to/TO/5/mark attack/VB/3/xcomp
= agent Iraq IRQ modal
Iraq/NNP/4/nsubj did/VBD/4/aux not/RB/4/advmod attack/VB/0/root Iran/NNP/4/obj
= agent Iraq IRQ negated; patient Iran IRN negated
Iraq/NNP/3/nsubj never/RB/3/advmod attacked/VBD/0/root Iran/NNP/3/obj
= agent Iraq IRQ negated; patient Iran IRN negated
No/DT/3/det French/JJ/3/amod troops/NNS/4/nsubj attacked/VBD/0/root
= agent troops FRA negated
Iran/NNP/4/nsubj:pass was/VBD/4/aux:pass n't/RB/4/advmod attacked/VBN/0/root by/IN/6/case Iraq/NNP/4/obl:agent
= agent Iraq IRQ passive negated; patient Iran IRN passive negated
Iraq/NNP/3/nsubj might/MD/3/aux attack/VB/0/root Iran/NNP/3/obj
= agent Iraq IRQ modal; patient Iran IRN modal
Iraq/NNP/4/nsubj will/MD/4/aux not/RB/4/advmod attack/VB/0/root
= agent Iraq IRQ negated modal
If/IN/3/mark Iraq/NNP/3/nsubj attacks/VBZ/6/advcl France/NNP/6/nsubj will/MD/6/aux help/VB/0/root
= agent Iraq IRQ modal
Iraq/NNP/3/nsubj could/MD/3/aux cross/VB/0/root the/DT/5/det border/NN/3/obj and/CC/7/cc attack/VB/3/conj
= agent Iraq IRQ modal
France/NNP/2/nsubj said/VBD/0/root Iraq/NNP/4/nsubj attacked/VBD/2/ccomp Iran/NNP/4/obj
= agent Iraq IRQ; patient Iran IRN
The/DT/3/det American/JJ/3/amod attack/NN/6/nsubj on/IN/5/case Iran/NNP/3/nmod failed/VBD/0/root
=
Attacks/NNS/4/nsubj by/IN/3/case Iraq/NNP/1/nmod continued/VBD/0/root
=
The/DT/3/det attacking/VBG/3/amod Americans/NNPS/4/nsubj fled/VBD/0/root
=
Iraqi/JJ/2/amod attackers/NNS/3/nsubj fled/VBD/0/root
=
This/DT/5/nsubj was/VBD/5/cop an/DT/5/det Iraqi/JJ/5/amod attack/NN/0/root
=
Before/IN/2/mark attacking/VBG/5/advcl Iran/NNP/2/obj Iraq/NNP/5/nsubj waited/VBD/0/root
= patient Iran IRN
The/DT/2/det plan/NN/6/nsubj of/IN/4/mark attacking/VBG/2/acl Iran/NNP/4/obj failed/VBD/0/root
= patient Iran IRN
Who/WP/2/nsubj attacked/VBD/0/root Iran/NNP/2/obj ?/./2/punct
= patient Iran IRN
They/PRP/2/nsubj attacked/VBD/0/root us/PRP/2/obj
= agent They -; patient us -
Leila/NNP/9/nsubj Nazam/NNP/1/flat ,/,/5/punct the/DT/5/det president/NN/1/appos of/IN/7/case Iraq/NNP/5/nmod
,/,/5/punct attacked/VBD/0/root
= agent Leila IRQ
Iraqi/JJ/2/amod President/NNP/3/compound Leila/NNP/5/nsubj Nazam/NNP/3/flat attacked/VBD/0/root
= agent Leila IRQ
Iraqi/JJ/2/amod President/NNP/3/nmod:desc Nazam/NNP/4/nsubj attacked/VBD/0/root
= agent Nazam IRQ
North/JJ/2/amod Korean/JJ/3/amod troops/NNS/4/nsubj attacked/VBD/0/root
= agent troops PRK
Saudi/NNP/3/nsubj Arabia/NNP/1/flat attacked/VBD/0/root
= agent Saudi SAU
The/DT/3/det United/NNP/3/compound States/NNPS/4/nsubj attacked/VBD/0/root
= agent States USA
American/JJ/2/amod troops/NNS/5/nsubj in/IN/4/case Iraq/NNP/2/nmod attacked/VBD/0/root
= agent troops IRQ+USA
Troops/NNS/5/nsubj from/IN/4/case New/NNP/4/compound Mexico/NNP/1/nmod attacked/VBD/0/root
= agent Troops -
"""


def document(rows: str, **columns: tuple[str, ...]) -> Document:
    """Make a document of one sentence; rows are word/tag/head/relation."""
    words, tags, heads, relations = zip(*(row.split("/") for row in rows.split()), strict=True)
    sentence = Sentence("d-1", words, tags, heads=tuple(map(int, heads)), relations=relations)
    return Document("d", (replace(sentence, **columns),))


def cases() -> list[tuple[str, str]]:
    """Return every sentence, which may take several lines, and what must be found in it: the line after "="."""
    found = re.findall(r"([^=]+)\n=(.*)\n", SENTENCES)
    return [(sentence, expected.strip()) for sentence, expected in found]


def shown(one: Document) -> str:
    """Return the candidates of a document in the notation of `SENTENCES`."""
    spans = candidate_mentions(one)
    countries = defaultdict(set)
    for label in affiliations(one, spans, LEXICON):
        countries[label.mention].add(label.country)
    rows = []
    for candidate in candidate_events(one, spans, BOTH):
        word = one.sentences[0].words[spans[candidate.mention].head]
        flags = [flag for flag in ("passive", "negated", "modal") if getattr(candidate, flag)]
        rows.append(" ".join([candidate.role, word, "+".join(sorted(countries[candidate.mention])) or "-", *flags]))
    return "; ".join(rows)


@pytest.mark.parametrize(("sentence", "expected"), cases())
def test_a_sentence_says_who_attacks_whom(sentence: str, expected: str) -> None:
    assert shown(document(sentence)) == expected


def test_there_are_at_least_sixty_sentences() -> None:
    assert len(cases()) >= 60
    assert len(set(cases())) == len(cases())


def test_lemmas_of_the_document_decide_where_it_has_them() -> None:
    rows = "Iraq/NNP/2/nsubj attacked/VBD/0/root Iran/NNP/2/obj"
    assert shown(document(rows, lemmas=("Iraq", "Attack", "Iran"))) == "agent Iraq IRQ; patient Iran IRN"
    assert shown(document(rows, lemmas=("Iraq", "criticize", "Iran"))) == ""


def test_irregular_verbs_are_found_without_lemmas() -> None:
    one = document("Iraq/NNP/2/nsubj struck/VBD/0/root Iran/NNP/2/obj and/CC/5/cc fought/VBD/2/conj")
    found = candidate_events(one, candidate_mentions(one), Query("force", ("strike", "fight")))
    assert found == [
        CandidateEvent(0, 1, "strike", "agent", 0, passive=False, negated=False, modal=False),
        CandidateEvent(0, 4, "fight", "agent", 0, passive=False, negated=False, modal=False),
    ]


def test_an_affiliation_says_where_the_country_stands() -> None:
    one = document("Iraq/NNP/3/nmod:poss 's/POS/1/case troops/NNS/4/nsubj left/VBD/0/root Iran/NNP/4/obj")
    assert affiliations(one, candidate_mentions(one), LEXICON) == [
        Affiliation(0, "IRQ", 0), Affiliation(1, "IRQ", 0), Affiliation(2, "IRN", 4)
    ]  # fmt: skip


def test_cyclic_trees_end() -> None:
    one = document("troops/NNS/3/conj that/WDT/3/nsubj attack/VB/4/xcomp attack/VB/3/conj Iraq/NNP/4/obj")
    spans = [Span(0, 0, 1, 0, "nominal"), Span(0, 4, 5, 4, "proper")]
    assert {(found.verb, found.role, found.mention) for found in candidate_events(one, spans, BOTH)} == {
        (3, "patient", 1)
    }


@pytest.mark.parametrize(
    ("rows", "possible"),
    [
        ("Troops/NNS/2/nsubj attacked/VBD/0/root Iraq/NNP/2/obj", True),
        ("Troops/NNS/2/nsubj attacked/VBD/0/root towns/NNS/2/obj", False),
        ("Troops/NNS/2/nsubj left/VBD/0/root Iraq/NNP/2/obj", False),
    ],
)
def test_only_candidates_beside_a_country_can_be_events(rows: str, possible: bool) -> None:
    assert bool(find_evidence(document(rows), [ATTACK], LEXICON).affiliations) == possible


@pytest.mark.parametrize(("column", "lacking"), [("tags", "tags"), ("heads", "tree"), ("relations", "tree")])
def test_a_sentence_without_tags_or_tree_is_refused(column: str, lacking: str) -> None:
    one = document("Iraq/NNP/2/nsubj attacked/VBD/0/root", **{column: ()})
    for find in (lambda: candidate_events(one, [], ATTACK), lambda: affiliations(one, [], LEXICON)):
        with pytest.raises(InputError, match=f"document 'd', sentence 'd-1': found no {lacking}, expected Penn tags"):
            find()


def test_the_newsrooms_attacks_are_found_with_their_countries() -> None:
    """Gold trees and gold entities leave nothing to chance, but for rebels whose name holds that of a capital."""
    lexicon = CountryLexicon(supplement("newsroom"))
    true, found, polarity = set(), set(), {}
    for report in Newsroom(7).reports(0, 200):
        one = report.document
        spans = candidate_mentions(one)
        entities = [entity or span for entity, span in zip(entities_of(spans, one), spans, strict=True)]
        countries = defaultdict(set)
        for label in affiliations(one, spans, lexicon):
            countries[entities[label.mention]].add(label.country)
        for candidate in candidate_events(one, spans, ATTACK):
            described = countries[entities[candidate.mention]]
            if len(described) == 1:
                event = (one.id, candidate.sentence, candidate.verb, *described, candidate.passive)
                found.add(event)
                polarity[event] = "negated" if candidate.negated else "modal" if candidate.modal else "asserted"
        for event in report.events:
            if event.verb == "attack" and event.agent_country:
                key = (one.id, event.sentence, event.verb_index, event.agent_country, event.voice == "passive")
                true.add((key, event.polarity))
    assert len(true) > 80
    assert found == {key for key, _ in true}
    assert set(polarity.items()) == true
