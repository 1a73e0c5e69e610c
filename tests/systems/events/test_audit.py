"""The page of an audit names the links that an event depends on."""

import datetime
import html
import itertools
import json
import math
import re

import numpy as np
import pytest
from tests.systems.events.queries import ATTACK

from newsroom.reports import Newsroom
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.resolution import Resolution, resolve
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from nlpcalib.systems.events.learn.audit import audit_record, write_audit
from nlpcalib.systems.events.read.extraction import Affiliation, CandidateEvent, find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.probability import DocumentEvents, candidate_countries, document_events
from nlpcalib.systems.text.document import Document, Sentence

LEXICON = CountryLexicon(supplement("countries", "names", "other_senses"))

# The situation of section 6.2, in words of our own.
HUSSEIN = (
    "President/NNP/2/nmod:desc Saddam/NNP/6/nsubj Hussein/NNP/2/flat of/IN/5/case Iraq/NNP/2/nmod received/VBD/0/root "
    "envoys/NNS/6/obj from/IN/9/case Egypt/NNP/7/nmod on/IN/11/case Friday/NNP/6/obl ././6/punct",
    "President/NNP/2/nmod:desc Bush/NNP/7/nsubj of/IN/6/case the/DT/5/det United/NNP/2/nmod States/NNPS/5/flat "
    "spoke/VBD/0/root with/IN/10/case the/DT/10/det king/NN/7/obl of/IN/12/case Jordan/NNP/10/nmod ././7/punct",
    "The/DT/2/det talks/NNS/3/nsubj lasted/VBD/0/root two/CD/5/nummod days/NNS/3/obl ././3/punct",
    "It/PRP/2/nsubj rained/VBD/0/root ././2/punct",
    "Nobody/NN/2/nsubj smiled/VBD/0/root ././2/punct",
    "In/IN/2/case Cairo/NNP/5/obl several/JJ/4/amod ministers/NNS/5/nsubj worried/VBD/0/root that/IN/10/mark "
    "Mr./NNP/8/nmod:desc Hussein/NNP/10/nsubj might/MD/10/aux attack/VB/5/ccomp Saudi/NNP/10/obj Arabia/NNP/11/flat "
    "within/IN/14/case weeks/NNS/10/obl ././5/punct",
)


def hussein(name="late 1990"):
    """The document, its rows word/tag/head/relation."""
    sentences = []
    for number, row in enumerate(HUSSEIN):
        words, tags, heads, relations = zip(*(cell.rsplit("/", 3) for cell in row.split()), strict=True)
        sentences.append(Sentence(str(number), words, tags, heads=tuple(map(int, heads)), relations=relations))
    return Document(name, tuple(sentences), date=datetime.date(1990, 11, 2))


def evidence(resolution, lexicon=LEXICON):
    return find_evidence(resolution.document, [ATTACK], lexicon, resolution.mentions)


def hussein_events(links, samples=1000, name="late 1990"):
    """What the document says if antecedents are these: (mention, antecedent) by their words, and how probable it is."""
    document = hussein(name)
    spans = tuple(candidate_mentions(document))
    texts = [span.text(document) for span in spans]
    conditionals = np.zeros((len(spans), len(spans)))
    for (mention, antecedent), probability in links.items():
        conditionals[texts.index(mention), texts.index(antecedent)] = probability
    best = np.arange(len(spans))
    best[texts.index("Mr. Hussein")] = texts.index("President Saddam Hussein of Iraq")
    _, best = np.unique(best, return_inverse=True)
    resolution = Resolution(document, spans, conditionals, pair_marginals(conditionals), best, threshold=0.5)
    return document_events(resolution, ATTACK, evidence(resolution), samples=samples)


LINK = ("Mr. Hussein", "President Saddam Hussein of Iraq")
OTHER_PRESIDENT = ("Mr. Hussein", "President Bush of the United States")
PRESIDENTS = ("President Bush of the United States", "President Saddam Hussein of Iraq")


def words_of(record, place):
    mention = record["mentions"][place]
    return " ".join(record["sentences"][mention["sentence"]]["words"][mention["start"] : mention["end"]])


def by_country(record):
    return {event["country"]: event for event in record["events"]}


