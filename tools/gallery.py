"""Make the pictures of docs/gallery.md by the commands that it shows.

    python -m tools.gallery    # after a default run, whose results some commands read

A comment in a block names the file that becomes the picture; Chromium photographs a page. What Snakemake draws is
copied by `tools.results_page`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/gallery.md"
SECTION = re.compile(
    r"^## (?P<title>[^\n]*)\n\n```(?P<language>sh|python)\n(?P<code>.*?)```\n\n"
    r"!\[[^]]*\]\((?P<image>[^)]*)\)[^\n]*\n\n(?P<finding>[^\n]*)$",
    re.MULTILINE | re.DOTALL,
)
MADE = re.compile(r"  # (\S+)$", re.MULTILINE)
WINDOW = "1100,600"
"""Pixels of a photograph."""


@dataclass(frozen=True)
class Picture:
    """A section of the page."""

    title: str
    language: str
    code: str
    image: str
    finding: str

    @property
    def made(self) -> str | None:
        """The file that the code makes, or None for a figure of the default run."""
        found = MADE.search(self.code)
        return found and found[1]

    def make(self, image: Path) -> str:
        """Run the code in a folder of its own, save the picture, and return what the code prints."""
        run = ["bash", "-euc", self.code] if self.language == "sh" else [sys.executable, "-c", self.code]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "results").symlink_to(ROOT / "results")
            environment = {**os.environ, "PATH": path, "MPLBACKEND": "Agg"}
            ended = subprocess.run(run, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            made = folder / (self.made or "")
            if made.suffix == ".html":
                made = photograph(made)
            with Image.open(made) as drawn:
                drawn.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(image, optimize=True)
        return ended.stdout


def pictures() -> list[Picture]:
    """Return the sections of the page."""
    return [Picture(**found.groupdict()) for found in SECTION.finditer(PAGE.read_text(encoding="utf-8"))]


def photograph(page: Path) -> Path:
    """Return a picture of a page as Chromium shows it."""
    image = page.with_suffix(".png")
    options = ["--headless=new", "--no-sandbox", "--hide-scrollbars", f"--window-size={WINDOW}"]
    command = [shutil.which("chromium") or "chromium", *options, f"--screenshot={image}", page.as_uri()]
    subprocess.run(command, stderr=subprocess.DEVNULL, check=True)
    return image


def main() -> None:
    """Make all pictures but those of Snakemake."""
    for picture in pictures():
        if picture.made:
            print(f"== {picture.title}\n{picture.make(PAGE.parent / picture.image)}")


if __name__ == "__main__":
    main()
