"""The reference pages say what the rule folders say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.rules.loader import load_pack
from porter.rules.pages import find_stale, pages, write
from porter.rules.written import load_toml
from porter.surface.quirks import read_quirks
from porter.unit import pieces
from tests.conftest import ROOT

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"


LONGEST = 1000  # lines; a longer page is split


def test_the_committed_pages_are_up_to_date() -> None:
    made = pages(REFERENCE)
    old = [name for name, text in made.items() if read(name) != text]
    assert old == [], "run `python -m porter.rules.pages`"
    assert find_stale(REFERENCE, [REFERENCE / name for name in made]) == set()


def read(name: str) -> str:
    path = REFERENCE / name
    return path.read_text() if path.is_file() else ""


def test_every_rule_has_its_page_and_one_line_in_the_index() -> None:
    made = pages(REFERENCE)
    for rule in load_pack("paddle", rules_home()).rules:
        page = f"rules/{rule.id}.md"
        assert f"\n# {rule.id}\n" in made[page] and rule.message in made[page]
        assert made["rules.md"].count(f"]({page})") == 1


def test_every_quirk_has_one_line_in_the_index_and_a_section() -> None:
    made = pages(REFERENCE)
    for id in read_quirks(rules_home() / "paddle"):
        ((page, anchor),) = re.findall(rf"\[{id}\]\((\S+)#(\S+)\)", made["quirks.md"])
        assert f"\n## {anchor}\n" in made[page]


def test_no_page_is_too_long_to_read() -> None:
    pages = [*REFERENCE.parent.rglob("*.md"), *ROOT.glob("*.md")]
    assert {p.name: n for p in pages if (n := p.read_text().count("\n")) > LONGEST} == {}


def test_links_between_pages_hit() -> None:
    pages = [*REFERENCE.parent.rglob("*.md"), *ROOT.glob("*.md")]
    anchors = {page: set(find_anchors(page.read_text())) for page in pages}
    bad = []
    for page in pages:
        prose = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
        for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", prose):
            file, _, anchor = link.partition("#")
            there = (page.parent / file).resolve() if file else page
            if not there.exists() or (anchor and anchor not in anchors.get(there, ())):
                bad.append(f"{page.relative_to(ROOT)}: {link}")
    assert bad == []


def find_anchors(text: str) -> Iterator[str]:
    """Yield the anchors that GitHub gives to headings."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.+)$", prose, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_without_the_catalogue_the_page_as_it_is_gives_the_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catalogue.md").write_text((REFERENCE / "catalogue.md").read_text())
    monkeypatch.setenv("PORTER_SHARED", str(tmp_path / "nowhere"))
    write(tmp_path)
    assert (tmp_path / "catalogue.md").read_text() == (REFERENCE / "catalogue.md").read_text()
    assert (tmp_path / "catalogue.md").read_text().count("\n| ") == 163 + 1


def test_an_entry_is_answered_or_accounted_for_and_not_both() -> None:
    written = load_toml(rules_home() / "paddle" / "catalogue.toml")
    accounted = [entry for kind in written.values() for entry in kind]
    folders = {e for rule in load_pack("paddle", rules_home()).rules for e in rule.catalogue}
    folders |= {e for p in pieces(rules_home() / "paddle" / "polyfills") for e in p.catalogue}
    assert len(set(accounted)) == len(accounted)
    assert not folders & set(accounted)