def enumerated(events, country, fixed=None):
    """The probability of an event by enumeration of all antecedents, or given that (mention, antecedent) is `fixed`."""
    conditionals = events.resolution.conditionals
    agents = {candidate.mention for candidate in events.found}
    total = 0.0
    rows = [
        [(mention, 1 - math.fsum(row))] + [(place, row[place]) for place in range(mention)]
        for mention, row in enumerate(conditionals)
    ]
    if fixed:
        rows[fixed[0]] = [(fixed[1], 1.0)]
    for choice in itertools.product(*([pair for pair in row if pair[1] > 0] for row in rows)):
        roots: list[int] = []
        for mention, (antecedent, _) in enumerate(choice):
            roots.append(mention if antecedent == mention else roots[antecedent])
        codes: dict[int, set[str]] = {}
        for label in events.described:
            codes.setdefault(roots[label.mention], set()).add(label.country)
        if any(codes.get(roots[agent]) == {country} for agent in agents):
            total += math.prod(weight for _, weight in choice)
    return total


@pytest.mark.parametrize("probability", [0.52, 0.5, 0.031])
def test_hussein_attacks_exactly_as_probably_as_the_link_holds(probability):
    events = hussein_events({LINK: probability})
    assert enumerated(events, "IRQ") == pytest.approx(probability, abs=1e-12)
    record = audit_record(events, ATTACK)
    [event] = record["events"]
    assert (event["country"], event["map_event"]) == ("IRQ", True)
    assert event["probability"] == pytest.approx(probability, abs=1e-3)
    [choice] = event["choices"]
    assert (words_of(record, choice["mention"]), words_of(record, choice["link"]["antecedent"])) == LINK
    assert choice["share"] == 1
    assert {key: choice["link"][key] for key in ("others", "probability", "if_so", "if_not")} == {
        **{"others": False, "probability": probability, "if_so": 1, "if_not": 0}
    }
    [candidate] = record["candidates"]
    assert record["sentences"][candidate["sentence"]]["words"][candidate["verb"]] == "attack"


def test_another_president_in_the_entity_takes_iraq_from_it():
    """As the paper tells: some of the Hussein mentions are clustered with presidents of other countries."""
    events = hussein_events({LINK: 0.5, OTHER_PRESIDENT: 0.2, PRESIDENTS: 0.25}, samples=4000)
    record = audit_record(events, ATTACK)
    found = by_country(record)
    for country, exact in (("IRQ", 0.5 * 0.75), ("USA", 0.2 * 0.75)):
        assert enumerated(events, country) == pytest.approx(exact, abs=1e-12)
        assert found[country]["probability"] == pytest.approx(exact, abs=0.02)
    told = {words_of(record, choice["mention"]): choice for choice in found["IRQ"]["choices"]}
    assert list(told) == ["Mr. Hussein", "President Bush of the United States"]
    presidents = told["President Bush of the United States"]["link"]
    assert words_of(record, presidents["antecedent"]) == LINK[1]
    assert (presidents["if_so"], presidents["if_not"]) == (0, pytest.approx(0.5, abs=1e-3))
    assert told["Mr. Hussein"]["link"]["if_so"] == pytest.approx(0.75, abs=1e-3)
    options = {option["antecedent"]: option for option in told["Mr. Hussein"]["options"]}
    assert options["new"] == {"antecedent": "new", "probability": 0.3, "event": 0.0}


def test_the_packaged_model_is_in_doubt_about_the_same_link():
    [resolution] = resolve([hussein()])
    record = audit_record(document_events(resolution, ATTACK, evidence(resolution)), ATTACK)
    event = by_country(record)["IRQ"]
    assert 0.05 < event["probability"] < 0.95
    choice = event["choices"][0]
    assert (words_of(record, choice["mention"]), words_of(record, choice["link"]["antecedent"])) == LINK
    assert choice["share"] > 0.5
    assert choice["link"]["if_so"] > 0.5 > 0.05 > choice["link"]["if_not"]


def random_events(seed, size=7, samples=20_000):
    """Events of mentions whose antecedents are anything, each a sentence of its own."""
    rng = generator(seed, "audit")
    conditionals = np.zeros((size, size))
    for i in range(1, size):
        conditionals[i, :i] = rng.dirichlet(np.full(i + 1, 0.6))[:i]
    document = Document("random", tuple(Sentence(str(i), ("it",), ("PRP",)) for i in range(size)))
    spans = tuple(Span(i, 0, 1, 0, "pronoun") for i in range(size))
    resolution = Resolution(document, spans, conditionals, pair_marginals(conditionals), np.arange(size), 0.5)
    agents = sorted(rng.choice(size, 2, replace=False).tolist())
    found = [CandidateEvent(i, 0, "attack", "agent", i, passive=False, negated=False, modal=False) for i in agents]
    described = [Affiliation(i, ("IRQ", "USA")[i % 2], 0) for i in sorted(rng.choice(size, 3, replace=False).tolist())]
    entities = resolution.samples(samples)
    countries, present = candidate_countries(found, described, entities)
    _, best = candidate_countries(found, described, resolution.entities[:, None])
    return DocumentEvents(resolution, found, described, tuple(countries), present, best[..., 0], entities[agents])


