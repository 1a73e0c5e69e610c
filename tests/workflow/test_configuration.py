"""The configuration: whatever is wrong in it is named, with what to write instead."""

import copy
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from nlpcalib.errors import InputError
from reproduction.configuration import check_config, read_yaml
from reproduction.corpora.formats import FORMATS

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))


safe_load = yaml.safe_load


def load(path):
    return safe_load(path.read_text(encoding="utf-8"))


DEFAULT = load(ROOT / "config.yaml")
RULES = load(SCHEMA)
FILES = {"train": "a", "dev": "b", "test": "c"}


@pytest.fixture(autouse=True)
def schema_read_once(monkeypatch):
    """Reading the schema takes a hundred times as long as checking a configuration by it."""
    monkeypatch.setattr("reproduction.configuration.read_schema", lambda _: RULES)


def changed(key, value):
    """Return the default configuration with one key, dotted, set to a value."""
    config = copy.deepcopy(DEFAULT)
    *parents, last = key.split(".")
    inner = config
    for name in parents:
        inner = inner[name]
    inner[last] = value
    return config


def keys(config, prefix=""):
    """Yield every key, dotted, with its value, sections before what is in them."""
    for name, value in config.items():
        yield prefix + name, value
        if isinstance(value, Mapping):
            yield from keys(value, f"{prefix}{name}.")


def answer(config):
    """Return why a configuration is refused, or nothing."""
    try:
        check_config(config, SCHEMA)
    except InputError as error:
        return str(error)
    return ""


def refusal(config):
    message = answer(config)
    assert message.startswith("configuration: ")
    assert "\n" not in message
    return message


def test_the_embedded_configuration_is_valid():
    check_config(DEFAULT, SCHEMA)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_configurations_laid_over_it_are_valid(path):
    config = copy.deepcopy(DEFAULT)
    if named := re.match(r"# Laid over (configs/\w+\.yaml)", path.read_text(encoding="utf-8")):
        update_config(config, load(ROOT / named[1]))
    update_config(config, load(path))
    check_config(config, SCHEMA)


def test_each_key_refuses_what_is_of_another_type():
    wrong = {key: 3.5 if isinstance(value, Mapping) else {"a": 1} for key, value in keys(DEFAULT)}
    assert len(wrong) > 200
    answers = {key: answer(changed(key, value)) for key, value in wrong.items()}
    assert [key for key, value in wrong.items() if f"key {key}: found {value!r}, expected " not in answers[key]] == []


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("seed", -1, "at least 0"),
        ("calibration.bin_size", 0, "at least 1"),
        ("calibration.bin_size", "5000", "a whole number"),
        ("calibration.bin_size", True, "a whole number"),
        ("calibration.bin_size", 5000.0, "a whole number"),
        ("calibration.draws", 1, "at least 2"),
        ("mirror", 7, "text or nothing"),
        ("tagging.pseudocounts", [], "at least 1 value"),
        ("tagging.pseudocounts", 0.1, "a list"),
        ("tagging.crf_sentences", 0, "at least 1"),
        ("tagging.frequent_bigrams", 1, "at least 5"),
        ("tagging.replicates", 10, "at least 99"),
        ("tagging.datasets", "newsroom", "a list"),
        ("tagging.datasets", ["newsroom", "newsroom"], "each value once"),
        ("tagging.figure_1.model", "memm", "one of hmm, crf, crf_word"),
        ("tagging.figure_1.tag", 3, "text"),
        ("datasets.newsroom.format", "newsrom", "one of newsroom, conllu, ontogum, litbank, nltk_treebank, ontonotes"),
        ("datasets.newsroom.documents", 30, "keys and values"),
        ("datasets.newsroom.documents.train", 0, "at least 1"),
        ("predictions", ["pairs.csv"], "keys and values"),
    ],
)
def test_wrong_values_are_named_with_what_is_expected(key, value, expected):
    message = refusal(changed(key, value))
    assert f"key {key}: found {value!r}, expected {expected}" in message


