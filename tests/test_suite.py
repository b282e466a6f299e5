"""The repository's own tests: found, run past crashes, compared."""

from __future__ import annotations

import dataclasses
import sys
import textwrap
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from porter.errors import UsageError
from porter.host.home import rules_home
from porter.model import (
    Cell,
    Device,
    Evidence,
    Failure,
    Outcome,
    Package,
    ProjectFacts,
    Status,
    SuiteResult,
    Tree,
)
from porter.stages.verify import limit_test
from porter.suite import compare, detect, find_flaky, run_suite
from porter.suite.compare import match
from porter.suite.recording import read

CELL = Cell(Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE)


def suite(
    root: Path,
    files: Mapping[str, str],
    command: str | None = None,
    facts: ProjectFacts | None = None,
    timeout: float = 60,
    test_timeout: float = 30,
    env: Mapping[str, str] | None = None,
    only: Collection[str] = (),
) -> SuiteResult:
    tree = root / "tree"
    for path, text in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text, encoding="utf-8")
    tree.mkdir(exist_ok=True)
    log = root / "logs" / "tests.log"
    return run_suite(
        tree,
        CELL,
        Path(sys.executable),
        command,
        facts,
        env or {},
        log,
        timeout,
        test_timeout=test_timeout,
        only=only,
    )


def named(result: SuiteResult) -> dict[str, str]:
    return {name.rpartition("::")[2]: str(outcome) for name, outcome in result.outcomes.items()}


def outcomes(tree: Tree = Tree.UNPATCHED, /, **tests: str) -> SuiteResult:
    return SuiteResult(
        cell=Cell(tree, "torch", Device.CPU, Evidence.NATIVE),
        status=Status.OK,
        outcomes={f"tests/test_x.py::{name}": Outcome(word) for name, word in tests.items()},
    )


# -------------------------------------------------------------------- running


def test_each_kind_of_outcome_is_recorded_with_its_reason(tmp_path: Path) -> None:
    body = """
import pytest, unittest
def test_passes(): pass
def test_fails(): assert 1 == 2, "one is not two"
@pytest.mark.skip(reason="no GPU here")
def test_skipped(): pass
@pytest.fixture
def broken(): raise ValueError("no fixture")
def test_setup(broken): pass
@pytest.mark.xfail(reason="known")
def test_expected_failure(): assert False
@pytest.mark.parametrize("n", [1, 2])
def test_many(n): assert n == 1
"""
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert named(result) == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_skipped": "skipped",
        "test_setup": "error",
        "test_expected_failure": "skipped",
        "test_many[1]": "passed",
        "test_many[2]": "failed",
    }
    assert result.status is Status.FAILED
    messages = {name.rpartition("::")[2]: text for name, text in result.messages.items()}
    assert "one is not two" in messages["test_fails"]
    assert messages["test_skipped"] == "no GPU here"
    assert "no fixture" in messages["test_setup"]
    assert "known" in messages["test_expected_failure"]


def test_tests_have_the_same_names_by_way_of_a_link(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "def test_passes(): pass\n"}
    direct = suite(tmp_path / "cell", files)
    (tmp_path / "link").symlink_to(tmp_path / "cell")
    assert suite(tmp_path / "link", files).outcomes == direct.outcomes
    assert list(direct.outcomes) == ["tests/test_a.py::test_passes"]


def test_tests_that_depend_on_a_polyfilled_check_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")  # that of this test
    note = (rules_home() / "paddle/polyfills/python/noted/piece.py").read_text()
    body = """
import subprocess, sys, pytest, unit
unit._note("torch.equal")  # by no test
@pytest.mark.parametrize("text", ["a b", "c"])
def test_checks(text):
    for _ in range(3): unit._note("torch.equal")
    assert text == "c"
def test_in_another_process():
    code = "import unit; unit._note('torch.jit.script')"
    subprocess.run([sys.executable, "-c", code], check=True)
def test_plain(): pass
"""
    files = {
        "unit.py": note,
        "test_a.py": body,
        "check.py": "import unit\nunit._note('torch.equal')\n",
    }
    command = "python -m pytest test_a.py && python check.py"
    result = suite(tmp_path, files, command, env={"PYTHONPATH": str(tmp_path / "tree")})
    assert result.polyfilled == {
        "torch.equal": ("test_a.py::test_checks[a b]", "test_a.py::test_checks[c]", "check.py"),
        "torch.jit.script": ("test_a.py::test_in_another_process",),
    }