@pytest.mark.parametrize("seed", range(6))
def test_options_and_shares_agree_with_enumeration(seed):
    """For every choice that is told, and for every one that is not: what the event depends on is not left out."""
    events = random_events(seed)
    record = audit_record(events, ATTACK)
    conditionals = events.resolution.conditionals
    for event in record["events"]:
        whole = enumerated(events, event["country"])
        variance = whole * (1 - whole)
        assert event["probability"] == pytest.approx(whole, abs=0.02)
        told = {record["mentions"][choice["mention"]]["sentence"]: choice for choice in event["choices"]}
        shares = []
        for mention, row in enumerate(conditionals):
            antecedents = [*range(mention), mention]
            weights = [*row[:mention], 1 - row[:mention].sum()]
            given = [enumerated(events, event["country"], (mention, each)) for each in antecedents]
            share = sum(w * (g - whole) ** 2 for w, g in zip(weights, given, strict=True)) / variance if variance else 0
            shares.append(share)
            if mention not in told:
                continue
            choice = told[mention]
            assert choice["share"] == pytest.approx(share, abs=0.04)
            link = choice["link"]
            mean = link["probability"] * link["if_so"] + (1 - link["probability"]) * link["if_not"]
            assert mean == pytest.approx(whole, abs=0.02)
            for option in choice["options"]:
                if option["antecedent"] != "others":
                    place = mention if option["antecedent"] == "new" else option["antecedent"]
                    assert option["probability"] == pytest.approx(weights[place], abs=0.011)
                    assert option["event"] == pytest.approx(given[place], abs=0.02)
        left = [share for mention, share in enumerate(shares) if mention not in told]
        least = min((choice["share"] for choice in told.values()), default=0) if len(told) == 4 else 0.01
        assert max(left) < least + 0.04


def test_with_one_antecedent_set_all_others_are_those_of_the_samples():
    for seed in range(4):
        events = random_events(seed, samples=50)
        record = audit_record(events, ATTACK, seed=3)
        conditionals = events.resolution.conditionals
        for column, event in enumerate(record["events"]):
            for choice in event["choices"]:
                for option in choice["options"]:
                    if option["antecedent"] == "others":
                        continue
                    given = conditionals.copy()
                    given[choice["mention"]] = 0
                    if option["antecedent"] != "new":
                        given[choice["mention"], option["antecedent"]] = 1
                    entities = sample_entities(given, 50, generator(3, "entity samples", "random"))
                    _, present = candidate_countries(events.found, events.described, entities)
                    assert option["event"] == present[:, column].any(axis=0).mean()


def test_the_whole_document_is_there_for_a_reader():
    """What the model found in it decides on no sentence: the reader judges what it missed too."""
    record = audit_record(hussein_events({LINK: 0.52}), ATTACK)
    assert len(record["sentences"]) == len(HUSSEIN)
    assert json.loads(json.dumps(record)) == record


def test_records_of_the_newsroom_hang_together():
    lexicon = CountryLexicon(supplement("newsroom", "names", "other_senses"))
    records = 0
    for resolution in resolve(report.document for report in Newsroom(1).reports(0, 40)):
        events = document_events(resolution, ATTACK, evidence(resolution, lexicon))
        if events is None:
            continue
        records += 1
        record = audit_record(events, ATTACK)
        assert record == audit_record(events, ATTACK)
        for event in record["events"]:
            shares = [choice["share"] for choice in event["choices"]]
            assert shares == sorted(shares, reverse=True)
            assert all(0.01 <= share <= 1 for share in shares)
            for choice in event["choices"]:
                assert sum(option["probability"] for option in choice["options"]) == pytest.approx(1, abs=1e-4)
                assert 0 < choice["link"]["probability"] < 1
                assert choice["link"]["if_so"] != choice["link"]["if_not"]
        for candidate in record["candidates"]:
            sentence = record["sentences"][candidate["sentence"]]
            assert sentence["words"][candidate["verb"]].startswith("attack")
    assert records > 5


def plain(document, probabilities):
    """A record with nothing to read."""
    return {
        **{"document": document, "date": "1999-05-01", "query": "attack", "roles": ["agent"], "sentences": []},
        **{"mentions": [], "candidates": []},
        "events": [
            {"country": country, "probability": probability, "map_event": False, "choices": []}
            for country, probability in probabilities.items()
        ],
    }


