"""The page of commands says what the commands say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.cli.pages import pages

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"


def said(text: str) -> list[str]:
    """The words of a page, without what versions of typer write each in their own way."""
    return re.sub(r"<[^>]*>|\[[^\]]*\]|[{}]", " ", text).split()


def test_the_committed_pages_are_up_to_date() -> None:
    made = pages()
    old = {n for n, text in made.items() if said(text) != said((REFERENCE / n).read_text())}
    assert old == set(), "run `make pages`"
    there = {str(p.relative_to(REFERENCE)) for p in (REFERENCE / "commands").glob("*")}
    assert there == {*made} - {"commands.md"}


def page() -> str:
    return "\n".join(pages().values())


def test_the_width_of_the_terminal_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = pages()
    monkeypatch.setenv("COLUMNS", "200")
    assert pages() == before


def test_every_command_has_its_section_with_examples() -> None:
    sections = re.split(r"^##? (?=porter)", page(), flags=re.MULTILINE)[1:]
    assert {"porter port", "porter surface capture"} <= {s.partition("\n")[0] for s in sections}
    for section in sections:
        name = section.partition("\n")[0]
        assert "Examples:" in section or "\nCommands:" in section, name


def test_every_command_is_one_line_of_the_index() -> None:
    made = pages()
    for name in {*made} - {"commands.md"}:
        assert made["commands.md"].count(f"]({name})") == 1


def test_every_value_has_a_name_in_capitals() -> None:
    rows = re.findall(r"^  (?:-\w, )?--?[\w-]+ (?!/)(\S+)", page(), re.MULTILINE)
    assert rows and all(re.fullmatch(r"[A-Z]+", row) for row in rows), set(rows)


def test_no_summary_of_a_command_is_cut_off() -> None:
    lists = re.findall(r"^Commands:\n((?:  .+\n)+)", page(), re.MULTILINE)
    assert len(lists) > 1 and "..." not in "".join(lists)
