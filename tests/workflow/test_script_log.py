"""What a script's log holds when the job ends."""

import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize("raised", ["InputError('found \\udcdc')", "ValueError('found \\udcdc')"])
def test_a_message_with_what_is_no_unicode_is_in_the_log(tmp_path, raised):
    path = tmp_path / "job.log"
    script = (
        "from nlpcalib.errors import InputError\nfrom reproduction.workflow.script_log import logged_job\n"
        "from types import SimpleNamespace\n"
        f"job = SimpleNamespace(log=[{str(path)!r}], input=[], output=[], config=dict(), wildcards=None)\n"
        f"with logged_job(job):\n    raise {raised}\n"
    )
    failed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert failed.returncode == 1
    assert "Logging error" not in failed.stderr
    assert r"found \udcdc" in path.read_text(encoding="utf-8")


def test_a_warning_has_one_line_with_its_place_only_if_it_is_for_developers(tmp_path):
    path = tmp_path / "job.log"
    script = (
        "import warnings\nfrom reproduction.workflow.script_log import logged_job\nfrom types import SimpleNamespace\n"
        f"job = SimpleNamespace(log=[{str(path)!r}], input=[], output=[], config={{}}, wildcards=None, rule='r')\n"
        "with logged_job(job):\n    warnings.warn('few pairs')\n    warnings.warn('divided by 0', RuntimeWarning)\n"
        "    raise ValueError\n"
    )
    subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    few, divided, *_ = path.read_text(encoding="utf-8").splitlines()
    assert few.endswith(": few pairs")
    assert "py:" not in few
    assert divided.endswith("<string>:7: RuntimeWarning: divided by 0")


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_script_that_is_asked_to_end_takes_away_what_is_unfinished(tmp_path, name):
    script = (
        "import time\nfrom nlpcalib.io.files import atomic_path\n"
        "from types import SimpleNamespace\nfrom reproduction.workflow.script_log import logged_job\n"
        "with logged_job(SimpleNamespace(log=['job.log'], input=[], output=[], config={}, wildcards=None)), "
        "atomic_path('results/a.csv') as path:\n"
        "    path.write_text('half')\n    print('at work', flush=True)\n    time.sleep(60)\n"
    )
    (tmp_path / "results").mkdir()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, **pipes)
    assert process.stdout.readline() == "at work\n"
    process.send_signal(signal.Signals[name])
    _, told = process.communicate(timeout=30)
    assert process.returncode != 0
    assert told.endswith(f"stopped by {name}\n")
    assert told.count("\n") == 1
    assert list((tmp_path / "results").iterdir()) == []


def test_a_job_that_fails_leaves_no_record_of_what_an_earlier_one_took(tmp_path):
    (tmp_path / "job.json").write_text('{"seconds": 1}', encoding="utf-8")
    script = (
        "from types import SimpleNamespace\nfrom reproduction.workflow.script_log import logged_job\n"
        "with logged_job(SimpleNamespace(log=['job.log'], input=[], output=[], config={}, wildcards=None)):\n"
        "    raise ValueError\n"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True).returncode == 1
    assert not (tmp_path / "job.json").exists()