def made(path, records, title="attack"):
    """Write the page of some records."""
    write_audit(path, iter(records), ATTACK, title)


def headings(path):
    """The event and the line below it, of each event of a page, in order."""
    return re.findall(r'<h2>(.*?)</h2>\n<p class="hint">(.*?)\. The best', path.read_text("utf-8"))


def test_the_page_lists_the_least_certain_events_whatever_the_order_of_records(tmp_path):
    rng, path = np.random.default_rng(2), tmp_path / "page.html"
    q = {f"d{number:03}": round(float(p), 3) for number, p in enumerate(rng.random(200))}
    records = [plain(name, {"USA": p, "IRN": 0.0}) for name, p in q.items()]
    pages = set()
    for _ in range(3):
        rng.shuffle(records)
        made(path, records)
        pages.add(path.read_bytes())
    assert len(pages) == 1
    assert "Countries that are the agent of: attack. The 100 least certain events" in path.read_text("utf-8")
    doubts = [abs(q[hint.split(",")[0]] - 0.5) for event, hint in headings(path) if "United States" in event]
    assert doubts == pytest.approx(sorted(abs(p - 0.5) for p in q.values())[:100])


def test_both_records_of_a_document_are_in_the_page(tmp_path):
    path = tmp_path / "page.html"
    made(path, [plain("a", {"USA": 0.5}), plain("a", {"IRQ": 0.4})])
    assert headings(path) == [
        ("P(attack by United States) = 50 %", "a, 1999-05-01"),
        ("P(attack by Iraq) = 40 %", "a, 1999-05-01"),
    ]


def test_records_that_break_leave_the_page_as_it_was(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("before")
    found = [plain("a", {"IRQ": 0.5})]

    def broken():
        yield from found
        raise OSError("a broken disk")

    with pytest.raises(OSError, match="a broken disk"):
        write_audit(path, broken(), ATTACK, "attack")
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


HOSTILE = "</script><script>document.title='hacked'</script>"


def hostile():
    """The record of Hussein, in which every text that is not ours would be more than text."""
    record = audit_record(hussein_events({LINK: 0.48}, name=HOSTILE), ATTACK)
    record["sentences"][0]["words"][6] = "<img src=x onerror=\"document.title='hacked'\">"
    record["sentences"][0]["speaker"] = "<b>Jo</b>"
    record["sentences"][1]["words"][9] = "<!--"
    record["sentences"][1]["words"][6] = "\u202e&amp;"
    return record


def test_text_stays_text_and_the_policy_allows_nothing_but_the_style(tmp_path):
    path = tmp_path / "page.html"
    made(path, [hostile()], title="a <title>")
    page = path.read_text("utf-8")
    for text in (HOSTILE, "<img", "<b>Jo</b>", "<!--", "a <title>", "<script", 'src="', "http:", "https:"):
        assert text not in page
    assert html.unescape(page).count(HOSTILE) == 1
    assert "default-src 'none'; style-src 'unsafe-inline'" in page


def test_the_page_names_what_the_event_depends_on(tmp_path):
    path = tmp_path / "page.html"
    later = audit_record(hussein_events({LINK: 0.5, OTHER_PRESIDENT: 0.2, PRESIDENTS: 0.25}, name="later"), ATTACK)
    made(path, [audit_record(hussein_events({LINK: 0.52}), ATTACK), later | {"date": "1991-02-01"}])
    first, second, third = path.read_text("utf-8").split("<article>")[1:]
    assert "<h2>P(attack by Iraq) = 52 %</h2>" in first
    assert (
        "The event depends on <i>Mr. Hussein</i> (sentence 6) → <i>President Saddam Hussein of Iraq</i> (sentence 1), "
        "which is 52 % probable: if so 100 %, if not 0 %."
    ) in first
    assert re.findall(r"<b>(.*?)</b>", first) == ["attack "]
    marked = "".join(re.findall(r"<mark>(.*?)</mark>", first))
    assert marked == "President Saddam Hussein of Iraq Mr. Hussein "
    assert len(re.findall("<li>", first)) == len(HUSSEIN)
    assert "P(attack by Iraq)" in second
    assert "<td>a new entity</td>" in second
    assert "later, 1991-02-01" in third
    assert "P(attack by United States)" in third


def test_a_page_without_events_says_so(tmp_path):
    made(tmp_path / "page.html", [])
    assert "No events" in (tmp_path / "page.html").read_text("utf-8")
