"""ClearNLP's trees become Universal Dependencies: hand-parsed sentences in both schemes."""

import pytest

from nlpcalib.systems.text.document import Sentence
from nlpcalib.systems.text.parsing.clearnlp import RELATIONS, is_clearnlp, to_universal

SM_LABELS = """
ROOT acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj csubjpass dative dep det
dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj predet prep prt
punct quantmod relcl xcomp
"""
"""Labels of en_core_web_sm 3.8.0."""
UNIVERSAL = """
acl acl:relcl advcl advmod amod appos aux aux:pass case cc cc:preconj ccomp compound compound:prt conj cop csubj
csubj:pass dep det det:predet discourse expl iobj mark nmod nmod:poss nmod:unmarked nsubj nsubj:pass nummod obj obl
obl:agent obl:unmarked parataxis punct root xcomp
"""


def universal(text):
    """Convert `word/tag/head/relation …`, heads counted from 1 and 0 for the root; return `relation(head, word)`."""
    rows = [cell.split("/") for cell in text.split()]
    words, tags, heads, relations = zip(*rows, strict=True)
    sentence = to_universal(Sentence("1", words, tags, heads=tuple(map(int, heads)), relations=relations))
    names = ("root", *words)
    return {
        f"{relation}({names[head]}, {word})"
        for word, head, relation in zip(words, sentence.heads, sentence.relations, strict=True)
    }


@pytest.mark.parametrize(
    ("clearnlp", "expected"),
    [
        (
            "Villages/NNS/3/nsubjpass were/VBD/3/auxpass attacked/VBN/0/root by/IN/3/agent American/JJ/6/amod "
            "troops/NNS/4/pobj",
            "nsubj:pass(attacked, Villages) aux:pass(attacked, were) root(root, attacked) case(troops, by) "
            "amod(troops, American) obl:agent(attacked, troops)",
        ),
        (
            "Troops/NNS/5/nsubj of/IN/1/prep the/DT/4/det U.S./NNP/2/pobj attacked/VBD/0/root Iraq/NNP/5/dobj "
            "in/IN/5/prep March/NNP/7/pobj",
            "nsubj(attacked, Troops) case(U.S., of) det(U.S., the) nmod(Troops, U.S.) root(root, attacked) "
            "obj(attacked, Iraq) case(March, in) obl(attacked, March)",
        ),
        (
            "Iraq/NNP/3/poss 's/POS/1/case army/NN/4/nsubj fled/VBD/0/root",
            "nmod:poss(army, Iraq) case(Iraq, 's) nsubj(fled, army) root(root, fled)",
        ),
        (
            "She/PRP/2/nsubj is/VBZ/0/root not/RB/2/neg a/DT/5/det doctor/NN/2/attr in/IN/5/prep Oslo/NNP/6/pobj",
            "nsubj(doctor, She) cop(doctor, is) advmod(doctor, not) det(doctor, a) root(root, doctor) case(Oslo, in) "
            "nmod(doctor, Oslo)",
        ),
        (
            "Rebels/NNS/2/nsubj were/VBD/0/root angry/JJ/2/acomp",
            "nsubj(angry, Rebels) cop(angry, were) root(root, angry)",
        ),
        (
            "They/PRP/2/nsubj were/VBD/0/root in/IN/2/prep Paris/NNP/3/pobj",
            "nsubj(Paris, They) cop(Paris, were) case(Paris, in) root(root, Paris)",
        ),
        (
            "There/EX/2/expl is/VBZ/0/root a/DT/4/det plan/NN/2/attr in/IN/2/prep place/NN/5/pobj",
            "expl(is, There) root(root, is) det(plan, a) nsubj(is, plan) case(place, in) obl(is, place)",
        ),
        ("They/PRP/2/nsubj seem/VBP/0/root angry/JJ/2/acomp", "nsubj(seem, They) root(root, seem) xcomp(seem, angry)"),
        (
            "Iran/NNP/6/nsubj ,/,/1/punct Iraq/NNP/1/conj and/CC/3/cc Syria/NNP/3/conj fought/VBD/0/root",
            "nsubj(fought, Iran) punct(Iran, ,) conj(Iran, Iraq) cc(Syria, and) conj(Iran, Syria) root(root, fought)",
        ),
        (
            "Bombs/NNS/2/nsubj fell/VBD/0/root in/IN/2/prep Oslo/NNP/3/pobj and/CC/3/cc in/IN/3/conj Rome/NNP/6/pobj",
            "nsubj(fell, Bombs) root(root, fell) case(Oslo, in) obl(fell, Oslo) cc(Rome, and) case(Rome, in) "
            "conj(Oslo, Rome)",
        ),
        (
            "He/PRP/2/nsubj came/VBD/0/root out/IN/2/prep of/IN/3/prep hiding/NN/4/pobj",
            "nsubj(came, He) root(root, came) case(hiding, out) case(hiding, of) obl(came, hiding)",
        ),
        (
            "It/PRP/2/nsubj won/VBD/0/root by/IN/2/prep attacking/VBG/3/pcomp Egypt/NNP/4/dobj",
            "nsubj(won, It) root(root, won) mark(attacking, by) advcl(won, attacking) obj(attacking, Egypt)",
        ),
        (
            "men/NNS/0/root who/WP/3/nsubj fled/VBD/1/relcl to/TO/5/aux live/VB/3/xcomp",
            "root(root, men) nsubj(fled, who) acl:relcl(men, fled) mark(live, to) xcomp(fled, live)",
        ),
        (
            "Give/VB/0/root me/PRP/1/dative no/DT/4/neg water/NN/1/dobj today/NN/1/npadvmod",
            "root(root, Give) iobj(Give, me) det(water, no) obj(Give, water) obl:unmarked(Give, today)",
        ),
        (
            "send/VB/0/root it/PRP/1/dobj to/IN/1/dative him/PRP/3/pobj",
            "root(root, send) obj(send, it) case(him, to) obl(send, him)",
        ),
        (
            "the/DT/2/det house/NN/4/nsubj they/PRP/4/nsubj live/VBP/0/root in/IN/4/prep",
            "det(house, the) nsubj(live, house) nsubj(live, they) root(root, live) obl(live, in)",
        ),
        ("In/IN/0/root Oslo/NNP/1/pobj !/./1/punct", "case(Oslo, In) root(root, Oslo) punct(Oslo, !)"),
        (
            "North/NNP/2/nmod Korean/JJ/3/amod missiles/NNS/0/root shot/VBN/3/acl down/RP/4/prt",
            "compound(Korean, North) amod(missiles, Korean) root(root, missiles) acl(missiles, shot) "
            "compound:prt(shot, down)",
        ),
    ],
)
def test_constructions_come_out_as_in_universal_dependencies(clearnlp, expected):
    assert universal(clearnlp) == set(expected.replace(") ", ")\n").split("\n"))


def test_conjoined_copulas_share_a_subject():
    found = universal("He/PRP/2/nsubj is/VBZ/0/root rich/JJ/2/acomp and/CC/2/cc is/VBZ/2/conj old/JJ/5/acomp")
    assert {"nsubj(rich, He)", "root(root, rich)", "cc(old, and)", "conj(rich, old)", "cop(old, is)"} <= found


def test_the_two_label_sets_are_told_apart():
    assert is_clearnlp(SM_LABELS.split())
    assert not is_clearnlp(UNIVERSAL.split())


def test_every_label_of_spacys_english_models_has_a_universal_name():
    known = set(UNIVERSAL.split())
    assert set(SM_LABELS.split()) - known == {*RELATIONS, "ROOT"}
    assert set(RELATIONS.values()) <= known
