"""Map a function over items in several processes, with results in the order of the items."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any, TypeVar

_ITEMS_AHEAD_PER_PROCESS = 4
"""Most items read ahead for each process, so that memory does not grow with the number of items."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_processes(
    make: Callable[[], Callable[[Item], Result]], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Yield the result of each item, in order.

    Parameters
    ----------
    make : callable
        Makes the function, once in each process. It can be pickled, and equals its copies.
    items : iterable
        Read in this process. If reading fails, the results of the earlier items come first.
    jobs : int
        Number of processes; 1 runs everything in this process.
    """
    if jobs == 1:
        yield from map(make(), items)
        return
    failure: Exception | None = None
    waiting: deque[Future[Any]] = deque()
    # Spawned processes behave alike on all systems and inherit no threads. They ignore Ctrl-C: this one ends them.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        source = iter(items)
        while failure is None:
            try:
                waiting.append(pool.submit(_result, make, next(source)))
            except StopIteration:
                break
            except Exception as error:
                failure = error
            while waiting and (len(waiting) > _ITEMS_AHEAD_PER_PROCESS * jobs or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failure is not None:
            raise failure
    finally:
        pool.shutdown(cancel_futures=True)


def _result(make: Callable[[], Callable[[Item], Result]], item: Item) -> Result:
    return _made(make)(item)


@cache
def _made(make: Callable[[], Callable[[Item], Result]]) -> Callable[[Item], Result]:
    return make()
