"""The reference pages say what the rule folders say."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.rules.loader import load_pack
from porter.rules.pages import pages, write
from porter.rules.written import load_toml
from porter.unit import pieces

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


def test_an_entry_is_answered_or_accounted_for_and_not_both() -> None:
    written = load_toml(rules_home() / "paddle" / "catalogue.toml")
    accounted = [entry for kind in written.values() for entry in kind]
    folders = {e for rule in load_pack("paddle", rules_home()).rules for e in rule.catalogue}
    folders |= {e for p in pieces(rules_home() / "paddle" / "polyfills") for e in p.catalogue}
    assert len(set(accounted)) == len(accounted)
    assert not folders & set(accounted)
