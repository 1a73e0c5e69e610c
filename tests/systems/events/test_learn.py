"""Labels teach a model of events: known weights are found again, probabilities are right, and no word is built in."""

import ast
import csv
import datetime
import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, sparse
from scipy.special import expit, log_expit
from scipy.stats import beta, binomtest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.estimation.poisson_binomial import PoissonBinomial
from nlpcalib.systems.events.learn import candidates as module
from nlpcalib.systems.events.learn.candidates import Candidate, country_candidates, forms_of
from nlpcalib.systems.events.learn.files import PACKAGED_EVENT_MODELS, read_model, write_model
from nlpcalib.systems.events.learn.logistic import fit_l2
from nlpcalib.systems.events.learn.model import EventModel, _design_effect, learn
from nlpcalib.systems.events.learn.reading import learnt_events
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.text.dated import DatedText

LEXICON = load_lexicon(["packaged"])
QUAKE = EventModel("earthquake", "Where the earth shook.", ("quake", "earthquake"))
SHAKEN = ["JPN", "PER", "ITA", "TUR", "IRN", "MEX", "NPL", "CHL"]
NAMES = {"JPN": "Japan", "PER": "Peru", "ITA": "Italy", "TUR": "Turkey", "IRN": "Iran", "MEX": "Mexico", "NPL": "Nepal",
         "CHL": "Chile"}  # fmt: skip


def text(body: str, name: str = "d") -> DatedText:
    return DatedText(name, datetime.date(2014, 5, 1), body, {})


def features(body: str, words=("attack", "shelling")) -> dict[str, set[str]]:
    return {one.country: set(one.features) for one in country_candidates(text(body), LEXICON, forms_of(words))}


def simulated(n: int, seed: int = 0) -> tuple[list[Candidate], np.ndarray, np.ndarray]:
    """Return candidates of n items, two of each, with events drawn by known log odds."""
    rng = np.random.default_rng(seed)
    found, y = [], []
    for item in range(n):
        for country in "AB":
            has = rng.random(6) < 0.4
            odds = -1.5 + 2 * has[0] + 1.5 * has[1] - 2 * has[2]
            found.append(Candidate(f"d{item}", country, tuple(f"f{k}" for k in np.flatnonzero(has))))
            y.append(rng.random() < expit(odds))
    return found, np.array(y, dtype=float), np.repeat(np.arange(n), 2)


def earthquakes(n: int) -> list[dict[str, str]]:
    """Return n items that name two countries; in three of four the earth shakes in the first."""
    items = []
    for number in range(n):
        first, second = (NAMES[SHAKEN[(number + step) % len(SHAKEN)]] for step in (0, 3))
        body = (
            f"An earthquake strikes northern {first}, and {second} sends its help number {number}."
            if number % 4
            else f"The president of {first} visits {second} for talk number {number}."
        )
        items.append({"id": f"d{number}", "date": f"20{number % 20:02d}-05-01", "text": body})
    return items


def test_features_hold_for_any_country() -> None:
    of_israel = features("Israeli troops attacked Syria on Monday.")
    of_russia = features("Russian troops attacked Ukraine on Monday.")
    assert {each for each in of_israel["ISR"] if "name" not in each} == {
        each for each in of_russia["RUS"] if "name" not in each
    }
    assert "right attack" in of_israel["ISR"]
    assert "left attack" in of_israel["SYR"]
    assert not [each for each in of_israel["ISR"] if "israel" in each or "syria" in each]


def test_a_passive_and_its_agent_are_features() -> None:
    found = features("Syria was attacked by Israel.")
    assert "right voice be by 0" in found["SYR"]
    assert "left attack name by" in found["ISR"]


def test_the_fit_is_that_of_a_general_optimiser() -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((60, 4)) < 0.5).astype(float)
    y, offset = (rng.random(60) < 0.4).astype(float), rng.normal(size=60)

    def loss(weights: np.ndarray) -> float:
        score = offset + dense @ weights[:-1] + weights[-1]
        return -(y * log_expit(score) + (1 - y) * log_expit(-score)).sum() + weights[:-1] @ weights[:-1] / 0.6

    expected = optimize.minimize(loss, np.zeros(5), method="Nelder-Mead", options={"maxiter": 20_000, "fatol": 1e-12}).x
    np.testing.assert_allclose(fit_l2(sparse.csr_array(dense), y, 0.3, offset), expected, atol=1e-2)


def test_cross_fitted_probabilities_are_calibrated_and_near_the_true_ones() -> None:
    found, y, unit = simulated(1500)
    model, crossed = learn(QUAKE, found, y, unit)
    assert abs(crossed.sum() / y.sum() - 1) < 0.03
    assert nc.calibrate(crossed, y).error < 0.03
    assert abs(model.weights["f0"] - 2) < 0.3
    assert abs(model.weights["f3"]) < 0.2


