"""What is printed of the groups of a report, whose intervals hold together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nlpcalib.errors import decimals, some
from nlpcalib.questions.answer import MAX_PRINTED_GROUPS


def group_lines(rows: Sequence[Mapping], by: Sequence[str], level: float) -> list[str]:
    """Return which groups have an error and which is worst, then a line for each with its interval, largest first.

    `rows` are those of `by_class.csv`, with intervals that hold together.
    """
    ranked = sorted(rows, key=lambda row: -row["error"])
    width = max(len(str(row["predicted"])) for row in ranked)
    shown = [str(row["predicted"]) for row in ranked if row["error_low"]]
    lines = [*[f"an error is shown in {some(shown)}"] * bool(shown), worst_group(ranked, level)]
    lines.append(f"by {', '.join(by)}: {100 * level:g} % intervals that hold together")
    lines += [f"  {row['predicted']:{width}} {_error(row)}, {row['n']:,} pairs" for row in ranked[:MAX_PRINTED_GROUPS]]
    if len(ranked) > MAX_PRINTED_GROUPS:
        lines.append(f"  … and {len(ranked) - MAX_PRINTED_GROUPS:,} more groups, which by_class.csv lists")
    return lines


def worst_group(ranked: Sequence[Mapping], level: float) -> str:
    """Return which group is worst: those whose interval reaches the highest lower end."""
    known = [row for row in ranked if row["error_low"] is not None]
    if len(known) < 2:
        return f"worst group: unknown, since {'one group has' if known else 'none has'} labels for an interval"
    highest = max(row["error_low"] for row in known)
    worst = [str(row["predicted"]) for row in known if row["error_high"] >= highest]
    few = len(ranked) - len(known)
    others = f", of those with an interval: {few} {'has' if few == 1 else 'have'} too few labels" * bool(few)
    if len(worst) == len(known):
        return f"worst group: labels cannot tell{others}"
    return f"worst group: {'' if len(worst) == 1 else 'one of '}{some(worst)} ({100 * level:g} % confidence){others}"


def _error(row: Mapping) -> str:
    if row["error_low"] is None:
        return f"{decimals(row['error'])} (no interval)"
    return f"{decimals(row['error'])} ({decimals(row['error_low'])} to {decimals(row['error_high'])})"
