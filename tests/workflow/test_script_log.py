"""What a script's log holds when the job ends."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("raised", ["InputError('found \\udcdc')", "ValueError('found \\udcdc')"])
def test_a_message_with_what_is_no_unicode_is_in_the_log(tmp_path, raised):
    path = tmp_path / "job.log"
    script = (
        "from nlpcalib.errors import InputError\nfrom nlpcalib.workflow.script_log import start_log\n"
        f"start_log({str(path)!r})\nraise {raised}\n"
    )
    failed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert failed.returncode == 1
    assert "Logging error" not in failed.stderr
    assert r"found \udcdc" in path.read_text(encoding="utf-8")
