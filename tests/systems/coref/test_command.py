"""`nlpcalib coref`: from a file to answers, all of them or one line that says what is wrong."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from nlpcalib.cli.app import main
from nlpcalib.systems.coref import AntecedentModel, load_model, read_documents, resolve
from nlpcalib.systems.coref.answer import reading
from nlpcalib.systems.coref.answer.answer import answer
from nlpcalib.systems.coref.find_entities import wrong_joins_line
from nlpcalib.systems.coref.model.posterior import tempered
from nlpcalib.systems.coref.model.weights import Weights, size_of
from nlpcalib.systems.text.conllu import parse_conllu, read_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence

SENTENCES = (
    Sentence(
        "s1",
        ("Ana", "met", "Leila", "in", "Oslo", "."),
        tags=("NNP", "VBD", "NNP", "IN", "NNP", "."),
        heads=(2, 0, 2, 5, 2, 2),
        relations=("nsubj", "root", "obj", "case", "obl", "punct"),
    ),
    Sentence(
        "s2",
        ("She", "saw", "her", "dog", "."),
        tags=("PRP", "VBD", "PRP$", "NN", "."),
        heads=(2, 0, 4, 2, 2),
        relations=("nsubj", "root", "nmod:poss", "obj", "punct"),
    ),
)
GOLD = (Mention(0, 0, 1, "ana"), Mention(1, 0, 1, "ana"), Mention(1, 2, 4, "dog"))
ONE, TWO = Document("one", SENTENCES, GOLD), Document("two", SENTENCES[::-1])
TEXT = "Ana met Leila in Oslo.  She saw her dog.\n\nThe dog barked at the “mayor” of Oslo 🐕.\n"


@pytest.fixture(autouse=True)
def model(tmp_path, monkeypatch):
    """A small model whose weights are noise, so that nothing here depends on the one in the package."""
    noise = np.random.default_rng(0).normal(size=size_of(0, 0)) / 2
    path = tmp_path / "model" / "noise.npz"
    AntecedentModel({}, {}, Weights.of(noise, 0, 0), {"threshold": 0.3}).save(path)
    monkeypatch.chdir(tmp_path)
    return path


def coref(file, *options):
    model = [] if "--model" in options else ["--model", "model/noise.npz"]
    return main(["coref", *model, str(file), *map(str, options)])


def conllu(*documents, name="documents.conllu"):
    write_conllu(name, documents)
    return name


def answers(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_plain_text_is_one_document_called_like_its_file(capfd):
    Path("my story.txt").write_text(TEXT, encoding="utf-8")
    assert coref("my story.txt", "--samples", "3") == 0
    out, err = capfd.readouterr()
    assert err == ""
    [content] = answers(out)
    assert content["document"] == "my story"
    assert {"Ana", "Oslo", "She"} <= {mention["text"] for mention in content["mentions"]}
    assert [len(sample) for sample in content["samples"]] == [len(content["mentions"])] * 3
    given = "".join(word for sentence in content["sentences"] for word in sentence["words"])
    assert given == "".join(TEXT.split())


def test_the_command_says_what_the_library_says(model, capfd):
    assert coref(conllu(ONE, TWO), "--samples", "2", "--seed", "5", "--at-least", "0.1") == 0
    settings = {"samples": 2, "seed": 5, "at_least": 0.1}
    expected = [answer(each, **settings) for each in resolve([ONE, TWO], load_model(model))]
    assert answers(capfd.readouterr().out) == json.loads(json.dumps(expected))


def test_an_answer_does_not_depend_on_other_documents_in_the_file(capfd):
    coref(conllu(ONE))
    alone = capfd.readouterr().out
    coref(conllu(TWO, ONE, replace(TWO, id="three")))
    assert capfd.readouterr().out.splitlines(keepends=True)[1] == alone


@pytest.mark.parametrize("target", ["json", "conllu"])
def test_the_same_command_writes_the_same_bytes(target):
    for name in ("a", "b"):
        assert coref(conllu(ONE, TWO), "--format", target, "--out", f"{name}/out", "--html", f"{name}/page.html") == 0
    assert Path("a/out").read_bytes() == Path("b/out").read_bytes()
    assert Path("a/page.html").read_bytes() == Path("b/page.html").read_bytes()


@pytest.mark.parametrize("mentions", ["predicted", "gold"])
def test_conllu_reads_back_to_the_mentions_and_entities_of_the_answer(mentions, capfd):
    file = conllu(ONE)
    coref(file, "--mentions", mentions)
    [content] = answers(capfd.readouterr().out)
    coref(file, "--mentions", mentions, "--format", "conllu")
    [document] = parse_conllu(capfd.readouterr().out.encode().splitlines(keepends=True), "out")
    assert document.sentences == SENTENCES
    keys = ("sentence", "start", "end", "entity")
    assert document.mentions == tuple(sorted(Mention(*(m[key] for key in keys)) for m in content["mentions"]))
    if mentions == "gold":
        assert [replace(mention, entity="") for mention in document.mentions] == [replace(m, entity="") for m in GOLD]


def test_conll_2012_without_parses_is_parsed_on_its_own_words(capfd):
    cells = {"Ana": "(0)", "She": "(0)", "her": "(1", "dog": "1)"}
    rows = "\n".join(
        "".join(f"one 0 {n} {word} - * - - - Jo * {cells.get(word, '-')}\n" for n, word in enumerate(sentence.words))
        for sentence in SENTENCES
    )
    Path("key").write_text(f"#begin document (one); part 000\n{rows}\n#end document\n", encoding="utf-8")
    assert coref("key", "--mentions", "gold") == 0
    [content] = answers(capfd.readouterr().out)
    assert [sentence["words"] for sentence in content["sentences"]] == [list(s.words) for s in SENTENCES]
    assert content["sentences"][0]["speaker"] == "Jo"
    assert [mention["text"] for mention in content["mentions"]] == ["Ana", "She", "her dog"]


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.txt", "Ana met Leila.\n", "text"),
        ("a", "# A title\n1 first\n", "text"),
        ("a.conllu", "1 Ana\n", "conllu"),
        ("a.txt", "\n# newdoc id = x\n", "conllu"),
        ("a.conll", "# sent_id = 1\n", "conllu"),
        ("a", "1\tAna\t_\t_\t_\t_\t_\t_\t_\t_\n", "conllu"),
        ("a", "# generator = UDPipe 2\n# udpipe_model = english\n\n1-2\tAna\t_\t_\t_\t_\t_\t_\t_\t_\n", "conllu"),
        ("a", "# generator = UDPipe 2\n# sent_id = 1\n1 Ana\n", "conllu"),
        ("a", "# of her boats:\n1\tAna\t_\t_\t_\t_\t_\t_\t_\n", "text"),
        ("a.v4_gold_conll", "nw 0 0 Ana\n", "conll"),
        ("a.txt", "#begin document (nw/1); part 000\n", "conll"),
    ],
)
def test_formats_are_recognised_by_content_then_by_name(name, head, expected):
    assert reading._recognised(name, head.encode()) == expected


def test_lines_that_begin_with_names_are_no_speakers():
    Path("dialogue.txt").write_text("Ana: I am here.\n\nLeila: You are.\n", encoding="utf-8")
    [document] = read_documents("dialogue.txt")
    assert {sentence.speaker for sentence in document.sentences} == {None}


def test_a_byte_order_mark_is_no_text():
    Path("marked").write_bytes(b"\xef\xbb\xbf" + Path(conllu(ONE)).read_bytes())
    assert list(read_documents("marked")) == [ONE]
    Path("marked").write_text("\ufeff" + CONLL, encoding="utf-8")
    [document] = read_documents("marked")
    assert document.sentences[0].words == ("Ana",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_file_may_be_a_pipe():
    content = Path(conllu(ONE, TWO)).read_bytes()
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(content))
    writer.start()
    assert list(read_documents("pipe")) == [ONE, TWO]
    writer.join()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_recognised_however_little_is_written_at_once():
    """Lines of UDPipe 2, one by one."""
    lines = [
        b"# generator = UDPipe 2\n",
        b"# udpipe_model = english\n",
        *Path(conllu(ONE)).read_bytes().splitlines(True),
    ]
    os.mkfifo("slow")

    def write():
        with Path("slow").open("wb", buffering=0) as stream:
            for line in lines:
                stream.write(line)
                time.sleep(0.01)

    writer = threading.Thread(target=write)
    writer.start()
    [document] = read_documents("slow")
    assert document.sentences == ONE.sentences
    writer.join()


def test_what_follows_the_beginning_of_a_file_is_read_on():
    long = replace(ONE, sentences=tuple(replace(SENTENCES[i % 2], id=str(i)) for i in range(2000)))
    assert Path(conllu(long)).stat().st_size > 3 * reading._FORMAT_HEAD_BYTES
    assert list(read_documents("documents.conllu")) == [long]


ROW = "1\tAna\t_\t_\tNNP\t_\t0\troot\t_\t_\n"
CONLL = "#begin document (a); part 000\na 0 0 Ana NNP * - - - - * -\n\n#end document\n"
BAD = {
    "empty": ("a.txt", b"", "found no words, expected plain text"),
    "blank": ("a.txt", b" \n\t\n\n", "found no words, expected plain text"),
    "empty conllu": ("a.conllu", b"\n", "found no words, expected documents in CoNLL-U"),
    "empty conll": ("a.conll", b"", "found no words, expected documents in CoNLL-2012"),
    "latin-1": ("a.txt", "One.\nCaf\xe9 is\n".encode("latin-1"), "line 2: found byte 0xe9"),
    "utf-16": ("a.txt", "Ana".encode("utf-16"), "found a zero byte, expected text in UTF-8"),
    "binary": ("a", b"\x7fELF\x02\x01\x00\x00", "found a zero byte, expected text in UTF-8"),
    "columns": ("a.conllu", (ROW + "2\tmet\n").encode(), "line 2: found 2 columns, expected 10"),
    "latin-1 conllu": ("a.conllu", ROW.encode() + b"\n# \xe9\n", "line 3: byte 3 of the line is 0xe9"),
    "cut short": ("a.conll", CONLL[:-14].encode(), "expected #end document of a.000"),
    "late": ("a.conllu", f"# newdoc id = a\n{ROW}\n# newdoc id = b\n{ROW}9\tb\n".encode(), "line 6: found 2 columns"),
    "too long": ("a.txt", b"Ana met Leila. " * 340_000, "found more than 5000000 bytes of plain text"),
    "missing": ("a.txt", None, "a.txt: no such file"),
    "not JSON": ("a.jsonl", b'{"text": "Ana."}\n{"text"\n', "a.jsonl, line 2: found no JSON (Expecting ':'"),
    "no text": ("a.jsonl", b'{"id": 1}\n', 'line 1: found {"id": 1}, expected an object with a `text`'),
    "same id": ("a.jsonl", b'{"id": 1, "text": "A."}\n{"id": 1, "text": "B."}\n', "found document '1' again"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("target", ["json", "conllu"])
def test_bad_input_is_one_line_and_nothing_is_written(kind, target, capfd):
    name, content, message = BAD[kind]
    if content is not None:
        Path(name).write_bytes(content)
    Path("out").write_text("before", encoding="utf-8")
    before = sorted(Path().rglob("*"))
    for options in ([], ["--out", "out", "--html", "page.html"]):
        assert coref(name, "--format", target, *options) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert err.startswith("nlpcalib: ")
        assert name in err
        assert message in err
        assert err.count("\n") == 1
    assert Path("out").read_text(encoding="utf-8") == "before"
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--model", "documents.conllu"), "expected a coreference model saved by nlpcalib"),
        (("--model", "absent.npz"), "absent.npz"),
        (("--out", "same", "--html", "./same"), "found the same file for two outputs"),
    ],
)
def test_models_and_files_that_do_not_do_are_one_line(options, message, capfd):
    words = Document("bare", (Sentence("1", ("Ana", "sleeps")),))
    assert coref(conllu(words), *options) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert not Path("same").exists()


@pytest.mark.parametrize("value", ["1.5", "-0.1", "nan", "few"])
def test_thresholds_are_probabilities(value, capfd):
    with pytest.raises(SystemExit) as stopped:
        coref("a.txt", f"--at-least={value}")
    assert stopped.value.code == 2
    assert f"found '{value}', expected a probability in [0, 1]" in capfd.readouterr().err


def test_weights_of_one_give_the_same_bytes_and_others_the_pairs_that_are_weighed(model, capfd):
    source = conllu(ONE)
    outputs = []
    for options in ((), ("--temperature", "1"), ("--temperature", "2")):
        assert coref(source, "--at-least", "0", *options) == 0
        outputs.append(capfd.readouterr().out)
    assert outputs[0] == outputs[1]
    [cold] = resolve([ONE], load_model(model), temperature=1.0)
    [warm] = resolve([ONE], load_model(model), temperature=2.0)
    np.testing.assert_array_equal(warm.conditionals, tempered(cold.conditionals, 2.0))
    content = json.loads(outputs[2])
    assert content["temperature"] == 2.0
    found = {(early, late): q for early, late, q in content["pairs"]}
    for (early, late), q in found.items():
        assert abs(warm.marginals[late, early] - q) < 1e-6


@pytest.mark.parametrize("value", ["0", "-1", "inf", "nan", "warm"])
def test_a_temperature_is_a_positive_number(value, capfd):
    with pytest.raises(SystemExit):
        coref("documents.conllu", "--temperature", value)
    assert "expected a positive number" in capfd.readouterr().err


def test_a_run_that_writes_files_ends_with_a_summary(capfd):
    assert coref(conllu(ONE), "--html", "page.html", "--threshold", "1") == 0
    expected = "1 document, 6 mentions, 0 entities of several mentions; files: page.html\n"
    assert capfd.readouterr() == (expected, "")
    assert Path("page.html").stat().st_size > 10_000


def test_an_answer_is_as_its_schema_has_it(capfd):
    path = Path(__file__).parents[3] / "docs/reference/coref.schema.json"
    schema = Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))
    Path("a.txt").write_text(TEXT, encoding="utf-8")
    assert coref("a.txt") == 0
    [content] = answers(capfd.readouterr().out)
    schema.validate(content)
    assert not schema.is_valid({**content, "version": 2})


def keys(schema):
    """Yield every key of an object and of those below it, with what the schema has about it."""
    for name, below in schema.get("properties", {}).items():
        yield name, below
        yield from keys(below)
        yield from keys(below.get("items", {}))


def test_the_schema_describes_every_key():
    path = Path(__file__).parents[3] / "docs/reference/coref.schema.json"
    found = dict(keys(json.loads(path.read_text(encoding="utf-8"))))
    assert {"new", "antecedents", "coherence", "space_after", "expected_coreferent"} <= found.keys()
    assert [name for name, below in found.items() if not below.get("description")] == []


def test_resolved_text_has_a_line_for_each_document(capfd):
    assert coref(conllu(ONE, TWO), "--threshold", "0", "--format", "resolved") == 0
    assert [set(each) for each in answers(capfd.readouterr().out)] == [{"document", "text"}] * 2


def test_many_files_folders_and_json_lines_are_one_run(capfd):
    for name in ("texts/a.txt", "texts/deep/a.txt", "texts/.hidden"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(TEXT, encoding="utf-8")
    lines = [{"id": "x", "text": "She saw it."}, {"text": "Ana slept.\r\n\r\nShe woke."}]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    assert coref("texts", "t.jsonl", conllu(ONE), "--samples", "0", "--threshold", "0.4", "--temperature", "2") == 0
    found = answers(capfd.readouterr().out)
    assert [content["document"] for content in found] == ["a", "deep/a", "x", "t-2", "one"]
    assert {(content["threshold"], content["temperature"]) for content in found} == {(0.4, 2.0)}
    for content, text in zip(found, [TEXT, TEXT, *(line["text"] for line in lines)], strict=False):
        assert content["mentions"]
        assert all(text[m["start_char"] : m["end_char"]] == m["text"] for m in content["mentions"])


def test_files_of_the_same_name_in_two_folders_are_called_by_what_tells_them_apart(capfd):
    for name in ("old/x/a.txt", "new/x/a.txt", "new/x/b.txt", "new/c.txt", "new/c.md"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(TEXT, encoding="utf-8")
    assert coref("old/x", "new", "--samples", "0") == 0
    found = [content["document"] for content in answers(capfd.readouterr().out)]
    assert found == ["a", "new/c.md", "new/c.txt", "x/a", "x/b"]
    assert coref("old/x", "new/x", "--samples", "0") == 0
    found = [content["document"] for content in answers(capfd.readouterr().out)]
    assert found == ["old/x/a.txt", "new/x/a.txt", "b"]
    assert coref("old", "old/x/a.txt") == 0
    assert [content["document"] for content in answers(capfd.readouterr().out)] == ["x/a", "a"]
    assert coref("old", "old") == 2
    assert "found document 'old/x/a.txt' again" in capfd.readouterr().err


def test_a_document_is_answered_alike_alone_and_in_a_batch(capfd):
    lines = [{"id": str(n), "text": TEXT[: 20 + n]} for n in range(20)]
    Path("t.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    coref("t.jsonl")
    together = capfd.readouterr().out.splitlines()
    Path("t.jsonl").write_text(json.dumps(lines[7]), encoding="utf-8")
    coref("t.jsonl")
    assert capfd.readouterr().out.splitlines() == [together[7]]


@pytest.mark.filterwarnings("default")
def test_what_cannot_be_read_in_a_folder_is_left_out_and_named(capfd):
    Path("texts").mkdir()
    Path("texts/a.txt").write_text(TEXT, encoding="utf-8")
    Path("texts/b.pdf").write_bytes(b"\n%PDF-1.7\n\xe2")
    assert coref("texts", "--out", "out") == 0
    expected = "texts/b.pdf: found a PDF, RTF, Word or packed file, expected text in UTF-8: save it as text; left out"
    assert capfd.readouterr().err == f"nlpcalib: warning: {expected}\n"
    assert coref("texts/b.pdf", "texts/a.txt", "--out", "out") == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.filterwarnings("default")
def test_a_pipe_in_a_folder_is_not_waited_for(capfd):
    Path("texts").mkdir()
    Path("texts/a.txt").write_text(TEXT, encoding="utf-8")
    os.mkfifo("texts/b.txt")
    Path("texts/c.txt").symlink_to("nothing")
    assert coref("texts", "--out", "out") == 0
    assert capfd.readouterr().err.splitlines() == [
        "nlpcalib: warning: texts/b.txt: found a pipe, expected a file; left out",
        "nlpcalib: warning: texts/c.txt: no such file; left out",
    ]


@pytest.mark.filterwarnings("default")
def test_documents_before_an_error_in_a_folder_are_kept_and_counted(capfd):
    Path("texts").mkdir()
    Path("texts/a.jsonl").write_text('{"text": "Ana slept."}\n{"text"\n{"text": "She woke."}\n', encoding="utf-8")
    assert coref("texts") == 0
    out, err = capfd.readouterr()
    assert [content["document"] for content in answers(out)] == ["a-1"]
    assert "texts/a.jsonl, line 2: " in err
    assert err.endswith("; the rest of the file is left out after 1 document\n")


def test_predicted_mentions_do_not_read_the_column_of_coreference(capfd):
    broken = CONLL.replace("* -\n", "* (1\n")
    other = CONLL.replace("(a)", "(b)").replace("\na 0", "\nb 0")
    Path("a.conll").write_text(broken + other, encoding="utf-8")
    assert coref("a.conll") == 0
    assert [content["document"] for content in answers(capfd.readouterr().out)] == ["a.000", "b.000"]
    assert coref("a.conll", "--mentions", "gold") == 2
    assert "found no annotated mentions in any document" in capfd.readouterr().err


def test_gold_mentions_of_plain_text_are_refused(capfd):
    Path("a.txt").write_text(TEXT, encoding="utf-8")
    assert coref("a.txt", "--mentions", "gold") == 2
    assert "found plain text, which has no annotated mentions" in capfd.readouterr().err


def test_a_reader_that_has_enough_is_no_error():
    many = [replace(ONE, id=str(number)) for number in range(100)]
    command = [Path(sys.executable).with_name("nlpcalib"), "coref", conllu(*many), "--model", "model/noise.npz"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_documents_with_trees_need_no_parser(monkeypatch):
    monkeypatch.setattr("nlpcalib.systems.coref.answer.reading.load_parser", None)
    for document in read_documents(conllu(ONE, TWO)):
        assert document in (ONE, TWO)
    assert [document.id for document in read_conllu("documents.conllu")] == ["one", "two"]


def test_the_packaged_model_reports_how_often_it_is_wrong(capfd):
    Path("a.txt").write_text(TEXT, encoding="utf-8")
    assert main(["coref", "a.txt", "--html", "page.html"]) == 0
    assert capfd.readouterr().out.splitlines()[1] == wrong_joins_line()
    assert wrong_joins_line() in Path("page.html").read_text(encoding="utf-8")


def test_scores_of_another_model_take_the_place_of_files(capfd):
    record = {"id": "a", "text": "Ana met Leila. She left.", "spans": [[0, 3], [8, 13], [15, 18]]}
    record["scores"] = [[], [[0, -5]], [[0, 2], [1, 1.5]]]
    Path("scores.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert main(["coref", "--scores", "scores.jsonl"]) == 0
    [found] = answers(capfd.readouterr().out)
    assert (found["document"], found["entities"][0]["mentions"]) == ("a", [0, 2])
    for form in ("json", "conllu", "resolved"):
        assert main(["coref", "--scores", "scores.jsonl", "--format", form, "--html", "p.html", "--out", "a"]) == 0
        assert capfd.readouterr().out.count("\n") == 1
    for wrong, expected in (
        (("--scores", "scores.jsonl", "a.txt"), "found both"),
        ((), "found neither"),
        (("--scores", "scores.jsonl", "--mentions", "gold"), "found an option for texts"),
    ):
        Path("a.txt").write_text(TEXT, encoding="utf-8")
        assert main(["coref", *wrong]) == 2
        assert expected in capfd.readouterr().err


def test_the_documentations_examples_run(capfd):
    page = Path(__file__).parents[3] / "docs/how-to/coref.md"
    text = page.read_text(encoding="utf-8")
    door, example, *_ = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(door, str(page), "exec"), {})
    assert "Ana Ruiz: Ana Ruiz, She, her" in capfd.readouterr().out
    Path("story.txt").write_text(TEXT, encoding="utf-8")
    exec(compile(example, str(page), "exec"), {})
    assert "Ana: 1.00 new\n" in capfd.readouterr().out


@pytest.mark.parametrize("options", [("--out", "answers"), ("--html", "page"), ("--out", "answers", "--html", "page")])
def test_an_answer_is_computed_once(monkeypatch, options):
    path, computed = conllu(ONE, TWO), []
    monkeypatch.setattr(
        "nlpcalib.systems.coref.resolve_files.answer",
        lambda *rest, **more: (computed.append(1), answer(*rest, **more))[1],
    )
    assert coref(path, *options) == 0
    assert len(computed) == 2


@pytest.mark.filterwarnings("default")
def test_a_page_too_large_for_a_browser_is_a_warning(monkeypatch, capfd):
    path = conllu(ONE, TWO)
    assert coref(path, "--html", "page.html") == 0
    assert capfd.readouterr().err == ""
    monkeypatch.setattr("nlpcalib.systems.coref.resolve_files._MAX_PAGE_BYTES", Path("page.html").stat().st_size - 1)
    assert coref(path, "--html", "page.html") == 0
    told = capfd.readouterr().err
    assert re.fullmatch(r"nlpcalib: warning: page\.html: the page has \d+ MB, and browsers are slow above .*\n", told)
