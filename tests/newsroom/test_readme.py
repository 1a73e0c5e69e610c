import doctest
from pathlib import Path

import newsroom


def test_the_readme_prints_what_it_shows():
    failed, tried = doctest.testfile(str(Path(newsroom.__file__).with_name("README.md")), module_relative=False)
    assert tried >= 8
    assert not failed
