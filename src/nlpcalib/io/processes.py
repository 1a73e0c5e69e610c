"""A function of many items in several processes, its results in the order of the items."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any, TypeVar

_ITEMS_AHEAD_PER_PROCESS = 4
"""Items of a process that are read before their results are taken: memory does not grow with all items."""
Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_processes(
    make: Callable[[], Callable[[Item], Result]], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Yield the result of each item, in their order; of one job in this process.

    Parameters
    ----------
    make : callable
        Makes the function, once in each process. It can be pickled, and equals its copies.
    items : iterable
        Read in this process. Where reading fails, the results of the items before come first.
    jobs : int
        Number of processes.
    """
    if jobs == 1:
        yield from map(make(), items)
        return
    failure: Exception | None = None
    waiting: deque[Future[Any]] = deque()
    # Processes that begin anew are the same on all systems, and inherit no threads. This one ends them.
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
