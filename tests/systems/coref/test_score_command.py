"""`nlpcalib score`: files as the reference scorer reads them, and its own test cases from files."""

import importlib.util
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.systems.coref.marked_text import marked_texts

import nlpcalib
from nlpcalib.cli.app import main
from nlpcalib.systems.coref.answer.reading import parsed_texts
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.coref.model.posterior import sample_entities, tempered
from nlpcalib.systems.coref.score.links import TEMPERATURES
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Mention
from nlpcalib.systems.text.parsing.model import load_parser

_spec = importlib.util.spec_from_file_location("cases", Path(__file__).with_name("test_scoring.py"))
_cases = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_cases)
CASES = _cases.CASES
MENTIONS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def conll(clusters, name="(LuoTestCase);"):
    """Entities of one-letter mentions, each the word of its letter, in the five columns of the reference cases."""
    cells = {letter: [] for letter in MENTIONS}
    for number, cluster in enumerate(clusters):
        for mention in cluster:
            cells[mention].append(f"({number})")
    cells = ["|".join(brackets) or "-" for brackets in cells.values()]
    words = enumerate(zip(MENTIONS, cells, strict=True))
    rows = "".join(f"test2\t0\t{number}\t{letter}\t{cell}\n" for number, (letter, cell) in words)
    return f"#begin document {name}\n{rows}\n#end document\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def scores(capfd, *options):
    assert main(["score", "key", "response", "--json", *options]) == 0
    return json.loads(capfd.readouterr().out)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("case", CASES)
def test_the_cases_of_the_reference_scorer_from_files(case, capfd):
    key, response, expected = CASES[case]
    for name, clusters in (("key", key), ("response", response)):
        Path(name).write_text(conll(clusters.split()), encoding="utf-8")
    found = scores(capfd)
    Path("key").rename("other")
    Path("response").rename("key")
    Path("other").rename("response")
    swapped = scores(capfd)
    for metric, numbers in expected.items():
        assert tuple(found[metric].values()) == pytest.approx(tuple(numbers), abs=1e-6)
        if metric == "blanc":
            continue  # which leaves out what the key alone has not
        assert [swapped[metric][name] for name in ("precision", "recall", "f1")] == pytest.approx(
            list(found[metric].values())
        )
    assert found["conll_f1"] == pytest.approx(sum(found[name]["f1"] for name in ("muc", "b_cubed", "ceaf_e")) / 3)


_BEGIN = "#begin document (nw/1); part 000\n"
SPANS = f"{_BEGIN}nw 0 0 Ana (0\nnw 0 1 Ruiz 0)\nnw 0 2 slept -\n\nnw 0 0 She (0)\n\n#end document\n"
CONLLU = "".join(
    f"{line}\n"
    for line in (
        "# newdoc id = nw/1.000",
        *("1\tAna\t_\t_\t_\t_\t_\t_\t_\tEntity=(0", "2\tRuiz\t_\t_\t_\t_\t_\t_\t_\tEntity=0)", "3\tslept" + "\t_" * 8),
        "4\tShe\t_\t_\t_\t_\t_\t_\t_\tEntity=(0)",
        "",
    )
)


def test_formats_and_sentences_may_differ_where_words_do_not(capfd):
    Path("key").write_text(SPANS, encoding="utf-8")
    Path("response").write_text(CONLLU, encoding="utf-8")
    assert scores(capfd)["conll_f1"] == 1
    Path("response").write_text(SPANS.replace("; part 000", ""), encoding="utf-8")
    assert scores(capfd)["conll_f1"] == 1


