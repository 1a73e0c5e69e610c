# Helpers of all rules, and no rules.
#
# Reads:  the configuration
# Gives:  code() for the inputs of rules, the chapters' constants, and the lists of targets that `rule all` is made of

import os
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

ROOT = Path(workflow.basedir)
SOURCE = ROOT / "src"

# Jobs import the library from this checkout, whether they run in this environment, in a conda environment of their own,
# or on another node of a cluster: each of them reads this file and inherits the variable.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(SOURCE), os.getenv("PYTHONPATH")]))
)
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

from nlpcalib.workflow.configuration import check_config
from nlpcalib.io.folders import files_below
from nlpcalib.errors import InputError
from nlpcalib.workflow.imports import imported_files
from nlpcalib.tagging.variants import recipes, rung_names, steps

SPLITS = ("train", "dev", "test")
TAGGERS = ("hmm", "crf")
QUERIES = ("tags", "bigrams")
CLASSIFIERS = ("naive_bayes", "logistic_regression")
HYPERPARAMETERS = {"naive_bayes": "pseudocounts", "logistic_regression": "c"}
FIGURES = ("figure_1", "figure_3", "figure_4", "figure_smoothing")

try:
    check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
except InputError as error:
    raise WorkflowError(str(error))

COREF_MODELS = (*config["coref"]["models"], "cross_validation")


def dataset_queries(dataset):
    """Return the names of the queries that are asked of a dated dataset."""
    return config["datasets"][dataset]["events"].get("queries", EVENT_QUERIES)


EVENT_QUERIES = list(config["events"]["queries"])
THESIS_TAGGERS = recipes(config["tagging"]["ablation"]["templates"])
THESIS_FIGURES = {
    "HMM": "hmm_ml",
    "CRF-Basic": "crf_basic_adagrad",
    "CRF-Advanced": "crf_advanced_adagrad",
}
THESIS_QUERIES = ("tags", "one_tag")
PARSERS = config["parsing"]["models"]
DEPENDENCES = ("independent", "sentences", "documents")
COVERAGE = dict(config["simulation"]["coverage"])
LEXICONS = (
    "newsroom",
    "packaged",
    "registry",
    "registry_with_capitals",
    "united_states",
)
NEWS = ("sotu", "muc3", "current_events", "wikinews", "nitf", "dated")
EVENTS = [
    f"{dataset}/{query}"
    for dataset in config["events"]["datasets"]
    for query in dataset_queries(dataset)
]
TRUE_EVENTS = [
    name
    for name in EVENTS
    if config["datasets"][Path(name).parts[0]]["format"] == "newswire"
]
TRUE_LEADS = [
    name
    for name in config["extraction_eval"]["datasets"]
    if config["datasets"][name]["format"] == "newswire"
]
SCALES = ("packaged", "registry")
TWO_SIDES = [
    name
    for name in EVENTS
    if "compare" in config["datasets"][Path(name).parts[0]]["events"]
]
BETAS = {f"beta_{a:g}_{b:g}": [a, b] for a, b in config["simulation"]["betas"]}


def code(*scripts):
    """Return the library files that scripts import, directly or not.

    Snakemake sees a change of a script by itself, but not of a module: as inputs, modules rerun exactly what uses them.
    """
    found = imported_files([ROOT / "scripts" / script for script in scripts], SOURCE)
    return [path.relative_to(ROOT).as_posix() for path in found]


def dataset_option(key, default=None):
    """Return a params function that looks an option of the dataset up."""
    return lambda wildcards: config["datasets"][wildcards.dataset].get(key, default)


def one_tag(wildcards):
    """Return the tag that a dataset's one-tag query asks for, and the size of its bins."""
    default = config["tagging"]["ablation"]["one_tag"]
    return default | config["datasets"][wildcards.dataset].get("one_tag", {})


def bin_size(wildcards):
    """Return the target bin size of a query: a one-tag query has few pairs, so its bins are small."""
    if wildcards.query == "one_tag":
        return one_tag(wildcards)["bin_size"]
    default = config["calibration"]["bin_size"]
    return config[wildcards.chapter].get("bin_size", default)


def names_with(**options):
    """Return a wildcard constraint: the datasets whose options have one of the given values."""
    names = [
        name
        for name, dataset in config["datasets"].items()
        if all(dataset.get(key) in values for key, values in options.items())
    ]
    return "|".join(names) or "no dataset"