def test_a_crash_keeps_what_ran_and_names_the_test_and_the_rest_runs_on(tmp_path: Path) -> None:
    body = "import os\ndef test_a(): pass\ndef test_b(): os.abort()\ndef test_c(): pass\n"
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert named(result) == {"test_a": "passed", "test_b": "error", "test_c": "passed"}
    assert result.messages["tests/test_a.py::test_b"] == "crashed the interpreter: SIGABRT"


def test_a_test_that_exits_the_process_is_an_error(tmp_path: Path) -> None:
    body = "import os\ndef test_a(): os._exit(0)\ndef test_b(): pass\n"
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert named(result) == {"test_a": "error", "test_b": "passed"}
    assert "exit status 0" in result.messages["tests/test_a.py::test_a"]


def test_a_script_that_runs_its_tests_whoever_imports_it_is_collected(tmp_path: Path) -> None:
    body = (
        "import unittest\nclass Tests(unittest.TestCase):\n    def test_a(self): pass\n"
        "    def test_b(self): self.assertEqual(unittest.main.__name__, 'TestProgram')\n"
        "unittest.main()\n"
    )
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert named(result) == {"test_a": "passed", "test_b": "passed"}


def test_a_hanging_test_is_ended_and_the_rest_runs_on(tmp_path: Path) -> None:
    body = "import time\ndef test_a(): time.sleep(99)\ndef test_b(): pass\n"
    result = suite(tmp_path, {"tests/test_a.py": body}, test_timeout=1)
    assert named(result) == {"test_a": "error", "test_b": "passed"}
    assert "limit of 1 s" in result.messages["tests/test_a.py::test_a"]


def test_tests_left_when_the_time_is_up_are_errors(tmp_path: Path) -> None:
    body = "import time\ndef test_a(): pass\ndef test_b(): time.sleep(99)\ndef test_c(): pass\n"
    result = suite(tmp_path, {"tests/test_a.py": body}, timeout=8)
    assert named(result) == {"test_a": "passed", "test_b": "error", "test_c": "error"}
    assert result.status is Status.PARTIAL
    assert result.messages["tests/test_a.py::test_c"].startswith("not run")


def test_endless_crashes_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porter.suite.run.MAX_CRASHES", 1)
    body = "import os, pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_a(n): os.abort()\n"
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert set(named(result).values()) == {"error"}
    assert len(result.outcomes) == 4
    assert "crashes" in result.reason


def test_a_file_that_cannot_be_imported_is_an_error_and_others_run(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "import not_there\n", "tests/test_b.py": "def test_b(): pass\n"}
    result = suite(tmp_path, files)
    assert result.outcomes["tests/test_a.py"] is Outcome.ERROR
    assert result.messages["tests/test_a.py"].startswith("ModuleNotFoundError")
    assert result.outcomes["tests/test_b.py::test_b"] is Outcome.PASSED


def test_files_that_cannot_be_in_one_process_run_in_others(tmp_path: Path) -> None:
    text = "import sys\nassert not hasattr(sys, 'mine')\nsys.mine = 1\ndef test_{0}(): pass\n"
    files = {f"tests/test_{name}.py": text.format(name) for name in "abc"}
    result = suite(tmp_path, files | {"tests/test_d.py": "import not_there\n"})
    assert named(result) == {
        "test_a": "passed",
        "test_b": "passed",
        "test_c": "passed",
        "tests/test_d.py": "error",
    }
    assert "run in separate processes: tests/test_b.py; " in result.reason
    assert [*result.messages] == ["tests/test_d.py"]


def test_a_file_that_crashes_while_collected_is_left_out(tmp_path: Path) -> None:
    files = {
        "tests/test_a.py": "import os\nos.abort()\n",
        "tests/test_b.py": "def test_b(): pass\n",
    }
    result = suite(tmp_path, files)
    assert result.outcomes["tests/test_a.py"] is Outcome.ERROR
    assert "SIGABRT" in result.messages["tests/test_a.py"]
    assert result.outcomes["tests/test_b.py::test_b"] is Outcome.PASSED


def test_a_broken_conftest_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    files = {"tests/conftest.py": "import not_there\n", "tests/test_b.py": "def test_b(): pass\n"}
    result = suite(tmp_path, files)
    assert result.status is Status.FAILED
    assert not result.outcomes
    assert "not_there" in result.reason


def test_a_module_skipped_for_a_missing_device_keeps_its_reason(tmp_path: Path) -> None:
    body = "import pytest\npytest.skip('needs CUDA', allow_module_level=True)\n"
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert result.status is Status.SKIPPED
    assert "needs CUDA" in result.reason