def test_a_users_tagger_has_a_name_of_its_own_and_a_dataset_that_is_tagged():
    message = refusal(changed("tagging.others.newsroom", {"hmm": "a.jsonl"}))
    assert "found the name 'hmm', expected letters, digits and underscores, and no model of the workflow" in message
    assert "found 'newsrom', expected one of datasets; the nearest valid one is 'newsroom'" in refusal(
        changed("tagging.others", {"newsrom": {"mine": "a.jsonl"}})
    )


@pytest.mark.parametrize("name", ["HMM", "crf_word", "mine_recalibrated"])
def test_a_users_model_has_no_name_whose_folder_the_workflow_has(name):
    assert f"found the name '{name}'" in refusal(changed("tagging.others.newsroom", {name: "a.jsonl"}))


def test_a_users_coreference_system_is_none_of_the_models():
    message = refusal(changed("coref.others.newsroom", {"likelihood": "pairs.csv"}))
    assert "found 'likelihood', which is one of coref.models, expected another name" in message


@pytest.mark.parametrize("key", ["tagging.c2", "tagging.pseudocounts"])
def test_an_item_of_a_list_is_named_by_its_number(key):
    assert f"key {key}.1: found 0, expected more than 0" in refusal(changed(key, [1, 0]))


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("sed", "seed"),
        ("tagger", "tagging"),
        ("calibration.bin_sise", "bin_size"),
        ("tagging.c_2", "c2"),
        ("tagging.figure_1.bins", "bin_size"),
        ("datasets.newsroom.document", "documents"),
        ("datasets.newsroom.documents.tests", "test"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_valid_one(key, nearest):
    parent, _, name = key.rpartition(".")
    inside = f" in {parent}" if parent else ""
    expected = f"configuration: unknown key '{name}'{inside}; the nearest valid one is '{nearest}'"
    assert refusal(changed(key, 1)) == expected


def test_a_misspelt_key_is_told_of_before_the_one_that_is_missing():
    config = copy.deepcopy(DEFAULT)
    config["calibration"]["bin_sise"] = config["calibration"].pop("bin_size")
    assert "unknown key 'bin_sise' in calibration; the nearest valid one is 'bin_size'" in refusal(config)


def test_a_misspelt_key_that_is_one_elsewhere_is_named_with_the_nearest_valid_one_too():
    message = refusal(changed("calibration.bin_sizes", 500))
    assert "'bin_sizes' in calibration; the nearest valid one is 'bin_size'; 'bin_sizes' belongs in" in message


@pytest.mark.parametrize("key", ["seed", "calibration", "calibration.draws", "tagging.figure_1.tag"])
def test_a_missing_key_is_named(key):
    config = copy.deepcopy(DEFAULT)
    *parents, last = key.split(".")
    inner = config
    for name in parents:
        inner = inner[name]
    del inner[last]
    assert f"key {'.'.join(parents) or '(top level)'}: found no '{last}'" in refusal(config)


def test_a_dataset_to_tag_has_to_be_one_of_the_datasets():
    message = refusal(changed("tagging.datasets", ["newsrom"]))
    assert message.endswith("found 'newsrom', expected a key of datasets; the nearest valid one is 'newsroom'")


@pytest.mark.parametrize("name", ["my data", "a/b", "..", "ä", ""])
@pytest.mark.parametrize("section", ["datasets", "predictions"])
def test_names_that_become_folders_are_plain(section, name):
    entry = DEFAULT["datasets"]["newsroom"] if section == "datasets" else {"path": "pairs.csv"}
    message = refusal(changed(section, {**DEFAULT[section], name: entry}))
    assert f"key {section}: found the name {name!r}, expected letters, digits and underscores alone" in message


@pytest.mark.parametrize(
    "dataset",
    [
        {"format": "newsroom"},
        {"format": "newsroom", "documents": {"train": 1, "dev": 1, "test": 1}, "corpus": "ud_ewt_r2.14"},
        {"format": "conllu"},
        {"format": "conllu", "corpus": "ud_ewt_r2.14"},
        {"format": "conllu", "path": "folder"},
        {"format": "ark", "path": "folder"},
        {"format": "conllu", "path": "folder", "corpus": "ud_ewt_r2.14", "members": FILES},
        {"format": "ontonotes"},
        {"format": "ontonotes", "corpus": "ontogum_v11.1"},
        {"format": "ontogum"},
        {"format": "ontogum", "documents": {"train": 1, "dev": 1, "test": 1}},
        {"format": "ontonotes", "path": "folder", "members": FILES},
    ],
    ids=lambda dataset: " ".join([dataset["format"], *list(dataset)[1:]]),
)
def test_a_dataset_has_what_its_format_needs_and_no_more(dataset):
    message = refusal(changed("datasets.own", dataset))
    assert "key datasets.own: found " in message
    assert dataset["format"] in message.partition(", expected ")[2]


EVENTS = {"period": "year", "lexicon": ["packaged"]}
REGISTERED, OWN = {"corpus": "x"}, {"path": "x"}
DATED = {"events": EVENTS}
NEEDED = {
    "newsroom": [{"documents": {"train": 1, "dev": 1, "test": 1}}],
    "conllu": [{**REGISTERED, "members": FILES}, {**OWN, "members": FILES}],
    "ark": [{**REGISTERED, "members": FILES}, {**OWN, "members": FILES}],
    "ontogum": [REGISTERED],
    "litbank": [REGISTERED],
    "nltk_treebank": [REGISTERED],
    "ontonotes": [OWN],
    "timeline": [{"messages": 1}],
    "irc": [REGISTERED],
    "sentiment140": [REGISTERED],
    "messages": [OWN],
    "newswire": [{"events": {**EVENTS, "reports": 1}}],
    "sotu": [DATED],
    "muc3": [REGISTERED | DATED],
    "current_events": [REGISTERED | DATED],
    "wikinews": [REGISTERED | DATED],
    "nitf": [OWN | DATED],
    "dated": [OWN | DATED],
}
"""The keys that each format needs beside `format`, in each of the ways in which it can be had."""


def test_every_format_can_be_configured():
    assert set(NEEDED) <= set(FORMATS)
    for name, ways in NEEDED.items():
        for needed in ways:
            check_config(changed("datasets.own", {"format": name, **needed}), SCHEMA)
            for key in needed:
                rest = {other: value for other, value in needed.items() if other != key}
                message = refusal(changed("datasets.own", {"format": name, **rest}))
                place, _, expected = message.partition(", expected ")
                assert place.startswith("configuration: key datasets.own: found ")
                assert name in expected
                assert key in expected


def test_a_dataset_is_read_from_one_place():
    message = refusal(changed("datasets.own", {"format": "conllu", **REGISTERED, **OWN, "members": FILES}))
    assert message.startswith("configuration: key datasets.own: found both 'corpus' and 'path', expected ")


def test_every_option_of_a_format_is_a_key_of_the_schema():
    dataset = load(SCHEMA)["$defs"]["dataset"]["properties"]
    for form in FORMATS.values():
        for key in form.keys:
            section, _, name = key.rpartition(".")
            assert name in (dataset[section]["properties"] if section else dataset), (form.name, key)


SIMULATED_ONLY, REAL_ONLY = (
    {"reports": 5},
    {"countries_only": True, "passages": 100, "broken": 0.1, "mixed_case": ["a"]},
)


@pytest.mark.parametrize("form", [name for name, [needed, *_] in NEEDED.items() if "events" in needed])
def test_options_of_events_that_a_format_does_not_read_are_refused(form):
    [needed] = NEEDED[form]
    for key, value in (REAL_ONLY if form == "newswire" else SIMULATED_ONLY).items():
        dataset = {"format": form, **needed, "events": {**needed["events"], key: value}}
        place, _, expected = refusal(changed("datasets.own", dataset)).partition(", expected ")
        assert place == f"configuration: key datasets.own.events: found '{key}'"
        assert expected.startswith("no such key in ")
        assert form in expected


@pytest.mark.parametrize("reading", [{"parts": 3}, {"split": "year"}])
def test_events_of_another_system_are_not_read_in_parts(reading):
    events = {**EVENTS, "system_events": "theirs.csv", **reading}
    message = refusal(changed("datasets.own", {"format": "dated", "path": "news", "events": events}))
    assert message.startswith(f"configuration: key datasets.own.events: found system_events and {next(iter(reading))}")


def test_simulated_reports_need_their_number():
    message = refusal(changed("datasets.own", {"format": "newswire", "events": EVENTS}))
    assert "events.reports" in message.partition(", expected ")[2]


@pytest.mark.parametrize(
    ("models", "found"), [(["cross_validation"], "cross_validation"), (["likelyhood"], "likelyhood")]
)
@pytest.mark.parametrize("used", [True, False])
def test_coreference_models_are_known_and_one_of_all_documents_is_first(models, found, used):
    """Also of a dataset that only events take a model of."""
    config = changed("datasets.newsroom.coref", [*models, "likelihood"])
    config["coref"]["datasets"] = ["newsroom"] if used else []
    message = refusal(config)
    assert message.startswith(f"configuration: key datasets.newsroom.coref: found '{found}'")
    assert ", expected one of coref.models" in message
    check_config(changed("datasets.newsroom.coref", ["likelihood", "cross_validation"]), SCHEMA)


def test_events_are_not_counted_with_the_models_of_folds():
    config = changed("datasets.newsroom.coref", ["likelihood", "cross_validation"])
    config["datasets"]["newswire"]["events"] = config["datasets"]["newswire"]["events"] | {
        "coref": "newsroom/cross_validation"
    }
    message = refusal(config)
    assert message.startswith("configuration: key datasets.newswire.events.coref: found 'newsroom/cross_validation'")


@pytest.mark.parametrize("parser", ["", ["newsroom"], None, 3])
def test_a_parser_is_a_text(parser):
    events = DEFAULT["datasets"]["newswire_parsed"]["events"]
    message = refusal(changed("datasets.newswire_parsed.events", {**events, "parser": parser}))
    assert message.startswith("configuration: key datasets.newswire_parsed.events.parser")
    assert "text" in message.partition("expected ")[2]


@pytest.mark.parametrize("trees", [0, 1.5, "2", None])
def test_trees_are_counted_from_one(trees):
    events = DEFAULT["datasets"]["newswire_parsed"]["events"]
    message = refusal(changed("datasets.newswire_parsed.events", {**events, "trees": trees}))
    assert message.startswith("configuration: key datasets.newswire_parsed.events.trees")


def test_pairs_of_mentions_are_counted_where_there_is_a_model():
    own = {"format": "ontogum", "corpus": "x", "expected": {"test": {"documents": 3, "pairs": 100_000}}}
    message = refusal(changed("datasets.own", own))
    assert message.startswith("configuration: key datasets.own.expected.test: found 'pairs', expected 'coref'")
    check_config(changed("datasets.own", {**own, "coref": ["likelihood"]}), SCHEMA)


def test_a_corpus_to_retrieve_has_to_be_in_the_registry():
    """The name of a corpus is looked up when it is retrieved; configurations that come along name known ones."""
    registry = (ROOT / "workflow/corpora.csv").read_text(encoding="utf-8")
    known = set(re.findall(r"^(\w[\w.]*),", registry, re.MULTILINE))
    for path in CONFIGS:
        named = {dataset["corpus"] for dataset in load(path).get("datasets", {}).values() if "corpus" in dataset}
        assert named <= known, path


def test_every_property_of_the_schema_is_described():
    bare = []

    def visit(node, place):
        if isinstance(node, Mapping):
            for name, value in node.items():
                if name == "properties":
                    bare.extend(f"{place}.{key}" for key, what in value.items() if "description" not in what)
                visit(value, f"{place}.{name}")
        elif isinstance(node, list):
            for item in node:
                visit(item, place)

    visit(RULES, "")
    assert bare == []


CUTS = ["2001-01-01", "2002-01-01"]
OPTIONS = {"period": "year", "lexicon": ["packaged"], "queries": ["attack"], "panels": [["USA", "IRQ"]], "broken": 0.1}
OPTIONS |= {"compare": ["USA", "IRQ"], "passages": 100, "mixed_case": ["dated"], "countries_only": True, "parser": "x"}
TAGGED = {
    "published": True,
    "parsed": True,
    "coref": ["likelihood", "cross_validation"],
    "one_tag": {"tag": "V", "bin_size": 3},
}


@pytest.fixture(scope="module")
def everything():
    """Return a configuration with most keys that there are, those of kinds of datasets that the default lacks too."""
    config = json.loads(json.dumps(DEFAULT))  # what YAML has once and names twice is two
    config["datasets"] |= {
        "tagged": {"format": "conllu", "corpus": "ud", "members": FILES, **TAGGED},
        "wsj": {"format": "ontonotes", "path": "folder", "wsj_only": True},
        "irc": {"format": "irc", "corpus": "x", "broken_lines": 0.1, "cuts": CUTS},
        "own": {"format": "messages", "path": "m.csv", "language": "en"},
        "dated": {"format": "muc3", "corpus": "x", "events": OPTIONS},
    }
    config["predictions"] = {"pairs": {"path": "pairs.csv", "bin_size": 3}}
    config["parsing"]["models"] = {"small": {"corpora": {"tagged": ["news"]}, "epochs": 1}}
    check_config(config, SCHEMA)
    return config


def places(value, key=()):
    """Yield every key and item of a list, as the path to it, with its value."""
    if isinstance(value, Mapping | list):
        for name, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            yield (*key, name), inner
            yield from places(inner, (*key, name))


def with_value(config, key, value):
    changed = copy.deepcopy(config)
    inner = changed
    for name in key[:-1]:
        inner = inner[name]
    inner[key[-1]] = value
    return changed


NUMBERS = [float("nan"), float("inf"), -float("inf"), 10**30, 10**400, 1e300]
TEXTS = ["", " ", "a\nb", "a\n", "\0", "\x1b[31m", "a\u2028b"]


def test_no_key_takes_numbers_beyond_all_bounds_nor_text_of_several_lines(everything):
    for key, value in places(everything):
        kinds = {int: NUMBERS, float: NUMBERS, str: TEXTS}
        for wrong in kinds.get(type(value), ()):
            message = refusal(with_value(everything, key, wrong))
            assert f"key {'.'.join(map(str, key))}: found " in message


def test_no_mapping_takes_names_that_are_no_plain_text(everything):
    for key, value in places(everything):
        if isinstance(value, Mapping):
            for wrong in (3, None, True, "a\n", "\0", "x" * 300):
                message = refusal(with_value(everything, (*key, wrong), {}))
                assert f"key {'.'.join(map(str, key))}: found the name " in message
                assert len(message) < 400


@pytest.mark.slow
def test_no_key_takes_nothing_or_less(everything):
    may_be_nothing = {("mirror",), ("draws",), ("parsing", "model")}
    for key, value in places(everything):
        for wrong in (None, -1) if isinstance(value, int | float) else (None,):
            if key in may_be_nothing:
                continue
            message = refusal(with_value(everything, key, wrong))
            assert str(key[0]) in message


@pytest.mark.parametrize(
    "name", ["$(touch x)", "a;b", "`a`", "a b", "a|b", "../a", "/a", "a/b", "{a}", "--a", "ä", "a\n"]
)
def test_names_that_become_files_cannot_be_commands_or_places(everything, name):
    for section in ("datasets", "predictions"):
        assert "found the name " in refusal(
            with_value(everything, (section, name), next(iter(everything[section].values())))
        )
    for key in (("events", "queries"), ("coref", "models"), ("parsing", "models"), ("extraction_eval", "dictionary")):
        inner = everything
        for part in key:
            inner = inner[part]
        assert "found the name " in refusal(with_value(everything, (*key, name), next(iter(inner.values()))))
    for key in (("datasets", "dated", "corpus"), ("datasets", "dated", "events", "compare", 0)):
        assert f"key {'.'.join(map(str, key))}: found " in refusal(with_value(everything, key, name))


@pytest.mark.parametrize(
    ("cuts", "expected"), [(["x", "y"], "expected a time of ISO 8601"), (CUTS[::-1], "expected the earlier one first")]
)
def test_cuts_are_times_in_order(everything, cuts, expected):
    message = refusal(with_value(everything, ("datasets", "irc", "cuts"), cuts))
    assert message.startswith("configuration: key datasets.irc.cuts: found ")
    assert message.endswith(expected)


def test_annotators_are_found_under_their_name_of_0_1():
    message = refusal(changed("extraction_eval.coders", {}))
    assert "key extraction_eval: found 'coders', which is called 'annotators' since version 0.2" in message


def test_sheets_that_a_run_may_make_anew_are_refused():
    for sheets in ({"sheets": {"U1": "results/leads/x/sheet.csv"}}, {"sheets": {"U1": "a"}, "settled": "./results/b"}):
        message = refusal(changed("extraction_eval.annotators", {"newswire_leads": sheets}))
        assert "expected a copy elsewhere" in message


def test_a_category_may_have_no_verbs_and_no_verb_two_categories():
    check_config(changed("extraction_eval.dictionary.visit.verbs", []), SCHEMA)
    assert "found 'say' in comment and in visit" in refusal(changed("extraction_eval.dictionary.visit.verbs", ["say"]))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("events.period", "year", "; 'period' belongs in datasets.<name>.events: is it indented right?"),
        ("datasets.events", {"period": "year"}, "unknown key 'period' in datasets.events; "),
        ("datasets.newswire.period", "year", "; 'period' belongs in datasets.<name>.events: is it"),
        ("queries", {}, "; 'queries' belongs in datasets.<name>.events or events: is it indented"),
        ("datasets.newswire.events", None, "key datasets.newswire.events: found None, expected keys and values"),
    ],
)
def test_a_block_in_the_wrong_place_is_shown_the_right_one(key, value, message):
    assert message in refusal(changed(key, value))