@cache
def own(path, names=()):
    """Return the path of something of the user's own, with a warning if nothing is there.

    Where earlier results are, Snakemake says nothing and takes them for those of a file that is missing or misspelt;
    it does so even if this function fails. Instead of a path, one of `names` might have been meant.
    """
    if not Path(path).exists():
        meant = f", or one of {', '.join(names)}" if names else ""
        logger.warning(
            f"{path}: no such file or folder, expected one{meant}. What earlier runs made of it stays as it is."
        )
    return path


def corpus_source(wildcards):
    """Return where a dataset is read from: the archive of its corpus, or a file or folder of the user's."""
    dataset = config["datasets"][wildcards.dataset]
    return own(dataset["path"]) if "path" in dataset else archive(dataset["corpus"])


def corpus_files(wildcards):
    """Return the files that a dataset is made of, so that an edit of one of them is seen."""
    dataset = config["datasets"][wildcards.dataset]
    if "path" not in dataset:
        return corpus_source(wildcards)
    if "members" in dataset:
        members = dataset["members"].values()
        return [own(f"{dataset['path']}/{member}") for member in members]
    patterns = ("*_gold_conll", "*_gold_skel") if "words" in dataset else ("*conll*",)
    return [
        str(path)
        for path in files_below(Path(own(dataset["path"])))
        if path.is_file() and any(map(path.match, patterns))
    ]


def is_dated(wildcards):
    return config["datasets"][wildcards.dataset]["format"] in (*NEWS, "newswire")


def counted_splits(wildcards):
    """Return the splits of an annotated dataset, whose sizes are compared with published ones."""
    if is_dated(wildcards):
        return []
    return [f"results/corpora/{wildcards.dataset}/{split}.conllu" for split in SPLITS]


def counted_documents(wildcards):
    """Return the tables of a dated dataset's documents."""
    if not is_dated(wildcards):
        return []
    shards = config["events"]["shards"]
    return [
        f"results/events/{wildcards.dataset}/documents/{shard}-of-{shards}.csv"
        for shard in range(1, shards + 1)
    ]


def counted_pairs(wildcards):
    """Return the calibration of a coreference model of the held-out documents, if their pairs are to be counted."""
    held_out = config["coref"]["held_out"]
    dataset = config["datasets"][wildcards.dataset]
    if "pairs" not in dataset["expected"].get(held_out, {}):
        return []
    return [
        coref_file(wildcards.dataset, dataset["coref"][0], "pairs/calibration.json")
    ]


def size_targets():
    parts = ("tagging", "coref", "events", "extraction_eval")
    used = {name for part in parts for name in config[part]["datasets"]}
    used.update(config["tagging"]["ablation"]["datasets"])
    return [
        f"results/tables/{name}/corpus_sizes.csv"
        for name in sorted(used)
        if "expected" in config["datasets"][name]
    ]


def calibration_outputs(folder):
    return {
        "summary": f"{folder}/calibration.json",
        "bins": f"{folder}/bins.csv",
        "by_label": f"{folder}/by_label.csv",
        "curve": f"{folder}/reliability.csv",
        "pdf": f"{folder}/reliability.pdf",
    }


def prediction_targets():
    return expand(
        "results/predictions/{name}/{file}",
        name=config["predictions"],
        file=["calibration.json", "reliability.png"],
    )


def sentiment_targets():
    return [
        *expand(
            "results/figures/{dataset}/{figure}.png",
            dataset=config["sentiment"]["datasets"],
            figure=("figure_2", "figure_regularisation"),
        ),
        *expand(
            "results/tables/{dataset}/sentiment.csv",
            dataset=config["sentiment"]["datasets"],
        ),
    ]


def tagging_targets():
    datasets = config["tagging"]["datasets"]
    return [
        *expand(
            "results/figures/{dataset}/{figure}.png", dataset=datasets, figure=FIGURES
        ),
        *expand(
            "results/tables/{dataset}/{table}.csv",
            dataset=datasets,
            table=("taggers", "comparison"),
        ),
        *expand(
            "results/tagging/{dataset}/{model}/{query}/calibration.json",
            dataset=datasets,
            model=TAGGERS,
            query=QUERIES,
        ),
    ]