def test_the_installed_package_is_imported_not_the_tree(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "ops").mkdir(parents=True)
    (site / "ops" / "__init__.py").write_text("where = 'installed'\n")
    files = {
        "ops/__init__.py": "where = 'tree'\n",
        "tests/__init__.py": "",  # makes pytest put the root first in sys.path
        "tests/helper.py": "value = 3\n",
        "tests/test_a.py": "import ops\nfrom .helper import value\n"
        "def test_a(): assert (ops.where, value) == ('installed', 3)\n",
    }
    facts = ProjectFacts(packages=(Package("ops", "ops"),), tests=("tests/test_a.py",))
    result = suite(tmp_path, files, facts=facts, env={"PYTHONPATH": str(site)})
    assert named(result) == {"test_a": "passed"}, result.messages


def test_tests_inside_of_the_package_run_against_the_installed_one(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "ops").mkdir(parents=True)
    (site / "ops" / "__init__.py").write_text("where = 'installed'\n")
    body = "from ops import where\ndef test_{}(): assert where == 'installed'\n"
    (site / "ops" / "sum_test.py").write_text(body.format("sum"))
    files = {
        "ops/__init__.py": "where = 'tree'\n",
        "ops/sum_test.py": body.format("sum"),  # installed with the package
        "ops/tests/__init__.py": "",  # not installed
        "ops/tests/test_a.py": "from .helper_test import value\n" + body.format("a"),
        "ops/tests/helper_test.py": "value = 3\n",
        "ops/tests/test_lost.py": "import ops.only_in_the_tree\ndef test_b(): pass\n",
        "ops/only_in_the_tree.py": "",
    }
    tests = tuple(path for path in files if "test" in path)
    facts = ProjectFacts(packages=(Package("ops", "ops"),), tests=tests)
    result = suite(tmp_path, files, facts=facts, env={"PYTHONPATH": str(site)})
    assert named(result)["test_a"] == "passed", result.messages
    assert "No module named 'ops.only_in_the_tree'" in str(result.messages)
    result = suite(
        tmp_path,
        files,
        facts=facts,
        env={"PYTHONPATH": str(site)},
        command="pytest ops/sum_test.py",
    )
    assert named(result) == {"test_sum": "passed"}, result.messages


def test_one_file_does_not_stand_for_another_of_its_name(tmp_path: Path) -> None:
    files = {
        "tests/a/test_x.py": "def test_x(): pass\n",
        "tests/b/test_x.py": "def test_x(): assert False\n",
    }
    result = suite(tmp_path, files)
    assert sorted(result.outcomes.values()) == [Outcome.FAILED, Outcome.PASSED]


def test_options_for_plugins_that_are_not_there_do_not_stop_the_tests(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "[pytest]\naddopts = --not-an-option=3\n",
        "tests/test_a.py": "def test_a(): pass\n",
    }
    result = suite(tmp_path, files)
    assert named(result) == {"test_a": "passed"}
    assert "without the options" in result.reason


def test_hypothesis_has_the_same_examples_in_every_cell_and_no_deadline(tmp_path: Path) -> None:
    slow = """
        import random, time
        from hypothesis import given, settings, strategies
        seen = []

        @given(strategies.integers())
        def test_slow(n):
            seen.append(n)
            time.sleep(0.3 if len(seen) == 2 else 0)

        def test_seen():
            raise AssertionError(str(sum(seen)))

        @settings(deadline=5, max_examples=2)
        @given(strategies.integers())
        def test_own_deadline(n):
            time.sleep(0.02)
    """
    first, second = (suite(tmp_path, {"tests/test_slow.py": textwrap.dedent(slow)}) for _ in "ab")
    assert named(first)["test_slow"] == "passed", first.messages
    assert named(first)["test_own_deadline"] == "failed"
    name = next(name for name in first.messages if "test_seen" in name)
    assert first.messages[name] == second.messages[name]


