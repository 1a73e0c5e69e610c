"""What the benchmarks share: interleaved times, ratios, and the peak memory of one call."""

import ctypes
import gc
import multiprocessing
import platform
import resource
import statistics
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version

Calls = dict[str, Callable[[], object]]


def interleaved_seconds(calls: Calls, repeats: int) -> dict[str, list[float]]:
    """Return the times of every call, all calls taking turns `repeats` times.

    It is processor time: for one thread what a clock shows on an idle machine, without what other programs take.
    """
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.process_time()
            result = call()
            seconds[name].append(time.process_time() - start)
            del result
    return seconds


def peak_memory(call: Callable[[], object]) -> float:
    """Return by how many MB `call` raises the maximum resident set of a process forked for it.

    That is everything the call allocates, with its result, in C, C++ and Python alike. The C library first gives back
    what it holds in reserve (malloc_trim, so glibc only), because memory that is freed but not given back would be used
    again unseen.
    """

    def measure(connection) -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = call()
        connection.send((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
        del result

    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(sender,))
    process.start()
    sender.close()  # so that a failed call ends the wait below
    grown = receiver.recv()
    process.join()
    return grown


def ratio(longer: list[float], shorter: list[float]) -> dict[str, float]:
    """Return the median and extremes of the ratios of times taken in the same turns."""
    ratios = [one / other for one, other in zip(longer, shorter, strict=True)]
    return {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)}


def print_table(seconds: dict[str, list[float]], memory: dict[str, float]) -> None:
    """Print times in milliseconds and peak memory in MB, a row for each call."""
    print(f"{'':42}{'median ms':>11}{'min ms':>11}{'max ms':>11}{'peak MB':>11}")
    for name, times in seconds.items():
        columns = 1e3 * statistics.median(times), 1e3 * min(times), 1e3 * max(times), memory[name]
        print(f"{name:42}" + "".join(f"{column:11.1f}" for column in columns))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of `packages`."""
    return {"python": platform.python_version()} | {package: version(package) for package in packages}