def test_the_table_has_every_score_in_per_cent(capfd):
    for name, clusters in (("key", ["a", "bc", "def"]), ("response", ["a", "bcx", "defy", "z"])):
        Path(name).write_text(conll(clusters), encoding="utf-8")
    assert main(["score", "key", "response"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[3].split() == ["MUC", "100.00", "60.00", "75.00"]
    assert [line.split()[0] for line in lines[2:]] == [
        "mentions",
        "MUC",
        "B³",
        "CEAFm",
        "CEAFe",
        "pairs",
        "BLANC",
        "LEA",
        "CoNLL",
    ]
    assert scores(capfd, "--no-singletons")["mentions"]["recall"] == 1


@pytest.mark.filterwarnings("default")
def test_documents_of_one_file_alone_are_warned_of(capfd):
    one, two = conll(["abc"], "(one); part 000"), conll(["abc"], "(two); part 000")
    Path("key").write_text(one + two, encoding="utf-8")
    Path("response").write_text(one + two.replace("(two)", "(three)"), encoding="utf-8")
    assert main(["score", "key", "response", "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["muc"] == {"recall": 0.5, "precision": 1.0, "f1": pytest.approx(2 / 3)}
    assert err.splitlines() == [
        "nlpcalib: warning: response: found no document two.000; counted as empty",
        "nlpcalib: warning: key: found no document three.000; left out of the response",
    ]


@pytest.mark.parametrize(("cells", "recall"), [(("(1(3", "3)1)"), 1), (("(3(1", "1)3)"), 0)])
def test_a_repeated_mention_belongs_to_the_entity_that_opens_first(capfd, cells, recall):
    """The first two words are a mention of 1 and of 3; then each has another, of which the key has that of 1."""

    def rows(*column):
        lines = "".join(f"d 0 {number} w {cell}\n" for number, cell in enumerate(column))
        return f"#begin document (d); part 000\n{lines}\n#end document\n"

    Path("key").write_text(rows("(1", "1)", "(1)", "-"), encoding="utf-8")
    Path("response").write_text(rows(*cells, "(1)", "(3)"), encoding="utf-8")
    assert main(["score", "key", "response", "--json"]) == 0
    assert json.loads(capfd.readouterr()[0])["muc"]["recall"] == recall


@pytest.mark.filterwarnings("default")
def test_no_entities_and_mentions_that_are_there_twice_are_warned_of(capfd):
    Path("key").write_text(SPANS.replace("(0)", "(0)|(0)"), encoding="utf-8")
    empty = SPANS.replace("(0)", "-").replace("(0\n", "-\n").replace("0)\n", "-\n")
    Path("response").write_text(empty, encoding="utf-8")
    assert main(["score", "key", "response", "--json"]) == 0
    assert capfd.readouterr().err.splitlines() == [
        "nlpcalib: warning: key: found a mention twice in an entity of document nw/1.000; expected it once",
        "nlpcalib: warning: response: found no entity, expected some in its annotation of coreference",
    ]


@pytest.mark.parametrize(
    "written",
    [
        SPANS.replace(" -\n", " _\n"),
        SPANS.replace(" -\n", " *\n"),
        f"# a system\n\n{SPANS}",
        SPANS.replace("#end document\n", ""),
        SPANS.replace("\n\n#end document\n", ""),
    ],
)
def test_files_are_read_as_the_reference_scorer_reads_them(written, capfd):
    Path("key").write_text(SPANS, encoding="utf-8")
    Path("response").write_text(written, encoding="utf-8")
    assert scores(capfd)["conll_f1"] == 1


def corefud(*rows):
    """Return CoNLL-U in the fields of CorefUD: rows of ids, words and brackets."""
    lines = [f"{number}\t{word}" + "\t_" * 7 + f"\t{entity or '_'}" for number, word, entity in rows]
    head = "# newdoc id = nw/1.000\n# global.Entity = eid-etype-head-other\n"
    return head + "".join(f"{line}\n" for line in lines) + "\n"


@pytest.mark.parametrize(("end", "recall"), [("Entity=e1[2/2])", 1), ("Entity=e1[2/2])(e2-person-1-)", 1), (None, 0)])
def test_mentions_in_parts_are_those_of_corefud(end, recall, capfd):
    """The key in plain brackets: a mention of words 1 to 4, and *she*."""
    words = ("the", "old", "and", "wise", "she", "left")
    key = ["(1", "-", "-", "1)", "(1)", "-"]
    cells = "".join(f"nw 0 {number} w {cell}\n" for number, cell in enumerate(key))
    Path("key").write_text(f"{_BEGIN}{cells}\n#end document\n", encoding="utf-8")
    brackets = ["Entity=(e1[1/2]-person-2-x", "Entity=e1[1/2])", 0, f"Entity=(e1[2/2]-person-2-x|{end}", 0, 0]
    brackets[4] = "Entity=(e1-person-1-)"
    if end is None:
        brackets = ["Entity=(e3-person-1-)", 0, 0, 0, "Entity=(e1-person-1-)", 0]
    found = corefud(*((number, *row) for number, row in enumerate(zip(words, brackets, strict=True), 1)))
    Path("response").write_text(found, encoding="utf-8")
    assert scores(capfd)["muc"]["recall"] == recall


def test_the_order_of_named_documents_does_not_matter(capfd):
    documents = [conll(clusters, f"({name})") for name, clusters in (("one", ["ab"]), ("two", ["cd"]))]
    Path("key").write_text("".join(documents), encoding="utf-8")
    Path("response").write_text("".join(reversed(documents)), encoding="utf-8")
    assert scores(capfd)["muc"]["f1"] == 1


@pytest.mark.filterwarnings("default")
def test_documents_of_other_names_are_not_compared_in_order(capfd):
    Path("key").write_text(conll(["ab"], "(one)"), encoding="utf-8")
    Path("response").write_text(conll(["ab"], "(two)"), encoding="utf-8")
    assert scores(capfd)["muc"]["recall"] == 0
    assert main(["score", "key", "response"]) == 0
    told = capfd.readouterr().err
    assert "response: found no document one.000; counted as empty" in told
    assert "key: found no document two.000; left out of the response" in told


@pytest.mark.filterwarnings("default")
def test_empty_nodes_are_no_words_and_mentions_of_them_are_left_out_and_counted(capfd):
    rows = [(1, "Ana", "Entity=(e1-person-1-)"), ("1.1", "she", "Entity=(e1-person-1-)"), (2, "left", 0)]
    Path("key").write_text(corefud(*rows), encoding="utf-8")
    Path("response").write_text(corefud(rows[0], rows[2]), encoding="utf-8")
    assert main(["score", "key", "response"]) == 0
    assert capfd.readouterr().err == "nlpcalib: warning: key: left out 1 mention of empty nodes, which are no words\n"
    assert scores(capfd)["mentions"]["f1"] == 1


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (None, "response: no such file"),
        ("", "response: found no documents, expected CoNLL-2012 or CoNLL-U"),
        (SPANS.replace("nw 0 0 She (0)\n", ""), "response: document nw/1.000: found 3 words, expected 4 as in key"),
        (SPANS.replace("0)\n", "-\n", 1), "response, line 2: mention: found (0 opened"),
        (SPANS.replace("nw 0 0 She (0)\n\n#end document\n", ""), "found 3 words, expected 4 as in key"),
        (SPANS + SPANS, "response, line 9: found document nw/1.000 again"),
        (SPANS[:-14] + SPANS, "expected #end document of nw/1.000 (line 1) first"),
        (b"#begin document (a)\n\xff\n", "which is not UTF-8"),
        (SPANS.partition("\n")[2], "line 1: found 5 columns, expected 10"),
        (SPANS.upper(), "line 2: found 5 columns, expected 10"),
        (SPANS.replace("\n", "\r"), "and a line for each word"),
    ],
)
def test_files_that_cannot_be_scored_are_one_line(response, message, capfd):
    Path("key").write_text(SPANS, encoding="utf-8")
    if response is not None:
        Path("response").write_bytes(response if isinstance(response, bytes) else response.encode())
    assert main(["score", "key", "response"]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("#begin", "# begin").replace("#end", "# end"),
        lambda text: text.replace("document (nw/1); part 000", "document  (nw/1);  part 0"),
        lambda text: text.replace("document (nw/1); part 000", "document nw/1; Part 000"),
        lambda text: text.replace(" 0 1 Ruiz", " 0 1  Ruiz").replace(" ", "\t"),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("#", "  #"),
        lambda text: "".join(
            line if line.startswith("#") else "".join(f"{cell:12}" for cell in line.split()) + "\n"
            for line in text.splitlines(keepends=True)
        ),
        lambda text: text.replace("\n\n", "\n\n\n \n"),
        lambda text: text.replace("nw 0 1 Ruiz", "\nnw 0 0 Ruiz"),
        lambda text: text.replace("(0)", "(a)").replace("(0", "(a").replace("0)", "a)"),
    ],
    ids=[
        "hash",
        "blanks",
        "capital",
        "tabs",
        "crlf",
        "bom",
        "indented",
        "aligned",
        "blank-lines",
        "across-sentences",
        "names",
    ],
)
def test_how_a_document_is_written_does_not_change_its_score(change, capfd):
    """The reference scorer counts the words of a document, so that a mention may go on after a blank line."""
    Path("key").write_text(SPANS, encoding="utf-8")
    written = change(SPANS)
    if "\t" in written:
        written = written.replace("#begin\tdocument\t(nw/1);\tpart\t000", _BEGIN.strip())
        written = written.replace("#end\tdocument", "#end document")
    Path("response").write_bytes(written.encode())
    assert scores(capfd)["conll_f1"] == 1


def test_a_mention_that_does_not_close_in_its_document_is_refused(capfd):
    Path("key").write_text(SPANS, encoding="utf-8")
    Path("response").write_text(SPANS.replace("She (0)", "She (7"), encoding="utf-8")
    assert main(["score", "key", "response"]) == 2
    assert (
        "line 6: mention: found (7 opened, expected its closing 7) by the end of the document" in capfd.readouterr().err
    )


WITHOUT_ID = """# global.Entity = GRP
1	Ana	Ana	PROPN	NNP	_	2	nsubj	_	Entity=(1)
2	said	say	VERB	VBD	_	0	root	_	_
3	she	she	PRON	PRP	_	2	obj	_	Entity=(1)

"""


def test_columns_of_conllu_may_be_separated_by_blanks(capfd):
    Path("key").write_text(WITHOUT_ID, encoding="utf-8")
    Path("response").write_text(WITHOUT_ID.replace("\t", "   "), encoding="utf-8")
    assert scores(capfd)["conll_f1"] == 1


def test_conllu_documents_without_ids_are_compared_in_their_order(capfd):
    """They are named after their files, whose names differ."""
    other = WITHOUT_ID.replace("Entity=(1)", "Entity=(2)", 1)
    for text, response, score in (
        (WITHOUT_ID, WITHOUT_ID, 1),
        (WITHOUT_ID, other, 0),
        (WITHOUT_ID, f"# newdoc id = a\n{WITHOUT_ID}", 1),
    ):
        Path("key").write_text(text, encoding="utf-8")
        Path("response").write_text(response, encoding="utf-8")
        assert scores(capfd)["muc"]["f1"] == score
    several = "".join(f"# newdoc\n{text}" for text in (WITHOUT_ID, other))
    Path("key").write_text(several, encoding="utf-8")
    Path("response").write_text(several, encoding="utf-8")
    assert scores(capfd)["muc"]["f1"] == 1


def test_one_file_alone_is_answered_by_the_usage(capfd):
    Path("key").write_text(SPANS, encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["score", "key"])
    assert "found no RESPONSE, expected nlpcalib score [OPTIONS] KEY RESPONSE" in capfd.readouterr().err


def entities(shift=0, words=150, documents=1):
    """Return documents in which every fifth word, some words later, is a mention of one of three entities."""
    marks = [f"({row % 3})" if (row - shift) % 5 == 1 else "-" for row in range(words)]
    rows = "".join(f"d\t0\t{row}\tw{row}\t{mark}\n" for row, mark in enumerate(marks))
    return "".join(f"#begin document (d{number});\n{rows}\n#end document\n" for number in range(documents))


def test_a_response_that_is_the_key_is_named_and_one_that_finds_all_mentions_is_not():
    Path("key").write_text(entities())
    Path("response").write_text(entities())
    with pytest.warns(UserWarning, match="response: found the entities of the key"):
        nlpcalib.score_entities("key", "response")
    Path("response").write_text(entities().replace("(2)", "(0)", 1))
    nlpcalib.score_entities("key", "response")


def answer_lines(drawn):
    """Return the key in CoNLL and the JSON lines of `nlpcalib coref` for documents of antecedents and true entities."""
    key, lines = [], []
    for number, (conditionals, true) in enumerate(drawn):
        words = [f"w{word}" for word in range(len(true))]
        rows = "".join(f"d{number}\t0\t{word}\t{words[word]}\t({entity})\n" for word, entity in enumerate(true))
        key.append(f"#begin document (d{number}); part 000\n{rows}\n#end document\n")
        mentions = [
            {
                "sentence": 0,
                "start": word,
                "end": word + 1,
                "entity": "e1",
                "antecedents": [[j, conditionals[word, j]] for j in range(word)],
                "other_antecedents": 0.0,
            }
            for word in range(len(true))
        ]
        sentences = [{"words": words}]
        lines.append(json.dumps({"document": f"d{number}", "sentences": sentences, "mentions": mentions}))
    return "".join(key), "\n".join(lines)


def drawn_documents(temperature, documents=20, size=40, seed=0):
    """Return antecedents, and entities drawn from them after they are flattened by a temperature."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(documents):
        weights = np.tril(rng.gamma(0.15, size=(size, size)))
        conditionals = np.tril(weights / weights.sum(axis=1, keepdims=True), -1)
        found.append((conditionals, sample_entities(tempered(conditionals, temperature), 1, rng)[:, 0].tolist()))
    return found


def link_scores_of(drawn, capfd):
    for name, text in zip(("key", "response"), answer_lines(drawn), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    return scores(capfd)["links"]


@pytest.mark.parametrize("temperature", [0.6, 1.0, 1.8])
def test_twenty_documents_show_the_temperature_that_their_entities_were_drawn_with(temperature, capfd):
    found = [link_scores_of(drawn_documents(temperature, seed=seed), capfd) for seed in range(12)]
    held = [each["temperature"]["low"] <= temperature * 1.03 and temperature / 1.03 <= each["temperature"]["high"]
            for each in found]  # fmt: skip
    assert sum(held) >= 9
    assert np.median([each["temperature"]["value"] for each in found]) == pytest.approx(temperature, rel=0.15)


def test_links_that_are_right_have_no_error_and_their_sums_agree(capfd):
    [right, sharp] = [link_scores_of(drawn_documents(each, documents=60), capfd) for each in (1.0, 2.5)]
    assert right["ratio"]["low"] < 1 < right["ratio"]["high"]
    assert right["error"]["low"] == 0
    assert sharp["error"]["low"] > 0
    sure = {each["at_least"]: each["wrong"]["value"] for each in right["sure"]}
    assert sure[0.9] < 0.1 < {each["at_least"]: each["wrong"]["value"] for each in sharp["sure"]}[0.9]
    assert right["true"] == right["true_in_key"]


def test_wrong_links_and_sums_are_counted_by_hand(capfd):
    """Two links of .9 and .2, the first true, and the third by both: .2 + .9 · 0 = .18 through the first mention."""
    conditionals = np.array([[0, 0, 0], [0.9, 0, 0], [0, 0.2, 0]])
    found = link_scores_of([(conditionals, [0, 0, 1])], capfd)
    assert found["expected"] == pytest.approx(0.9 + 0.2 + 0.9 * 0.2)
    assert (found["links"], found["true"]) == (3, 1)
    assert [each["links"] for each in found["sure"]] == [1, 1, 1, 0, 0]
    assert found["sure"][0]["wrong"] == {"value": 0.0, "low": None, "high": None}


def test_links_that_are_all_right_still_have_an_interval(capfd):
    """None of 8 is wrong in 8 documents: the exact interval ends at .369, and resampling documents at 0."""
    certain = np.array([[0, 0], [0.995, 0]])
    found = link_scores_of([(certain, [0, 0])] * 8, capfd)
    assert found["sure"][-1]["wrong"] == pytest.approx({"value": 0.0, "low": 0.0, "high": 0.3694}, abs=1e-3)


def test_a_response_without_probabilities_has_only_the_old_scores(capfd):
    Path("key").write_text(conll(["abc"]), encoding="utf-8")
    Path("response").write_text(conll(["ab"]), encoding="utf-8")
    assert "links" not in scores(capfd)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"other_antecedents": 0.2}, "expected all: nlpcalib coref --at-least 0"),
        ({"antecedents": [[5, 0.1]]}, "expected the JSON lines of nlpcalib coref"),
        ({"antecedents": [[0, 0.1]]}, "not a distribution"),
        ({"end": 9}, "response, line 1: mention 0: found words 0 to 9"),
    ],
)
def test_a_response_that_lacks_antecedents_is_refused(change, message, capfd):
    key, lines = answer_lines(drawn_documents(1.0, documents=1, size=3))
    record = json.loads(lines)
    record["mentions"][0].update(change)
    Path("key").write_text(key, encoding="utf-8")
    Path("response").write_text(json.dumps(record), encoding="utf-8")
    assert main(["score", "key", "response"]) == 2
    assert message in capfd.readouterr().err


def test_a_row_that_is_no_distribution_is_not_made_one(capfd):
    for name, text in zip(("key", "response"), answer_lines([(np.array([[0, 0], [1.4, 0]]), [0, 0])]), strict=True):
        Path(name).write_text(text, encoding="utf-8")
    assert main(["score", "key", "response"]) == 2
    assert "sum 1.4" in capfd.readouterr().err


def test_one_document_does_not_recommend_a_temperature(capfd):
    link_scores_of(drawn_documents(2.5, documents=1), capfd)
    assert main(["score", "key", "response"]) == 0
    assert capfd.readouterr().out.splitlines()[-1].endswith(": an interval needs several documents")


def test_documents_without_a_link_add_no_interval(capfd):
    alone = [(np.zeros((1, 1)), [0])]
    found = link_scores_of([*drawn_documents(1.0, documents=1), *alone, *alone], capfd)
    assert [found[name]["low"] for name in ("ratio", "error", "temperature")] == [None] * 3


def test_a_temperature_at_the_end_of_those_tried_is_no_advice(capfd):
    assert link_scores_of(drawn_documents(0.05), capfd)["temperature"]["value"] == TEMPERATURES[0]
    assert main(["score", "key", "response"]) == 0
    end = ", the end of those tried (0.22 to 4.48): the best lies outside of what was tried"
    assert capfd.readouterr().out.splitlines()[-1].endswith(end)


def marked_documents():
    """Yield six parsed texts, in which every mention of the same words is one entity."""
    texts = list(marked_texts())[:6]
    for document in parsed_texts([(text.kind, text.text) for text in texts], load_parser()):
        mentions = [Mention(span.sentence, span.start, span.end, span.text(document).lower().replace(" ", "_"))
                    for span in candidate_mentions(document)]  # fmt: skip
        yield replace(document, mentions=tuple(sorted(mentions)))


def test_answers_on_the_keys_own_words_are_scored(capfd):
    documents = list(marked_documents())
    write_conllu("key.conllu", documents)
    assert main(["coref", "key.conllu", "--at-least", "0", "--out", "response.jsonl"]) == 0
    capfd.readouterr()
    assert main(["score", "key.conllu", "response.jsonl"]) == 0
    out = capfd.readouterr().out
    assert "CoNLL F1" in out
    assert re.search(r"expected \d+, true [\d,]+: ratio", out)
    assert re.search(r"best temperature \d\.\d+ \(", out)
