"""What a name in a Python file is: resolved in each of the ways that a repository spells it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from porter.languages.python import parse, parse_outline
from porter.migrate.plan import migrate
from porter.migrate.scan import Job, ScanResult, scan
from porter.model import Delivery, Finding, Form
from porter.rules.loader import load_pack
from porter.rules.rule import RulePack
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.uses.lookup import uses_in

RULES = {
    "paddle/python/device_by_keyword",
    "paddle/python/event_wait_method",
    "paddle/python/compiled_with_cxx11_abi",
    "paddle/python/torch_in_entry_script",
    "paddle/python/torch_in_test_script",
}
SETUP = b"from setuptools import setup\n\nsetup(name='ops', packages=['ops'])\n"


@cache
def pack() -> RulePack:
    whole = load_pack("paddle")
    rules = tuple(rule for rule in whole.rules if rule.id in RULES)
    assert len(rules) == len(RULES)
    return RulePack(target="paddle", rules=rules, folder=whole.folder)


def job(root: Path, files: Mapping[str, str], form: Form) -> Job:
    for path, text in {"setup.py": SETUP.decode(), "ops/__init__.py": "", **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    facts = survey(root, discover(root))
    return Job(root=root, facts=facts, pack=pack(), form=form, look_up=uses_in)


def after(root: Path, files: Mapping[str, str]) -> str:
    """ops/a.py once the rules have been applied."""
    plan = migrate(job(root, files, Form()), discover(root).files).plan
    assert not plan.crashes
    changed = {patch.path: patch.after for patch in plan.patches}
    return (changed.get("ops/a.py") or files["ops/a.py"].encode()).decode()


def found(root: Path, files: Mapping[str, str], form: Form | None = None) -> tuple[Finding, ...]:
    return whole(root, files, form).findings


def whole(root: Path, files: Mapping[str, str], form: Form | None = None) -> ScanResult:
    return scan(job(root, files, form or Form()), discover(root).files, jobs=1)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("import torch\nd = torch.device(device=x)\n", "import torch\nd = torch.device(x)\n"),
        (
            "import torch.utils.data\nd = torch.device(device=x)\n",
            "import torch.utils.data\nd = torch.device(x)\n",
        ),
        (
            "from torch import device\nd = device(device=x)\n",
            "from torch import device\nd = device(x)\n",
        ),
    ],
)
def test_through_an_import(tmp_path: Path, before: str, expected: str) -> None:
    assert after(tmp_path, {"ops/a.py": before}) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("import torch as th\nd = th.device(device=x)\n", "import torch as th\nd = th.device(x)\n"),
        (
            "from torch import device as D\nd = D(device=x)\n",
            "from torch import device as D\nd = D(x)\n",
        ),
        (
            "import torch\nD = torch.device\nd = D(device=x)\n",
            "import torch\nD = torch.device\nd = D(x)\n",
        ),
        (
            "import torch\nc = torch.cuda\n\ndef f(s):\n    e = c.Event()\n    e.wait(s)\n",
            "import torch\nc = torch.cuda\n\ndef f(s):\n    e = c.Event()\n    s.wait_event(e)\n",
        ),
    ],
)
def test_through_an_alias(tmp_path: Path, before: str, expected: str) -> None:
    assert after(tmp_path, {"ops/a.py": before}) == expected


@pytest.mark.parametrize(
    "common",
    ["import torch\n", "from .base import *\n", "__all__ = ['torch']\nimport torch\n"],
)
def test_through_everything_that_a_module_of_the_package_has(tmp_path: Path, common: str) -> None:
    files = {
        "ops/base.py": "try:\n    import torch\nexcept ImportError:\n    raise\n",
        "ops/common.py": common,
        "ops/a.py": (
            "from .common import *\n\ntorch.cuda.Event().wait()\nd = torch.device(device=x)\n"
        ),
    }
    assert after(tmp_path, files) == (
        "from .common import *\n\n"
        "torch.cuda.current_stream().wait_event(torch.cuda.Event())\n"
        "d = torch.device(x)\n"
    )


@pytest.mark.parametrize("common", ["__all__ = ['f']\nimport torch\n", "import torch as _torch\n"])
def test_what_a_module_does_not_give_with_everything_is_not_had(
    tmp_path: Path, common: str
) -> None:
    files = {"ops/common.py": common, "ops/a.py": "from .common import *\ntorch.device(device=x)\n"}
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("from ops.common import torch as th\nth.device(device=x)\n", "th.device(x)\n"),
        ("from .common import device\ndevice(device=x)\n", "device(x)\n"),
        ("from . import common\ncommon.device(device=x)\n", "common.device(x)\n"),
        ("import ops.common as c\nc.torch.device(device=x)\n", "c.torch.device(x)\n"),
        ("from . import device\ndevice(device=x)\n", "device(x)\n"),
    ],
)
def test_through_a_re_export(tmp_path: Path, before: str, expected: str) -> None:
    files = {
        "ops/__init__.py": "from .common import device\n",
        "ops/common.py": "import torch\nfrom torch import (\n    device,\n)\n",
        "ops/a.py": before,
    }
    assert after(tmp_path, files) == before.splitlines(keepends=True)[0] + expected


def test_a_module_beside_a_script_is_found_and_one_in_a_package_only_by_its_whole_name(
    tmp_path: Path,
) -> None:
    files = {
        "bench/common.py": "from torch import device\n",
        "bench/run.py": "from common import device\ndevice(device=x)\n",
        "ops/common.py": "from torch import device\n",
        "ops/a.py": "from common import device\ndevice(device=x)\n",
    }
    rules = [(f.path, f.rule.rpartition("/")[2]) for f in found(tmp_path, files)]
    assert [path for path, rule in rules if rule != "torch_in_entry_script"] == ["bench/run.py"]
    assert ("bench/run.py", "torch_in_entry_script") in rules  # it reaches torch through the other


def test_a_name_that_a_module_makes_itself_is_its_own(tmp_path: Path) -> None:
    files = {
        "ops/common.py": "import torch\n\ndef device(device): ...\n",
        "ops/a.py": "from .common import device\nimport torch\n\ndevice(device=x)\n",
    }
    assert not found(tmp_path, files)


def test_modules_that_import_each_other_end(tmp_path: Path) -> None:
    files = {
        "ops/b.py": "from .a import *\nfrom .a import device\n",
        "ops/a.py": "from .b import *\nfrom .b import device\ndevice(device=x)\n",
    }
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (  # what it is
            "self.make = torch.device\n\n    def f(self):\n        self.make(device=x)",
            "self.make(x)",
        ),
        ("self.t = torch\n\n    def f(self):\n        self.t.device(device=x)", "self.t.device(x)"),
        (  # what made it
            "self.e = torch.cuda.Event()\n\n    def f(self, s):\n        self.e.wait(s)",
            "s.wait_event(self.e)",
        ),
    ],
)
def test_through_an_attribute_of_self_that_is_assigned_once(
    tmp_path: Path, before: str, expected: str
) -> None:
    text = f"import torch\n\n\nclass A:\n    def __init__(self):\n        {before}\n"
    assert after(tmp_path, {"ops/a.py": text}).splitlines()[-1].strip() == expected


def test_through_an_attribute_of_the_class(tmp_path: Path) -> None:
    text = "import torch\nclass A:\n  D = torch.device\n  def f(self):\n    self.D(device=x)\n"
    assert after(tmp_path, {"ops/a.py": text}).endswith("self.D(x)\n")


def test_an_attribute_that_is_assigned_twice_is_not_known(tmp_path: Path) -> None:
    text = (
        "import torch\n\n\nclass A:\n    def __init__(self):\n        self.make = torch.device\n\n"
        "    def g(self):\n        self.make = other\n        self.make(device=x)\n"
    )
    assert not found(tmp_path, {"ops/a.py": text})


def test_a_variable_that_is_assigned_twice_or_elsewhere_is_not_known(tmp_path: Path) -> None:
    twice = "import torch\nD = torch.device\nif y:\n    D = other\nD(device=x)\n"
    elsewhere = (
        "import torch\nD = torch.device\n\ndef f():\n    global D\n    D = other\n\nD(device=x)\n"
    )
    argument = "import torch\n\ndef f(D):\n    D = torch.device\n    D(device=x)\n"
    files = {"ops/a.py": twice, "ops/b.py": elsewhere, "ops/c.py": argument}
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    "imported", ["import torch", "from torch import device", "from .common import torch"]
)
def test_through_an_import_in_the_function(tmp_path: Path, imported: str) -> None:
    called = "device" if imported.endswith("device") else "torch.device"
    rest = f"    return {called}(device=x)\n"
    text = f"def f(x):\n    {imported}\n{rest}\n\ndef g(x):\n{rest}"
    files = {"ops/common.py": "import torch\n", "ops/a.py": text}
    lines = after(tmp_path, files).splitlines()
    assert lines[2] == f"    return {called}(x)"
    assert lines[-1] == f"    return {called}(device=x)", "there it is not torch's"


def test_names_in_use_are_seen_in_all_these_ways(tmp_path: Path) -> None:
    files = {
        "ops/common.py": "import torch\nfrom torch import compile as build\n",
        "ops/a.py": "from .common import *\nbuild(f)\n",
        "ops/b.py": (
            "from .common import torch as th\n\n\nclass A:\n    def __init__(self):\n"
            "        self.b = th.compile\n\n    def f(self):\n        self.b(g)\n"
        ),
    }
    uses = {
        (use.path, use.line) for use in whole(tmp_path, files).uses if use.name == "torch.compile"
    }
    assert uses == {("ops/common.py", 2), ("ops/a.py", 2), ("ops/b.py", 6), ("ops/b.py", 9)}


def test_what_cannot_be_resolved_is_said_with_its_place(tmp_path: Path) -> None:
    files = {
        "ops/a.py": (
            "import torch\nfrom torch.nn import *\nname = 'float32'\n"
            "a = getattr(torch, name)\nb = getattr(torch, 'float32')\nc = getattr(other, name)\n"
        ),
        "ops/b.py": "from .a import torch as th\n\n\ndef f(x):\n    return getattr(th.cuda, x)()\n",
    }
    assert whole(tmp_path, files).untold == (("ops/a.py", 2), ("ops/a.py", 4), ("ops/b.py", 5))


@pytest.mark.parametrize(
    ("imports", "said"),
    [
        ("import torch\nimport ops", "imports torch"),
        ("try:\n    import torch, ops\nexcept ImportError:\n    pass", "imports torch"),
        ("from ops import f\nimport torch", "imports torch"),
        ("from ops import lazy\nimport torch", "imports ops"),
        ("import ops.lazy", "imports ops.lazy"),
        ("import ops.deep", "imports ops.deep"),
        ("import ops.data", "imports ops.data"),
        ("import ops.plain", ""),
        ("from ops import typed", ""),
    ],
)
def test_a_script_is_told_which_import_needs_the_proxy(
    tmp_path: Path, imports: str, said: str
) -> None:
    """Where a module of the project imports torch, even if only in a function."""
    modules = {
        "lazy": "def f():\n    import torch\n",
        "deep": "from . import lazy\n",
        "data": "import torchvision\n",
        "plain": "import os, json\nfrom .typed import f\nimport six, unknown\n",
        "typed": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\n"
        "def f(): ...\n",
    }
    files = {f"ops/{name}.py": text for name, text in modules.items()}
    messages = [
        one.message
        for one in found(tmp_path, {**files, "examples/run.py": f"{imports}\nops.main()\n"})
        if one.path == "examples/run.py"
    ]
    assert len(messages) == bool(said)
    assert all(said in message for message in messages)


@pytest.mark.parametrize(
    ("script", "others", "beside"),
    [
        ("tests/run.py", {"tests/test_a.py": "def test(): pass\n"}, True),  # and gets one so
        ("tests/run.py", {"tests/more/test_a.py": "def test(): pass\n"}, True),
        ("tests/run.py", {"tests/conftest.py": ""}, True),
        ("tests/more/run.py", {"tests/more/test_a.py": "def test(): pass\n"}, False),
        ("tests/more/run.py", {"tests/conftest.py": ""}, False),
        ("tests/run.py", {}, False),
    ],
)
def test_a_script_among_the_tests_is_sent_to_a_conftest_that_there_is(
    tmp_path: Path, script: str, others: dict[str, str], beside: bool
) -> None:
    text = "import torch\n\nif __name__ == '__main__':\n    print(torch.ones(1))\n"
    vendored = Form(delivery=Delivery.VENDORED)
    (finding,) = found(tmp_path, {script: text, **others}, vendored)
    assert ("`import conftest`" in finding.message) is beside
    (finding,) = found(tmp_path, {script: text, **others})
    assert "conftest`" not in finding.message and "-m porter_compat" in finding.message


OUTLINED = b"""
from here import *
try:
    import a
except E as e:
    from b import c
else:
    x = 1
finally:
    import z as y
match q:
    case 1:
        import m
    case {"k": v}:
        w = 2
with o as p:
    for i in range(3):
        while j:
            if (k := 3):
                import l
            elif s:
                def f(a, b=(u := 1)):
                    import inside
                    t = 3
            else:
                class C(B, metaclass=(mm := M)):
                    import inside_too
@(dd := deco)
async def g():
    d = 3
[r for r in s]
__all__ = ["x"]
"""


def test_what_a_module_binds_is_told_without_its_functions() -> None:
    whole, (outline, imports) = (read(OUTLINED, "a.py", "ops") for read in (parse, parse_outline))
    assert outline.module_bindings == whole.module_bindings
    assert {"a", "c", "y", "m", "l", "e", "dd", "g", "C", "f"} <= outline.module_bindings.keys()
    assert outline.stars == whole.stars == ("here",)
    assert outline.exports == whole.exports == {"x"}
    assert len(outline.nodes) < len(whole.nodes)
    assert {*imports} == {name for name, _, _ in whole.imports}
