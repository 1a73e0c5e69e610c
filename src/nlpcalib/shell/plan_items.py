"""`nlpcalib plan items`: which items to annotate."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import check_file
from nlpcalib.io.sets import atomic_set
from nlpcalib.shell.arguments import input_paths, note

if TYPE_CHECKING:
    from nlpcalib.estimation.planning import PlannedPart
    from nlpcalib.sampling.frame import Frame
    from nlpcalib.sampling.page import Kind
    from nlpcalib.shell.items import Items


_ASKED = ("question", "mark", "mark_place"), ("by", "borrow")
"""Options that belong together, and that a later part takes over from the part before."""


def run(options: argparse.Namespace) -> None:
    """Plan what to read next, write plan.json, sheet-N.csv and page-N.html, N the part, and print what they are for."""
    from nlpcalib.shell.items import in_dispute

    codebook = _codebook(options.codebook) or _ask_as_before(options)
    items, part, disputed = _planned(options)
    note(options, options.file, items.facts([name for name in options.by.split(",") if name]))
    if disputed:
        print(in_dispute(disputed, "Each counts as half a positive item", options.settled))
    if not part.rows.size:
        print(f"Nothing is left to read of a budget of {part.plan.budget}: estimate, or plan with a larger one.")
        return
    asked = _kinds(options, items)
    number = len(part.plan.read)
    names = "plan.json", f"sheet-{number}.csv", *([f"page-{number}.html"] * (items.frame.texts is not None))
    for taken in (options.out / name for name in names[1:] if (options.out / name).exists()):
        raise InputError(f"{taken}: found a file, which may hold labels, expected a name that is free")
    _write(options, names, items, part, codebook, asked)
    print(*_lines(part, items.frame, bool(options.labels), options.by), sep="\n")
    if items.frame.texts is None:
        print(f"No page: {options.file} has no column text, which the page would show. The sheet has the ids alone.")
    print(f"files: {', '.join(str(options.out / name) for name in names)}")


def _ask_as_before(options: argparse.Namespace) -> str:
    """Fill in what the part before asked, and its groups, where options are left out; return its codebook."""
    from nlpcalib.shell.items import asked_before

    asked = asked_before(options.out / "plan.json") if options.labels else {}
    if not asked:
        return ""
    for names in _ASKED:
        if not any(getattr(options, name) for name in names if name != "borrow"):
            vars(options).update({name: asked[name] for name in names if name in asked})
    return str(asked.get("codebook", ""))


def _planned(options: argparse.Namespace) -> tuple[Items, PlannedPart, tuple[str, ...]]:
    """Return the items of FILE, what is to be read of them now, and which of those read are in dispute."""
    from nlpcalib.estimation.planning import first_part, next_part
    from nlpcalib.shell.items import named, read_items, read_labelled, read_planned

    path = options.out / "plan.json"
    if options.borrow != "none" and not options.by:
        raise InputError("borrow: found no groups, expected --by")
    size: dict[str, Any] = {"budget": options.budget, "width": options.width}
    if not options.labels:
        if path.exists():
            raise InputError(
                f"{path}: found a plan, expected another folder (--out), or the labels it asked for (--labels)"
            )
        items = read_items(options.file, options.match)
        size["groups"] = items.groups(options.by, options.borrow)
        part = first_part(items.frame, **size, seed=options.seed, design=options.design)
        return items, replace(part, plan=replace(part.plan, match=options.match)), ()
    if not path.exists():
        raise InputError(f"{path}: no such file, expected the plan of the part before: --out is its folder")
    planned = read_planned(options.file, path)
    size["groups"] = planned.items.groups(options.by, options.borrow)
    found = read_labelled(
        planned, options.labels, settled=options.settled, yes=options.yes, question=options.label_question
    )
    try:
        part = next_part(planned.items.frame, planned.plan, planned.queue, found.sample, **size)
    except InputError as error:
        raise InputError(f"{named(options.labels)}: {error}") from None
    return planned.items, part, found.settled.disputed


def _codebook(path: Path | None) -> str:
    if path is None:
        return ""
    check_file(path)
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: found bytes that are not UTF-8, expected UTF-8 text") from None


def _kinds(options: argparse.Namespace, items: Items) -> list[Kind]:
    if not (options.mark or options.mark_place):
        return []
    from nlpcalib.events.learn.marks import kinds

    if options.question:
        raise InputError(
            "question: found --question with --mark, expected one: the definition of a kind is what is asked"
        )
    asked = kinds(options.mark, options.mark_place)
    if items.frame.texts is None:
        raise InputError(
            f"{items.path}: found no column text, expected one: the page shows it and finds countries in it"
        )
    return asked


def _write(
    options: argparse.Namespace, names: tuple[str, ...], items: Items, part: PlannedPart, codebook: str,
    asked: list[Kind],
) -> None:  # fmt: skip
    from nlpcalib.io.files import write_json
    from nlpcalib.sampling.page import write_annotation_page
    from nlpcalib.sampling.plan import write_plan
    from nlpcalib.sampling.sheet import blind_sheet_rows, write_blind_sheet

    texts = items.texts
    sheet = blind_sheet_rows([items.ids[row] for row in part.rows], [texts[row] for row in part.rows], part.plan.seed)
    with atomic_set(options.out, "planned.json", input_paths(options), continues=True, annotated=names[1:2]) as folder:
        write_plan(folder / names[0], part.plan)
        kept = {name: getattr(options, name) for names in _ASKED for name in names}
        write_json(folder / "planned.json", {"table": options.tables[-1][1], "asked": kept | {"codebook": codebook}})
        write_blind_sheet(
            folder / names[1], sheet, asked=[kind.name for kind in asked] if len(asked) > 1 else ["label"]
        )
        if items.frame.texts is None:
            return
        title = f"Annotation, part {len(part.plan.read)}"
        if asked:
            from nlpcalib.events.learn.marks import marked_rows
            from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, country_names, load_lexicon

            lexicon = load_lexicon([*options.lexicon.split(","), *DEFAULT_ACTORS])
            known = {code: code for code in lexicon.codes} | country_names()
            write_annotation_page(
                folder / names[2], title, "", codebook, marked_rows(sheet, lexicon), kinds=asked, names=known
            )
        else:
            write_annotation_page(
                folder / names[2], title, options.question or "Is this item positive?", codebook, sheet
            )


def _lines(part: PlannedPart, frame: Frame, labelled: bool, by: str) -> list[str]:
    units = "" if frame.unit is None else f" in {counted(len(set(frame.units_of(part.rows).tolist())), 'unit')}"
    whole = counted(part.plan.budget, "item" if frame.unit is None else "unit")
    basis = "the labels so far" if labelled else "the model, if it is calibrated"
    if part.plan.match and not labelled:
        basis = "keywords, if every second match is positive"
    after = (
        "run nlpcalib estimate with the sheets of all parts."
        if part.plan.complete
        else "plan again with --labels: their answers decide what to read next."
    )
    return [
        f"{counted(len(part.rows), 'item')}{units} to read now, of {whole} in all, out of {len(frame.ids):,}.",
        f"Expected width of the 95 % interval for the share{f' of the widest group of {by}' * bool(by)}, from {basis}: "
        f"{part.width:.2g}.",
        f"Annotate them, then {after}",
    ]