def ablation_targets():
    return expand(
        [
            "results/figures/{dataset}/figure_{figure}.png",
            "results/tables/{dataset}/ablation.csv",
        ],
        dataset=config["tagging"]["ablation"]["datasets"],
        figure=("thesis", "ablation"),
    )


def bin_size_targets():
    datasets = {
        "sentiment": config["sentiment"]["datasets"],
        "tagging": config["tagging"]["datasets"],
        "ablation": config["tagging"]["ablation"]["datasets"],
        "coref": config["coref"]["datasets"],
    }
    return [
        f"results/figures/{dataset}/figure_bin_size_{models}.png"
        for models, names in datasets.items()
        for dataset in names
    ]


def bin_size_pairs(wildcards):
    """Return the pairs of every model of a chapter: the tables that differ in bin size in one figure."""
    simulated = config["datasets"][wildcards.dataset]["format"] == "timeline"
    chapter, models, queries = {
        "sentiment": (
            "sentiment",
            (*CLASSIFIERS, "oracle") if simulated else CLASSIFIERS,
            ("happy",),
        ),
        "tagging": ("tagging", TAGGERS, QUERIES),
        "ablation": ("tagging", THESIS_TAGGERS, ("one_tag",)),
        "coref": (
            "coref",
            config["datasets"][wildcards.dataset].get("coref"),
            ("pairs",),
        ),
    }[wildcards.models]
    return expand(
        "results/{chapter}/{dataset}/{model}/{query}/pairs.parquet",
        chapter=chapter,
        dataset=wildcards.dataset,
        model=models,
        query=queries,
    )


def models_bin_size(wildcards):
    """Return the target bin size that a chapter's models are measured with."""
    if wildcards.models == "ablation":
        return one_tag(wildcards)["bin_size"]
    default = config["calibration"]["bin_size"]
    return config[wildcards.models].get("bin_size", default)


def simulation_targets():
    figures = []
    if BETAS:
        figures += ["figure_synthetic", "figure_betas"]
    if config["simulation"]["bin_counts"]:
        figures += ["figure_bin_size_truth", "figure_bin_counts"]
    figures += [f"figure_coverage_{n}" for n in COVERAGE]
    return expand("results/figures/simulation/{figure}.png", figure=figures)


def parsing_targets():
    return expand("results/tables/parsing/accuracy_{parser}.html", parser=PARSERS)


def treebanks(split):
    """Return an input function: the files of the datasets that a parser is trained on."""
    return lambda wildcards: expand(
        f"results/corpora/{{dataset}}/{split}.conllu",
        dataset=PARSERS[wildcards.parser]["corpora"],
    )


def parser_file(model):
    """Return the file of a parser if the workflow trains it."""
    return f"results/parsing/{model}/parser.zip" if model in PARSERS else []


def coref_targets():
    datasets = config["coref"]["datasets"]
    return [
        *expand(
            [
                "results/figures/{dataset}/figure_5.png",
                "results/figures/{dataset}/figure_sampling.png",
                "results/tables/{dataset}/coref_models.csv",
            ],
            dataset=datasets,
        ),
        *(
            coref_file(dataset, "packaged", "with_card.npz")
            for dataset in datasets
            if "packaged" in config["datasets"][dataset]["coref"]
        ),
    ]


def coref_models(wildcards):
    """Return the coreference models of a dataset, the one that its figures are about first."""
    return config["datasets"][wildcards.dataset]["coref"]


def coref_file(dataset, model, file):
    return f"results/coref/{dataset}/{model}/{file}"


def of_each_coref_model(file):
    """Return an input function: a file of every coreference model of a dataset."""
    return lambda wildcards: [
        coref_file(wildcards.dataset, model, file) for model in coref_models(wildcards)
    ]


def annotated(*splits):
    """Return an input function: splits of a dataset with its own trees, or with the parser's."""
    return lambda wildcards: [
        "results/{}/{}/{}.conllu".format(
            (
                "parsing"
                if config["datasets"][wildcards.dataset].get("parsed")
                else "corpora"
            ),
            wildcards.dataset,
            split,
        )
        for split in splits
    ]


def coref_held_out(wildcards):
    """Return the documents that a model is applied to: the test set, or those of all folds."""
    cross_validation = wildcards.model == "cross_validation"
    splits = SPLITS if cross_validation else [config["coref"]["held_out"]]
    return annotated(*splits)(wildcards)


