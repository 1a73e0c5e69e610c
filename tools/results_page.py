"""Write the numbers of docs: tables of its pages, and the whole of docs/results/default-run.md.

    python -m tools.results_page             # tables of the pages, as docs/results/tables has them
    python -m tools.results_page results     # first, those of docs/results/tables that this run has files for

A table of a page stands between `<!-- table: NAME -->` and `<!-- end -->`, its cells in docs/results/tables/NAME.csv.
A page may show a part of it, with a link to the file. `result_tables` takes them from the files of a run, of any tier.
A default run also gives the main pictures and the verdict on every claim. Pictures go to docs/results/images with
fewer colours, so that they stay small.

A run of the open tier writes docs/results/verdicts.md: every verdict on real text. Its most telling claims stand
in the README, between `<!-- verdicts -->` and `<!-- end -->` where it has this block.

docs/results/claims keeps the claims of each tier's run, with its commit and configuration. The pages of verdicts are
made of these files, so that a test can compare them without a run.
"""

from __future__ import annotations

import csv
import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path

from PIL import Image
from tools.result_tables import TABLES, verdicts
from tools.result_tables.cells import Row, Shown

from nlpcalib.io.files import read_csv, read_json, write_csv, write_json
from reproduction.claims.chapters import WITHOUT_TEXT
from reproduction.claims.verdicts import (
    AS_IN_THE_PAPER,
    DIFFERS,
    DRAWS_WANTING,
    NOT_APPLICABLE,
    REPRODUCED,
    UNDECIDED,
    read_claims,
)

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = DOCS / "results"
PAGE = PAGES / "default-run.md"
CLAIMS = PAGES / "claims"
README = ROOT / "README.md"
DRAWS = ROOT / "workflow/draws.csv"
BLOCK = re.compile(r"<!-- table: (\w+) -->\n.*?<!-- end -->\n", re.DOTALL)
TELLING = re.compile(r"<!-- verdicts -->\n.*?<!-- end -->\n", re.DOTALL)
PICTURES = {
    "timeline/figure_2": "Naive Bayes is too extreme, logistic regression too cautious. Logistic regression's error is "
    "half that of Naive Bayes.",
    "newsroom/figure_3": "Both taggers are close to the diagonal in the middle. "
    "Near .99 they are underconfident, the HMM by little.",
    "newsroom/figure_4": "The CRF has the lower mean error on tags and on pairs of tags; names (NNP) differ most.",
    "newsroom/figure_5": "A perfectly calibrated coreference model would vary as widely as the grey band.",
    "newswire_parsed/figure_6_attack": "Attacks by quarter, from plain text: most true counts lie in the interval.",
    "newswire/figure_6_attack": "The same from the trees with which the reports were simulated.",
    "newswire_leads/figure_answers": "Most events are extracted as what they are. "
    "Others are taken for a similar category, or not extracted at all.",
    "newswire_leads/figure_levels": "Few categories are biased. Intervals are wide.",
}
OPEN_PICTURES = {
    "wsj_sample_fixed/figure_3_as_published": "The paper's experiment: the HMM of one pseudocount, and a CRF with as "
    "many sentences as make it as accurate.",
    "wsj_sample/figure_3": "The same with the HMM that the development set chose, and a neural tagger next to both.",
}
VERDICTS = (REPRODUCED, AS_IN_THE_PAPER, DIFFERS, UNDECIDED, DRAWS_WANTING, NOT_APPLICABLE)
DIRECTIONS = "Directions are those of each of the upper three quarters of [0, 1], or of all three."
WIDTH = 1000
"""Pixels of a picture."""


def committed(name: str) -> Shown:
    """Return the rows of a table as they are committed."""
    with (PAGES / f"tables/{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def on_page(name: str) -> Shown:
    """Return the part of a committed table that its page shows."""
    return TABLES[name].page(committed(name))


def as_markdown(table: Shown) -> str:
    """Return a table in Markdown."""
    header, *rows = table
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '∣') for cell in line)} |\n" for line in lines)


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


def keep_claims(results: Path, tier: str, commit: str) -> None:
    """Keep the claims of a run, if it is of this tier, with the commit of its checkout and the run's configuration."""
    path = results / f"tables/claims/{tier}.csv"
    if path.is_file():
        CLAIMS.mkdir(exist_ok=True)
        write_csv(CLAIMS / f"{tier}.csv", read_csv(path))
        digest = hashlib.sha256((results / "config.yaml").read_bytes()).hexdigest()[:12]
        write_json(CLAIMS / f"{tier}.json", {"commit": commit, "configuration": digest})


def kept_claims(tier: str) -> tuple[list[Row], str] | None:
    """Return the claims of the run of a tier that is kept, and where they are from in one line; None without a run."""
    path = CLAIMS / f"{tier}.csv"
    if not path.is_file():
        return None
    rows, run = read_csv(path), read_json(path.with_suffix(".json"))
    datasets = len({row["dataset"] for row in rows})
    made = f"Commit `{run['commit']}`, configuration `{run['configuration']}`"
    return rows, f"{made}: {len(rows)} verdicts on {datasets} datasets.\n\n"


