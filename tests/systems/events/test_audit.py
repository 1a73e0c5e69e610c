"""The page of an audit names the links that an event depends on."""

import base64
import csv
import datetime
import hashlib
import itertools
import json
import math
import re

import numpy as np
import pytest
from nlpcalib.systems.events.learn.audit_sample import draw_audit, write_audit, write_audit_items

from newsroom.reports import Newsroom
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import read_plan, write_plan
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.answer.resolution import Resolution, resolve
from nlpcalib.systems.coref.model.mentions import Span, candidate_mentions
from nlpcalib.systems.coref.model.posterior import pair_marginals, sample_entities
from nlpcalib.systems.events.learn.audit import audit_record
from nlpcalib.systems.events.read.extraction import Affiliation, CandidateEvent, find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.probability import DocumentEvents, candidate_countries, document_events
from nlpcalib.systems.events.read.query import ATTACK
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
    assert {key: candidate[key] for key in ("lemma", "role", "passive", "negated", "modal", "chain")} == {
        **{"lemma": "attack", "role": "agent", "passive": False, "negated": False, "modal": True, "chain": 2}
    }
    [evidence] = event["evidence"]
    assert words_of(record, evidence) == LINK[1]
    assert record["mentions"][evidence]["marginals"] == [probability]


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
        for number, candidate in enumerate(record["candidates"]):
            sentence = record["sentences"][candidate["sentence"]]
            assert sentence["words"][candidate["verb"]].startswith("attack")
            assert record["mentions"][candidate["mention"]]["marginals"][number] == 1
    assert records > 5


def plain(document, probabilities):
    """A record with nothing to read."""
    return {
        **{"document": document, "date": "1999-05-01", "query": "attack", "roles": ["agent"], "sentences": []},
        **{"mentions": [], "candidates": []},
        "events": [
            {"country": country, "probability": probability, "map_event": False, "evidence": [], "choices": []}
            for country, probability in probabilities.items()
        ],
    }


def data_of(text):
    elements = re.findall(r"<script([^>]*)>(.*?)</script>", text, re.DOTALL)
    return [json.loads(content) for attributes, content in elements if "application/json" in attributes]


def made(path, records, limit=200, seed=0, **words):
    """Write the page of some records; return what was drawn."""
    audit = draw_audit(iter(records), limit, seed)
    write_audit(path, iter(records), audit, **words)
    return audit


def test_a_sample_is_drawn_whatever_the_order_of_records(tmp_path):
    records = [
        plain("a", {"FRA": 0.9, "IRQ": 0.45}),
        plain("b", {"USA": 0.55, "IRN": 0.0}),
        plain("c", {"USA": 0.3}),
        plain("d", {"USA": 0.71}),
    ]
    pages = set()
    for order in itertools.permutations(records):
        audit = made(tmp_path / "page.html", order, limit=3, title="attack", description="news")
        pages.add((tmp_path / "page.html").read_bytes())
    [page] = pages
    about, *shown = data_of(page.decode())
    assert (about["description"], about["total"]) == ("news", 6)
    drawn = {f"item {audit.ids[row]}" for row in audit.rows}
    assert len(drawn) == 3 == len(about["items"])
    assert set(about["items"]) == drawn
    there = {f"item {each['document']} {event['country']}" for each in shown for event in each["events"]}
    listed = set(itertools.chain.from_iterable(about["lists"].values()))
    assert there == drawn | listed
    assert not drawn & listed


def test_each_event_is_drawn_as_often_as_the_plan_has_it():
    """Events of probability 0 too: 400 draws of 5 of 12 events."""
    records = [plain(f"d{number:02}", {"USA": number % 4 / 4}) for number in range(12)]
    drawn = np.zeros(12)
    for seed in range(400):
        audit = draw_audit(records, 5, seed)
        drawn[audit.rows] += 1
    stratum = Frame(audit.ids, audit.q).strata("stratified")
    inclusion = (np.array(audit.plan.read[-1]) / np.maximum(audit.plan.units, 1))[stratum]
    assert inclusion.min() > 0
    assert drawn / 400 == pytest.approx(inclusion, abs=5 * np.sqrt(0.25 / 400))