def offer_plugin(site: Path, name: str, module: str) -> None:
    """A distribution with a plugin of pytest."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[pytest11]\n{name} = {module}\n")


@pytest.mark.parametrize(
    "source",
    [None, "def pytest_collect_file(file_path, no_such_argument): pass\n", "raise ValueError\n"],
    ids=["lacks its module", "has the hooks of another pytest", "raises"],
)
def test_a_plugin_that_pytest_cannot_load_does_not_stop_the_tests(
    tmp_path: Path, source: str | None
) -> None:
    site = tmp_path / "site"
    offer_plugin(site, "broken", "broken_plug")
    if source:
        (site / "broken_plug.py").write_text(source)
    files = {"tests/test_a.py": "def test_a(): pass\n"}
    result = suite(tmp_path, files, env={"PYTHONPATH": str(site)})
    assert named(result) == {"test_a": "passed"}
    assert "cannot load: broken" in result.reason


def test_a_plugin_that_imports_torch_is_loaded_after_what_gives_it(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("first_plug", "porter_compat", "second_plug"):
        offer_plugin(site, name, name)
        (site / f"{name}.py").write_text("import torch\n")
    gives = "import sys, types\nsys.modules.setdefault('torch', types.ModuleType('torch'))\n"
    (site / "porter_compat.py").write_text(gives)
    files = {"tests/test_a.py": "import torch\ndef test_a(): pass\n"}
    result = suite(tmp_path, files, env={"PYTHONPATH": str(site)})
    assert named(result) == {"test_a": "passed"}


def test_without_the_package_what_a_plugin_lacks_is_said(tmp_path: Path) -> None:
    site = tmp_path / "site"
    offer_plugin(site, "some_plug", "some_plug")
    (site / "some_plug.py").write_text("import torch\n")
    files = {"tests/test_a.py": "def test_a(): pass\n"}
    result = suite(tmp_path, files, env={"PYTHONPATH": str(site)})
    assert not result.outcomes and "No module named 'torch'" in result.reason


def test_stopping_at_the_first_failure_is_overruled(tmp_path: Path) -> None:
    files = {
        "pytest.ini": "[pytest]\naddopts = -x\ntestpaths = tests\n",
        "tests/test_a.py": "def test_a(): assert False\ndef test_b(): pass\n",
    }
    assert named(suite(tmp_path, files)) == {"test_a": "failed", "test_b": "passed"}


def test_nothing_is_written_into_the_tree(tmp_path: Path) -> None:
    suite(tmp_path, {"tests/test_a.py": "def test_a(): pass\n"})
    files = [path.name for path in (tmp_path / "tree").rglob("*") if path.is_file()]
    assert files == ["test_a.py"]


def test_a_tree_without_tests_is_skipped_with_a_reason(tmp_path: Path) -> None:
    result = suite(tmp_path, {"ops.py": ""})
    assert result.status is Status.SKIPPED
    assert result.reason


def test_scripts_named_like_tests_are_pointed_at(tmp_path: Path) -> None:
    script = "if __name__ == '__main__':\n    pass\n"
    result = suite(tmp_path, {"tests/test_flash.py": script})
    assert result.status is Status.SKIPPED
    assert "python tests/test_flash.py" in result.reason


def test_scripts_beside_tests_are_not_collected(tmp_path: Path) -> None:
    files = {
        "scripts/test_model.py": "import sys\nsys.exit('no model given')\n",
        "test_ops.py": "def test_ops(): pass\n",
    }
    result = suite(tmp_path, files)
    assert named(result) == {"test_ops": "passed"}


def test_cases_are_found_in_a_file_that_pytest_passes_over(tmp_path: Path) -> None:
    case = "import unittest\nclass Sums(unittest.TestCase):\n    def {name}(self): pass\n"
    files = {
        "tests/test.py": case.format(name="test_sum"),
        "tests/common.py": case.format(name="check"),
        "tests/TestMean.py": "import pytest\ndef test_mean(): pass\n",
        "test_more.py": "def test_more(): pass\n",
        "evaluate/test.py": "def test(model): pass\n",
    }
    result = suite(tmp_path, files)
    assert named(result) == dict.fromkeys(("test_sum", "test_mean", "test_more"), "passed")


def test_a_selection_is_taken_from_the_command(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "def test_first(): pass\ndef test_second(): pass\n"}
    result = suite(tmp_path, files, command="pytest tests -k second")
    assert named(result) == {"test_second": "passed"}


def test_a_lone_test_script_is_pointed_at_too(tmp_path: Path) -> None:
    result = suite(tmp_path, {"test.py": "print(1)\n"})
    assert result.status is Status.SKIPPED
    assert "python test.py" in result.reason


def test_a_script_is_prepared_as_pytest_would_prepare_it(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "beside.py").write_text("")
    (tmp_path / "tests" / "conftest.py").write_text("import sys\nsys.told = sys.proxy + 1\n")
    script = "import sys, beside\nassert sys.told == 2 and sys.argv[1:] == ['-x'], sys.argv\n"
    (tmp_path / "tests" / "go.py").write_text(script + "assert __name__ == '__main__'\n")
    result = run_suite(
        tmp_path,
        CELL,
        Path(sys.executable),
        "python tests/go.py -x",
        None,
        {},
        tmp_path / "logs" / "tests.log",
        60,
        prelude="import sys\nsys.proxy = 1\n",
    )
    assert named(result) == {"tests/go.py -x": "passed"}, result.messages
    assert "proxy" in result.reason


def test_what_stops_the_collection_is_in_the_reason(tmp_path: Path) -> None:
    result = suite(tmp_path, {"tests/test_a.py": "import no_such_helper\ndef test_a(): pass\n"})
    assert result.status is Status.FAILED
    assert "no_such_helper" in result.reason


def test_scripts_have_one_outcome_each_by_exit_status(tmp_path: Path) -> None:
    files = {
        "tests/test_a.py": "print('fine')\n",
        "tests/test_b.py": "raise SystemExit('did not work')\n",
        "tests/test_c.py": "import os\nos.abort()\n",
    }
    command = "python tests/test_a.py && python tests/test_b.py && python tests/test_c.py"
    result = suite(tmp_path, files, command=command)
    assert result.outcomes == {
        "tests/test_a.py": Outcome.PASSED,
        "tests/test_b.py": Outcome.FAILED,
        "tests/test_c.py": Outcome.ERROR,
    }
    assert "did not work" in result.messages["tests/test_b.py"]
    assert "SIGABRT" in result.messages["tests/test_c.py"]


def test_variables_of_the_command_reach_the_tests(tmp_path: Path) -> None:
    files = {"tests/test_a.py": "import os\ndef test_a(): assert os.environ['MODE'] == 'x y'\n"}
    assert named(suite(tmp_path, files, "MODE='x y' pytest tests")) == {"test_a": "passed"}


def test_a_path_of_the_command_is_beside_those_that_tests_need(tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "helper.py").write_text("VALUE = 1\n")
    files = {"tests/test_a.py": "import helper\ndef test_a(): assert helper.VALUE\n"}
    command = f"PYTHONPATH={tmp_path / 'beside'} pytest tests"
    assert named(suite(tmp_path, files, command)) == {"test_a": "passed"}


def test_a_record_cut_off_in_its_last_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text('{"event": "start", "id": "a::b"}\n{"event": "outc', encoding="ascii")
    assert read(path).running == "a::b"


# ------------------------------------------------------------------ detection


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest tests -k 'a b'", ("tests", "-k", "a b")),
        ("python3 -m pytest -q", ("-q",)),
    ],
)
def test_a_pytest_command_is_known_however_it_is_written(
    command: str, expected: tuple[str, ...]
) -> None:
    (found,) = detect.parse(command)
    assert found.pytest
    assert found.arguments == expected


@pytest.mark.parametrize("command", ["", "A=1", "pytest 'x", "pytest | tee log", "a & b"])
def test_a_command_that_cannot_be_run_is_wrong_use(command: str) -> None:
    with pytest.raises(UsageError):
        detect.parse(command)


def test_vendored_tests_are_not_the_repositorys_own(tmp_path: Path) -> None:
    for path in ("third_party/lib/tests/test_a.py", "python/ops/tests/test_b.py"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text("")
    facts = ProjectFacts(
        vendored=("third_party",),
        tests=("third_party/lib/tests/test_a.py", "python/ops/tests/test_b.py"),
    )
    (found,) = detect.find(tmp_path, facts)
    assert found.arguments == ("python/ops/tests",)


def test_tests_are_found_below_the_folder_that_was_surveyed(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("")
    (found,) = detect.find(tmp_path, ProjectFacts(tests=("python/tests/test_a.py",)))
    assert found.arguments == ("tests",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["checks"]\n'),
        ("setup.cfg", "[tool:pytest]\ntestpaths = checks\n"),
        ("pytest.ini", "[pytest]\ntestpaths = checks\n"),
    ],
)
def test_test_paths_of_the_configuration_are_left_to_pytest(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_text(text)
    (found,) = detect.find(tmp_path, None)
    assert found.pytest
    assert found.arguments == ()


def test_packages_of_one_name_are_tested_apart(tmp_path: Path) -> None:
    files = {
        "projects/a/tests/__init__.py": "",
        "projects/a/tests/test_b.py": "import no_such_module\ndef test_b(): pass\n",
        "tests/__init__.py": "",
        "tests/data/__init__.py": "",
        "tests/data/test_c.py": "def test_c(): pass\n",
    }
    result = suite(tmp_path, files)
    assert {id: outcome.value for id, outcome in result.outcomes.items()} == {
        "projects/a/tests/test_b.py": "error",
        "tests/data/test_c.py::test_c": "passed",
    }


@pytest.mark.parametrize(
    "own", [{}, {"tests/pytest.ini": "[pytest]\npython_functions = check_*\n"}]
)
def test_a_project_that_the_tree_lies_in_configures_nothing(
    tmp_path: Path, own: Mapping[str, str]
) -> None:
    outer = '[tool.pytest.ini_options]\naddopts = "--strict-markers -k nothing"\n'
    (tmp_path / "pyproject.toml").write_text(outer)
    (tmp_path / "conftest.py").write_text("raise RuntimeError('of another project')\n")
    files = {"tests/test_ops.py": "def test_a(): pass\ndef check_b(): pass\n", **own}
    result = suite(tmp_path, files)
    assert [*result.outcomes] == (
        ["test_ops.py::check_b"] if own else ["tests/test_ops.py::test_a"]
    )


def test_a_broken_configuration_does_not_stop_the_search(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("not [ toml")
    (tmp_path / "setup.cfg").write_text("no section\n")
    (tmp_path / "test_ops.py").write_text("def test_a(): pass\n")
    (found,) = detect.find(tmp_path, None)
    assert found.arguments == ("test_ops.py",)


# ------------------------------------------------------------------ comparing


def test_a_test_is_lost_when_it_no_longer_passes_for_whatever_reason() -> None:
    source = outcomes(a="passed", b="passed", c="passed", d="passed", e="failed", f="skipped")
    target = outcomes(a="passed", b="failed", c="skipped", e="failed", f="skipped", g="passed")
    result = compare(source, source, target)
    assert result.same == 1
    assert [name[-1] for name in result.lost] == ["b", "c", "d"]
    assert [name[-1] for name in result.failing_in_both] == ["e"]
    assert [name[-1] for name in result.skipped] == ["f"]
    assert [name[-1] for name in result.gained] == ["g"]
    assert [name[-1] for name in result.not_collected] == ["d", "g"]
    assert result.messages["tests/test_x.py::d"] == "not collected"


def test_a_test_lost_with_its_file_says_why_the_file_was_not_collected() -> None:
    source = outcomes(a="passed")
    target = SuiteResult(
        cell=source.cell,
        status=Status.FAILED,
        outcomes={"tests/test_x.py": Outcome.ERROR},
        messages={"tests/test_x.py": "ImportError: no name"},
    )
    result = compare(source, None, target)
    assert "ImportError: no name" in result.messages["tests/test_x.py::a"]


def test_a_test_that_only_the_patch_breaks_is_told_apart() -> None:
    source, broken = outcomes(a="passed"), outcomes(a="failed")
    result = compare(source, broken, source)
    assert result.lost == ()
    assert result.lost_patched == ("tests/test_x.py::a",)


def test_a_test_that_the_patch_fixes_under_the_source_is_due_on_the_target() -> None:
    source = outcomes(a="passed", b="failed", c="failed", d="failed")
    patched = outcomes(a="passed", b="passed", c="passed", d="failed")
    target = outcomes(a="passed", b="passed", c="failed", d="passed")
    result = compare(source, patched, target)
    assert [name[-1] for name in result.fixed] == ["b", "c"]
    assert [name[-1] for name in result.lost] == ["c"]
    assert [name[-1] for name in result.gained] == ["d"]
    assert (result.same, result.lost_patched, result.failing_in_both) == (2, (), ())


def test_what_passes_by_the_patch_alone_is_told_also_where_nothing_else_was_built() -> None:
    both, some = outcomes(a="passed", b="passed"), outcomes(a="passed", b="failed")
    none = SuiteResult(cell=some.cell, status=Status.SKIPPED, reason="it does not build")
    found = [compare(both, both, both, unmodified).by_patch for unmodified in (None, some, none)]
    assert [[name[-1] for name in names] for names in found] == [[], ["b"], ["a", "b"]]


FAILED_THERE = {
    f"tests/test_x.py::{name}": Failure(exception=kind, message="")
    for name, kind in {
        "chance": "AssertionError",
        "alone": "AssertionError",
        "gone": "NameError",
    }.items()
}


def test_a_test_that_fails_at_times_under_the_source_is_flaky_and_not_lost() -> None:
    source = outcomes(chance="passed", alone="passed", gone="passed", luck="failed", real="failed")
    patched = outcomes(
        Tree.PATCHED, chance="passed", alone="passed", gone="passed", luck="passed", real="passed"
    )
    target = dataclasses.replace(
        outcomes(Tree.PATCHED, chance="failed", alone="failed", gone="failed", real="passed"),
        failures=FAILED_THERE,
    )
    asked: list[set[str]] = []

    def rerun(cell: Cell, names: Collection[str], seconds: float) -> SuiteResult:
        assert 0 < seconds <= 120
        asked.append({name.rpartition("::")[2] for name in names})
        chance = "passed" if len(asked) % 3 else "failed"
        real = "passed" if cell.tree is Tree.PATCHED else "failed"
        return outcomes(cell.tree, chance=chance, alone="failed", luck="failed", real=real)

    flaky = find_flaky(source, patched, target, rerun)
    assert [name.rpartition("::")[2] for name in flaky] == ["luck", "chance"]
    assert asked[0] == {"chance", "alone", "luck", "real"}, "a name that is missing is no chance"
    assert "luck" not in asked[-1] and len(asked) <= 10
    found = compare(dataclasses.replace(source, flaky=flaky), patched, target)
    assert [n.rpartition("::")[2] for n in found.lost] == ["alone", "gone"]
    assert [n.rpartition("::")[2] for n in found.fixed] == ["real"]
    assert found.flaky == flaky and not found.gained and not found.failing_in_both


def test_no_test_is_run_again_where_all_agree_or_the_time_is_up() -> None:
    source, target = outcomes(a="passed", b="failed"), outcomes(a="passed", b="failed")

    def rerun(cell: Cell, names: Collection[str], seconds: float) -> SuiteResult:
        raise AssertionError("run again")

    assert find_flaky(source, None, target, rerun) == ()
    lost = dataclasses.replace(outcomes(chance="failed"), failures=FAILED_THERE)
    times = iter([0.0, 121.0])
    assert find_flaky(outcomes(chance="passed"), None, lost, rerun, lambda: next(times)) == ()


def test_the_files_of_some_tests_are_run_alone(tmp_path: Path) -> None:
    files = {
        "tests/__init__.py": "",
        "tests/test_a.py": "def test_one(): pass\ndef test_two(): pass\n",
        "tests/test_b.py": "raise SystemExit('not collected')\n",
    }
    result = suite(tmp_path, files, only=["tests/test_a.py::test_one"])
    assert named(result) == {"test_one": "passed", "test_two": "passed"}
    script = suite(tmp_path, files, "python missing.py", only=["tests/test_a.py::test_one"])
    assert script.outcomes == {}


def test_parameters_spelt_by_another_framework_are_the_same_test() -> None:
    source = ("t.py::f[torch.float32-cpu]", "t.py::f[torch.int8-cpu]", "t.py::g[a]")
    target = ("t.py::f[paddle.int8-Place(cpu)]", "t.py::g[a]", "t.py::f[paddle.float32-Place(cpu)]")
    pairs = match(source, target)
    assert pairs["t.py::f[paddle.int8-Place(cpu)]"] == "t.py::f[torch.int8-cpu]"
    assert pairs["t.py::g[a]"] == "t.py::g[a]"


def test_unlike_parameters_match_by_order_where_the_counts_agree() -> None:
    source = ("t.py::f[<A x>]", "t.py::f[<A y>]", "t.py::h[1]", "t.py::h[2]")
    target = ("t.py::f[<B u>]", "t.py::f[<B v>]", "t.py::h[7]")
    assert match(source, target) == {
        "t.py::f[<B u>]": "t.py::f[<A x>]",
        "t.py::f[<B v>]": "t.py::f[<A y>]",
    }


def test_a_function_renamed_is_not_matched() -> None:
    assert match(("t.py::f",), ("t.py::g",)) == {}


# ---------------------------------------------------------------- the real ones

GUARDED = """
import importlib.util
import os
if os.getenv("PORTER_FRAMEWORK") == "paddle" or (
    importlib.util.find_spec("torch") is None and importlib.util.find_spec("paddle")
):
    import paddle

    paddle.enable_compat()
