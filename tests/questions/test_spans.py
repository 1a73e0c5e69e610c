"""From scores of tokens to spans: `nlpcalib.find_spans` and `nlpcalib spans`."""

import json
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.io.files import read_csv
from nlpcalib.systems.chains.readers import crfsuite, token_classification

TAGS = ("O", "B-PER", "I-PER")


def sentences(number: int, length: int = 8, sharpness: float = 1.0):
    """Return potentials, and tags that were drawn from the chain that they make at a temperature of 1 / sharpness."""
    rng = np.random.default_rng(5)
    scores = rng.normal(0, 1, (number * length, 3))
    transition = np.array([[1.0, 0.0, -6.0], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]])
    report = nc.find_spans(scores, TAGS, lengths=[length] * number, transition=transition, initial=[0, 0, -6])
    gold = report.samples(1, seed=2)[:, 0]
    each = sharpness * scores
    return nc.find_spans(
        each, TAGS, lengths=[length] * number, transition=sharpness * transition, initial=[0, 0, -6 * sharpness]
    ), gold


def test_expected_counts_are_those_of_the_truth():
    report, gold = sentences(800)
    (row,) = report.counts()
    true = len(report.spans_of(gold))
    assert row["low"] <= true <= row["high"]
    assert row["mean"] == pytest.approx(sum(span["probability"] for span in report.spans(0)), abs=1e-6)
    assert row["best"] == len(report.spans_of(report.best_path))
    assert f"PER: {row['mean']:,.1f} spans expected" in str(report)


def test_gold_tags_may_be_names_and_stand_by_sentence():
    report, gold = sentences(40)
    names = [TAGS[tag] for tag in gold]
    by_sentence = [names[start : start + 8] for start in range(0, 320, 8)]
    expected = report.fit(gold)
    for given in (names, np.array(names), by_sentence, list(gold.reshape(40, 8)), gold.tolist()):
        assert report.fit(given).state == expected.state
    with pytest.raises(nc.InputError, match="found 7 tags of sentence 2, expected 8"):
        report.fit([by_sentence[0], by_sentence[1][:7], *by_sentence[2:]])
    with pytest.raises(nc.InputError, match="found those of 39 sentences, expected those of 40"):
        report.fit(by_sentence[1:])
    with pytest.raises(nc.InputError, match="found B-LOC, expected some of O, B-PER, I-PER, or their indices"):
        report.fit(["B-LOC", *names[1:]])


