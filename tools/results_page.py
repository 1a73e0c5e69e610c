"""Write the numbers of docs: tables of its pages, docs/results/default-run.md and docs/results/verdicts.md.

    python -m tools.results_page             # tables of the pages, as docs/results/tables has them
    python -m tools.results_page results     # first, those of docs/results/tables that this run has files for

A table of a page stands between `<!-- table: NAME -->` and `<!-- end -->`, its cells in docs/results/tables/NAME.csv,
or in docs/results/benchmarks/NAME.csv where a program that no run has measured them.
A page may show a part of it, with a link to the file. `result_tables` takes them from the files of a run, of any tier.
A run of the default or of the open tier also gives pictures and the verdict on every claim. Pictures go to
docs/results/images with fewer colours, so that they stay small. Claims go to docs/results/claims, with the run's commit
and configuration. The pages, and the parts of the README between `<!-- NAME -->` and `<!-- end -->`, are made of these
files and tables, so that a test can compare them without a run.
"""

from __future__ import annotations

import csv
import hashlib
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml
from PIL import Image
from tools.result_tables import TABLES, verdicts
from tools.result_tables.cells import Row, Shown

from nlpcalib.io.files import read_csv, read_json, write_csv, write_json
from reproduction.claims.chapters import WITHOUT_TEXT

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = DOCS / "results"
CLAIMS = PAGES / "claims"
README = ROOT / "README.md"
BLOCK = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->\n", re.DOTALL)
PART = re.compile(r"<!-- (\w+) -->\n.*?<!-- end -->\n", re.DOTALL)
"""A part of the README that is made of a run."""
PICTURES = {
    "timeline/figure_2": "Naive Bayes is too extreme, logistic regression too cautious. Logistic regression's error is "
    "half that of Naive Bayes.",
    "newsroom/figure_3": "Both taggers are close to the diagonal in the middle. "
    "Near certainty they are underconfident, the HMM only slightly.",
    "newsroom/figure_4": "The CRF has the lower mean error on tags and on pairs of tags; names (NNP) differ most.",
    "newsroom/figure_5": "The grey band is how far a perfectly calibrated coreference model would vary.",
    "newswire_parsed/figure_6_attack": "Attacks by quarter, from plain text: most true counts lie in the interval.",
    "newswire/figure_6_attack": "The same with the true trees of the reports.",
    "newswire_leads/figure_answers": "Most events are extracted in the right category. "
    "Others end up in a similar category or are missed.",
    "newswire_leads/figure_levels": "Few categories are biased, and intervals are wide.",
}
OPEN_PICTURES = {
    "wsj_sample_fixed/figure_3_as_published": "The paper's experiment: an HMM with one pseudocount, and a CRF "
    "trained on as many sentences as match its accuracy.",
    "wsj_sample/figure_3": "The same with the HMM chosen on the development set, and a neural tagger.",
    "ewt/figure_3": "A neural tagger is overconfident, and one temperature mends it.",
    "ewt/figure_4": "In the paper's bins the neural tagger looks best; bias-corrected it is the worst.",
}
WIDTH = 1000
"""Pixels of a picture."""


def committed(name: str) -> Shown:
    """Return the rows of a table as they are committed: of a run, or of a program that measured them once."""
    with (PAGES / f"{'tables' if name in TABLES else 'benchmarks'}/{name}.csv").open(
        encoding="utf-8", newline=""
    ) as file:
        return list(csv.reader(file))


def on_page(name: str) -> Shown:
    """Return the part of a committed table that its page shows."""
    return TABLES[name].page(committed(name)) if name in TABLES else committed(name)


def as_markdown(table: Shown) -> str:
    """Return a table in Markdown."""
    header, *rows = table
    lines = [f"| {' | '.join(cell.replace('|', '∣') for cell in line)} |\n" for line in (header, *rows)]
    return "".join([lines[0], "|", "---|" * len(header), "\n", *lines[1:]])


def with_tables(text: str) -> str:
    """Return a page with its tables as they are committed."""

    def block(found: re.Match[str]) -> str:
        return f"<!-- table: {found[1]} -->\n\n{as_markdown(on_page(found[1]))}\n<!-- end -->\n"

    return BLOCK.sub(block, text)


