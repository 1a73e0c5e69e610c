"""Write docs/reference/figures.md: every figure of the three texts, and what makes it here.

    python tools/figures_table.py

What an item is, its target, the functions behind its numbers and its page stand in `ITEMS`. Rules and their
scripts come from Snakemake, and the functions that draw from the table of figures and the scripts' imports.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from reproduction.workflow.rules import Rule, read_rules

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/reference/figures.md"


@dataclass(frozen=True)
class Item:
    """One figure, algorithm or set of numbers of a text."""

    name: str
    shows: str
    target: str = ""
    """The file to ask for; empty if nothing here makes it."""
    computed: tuple[str, ...] = ()
    """`module:function`: what computes the numbers.

    It is followed by `@rule` where another rule computes them than the one that makes the target.
    """
    page: str = ""
    """Page of docs, with the anchor of a heading."""
    note: str = ""
    rule: str = ""
    """The rule that makes the target, where the default run does not; else Snakemake names it."""


THESIS_CURVES = Item(
    name="",
    shows="",
    target="results/figures/newsroom/figure_thesis.png",
    computed=(
        "nlpcalib.calibration.summary:measure_calibration",
        "reproduction.tagging.evaluation:evaluate_tagger@apply_thesis_taggers",
    ),
    page="results/ablation.md#what-it-shows",
)
TWEETS = replace(
    THESIS_CURVES,
    target="results/figures/oct27/figure_thesis.png",
    rule="draw_thesis",
    note="With `configs/open.yaml`.",
)
SYNTHETIC = Item(
    name="",
    shows="",
    target="results/figures/simulation/figure_synthetic.png",
    computed=(
        "reproduction.simulation.synthetic:study@synthetic_study",
        "reproduction.simulation.synthetic:expected_score@synthetic_study",
    ),
    page="results/simulation.md#the-thesis-study-section-43",
)
PUBLISHED, EXACT = (
    "Columns `low` and `high`, grey ticks.",
    "Columns `exact_low` and `exact_high`, the dark line in each bar.",
)
PLACEHOLDER = "The thesis announces it and has none."

ITEMS = {
    "The paper (Nguyen & O'Connor 2015)": (
        Item(
            "Algorithm 1",
            "Adaptive bins and the calibration error",
            "results/tagging/newsroom/crf/tags/calibration.json",
            ("nlpcalib.calibration.binning:SortedPairs.adaptive", "nlpcalib.calibration.intervals:calibration_error"),
            "explanation/method.md#the-calibration-error",
        ),
        Item(
            "Algorithm 2",
            "The interval of the calibration error by sampling",
            "results/tagging/newsroom/crf/tags/calibration.json",
            ("nlpcalib.calibration.intervals:error_interval", "nlpcalib.calibration.intervals:simulate_mean_squares"),
            "explanation/method.md#the-calibration-error",
        ),
        Item(
            "Figure 1",
            "One tag: predictions, bins of equal width and adaptive bins",
            "results/figures/newsroom/figure_1.png",
            ("nlpcalib.calibration.binning:equal_width_bins", "nlpcalib.calibration.binning:SortedPairs.adaptive"),
            "explanation/method.md#the-calibration-error",
        ),
        Item(
            "Figure 2",
            "Happy tweets: Naive Bayes and logistic regression",
            "results/figures/timeline/figure_2.png",
            (
                "nlpcalib.calibration.summary:measure_calibration",
                "reproduction.sentiment.training:fit_naive_bayes@train_sentiment",
            ),
            "results/sentiment.md#what-figure-2-shows",
        ),
        Item(
            "Figure 3",
            "All part-of-speech tags: HMM and CRF",
            "results/figures/newsroom/figure_3.png",
            (
                "nlpcalib.calibration.summary:measure_calibration",
                "nlpcalib.systems.chains.forward_backward:forward_backward@apply_tagger",
            ),
            "explanation/method.md#the-taggers",
        ),
        Item(
            "Figure 4",
            "Errors of tags and of pairs of tags",
            "results/figures/newsroom/figure_4.png",
            (
                "reproduction.tagging.label_comparison:compare_labels@compare_taggers",
                "reproduction.tagging.paired:paired_bigrams@compare_taggers",
            ),
            "explanation/method.md#the-taggers",
            "The axes follow the supplement.",
        ),
        Item(
            "Figure 5",
            "Pairs of mentions: do they share an entity?",
            "results/figures/newsroom/figure_5.png",
            (
                "nlpcalib.systems.coref.model.posterior:pair_marginals@apply_coref",
                "reproduction.coref.evaluated:evaluate_coref@apply_coref",
            ),
            "results/findings.md#coreference-section-5",
        ),
        Item(
            "Figure 6",
            "Documents with an attacking country by quarter",
            "results/figures/newswire_parsed/figure_6_attack.png",
            ("reproduction.events.series:count_series@event_series",),
            "how-to/events.md#what-you-get",
            "Simulated reports; the paper's news needs `configs/paper.yaml`.",
        ),
        Item(
            "Figure 6: its interval as published",
            "Mean ± 1.96 standard deviations of the count",
            "results/events/newswire/attack/series.csv",
            (
                "nlpcalib.systems.coref.model.posterior:sample_entities@extract_events",
                "nlpcalib.systems.events.count.counts:count_events",
                "reproduction.events.series:count_series",
            ),
            "how-to/events.md#what-you-get",
            PUBLISHED,
        ),
        Item(
            "Figure 6: its exact interval",
            "The central 95 % of the Poisson-binomial count",
            "results/events/newswire/attack/series.csv",
            (
                "nlpcalib.estimation.poisson_binomial:PoissonBinomial.interval",
                "reproduction.events.series:count_series",
            ),
            "how-to/events.md#what-you-get",
            EXACT,
        ),
        Item(
            "Appendix: more examples",
            "Figure 6 of the 20 most frequent countries",
            "results/figures/newswire/figure_countries_attack.png",
            ("reproduction.events.series:count_series@event_series",),
            "how-to/events.md#what-you-get",
        ),
        Item(
            "Section 6.2",
            "Does one country attack more than another?",
            "results/figures/newswire/figure_comparison_attack.png",
            ("reproduction.events.comparison:compare_countries@event_series",),
            "results/verdicts.md#all-claims",
        ),
        Item(
            "Section 6.2",
            "Events with a probability of 50 %",
            "results/events/newswire/attack/audit.html",
            ("nlpcalib.systems.events.learn.audit:audit_record@extract_events",),
            "results/verdicts.md#all-claims",
        ),
    ),
    "The thesis (Nguyen 2015)": (
        Item("Section 3.3: “Figure BLAH BLAH”", "An example of a calibration curve", note=PLACEHOLDER),
        replace(THESIS_CURVES, name="Figures 4.1 to 4.3", shows="NN in the WSJ: HMM, CRF-Basic and CRF-Advanced"),
        Item(
            "Section 4.1.2: “FIGURE blah blah”",
            "What each feature template adds to the CRF",
            "results/figures/newsroom/figure_ablation.png",
            ("reproduction.tagging.ablation:candidates@train_thesis_crfs",),
            "results/ablation.md#what-it-shows",
            PLACEHOLDER,
        ),
        replace(TWEETS, name="Figures 4.4 to 4.6", shows="V in tweets: the same models"),
        replace(SYNTHETIC, name="Figures 4.7 to 4.11", shows="Score against bin size and sample size"),
        replace(
            SYNTHETIC,
            name="Section 4.3.2",
            shows="The same with other Beta distributions",
            target="results/figures/simulation/figure_betas.png",
            note="The text names no parameters.",
        ),
    ),
    "Lowe & King (2003)": (
        Item(
            "Figure 1",
            "Expected against true level of each category",
            "results/figures/newswire_leads/figure_levels.png",
            (
                "reproduction.extraction_eval.estimates:evaluate@evaluate_leads",
                "reproduction.extraction_eval.measures:expected_level@evaluate_leads",
            ),
            "results/extraction_eval.md#where-the-truth-is-known",
            "Simulated leads and our own system; the paper's are not public.",
        ),
        Item(
            "Section 3",
            "How skewed the frequencies of categories are",
            "results/figures/newswire_leads/figure_categories.png",
            ("reproduction.extraction_eval.frequencies:frequency_rows@plan_leads",),
            "how-to/extraction_eval.md#from-codings-to-a-sheet",
        ),
        Item(
            "Section 4",
            "The sample by category, and what it saves",
            "results/figures/newswire_leads/figure_saving.png",
            (
                "reproduction.extraction_eval.allocation:per_category@study_leads",
                "reproduction.extraction_eval.study:saving_rows@study_leads",
            ),
            "how-to/extraction_eval.md#reading-more-where-it-helps",
        ),
        Item(
            "Equations 1 to 3",
            "The answer given the truth, from the truth given the answer",
            "results/tables/newswire_leads/leads_categories.csv",
            (
                "reproduction.extraction_eval.measures:answer_given_truth",
                "reproduction.extraction_eval.measures:truth_given_answer",
            ),
            "how-to/extraction_eval.md#from-sheets-to-estimates",
        ),
        Item(
            "Section 4",
            "The full matrix of the answer given the truth",
            "results/figures/newswire_leads/figure_answers.png",
            ("reproduction.extraction_eval.measures:answer_given_truth@evaluate_leads",),
            "results/extraction_eval.md#where-the-truth-is-known",
        ),
        Item(
            "Equation 4",
            "The expected level of the answer given the truth",
            "results/tables/newswire_leads/leads_categories.csv",
            ("reproduction.extraction_eval.measures:expected_level",),
            "how-to/extraction_eval.md#from-sheets-to-estimates",
        ),
        Item(
            "Section 4.3",
            "The system and three undergraduate annotators",
            "results/figures/newswire_leads/figure_annotators.png",
            (
                "reproduction.extraction_eval.estimates:annotator_sample@evaluate_annotators",
                "reproduction.extraction_eval.estimates:agreement@evaluate_annotators",
            ),
            "how-to/extraction_eval.md#from-sheets-to-estimates",
            "Needs sheets of people, under `extraction_eval.annotators`.",
            rule="draw_annotators",
        ),
    ),
}


def rules_of_targets() -> dict[str, str]:
    """Return the rule that makes each file of the default run, as Snakemake has it."""
    command = [sys.executable, "-m", "snakemake", "--summary", "--cores", "1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    rows = (line.split("\t") for line in result.stdout.splitlines())
    return {row[0]: row[2] for row in rows if len(row) > 2}


def drawing_functions(rule: Rule, figure: str = "") -> list[str]:
    """Return the functions that a rule draws with, as `module:function`, or that of one of its figures.

    Its row names them, or its script imports them.
    """
    if rule.made_by:
        named = {name: place for name, place in rule.made_by.items() if name}
        return [named[figure]] if figure in named else list(named.values())
    nodes = ast.walk(ast.parse(rule.script.read_text("utf-8")))
    return [
        f"{node.module}:{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        if node.module and node.module.startswith(("nlpcalib.figures.", "reproduction.figures."))
        for alias in node.names
        if alias.name.startswith("draw_")
    ]


def link(path: Path, text: str) -> str:
    """Return a link from the page to a file of the project."""
    return f"[{text}](../../{path.relative_to(ROOT).as_posix()})"


def function_link(name: str) -> str:
    """Return a link to the file of `module:function`, without the `@rule`; raise AttributeError if there is none."""
    module, _, function = name.partition("@")[0].partition(":")
    thing = imported = import_module(module)
    for part in function.split("."):
        thing = getattr(thing, part)
    return link(Path(imported.__file__ or ""), f"`{function}`")


def shown(item: Item) -> str:
    """Return what an item shows, with a link to its page of docs if there is one, and its note."""
    link_text = f"[{item.shows}](../{item.page})" if item.page else item.shows
    return f"{link_text}. {item.note}" if item.note else link_text


def rows(items: tuple[Item, ...], made_by: dict[str, str], rules: dict[str, Rule]) -> Iterator[list[str]]:
    """Yield the cells of each item."""
    for item in items:
        rule_cell = ""
        functions: list[str] = list(item.computed)
        if item.target:
            name = item.rule or made_by[item.target]
            rule = rules[name]
            rule_cell = link(rule.file, f"`{name}`")
            figure = Path(item.target).stem.removesuffix("_attack")
            functions = [*drawing_functions(rule, figure), *functions]
        target = f"`{item.target}`" if item.target else "–"
        links = ", ".join(map(function_link, functions))
        yield [item.name, shown(item), target, rule_cell, links]


def table(header: tuple[str, ...], cells: list[list[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def page() -> str:
    """Return the page."""
    made_by, rules = rules_of_targets(), read_rules(ROOT, "studies/Snakefile")
    header = ("in the text", "shows", "target", "rule", "functions")
    parts = [
        "# Figures of the texts, and what makes them here\n",
        "`snakemake --cores 2 -- TARGET` makes one target. For other data, replace `newsroom` or `timeline` by the\n"
        "name of the dataset. `tools/figures_table.py` writes this page.\n",
    ]
    for title, items in ITEMS.items():
        parts += [f"## {title}\n", table(header, list(rows(items, made_by, rules)))]
    parts += [
        "## Differences from the published figures\n",
        "Intervals are Wilson's. Curves have more than 100 bins pooled, axes stretched towards 0 and 1, the band of a\n"
        "perfect model, a histogram and both errors. Figure 5 has several models. Figure 6 has bars with the exact\n"
        "interval, names of countries, and rates. Lowe & King's Figure 1 has gᵢ − Gᵢ by category, with intervals.\n"
        "`figure_3_as_published.png` has the text's axes, marks and units; the others have such a target too.\n",
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
