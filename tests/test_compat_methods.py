"""Methods of tensors have torch's meaning in tests, conftest.py and helpers: of values of whose
type nothing is said."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_compat_package import cache, installed, wheel  # noqa: F401 - fixtures

pytestmark = pytest.mark.real
SUITE = Path(__file__).parent / "data" / "compat_methods"
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    shutil.copytree(SUITE, tmp_path / "tree")
    return tmp_path / "tree"


def passed(python: Path, tree: Path, *words: str, **variables: str) -> str:
    """The last line of a run of the suite, in which every test has to pass."""
    return printed(python, tree, *words, **variables)[-1]


def printed(python: Path, folder: Path, *words: str, **variables: str) -> list[str]:
    """The lines that a run prints, which has to succeed."""
    kept = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PORTER_FRAMEWORK")}
    done = subprocess.run(
        [str(python), "-W", "ignore", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**kept, **variables},
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.long
def test_references_of_a_suite_have_torchs_methods(
    tree: Path,
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
) -> None:
    """The suite passes under torch; unmodified under Paddle, in `python -m porter_compat`; and by
    the pytest plugin alone, once a package beside it imports porter_compat."""
    assert "14 passed" in passed(framework_pythons["torch"], tree, *PYTEST)
    paddle = framework_pythons["paddle"]
    found = {"PYTHONPATH": str(installed), "PORTER_COMPAT_CACHE": str(cache)}
    assert "14 passed" in passed(paddle, tree, "-m", "porter_compat", *PYTEST, **found)
    (tree / "ops.py").write_text("import porter_compat  # noqa: F401\nimport torch  # noqa: F401\n")
    assert "14 passed" in passed(paddle, tree, *PYTEST, **found)


def test_other_code_of_the_process_keeps_paddles_meaning(
    tree: Path,
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
) -> None:
    """A package written for Paddle, imported by the same tests: its `max` gives no indices."""
    (tree / "ops.py").write_text("import porter_compat  # noqa: F401\nimport torch  # noqa: F401\n")
    own = tree.parent / "site-packages" / "native_ops.py"
    own.parent.mkdir()
    own.write_text("import paddle\n\n\ndef largest(x):\n    return x.max(axis=1)\n")
    (tree / "tests" / "test_native.py").write_text(
        "import native_ops\n\n\ndef test_it(make):\n"
        "    assert native_ops.largest(make('rows')).tolist() == [4.0, 3.0, 8.0]\n"
    )
    path = os.pathsep.join((str(installed), str(own.parent)))
    said = passed(
        *(framework_pythons["paddle"], tree, *PYTEST),
        PYTHONPATH=path,
        PORTER_COMPAT_CACHE=str(cache),
    )
    assert "15 passed" in said


def test_a_package_for_both_frameworks_has_each_meaning_where_it_is_meant(
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    """As einops: a module for tensors of any framework, and layers for torch."""
    site = tmp_path / "site-packages"
    (site / "both").mkdir(parents=True)
    (site / "both" / "__init__.py").write_text(
        "class OfPaddle:\n"
        "    def __init__(self):\n        import paddle\n\n        self.paddle = paddle\n\n"
        "    def turn(self, x):\n        return x.transpose([1, 0])\n"
    )
    (site / "both" / "layers.py").write_text(
        "import torch\n\n\ndef turn(x):\n    return x.transpose(0, 1)\n"
    )
    (site / "user.py").write_text("import porter_compat\nimport both, both.layers\nimport torch\n")
    code = (
        "import user; x = user.torch.ones(2, 3);"
        "print(user.both.OfPaddle().turn(x).shape == user.both.layers.turn(x).shape == (3, 2))"
    )
    path = os.pathsep.join((str(installed), str(site)))
    found = {"PYTHONPATH": path, "PORTER_COMPAT_CACHE": str(cache)}
    assert printed(framework_pythons["paddle"], tmp_path, "-c", code, **found) == ["True"]


def test_what_a_package_is_importing_has_torchs_meaning_already(
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Where a function imports torch as it runs, and where a third package, which knows no
    framework, reads annotations."""
    site = tmp_path / "site-packages"
    files = {
        "first/__init__.py": "import porter_compat\nimport second\n",
        "second/__init__.py": (
            "import torch\nfrom third import KIND\nimport second.buffers, fourth\n"
        ),
        # the first that its modules have of torch is a class
        "fourth/__init__.py": "from torch import Tensor\nfrom fourth.layers import Linear\n",
        "fourth/layers.py": "from torch.nn import Linear\n",
        "second/buffers.py": (
            "import torch, reader\n\n@reader.check\n"
            "def load(device: 'torch.device | str | None'):\n    pass\n"
        ),
        "third/__init__.py": "from third import models\nfrom third.utils import KIND\n",
        "third/models.py": "import torch\n",
        "third/utils.py": (
            "def kind():\n    import torch\n\n    return torch.device('cpu').type\n\n\n"
            "KIND = kind()\n"
        ),
        "reader.py": (
            "def check(function):\n"
            "    eval(function.__annotations__['device'], dict(function.__globals__))\n"
            "    return function\n"
        ),
    }
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    path = os.pathsep.join((str(installed), str(site)))
    found = {"PYTHONPATH": path, "PORTER_COMPAT_CACHE": str(cache)}
    code = "import first, fourth; print(first.second.KIND, fourth.Linear.__module__)"
    (line,) = printed(framework_pythons["paddle"], tmp_path, "-c", code, **found)
    assert line == "cpu porter_compat.pieces.linear_layers"


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("torch_shared_memory.py", 20),
        ("torch_indices.py", 1800),
        ("torch_settings_of_layers.py", 400),
        ("torch_pruning.py", 30),
        ("torch_special_values.py", 40),
        ("torch_functorch.py", 10),
        ("torch_numpys_functions.py", 55),
    ],
)
def test_a_script_prints_what_it_does_under_torch(
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
    tmp_path: Path,
    name: str,
    least: int,
) -> None:
    script = str(shutil.copy(SUITE.with_name(name), tmp_path))
    torch = printed(framework_pythons["torch"], tmp_path, script)
    found = {"PYTHONPATH": str(installed), "PORTER_COMPAT_CACHE": str(cache)}
    paddle = printed(framework_pythons["paddle"], tmp_path, "-m", "porter_compat", script, **found)
    assert len(torch) > least
    assert paddle == torch


