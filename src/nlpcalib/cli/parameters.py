"""Types of options: what each of them accepts, and which error it gives otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter, Token


def whole(smallest: int) -> Parameter:
    """Return what reads a whole number from `smallest` on; cyclopts itself would round 1.5."""

    def whole_number(_type: type, tokens: Sequence[Token]) -> int:
        text = tokens[0].value
        if not text.isdecimal() or int(text) < smallest:
            raise ValueError(f"found '{text}', expected a whole number of at least {smallest}")
        return int(text)

    return Parameter(converter=whole_number)


def _number(holds: Callable[[float], bool], expected: str) -> Parameter:
    """Return what reads a number for which a condition holds."""

    def number(_type: type, tokens: Sequence[Token]) -> float:
        text = tokens[0].value
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not holds(value):
            raise ValueError(f"found '{text}', expected {expected}")
        return value

    return Parameter(converter=number)


def _refuse_options(_type: type, value: Path | Sequence[Path] | None) -> None:
    """Raise `ValueError` for an unknown option in the place of a file, which may be `-`; see `after_options` too."""
    for path in [value] if isinstance(value, Path) else value or ():
        if str(path).startswith("-") and str(path) != "-":
            raise ValueError(f"Unknown option: {path}")


def after_options(arguments: Sequence[str]) -> list[str]:
    """Return arguments with the files after `--` that are called like options, such as -a, by their whole paths."""
    end = arguments.index("--") + 1 if "--" in arguments else len(arguments)
    named = (str(Path.cwd() / name) if name.startswith("-") and name != "-" else name for name in arguments[end:])
    return [*arguments[:end], *named]


def _split(_type: type, tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(name for token in tokens for name in token.value.split(",") if name)


Probability = Annotated[float, _number(lambda value: 0 <= value <= 1, "a probability in [0, 1]")]
Share = Annotated[float, _number(lambda value: 0 < value < 1, "a number between 0 and 1")]
Positive = Annotated[float, _number(lambda value: 0 < value < float("inf"), "a positive number")]
Seed = Annotated[int, whole(0)]


Dates = Annotated[
    str | None,
    Parameter(
        help="How dates are written: day-first, month-first, or a pattern such as %d.%m.%y (default: recognised)."
    ),
]


def _shares(_type: type, tokens: Sequence[Token]) -> tuple[float, ...]:
    """Return one number or two, with a comma between them."""
    try:
        return tuple(float(part) for token in tokens for part in token.value.split(","))
    except ValueError:
        raise ValueError(f"found '{tokens[0].value}', expected numbers with commas: .05,.02") from None


LabelError = Annotated[
    tuple[float, ...] | None,
    Parameter(
        converter=_shares,
        n_tokens=1,
        help="Largest share of labels that may be wrong, or two shares, of positive items and of the others: .05,.02 "
        "(default: all labels are correct).",
    ),
]
ValueRange = Annotated[
    tuple[float, ...] | None,
    Parameter(
        converter=_shares,
        n_tokens=1,
        help="Smallest and largest value, if labels and predictions are numbers: 1,5 for ratings. The mean is "
        "estimated (default: labels are yes or no).",
    ),
]
NameList = Annotated[tuple[str, ...], Parameter(converter=_split, n_tokens=1)]
"""Names with commas between them."""
Files = Annotated[list[Path], Parameter(consume_multiple=True)]
"""One or more files after one option, which may stand several times."""
_INPUT = Parameter(allow_leading_hyphen=True, validator=_refuse_options)
File = Annotated[Path, _INPUT]
"""A file; `-` is standard input, where a command reads it."""
AllFiles = Annotated[list[Path], _INPUT]
"""One or more files, all that are left."""

Out = Annotated[Path | None, Parameter(help="Folder for the results (default: nothing is written).")]
Level = Annotated[Share, Parameter(help="Confidence level of the intervals (default .95).")]
Json = Annotated[bool, Parameter(name="--json", help="Print the result as JSON.")]
Style = Annotated[
    Literal["house", "paper"],
    Parameter(help="paper: figures are as wide as a column, in a serif font, without a title (default: house)."),
]
LexiconTables = Annotated[
    NameList,
    Parameter(help="Names of countries: packaged (default), then your own tables, which override it."),
]
