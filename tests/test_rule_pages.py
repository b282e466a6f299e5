"""The reference pages say what the rule folders say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from porter.rules.loader import load_pack
from porter.rules.pages import find_stale, pages, write
from porter.rules.written import load_toml
from porter.surface.quirks import read_quirks
from porter.unit import pages as polyfill_pages
from porter.unit import pieces
from porter.unit.package import write_package
from tests.conftest import ROOT

REFERENCE = Path(__file__).resolve().parent.parent / "docs" / "reference"


LONGEST = 1000  # lines; a longer page is split


def test_the_committed_pages_are_up_to_date() -> None:
    made = pages(REFERENCE)
    old = [name for name, text in made.items() if read(name) != text]
    assert old == [], "run `python -m porter.rules.pages`"
    assert find_stale(REFERENCE, [REFERENCE / name for name in made]) == set()


def test_the_committed_pages_of_polyfills_are_up_to_date(tmp_path: Path) -> None:
    polyfill_pages.write(tmp_path)
    made = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.md")}
    old = [name for name, path in made.items() if read(name) != path.read_text()]
    assert old == [], "run `make pages`"
    committed = {path.name for path in (REFERENCE / "polyfills").iterdir()}
    assert committed == {path.name for name, path in made.items() if "/" in name}


def test_every_polyfill_and_name_is_on_the_pages() -> None:
    made = polyfill_pages.pages()
    folders: dict[str, set[str]] = {}
    for piece in pieces(rules_home() / "paddle" / "polyfills"):
        folders.setdefault(piece.id.partition(".")[0], set()).update(piece.provides)
    for id, names in folders.items():
        ((page, anchor),) = re.findall(rf"\[{id}\]\((\S+)#(\S+)\)", made["polyfills.md"])
        _, _, after = made[page].partition(f"\n## {id}\n")
        section = after.partition("\n## ")[0]
        assert anchor == id.replace("/", "") and "- active on: " in section
        assert [name for name in names if f"`{name}`" not in section] == []


def test_what_no_probe_measured_is_not_said_to_be_measured(tmp_path: Path) -> None:
    """A home with two versions of a target: of one the data is older than the probe."""
    home = tmp_path / "rules"
    shutil.copytree(rules_home(), home, ignore=shutil.ignore_patterns("*.whl"))
    path = home / "paddle" / "surfaces" / "3.3.0.json"
    surface = json.loads(path.read_text())
    found = surface["quirks"]
    found["sort_gives_no_indices"] = []
    found["strides_are_a_list"] = ["torch.Tensor.stride"]
    del found["numel_is_a_tensor"]
    path.write_text(json.dumps(surface))
    made = pages(REFERENCE, home)
    holds = dict(
        re.findall(r"^## (\w+)\n.*?^- holds: (.*?)$", made["quirks/answers.md"], re.M | re.S)
    )
    assert "not on paddle 3.3.0, on paddle 3.3.1" in holds["sort_gives_no_indices"]
    assert ": on paddle 3.3.0, on paddle 3.3.1" in holds["strides_are_a_list"]
    assert "not probed on paddle 3.3.0" in holds["numel_is_a_tensor"]
    rows = dict(re.findall(r"^\| \[(\w+)\].*\| ([^|]*) \|$", made["quirks.md"], re.M))
    assert rows["sort_gives_no_indices"] == rows["numel_is_a_tensor"] == "paddle 3.3.1"
    assert rows["strides_are_a_list"] == "paddle 3.3.0, 3.3.1"
    index = polyfill_pages.pages(home)["polyfills.md"]
    active = dict(re.findall(r"^\| \[python/(\w+)\].*\| ([^|]*) \|$", index, re.M))
    assert active["numel_as_a_number"] == "paddle 3.3.0 (not probed), 3.3.1"
    assert active["strides_as_a_tuple"] == "paddle 3.3.0, 3.3.1"


@pytest.mark.real
def test_polyfills_are_active_where_the_pages_say_so(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    """As the package itself decides with the Paddle that is installed."""
    write_package(rules_home() / "paddle", tmp_path)
    done = subprocess.run(
        [framework_pythons["paddle"], "-W", "ignore", "-m", "porter_compat", "report"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PORTER_COMPAT_CACHE": str(tmp_path / "c")},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    (version,) = re.findall(r"for Paddle (\S+):", done.stdout)
    off = {id.partition(".")[0] for id in re.findall(r"^off: ([\w./]+):", done.stdout, re.M)}
    index = polyfill_pages.pages()["polyfills.md"]
    rows = dict(re.findall(r"^\| \[(python/\w+)\].*\| ([^|]*) \|$", index, re.M))
    said = {id for id, text in rows.items() if not re.search(rf"{version}$|^all, where", text)}
    assert said == off


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
