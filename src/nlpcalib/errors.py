"""What bad input raises, what doubtful input warns of, and how messages name places, list names and count things."""

import re
import shlex
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

MAX_NAMES_LISTED = 5
"""Most names or faults that a message lists, so that it stays one line."""
_MAX_QUOTED_CHARACTERS = 80
"""Characters of a value that a message quotes."""
_MAX_MESSAGE_CHARACTERS = 2_000
"""Characters of a message: of a longer one the middle is left out, since both ends have what helps."""


OPTIONS: ContextVar[Mapping[str, str] | None] = ContextVar("options", default=None)
"""The options of the command that runs, by the names of the parameters; None where Python asks."""


class InputError(ValueError):
    """Input that cannot be used. The message names the place, what was found and what was expected."""

    def __init__(self, message: str = "") -> None:
        super().__init__(_without_middle(message))


def _without_middle(message: str) -> str:
    half = _MAX_MESSAGE_CHARACTERS // 2
    return message if len(message) <= _MAX_MESSAGE_CHARACTERS else f"{message[:half]} … {message[-half:]}"


def argument(name: str, value: object = None) -> str:
    """Return an argument as whoever asks writes it: in Python `by='year'` (or `by=`), in the shell `--by year`.

    A message names arguments by this function alone, so that no text of a user is taken for one.
    """
    options = OPTIONS.get()
    if options is None:
        return f"{name}={'' if value is None else repr(value)}"
    if name not in options:  # a hint that nobody can follow is a mistake of ours, and no reason to stop
        warnings.warn(f"a message names {name}, which this command has not", RuntimeWarning, stacklevel=2)
        return name
    return options[name] if value is None or value is True else _in_shell(options[name], value)


def takes(name: str) -> bool:
    """Return whether whoever asks can give an argument: commands have not all options of `read`."""
    options = OPTIONS.get()
    return options is None or name in options


def arguments(values: Mapping[str, object]) -> str:
    """Return several arguments as they stand in one call, or in one command."""
    return (", " if OPTIONS.get() is None else " ").join(argument(name, value) for name, value in values.items())


def question(name: str, values: Mapping[str, object]) -> str:
    """Return another question with arguments as whoever asks writes it: in the shell `nlpcalib judge --threshold 4`."""
    if OPTIONS.get() is None:
        return f"{name.replace(' ', '_')} with {arguments(values)}"
    options = (_in_shell(f"--{key.replace('_', '-')}", value) for key, value in values.items())
    return " ".join((f"nlpcalib {name}", *options))


def _in_shell(option: str, value: object) -> str:
    word = ",".join(str(each).removesuffix(".0") for each in (value if isinstance(value, tuple) else (value,)))
    return f"{option}={shlex.quote(word)}" if word.startswith("-") else f"{option} {shlex.quote(word)}"


def quoted(value: object) -> str:
    """Return a value as Python writes it, in one line and shortened for a message."""
    return in_short(repr(value).replace("\n", " "))


def in_short(text: str) -> str:
    """Return a text as a message has it."""
    return text if len(text) <= _MAX_QUOTED_CHARACTERS else f"{text[:_MAX_QUOTED_CHARACTERS]}…"


class InputWarning(UserWarning):
    """Input that can be used and is likely to be wrong: the message names what was found, and a way out."""


@dataclass(frozen=True, slots=True)
class InputFinding:
    """Something in a user's input that is likely, or certain, to be wrong."""

    name: str
    """The column or argument that it is about."""
    sentence: str
    """What was found, in one line without the place."""
    certain: bool = False
    """Whether no sound input has it, so that it is refused."""
    code: str = ""
    """What kind of finding it is, such as `inverted`, for programs: sentences may change."""
    rows: tuple[int, ...] = ()
    """The first rows, from 0, that it is about."""


def report_findings(findings: Sequence[InputFinding], place: object = "") -> None:
    """Raise `InputError` for the first finding that is certain; warn of the others, by `InputWarning`.

    `place`, a file for one, stands in front of each message. A warning points to the line that called the library.
    """
    front = f"{place}: " if str(place) else ""
    certain = next((finding for finding in findings if finding.certain), None)
    if certain is not None:
        raise InputError(f"{front}{certain.sentence}")
    for sentence in dict.fromkeys(finding.sentence for finding in findings):
        warnings.warn(f"{front}{sentence}", InputWarning, stacklevel=_level_of_caller())


def _level_of_caller() -> int:
    """Return how many frames above the caller of this function the first one outside of the library is."""
    package, level, frame = str(Path(__file__).parent), 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    return level


@contextmanager
def located(place: object) -> Iterator[None]:
    """Prefix a place, such as a file and a line, to the message of any `InputError` that does not begin with it."""
    try:
        yield
    except InputError as error:
        if re.match(rf"{re.escape(str(place))}[:,] ", str(error)):
            raise
        raise InputError(f"{place}: {error}") from None


def other_readers(path: object) -> str:
    """Return where to learn what a file is that a command does not read, to end a message with."""
    return f"; nlpcalib look {shlex.quote(str(path))} describes it"


def some(names: Sequence[str]) -> str:
    """Return the first names, each shortened for a message, and the number of the others."""
    rest = len(names) - MAX_NAMES_LISTED
    return ", ".join(map(in_short, names[:MAX_NAMES_LISTED])) + (f" and {rest} more" if rest > 0 else "")


def listed(names: Sequence[str]) -> str:
    """Return names as an option has several of them: with commas, and quotes around a name that has one itself."""
    return ",".join('"{}"'.format(name.replace('"', '""')) if set(name) & set(',"\n') else name for name in names)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun in the right number: 1 item, 2,000 items, 3 entities."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def some_of(part: float, items: int, noun: str = "item", *, digits: int = 0) -> str:
    """Return how many of some items are, with the verb in the right number: 1 of 2 items is, 2.4 of 3 items are."""
    count = f"{part:,.{digits}f}"
    return f"{count} of {counted(items, noun)} {'is' if count == '1' else 'are'}"


def decimals(value: float, digits: int = 4) -> str:
    """Format a number: .0123 without the zero before the point, 10.2000, and never −0."""
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text
