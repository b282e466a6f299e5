"""Parts of porter-compat with stand-ins for frameworks: probes, the pytest plugin, versions."""

from __future__ import annotations

import ast
import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from porter.surface.load import list_shipped, load_torch
from tests.conftest import ROOT
from tests.test_compat_package import RULES, call, installed, run, wheel

__all__ = ["installed", "wheel"]  # fixtures


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


# Probes.

PADDLE = {
    "paddle/__init__.py": "__version__ = '9.9'\ndef enable_compat(): pass\n",
    "paddle/version/__init__.py": "",
}
# The modules of the package without what it does when it is imported.
ASK = """
import sys, types
package = sys.modules["porter_compat"] = types.ModuleType("porter_compat")
package.__path__ = [{package!r}]
import json, pathlib
from porter_compat import probes
probes.PROBES = pathlib.Path({asked!r})
{before}
print(json.dumps(probes.answers()))
"""
HOLDS = {"same": ["holds = True"], "other": ["holds = True", "holds = False"]}
DYING = "import os\nif 'PORTER_COMPAT_PROBING' in os.environ:\n    "


def asked(
    installed: Path,
    tmp_path: Path,
    probes: Mapping[str, list[str]],
    before: str = "",
    dying: str = "",
) -> Any:
    """The answers that a process gets, whose Paddle ends probes so."""
    own = tmp_path / "paddle" / "__init__.py"
    text = PADDLE["paddle/__init__.py"] + (DYING + dying if dying else "")
    if not own.exists() or own.read_text() != text:  # what is kept goes by its time
        write(tmp_path, {**PADDLE, "paddle/__init__.py": text})
    asked = tmp_path / "probes.json"
    asked.write_text(json.dumps(probes))
    code = ASK.format(package=str(installed / "porter_compat"), before=before, asked=str(asked))
    place = {"PORTER_COMPAT_CACHE": str(tmp_path / "cache")}
    status, said = run(sys.executable, code, tmp_path, tmp_path, **place)
    assert status == 0, said
    return json.loads(said)


def kept(tmp_path: Path) -> list[str]:
    return sorted(path.parent.name for path in tmp_path.glob("cache/*/*/answers.json"))


def test_probes_say_what_differs_and_are_asked_once(installed: Path, tmp_path: Path) -> None:
    probes = {
        **HOLDS,
        "raises": ["raise ValueError"],
        "crashes": ["import os; os.abort()"],
        "exits": ["import sys; sys.exit(0)"],
        "says": ["print('not JSON'); holds = True"],
    }
    expected = {name: name not in ("same", "says") for name in probes}
    assert asked(installed, tmp_path, probes) == expected
    assert kept(tmp_path) == ["probes"]
    never = "probes.subprocess.run = None"
    assert asked(installed, tmp_path, probes, never) == expected


@pytest.mark.parametrize(
    ("before", "dying"),
    [
        ("", "os._exit(3)"),
        ("", "os.abort()"),
        ("", "import atexit; atexit.register(print, 'an end that is no JSON')"),
        (
            "def run(*a, **k): raise probes.subprocess.TimeoutExpired('python', 300)\n"
            "whole, probes.subprocess.run = probes.subprocess.run, run",
            "",
        ),
        ("def run(*a, **k): raise OSError('no memory')\nprobes.subprocess.run = run", ""),
    ],
    ids=["exits", "crashes", "says more", "takes too long", "cannot be started"],
)
def test_where_probes_fail_all_differences_are_taken_to_be_there(
    installed: Path, tmp_path: Path, before: str, dying: str
) -> None:
    assert asked(installed, tmp_path, HOLDS, before, dying) == {}, "what is not told is there"
    assert kept(tmp_path) == [], "so that the next process asks again"
    assert asked(installed, tmp_path, HOLDS) == {"same": False, "other": True}


# The plugin of pytest.

