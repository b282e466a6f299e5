"""A translated page has the structure, code, links and figures of the English one beside it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.conftest import ROOT

PAGES = [*ROOT.glob("*.zh.md"), *(ROOT / "docs").rglob("*.zh.md")]
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def english(page: Path) -> Path:
    return page.with_name(page.name.replace(".zh.md", ".md"))


def tokens(page: Path) -> list[Token]:
    every = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    return [token for outer in every for token in (outer, *(outer.children or ()))]


def structure(page: Path) -> list[str]:
    """Return the elements in order, with the text of code blocks."""
    kept = ("heading", "list", "fence", "table", "tr_", "td_", "image", "paragraph")
    return [
        t.tag + t.content * (t.type == "fence") for t in tokens(page) if t.type.startswith(kept)
    ]


def links(page: Path) -> list[str]:
    """Return the links, without anchors and languages."""
    found = (t.attrs.get("href") or t.attrs.get("src") for t in tokens(page))
    return sorted(str(one).partition("#")[0].replace(".zh.md", ".md") for one in found if one)


def inline(page: Path, kind: str) -> Counter[str]:
    return Counter(t.content for t in tokens(page) if t.type == kind)


def figures(page: Path) -> Counter[str]:
    prose = " ".join(t.content for t in tokens(page) if t.type == "text")
    return Counter(re.findall(r"\d[\d,.]*\d|\d", prose))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_translation_is_in_step(page: Path) -> None:
    other = english(page)
    assert structure(page) == structure(other)
    assert links(page) == links(other)
    assert inline(page, "code_inline") == inline(other, "code_inline")
    assert figures(page) == figures(other)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_translation_is_one(page: Path) -> None:
    texts = [t.content for t in tokens(page) if t.type == "inline"]
    english_ones = {t.content for t in tokens(english(page)) if t.type == "inline"}
    prose = [text for text in texts if len(re.findall(r"[A-Za-z]{2,}", text)) > 3]
    assert len([text for text in prose if text in english_ones and not CHINESE.search(text)]) <= 1
    assert f"({page.name})" in english(page).read_text(encoding="utf-8"), "each leads to the other"
    assert f"({english(page).name})" in page.read_text(encoding="utf-8")


def test_links_of_a_translation_lead_to_translations() -> None:
    for page in PAGES:
        for match in re.finditer(
            r"\]\(([\w./-]+?)(\.zh)?\.md[)#]", page.read_text(encoding="utf-8")
        ):
            translated = page.parent / f"{match[1]}.zh.md"
            own = (page.parent / f"{match[1]}.md").resolve() == english(page)
            assert match[2] or own or not translated.exists(), f"{page.name}: {match[1]}"


def test_the_pages_most_read_are_translated() -> None:
    names = {page.relative_to(ROOT).as_posix() for page in PAGES}
    assert {"README.zh.md", "docs/tutorial/first-port.zh.md"} < names and len(names) >= 5