def coref_trained(wildcards):
    """Return the model, or those of all folds."""
    files = ["model.npz"]
    if wildcards.model == "cross_validation":
        files = [f"model_{fold}.npz" for fold in range(config["coref"]["folds"])]
    return [coref_file(wildcards.dataset, wildcards.model, file) for file in files]


def coref_mentions(model):
    """Return whether a coreference model is given predicted or gold mentions."""
    return config["coref"]["models"].get(model, {}).get("mentions", "predicted")


def archive(corpus):
    """Return the file in which a corpus of the registry is kept."""
    return f"results/corpora/archives/{corpus}.zip"


def events_option(key, default=None):
    """Return a params function that looks an option of how events are counted in a dataset up."""
    return lambda wildcards: config["datasets"][wildcards.dataset]["events"].get(
        key, default
    )


def named_query(name):
    """Return a query as the library reads it."""
    return {"name": name, **config["events"]["queries"][name]}


def event_queries(wildcards):
    """Return the queries that are asked of a dataset: none of one whose leads are coded, so that all are parsed."""
    if wildcards.dataset in config["extraction_eval"]["datasets"]:
        return []
    return list(map(named_query, dataset_queries(wildcards.dataset)))


def parsed_news(wildcards):
    """Return the shard of parsed documents, or of simulated reports with the trees they were written with."""
    parsed = events_option("parser")(wildcards) != "gold"
    return f"results/events/{{dataset}}/{'parsed' if parsed else 'reports'}/{{scatteritem}}.conllu"


def is_simulated(wildcards):
    return config["datasets"][wildcards.dataset]["format"] == "newswire"


def news_source(wildcards):
    """Return what a dated corpus is read from: an archive, the user's own, or nothing for an installed package."""
    dataset = config["datasets"][wildcards.dataset]
    if "path" in dataset:
        return own(dataset["path"])
    return archive(dataset["corpus"]) if "corpus" in dataset else None


def news_files(wildcards):
    """Return the files of a dated corpus, so that an edit of one of them is seen."""
    source = news_source(wildcards)
    if source and Path(source).is_dir():
        return [str(path) for path in files_below(Path(source)) if path.is_file()]
    return source or []


def mixed_case(wildcards):
    """Return the datasets from which it is learned how the words of an upper-case one are written."""
    names = events_option("mixed_case", [])(wildcards)
    return [config["datasets"][name] for name in names]


def named_only(wildcards):
    """Return the lexicon where documents without any country's name are left out."""
    options = config["datasets"][wildcards.dataset]["events"]
    return options["lexicon"] if options.get("countries_only") else None


def lexicon_archive(wildcards):
    """Return the dictionaries of the registry, where a dataset's lexicon needs them."""
    sources = events_option("lexicon")(wildcards)
    registered = any(source.startswith("registry") for source in sources)
    return [archive("lexicon")] if registered else []


def lexicon_tables(wildcards):
    """Return the tables of the user's own in a dataset's lexicon."""
    return [
        own(source, LEXICONS)
        for source in events_option("lexicon")(wildcards)
        if source not in LEXICONS
    ]


def events_coref(wildcards):
    """Return the coreference model of a dataset of events if the workflow trains it."""
    model = events_option("coref")(wildcards)
    return [coref_file(*Path(model).parts, "model.npz")] if model else []


def event_truth_file(wildcards):
    """Return the true counts of events where reports are simulated."""
    return (
        [f"results/events/{wildcards.dataset}/{wildcards.query}/truth.csv"]
        if is_simulated(wildcards)
        else []
    )


def of_each_query(file):
    """Return an input function: a file of every query of a dataset."""
    return lambda wildcards: [
        f"results/events/{wildcards.dataset}/{query}/{file}"
        for query in dataset_queries(wildcards.dataset)
    ]


def event_targets():
    targets = [
        f"results/events/{name}/probabilities/calibration.json" for name in TRUE_EVENTS
    ]
    if TRUE_EVENTS:
        targets.append("results/tables/events/coverage.csv")
    for dataset in config["events"]["datasets"]:
        targets.append(f"results/tables/{dataset}/event_counts.csv")
        for query in dataset_queries(dataset):
            targets += expand(
                "results/figures/{dataset}/{figure}_{query}.png",
                dataset=dataset,
                query=query,
                figure=("figure_6", "figure_countries", "figure_comparison"),
            )
            targets.append(f"results/events/{dataset}/{query}/audit.html")
        if config["datasets"][dataset]["format"] == "newswire":
            targets.append(f"results/events/{dataset}/rates.csv")
    return targets


