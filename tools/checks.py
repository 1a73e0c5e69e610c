"""Programs that check claims: a line for each, and an exit status of 1 if one of them failed."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


class SkippedError(Exception):
    """A check that cannot be made on this machine."""


class FailedError(Exception):
    """What was found is not what was expected."""


def require(condition: object, otherwise: object) -> None:
    """Raise `FailedError` unless a condition holds."""
    if not condition:
        raise FailedError(str(otherwise))


@dataclass
class Checks:
    """Counts the checks of a program."""

    held: int = 0
    failed: int = 0

    @contextmanager
    def claim(self, text: str) -> Iterator[None]:
        """Print whether the block ended well, why not, or why it was skipped; an error ends the block alone."""
        try:
            yield
        except SkippedError as reason:
            print(f"skipped  {text}: {reason}", flush=True)
        except Exception as error:
            self.failed += 1
            if not isinstance(error, FailedError):
                traceback.print_exc()
            first, *more = str(error).splitlines() or [type(error).__name__]
            print(*more, f"FAILED   {text}: {first}", sep="\n", flush=True)
        else:
            self.held += 1
            print(f"ok       {text}", flush=True)

    def make(self, check: Callable[..., None], *arguments: object) -> None:
        """Make a check, which is named by the first line of its docstring, and by its arguments if it has any."""
        text = (check.__doc__ or check.__name__).partition("\n")[0].rstrip(".")
        with self.claim(", ".join([text, *map(str, arguments)])):
            check(*arguments)

    @property
    def status(self) -> int:
        """The exit status of the program."""
        return int(self.failed > 0)
