"""What earlier scans found gives the same findings as looking again, whatever else changed."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from porter import targets
from porter.host import kept
from porter.migrate import scan as scanning
from porter.migrate.scan import Job, ScanResult, scan
from porter.model import Form, Role
from porter.rules.loader import load_pack
from porter.surface.load import load
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.uses.asked import LookUp
from tests.conftest import ROOT

FIXTURES = ("vecops", "core_ops", "triton_norms", "cmake_pairs", "npu_from_cuda")
FILES = {
    "ops/__init__.py": "from .common import torch\n",
    "ops/common.py": "import torch\n",
    "ops/use.py": "from ops import torch\n\nx = torch.empty(2).cuda()\ntorch.cuda.synchronize()\n",
    "ops/plain.py": "x = 1\n",
    "setup.py": "from setuptools import setup\n\nsetup(name='ops', packages=['ops'])\n",
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PORTER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / "tree" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / path).write_text(text)
    return tmp_path / "tree"


def job_for(root: Path, target: str = "paddle", *, keep: bool = True) -> Job:
    pack = load_pack(target).active(None, Form())
    facts = survey(root, discover(root))
    look_up = LookUp.of(load("paddle", targets.resolve("paddle")[1]))
    return Job(root=root, facts=facts, pack=pack, form=Form(), look_up=look_up, kept=keep)


def result(job: Job, *, backwards: bool = False) -> ScanResult:
    files = discover(job.root).files
    return scan(job, files[::-1] if backwards else files, jobs=1)


def looked_at(job: Job, monkeypatch: pytest.MonkeyPatch) -> tuple[ScanResult, list[str]]:
    """What a scan gives, and the files that it reads anew."""
    anew: list[str] = []
    real = scanning.scan_bytes

    def told(job: Job, file: object, data: bytes, tree: object = None) -> ScanResult:
        anew.append(file.path)  # type: ignore[attr-defined]
        return real(job, file, data, tree)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(scanning, "scan_bytes", told)
        return result(job), anew


@pytest.mark.parametrize("name", FIXTURES)
def test_findings_are_the_same_without_with_and_from_an_earlier_scan(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = ROOT / "fixtures" / name
    plain = result(job_for(root, keep=False))
    assert plain.findings or plain.uses
    assert result(job_for(root), backwards=True) == plain
    with monkeypatch.context() as patch:
        patch.setattr(scanning, "ALONE_BYTES", 0)
        patch.setattr(scanning, "CHUNK_BYTES", 1000)  # some files each: what is learned stays
        files = discover(root).files
        assert scan(job_for(root, keep=False), files[::-1], jobs=3) == plain
    again, anew = looked_at(job_for(root), monkeypatch)
    assert again == plain
    assert anew == []


def test_a_changed_file_alone_is_read_anew(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result(job_for(tree))
    (tree / "ops/plain.py").write_text("x = 2\n")
    found, anew = looked_at(job_for(tree), monkeypatch)
    assert anew == ["ops/plain.py"]
    assert found == result(job_for(tree, keep=False))


def test_a_file_is_read_anew_where_another_one_hands_on_something_else(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = job_for(tree)
    assert "ops/use.py" in {use.path for use in result(job).uses}
    (tree / "ops/__init__.py").write_text("from .common import numpy as torch\n")
    # With the facts of before, so that it is the answers that tell.
    found, anew = looked_at(replace(job), monkeypatch)
    assert anew == ["ops/__init__.py", "ops/use.py"]
    assert found == result(replace(job, kept=False))
    names = [use.name for use in found.uses if use.path == "ops/use.py"]
    assert not any(name.startswith("torch") for name in names)


def test_another_target_form_role_or_spared_rule_is_another_result(tree: Path) -> None:
    job = job_for(tree)
    first = result(job)
    every = frozenset(rule.id for rule in job.pack.rules)
    spared = scanning.Spared(every, ("ops/",))
    for other in (
        job_for(tree, "torch_npu"),
        replace(job, spared=spared),
        replace(job, look_up=None),
        replace(job, pack=replace(job.pack, rules=job.pack.rules[:5])),
    ):
        assert result(other) == result(replace(other, kept=False)) != first
    tests = [replace(file, role=Role.TEST) for file in discover(tree).files]
    assert scan(job, tests, jobs=1) == scan(replace(job, kept=False), tests, jobs=1) != first
    assert result(job) == first


def test_a_rule_that_changed_is_asked_anew(tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rules/paddle/python/finds"
    folder.mkdir(parents=True)
    toml = 'title = "t"\nmessage = "m"\nsafety = "safe"\ncatalogue = []\nuntil = "u"\n'
    (folder / "rule.toml").write_text(f'{toml}[find]\nname = "torch.empty"\n')
    (folder / "README.md").write_text("# t\n")
    job = replace(job_for(tree), pack=load_pack("paddle", tmp_path / "rules"))
    assert [finding.message for finding in result(job).findings] == ["m"]
    written = (folder / "rule.toml").read_text().replace('message = "m"', 'message = "longer"')
    (folder / "rule.toml").write_text(written)
    job = replace(job, pack=load_pack("paddle", tmp_path / "rules"))
    assert [finding.message for finding in result(job).findings] == ["longer"]


def test_a_damaged_file_of_results_is_made_anew(tree: Path, home: Path) -> None:
    plain = result(job_for(tree))
    (file,) = (home / "kept").iterdir()
    file.write_bytes(b"damaged" * 1000)
    assert result(job_for(tree)) == plain
    with sqlite3.connect(file) as table:
        assert table.execute("SELECT count(*) FROM kept").fetchone() == (len(FILES),)


def test_results_of_runs_at_once_are_all_kept() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: kept.save("some", {f"{n}-{k}": k for k in range(50)}), range(8)))
    keys = [f"{n}-{k}" for n in range(8) for k in range(50)]
    assert kept.load("some", [*keys, "other"]) == {key: int(key[2:]) for key in keys}


def test_the_oldest_results_go_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "LARGEST", 3000)
    for name in "abcd":
        kept.save("some", {name: name * 1000})
    assert [*kept.load("some", "abcd")] == ["c", "d"]