def test_both_records_of_a_document_are_in_the_page(tmp_path):
    path = tmp_path / "page.html"
    made(path, [plain("a", {"USA": 0.5}), plain("a", {"IRQ": 0.4})], title="attack")
    records = re.findall(r'<script type="application/json" class="data">(.*?)</script>', path.read_text(), re.DOTALL)[
        1:
    ]
    shown = [(json.loads(each)["document"], json.loads(each)["events"][0]["country"]) for each in records]
    assert shown == [("a", "IRQ"), ("a", "USA")]


def test_a_document_that_comes_twice_and_records_that_break_leave_the_page_as_it_was(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("before")
    with pytest.raises(InputError, match="found IRQ in document 'a' twice"):
        made(path, [plain("a", {"IRQ": 0.5}), plain("a", {"IRQ": 0.4})], title="attack")

    def broken():
        yield plain("a", {"IRQ": 0.5})
        raise OSError("a broken disk")

    with pytest.raises(OSError, match="a broken disk"):
        write_audit(path, broken(), draw_audit([plain("a", {"IRQ": 0.5})]), title="attack")
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


def test_text_stays_text_and_the_policy_allows_nothing_from_elsewhere(tmp_path):
    path = tmp_path / "page.html"
    record = hostile()
    made(path, [record], title="a <title>", description=HOSTILE)
    page = path.read_text("utf-8")
    about, shown = data_of(page)
    assert (about["description"], about["items"], shown) == (HOSTILE, [f"item {HOSTILE} IRQ"], record)
    assert "a <title>" not in page
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    inside = [re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1] for tag in ("style", "script")]
    style, script = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inside)
    assert policy == f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    for text in (page.split("</head>")[0], inside[1]):
        assert not re.search(r"https?:|@import|url\(|\bsrc=|innerHTML", text)


@pytest.fixture
def opened(browser, tmp_path):
    path = tmp_path / "page ☂.html"
    later = audit_record(hussein_events({LINK: 0.5, OTHER_PRESIDENT: 0.2, PRESIDENTS: 0.25}, name="later"), ATTACK)
    records = [audit_record(hussein_events({LINK: 0.52}), ATTACK), later | {"date": "1991-02-01"}, hostile()]
    browser.audit = made(path, records, title="a <title> & 'quotes'", description="Hussein")
    browser.opened_anew(path)
    browser.annotate_as("Ana y")
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title == "a <title> & 'quotes'"


def texts(browser, selector):
    return [each.get_property("textContent") for each in browser.find_elements("css selector", selector)]