def update_tables(results: Path) -> None:
    """Write the committed tables that a run has files for."""
    for name, table in TABLES.items():
        rows = table.read(results)
        if rows and len(rows) > 1:  # more than the names of columns
            with (PAGES / f"tables/{name}.csv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)


def commit_of_checkout() -> str:
    """Return the commit of this checkout; `-dirty` where files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def tier_of(results: Path) -> str:
    """Return the tier of a run, whose folder may have claims of others before it; empty for a run of studies alone."""
    config = results / "config.yaml"
    return yaml.safe_load(config.read_text(encoding="utf-8"))["tier"] if config.is_file() else ""


def keep_claims(results: Path, tier: str, commit: str) -> None:
    """Keep the claims of a run, if it is of this tier, with the commit of its checkout and the run's configuration."""
    path = results / f"tables/claims/{tier}.csv"
    if path.is_file():
        CLAIMS.mkdir(exist_ok=True)
        write_csv(CLAIMS / f"{tier}.csv", read_csv(path))
        digest = hashlib.sha256((results / "config.yaml").read_bytes()).hexdigest()[:12]
        write_json(CLAIMS / f"{tier}.json", {"commit": commit, "configuration": digest})


def kept_claims(tier: str) -> tuple[list[Row], str]:
    """Return the claims of the run of a tier that is kept, and where they are from in one line; none without a run."""
    path = CLAIMS / f"{tier}.csv"
    if not path.is_file():
        return [], ""
    rows, run = read_csv(path), read_json(path.with_suffix(".json"))
    datasets = len({row["dataset"] for row in rows})
    made = f"commit `{run['commit']}`, configuration `{run['configuration']}`"
    return rows, f"{made}, {len(rows)} verdicts on {datasets} datasets"


def copy_picture(results: Path, name: str) -> None:
    """Copy a figure in `WIDTH` pixels and 128 colours."""
    image = Image.open(results / f"figures/{name}.png").convert("RGB")
    image.thumbnail((WIDTH, image.height), Image.Resampling.LANCZOS)
    path = PAGES / "images" / f"{name.replace('/', '-')}.png"
    path.parent.mkdir(exist_ok=True)
    image.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def pictures(sentences: Mapping[str, str]) -> str:
    """Return figures with their sentences, in Markdown."""
    return "".join(
        f"\n![{name}](images/{name.replace('/', '-')}.png)\n\n`{name}`: {sentence}\n"
        for name, sentence in sentences.items()
    )


DEFAULT_PAGE = """# The default run

```sh
snakemake --cores 2
python -m tools.results_page results    # writes this page
```

All text is simulated except the State of the Union. The run takes seven to nine minutes on two cores.
[Verdicts](verdicts.md) lists how each published claim came out. Shown here: {run}.
{pictures}"""
VERDICTS_PAGE = """# Verdicts on the published claims

* Open corpora: {opened_run} ([measured values and intervals](claims/open.csv)).
* [Default run](default-run.md): {default_run} ([measured values and draws](claims/embedded.csv)).

```sh
snakemake --cores 2 --configfile configs/open.yaml configs/verdicts.yaml -- results/tables/tiers.csv {figures}
python -m tools.results_page results    # writes this page
```

`configs/verdicts.yaml` leaves out what takes hours: current events, MUC-3 and further coreference models.

{tally}{pictures}
## All claims

| verdict | meaning |
| --- | --- |
| reproduced, differs | the 95 % interval decides; on simulated text nine of ten draws with other seeds agree |
| as in the paper | reproduced, on simulated text |
| undecided | evidence is not enough: at (9 ×) nine times the text would be, at (8 : 2) it holds in eight draws of ten |
| draws wanting | the draws are of an earlier version, or lack what the claim compares |
| not applicable | the corpus lacks what the claim is about |

{all}
The [quotations](../../src/reproduction/claims/verdicts.tsv) have the texts' own words. A direction is given for each of
the upper three quarters of [0, 1].
"""


def with_parts(text: str, rows: Sequence[Row]) -> str:
    """Return the README with what was measured: Figure 3, the neural tagger, the tally and a claim of each chapter."""
    parts = {
        "figure_3": lambda: verdicts.of_figure_3(rows, committed("taggers_open")),
        "neural_tagger": lambda: verdicts.of_neural_tagger(committed("neural_tagger")),
        "verdicts": lambda: f"{verdicts.tallied(rows)}\n\n{as_markdown(verdicts.telling(rows))}",
    }
    return PART.sub(lambda part: f"<!-- {part[1]} -->\n\n{parts[part[1]]()}\n<!-- end -->\n", text)


def pages_of_claims() -> dict[Path, str]:
    """Return the pages that are made of kept claims, by their paths, as they are to be."""
    (judged, opened_run), (default, default_run) = (kept_claims(tier) for tier in ("open", "embedded"))
    real = [row for row in judged if row["dataset"] not in WITHOUT_TEXT]
    return {
        PAGES / "default-run.md": DEFAULT_PAGE.format(run=default_run, pictures=pictures(PICTURES)),
        PAGES / "verdicts.md": VERDICTS_PAGE.format(
            opened_run=opened_run,
            default_run=default_run,
            figures=" ".join(f"results/figures/{name}.png" for name in OPEN_PICTURES),
            tally=as_markdown(verdicts.tally(real)),
            pictures=pictures(OPEN_PICTURES),
            all=as_markdown(verdicts.of_claims(real, default)),
        ),
        README: with_parts(README.read_text(encoding="utf-8"), real),
    }


def main(results: Path | None) -> None:
    """Update what a run has files for, and then all pages."""
    if results:
        commit = commit_of_checkout()  # before pages are written
        update_tables(results)
        tier = tier_of(results)
        keep_claims(results, tier, commit)
        if (results / f"tables/claims/{tier}.csv").is_file():
            for name in {"embedded": PICTURES, "open": OPEN_PICTURES}.get(tier, {}):
                copy_picture(results, name)
    for path, text in pages_of_claims().items():
        path.write_text(text, encoding="utf-8")
    for page in sorted(DOCS.rglob("*.md")):
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
