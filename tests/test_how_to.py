"""What the guides tell people to write works as it stands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.model import Language
from porter.rules.examples import examples, find, run
from porter.rules.loader import load_rule
from porter.surface.load import list_shipped, load
from porter.unit import pieces

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILE = re.compile(r"^`(rules/[^`\n]+)`\n\n(`{3,4})\w+\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(DOCS.parent.glob("*.md"))]


def written(page: str, home: Path) -> list[Path]:
    """The folders of the files that a guide shows, written below a folder."""
    folders = set()
    for path, _, text in FILE.findall((DOCS / "how-to" / page).read_text(encoding="utf-8")):
        target = home / path.removeprefix("rules/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        folders.add(target.parent)
    return sorted(folders)


@pytest.mark.parametrize("page", ["add-a-rule.md", "write-a-codemod.md"])
def test_the_rules_of_the_guide_do_what_their_examples_say(page: str, tmp_path: Path) -> None:
    folders = written(page, tmp_path)
    assert len(folders) == 2
    for folder in folders:
        rule = load_rule(folder, Language.PYTHON)
        given = examples(rule)
        assert any(example.is_untouched for example in given)
        for example in given:
            found = find(rule, example.before, example)
            assert bool(found) is not example.is_untouched
            if example.after is not None:
                assert run(rule, example.before, example) == example.after
        surface = load("paddle", list_shipped("paddle")[-1])
        assert rule.is_needed(surface, example.form), "the target really lacks it"


def test_the_piece_of_the_guide_loads(tmp_path: Path) -> None:
    assert written("add-a-polyfill.md", tmp_path)
    needed = ("python/overrides", "python/scope", "python/put_off")
    for name in needed:
        source = rules_home() / "paddle" / "polyfills" / name
        shutil.copytree(source, tmp_path / "paddle" / "polyfills" / name)
    found = pieces(tmp_path / "paddle" / "polyfills")
    shipped_pieces = {piece.id for piece in pieces(rules_home() / "paddle" / "polyfills")}
    assert {piece.id for piece in found} - {*needed} == {"python/total_norm"}
    assert "python/total_norm" not in shipped_pieces, (
        "the guide shows a piece that is not there yet"
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_an_index_names_every_page() -> None:
    """That of all documentation, or of commands, rules, polyfills and quirks, which have pages
    each."""
    reference = DOCS / "reference"
    indexes = {DOCS: DOCS / "index.md"}
    indexes |= {
        reference / name: reference / f"{name}.md"
        for name in ("commands", "rules", "polyfills", "quirks")
    }
    for page in sorted(DOCS.rglob("*.md")):
        folder = next(folder for folder in page.parents if folder in indexes)
        index = indexes[folder]
        path = page.relative_to(index.parent).as_posix()
        assert page == index or re.search(rf"\({path}[#)]", index.read_text(encoding="utf-8")), path
