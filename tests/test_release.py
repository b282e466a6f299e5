"""A tag gives a release: the workflow, the commands that it calls, and what wheels hold."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from porter import __version__
from porter.host import home
from tests.conftest import ROOT
from tests.release import notes, problem

WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
HOW_TO = (ROOT / "docs/how-to/release.md").read_text()
TARGETS = set(re.findall(r"^([\w-]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def steps(job: str = "") -> Iterator[dict[str, Any]]:
    for name, found in WORKFLOW["jobs"].items():
        yield from found["steps"] if job in ("", name) else ()


def made(text: str) -> set[str]:
    """The targets of make that a text calls."""
    lines = re.findall(r"(?:^|`)\s*make ((?:[\w-]+ ?)+)", text, re.MULTILINE)
    return {word for line in lines for word in line.split() if word.islower()}


def test_the_workflow_calls_what_the_how_to_says_and_make_has() -> None:
    called = made("\n".join(step.get("run", "") for step in steps()))
    assert called == {"release-check", "fast", "lint", "dist"}
    assert called <= made(HOW_TO) <= TARGETS


def test_a_tag_starts_the_workflow_and_nothing_else_does() -> None:
    started = WORKFLOW[True]  # YAML reads `on` as a truth value
    assert started == {"push": {"tags": ["v*"]}}


def test_every_action_is_pinned_to_a_commit() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert used and all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", one) for one in used)
    lines = re.findall(r"uses: (.*)", (ROOT / ".github/workflows/release.yml").read_text())
    assert all(re.search(r"  # v\d+\.\d+\.\d+$", line) for line in lines), "with its version"


def test_only_the_job_that_publishes_has_an_identity_and_it_runs_no_code_of_ours() -> None:
    assert WORKFLOW["permissions"] == {}
    rights = {name: job["permissions"] for name, job in WORKFLOW["jobs"].items()}
    assert [name for name, found in rights.items() if "id-token" in found] == ["pypi"]
    assert not any("checkout" in step.get("uses", "") for step in steps("pypi"))
    (publish,) = [s for s in steps("pypi") if "pypi-publish" in s.get("uses", "")]
    assert not {"password", "user"} & {*publish["with"]}


@pytest.mark.parametrize(
    ("tag", "text", "said"),
    [
        ("v1.0.0", "## 1.0.0 (2026-12-01)\n\nNew.\n", ""),
        ("1.0.0", "## 1.0.0\n\nNew.\n", "is not v1.0.0"),
        ("v1.0.0", "## 0.9.0\n\nOld.\n", "says nothing of 1.0.0"),
        ("v1.0.0", "## 1.0.0 (unreleased)\n\nNew.\n", "unreleased"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused(tag: str, text: str, said: str) -> None:
    found = problem(tag, text, "1.0.0")
    assert said in found and bool(found) is bool(said)


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    text = "# Changelog\n\n## 1.1.0\n\nB.\n\n### More\n\n- c\n\n## 1.0.0\n\nA.\n"
    assert notes(text, "1.1.0") == "B.\n\n### More\n\n- c" and notes(text, "1.0.0") == "A."
    assert notes((ROOT / "CHANGELOG.md").read_text(), __version__)


def test_the_versions_agree() -> None:
    assert PROJECT["project"]["version"] == __version__


def test_a_release_has_the_addresses_of_its_repository() -> None:
    def urls(**more: str) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GITHUB_")}
        command = [sys.executable, "-m", "hatchling", "metadata"]
        done = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=ROOT, env=inherited | more
        )
        return json.loads(done.stdout).get("urls", {})

    found = urls(GITHUB_REPOSITORY="someone/porter")
    assert set(found) == {"Homepage", "Documentation", "Changelog", "Issues"}
    assert all(one.startswith("https://github.com/someone/porter") for one in found.values())
    assert f"/v{__version__}/" in found["Changelog"] and urls() == {}


def texts(path: Path) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def test_messages_name_no_file_that_a_wheel_lacks() -> None:
    shipped = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert shipped["docs"] == "porter/_docs"
    makers = {"porter/rules/pages.py", "porter/cli/pages.py"}
    for path in (ROOT / "porter").rglob("*.py"):
        if str(path.relative_to(ROOT)) in makers:
            continue
        for text in texts(path):
            for name in re.findall(r"[\w-]+(?:/[\w.-]+)+\.\w+", text):
                assert not (ROOT / name).is_file(), f"{path}: {name}"


@pytest.mark.long
def test_the_wheel_has_the_schemas_of_json_and_what_the_page_is_made_of(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as found:
        for path in (ROOT / "docs/reference").glob("*.schema.json"):
            assert found.read(f"porter/_docs/reference/{path.name}") == path.read_bytes()
        parts = {name for name in found.namelist() if name.startswith("porter/report/page/page.")}
    assert {Path(part).suffix for part in parts} == {".html", ".css", ".js"}


def test_pages_that_messages_name_exist(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sources = "".join(path.read_text() for path in (ROOT / "porter").rglob("*.py"))
    named = set(re.findall(r"""\bpage\(["']([\w/.-]+)["']\)""", sources))
    assert {"reference/errors.md", "how-to/gpu.md"} <= named
    assert all((ROOT / "docs" / name).is_file() for name in named), named
    (tmp_path / "_docs/how-to").mkdir(parents=True)
    (tmp_path / "_docs/how-to/gpu.md").write_text("")
    monkeypatch.setattr(home, "PACKAGE", tmp_path)
    assert Path(home.page("how-to/gpu.md")) == tmp_path / "_docs/how-to/gpu.md"
