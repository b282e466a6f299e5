"""Programs, pytest's plugins and conftests: what starts before anything enables the proxy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porter.migrate.plan import migrate
from porter.migrate.scan import Job
from porter.model import Delivery, Form, Program
from porter.rules.loader import load_pack
from porter.survey.discover import discover
from porter.survey.programs import select_torch_programs
from porter.survey.survey import survey
from porter.targets.paddle import PROXY
from porter.uses.reexports import Reexports
from tests.test_cli import document, write

PYPROJECT = """\
[project]
name = "ops"
[project.scripts]
ops-run = "ops.cli:main"
[project.gui-scripts]
ops-show = "tool:main"
[project.entry-points.pytest11]
ops = "ops.testing"
[project.entry-points."other.plugins"]
other = "ops.other:add"
[tool.poetry.scripts]
"ops.more" = "ops.more:App.run"
"""
CFG = "[options.entry_points]\nconsole_scripts =\n    a = ops.a:main\n    b = ops.b:main [extra]\n"
SETUP = """\
from setuptools import setup

setup(name="ops", entry_points={"console_scripts": ["c=ops.c:main"], "pytest11": "p = ops.p"})
setup(entry_points=make())
"""


def programs(root: Path) -> tuple[Program, ...]:
    return survey(root, discover(root)).programs


def test_programs_are_read_from_every_kind_of_settings(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": PYPROJECT, "setup.cfg": CFG, "setup.py": SETUP})
    write(tmp_path, {"ops/__init__.py": "", "ops/__main__.py": ""})
    assert programs(tmp_path) == (
        Program("ops-run", "ops.cli", "main"),
        Program("ops-show", "tool", "main"),
        Program("ops.more", "ops.more", "App.run"),
        Program("", "ops.testing", ""),
        Program("a", "ops.a", "main"),
        Program("b", "ops.b", "main"),
        Program("c", "ops.c", "main"),
        Program("", "ops.p", ""),
        Program("python -m ops", "ops.__main__", ""),
    )


@pytest.mark.parametrize(
    "settings",
    [
        "[project]\nscripts = 3\n",
        "[project.scripts]\na = 1\nb = ''\n",
        "[project]\nscripts = ['a = b:c']\n[tool]\npoetry = 1\n",
        "[project",
    ],
)
def test_odd_settings_name_no_program(tmp_path: Path, settings: str) -> None:
    write(tmp_path, {"pyproject.toml": settings, "setup.py": "setup(entry_points=[1, {}])\n"})
    assert programs(tmp_path) == ()


def test_a_program_imports_torch_by_itself_its_package_or_what_they_import(tmp_path: Path) -> None:
    files = {
        "src/ops/__init__.py": "",
        "src/ops/direct.py": "try:\n    import torch.nn\nexcept ImportError:\n    pass\n",
        "src/ops/later.py": "def main():\n    import torch\n",
        "src/ops/through.py": "from .around import x\n",
        "src/ops/around.py": "from . import through, deep\n",
        "src/ops/deep/__init__.py": "import torch\n",
        "src/ops/deep/inner.py": "",
        "src/ops/broken.py": "import torch (\n",
        "pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['src']\n",
    }
    write(tmp_path, files)
    packages = survey(tmp_path, discover(tmp_path)).packages
    names = ("direct", "later", "through", "deep.inner", "broken", "none")
    asked = [Program(name, f"ops.{name}", "main") for name in names]
    found = select_torch_programs(asked, Reexports(tmp_path, packages), packages)
    assert [program.name for program in found] == ["direct", "through", "deep.inner"]


def test_programs_that_import_torch_are_said_with_how_to_start_them(tmp_path: Path) -> None:
    files = {"pyproject.toml": PYPROJECT, "ops/__init__.py": "import torch\n", "tool.py": ""}
    write(tmp_path / "ops", {**files, "ops/cli.py": "", "ops/testing.py": ""})
    found = document("migrate", "ops", "--vendor", "--no-compiler", cwd=tmp_path, code=0)
    assert found["repository"]["programs"][0] == {
        "name": "ops-run", "module": "ops.cli", "function": "main",
    }  # fmt: skip
    command, plugin = found["notes"]
    assert command.startswith("2 installed programs with torch (ops-run, ops.more) ")
    enabled = "import paddle; paddle.enable_compat(); from ops.cli import main; main()"
    assert f"run ops-run with `python -c '{enabled}'`" in command
    assert plugin.startswith("pytest loads the plugin ops.testing, which imports torch, before ")


USES = """\
import torch
import ops

x = torch.ones(3)
for found in (ops.f(x), torch.absolute(x), x.absolute(), torch.zeros(2)):
    print(found)
    torch.equal(x, x)
    torch.device("cpu")
    torch.testing.assert_close(x, x)