def test_few_labels_of_rare_events_and_many_features_give_sums_that_hold() -> None:
    rng = np.random.default_rng(4)
    weights = rng.normal(scale=0.6, size=300)
    learnt, crossed_sums, fitted = [], [], []
    for _ in range(12):
        has = rng.random((1200, 300)) < 0.1
        p = expit(-4 + (has - 0.1) @ weights)
        y = (rng.random(1200) < p).astype(float)
        few = np.arange(1200) < 200
        found = [Candidate(f"d{n}", "A", tuple(f"f{k}" for k in np.flatnonzero(row))) for n, row in enumerate(has)]
        model, crossed = learn(QUAKE, found[:200], y[few], np.arange(200))
        truth = p[~few].sum() * y[few].mean() / p[few].mean()  # a sample with more events than others is no bias
        learnt.append(model.probabilities(found[200:]).sum() / truth)
        crossed_sums.append(crossed.sum() / y[few].sum())
        slopes = fit_l2(sparse.csr_array(has[few].astype(float)), y[few], 1.0)
        fitted.append(expit(has[~few] @ slopes[:-1] + slopes[-1]).sum() / truth)
    assert np.mean(learnt) == pytest.approx(1, abs=0.1)
    assert np.mean(crossed_sums) == pytest.approx(1, abs=0.06)
    assert np.mean(fitted) < 0.8  # the intercept of a fit is why sums were too low


def test_no_label_of_an_item_is_in_its_own_probability() -> None:
    found, y, unit = simulated(60)
    _, crossed = learn(QUAKE, found, y, unit)
    own = unit == 7
    _, flipped = learn(QUAKE, found, np.where(own, 1 - y, y), unit)
    # The penalty is chosen by all labels, so that it alone may change.
    assert np.abs(crossed[own] - flipped[own]).max() < np.abs(crossed[~own] - flipped[~own]).max() + 0.05


def test_what_has_no_label_is_predicted_and_teaches_nothing() -> None:
    found, y, unit = simulated(200)
    hidden = unit % 2 == 1
    model, crossed = learn(QUAKE, found, np.where(hidden, np.nan, y), unit)
    alone, _ = learn(
        QUAKE, [one for one, away in zip(found, hidden, strict=True) if not away], y[~hidden], unit[~hidden]
    )
    assert abs(crossed[hidden].sum() / y[hidden].sum() - 1) < 0.2
    assert model.weights.keys() == alone.weights.keys()
    assert max(abs(model.weights[name] - alone.weights[name]) for name in alone.weights) < 0.5


@pytest.mark.parametrize("frequent", [0.1, 0.9])
def test_the_rate_without_the_words_is_that_of_its_labels_and_small_where_these_have_no_event(frequent: float) -> None:
    rng = np.random.default_rng(3)
    worded = np.arange(200) < 150
    y = np.where(worded, rng.random(200) < frequent, False).astype(float)
    found = [Candidate(f"d{n}", "A", (f"triggers {int(has)}", f"w{n % 7}")) for n, has in enumerate(worded)]
    model, crossed = learn(QUAKE, found, y, np.arange(200), share=0.01)
    expected = y[worded].mean() * 0.01 / 0.99
    assert 0 < crossed[~worded].mean() < 0.3 * expected, "no event of 50 lowers the prior's fifth"
    assert 0.3 < model.probabilities(found)[~worded].mean() / crossed[~worded].mean() < 3
    assert model.card["levels"]["expected"] == pytest.approx(expected, rel=0.06)
    y[190:195] = np.nan
    y[195:] = 1
    seen, crossed = learn(QUAKE, found, y, np.arange(200), share=0.2)
    for each in (crossed, seen.probabilities(found)):
        assert 40 * each[~worded & ~np.isnan(y)].mean() == pytest.approx(4.4, abs=0.9), "5 of 45 less half an event"


def test_candidates_of_an_item_that_happen_together_count_as_one_label_and_lone_ones_as_one_each() -> None:
    rng = np.random.default_rng(4)
    lone, unit = rng.normal(size=50), np.arange(50)
    assert _design_effect(lone, unit) == 1.0
    assert _design_effect(np.repeat(lone, 3), np.repeat(unit, 3)) == pytest.approx(3)
    assert _design_effect(np.full(150, -0.01), np.repeat(unit, 3)) == pytest.approx(3, abs=0.1), (
        "no event shows nothing"
    )
    one_of_three = np.tile([0.9, -0.45, -0.45], 50)
    assert _design_effect(one_of_three, np.repeat(unit, 3)) == 1.0


