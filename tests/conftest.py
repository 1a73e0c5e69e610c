"""What tests share: the mirror of open corpora, a browser, newsroom reports, how time grows."""

import gc
import os
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import hypothesis
import pytest

# Before NumPy loads: tests run in as many processes as there are cores, and threads of small matrix products would only
# wait for each other. They took up to half of a test's time.
for library in ("OMP", "OPENBLAS"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

from newsroom.reports import Newsroom  # noqa: E402
from reproduction.corpora.retrieval.archives import retrieve  # noqa: E402

ROOT = Path(__file__).parents[1]

# A busy machine is no counterexample: by default an example that takes more than 200 ms fails, and so does a test whose
# examples are drawn slowly.
hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")

# What is started in the background ignores Ctrl-C, and with nohup a lost terminal. It hands that down, also to commands
# that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

ENOUGH = 0.25
"""Seconds of the processor's below which growth is not looked at: start-up and caches would be all that is seen."""


def seconds(work: Callable[[], object]) -> float:
    """Return the processor's seconds that a call takes in this process, whatever else runs on the machine."""
    # Without a collection first, which takes a second in a worker that has run hundreds of tests.
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.fixture
def all_frozen():
    """Return whether a package has dataclasses, and none whose fields can be assigned to."""

    def check(package: ModuleType) -> bool:
        modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
        values = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
        found = [value.__dataclass_params__.frozen for value in values if is_dataclass(value)]
        return bool(found) and all(found)

    return check


@pytest.fixture
def grows_linearly():
    """Return a function that fails if `work` takes more than twice what is in proportion for four times the size.

    Linear work takes four times as long, quadratic sixteen times; the bound is eight, and the best of three counts.
    """

    def check(work: Callable[[int], object], size: int, name: object = "") -> float:
        for _ in range(3):
            long = seconds(lambda: work(4 * size))
            if long < ENOUGH or long < 8 * seconds(lambda: work(size)):
                return long
        pytest.fail(f"{name}: the time of {4 * size} characters ({long:.2g} s) is more than eight times that of {size}")

    return check


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among the tests while they are collected nor later: they stay, and are many objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


RUNS = {"workflow", "test_recipes.py"}
"""Folders and files whose tests run the workflow."""


def pytest_collection_modifyitems(items):
    """Begin with runs of the workflow: what is longest must not start when the other process has nothing left."""
    items.sort(key=lambda item: RUNS.isdisjoint(item.path.parts))


@pytest.fixture
def mirrored():
    """Return a function from the name of a corpus to its folder in the mirror; without one the test is skipped."""

    def folder(corpus: str) -> Path:
        mirror = os.environ.get("NLPCALIB_MIRROR")
        if not mirror or not Path(mirror, corpus).is_dir():
            pytest.skip(f"NLPCALIB_MIRROR has no {corpus}")
        return Path(mirror, corpus)

    return folder


@pytest.fixture
def retrieved(mirrored, tmp_path):
    """Return a function from the name of a corpus of the registry to its archive, made from the mirror."""

    def archive(corpus: str) -> Path:
        mirror, path = mirrored(corpus).parent, tmp_path / f"{corpus}.zip"
        manifest = ROOT / f"workflow/manifests/{corpus}.sha256"
        retrieve(corpus, registry=ROOT / "workflow/corpora.csv", manifest=manifest, output=path, mirror=mirror)
        return path

    return archive


@pytest.fixture(scope="session")
def reports():
    """Return six reports of the newsroom, as documents."""
    return [report.document for report in Newsroom(seed=3).reports(0, 6)]


ASKED = "return document.body.classList.contains('asking')"


def until(check, seconds=30):
    """Wait until a check holds."""
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def opened_anew(driver, path):
    """Open a page in a browser that has nothing stored."""
    driver.execute_script("window.name = ''")
    driver.get("about:blank")
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "file:///", "storageTypes": "all"})
    driver.get(path.as_uri())


def annotate_as(driver, name):
    """Give the name that an annotation page asks for, and wait until it shows this annotator's labels."""
    driver.find_element("id", "name").send_keys(name, "\n")
    until(lambda: not driver.execute_script(ASKED))


def kept(driver):
    """Wait until all labels of an annotation page are on the disk."""
    until(lambda: driver.find_element("id", "kept").get_property("value") == "kept in this browser")


def saved(driver, name, button="save"):
    """Press a page's button that saves a file, and wait for it: the browser makes an empty one first."""
    path = driver.downloads / name
    path.unlink(missing_ok=True)
    driver.find_element("id", button).click()
    until(lambda: path.exists() and path.stat().st_size)
    return path


@pytest.fixture(scope="module")
def start_browser(tmp_path_factory):
    """Return a function that starts a headless browser, perhaps with a profile of its own that it leaves behind.

    The browser has its console, and `downloads`, the folder where it saves.
    """
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        pytest.skip("chromium or chromedriver is not installed")
    drivers = []

    def start(profile=None):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-background-networking", "--window-size=1400,900"):
            options.add_argument(argument)
        if profile:
            options.add_argument(f"--user-data-dir={profile}")
        options.binary_location = shutil.which("chromium")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        downloads = tmp_path_factory.mktemp("downloads")
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
        driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        drivers.append(driver)
        driver.downloads = downloads
        driver.until = until
        driver.opened_anew = partial(opened_anew, driver)
        driver.annotate_as = partial(annotate_as, driver)
        driver.kept = partial(kept, driver)
        driver.saved = partial(saved, driver)
        return driver

    yield start
    for driver in drivers:
        driver.quit()


@pytest.fixture(scope="module")
def browser(start_browser):
    """Return a headless browser."""
    return start_browser()
