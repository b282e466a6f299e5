"""The page of commands says what the commands say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.cli.pages import page

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"


def said(text: str) -> list[str]:
    """The words of a page, without what versions of typer write each in their own way."""
    return re.sub(r"<[^>]*>|\[[^\]]*\]|[{}]", " ", text).split()


def test_the_committed_page_is_up_to_date() -> None:
    assert said(page()) == said((REFERENCE / "commands.md").read_text()), "run `make pages`"


def test_the_width_of_the_terminal_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = page()
    monkeypatch.setenv("COLUMNS", "200")
    assert page() == before


def test_every_command_has_its_section_with_examples() -> None:
    sections = page().split("\n## ")[1:]
    assert {"porter port", "porter surface capture"} <= {s.partition("\n")[0] for s in sections}
    for section in sections:
        name = section.partition("\n")[0]
        assert "Examples:" in section or "\nCommands:" in section, name