def test_items_that_name_three_countries_teach_the_level_as_much_as_items_that_name_one() -> None:
    rng = np.random.default_rng(8)
    worded = np.arange(150) < 100
    y = np.where(worded, rng.random(150) < 0.5, np.arange(150) % 10 == 0).astype(float)
    widths = []
    for countries in (1, 3):
        found = [
            Candidate(f"d{n}", f"C{country}", (f"triggers {int(has)}", f"w{n % 7}"))
            for n, has in enumerate(worded)
            for country in range(countries)
        ]
        unit = np.repeat(np.arange(150), countries)
        levels = learn(QUAKE, found, np.repeat(y, countries), unit, share=0.5)[0].levels()
        widths.append((levels.worded.loading, np.ptp(levels.wordless.quantile(np.array([0.025, 0.975])))))
    assert widths[1] == pytest.approx(widths[0], rel=0.1)


def test_a_start_is_kept_where_labels_say_nothing_else_and_changed_where_they_do() -> None:
    found, y, unit = simulated(2000)
    start, _ = learn(QUAKE, found, y, unit)
    few, labels, items = simulated(12, seed=5)
    begun = learn(QUAKE, few, labels, items, start=start)[0]
    alone = learn(QUAKE, few, labels, items)[0]
    new, truth, _ = simulated(2000, seed=9)
    loss = [-np.log(np.where(truth > 0, p, 1 - p)).sum() for p in (begun.probabilities(new), alone.probabilities(new))]
    assert loss[0] < loss[1]


def test_too_few_events_are_refused() -> None:
    found, y, unit = simulated(30)
    y[unit < 3] = 1
    with pytest.raises(
        InputError, match=r"found 3 with an event.*expected at least 5 of each.* 50 random labels have about 5 at"
    ):
        learn(QUAKE, found, np.where(unit < 3, y, 0), unit)


def test_samples_have_the_stated_share_and_no_country_that_is_not_named() -> None:
    model = EventModel("x", "", ("attack",), -1.0, {"right attack": 2.0})
    events, _ = learnt_events(text("Israel attacked Syria."), model, LEXICON, samples=1000)
    assert [event.country for event in events] == ["ISR", "SYR"]
    for event, odds in zip(events, (1, -1), strict=True):
        assert event.probability == pytest.approx(expit(odds))
        assert abs((event.samples > 0).mean() - event.probability) <= 1e-3
    assert [event.map_event for event in events] == [1, 0]


def test_acts_are_a_share_of_events_and_refused_where_no_label_taught_them() -> None:
    model = EventModel("x", "", ("attack",), -1.0, acts=EventModel("x", "", ("attack",), 1.0, {"left attack": -3.0}))
    body = text("Israel attacked Syria.")
    acts = {each.country: each.probability for each in learnt_events(body, model, LEXICON, only_acts=True)[0]}
    assert acts == pytest.approx({"ISR": expit(-1) * expit(1), "SYR": expit(-1) * expit(-2)})
    with pytest.raises(InputError, match="found acts with the model x, expected a packaged one"):
        learnt_events(body, replace(model, acts=None), LEXICON, only_acts=True)


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    weights = {"right attack": 0.5, "left none": 0.001}
    targets = EventModel("x", "what é is", ("attack",), 0.5, weights, {"items": 2})
    model = replace(targets, intercept=-1.25, card={"items": 3}, targets=targets)
    for name in ("m.json", "m.json.gz"):
        write_model(tmp_path / name, model, least=0.01)
        found = read_model(tmp_path / name)
        assert (found.name, found.definition, found.words, found.intercept) == ("x", "what é is", ("attack",), -1.25)
        assert (found.weights, found.card) == ({"right attack": 0.5}, {"items": 3})
        assert (found.targets.intercept, found.targets.weights) == (0.5, {"right attack": 0.5})
        assert found.acts is None
    kidnap = EventModel("x", "", ("kidnap",))
    write_model(tmp_path / "new.json", kidnap)
    old = json.loads((tmp_path / "new.json").read_text("utf-8"))
    assert read_model(tmp_path / "new.json").triggers == kidnap.triggers == old.pop("forms")
    (tmp_path / "old.json").write_text(json.dumps(old), encoding="utf-8")
    assert "kidnapped" in kidnap.triggers
    assert "kidnapped" not in read_model(tmp_path / "old.json").triggers  # which no label taught it by
    (tmp_path / "cut.gz").write_bytes((tmp_path / "m.json.gz").read_bytes()[:40])
    (tmp_path / "other.json").write_text('{"weights": 3}', encoding="utf-8")
    (tmp_path / "key.json").write_text('{"a": 3}', encoding="utf-8")
    with pytest.raises(InputError, match=r"key.json: found no key 'name', expected a model"):
        read_model(tmp_path / "key.json")
    (tmp_path / "more.json").write_text(json.dumps({**old, "forms": {}, "encoder": "m"}), encoding="utf-8")
    with pytest.raises(InputError, match=r'more.json: found the key "encoder", which no model has'):
        read_model(tmp_path / "more.json")
    with pytest.raises(InputError, match="no such file, and none of the packaged models assault, protest, sanction"):
        read_model(tmp_path / "absent.json")
    for name in ("cut.gz", "other.json"):
        with pytest.raises(InputError, match=f"{name}: .*, expected a"):
            read_model(tmp_path / name)


