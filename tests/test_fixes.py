"""What today's torch refuses is fixed first, in a commit of its own, and then compared with."""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path

import pytest

from porter.migrate import patch
from porter.migrate.plan import migrate
from porter.migrate.scan import Job
from porter.model import (
    BuildResult,
    Cell,
    Device,
    Evidence,
    Form,
    Plan,
    Status,
    SuiteComparison,
    Tree,
)
from porter.report.json import document
from porter.rules.loader import load_pack
from porter.run.record import Migration, RunRecord, SourceRecord, Verification
from porter.run.store import Run
from porter.sources import checkout
from porter.stages import fixed
from porter.survey.discover import discover
from porter.survey.survey import survey

FILES = {
    "setup.py": (
        "from setuptools import setup\n"
        "from torch.utils.cpp_extension import BuildExtension, CppExtension\n\n"
        'flags = ["-O2", "-std=c++14"]\n'
        'extension = CppExtension("ops._C", ["ops.cpp"], extra_compile_args=flags)\n'
        'setup(name="ops", packages=["ops"], ext_modules=[extension],\n'
        '      cmdclass={"build_ext": BuildExtension})\n'
    ),
    "ops/__init__.py": "import torch\nfrom ops import _C\n",
    "ops/limits.cpp": (
        "#include <vector>\ninline float least() { return std::numeric_limits<float>::lowest(); }\n"
    ),
    "ops.cpp": "#include <torch/extension.h>\n",
}


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def ported(tmp_path: Path) -> tuple[Run, Plan, RunRecord]:
    """A run whose plan is written."""
    source = tmp_path / "source"
    for name, text in FILES.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    git(source, "init", "-q")
    git(source, "add", ".")
    git(source, "commit", "-q", "-m", "first")
    run = Run(tmp_path / "run")
    got = checkout.fetch(checkout.parse(str(source)), run.folder)
    checkout.add_tree(run.folder)
    found = discover(run.tree)
    facts = survey(run.tree, found)
    job = Job(root=run.tree, facts=facts, pack=load_pack("paddle"), form=Form())
    plan = migrate(job, found.files).plan
    record = patch.write(plan, run.tree, run.patch, "porter migrate")
    kept = RunRecord(
        id="x",
        porter_version="0",
        created="2026-11-26T00:00:00+00:00",
        cwd=str(tmp_path),
        source=SourceRecord(written=str(source), identity=got.identity, kind=got.kind.value),
        migration=Migration(patch=record),
    )
    return run, plan, kept


def test_fixes_are_the_first_commit_and_nothing_else_is(
    ported: tuple[Run, Plan, RunRecord],
) -> None:
    run, plan, kept = ported
    done = kept.migration.patch
    assert done is not None
    assert {change.rule for change in done.fixes} == {
        "torch/python/old_cpp_standard",
        "torch/cpp/standard_header_missing",
    }
    changed = git(run.tree, "show", "--format=", "--unified=0", done.fixed).splitlines()
    lines = [line for line in changed if line[:1] in "+-" and not line.startswith(("+++", "---"))]
    assert lines == [
        "+#include <limits>",
        '-flags = ["-O2", "-std=c++14"]',
        '+flags = ["-O2", "-std=c++17"]',
    ]
    assert git(run.tree, "log", "--format=%s", "--reverse").splitlines()[1].startswith("Fix: ")
    for item in plan.patches:
        assert item.after == (run.tree / item.path).read_bytes()


@pytest.mark.parametrize("refused", [False, True])
def test_a_header_gets_what_a_compiler_did_not_find_in_it(tmp_path: Path, refused: bool) -> None:
    header = '#include "own.h"\n' + FILES["ops/limits.cpp"]
    for name, text in {**FILES, "ops/limits.h": header}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = discover(tmp_path)
    undeclared = (("ops/limits.h", "std::numeric_limits"),) if refused else ()
    facts = dataclasses.replace(survey(tmp_path, found), undeclared=undeclared)
    job = Job(root=tmp_path, facts=facts, pack=load_pack("paddle"), form=Form())
    fixes = migrate(job, found.files).plan.fixes
    added = {patch.path: (patch.after or b"").count(b"#include <limits>\n") for patch in fixes}
    assert added.get("ops/limits.h", 0) == refused


@pytest.mark.parametrize(
    ("broken", "helps", "tree", "tried"),
    [
        (True, True, Tree.UNPATCHED, ["base", "fixed"]),
        (True, False, Tree.UNPATCHED, ["base", "fixed"]),
        (False, True, Tree.UNPATCHED, ["base"]),
        (True, True, Tree.PATCHED, ["base"]),
    ],
)
def test_the_fixed_tree_is_built_where_the_one_that_came_is_not(
    ported: tuple[Run, Plan, RunRecord], broken: bool, helps: bool, tree: Tree, tried: list[str]
) -> None:
    run, _, kept = ported
    seen: list[str] = []

    def attempt(folder: Path) -> BuildResult:
        seen.append(folder.name)
        ok = not broken or (folder == run.fixed and helps)
        if folder == run.fixed:
            assert "-std=c++17" in (folder / "setup.py").read_text()
            assert "porter_compat" not in (folder / "ops/__init__.py").read_text()
        cell = Cell(tree, "torch", Device.CPU, Evidence.NATIVE)
        return BuildResult(cell=cell, status=Status.OK if ok else Status.FAILED, reason="c++14")

    result = fixed.build(run, kept, attempt(run.base), attempt)
    assert seen == tried
    assert result.needs_fixes == ("c++14" if tried[1:] and helps else "")
    assert (result.status is Status.OK) == (not broken or bool(tried[1:] and helps))


def test_tests_that_pass_with_the_fixes_only_are_said(ported: tuple[Run, Plan, RunRecord]) -> None:
    _, _, kept = ported
    for fixed_tests, said in (((), None), (("tests/test_ops.py::test_least",), "1 test")):
        comparison = SuiteComparison(fixed=fixed_tests)
        record = dataclasses.replace(kept, verification=Verification(comparison=comparison))
        found = document(record)["needs_fixes"]
        assert (found is None) == (said is None)
        assert said is None or said in found["reason"]