def test_events_of_annotated_texts_are_explained():
    own = {"format": "conllu", "path": "x", "members": FILES, "events": EVENTS}
    message = refusal(changed("datasets.own", own))
    assert "key datasets.own: found 'events', expected no such key in " in message
    assert message.endswith("it belongs to format newswire, sotu, muc3, current_events, wikinews, nitf, dated")


def yaml_refusal(tmp_path, content):
    path = tmp_path / "my.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(InputError) as refused:
        read_yaml(path)
    message = str(refused.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


@pytest.mark.parametrize("path", [ROOT / "config.yaml", *CONFIGS], ids=lambda path: path.stem)
def test_configurations_that_come_along_are_read(path):
    assert read_yaml(path) == load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 1, column 1: found the key 'a' twice"),
        ("a:\n  b: 1\n  'b': 2\n", "line 2, column 3: found the key 'b' twice"),
        ('{"a": [{"b": 1,\n "b": 1}]}', "line 1, column 8: found the key 'b' twice"),
        ("seed: 010\n", "line 1, column 7: found 010, which YAML reads as 8"),
        ("a: [1, -0_7]\n", "line 1, column 8: found -0_7, which YAML reads as -7"),
        ("at: 12:30\n", "line 1, column 5: found 12:30, which YAML reads as 750"),
        ("a: 1\nb: [1,\nc: [2\n", "line "),
        ("a:\n\tb: 1\n", "line 2, column 1"),
        ("a: *b\n", "line 1, column 4"),
        (b"a: \xe9", "byte 4 is not UTF-8"),
        ("a: \x00\n", "found unacceptable character"),
    ],
)
def test_a_value_that_is_not_the_one_that_one_sees_is_refused(tmp_path, content, message):
    assert yaml_refusal(tmp_path, content).startswith(message)


def test_numbers_texts_and_keys_of_several_places_are_read(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text("a: &a {x: 0, y: 10, z: '010', u: 0.5, w: 08a}\nb: {<<: *a, x: 1}\nc: [*a, *a]\n", encoding="utf-8")
    assert read_yaml(path)["b"] == {"x": 1, "y": 10, "z": "010", "u": 0.5, "w": "08a"}


@pytest.mark.slow
def test_configurations_are_checked_before_snakemake_reads_them(tmp_path):
    """Snakemake fails on such files without a line, or takes the last of two values."""
    for content, message in {
        "b: [1,\nc: [2\n": r"line 3, column 1: found ",
        "seed: 1\nseed: 2\n": r"line 1, column 1: found the key 'seed' twice",
        "seed: x\n": r"configuration: key seed: found 'x', expected a whole number",
        "seed: 3\n": None,
    }.items():
        path = tmp_path / "my.yaml"
        path.write_text(content, encoding="utf-8")
        command = [sys.executable, ROOT / "tools/check_config.py", path]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == (2 if message else 0)
        assert re.search(message or "^$", done.stderr)
        assert done.stderr.count("\n") == (1 if message else 0)
