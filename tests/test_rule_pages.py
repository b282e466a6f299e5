"""The reference pages say what the rule folders say."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.home import rules_home
from porter.rules.loader import load_pack
from porter.rules.pages import pages, write

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"


@pytest.mark.parametrize("name", ["rules.md", "catalogue.md"])
def test_the_committed_pages_are_up_to_date(name: str) -> None:
    made = pages(REFERENCE)[name]
    assert made == (REFERENCE / name).read_text(), "run `python -m porter.rules.pages`"


def test_every_rule_has_its_section() -> None:
    text = pages(REFERENCE)["rules.md"]
    for rule in load_pack("paddle", rules_home()).rules:
        assert f"\n## {rule.id}\n" in text and rule.message in text


def test_without_the_catalogue_the_page_as_it_is_gives_the_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "catalogue.md").write_text((REFERENCE / "catalogue.md").read_text())
    monkeypatch.setenv("PORTER_SHARED", str(tmp_path / "nowhere"))
    write(tmp_path)
    assert (tmp_path / "catalogue.md").read_text() == (REFERENCE / "catalogue.md").read_text()
    assert (tmp_path / "catalogue.md").read_text().count("\n| ") == 163 + 1