PACKAGE = {
    "porter_compat/__init__.py": "class STATE:\n    active = True\n",
    "porter_compat/everywhere.py": "def cover_children(folders): pass\n",
    "porter_compat/pieces/__init__.py": "",
    "porter_compat/pieces/scope.py": "shared = []\nshare = shared.append\n",
}
SEEN = """
import sys

def test_what_was_done():
    scope = sys.modules.get("porter_compat.pieces.scope")
    print("paddle" in sys.modules, "porter_compat" in sys.modules, scope and scope.shared)
"""
TREE = {"setup.cfg": "", "tests/test_seen.py": SEEN, "ops/__init__.py": "import torch\n"}
IMPORTS = "import porter_compat\n"


def done_by_plugin(tmp_path: Path, site: Mapping[str, str], tree: Mapping[str, str]) -> str:
    """What pytest did in a tree, with stand-ins for what is installed."""
    plugin = (RULES / "compat" / "porter_compat_pytest.py").read_text()
    own = {"porter_compat_pytest.py": plugin, **PACKAGE}
    folder = write(tmp_path / "site", {**own, **site})
    root = write(tmp_path / "tree", {"pytest.ini": "[pytest]\n", **TREE, **tree})
    options = ["-p", "porter_compat_pytest", "-p", "no:cacheprovider", "-q", "-s"]
    return first_line(folder, root, options)


def first_line(folder: Path, root: Path, options: Sequence[str]) -> str:
    status, said = call([sys.executable, "-m", "pytest", *options], folder, root)
    assert status == 0, said
    return said.splitlines()[0].removesuffix(".")


NEITHER, SHARED = "False False None", "False True ['{}/tree']"


@pytest.mark.parametrize(
    "tree",
    [
        {"setup.py": IMPORTS},
        {"conftest.py": f"if True:\n    {IMPORTS}"},
        {"ops/__init__.py": IMPORTS},
        {"src/ops/__init__.py": IMPORTS},
    ],
    ids=lambda tree: next(iter(tree)),
)
def test_the_tests_of_a_tree_that_imports_it_have_its_meanings(
    tmp_path: Path, tree: Mapping[str, str]
) -> None:
    assert done_by_plugin(tmp_path, {"paddle.py": ""}, tree) == SHARED.format(tmp_path)


def test_asked_for_by_name_it_comes_before_plugins_that_need_torch(tmp_path: Path) -> None:
    entries = {
        f"{name}-1.0.dist-info/{file}": text
        for name, module in (("a_plug", "a_plug"), ("porter_compat", "porter_compat_pytest"))
        for file, text in (
            ("METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"),
            ("entry_points.txt", f"[pytest11]\n{name} = {module}\n"),
        )
    }
    plug = "import sys\nassert 'porter_compat' in sys.modules, 'too early'\n"
    plugin = (RULES / "compat" / "porter_compat_pytest.py").read_text()
    own = {"porter_compat_pytest.py": plugin, "paddle.py": "", "a_plug.py": plug}
    folder = write(tmp_path / "site", {**PACKAGE, **own, **entries})
    tree = {"pytest.ini": "[pytest]\n", **TREE, "setup.py": IMPORTS}
    options = ["-p", "porter_compat", "-p", "no:cacheprovider", "-q", "-s"]
    shared = f"['{tmp_path}/tree', '{tmp_path}/tree']"
    assert first_line(folder, write(tmp_path / "tree", tree), options).endswith(shared)


def test_a_cache_that_cannot_be_written_stops_no_tests(tmp_path: Path) -> None:
    refusing = "def cover_children(folders): raise OSError('no room')\n"
    site = {"paddle.py": "", "porter_compat/everywhere.py": refusing}
    assert done_by_plugin(tmp_path, site, {"setup.py": IMPORTS}) == SHARED.format(tmp_path)