def weights_archive(wildcards):
    """Return the archive with the weights of CAMEO's codes, where they are those of the registry."""
    registered = config["extraction_eval"]["scale"] == "registry"
    return [archive("lexicon")] if registered else []


def weights_table(wildcards):
    """Return the user's own table of weights."""
    scale = config["extraction_eval"]["scale"]
    return [] if scale in SCALES else [own(scale, SCALES)]


def lead_targets():
    return [
        *expand(
            "results/figures/{dataset}/figure_categories.png",
            dataset=config["extraction_eval"]["datasets"],
        ),
        *expand(
            "results/figures/{dataset}/figure_{figure}.png",
            dataset=TRUE_LEADS,
            figure=("levels", "rates", "saving"),
        ),
        *expand(
            "results/tables/{dataset}/leads_{table}.csv",
            dataset=TRUE_LEADS,
            table=("summary", "categories", "coverage", "naive"),
        ),
        *expand(
            "results/figures/{dataset}/figure_coders.png",
            dataset=config["extraction_eval"]["coders"],
        ),
    ]


def coders(wildcards):
    """Return the sheets in which people coded a dataset's leads, by name."""
    coded = config["extraction_eval"]["coders"].get(wildcards.dataset, {"sheets": {}})
    return {name: own(path) for name, path in coded["sheets"].items()}


def settled_sheet(wildcards):
    """Return the sheet of what the coders of a dataset settled."""
    coded = config["extraction_eval"]["coders"].get(wildcards.dataset, {})
    return [own(coded["settled"])] if "settled" in coded else []


def own_corpora():
    """Return the datasets whose very numbers are published: the paper's and thesis' articles, the thesis' tweets."""
    return [
        name
        for name, dataset in config["datasets"].items()
        if dataset.get("wsj_only") or dataset.get("published")
    ]


def of_each_tagger(file):
    return {model: f"results/tagging/{{dataset}}/{model}/{file}" for model in TAGGERS}


def of_each_classifier(file):
    """Return an input function: a file of every classifier, and of the truth where messages are simulated."""

    def files(wildcards):
        simulated = config["datasets"][wildcards.dataset]["format"] == "timeline"
        models = (*CLASSIFIERS, "oracle") if simulated else CLASSIFIERS
        return [
            f"results/sentiment/{wildcards.dataset}/{model}/{file}" for model in models
        ]

    return files


def figure_outputs(figure, label, chapter="tagging"):
    """Return the files of a dataset's figure, as `figure_files` does."""
    return figure_files(
        f"results/figures/{{dataset}}/{figure}",
        caption=f"../report/{figure}.rst",
        category=f"{chapter}: {{dataset}}",
        subcategory="Figures of the paper",
        labels={"figure": label},
    )


def event_figure(figure, label):
    """Return the files of a figure of a query's events, as `figure_files` does."""
    return figure_files(
        f"results/figures/{{dataset}}/{figure}_{{query}}",
        caption=f"../report/{figure}.rst",
        category="events: {dataset}",
        subcategory="Figures of the paper",
        labels={"query": "{query}", "figure": label},
    )


def simulation_figure(figure, label):
    """Return the files of a figure of simulated pairs, as `figure_files` does."""
    return figure_files(
        f"results/figures/simulation/{figure}",
        caption=f"../report/{figure}.rst",
        category="simulation",
        labels={"shows": label},
    )


def figure_files(stem, **shown):
    """Return a figure's files: the one in the report, one for print, and the numbers drawn."""
    return {
        "png": report(f"{stem}.png", **shown),
        "pdf": f"{stem}.pdf",
        "csv": f"{stem}.csv",
    }


def table_page(table, label, chapter):
    """Return the page of a dataset's table in the report."""
    return report(
        f"results/tables/{{dataset}}/{table}.html",
        caption=f"../report/{table}.rst",
        category=f"{chapter}: {{dataset}}",
        subcategory="Tables",
        labels={"table": label},
    )