def test_a_category_of_your_own_is_learnt_from_words_and_labels() -> None:
    items = earthquakes(60)
    labels = {item["id"]: [SHAKEN[number % len(SHAKEN)]] if number % 4 else [] for number, item in enumerate(items)}
    found = nc.learn_events(items, labels, category="earthquake", words=["earthquake", "quake"])
    assert found.model.card["unnamed"] == 0
    assert abs(found.model.card["expected"] - 1) < 0.1
    assert found.model.card["log_loss"] < 0.5
    report = nc.find_events(earthquakes(80)[60:], found.model, period="year")
    likely = {(row["document"], row["country"]) for row in report.document_events if row["probability"] > 0.5}
    assert likely == {(f"d{n}", SHAKEN[n % len(SHAKEN)]) for n in range(60, 80) if n % 4}


def test_labels_without_countries_are_refused_and_words_that_no_text_has_are_listed(tmp_path: Path) -> None:
    items = earthquakes(40)
    rows = [f"d{n},{SHAKEN[n % len(SHAKEN)] if n % 4 else 'none'}\n" for n in range(40)]
    labels = tmp_path / "labels.csv"
    labels.write_text("item,label\n" + "".join(rows), encoding="utf-8")
    found = nc.learn_events(items, labels, words=["Earthquake", " earthquakes", "tsunami wave", "eruption"])
    assert found.absent == ("earthquakes", "tsunami wave", "eruption")
    assert "Not found: earthquakes, tsunami wave, eruption. Give dictionary forms" in str(found)
    labels.write_text("item,label\n" + "".join([*rows[:-1], "d39,yes\n"]), encoding="utf-8")
    with pytest.raises(InputError, match="found yes for d39, which name countries, and codes for others, expected"):
        nc.learn_events(items, [labels], words=["quake"])


def test_labels_yes_and_no_teach_a_model_that_counts_texts_and_no_countries(tmp_path: Path) -> None:
    items = earthquakes(80)
    labels = tmp_path / "labels.csv"
    rows = [f"d{n},{'yes' if n % 4 else 'no'}\n" for n in range(40)]
    labels.write_text("item,label\n" + "".join(rows), encoding="utf-8")
    found = nc.learn_events(items, labels, category="earthquake", words=["earthquake"])
    assert "40 labelled texts, 30 with an event; labels are yes or no: the model reads whole texts" in str(found)
    found.save(tmp_path / "m.json")
    assert read_model(tmp_path / "m.json").of_texts
    report = nc.find_events(items[40:], {"model": tmp_path / "m.json"}, period="decade")
    assert report.totals[0]["mean"] == pytest.approx(30, abs=3)
    assert [(row["country"], row["name"]) for row in report.countries] == [("text", "any country, or none")]
    assert "40 documents report" in report.lines()[0]
    assert "which the model reads whole" in str(report)
    report.save(tmp_path / "out")
    assert "gave each of 40 documents the probability" in (tmp_path / "out" / "methods.md").read_text("utf-8")
    with pytest.raises(InputError, match="countries: found some with a model of whole texts"):
        nc.find_events(items, {"countries": ["PER"], "model": found.model})
    more = nc.learn_events(items, {f"d{n}": n % 4 > 0 for n in range(40, 80)})
    assert more.model.of_texts


