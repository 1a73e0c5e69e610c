"""What a release is made with is named by its content: actions by commit, packages by hash."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_named_by_commit_and_their_version_stands_next_to_it(path):
    used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", name)] == []


def test_one_commit_is_used_of_each_action():
    used = {each for path in WORKFLOWS for each in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))}
    assert len(used) == len({each.partition("@")[0] for each in used})


@pytest.mark.parametrize("name", ["release", "security"])
def test_tools_that_could_change_a_release_are_installed_by_hash(name):
    text = (ROOT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
    installed = re.findall(r"pip install (.*)", text)
    assert installed
    assert set(installed) == {"--require-hashes -r requirements-release.lock"}


def test_the_lock_has_the_tools_of_a_release_with_hashes():
    lock = (ROOT / "requirements-release.lock").read_text(encoding="utf-8")
    packages = re.split(r"\n(?=\w)", lock.partition("release.lock\n")[2])
    assert [each for each in packages if "--hash=sha256:" not in each] == []
    found = {each.partition("==")[0] for each in packages}
    group = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]["release"]
    assert found >= {re.split("[<>=]", each)[0] for each in group}


def test_no_job_that_may_sign_runs_what_it_builds():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    build, publish = text.split("\n  publish:\n")
    assert "id-token" not in build
    assert "run:" not in publish
    assert "attest-build-provenance" in publish


def test_the_image_runs_as_a_user_that_is_not_root_and_owns_its_folder():
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert not {"root", "0"} & set(users)
    after = lines[lines.index(f"USER {users[-1]}") :]
    assert {line.split()[0] for line in after if line.startswith(("RUN", "CMD", "COPY"))} == {"RUN", "CMD", "COPY"}
    assert all(f"--chown={users[-1]}" in line for line in after if line.startswith("COPY"))
