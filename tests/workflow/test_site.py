"""The pages of the site that are not in docs: files that pages link to, the notebook, the configuration."""

import re
from pathlib import Path

import yaml
from tools import configuration_page, site_pages

ROOT = Path(__file__).parents[2]


def test_links_follow_pages_to_their_places_in_the_site():
    text = "[a](../../NOTICE) [b](../tutorials/x.ipynb#top) [c](https://x.org) [d](#here)\n```\n[e](../y.md)\n```"
    followed, linked = site_pages.follow(text, "docs/how-to/z.md")
    assert followed.startswith("[a](../source/NOTICE.md) [b](../tutorials/x.md#top) [c](https://x.org) [d](#here)\n")
    assert followed.endswith("[e](../y.md)\n```")
    assert linked == {"NOTICE", "docs/tutorials/x.ipynb"}


def test_pictures_of_the_readme_follow_it_into_the_site():
    followed, linked = site_pages.follow('<img src="docs/images/a.png" alt="A.">', "README.md")
    assert (followed, linked) == ('<img src="images/a.png" alt="A.">', {"docs/images/a.png"})


def test_the_notebook_becomes_a_page_with_its_outputs():
    page, pictures = site_pages.notebook_page(ROOT / "docs/tutorials/calibrate-a-classifier.ipynb")
    assert page.startswith("# Calibrate a classifier\n")
    assert set(re.findall(r"\]\(([^)]*\.png)\)", page)) == pictures.keys()
    assert all(picture.startswith(b"\x89PNG") for picture in pictures.values())


def test_the_page_of_the_configuration_has_every_key_of_the_default():
    listed = set(re.findall(r"^\| `([^`]*)` \|", configuration_page.page(), re.MULTILINE))

    def missing(config, name=""):
        for key, value in config.items():
            # An entry with a name of its own is listed as <name>.
            known = f"{name}{key}" if f"{name}{key}" in listed else f"{name}<name>"
            if known not in listed:
                yield f"{name}{key}"
            elif isinstance(value, dict):
                yield from missing(value, f"{known}.")

    assert not list(missing(yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))))


def test_every_page_is_in_the_navigation_and_every_name_of_it_is_a_page():
    text = re.sub(r"!!python/\S+", "", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    named = {page for part in yaml.safe_load(text)["nav"] for page in _leaves(part)}
    pages = {site_pages.place(f"docs/{path.relative_to(ROOT / 'docs').as_posix()}") for path in _pages()}
    assert named == pages | {*site_pages.MOVED.values(), "reference/configuration.md"}


def test_a_link_to_a_heading_of_another_folder_leads_to_a_page_with_headings():
    """A file that is shown as its lines has no anchors, and the site is not built with such a link."""
    for page in _pages():
        for target in re.findall(r"\]\(([^)#:\s]+)#", page.read_text(encoding="utf-8")):
            path = (page.parent / target).resolve().relative_to(ROOT).as_posix()
            assert not site_pages.place(path).startswith("source/"), f"{page}: {target}"


def _leaves(part):
    if isinstance(part, str):
        yield part
    else:
        for below in part.values() if isinstance(part, dict) else part:
            yield from _leaves(below)


def _pages():
    return [path for path in (ROOT / "docs").rglob("*") if path.suffix in (".md", ".ipynb")]


def test_the_lock_of_the_site_has_hashes_and_names_the_command_that_makes_it():
    text = (ROOT / "requirements-docs.lock").read_text(encoding="utf-8")
    requirements = re.findall(r"^[a-z].*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    assert all("==" in each and "--hash=sha256:" in each for each in requirements)
    assert "://" not in text
    command = text.splitlines()[1].removeprefix("#").strip()
    assert f"\n{command}\n" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").replace("\\\n    ", "")