def test_a_report_with_gold_names_the_types_whose_interval_misses_it_and_a_bias_of_each_tag_mends_them(tmp_path):
    given, _ = sentences(300)
    strict = np.where(given.transition == -6, -60, given.transition)
    report = nc.find_spans(given.scores, TAGS, lengths=[8] * 300, transition=strict, initial=[0, 0, -60])
    gold = report.samples(1, seed=2)[:, 0]
    path, biased = tmp_path / "scores.jsonl", report.scores + np.array([0, 1.2, 0])
    lines = [{"labels": TAGS, "transitions": report.transition.tolist(), "initial": report.initial.tolist()}]
    lines += [
        {"logits": biased[at : at + 8].tolist(), "gold": [TAGS[tag] for tag in gold[at : at + 8]]}
        for at in range(0, 2400, 8)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    found, true = nc.find_spans(path), len(report.spans_of(gold))
    assert f", {true:,} in gold" in found.lines()[1]
    assert found.lines()[2].startswith("Gold is outside the interval for PER: ")
    assert found.record()["gold"] == {"PER": true}
    for method, holds in (("temperature", False), ("vector", True)):
        mended = found.weighted(found.fit([line["gold"] for line in lines[1:]], method=method))
        assert (len(mended.lines()) == 2) is holds


def test_exact_marginals_are_calibrated_and_a_product_of_tokens_is_not():
    report, gold = sentences(4000)
    spans = [span for span in report.spans() if span["end"] - span["start"] > 1]
    true = {tuple(span.values())[:4] for span in report.spans_of(gold)}
    y = [tuple(span.values())[:4] in true for span in spans]
    tokens = np.log(report.marginals.single)
    first = [8 * span["sentence"] + span["start"] for span in spans]
    product = [
        np.exp(tokens[at, 1] + tokens[at + 1 : at + span["end"] - span["start"], 2].sum())
        for at, span in zip(first, spans, strict=True)
    ]
    exact = nc.calibrate([span["probability"] for span in spans], y)
    assert exact.interval[0] == 0
    assert nc.calibrate(product, y).error > 0.03


def test_tokens_are_calibrated_if_the_chain_is_true():
    report, gold = sentences(1000)
    pairs = report.token_pairs(gold)
    assert nc.calibrate(nc.read(pairs.q, y=pairs.y, unit=pairs.unit.codes)).interval[0] == 0


def test_one_temperature_finds_how_overconfident_a_chain_is():
    report, gold = sentences(1500, sharpness=2.0)
    weights = report.fit(gold)
    assert weights.state == weights.transition == pytest.approx(0.5, abs=0.03)
    (before,), (after,) = report.counts(), report.weighted(weights).counts()
    true = len(report.spans_of(gold))
    assert abs(after["mean"] - true) < 0.02 * true < abs(before["mean"] - true)


def shared_sentences(seed: int):
    """Return a chain that does not know that names are frequent in some documents, its gold tags, and documents."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(0, 1, (6400, 3))
    transition = np.array([[1.0, 0.0, -np.inf], [0.0, -1.0, 1.0], [0.0, -1.0, 1.0]])
    shift = np.repeat(rng.normal(0, 1.2, 80), 80)[:, None] * np.array([0, 1, 0])
    chain = {"tags": TAGS, "lengths": [8] * 800, "transition": transition, "initial": [0, 0, -np.inf]}
    gold = nc.find_spans(scores + shift, **chain).samples(1, seed=seed)[:, 0]
    return nc.find_spans(scores, **chain), gold, [f"d{number // 10}" for number in range(800)]


def test_counts_in_documents_hold_with_what_documents_share_and_not_without():
    report, gold, documents = shared_sentences(1)
    learnt = report.fit_effects(gold, documents)
    new, truth, names = shared_sentences(2)
    true = dict.fromkeys(names, 0)
    for span in new.spans_of(truth):
        true[names[span["sentence"]]] += 1
    held = [
        np.mean(
            [row["low"] <= true[row["document"]] <= row["high"] for row in new.document_counts(names, effects=each)]
        )
        for each in (None, learnt)
    ]
    assert held[0] < 0.85
    assert held[1] == pytest.approx(0.95, abs=0.06)
    rows = new.document_counts(names)
    assert sum(row["mean"] for row in rows) == pytest.approx(new.counts()[0]["mean"], rel=1e-4)
    with pytest.raises(nc.InputError, match="documents: found 3 names, expected one for each of 800 sentences"):
        new.document_counts(names[:3])


@pytest.mark.parametrize(
    ("gold", "message"), [([0, 1], r"found the shape \(2,\), expected \(8,\)"), ([0] * 7 + [3], "found 3 at token 7")]
)
def test_tags_that_are_none_are_refused(gold, message):
    report, _ = sentences(1)
    for method in (report.spans_of, report.token_pairs, report.fit):
        with pytest.raises(nc.InputError, match=message):
            method(gold)


def test_no_tokens_have_no_spans():
    for report in (nc.find_spans([], TAGS), nc.find_spans(np.zeros((0, 3)), TAGS, lengths=[0, 0])):
        assert report.spans() == report.best_spans() == []
        assert report.counts() == [{"label": "PER", "mean": 0, "low": 0, "high": 0, "best": 0}]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"samples": 0}, "samples: found 0, expected a whole number of at least 1"),
        ({"level": 3}, "level: found 3, expected a number between 0 and 1"),
    ],
)
def test_counts_take_samples_and_a_level(asked, message):
    with pytest.raises(nc.InputError, match=message):
        sentences(1)[0].counts(**asked)


def test_the_best_spans_do_not_overlap():
    report, _ = sentences(50)
    chosen = report.best_spans()
    for before, after in pairwise(chosen):
        assert before["sentence"] < after["sentence"] or before["end"] <= after["start"]


def test_potentials_of_sklearn_crfsuite_give_its_own_marginals():
    sklearn_crfsuite = pytest.importorskip("sklearn_crfsuite")
    rng = np.random.default_rng(0)
    features = [[{"w": str(word), "n": float(word)} for word in rng.integers(0, 5, 6)] for _ in range(40)]
    tags = [[("O", "B-X", "I-X")[(int(item["n"]) + place) % 3] for place, item in enumerate(x)] for x in features]
    estimator = sklearn_crfsuite.CRF(c2=0.1, max_iterations=20).fit(features, tags)
    unseen = [*features[:3], [{"w": "new", "n": 2.5}]]
    report = nc.find_spans(**crfsuite(estimator, unseen))
    expected = [[token[tag] for tag in report.tags] for each in estimator.predict_marginals(unseen) for token in each]
    np.testing.assert_allclose(report.marginals.single, expected, atol=1e-5)


def test_logits_of_hugging_face_are_read_at_the_first_piece_of_each_word():
    logits = np.arange(2 * 5 * 3, dtype=float).reshape(2, 5, 3)
    word_ids = [[None, 0, 0, 1, None], [None, 0, None, None, None]]
    read = token_classification(logits, word_ids, dict(enumerate(TAGS)))
    assert read["tags"] == list(TAGS)
    np.testing.assert_array_equal(read["scores"][0], logits[0, [1, 3]])
    np.testing.assert_array_equal(read["scores"][1], logits[1, [1]])
    with pytest.raises(nc.InputError, match="found 1 texts, expected 2 of at most 5 positions"):
        token_classification(logits, word_ids[:1], dict(enumerate(TAGS)))


def test_what_is_forbidden_has_probability_zero():
    transition = np.array([[0.0, 0, -np.inf], [0, 0, 0], [0, 0, 0]])
    report = nc.find_spans(np.zeros((2, 3)), TAGS, lengths=[2], transition=transition, initial=[0, 0, -np.inf])
    assert report.marginals.pair(0, 2)[0] < 1e-200
    assert report.marginals.single[0, 2] < 1e-200


def test_a_forbidden_tag_has_the_marginals_of_a_chain_without_it():
    rng = np.random.default_rng(3)
    scores, transition = rng.normal(0, 2, (6, 3)), rng.normal(0, 2, (3, 3))
    forbidden = np.column_stack([scores, np.full(6, -np.inf)])
    wider = np.pad(transition, ((0, 1), (0, 1)))
    report = nc.find_spans(scores, TAGS, lengths=[4, 2], transition=transition)
    with_pad = nc.find_spans(forbidden, [*TAGS, "<PAD>"], lengths=[4, 2], transition=wider)
    np.testing.assert_allclose(with_pad.marginals.single[:, :3], report.marginals.single, atol=1e-12)
    assert with_pad.marginals.single[:, 3].max() < 1e-200
    assert "read as outside: <PAD>" in str(with_pad)


def test_sentences_may_be_empty_in_arrays_and_files(file: Path):
    assert len(nc.find_spans([[], [[0.0, 2.0, 0.0]], np.zeros((0, 3))], TAGS).lengths) == 3
    with file.open("a", encoding="utf-8") as lines:
        lines.write('{"id": "c", "tokens": [], "logits": [], "gold": []}\n')
    assert nc.find_spans(file).lengths.tolist() == [3, 1, 0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines = [
        {"labels": TAGS, "transitions": [[0, 0, -20], [0, 0, 1], [0, 0, 1]], "initial": [0, 0, -20]},
        {"id": "a", "tokens": ["Ana", "Ruiz", "ran"], "logits": [[0, 2, 0], [0, 0, 2], [3, 0, 0]],
         "gold": ["B-PER", "I-PER", "O"]},
        {"id": "b", "tokens": ["Oslo"], "logits": [[0.5, 0, 0]], "gold": ["O"]},
    ]  # fmt: skip
    path = tmp_path / "scores.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_the_command_writes_pairs_that_calibrate_reads(file: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "spans.csv"
    assert main(["spans", str(file), "--out", str(out)]) == 0
    assert "2 sentences, 4 tokens, scheme bio" in capsys.readouterr().out
    rows = {(row["unit"], row["text"]): (float(row["q"]), row["y"]) for row in read_csv(out)}
    assert max(rows, key=lambda key: rows[key][0]) == ("a", "Ana Ruiz")
    assert [key for key, (_, y) in rows.items() if y == "1"] == [("a", "Ana Ruiz")]
    assert rows["b", "Oslo"][0] == pytest.approx(1 / (1 + np.exp(0.5)), abs=1e-8)
    assert main(["calibrate", str(out)]) == 0


def test_spans_that_are_left_out_are_counted(file: Path, tmp_path: Path, capsys) -> None:
    """The expected spans of the file and those left out are all that are expected."""
    left = {}
    for least in ("0", ".3"):
        assert main(["spans", str(file), "--out", str(tmp_path / "s.csv"), "--at-least", least]) == 0
        printed = capsys.readouterr().out.splitlines()[-1]
        left[least] = float(re.search(r"left out: ([\d.]+) of", printed)[1]) if least != "0" else 0.0
        q = [float(row["q"]) for row in read_csv(tmp_path / "s.csv")]
        assert f"s.csv, {len(q)} spans" in printed
        left[f"{least} written"] = sum(q)
    assert left[".3"] > 0
    assert left[".3"] + left[".3 written"] == pytest.approx(left["0 written"], abs=0.05)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"logits": [[1, 2]]}, "line 2: found logits with a list of 2, expected 3 numbers"),
        ({"gold": ["O"]}, "line 2: found gold with a list of 1, expected a list of 3 texts, one for each token"),
        ({"gold": ["O", "O", "X"]}, 'line 2: found gold ["O", "O", "X"], expected one of O, B-PER, I-PER for each'),
        ({"gold": [["O"], ["O"], ["O"]]}, 'line 2: found gold ["O"], expected a list of 3 texts'),
        ({"tokens": 5}, "line 2: found tokens 5, expected a list of 3 texts"),
        ({"tokens": "A B C"}, 'line 2: found tokens "A B C", expected a list of 3 texts'),
        ({"tokens": ["Ana"]}, "line 2: found tokens with a list of 1, expected a list of 3 texts"),
        ({"logits": "x"}, "line 2: found logits"),
        ({"logits": [[0, 1e999, 0]] * 3}, "expected numbers or -Infinity, one of them a number"),
        ({"logits": [[-1e999, -1e999, -1e999]] * 3}, "expected numbers or -Infinity, one of them a number"),
        ({"gold": ["O", "I-PER", "O"]}, "found gold I-PER after O at token 2, in no span of the scheme bio"),
    ],
)
def test_scores_that_do_not_fit_are_refused(file: Path, change: dict, message: str, capsys) -> None:
    first, second, *_ = file.read_text(encoding="utf-8").splitlines()
    file.write_text(f"{first}\n{json.dumps(json.loads(second) | change)}\n", encoding="utf-8")
    assert main(["spans", str(file), "--out", str(file.with_suffix(".csv"))]) == 2
    assert message in capsys.readouterr().err


def test_gold_in_iob1_is_read_in_the_scheme_that_the_message_names(file: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lines[1]["gold"] = ["I-PER", "I-PER", "O"]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with pytest.raises(nc.InputError, match=r"line 2: found gold I-PER first at token 1, .* or scheme='iob1'"):
        nc.find_spans(file).save(tmp_path / "spans.csv")
    nc.find_spans(file, scheme="iob1").save(tmp_path / "spans.csv")
    rows = read_csv(tmp_path / "spans.csv")
    assert [(row["unit"], row["start"], row["end"]) for row in rows if row["y"] == "1"] == [("a", "0", "2")]


def test_gold_of_another_scheme_teaches_no_effects():
    report, gold = sentences(40)
    with pytest.raises(nc.InputError, match="found gold I-PER"):
        report.fit_effects(np.where(gold == 1, 2, gold), [f"d{number // 10}" for number in range(40)])


def test_labels_that_are_partly_of_a_scheme_are_refused(file: Path, capsys) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lines = [{"labels": [*TAGS, "X"]}, *({"logits": [[*row, 0] for row in line["logits"]]} for line in lines[1:])]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert main(["spans", str(file)]) == 2
    assert f"{file}: tags: found 'X' next to 'B-PER'" in capsys.readouterr().err
    assert main(["spans", str(file), "--scheme", "bio"]) == 0
    assert "scheme bio; read as outside: X" in capsys.readouterr().out


def test_tokens_of_some_sentences_alone_are_refused(file: Path, capsys) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    del lines[2]["tokens"]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert main(["spans", str(file), "--out", str(file.with_suffix(".csv"))]) == 2
    assert "line 3: found keys" in (error := capsys.readouterr().err)
    assert "expected 'tokens', a list of 1 text, one for each token" in error


def test_the_seed_is_that_of_the_intervals(file: Path, capsys) -> None:
    head = {"labels": TAGS}
    lines = [head, {"logits": np.random.default_rng(0).normal(size=(400, 3)).tolist()}]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    printed = []
    for seed in ("0", "1", "1"):
        assert main(["spans", str(file), "--seed", seed]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] != printed[1] == printed[2]
    assert "1 sentence, 400 tokens" in printed[0]


def test_labels_alone_are_no_sentences(file: Path, capsys) -> None:
    file.write_text(json.dumps({"labels": TAGS}), encoding="utf-8")
    assert main(["spans", str(file)]) == 0
    assert "0 sentences, 0 tokens" in capsys.readouterr().out


def test_standard_input_is_no_file_of_scores(capsys) -> None:
    assert main(["spans", "-"]) == 2
    assert "standard input is not read" in capsys.readouterr().err


def test_entities_of_gliner_are_read_as_those_of_a_pipeline(tmp_path: Path, capsys) -> None:
    path = tmp_path / "gliner.jsonl"
    entity = {"start": 0, "end": 3, "text": "Ana", "label": "person", "score": 0.8}
    line = {"entities": [entity], "gold": [{"start": 0, "end": 3, "label": "person"}]}
    path.write_text(f"{json.dumps(line)}\n" * 30, encoding="utf-8")
    assert main(["calibrate", str(path), "--format", "hf-tokens"]) == 0
    assert "30" in capsys.readouterr().out


def test_sentences_without_an_id_are_units_by_their_lines(file: Path, tmp_path: Path, capsys) -> None:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line.pop("id", None)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    assert main(["spans", str(file), "--out", str(tmp_path / "spans.csv")]) == 0
    assert {row["unit"] for row in read_csv(tmp_path / "spans.csv")} == {"2", "3"}
    assert main(["calibrate", str(tmp_path / "spans.csv")]) == 0
    assert "in 2 units" in capsys.readouterr().out
