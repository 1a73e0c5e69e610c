import os

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below


def test_files_below_links_to_folders_are_found_once_each(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "far").mkdir()
    for name in ("a/2", "a/b/1", "far/3"):
        (tmp_path / name).touch()
    (tmp_path / "a" / "c").symlink_to(tmp_path / "far")
    (tmp_path / "a" / "b" / "up").symlink_to(tmp_path / "a")
    (tmp_path / "a" / "d").symlink_to(tmp_path / "a" / "b")
    (tmp_path / "far" / "there").symlink_to(tmp_path / "a" / "c")
    (tmp_path / "a" / "itself").symlink_to("itself")
    found = [str(path.relative_to(tmp_path)) for path in files_below(tmp_path / "a", tmp_path / "a", tmp_path / "none")]
    assert found == ["a/2", "a/b/1", "a/c/3", "a/itself"]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "a").mkdir(mode=0)
    with pytest.raises(InputError, match=r"/a: found Permission denied, expected a folder that can be read"):
        files_below(tmp_path)


def test_a_folder_that_the_system_does_not_give_is_named(tmp_path, monkeypatch):
    def scandir(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(InputError, match=f"^{tmp_path}: found Permission denied, expected a folder that can be read"):
        files_below(tmp_path)
