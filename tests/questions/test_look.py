"""What is this file? Every kind that a command reads has its name, its numbers and the commands that serve it."""

import json
import shlex

import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError

FILES = {
    "items with predictions": ("id,q\na,.5\nb,.2\n", ["plan items", "estimate"]),
    "predictions with labels": ("q,y\n.5,1\n.2,0\n", ["calibrate", "recalibrate", "compare", "explore"]),
    "verdicts of a judge": ("id,verdict,label\na,pass,pass\nb,fail,\n", ["judge"]),
    "labels of items": (
        "item,label,annotator\na,yes,ann\na,no,bob\nb,no,ann\n",
        ["estimate", "calibrate", "calibrate PREDICTIONS", "estimate", "judge"],
    ),
    "texts": ("id,text,date\na,Troops met,2004-01-02\nb,Rain fell,2004-02-02\n", ["plan items", "events", "learn"]),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_named_with_the_commands_that_serve_it(kind, tmp_path):
    content, commands = FILES[kind]
    path = tmp_path / "table.csv"
    path.write_text(content)
    found = nc.look(path)
    assert found.kind == f"{path}: {kind}"
    assert [
        command.split(f" {path}")[0].removesuffix(" ITEMS").removesuffix(" VERDICTS") for command in found.commands
    ] == commands


def test_json_lines_are_named_as_the_same_table_is(tmp_path):
    path = tmp_path / "verdicts.jsonl"
    path.write_text('{"case": 1, "verdict": "PASS", "label": "fail"}\n{"case": 2, "verdict": "FAIL", "label": null}\n')
    assert nc.look(path).commands == (f"judge {path}",)
    path.write_text('{"case": 1, "reply": "A"}\n')
    with pytest.raises(InputError, match="name the format"):
        nc.look(path)


def test_items_labels_readers_and_classes_are_counted(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text(FILES["labels of items"][0])
    counts = ("2 items, 3 labels, 2 readers: ann, bob", "labels: 'no' 2, 'yes' 1")
    assert nc.look(path).sentences == (*counts, "without --plan labels are taken for a random sample of ITEMS")


def test_ratings_are_no_probabilities(tmp_path, capsys):
    path = tmp_path / "ratings.csv"
    path.write_text("id,q\na,1\nb,4.5\n")
    assert main(["look", str(path), "--json"]) == 0
    assert "--values 1,4.5" in json.loads(capsys.readouterr().out)["sentences"][1]


@pytest.mark.parametrize(
    ("content", "classes"),
    [
        ("id,gold,a,b\n1,a,.75,.25\n2,b,.5,.5\n", ("2 classes: a, b",)),
        ("predicted,score,gold\na,.75,a\nb,.5,a\n", ()),
        ("q_a,q_b,gold\n.75,.25,a\n.5,.5,b\n", ("2 classes: a, b",)),
    ],
)
def test_what_calibrate_reads_is_predictions_with_labels(content, classes, tmp_path):
    path = tmp_path / "classes.csv"
    path.write_text(content)
    found = nc.look(path)
    assert found.kind == f"{path}: predictions with labels"
    assert found.sentences[1:] == classes
    assert found.commands[0] == f"calibrate {path}"


def test_a_sheet_without_labels_serves_nothing_yet(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("item,text,label\na,Troops met,\n")
    found = nc.look(path)
    assert found.commands == ()
    assert "to be filled in" in str(found)


def test_what_nothing_reads_is_refused(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text("hello\n")
    with pytest.raises(InputError, match=r"notes\.md: found 'hello', expected a table"):
        nc.look(path)


DOCUMENTS = {
    "scores of tokens": ('{"labels": ["O", "B-X"]}\n{"logits": [[0, 2]]}\n', ["spans"]),
    "documents with mentions, in CoNLL-2012": (
        "# a comment\n# begin document (d); part 000\nd 0 0 Ana (1)\n\n#end document\n",
        ["coref", "score KEY", "coref"],
    ),
    "documents with mentions, in CoNLL-U": (
        "# newdoc id = d\n1\tAna" + "\t_" * 7 + "\tEntity=(1)\n\n",
        ["coref", "score KEY", "coref"],
    ),
    "documents without mentions, in CoNLL-U": ("1-2\tAna" + "\t_" * 8 + "\n1\tAn" + "\t_" * 8 + "\n", ["coref"]),
}


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_scores_and_documents_are_named(kind, tmp_path):
    content, commands = DOCUMENTS[kind]
    path = tmp_path / "file.jsonl"
    path.write_text(content)
    found = nc.look(path)
    assert found.kind == f"{path}: {kind}"
    assert [command.split(f" {path}")[0] for command in found.commands] == commands


def test_a_log_of_several_judges_has_a_command_for_each(tmp_path, capsys):
    scores = {"grade": {"value": {"tone": 1, "facts": 0}}, "match": {"value": "C"}}
    samples = [{"id": item, "epoch": 1, "scores": scores} for item in "abc"]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {"model": "m"}, "samples": samples}))
    found = nc.look(path)
    assert found.sentences == (
        "9 verdicts on 3 items; 0 labels of people",
        "3 judges: 'grade: tone' 3, 'grade: facts' 3, 'match' 3",
    )
    assert found.commands[0] == f"judge {path} LABELS --columns 'verdict=grade: tone'"
    labels = tmp_path / "labels.csv"
    labels.write_text("item,label\na,1\nb,1\nc,0\n")
    assert main(["judge", str(path), str(labels), "--columns", "verdict=grade: tone"]) == 0
    assert "3 of 3 items have a label; verdicts are yes for 100.0 %" in capsys.readouterr().out


HEADERS = ("rating", "Score", "verdict_gpt", "gptVerdict", "judgment", "Judge rating")


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize(("values", "option"), [("01", ""), (["yes", "no"], ""), ("12345", " --threshold LOWEST")])
@pytest.mark.parametrize("gold", ["label", "gold", None])
def test_verdicts_under_other_names_have_the_command_that_reads_them(name, values, option, gold, tmp_path, capsys):
    path, labels = tmp_path / "judged.csv", tmp_path / "labels.csv"
    rows = [f"r{row},{values[row % len(values)]}" + f",{'yes' if row % 3 else 'no'}" * bool(gold) for row in range(40)]
    path.write_text("\n".join([f"case,{name}" + f",{gold}" * bool(gold), *rows]) + "\n")
    labels.write_text("\n".join(["item,label", *(f"r{row},{'yes' if row % 3 else 'no'}" for row in range(40))]) + "\n")
    found = nc.look(path)
    assert found.kind == f"{path}: verdicts of a judge, under other names"
    [command] = found.commands
    assert command.endswith(option)
    assert (" LABELS" in command) == (gold is None)
    words = shlex.split(command.replace("LABELS", str(labels)).replace("LOWEST", "4"))
    assert main(words) == 0
    assert "40 of 40 items have a label" in capsys.readouterr().out


def test_probabilities_and_dated_texts_are_no_verdicts(tmp_path):
    for content in (
        "label,score,gold\na,.75,a\nb,.5,a\n",
        "id,text,date,score\na,It rained,2004-01-02,3\nb,No,2004-01-03,4\n",
    ):
        path = tmp_path / "table.csv"
        path.write_text(content)
        assert "verdicts" not in nc.look(path).kind


@pytest.mark.parametrize(
    "dates", ["31.12.2024", "1.2.2024", "12/31/2024", "31/12/2024", "2024/12/31", "2024-12-31 10:00"]
)
@pytest.mark.parametrize("names", ["id,text,date", "Nr,Meldung,Datum"])
def test_dates_as_spreadsheets_write_them_are_dates(dates, names, tmp_path, capsys):
    path = tmp_path / "news.csv"
    text = "Thousands of people protested against the government in Kenya."
    path.write_text(f"{names}\n" + "".join(f"r{row},{text} {row},{dates}\n" for row in range(3)))
    found = nc.look(path)
    assert f"dates in {names.split(',')[2]}" in found.sentences
    [command] = [each for each in found.commands if each.startswith("events")]
    assert "--dates" not in command
    category = [] if "--category" in command else ["--category", "protest"]
    assert main([*shlex.split(command), *category]) == 0


def test_dates_that_may_be_two_days_need_an_option(tmp_path):
    path = tmp_path / "news.csv"
    path.write_text("id,text,date\na,Troops met,1/2/2024\nb,Rain fell,3/4/2024\n")
    found = nc.look(path)
    assert f"events {path} --category protest --dates ORDER" in found.commands
    assert any("--dates day-first or --dates month-first" in each for each in found.sentences)


def judged(*columns):
    """Return a table of 60 cases with columns of pass and fail; the cells of one in brackets are filled in part."""
    rows = []
    for row in range(60):
        cells = ["" if name[:1] == "(" and row > 20 else "pass" if (row * place) % 7 % 2 else "fail"
                 for place, name in enumerate(columns, 3)]  # fmt: skip
        rows.append(",".join([f"c{row}", *cells]))
    return "\n".join([",".join(["case", *(name.strip("()") for name in columns)]), *rows]) + "\n"


@pytest.mark.parametrize(
    ("columns", "pairs"),
    [
        (("judge", "human"), ["verdict=judge,label=human"]),
        (("ExpertSays", "gpt"), ["verdict=gpt,label=ExpertSays"]),
        (("gpt", "(review)"), ["verdict=gpt,label=review"]),
        (("gpt", "claude", "(ann)"), ["verdict=claude,label=ann", "verdict=gpt,label=ann"]),
        (("gpt", "(ann)", "(bo)"), ["verdict=gpt,label=ann", "verdict=gpt,label=bo"]),
    ],
)
def test_the_column_of_a_person_has_the_labels_of_a_judge(columns, pairs, tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text(judged(*columns))
    found = nc.look(path)
    assert found.kind == f"{path}: verdicts of a judge, under other names"
    assert found.commands == tuple(f"judge {path} --columns {pair}" for pair in pairs)
    for command in found.commands:
        assert main(shlex.split(command)) == 0
    assert " of 60 items have a label" in capsys.readouterr().out


def test_two_judges_may_be_a_judge_and_a_person(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(judged("gpt", "claude"))
    found = nc.look(path)
    assert "several judges, or of a judge and a person" in found.kind
    assert len(found.commands) == 4


TOKENS = [("police", "NN", "O"), ("in", "IN", "O"), ("Lima", "NNP", "B-LOC"), ("met", "VB", "O"), ("in", "IN", "O")]
WITHOUT_NAMES = {
    "an empty first row": ",,\n" + "".join(f"{row},text {row},{row % 2}\n" for row in range(20)),
    "tokens": "".join("\t".join(token) + "\n" for token in TOKENS * 4),
    "texts": "".join(f"d{row},It rained on day {row},{('no', 'yes')[row % 2]}\n" for row in range(20)),
    "pairs": "".join(f"{row / 20},{row % 2}\n" for row in range(1, 20)),
}


@pytest.mark.parametrize("content", WITHOUT_NAMES.values(), ids=WITHOUT_NAMES)
def test_a_first_row_like_the_others_has_no_names_of_columns(content, tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text(content)
    found = nc.look(path)
    assert (found.kind, found.commands) == (f"{path}: a table without names of columns", ())
    with pytest.raises(InputError, match=r"write the names of the columns above (it|the others)"):
        nc.calibrate(nc.read(path))


def test_a_column_of_one_answer_may_be_called_like_it(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,text,protest\n" + "".join(f"{row},it rained,{'protest' * (row % 2)}\n" for row in range(20)))
    assert nc.look(path).kind == f"{path}: texts"


@pytest.mark.parametrize("names", ["token,label", "id,text", "ID,word"])
def test_words_may_be_those_that_name_their_column(names, tmp_path):
    path = tmp_path / "t.csv"
    words = ["each", "word", "is", "a", "token", "of", "the", "text", "that", "it", "is", "in"]
    second = [word if names.endswith(("text", "word")) else "O" for word in words]
    path.write_text("\n".join([names, *map(",".join, zip(words, second, strict=True))]))
    assert "without names" not in nc.look(path).kind


def test_labels_alone_are_no_verdicts(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,label\n" + "".join(f"{row},{('pass', 'fail')[row % 3 > 0]}\n" for row in range(30)))
    assert nc.look(path).kind == f"{path}: a table without predictions q, verdicts or texts"


def test_tables_one_below_the_other_are_named_with_the_line(tmp_path):
    rows = "".join(f"{row},.{row},{row % 2}\n" for row in range(1, 9))
    (tmp_path / "t.csv").write_text(("id,q,y\n" + rows) * 2)
    found = nc.look(tmp_path / "t.csv")
    assert found.sentences[-1] == "line 10 has the names of the columns again: delete it"
    assert found.commands == ()


def test_plain_text_is_no_table_and_no_conllu(tmp_path):
    for name, text in {
        "a.md": "# A title\n\nSome words.\n",
        "a.txt": "It rained, they say, a lot, again.\nThen, a week, dry.\n",
    }.items():
        (tmp_path / name).write_text(text)
        assert nc.look(tmp_path / name).commands == (f"coref {tmp_path / name}",)


def test_a_file_that_two_commands_may_read_is_not_called_by_one_list(tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text('{"messages": [{"role": "user"}, {"role": "assistant"}]}\n' * 3)
    with pytest.raises(InputError, match="expected those of a known format"):
        nc.look(path)
    path.write_text('{"results": [{"q": 0.1, "y": 1}, {"q": 0.2, "y": 1}]}\n')
    with pytest.raises(InputError, match="expected its list 'results' of 2 objects"):
        nc.look(path)


@pytest.mark.parametrize("words", [("true", "false"), ("Yes", "No"), ("1", "0")])
def test_decisions_next_to_those_of_a_person_are_a_judges(words, tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = [f"Is it {row} o'clock in Lima?,{words[row % 2]},{words[row % 3 > 0]}" for row in range(40)]
    path.write_text("\n".join(["question,model_correct,annotator_says", *rows]) + "\n")
    found = nc.look(path)
    assert found.commands == (f"judge {path} --columns verdict=model_correct,label=annotator_says",)
    assert main(shlex.split(found.commands[0])) == 0
    assert "40 of 40 items have a label" in capsys.readouterr().out


def test_a_column_with_the_likeliest_class_of_every_row_is_the_models_own(tmp_path):
    path = tmp_path / "t.csv"
    rows = [(f"r{row}", (0.5, 0.3, 0.2)[row % 3 :] + (0.5, 0.3, 0.2)[: row % 3]) for row in range(12)]
    said = ["abc"[q.index(max(q))] for _, q in rows]
    for name in ("predicted", "answer"):
        lines = [f"{i},{s},{','.join(map(str, q))}" for (i, q), s in zip(rows, said, strict=True)]
        path.write_text("\n".join([f"id,{name},a,b,c", *lines]) + "\n")
        assert nc.look(path).commands[0] == f"calibrate {path} LABELS"
    lines[3] = lines[3].replace(said[3], "b")
    path.write_text("\n".join(["id,answer,a,b,c", *lines]) + "\n")
    assert nc.look(path).commands[0].endswith("--y answer"), "it may be the right class: it is not the likeliest once"


def test_a_verdict_of_yes_and_no_comes_before_a_rating_with_the_columns_that_pair_systems(tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"T{row // 2},v{row % 2},{('yes', 'no')[row % 3 > 0]},{row % 5 + 1}" for row in range(40)]
    path.write_text("\n".join(["ticket,bot,helpful,score", *rows]) + "\n")
    options = "id=ticket --by bot"
    assert nc.look(path).commands == (
        f"judge {path} LABELS --columns verdict=helpful,{options}",
        f"judge {path} LABELS --columns verdict=score,{options} --threshold LOWEST",
    )
    said = [f"{each},{('yes', 'no', '')[row % 3]}" for row, each in enumerate(rows)]
    path.write_text("\n".join(["ticket,bot,helpful,score,human", *said]) + "\n")
    command = nc.look(path).commands[0]
    assert command == f"judge {path} --columns verdict=helpful,label=human,{options}"
    assert main(shlex.split(command)) == 0


def test_ids_and_labels_with_few_comments_are_labels_to_join(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,label,comment\n" + "".join(f"r{row},{'ab'[row % 2]},{'x' * (row < 3)}\n" for row in range(20)))
    assert nc.look(path).kind == f"{path}: labels of items"
    path.write_text("id,label,score\n" + "".join(f"r{row},{'ab'[row % 2]},.{row + 1}\n" for row in range(20)))
    assert nc.look(path).kind != f"{path}: labels of items"


CHOICES = ("A", "B", "tie")
PREFERENCES = [
    (f"p{prompt}", judge, CHOICES[(prompt + (judge == "j2") * (prompt % 4 == 0)) % 3], CHOICES[prompt % 3])
    for prompt in range(60)
    for judge in ("j1", "j2")
]


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (("id", "judge", "verdict", "label"), ["--by judge --yes A"]),
        (
            ("prompt", "judge", "preference", "human"),
            ["--columns verdict=preference,label=human,id=prompt --by judge --yes A"],
        ),
        (("prompt", "grader", "winner", ""), ["LABELS --columns verdict=winner,id=prompt --by grader --yes A"]),
    ],
)  # fmt: skip
def test_preferences_of_several_judges_have_the_command_that_compares_them(names, options, tmp_path, capsys):
    path, labels = tmp_path / "t.csv", tmp_path / "labels.csv"
    kept = len(list(filter(None, names)))
    rows = [",".join(row[:kept]) for row in PREFERENCES]
    path.write_text("\n".join([",".join(names[:kept]), *rows]) + "\n")
    labels.write_text("item,label\n" + "".join(f"{row[0]},{row[3]}\n" for row in PREFERENCES[::2]))
    found = nc.look(path)
    assert found.commands == tuple(f"judge {path} {option}" for option in options)
    assert main(shlex.split(found.commands[0].replace("LABELS", str(labels)))) == 0
    assert "60 of 60 items have a label, which counts for each of 2 judges" in capsys.readouterr().out
    assert f"judge VERDICTS {labels} --yes A" in nc.look(labels).commands


def test_a_column_of_a_person_next_to_several_preferences_has_the_labels(tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = [f"p{row},{'AB'[row % 2]},{'AB'[row % 3 > 0]},{'AB'[row % 5 > 1] if row < 30 else ''}" for row in range(60)]
    path.write_text("\n".join(["prompt_id,judge1,judge2_verdict,human", *rows]) + "\n")
    found = nc.look(path)
    options = [f"--columns verdict={judge},label=human --yes A" for judge in ("judge1", "judge2_verdict")]
    assert found.commands == tuple(f"judge {path} {option}" for option in options)
    for command in found.commands:
        assert main(shlex.split(command)) == 0


def test_marks_of_events_need_no_positive_label(tmp_path):
    path = tmp_path / "l.csv"
    path.write_text("item,label\na,ISR>PSE\nb,none\n")
    assert not any("--yes" in command for command in nc.look(path).commands)
    path.write_text("item,label\na,yes\nb,none\nc,cannot tell\n")
    assert f"estimate ITEMS {path} --yes yes" in nc.look(path).commands, "none next to yes is read as missing"


@pytest.mark.parametrize("named", ["", "id,"])
def test_labels_next_to_texts_are_estimated_in_place(named, tmp_path, capsys):
    path = tmp_path / "t.csv"
    rows = [
        f"{f'r{row},' * bool(named)}2004-01-{row % 28 + 1:02},Rain fell in town number {row} for hours,"
        + ("" if row % 4 else "yes" if row % 3 else "no")
        for row in range(120)
    ]
    path.write_text("\n".join([f"{named}date,text,label", *rows]) + "\n")
    command = nc.look(path).commands[0]
    assert command == f"estimate {path} {path}"
    assert main(shlex.split(command)) == 0
    assert "of 120 items are positive" in (out := capsys.readouterr().out)
    assert "30 were read" in out