FUNCTIONS_OF_CALLS = """\
import sys
import torch
import torch.nn.functional as F

a, b = torch.ones(2, 2), torch.ones(2, 2)


def count_functions(call):
    call()
    seen = []
    sys.setprofile(lambda frame, event, _: seen.append(frame) if event == "call" else None)
    call()
    sys.setprofile(None)
    return len(seen) - 1


for line in open("calls.txt"):
    code = compile(f"lambda: {line}", __file__, "eval")
    print(count_functions(eval(code)))
"""
# Functions of Python that a call goes through, at most. Before calls that no wrapper changes were
# told from others, these were 6, 6, 17, 14, 22, 40 and 45: some take as long as the operator.
MOST_FUNCTIONS = {
    "a + b": 2,
    "a.exp()": 4,
    "a.sum(dim=1)": 9,
    "torch.add(a, b)": 9,
    "a @ b": 11,
    "a.to(torch.float64)": 10,
    "F.softmax(a, dim=1)": 15,
}


def test_plain_calls_go_through_few_functions(
    tmp_path: Path,
    framework_pythons: Mapping[str, Path],
    installed: Path,  # noqa: F811
    cache: Path,  # noqa: F811
) -> None:
    (tmp_path / "main.py").write_text(FUNCTIONS_OF_CALLS)
    (tmp_path / "calls.txt").write_text("\n".join(MOST_FUNCTIONS))
    found = {"PYTHONPATH": str(installed), "PORTER_COMPAT_CACHE": str(cache)}
    words = ("-m", "porter_compat", "main.py")
    lines = printed(framework_pythons["paddle"], tmp_path, *words, **found)
    counted = dict(zip(MOST_FUNCTIONS, map(int, lines), strict=True))
    assert all(counted[call] <= most for call, most in MOST_FUNCTIONS.items()), counted