def test_a_count_errs_by_the_level_that_few_labels_set_and_less_with_more(tmp_path: Path) -> None:
    items = earthquakes(400)
    for number, each in enumerate(items):  # as many have no event whatever they say, so that labels decide of a level
        own = " ".join(f"x{number}y{word}" for word in range(12))  # no copies of one text, whose labels are one reading
        each["text"] = f"An earthquake strikes {NAMES[SHAKEN[number % 8]]}, in the film of an age: {own}."
    widths = []
    for labelled in (40, 320):
        model = nc.learn_events(items, {f"d{n}": n % 4 == 0 for n in range(labelled)}, words=["earthquake"]).model
        model_file = tmp_path / f"{labelled}.json"
        write_model(model_file, model)
        report = nc.find_events(items, {"model": model_file}, period="year")
        whole, first, *_ = report.totals
        assert whole["mean"] == pytest.approx(100, abs=5)
        # The sum of N labels with the rate r has the standard deviation √(N r (1 − r)); new items err by as much.
        expected = 400 * np.sqrt(0.25 * 0.75 * (1 / labelled + 1 / 400))
        assert whole["sd"] == pytest.approx(expected, rel=0.1)
        assert (whole["high"] - whole["low"]) / 3.92 == pytest.approx(expected, rel=0.12)
        assert (first["low"], first["high"]) != (whole["low"], whole["high"])
        assert f"the error of a level fitted to {labelled // 4} labelled events" in str(report)
        report.save(tmp_path / str(labelled))
        methods = (tmp_path / str(labelled) / "methods.md").read_text("utf-8")
        assert f"the labels of {labelled // 4} events set" in methods
        widths.append(whole["high"] - whole["low"])
    assert widths[1] < widths[0] / 1.8


def test_a_text_that_names_no_country_counts_where_labels_of_such_texts_taught_the_model(tmp_path: Path) -> None:
    items, marks = earthquakes(60), [[SHAKEN[n % len(SHAKEN)]] if n % 4 else [] for n in range(60)]
    for number in (*range(1, 60, 6), *range(0, 60, 12)):
        shaken = "An earthquake strikes the coast" if number % 4 else "The president visits for a talk"
        items[number]["text"], marks[number] = f"{shaken}, with help number {number}.", number % 4 > 0
    labels = {item["id"]: mark for item, mark in zip(items, marks, strict=True)}
    found = nc.learn_events(items, labels, category="earthquake", words=["earthquake"])
    assert found.model.card["without country"] == {"candidates": 15, "events": 10}
    assert "15 texts that name no country, 10 with an event: events --model counts such documents" in str(found)
    new = [{**items[0], "id": "n", "text": "An earthquake strikes the coast."}, earthquakes(2)[1]]
    report = nc.find_events(new, found.model, period="year")
    rows = {(row["document"], row["country"], row["name"]): row["probability"] for row in report.document_events}
    assert rows["n", "unnamed", "no country named"] > 0.5
    assert 1.5 < report.totals[0]["mean"] <= 2
    assert report.lines()[1] == "documents: 2, 1 that name a country and 1 that name none"
    of_peru = nc.find_events(new, {"countries": ["PER"], "model": found.model}, period="year")
    assert [row["country"] for row in of_peru.countries] == ["PER"]
    named = {item: mark for item, mark in labels.items() if mark is not True and item not in ("d0", "d12")}
    named = {item: mark for item, mark in named.items() if "coast" not in items[int(item[1:])]["text"]}
    named = {item: mark for item, mark in named.items() if "for a talk" not in items[int(item[1:])]["text"]}
    alone = nc.learn_events(items, named, category="earthquake", words=["earthquake"]).model
    assert "n" not in {row["document"] for row in nc.find_events(new, alone).document_events}


def test_the_answer_has_verbs_in_the_right_number() -> None:
    certain = EventModel("quake", "", (), intercept=50.0, card={"items": 40})
    texts = [{"id": name, "date": "2014-01-01", "text": f"{name} shook."} for name in ("Peru", "Chile", "It")]
    for documents, answer in (
        (texts[1:], "quake: 1 of 2 documents reports an event (1 to 1, 95 %)"),
        (texts, "quake: 2 of 3 documents report an event (2 to 2, 95 %)"),
    ):
        assert nc.find_events(documents, certain).lines()[0] == answer


@pytest.mark.parametrize("word", ["sit-in", "hunger strike"])
def test_words_of_several_parts_are_found(word: str) -> None:
    texts = [
        {
            "id": f"d{n}", "date": f"2014-05-{n + 1:02d}",
            "text": f"Students in Chile {f'held {word}s' if n % 2 else 'voted'}, {n}.",
        }
        for n in range(24)
    ]  # fmt: skip
    labels = {text["id"]: {"CHL"} if word in text["text"] else set() for text in texts}
    found = nc.learn_events(texts, labels, category="protest of students", words=[word])
    assert found.absent == ()
    assert nc.find_events(texts, found.model).document_events[0]["probability"] < 0.5
    assert not [each for each in nc.find_events(texts, found.model).without_words if each > 0.5]
    assert found.model.weights[f"item trigger {word}"] > 0