def claims(rows: Sequence[Row]) -> str:
    """Return the table of verdicts by dataset, and that of all claims, in Markdown."""
    found = [verdict for verdict in VERDICTS if any(row["verdict"] == verdict for row in rows)]
    tally = [["dataset", *found]]
    for name, group in groupby(rows, key=lambda row: row["dataset"]):
        counts = Counter(row["verdict"] for row in group)
        tally.append([f"`{name}`", *(str(counts[verdict] or "") for verdict in found)])
    return f"{as_markdown(tally)}\n{as_markdown(verdicts.drawn(rows))}"


def draws_made() -> str:
    """Return what verdicts rest on, in words."""
    rows = read_csv(DRAWS)
    versions = {(claim.place, claim.claim): claim.version for claim in read_claims()}
    current = [row for row in rows if versions.get((row["place"], row["claim"])) == row["version"]]
    judged = {(row["dataset"], row["place"], row["claim"]) for row in current}
    return (
        "*Reproduced* and *differs*: the interval of this run decides, and at least nine of ten draws of simulated "
        "text with other seeds agree (`workflow/draws.csv`). *Draws 8 : 2*: the claim holds in eight and not in two; "
        "other draws are undecided. "
        "*As in the paper* is what holds on simulated text. *Undecided*: the interval holds both answers, or draws "
        "disagree. *Not applicable*: the corpus lacks what the claim is about, such as the paper's own numbers. "
        f"{len(judged)} claims on a dataset have draws; one whose judge changed since then has *draws wanting*. "
        f"{DIRECTIONS}\n\n"
    )


def copy_picture(results: Path, name: str) -> None:
    """Copy a figure in `WIDTH` pixels and 128 colours."""
    image = Image.open(results / f"figures/{name}.png").convert("RGB")
    image.thumbnail((WIDTH, image.height), Image.Resampling.LANCZOS)
    path = PAGE.parent / "images" / f"{name.replace('/', '-')}.png"
    path.parent.mkdir(exist_ok=True)
    image.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def pictures(sentences: Mapping[str, str]) -> str:
    """Return figures with their sentences, in Markdown."""
    return "".join(
        f"\n![{name}](images/{name.replace('/', '-')}.png)\n\n`{name}`: {sentence}\n"
        for name, sentence in sentences.items()
    )


def default_page(rows: Sequence[Row], run: str) -> str:
    """Return the page of the default run, from its claims and where they are from."""
    parts = [
        f"# The default run\n\n{run}```sh\nsnakemake --cores 2\n```\n\n"
        "This run simulates all text but the State of the Union, in seven to nine minutes on two cores.\n"
        "`python -m tools.results_page results` writes this page. [Findings](findings.md) are on real text.\n\n"
        "## Pictures\n"
    ]
    return "".join([*parts, pictures(PICTURES), "\n## Claims\n\n", draws_made(), claims(rows)])


VERDICTS_PAGE = """# Verdicts on real text

{run}Every published claim that applies to a corpus of the open tier. The quotations are in
[`verdicts.tsv`](../../src/reproduction/claims/verdicts.tsv). A verdict needs the interval of the number that decides,
since real text cannot be drawn again, as [simulated text](default-run.md) can. Without such an interval, or if it
holds both answers, a claim is *undecided*.

```sh
snakemake --cores 2 --configfile configs/open.yaml configs/verdicts.yaml -- results/tables/tiers.csv {figures}
python -m tools.results_page results    # writes this page
```

`configs/verdicts.yaml` leaves out what takes hours: current events, MUC-3 and further models of coreference.

{tally}{pictures}
## All

{directions}

{all}"""


def verdicts_page(rows: Sequence[Row], run: str) -> str:
    """Return the page of verdicts on real text, from the claims of a run of the open tier and where they are from."""
    return VERDICTS_PAGE.format(
        run=run,
        figures=" ".join(f"results/figures/{name}.png" for name in OPEN_PICTURES),
        tally=as_markdown(verdicts.tally(rows)),
        pictures=pictures(OPEN_PICTURES),
        directions=DIRECTIONS,
        all=as_markdown(verdicts.applicable(rows)),
    )


def with_telling_claims(text: str, rows: Sequence[Row]) -> str:
    """Return the README with the tally and the most telling claims, if it has a block for them."""
    table = as_markdown(verdicts.telling(rows))
    return TELLING.sub(lambda _: f"<!-- verdicts -->\n\n{verdicts.tallied(rows)}\n\n{table}\n<!-- end -->\n", text)


def pages_of_claims() -> dict[Path, str]:
    """Return the pages that are made of kept claims, by their paths, as they are to be."""
    pages = {}
    if kept := kept_claims("embedded"):
        pages[PAGE] = default_page(*kept)
    if kept := kept_claims("open"):
        rows = [row for row in kept[0] if row["dataset"] not in WITHOUT_TEXT]
        pages[PAGES / "verdicts.md"] = verdicts_page(rows, kept[1])
        pages[README] = with_telling_claims(README.read_text(encoding="utf-8"), rows)
    return pages


def main(results: Path | None) -> None:
    """Update what a run has files for, and then all pages."""
    if results:
        commit = commit_of_checkout()  # before pages are written
        update_tables(results)
        for tier, names in (("embedded", PICTURES), ("open", OPEN_PICTURES)):
            keep_claims(results, tier, commit)
            if (results / f"tables/claims/{tier}.csv").is_file():
                for name in names:
                    copy_picture(results, name)
    for path, text in pages_of_claims().items():
        path.write_text(text, encoding="utf-8")
    for page in sorted(DOCS.rglob("*.md")):
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
