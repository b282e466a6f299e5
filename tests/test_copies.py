"""The sdist and the wheel of a tree: what they install works as it did before the patch."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from porter.build import copies, driver, environment, installed
from porter.build.cell import Options, projects, work_tree
from porter.errors import EnvironmentFailed
from porter.model import (
    Cell,
    Device,
    Evidence,
    Outcome,
    Package,
    ProjectFacts,
    Status,
    Tree,
)
from porter.stages.copies import Trial, judge_copy
from porter.targets import SOURCE, Environment
from tests.installed_copies import Row, compare, count, line
from tests.test_build_driver import BACKEND

CELL = Cell(Tree.PATCHED, "torch", Device.CPU, Evidence.NATIVE)
# An sdist of what the file list.txt says.
SDIST = """

def build_sdist(folder, config=None):
    import tarfile

    name = "pkg-1.0.tar.gz"
    with tarfile.open(os.path.join(folder, name), "w:gz") as archive:
        for path in pathlib.Path("list.txt").read_text().split():
            archive.add(path, f"pkg-1.0/{path}")
    return name
"""
PYPROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "pkg"
"""
ONE = {"a": Outcome.PASSED, "b": Outcome.FAILED}
BOTH = {"a": Outcome.PASSED, "b": Outcome.PASSED}
ALL = ("pyproject.toml", "backend.py", "list.txt", "pkg/__init__.py", "pkg/inner.py")


@pytest.fixture
def base(tmp_path: Path) -> Environment:
    """An environment with an empty torch, of what runs the tests."""
    site = tmp_path / "site"
    (site / "torch").mkdir(parents=True)
    (site / "torch" / "__init__.py").write_text("")
    paths = (str(site), *(p for p in sys.path if p.endswith("site-packages")))
    python = Path(sys.executable)
    return Environment(python=python, framework="torch", version="1", build="cpu", paths=paths)


