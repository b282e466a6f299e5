"""What a port by the package writes: a few lines in files that are there, run without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porter.migrate.plan import migrate
from porter.migrate.scan import Job
from porter.model import Form, Plan, Safety, Style
from porter.rules.loader import load_pack
from porter.survey.discover import discover
from porter.survey.survey import survey

# It makes torch a module of its own, as Paddle's proxy is.
STAND_IN = "import sys\n\nsys.modules['torch'] = sys.modules[__name__]\nTensor = nn = ones = None\n"
SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="ops",
    packages=["ops"],
    ext_modules=[CppExtension("ops._C", ["csrc/ops.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
"""
PYPROJECT = '[project]\nname = "ops"\nversion = "1"\n'
USES = "import torch\n\n\ndef f(x: torch.Tensor):\n    return x\n"
TEST = "import torch\nimport ops\n\n\ndef test_it():\n    assert torch\n"
BUILT = {"setup.py": SETUP, "csrc/ops.cpp": "#include <torch/extension.h>\n"}
# files, those that get lines, and what is imported to see that they work
LAYOUTS = {
    "extension": (
        {**BUILT, "ops/__init__.py": USES, "tests/test_ops.py": TEST},
        {"setup.py", "ops/__init__.py"},
        "ops",
    ),
    "package whose modules import torch": (
        {"pyproject.toml": PYPROJECT, "ops/__init__.py": '"""Operators."""\n', "ops/a.py": USES},
        {"ops/__init__.py"},
        "ops.a",
    ),
    "package below src, tests inside": (
        {
            "pyproject.toml": PYPROJECT,
            "src/ops/__init__.py": "from .a import f\n",
            "src/ops/a.py": USES,
            "src/ops/tests/test_a.py": TEST,
        },
        {"src/ops/__init__.py"},
        "src.ops",
    ),
    "package without an __init__.py": (
        {**BUILT, "ops/a.py": USES, "ops/b.py": "import os\n", "ops/c.py": "import torch.nn\n"},
        {"setup.py", "ops/a.py", "ops/c.py"},
        "ops.a",
    ),
    "namespace without an __init__.py at all": (
        {
            "pyproject.toml": PYPROJECT,
            "ops/a.py": USES,
            "ops/deep/b.py": USES,
            "scripts/run.py": USES,
        },
        {"ops/a.py", "ops/deep/b.py"},
        "ops.deep.b",
    ),
    "module beside the build script": (
        {
            **BUILT,
            "setup.py": SETUP.replace('packages=["ops"]', 'py_modules=["one"]'),
            "one.py": USES,
        },
        {"setup.py", "one.py"},
        "one",
    ),
    "two projects": (
        {
            "a/setup.py": SETUP,
            "a/ops/__init__.py": USES,
            "b/setup.py": SETUP.replace("ops", "more"),
            "b/more/__init__.py": USES,
        },
        {"a/setup.py", "b/setup.py", "a/ops/__init__.py", "b/more/__init__.py"},
        "a.ops",
    ),
    "two packages, one without torch": (
        {"pyproject.toml": PYPROJECT, "ops/__init__.py": USES, "plain/__init__.py": "import os\n"},
        {"ops/__init__.py"},
        "ops",
    ),
    "conftest of a package": (
        {
            "pyproject.toml": PYPROJECT,
            "ops/__init__.py": USES,
            "tests/conftest.py": "import torch\n",
            "tests/test_ops.py": TEST,
        },
        {"ops/__init__.py"},
        "ops",
    ),
    "tests and nothing else": (
        {"unit_tests/test_ops.py": TEST},
        {"unit_tests/conftest.py"},
        "unit_tests.conftest",
    ),
}


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def ported(root: Path, gate: Safety = Safety.SAFE, form: Form | None = None) -> Plan:
    """The plan for a tree, whose files are as it says then."""
    form = form or Form()
    found = discover(root)
    pack = load_pack("paddle").active(None, form)
    job = Job(root=root, facts=survey(root, found), pack=pack, form=form)
    plan = migrate(job, found.files, gate).plan
    write(root, {p.path: (p.after or b"").decode() for p in plan.patches})
    return plan


def run(*arguments: str, cwd: Path, path: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(path), "PATH": ""}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_that_are_run_first_import_the_package_where_it_is(
    tmp_path: Path, layout: str
) -> None:
    files, expected, imported = LAYOUTS[layout]
    root = write(tmp_path / "repo", files)
    plan = ported(root)
    assert {patch.path for patch in plan.patches} == expected
    added = [
        len((p.after or b"").splitlines()) - len((p.before or b"").splitlines())
        for p in plan.patches
    ]
    assert max(added) <= 5
    assert ported(root).patches == ()
    with_package = write(tmp_path / "with", {"porter_compat.py": STAND_IN})
    done = run("-c", f"import {imported}, torch; torch.porter_compat", cwd=root, path=with_package)
    assert "has no attribute 'porter_compat'" in done.stderr, done.stderr  # torch is the stand-in
    with_torch = write(tmp_path / "torch", {"torch/__init__.py": "Tensor = 0", "torch/nn.py": ""})
    seen = f"import sys, {imported}; assert 'porter_compat' not in sys.modules"
    done = run("-c", seen, cwd=root, path=with_torch)
    assert done.returncode == 0, done.stderr


def test_a_typical_extension_gets_seven_lines_and_no_file(tmp_path: Path) -> None:
    files, _, _ = LAYOUTS["extension"]
    setup = files["setup.py"].replace("from setuptools", "import os\n\nfrom setuptools")
    init = "import os\n\nimport torch\n"
    root = write(tmp_path, {**files, "setup.py": setup, "ops/__init__.py": init})
    plan = ported(root)
    before = sum(len((patch.before or b"").splitlines()) for patch in plan.patches)
    after = sum(len((patch.after or b"").splitlines()) for patch in plan.patches)
    assert after == before + 7  # one of them is empty
    assert all(patch.before is not None for patch in plan.patches)


def test_a_script_gets_them_on_review_and_runs_from_anywhere(tmp_path: Path) -> None:
    script = "import torch\nimport ops\n\nif __name__ == '__main__':\n    print(torch.__name__)\n"
    files = {"pyproject.toml": PYPROJECT, "ops/__init__.py": USES, "examples/show.py": script}
    root = write(tmp_path / "repo", files)
    assert {patch.path for patch in ported(root).patches} == {"ops/__init__.py"}
    assert {patch.path for patch in ported(root, Safety.REVIEW).patches} == {"examples/show.py"}
    copied = write(tmp_path / "away", {"show.py": (root / "examples/show.py").read_text()})
    path = write(tmp_path / "with", {"porter_compat.py": STAND_IN, "ops.py": ""})
    assert run("show.py", cwd=copied, path=path).stdout == "porter_compat\n"


def test_a_fork_asks_nothing(tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PYPROJECT, "ops/__init__.py": USES})
    (patch,) = ported(root, form=Form(Style.FORK)).patches
    assert (patch.after or b"") == b"import porter_compat  # noqa: F401\n" + USES.encode()