def press(browser, keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(keys).perform()


def listed(browser):
    return list(zip(texts(browser, ".event .id"), texts(browser, ".event .code"), strict=True))


FIRST = ("late 1990", "Iraq1990-11-02")


def read_first(browser):
    """Go to the event of `FIRST`, answer, and show the model's reasons."""
    browser.find_elements("css selector", ".event")[listed(browser).index(FIRST)].click()
    press(browser, "ys")


def test_nothing_of_the_model_is_shown_before_the_answer(opened):
    for _ in listed(opened):
        assert "%" not in opened.find_element("tag name", "body").text
        assert texts(opened, ".mention, .verb, .hinge, .hinges, .candidate-row, #key, [data-countries]") == []
        press(opened, "s")  # without an answer nothing is shown
        press(opened, "j")
    assert "".join(texts(opened, ".event .number")) == ""
    assert texts(opened, ".sentence .place") == ["1", "2", "3", "4", "5", "6"]


def test_the_page_names_what_the_event_depends_on_after_the_answer(opened):
    read_first(opened)
    assert texts(opened, "#claim h2") == ["P(attack by Iraq) = 52 %"]
    assert texts(opened, ".hinges") == [
        "The event depends on Mr. Hussein (sentence 6) → President Saddam Hussein of Iraq (sentence 1), "
        "which is 52 % probable: if so 100 %, if not 0 %."
    ]
    assert [text.strip() for text in texts(opened, ".mention.hinge")] == list(reversed(LINK))
    assert [text.strip() for text in texts(opened, ".mention.candidate")] == ["Mr. Hussein"]
    assert texts(opened, ".verb") == ["attack"]
    assert "modal" in texts(opened, ".candidate-row")[0]
    assert opened.execute_script(
        "return [...document.querySelectorAll('[data-countries]')]"
        ".map((word) => [word.textContent, word.dataset.countries])"
    )[0] == ["Iraq", "IRQ"]
    # What it depends on is in sight, not below the edge.
    assert opened.execute_script(
        "return document.querySelector('.candidate').getBoundingClientRect().bottom <= innerHeight"
    )


def test_an_answer_stays_once_the_reasons_were_shown_and_the_browser_keeps_it(opened):
    read_first(opened)
    press(opened, "n")
    assert [given for given in texts(opened, ".event .given") if given] == ["yes"]
    opened.kept()
    opened.refresh()
    opened.until(lambda: [given for given in texts(opened, ".event .given") if given] == ["yes"])
    assert [number for number in texts(opened, ".event .number") if number] == ["52 %"]
    opened.find_elements("css selector", ".event")[listed(opened).index(FIRST)].click()
    assert not opened.find_element("css selector", "[data-verdict=no]").is_enabled()


def test_pointing_and_focus_show_the_chain_and_the_marginal(opened):
    from selenium.webdriver import ActionChains, Keys

    read_first(opened)
    first = opened.find_element("css selector", ".mention.hinge")
    ActionChains(opened).move_to_element(first).perform()
    assert texts(opened, "#mention p")[:2] == ["Shares an entity with Mr. Hussein: 52 %", "Described with Iraq"]
    assert [text.strip() for text in texts(opened, ".asked .member")] == list(reversed(LINK))
    ActionChains(opened).move_to_element(opened.find_element("css selector", "h1")).perform()
    assert texts(opened, ".asked .member") == []
    opened.execute_script("document.querySelector('.mention.candidate').focus()")
    assert texts(opened, "#mention p")[0] == "Shares an entity with Mr. Hussein: 100 %"
    press(opened, Keys.ENTER)
    ActionChains(opened).move_to_element(first).perform()
    assert texts(opened, "#mention p")[0] == "Shares an entity with Mr. Hussein: 100 %"
    press(opened, Keys.ESCAPE)
    assert texts(opened, ".asked .member") == []


def test_events_can_be_filtered_and_gone_through(opened):
    from selenium.webdriver import Keys

    assert texts(opened, "#country option") == ["all", "Iraq", "United States"]
    assert texts(opened, "#count") == ["1 of 4"]
    opened.find_element("css selector", "#country option[value='USA']").click()
    assert listed(opened) == [("later", "United States1991-02-01")]
    assert texts(opened, "#count") == ["1 of 1"]
    opened.find_element("css selector", "#country option[value='']").click()
    opened.find_element("css selector", ".event").click()
    for key, place in (("j", 2), (Keys.ARROW_RIGHT, 3), ("k", 2), (Keys.ARROW_LEFT, 1), ("k", 1)):
        press(opened, key)
        assert texts(opened, "#count") == [f"{place} of 4"]


def test_two_more_lists_are_to_look_at_and_never_to_annotate(browser, tmp_path):
    probabilities = {f"d{number}": {"USA": number / 100} for number in range(100)}
    records = [plain(document, each) for document, each in probabilities.items()]
    for record in records:
        record["sentences"] = [{"speaker": None, "words": ["They", "attacked"], "space_after": [True, False]}]
        record["mentions"] = [{"sentence": 0, "start": 0, "end": 1, "entity": 0, "countries": [], "marginals": [1]}]
        flags = {"passive": False, "negated": False, "modal": False}
        place = {"sentence": 0, "verb": 1, "lemma": "attack", "role": "agent", "mention": 0, "chain": 1}
        record["candidates"] = [place | flags | {"countries": {"USA": record["events"][0]["probability"]}}]
    path = tmp_path / "page.html"
    audit = made(path, records, limit=20, title="attack")
    drawn = {audit.items[row][0] for row in audit.rows}
    browser.opened_anew(path)
    browser.annotate_as("Ana y")
    assert {name for name, _ in listed(browser)} == drawn
    rest = sorted(probabilities.keys() - drawn, key=lambda name: -probabilities[name]["USA"])
    for place, expected in ((1, rest), (2, sorted(rest, key=lambda name: abs(probabilities[name]["USA"] - 0.5)))):
        browser.find_elements("css selector", "#list option")[place].click()
        shown = [name for name, _ in listed(browser)]
        assert len(shown) == 25
        doubts = [round(abs(probabilities[name]["USA"] - 0.5), 9) for name in shown]
        assert shown == expected[:25] if place == 1 else doubts == sorted(doubts)
        assert all(number.endswith("%") for number in texts(browser, ".event .number"))
        assert not browser.find_element("id", "verdict").is_displayed()
    press(browser, "y")
    assert "".join(texts(browser, ".event .given")) == ""


def test_an_event_in_the_list_has_the_words_near_its_verb(opened):
    assert all("attack" in snippet for snippet in texts(opened, ".event .snippet"))


def test_hostile_text_is_shown_as_text(opened):
    opened.find_elements("css selector", ".event")[texts(opened, ".event .id").index(HOSTILE)].click()
    for keys in ("", "ys"):
        press(opened, keys)
        assert texts(opened, "#claim bdi") == [HOSTILE]
        assert texts(opened, ".speaker") == ["<b>Jo</b>"]
        assert "<!--" in texts(opened, ".word")
        assert texts(opened, "main img, main b:not(.hinges b), main script") == []


def test_answers_are_saved_as_a_table_that_the_estimate_reads(opened, tmp_path):
    assert not opened.find_element("id", "save").is_enabled()
    press(opened, "nyyjyjcjn")
    path = opened.saved("labels_Ana_y.csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == ["", "yes", "cannot tell", "no"]
    write_audit_items(tmp_path / "items.parquet", opened.audit)
    write_plan(tmp_path / "plan.json", opened.audit.plan)
    assert read_plan(tmp_path / "plan.json") == opened.audit.plan
    press(opened, "")
    opened.find_element("css selector", ".event").click()
    press(opened, "n")
    path = opened.saved("labels_Ana_y.csv")
    files = [str(tmp_path / "items.parquet"), str(path), "--plan", str(tmp_path / "plan.json")]
    assert main(["estimate", *files, "--by", "country", "--out", str(tmp_path / "out")]) == 0
    found = json.loads((tmp_path / "out" / "estimates.json").read_text())["estimates"]
    assert [(each["group"], each["items"], each["read"]) for each in found] == [
        ("", 4, 4), ("IRQ", 3, 3), ("USA", 1, 1)
    ]  # fmt: skip
    assert (found[0]["low"], found[0]["high"]) == (1, 2)  # one answer is open


def test_a_page_without_events_says_so(browser, tmp_path):
    audit = made(tmp_path / "page.html", [], title="attack")
    write_audit_items(tmp_path / "items.parquet", audit)
    write_plan(tmp_path / "plan.json", audit.plan)
    browser.get((tmp_path / "page.html").as_uri())
    assert texts(browser, "#count") == ["No events"]
    files = [str(tmp_path / "items.parquet"), "labels.csv", "--plan", str(tmp_path / "plan.json")]
    assert main(["estimate", *files]) == 2