@pytest.mark.parametrize(
    ("site", "tree"),
    [
        ({"paddle.py": ""}, {}),
        ({"paddle.py": ""}, {"tests/one/two/helper.py": IMPORTS, "docs/a.md": IMPORTS}),
        ({"paddle.py": ""}, {"ops/__init__.py": "from . import _porter_compat\n"}),
        ({"paddle.py": "", "torch.py": ""}, {"setup.py": IMPORTS}),
        ({}, {"setup.py": IMPORTS}),
    ],
    ids=["another tree", "no package of it", "a vendored unit", "torch is installed", "no paddle"],
)
def test_all_other_runs_of_pytest_are_left_alone(
    tmp_path: Path, site: Mapping[str, str], tree: Mapping[str, str]
) -> None:
    assert done_by_plugin(tmp_path, site, tree) == NEITHER


def test_where_torch_is_meant_nothing_is_shared(tmp_path: Path) -> None:
    inactive = {"porter_compat/__init__.py": "class STATE:\n    active = False\n"}
    site = {"paddle.py": "", **inactive}
    assert done_by_plugin(tmp_path, site, {"setup.py": IMPORTS}) == "False True None"


# Versions.


def stated(name: str, file: str = "activation.py") -> Any:
    """The value that a module of the package gives a name."""
    tree = ast.parse((RULES / "compat" / "porter_compat" / file).read_text())
    (value,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )
    return ast.literal_eval(value)


def test_the_table_of_versions_is_true() -> None:
    page = (ROOT / "docs" / "explanation" / "porter-compat.md").read_text()
    rows = re.findall(r"^\| (\d.*?) \| (.*?) \| (.*?) \| (.*?) \|$", page, re.M)
    version, tested, first, torch = rows[-1]
    project = tomllib.loads((RULES / "compat" / "pyproject.toml").read_text())["project"]
    assert version == project["version"] == stated("__version__", "__init__.py")
    assert tuple(tested.split(", ")) == list_shipped("paddle") == stated("TESTED")
    assert tuple(map(int, first.split("."))) == stated("FIRST")
    assert torch == load_torch().version
    numbers = [tuple(map(int, row[0].split("."))) for row in rows]
    assert numbers == sorted(numbers) and all(len(each) == 3 for each in numbers)


@pytest.mark.parametrize(
    ("version", "newer"),
    [("3.3.1", False), ("3.3.2", True), ("3.10.0.dev20270101", True), ("0.0.0", False)],
)
def test_a_piece_that_fails_on_a_newer_paddle_says_so(
    installed: Path, tmp_path: Path, version: str, newer: bool
) -> None:
    """A Paddle that has a proxy, and nothing of what pieces use."""
    proxy = {"paddle/compat/__init__.py": "", "paddle/compat/proxy.py": "GLOBAL_OVERRIDES = {}\n"}
    write(tmp_path, {**PADDLE, **proxy})
    own = tmp_path / "paddle" / "__init__.py"
    own.write_text(own.read_text().replace("9.9", version))
    path = f"{installed}:{tmp_path}"
    code = "import porter_compat"
    status, said = run(sys.executable, code, Path(path), tmp_path, PORTER_COMPAT_PROBING="1")
    assert status == 1 and "Error" in said
    word = f"Paddle {version} is newer than the versions that this porter-compat was tested with"
    assert (word in said.splitlines()[-1]) is newer


@pytest.mark.real
def test_the_report_says_that_paddle_is_newer(
    framework_pythons: Mapping[str, Path], installed: Path, tmp_path: Path
) -> None:
    code = """
        import runpy, sys, paddle
        paddle.__version__ = sys.argv[1]
        sys.argv = ["porter_compat", "report"]
        runpy.run_module("porter_compat", run_name="__main__", alter_sys=True)
    """
    for version, newer in (("9.9.0", True), ("3.3.1", False)):
        text = code.replace("sys.argv[1]", repr(version))
        python = framework_pythons["paddle"]
        status, said = run(python, text, installed, tmp_path, PORTER_COMPAT_PROBING="1")
        assert status == 0, said
        assert (f"Paddle {version} is newer than" in said) is newer
        assert f"for Paddle {version}: " in said
