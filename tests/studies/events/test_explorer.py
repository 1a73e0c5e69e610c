"""The page to explore events in, where there is none."""

import runpy
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "studies/scripts/explorer/explore_events.py"


def test_the_explorer_is_a_page_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "documents.csv").write_text("document,date,country,probability\n")
    (tmp_path / "events.csv").touch()
    paths = tmp_path / "documents.csv", tmp_path / "events.csv", None, tmp_path / "page.html"
    runpy.run_path(str(SCRIPT))["main"](*paths, title="news", period="quarter", seed=0)
    assert "news: no document can have such an event" in (tmp_path / "page.html").read_text(encoding="utf-8")