"""


def test_a_script_is_told_what_the_unit_does_not_give_it(tmp_path: Path) -> None:
    """Run under Paddle 3.3.1 with the unit, these lines raise or mean something else."""
    body = USES.replace("for found", "def f(x):\n  for found").replace("\n    ", "\n      ")
    share = "import ops\nimport ops._porter_compat\nops._porter_compat.share(__file__)\n"
    first = "import paddle\npaddle.enable_compat()\n"
    files = {"ops/__init__.py": body, "tests/test_ops.py": body, "examples/show.py": USES}
    write(tmp_path / "ops", {**files, "tests/test_more.py": f"{USES}torch.allclose(x, x)\n"})
    write(tmp_path / "ops", {"examples/shared.py": first + USES.replace("import ops\n", share)})
    found = document("migrate", "ops", "--vendor", "--no-compiler", cwd=tmp_path, code=0)
    assert found["residue"] == found["open"] == []
    scripts = found["scripts"]
    assert [(f["path"], f["line"]) for f in scripts["open"]] == [("examples/show.py", 1)]
    told = {(r["path"], r["line"], r["name"]): r["reason"] for r in scripts["residue"]}
    inside = "; the unit answers it for the package and its tests, not for scripts"
    lacks = "paddle 3.3.1 lacks it"
    assert told == {
        ("examples/show.py", 5, "torch.Tensor.absolute"): f"{lacks}{inside}",
        (
            "examples/show.py",
            7,
            "torch.equal",
        ): f"compares elementwise and returns a Tensor{inside}",
        ("examples/show.py", 8, "torch.device"): f"is a module, not callable{inside}",
    }


# ------------------------------------------------------------------ conftests

VENDORED = Form(delivery=Delivery.VENDORED)
TEST = "import torch\n\n\ndef test_it():\n    assert torch\n"
CONFTEST = "import torch\n"
LAYOUTS = {
    "one at the root, which imports torch": (
        {"conftest.py": CONFTEST, "tests/conftest.py": CONFTEST, "tests/test_a.py": TEST},
        {"conftest.py"},
    ),
    "one in the tests": (
        {"tests/conftest.py": CONFTEST, "tests/a/conftest.py": "", "tests/a/test_a.py": TEST},
        {"tests/conftest.py"},
    ),
    "none": ({"tests/a/test_a.py": TEST, "tests/b/test_b.py": TEST}, {"tests/conftest.py"}),
    "tests in the package": (
        {"ops/tests/test_a.py": TEST, "ops/tests/conftest.py": CONFTEST},
        {"conftest.py"},
    ),
    "tests in the package below src": (
        {
            "pyproject.toml": "[tool.setuptools.packages.find]\nwhere = ['src']\n",
            "src/ops/__init__.py": "import torch\n",
            "src/ops/tests/test_a.py": TEST,
        },
        {"src/conftest.py"},
    ),
    "testpaths in two places": (
        {
            "pytest.ini": "[pytest]\ntestpaths = checks ops\n",
            "checks/test_a.py": TEST,
            "ops/test_b.py": TEST,
        },
        {"conftest.py"},
    ),
    "settings in the tests": (
        {
            "conftest.py": CONFTEST,
            "tests/pytest.ini": "[pytest]\n",
            "tests/conftest.py": CONFTEST,
            "tests/test_a.py": TEST,
        },
        {"conftest.py", "tests/conftest.py"},
    ),
    "settings in the tests, which have no conftest": (
        {"conftest.py": CONFTEST, "tests/tox.ini": "[pytest]\n", "tests/test_a.py": TEST},
        {"conftest.py", "tests/conftest.py"},
    ),
}


def test_a_conftest_that_may_be_the_only_one_has_the_unit_too(tmp_path: Path) -> None:
    test = "import torch\nimport ops\ntorch.testing.assert_close(torch.ones(1), torch.ones(1))\n"
    files = {"conftest.py": CONFTEST, "tests/pytest.ini": "[pytest]\n", "tests/test_ops.py": test}
    write(tmp_path / "ops", {**files, "ops/__init__.py": "import torch\n"})
    found = document("migrate", "ops", "--vendor", "--no-compiler", cwd=tmp_path, code=0)
    patch = Path(found["patch"]["path"]).read_text()
    for folder in ("", "tests/"):
        assert f"+++ b/{folder}conftest.py" in patch
        assert f"+++ b/{folder}_porter_compat/names.py" in patch
    run = 'runpy.run_path(os.path.join(os.path.dirname(__file__), "_porter_compat", "enable.py"))'
    assert patch.count(f"\n+    {run}") == 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_conftest_enables_the_proxy_wherever_the_tests_are(tmp_path: Path, layout: str) -> None:
    files, guarded = LAYOUTS[layout]
    (tmp_path / "repo").mkdir()
    root = write(tmp_path / "repo", {"ops/__init__.py": "import torch\n", **files})
    if "src/ops/__init__.py" in files:
        (root / "ops/__init__.py").unlink()
    found = discover(root)
    pack = load_pack("paddle").active(None, VENDORED)
    job = Job(root=root, facts=survey(root, found), pack=pack, form=VENDORED)
    done = {p.path: p.after or b"" for p in migrate(job, found.files).plan.patches}
    with_guard = {path for path, data in done.items() if PROXY.vendored.dual.encode() in data}
    assert with_guard == guarded
    for path, data in done.items():
        write(root, {path: data.decode().replace("import paddle", "import stands_in as paddle")})
    # Each file of tests, named alone, finds "torch" by the guard and by nothing else.
    stand_in = (
        "import sys\ndef enable_compat():\n    sys.modules['torch'] = sys.modules[__name__]\n"
    )
    away = write(tmp_path / "away", {"stands_in.py": stand_in})
    folders = sorted({path.rpartition("/")[0] for path in files if "test_" in path})
    for folder in folders:
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
            cwd=root, capture_output=True, text=True,
            env={"PYTHONPATH": str(away), "PORTER_FRAMEWORK": "paddle", "PATH": ""},
        )  # fmt: skip
        assert run.returncode == 0, run.stdout + run.stderr