def project(root: Path, listed: tuple[str, ...] = ALL) -> Path:
    files = {
        "pyproject.toml": PYPROJECT,
        "backend.py": BACKEND + SDIST,
        "list.txt": " ".join(listed),
        "pkg/__init__.py": "from . import inner as inner\n",
        "pkg/inner.py": "",
        "tests/test_a.py": "import pkg\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.parametrize("listed", [ALL, ALL[:-1]])
def test_what_an_sdist_lacks_shows_beside_what_the_tree_installs(
    base: Environment, tmp_path: Path, listed: tuple[str, ...]
) -> None:
    root, cell = project(tmp_path / "tree", listed), tmp_path / "cell"
    options = Options(requirements=False)
    driver.build(root, CELL, base, SOURCE, cell, options)
    where = environment.open_overlay(base, cell / "venv")
    built = copies.copy_of_build(where, work_tree(cell))
    assert "pkg/inner.py" in built.files()
    copy = copies.copy_of_sdist(root, CELL, where, SOURCE, tmp_path / "sdist", options)
    assert copy.where.python.is_relative_to(tmp_path / "sdist")
    assert (copy.content() == built.content()) is (listed == ALL)
    assert ("pkg/inner.py" in copy.files()) is (listed == ALL)
    assert (copy.site / "pkg/inner.py").exists() is (listed == ALL), "nothing of the first is left"


def test_an_sdist_that_cannot_be_made_is_told_with_a_log(base: Environment, tmp_path: Path) -> None:
    root = project(tmp_path / "tree", ("gone.txt",))
    with pytest.raises(EnvironmentFailed, match=r"gone\.txt") as error:
        copies.copy_of_sdist(root, CELL, base, SOURCE, tmp_path / "sdist", Options())
    assert "sdist.log" in error.value.hint


def test_tests_apart_from_the_tree_keep_what_is_no_module_of_the_package(tmp_path: Path) -> None:
    root = project(tmp_path / "tree")
    for path in ("pkg/tests/helpers.py", "pkg/data.json", "alone.py", "run.py"):
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text("1\n")
    facts = ProjectFacts(packages=(Package("pkg", "pkg"),), tests=("tests/test_a.py",))
    apart = copies.copy_apart(root, tmp_path / "apart", "", facts, ["alone.py", "pkg/inner.py"])
    kept = {p.relative_to(apart).as_posix() for p in apart.rglob("*") if p.is_file()}
    left = {"pyproject.toml", "backend.py", "list.txt", "run.py"}
    assert kept == left | {
        "pkg/__init__.py",
        "pkg/data.json",
        "pkg/tests/helpers.py",
        "tests/test_a.py",
    }
    assert (apart / "pkg/__init__.py").read_text() == ""


def test_every_project_of_a_tree_without_one_at_its_root_is_built(tmp_path: Path) -> None:
    for name in ("a", "b/c", "docs"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "setup.py").write_text("")
    scripts = ("a/setup.py", "b/c/setup.py", "b/c/tool.py")
    assert projects(tmp_path, Options(build_scripts=scripts)) == ("a", "b/c")
    assert projects(tmp_path, Options(build_scripts=scripts, subdir="b")) == ("b/c",)
    for name in ("d/d", "e/e"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "d/pyproject.toml").write_text('[project]\nname = "d"\n')
    (tmp_path / "e/pyproject.toml").write_text("[tool.ruff]\n")
    options = Options(build_scripts=scripts, packages=("a/a", "d/d", "e/e"))
    assert projects(tmp_path, options) == ("a", "b/c", "d")
    (tmp_path / "setup.py").write_text("")
    assert projects(tmp_path, Options(build_scripts=scripts)) == ("",)


def test_modules_of_a_namespace_are_imported_where_there_is_no_package(tmp_path: Path) -> None:
    def names(*files: str) -> list[str]:
        return [module.name for module in installed.modules(tmp_path, files)]

    files = ("space/_porter_compat.py", "space/a.py", "space/deep/b.py")
    assert names(*files) == ["space.a", "space.deep.b"], "the unit is for the target alone"
    assert names("_porter_compat/__init__.py", "one.py") == ["one"]
    assert names("space/a.py", "ops/__init__.py", "ops/a.py", "tests/test_a.py") == ["ops"]


@pytest.mark.parametrize(
    ("now", "before", "status", "reason"),
    [
        (Trial(outcomes=BOTH), None, Status.OK, ""),
        (Trial(outcomes=ONE), Trial(outcomes=BOTH), Status.FAILED, "1 of 2 tests lost: b"),
        (Trial(outcomes=ONE), Trial(outcomes=ONE), Status.OK, ""),
        (Trial(problem="no file"), Trial(outcomes=ONE), Status.FAILED, "no file"),
        (
            Trial(problem="no file"),
            Trial(problem="no file"),
            Status.SKIPPED,
            "as before the patch: no file",
        ),
    ],
)
def test_only_what_worked_before_the_patch_counts(
    now: Trial, before: Trial | None, status: Status, reason: str
) -> None:
    def earlier() -> Trial:
        assert before is not None, "not tried where nothing is lost"
        return before

    found = judge_copy("sdist", now, ("a", "b"), earlier, CELL)
    assert (found.status, found.reason) == (status, reason)


@pytest.mark.parametrize(
    ("pairs", "differs"),
    [
        ([(Trial(outcomes=BOTH), Trial(outcomes=BOTH))], False),
        ([(Trial(outcomes=ONE), Trial(outcomes=ONE))], False),
        ([(Trial(outcomes=BOTH), Trial(outcomes=ONE))] * 3, True),
        ([(Trial(outcomes=ONE), Trial(outcomes=BOTH))] * 3, True),
        ([(Trial(outcomes=BOTH), Trial(outcomes={"a": Outcome.PASSED}))], True),
        ([(Trial(outcomes=BOTH), Trial(outcomes=ONE)), (Trial(outcomes=ONE),) * 2], False),
        ([(Trial(), Trial())], True),
        ([(Trial(problem="no file"), Trial(problem="no file"))], True),
        ([(Trial(outcomes=BOTH), Trial(problem="no file"))], True),
    ],
    ids=[
        *("same", "same failure", "lost", "another outcome", "not collected", "random result"),
        *("no tests", "nothing to compare", "does not install"),
    ],
)
def test_copies_differ_where_no_trial_without_the_patch_had_the_outcome(
    pairs: list[tuple[Trial, Trial]], differs: bool
) -> None:
    assert bool([*compare(pairs)]) is differs
    row = Row(name="ops", form="package", trials={"sdist": pairs})
    assert bool(row.differences) is differs
    assert line(row).count("|") == 9


def test_a_copy_is_counted_by_outcome() -> None:
    assert count(Trial(outcomes=ONE)) == "1 passed, 1 failed"
    assert count(Trial(problem="no file")) == count(None) == "-"