"""
REAL_TESTS = """
import ctypes
import pytest
import torch
HERE = str(torch.float32).partition(".")[0]
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64])
def test_dtype(dtype): assert torch.ones(3).to(dtype).dtype == dtype
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_named(dtype): assert torch.ones(3, dtype=dtype).dtype == dtype
@pytest.mark.parametrize("shape", [(1, 2), torch.Size([3, 4])], ids=repr)
def test_shape(shape): assert torch.ones(shape).shape == shape
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs CUDA")
def test_gpu(): pass
def test_crashes_there():
    if HERE == "paddle": ctypes.string_at(0)
def test_fails_there(): assert HERE == "torch"
"""


@pytest.mark.real
def test_one_suite_is_compared_under_real_torch_and_real_paddle(
    framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    tree = tmp_path / "tree" / "tests"
    tree.mkdir(parents=True)
    (tree / "conftest.py").write_text(GUARDED)
    (tree / "test_a.py").write_text(REAL_TESTS)
    results = {
        name: run_suite(
            tree.parent,
            Cell(Tree.PATCHED, name, Device.CPU, Evidence.NATIVE),
            python,
            None,
            None,
            {"PORTER_FRAMEWORK": name},
            tmp_path / name / "tests.log",
            300,
        )
        for name, python in framework_pythons.items()
    }
    found = compare(results["torch"], results["torch"], results["paddle"])
    assert found.same == 7
    assert [name.rpartition(":")[2] for name in found.lost] == [
        "test_crashes_there",
        "test_fails_there",
    ]
    assert "SIGSEGV" in found.messages["tests/test_a.py::test_crashes_there"]
    assert found.not_collected == ()
    if "tests/test_a.py::test_gpu" in found.skipped:
        assert results["paddle"].messages["tests/test_a.py::test_gpu"] == "needs CUDA"


def test_what_was_raised_is_recorded_with_the_innermost_frame_of_the_project(
    tmp_path: Path,
) -> None:
    """Not that of a library or of the vendored unit which it calls, whose types of errors are
    given by a name that code has; of a file that is not collected what is behind it."""
    result = suite(
        tmp_path,
        {
            "helpers.py": "import json\ndef reads(x): return json.loads(x)\n",
            "_porter_compat.py": "class _Two(IndexError, ValueError): pass\n"
            "def fails(): raise _Two('out of range')\n",
            "test_broken.py": "import helpers.absent\ndef test_it(): pass\n",
            "test_it.py": """