def raids(n: int) -> list[dict[str, str]]:
    """Return n items, one in five without a raid, in which a country bombs another."""
    items = []
    for number in range(n):
        first, second = (NAMES[SHAKEN[(number + step) % len(SHAKEN)]] for step in (0, 3))
        does = f"Warplanes of {first} bomb a village in {second}, killing five people in raid {number}."
        body = does if number % 5 else f"The president of {first} visits {second} for talk number {number}."
        items.append({"id": f"d{number}", "date": f"20{number % 20:02d}-05-01", "text": body})
    return items


def marks_of_raids(n: int, mark: str) -> dict[str, list[str]]:
    """Return labels of `raids`, by a form of marks with the places of source and target."""
    codes = {number: [SHAKEN[(number + step) % len(SHAKEN)] for step in (0, 3)] for number in range(n)}
    return {f"d{number}": [mark.format(*codes[number])] if number % 5 else [] for number in range(n)}


@pytest.mark.slow
def test_marks_of_pairs_teach_targets_and_what_is_only_mentioned_is_no_event() -> None:
    labels = marks_of_raids(60, "{0}>{1}")
    mentioned = {name for name in labels if labels[name] and int(name[1:]) % 3 == 0}
    labels = {name: [f"~{each}" for each in marks] if name in mentioned else marks for name, marks in labels.items()}
    items = [
        item | {"text": f"On the anniversary, a speech recalls: {item['text']}"} if item["id"] in mentioned else item
        for item in raids(60)
    ]
    model = nc.learn_events(items, labels, category="raid", words=["bomb"]).model
    assert (model.card["events"], model.acts) == (sum(bool(each) for each in labels.values()) - len(mentioned), None)
    (dyad,) = {
        (row["source"], row["target"]) for row in nc.find_events(raids(3)[1:2], model).dyads if row["probability"] > 0.5
    }
    assert dyad == (SHAKEN[1], SHAKEN[4])


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ({"d0": "Israel"}, "labels, 'd0': found 'Israel', expected codes such as ISR USA"),
        ({"d0": ["ISR", 7]}, "labels, 'd0': found 'ISR 7', expected codes such as ISR USA"),
        ({"d0": ["IZR"]}, "labels, 'd0': found the country 'IZR', expected a known code"),
        ({"d99": []}, "found the text d99, expected one of the 40 texts"),
    ],
)
def test_labels_that_are_no_codes_by_text_are_refused(labels: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        nc.learn_events(earthquakes(40), labels, words=["quake"])


def test_a_learnt_count_names_its_words_and_no_option_of_verbs(tmp_path: Path) -> None:
    items = [{"id": "a", "date": "2014-05-01", "text": "Thousands of people protest in Kyiv, Ukraine, against Russia."}]
    report = nc.find_events(items, "protest")
    report.save(tmp_path / "o")
    query = json.loads((tmp_path / "o/query.json").read_text(encoding="utf-8"))
    assert "protest" in query["words"]
    assert not query.keys() & {"verbs", "nouns", "roles"}


def test_a_category_in_the_box_is_read_by_its_model() -> None:
    items = [{"id": "a", "date": "2014-05-01", "text": "Thousands of people protest in Kyiv, Ukraine, against Russia."}]
    for query in ("protest", {"category": ["protest"], "countries": ["UKR"]}):
        report = nc.find_events(items, query)
        assert report.query.reading == "learnt"
        assert 0.5 < {row["country"]: row["probability"] for row in report.document_events}["UKR"] < 1
    assert [row["country"] for row in report.document_events] == ["UKR"]


@pytest.mark.slow
def test_the_command_learns_and_applies_a_model(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    items = earthquakes(60)
    news, labels, out = tmp_path / "news.jsonl", tmp_path / "labels.csv", tmp_path / "quake.json"
    news.write_text("".join(f"{json.dumps(item)}\n" for item in items), encoding="utf-8")
    rows = [f"d{n},{SHAKEN[n % len(SHAKEN)] if n % 4 else 'none'}\n" for n in range(40)]
    labels.write_text("item,label\n" + "".join(rows), encoding="utf-8")
    assert main(["learn", str(news), str(labels), "--category", "earthquake", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "40 different texts with 80 candidates" in shown
    assert main(["events", str(news), "--model", str(out), "--period", "year", "--out", str(tmp_path / "o")]) == 0
    assert str(out) in json.loads((tmp_path / "o/query.json").read_text(encoding="utf-8"))["inputs"]
    assert {path.name for path in (tmp_path / "o").iterdir()} >= {"series.csv", "document_events.csv", "query.json"}
    assert "60 that name a country" in capsys.readouterr().out
    assert main(["events", str(news), "--model", str(out), "--verbs", "shake"]) == 2
    assert "found model and verbs, expected one of them" in capsys.readouterr().err


def test_no_word_of_a_category_stands_in_the_layer() -> None:
    words = {word for each in packaged_categories().values() for word in (*each.verbs, *each.nouns)} | set(
        packaged_categories()
    )
    ordinary = {
        "support",
        "agreement",
        "release",
        "demand",
        "back",
        "sign",
        "block",
        "request",
        "operation",
        "intercept",
    }
    for path in Path(module.__file__).parent.glob("*.py"):
        if path.stem.startswith("audit"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documentation = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        strings = {
            word
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation
            for word in node.value.lower().split()
        }
        assert strings & (words - ordinary) == set(), path


def test_each_packaged_model_has_a_card_and_is_right_about_plain_sentences() -> None:
    assert {path.name for path in PACKAGED_EVENT_MODELS.glob("*.gz")} == {
        f"{each}.json.gz" for each in packaged_categories()
    }
    sentences = {
        "assault": ("Israeli warplanes bomb a village in southern Lebanon, killing five people.", "ISR", "LBN"),
        "protest": (
            "Thousands of people protest in Paris, France, against a visit of the president of Iran.",
            "FRA",
            "IRN",
        ),
        "sanction": ("The United States imposes sanctions on North Korea over its missile tests.", "USA", "PRK"),
    }
    lexicon = load_lexicon(["packaged", "cities", "actors"])
    card = (Path(module.__file__).parent / "weights" / "card.md").read_text(encoding="utf-8")
    for name, (body, yes, no) in sentences.items():
        model = read_model(name)
        p = {event.country: event.probability for event in learnt_events(text(body), model, lexicon)[0]}
        assert p[yes] > 0.7 > 0.5 > p[no]
        assert model.card["log_loss"] < 2
        assert abs(model.card["expected"] - 1) < 0.1
        assert model.acts.card["log_loss"] < 0.6
        assert model.definition == packaged_categories()[name].definition
        assert all(f"{len(part.weights):,}" in card for part in (model, model.targets, model.acts) if part)


EXAMPLES = Path(__file__).parents[2] / "data" / "events" / "category_examples.tsv"


def test_each_model_gives_the_source_of_a_plain_sentence_more_than_its_target() -> None:
    lexicon = load_lexicon(["packaged", "cities", "actors"])
    with EXAMPLES.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if not row["status"]]
    assert {row["category"] for row in rows} == set(packaged_categories())
    for row in rows:
        model = read_model(row["category"])
        found = list(country_candidates(text(row["text"]), lexicon, model.triggers))
        p = dict(zip([one.country for one in found], model.probabilities(found), strict=True))
        place = row["target"].endswith("@")
        expected = {row["target"][:-1]} if place else set(row["source"].split(",")) - {""}
        others = [value for code, value in p.items() if code not in expected]
        assert min(p[code] for code in expected) > max(others, default=0), row["text"]


def test_no_count_is_made_by_a_model_that_no_label_taught() -> None:
    items = [{"id": "a", "date": "2014-05-01", "text": "Ukraine blames Russia for the crash."}]
    for card in ({}, {"items": 0}):
        with pytest.raises(InputError, match="blame: found a model that no label taught"):
            nc.find_events(items, EventModel("blame", "", ("blame",), 1.0, {"right blame": 1.0}, card))


def test_precision_and_recall_have_intervals_as_wide_as_their_few_events() -> None:
    items = earthquakes(60)
    labels = {
        item["id"]: [SHAKEN[number % len(SHAKEN)]] if number % 4 else [] for number, item in enumerate(items[:20])
    }
    found = nc.learn_events(items, labels, words=["earthquake"])
    (line,) = [line for line in str(found).splitlines() if line.startswith("On held-out labels")]
    said = found.probabilities >= 0.5
    for name, number in (("precision", int(said.sum())), ("recall", int(found.y.sum()))):
        value, low, high = map(float, re.search(rf"{name} ([\d.]+) \(([\d.]+) to ([\d.]+)\)", line).groups())
        hits = int((said & (found.y > 0)).sum())
        exact = binomtest(hits, number).proportion_ci(method="exact")
        assert value == pytest.approx(hits / number, abs=0.006)
        assert (low, high) == pytest.approx((exact.low, exact.high), abs=0.02)
    assert "for a total, nlpcalib plan items and estimate have an interval as narrow" in str(found)


def test_packaged_models_are_compressed_without_a_time() -> None:
    for name in packaged_categories():
        data = (Path(module.__file__).parent / "weights" / f"{name}.json.gz").read_bytes()
        assert data[4:8] == bytes(4)
        assert gzip.compress(gzip.decompress(data), mtime=0)[:10] == data[:10]


def test_what_texts_without_the_words_add_is_an_interval_from_labels(tmp_path: Path) -> None:
    found, names = earthquakes(80), [NAMES[SHAKEN[k % 8]] for k in range(300)]
    own = [" ".join(f"x{k}y{word}" for word in range(8)) for k in range(300)]
    bare = [
        {"id": f"b{k}", "date": f"2014-05-{1 + k % 28:02}", "text": f"It shook {names[k]} {own[k]}."}
        for k in range(300)
    ]
    labels = {f"d{k}": [SHAKEN[k % 8]] if k % 4 else [] for k in range(80)}
    labels |= {f"b{k}": [SHAKEN[k % 8]] if k % 30 == 0 else [] for k in range(60)}
    learnt = nc.learn_events([*found, *bare], labels, words=["quake", "earthquake"])
    wordless = learnt.model.card["without words"]
    assert wordless["events"] == 2
    assert wordless["candidates"] > 60, "those of visits are without a word, too"
    report = nc.find_events([*found, *bare], learnt.model)
    assert len(report.without_words) == 300 + 2 * 20
    (line,) = [line for line in report.lines() if line.startswith("without a word of the model")]
    low, high = (int(each) for each in re.search(r"\((\d+) to (\d+)\)", line).groups())
    rates = binomtest(2, wordless["candidates"]).proportion_ci(method="exact")
    assert 340 * rates.low - 2 < low < 340 * rates.low + 4, "the prior adds little to what the labels allow"
    assert 0.6 * 340 * rates.high < high < 1.3 * 340 * rates.high
    assert f"for 340 countries that documents name, by {wordless['candidates']} labelled ones" in line
    whole = report.totals[0]
    certain = PoissonBinomial(np.array([row["probability"] for row in report.document_events])).interval()
    assert whole["high"] - whole["low"] >= high - low > certain[1] - certain[0]
    assert whole["sd"] > report.counts.levels.count(report.without_words, np.ones(340, dtype=bool)).sd
    learnt.save(tmp_path / "m.json")
    again = nc.find_events([*found, *bare], {"model": tmp_path / "m.json"})
    assert (again.totals[0]["low"], again.totals[0]["high"]) == (whole["low"], whole["high"])
    content = json.loads((tmp_path / "m.json").read_text("utf-8"))
    content["card"]["levels"]["without"][0][0] = 0
    (tmp_path / "m.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="bins, levels or design effects are out of range"):
        read_model(tmp_path / "m.json")
    content["card"]["levels"] |= {"without": [], "design_effects": [1.0, 0.5]}
    (tmp_path / "m.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="bins, levels or design effects are out of range"):
        read_model(tmp_path / "m.json")


def test_without_labels_of_texts_without_the_words_these_add_a_fifth_of_what_the_words_find() -> None:
    """Weights of other words, and the intercept, are those of texts with the words, and say nothing of others."""
    found, names = earthquakes(80), [NAMES[SHAKEN[k % 8]] for k in range(300)]
    bare = [
        {"id": f"b{k}", "date": f"2014-05-{1 + k % 28:02}", "text": f"It shook {names[k]} x{k}."} for k in range(300)
    ]
    labels = {f"d{k}": [SHAKEN[k % 8]] if k % 4 else [] for k in range(80) if "quake" in found[k]["text"]}
    learnt = nc.learn_events([*found, *bare], labels, words=["quake", "earthquake"])
    assert learnt.model.card["without words"]["candidates"] == 0
    assert len(learnt.probabilities) == len(learnt.y) == learnt.model.card["candidates"]
    report = nc.find_events([*found, *bare], learnt.model)
    # An event of each of a share 1 - c has no word, with c ~ Beta(1, .4) of those whose rate is below 1.
    expected = learnt.model.card["levels"]["expected"]
    possible = beta(1, 0.4).sf(expected / (1 + expected))
    covered = beta(1, 0.4).isf(possible / 2)
    assert report.without_words.mean() == pytest.approx(expected * (1 - covered) / covered, rel=0.1)
    (line,) = [line for line in report.lines() if line.startswith("without a word of the model")]
    assert line.endswith("by 0 labelled ones: label random ones")


@pytest.mark.parametrize("bins", ["abc", [[0.5, 0.5]], [[0.5, 2.0, 3]], [[0.5, 0.5, -1]], {"a": 1}, 5])
def test_bins_of_a_card_that_cannot_be_are_refused(tmp_path: Path, bins: object) -> None:
    path = tmp_path / "model.json"
    write_model(path, EventModel("a", "a", ("a",), -1.0, {"word": 1.0}, {"bins": [[0.5, 0.5, 4]]}))
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(content | {"card": {"bins": bins}}), encoding="utf-8")
    with pytest.raises(InputError, match="found"):
        read_model(path)
