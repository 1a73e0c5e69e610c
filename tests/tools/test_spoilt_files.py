"""Files that programs and people spoil are refused, named, or read as they were: none is believed in silence."""

import pytest
from tools.spoilt_files import CASES, outcome

BELIEVED = {
    "judge: labels fail where nobody looked",
    "judge: labels of one verdict alone",
}
"""What a sound file may have as well; the judge prints what it can of these."""


@pytest.mark.parametrize("command", ["compare", "estimate", "judge", "spans", "score"])
def test_no_spoilt_file_is_believed(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sound = {}
    found = {name: outcome(name, sound) for name in CASES if name.startswith(f"{command}:")}
    assert {name for name, (kind, _) in found.items() if kind == "believed"} == BELIEVED & found.keys()
    assert {kind for kind, _ in found.values()} > {"refused"}, "a program that refuses all files notices nothing"
    assert all(said.count("\n") == 0 for kind, said in found.values() if kind in ("refused", "warned"))