import pytest
from helpers import reads
@pytest.fixture
def broken(): raise ValueError("no fixture")
def test_reads(): reads("{")
def test_setup(broken): pass
def test_passes(): pass
def test_unit(): import _porter_compat; _porter_compat.fails()
""",
        },
    )
    found = {name.rpartition("::")[2]: one for name, one in result.failures.items()}
    assert set(found) == {"test_reads", "test_setup", "test_unit", "test_broken.py"}
    assert found["test_unit"].exception == "IndexError"
    assert found["test_unit"].source.startswith("def test_unit():")
    reads = found["test_reads"]
    assert (reads.exception, reads.path, reads.line) == ("JSONDecodeError", "helpers.py", 2)
    assert reads.source == "def reads(x): return json.loads(x)"
    assert (found["test_setup"].exception, found["test_setup"].message) == (
        "ValueError",
        "no fixture",
    )
    broken = found["test_broken.py"]
    assert (broken.exception, broken.path) == ("ModuleNotFoundError", "test_broken.py")
    assert "helpers.absent" in broken.message


def test_what_a_script_raised_is_read_from_what_it_prints(tmp_path: Path) -> None:
    script = 'def f():\n    raise RuntimeError("no kernel")\n\nf()\n'
    result = suite(tmp_path, {"check.py": script}, "python check.py")
    (found,) = result.failures.values()
    assert (found.exception, found.message) == ("RuntimeError", "no kernel")
    assert (found.path, found.line, found.source) == (
        "check.py",
        2,
        'raise RuntimeError("no kernel")',
    )


def test_a_folder_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder nowhere"):
        suite(tmp_path, {"tests/test_a.py": "def test_a(): pass\n"}, "cd nowhere && pytest")


def test_an_exception_without_a_text_is_a_failure_like_others(tmp_path: Path) -> None:
    body = (
        "class Odd(Exception):\n    def __str__(self): return 1 / 0\n"
        "def test_a(): raise Odd()\ndef test_b(): pass\n"
    )
    result = suite(tmp_path, {"tests/test_a.py": body})
    assert result.outcomes["tests/test_a.py::test_b"] is Outcome.PASSED
    assert result.outcomes["tests/test_a.py::test_a"] is Outcome.FAILED


def test_one_test_has_less_time_on_the_target_if_all_are_quick_on_the_source() -> None:
    def limit(*seconds: float) -> float:
        cell = Cell(Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE)
        ran = (SuiteResult(cell=cell, status=Status.OK, seconds=each) for each in seconds)
        return limit_test(ran)

    assert limit() == limit(0.0) == limit(90.0) == 600
    assert limit(1.0) == 120
    assert limit(1.0, 20.0) == 200


def test_a_module_that_nothing_installed_has_names_the_option_that_helps(tmp_path: Path) -> None:
    files = {
        "tests/test_a.py": "import no_such_distribution\ndef test_a(): pass\n",
        "tests/test_b.py": "import beside\ndef test_b(): pass\n",
        "other/beside.py": "",
    }
    result = suite(tmp_path, files)
    assert "--requires no_such_distribution;" in result.reason
    assert "--requires beside" not in result.reason
