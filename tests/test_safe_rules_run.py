"""What SAFE rules write means the same under both frameworks: the `run` blocks of their READMEs."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from porter.model import Safety
from porter.rules.loader import load_pack
from porter.rules.rule import Rule

RULES = load_pack("paddle").rules
RUN = re.compile(r"^```(python|cpp) run\n(.*?)^```$", re.MULTILINE | re.DOTALL)

NOT_RUN = {
    "paddle/cpp/cuda_stream_without_its_header": "the header needs a CUDA toolkit",
    "paddle/cpp/event_without_its_header": "the header needs a CUDA toolkit",
    "torch/cpp/cuda_thread_function": "the functions need a CUDA toolkit",
    "torch/cpp/removed_thc": "the headers need a CUDA toolkit",
    "paddle/cpp/old_registration_without_its_header": "Paddle has the header by the unit only",
    "paddle/cpp/process_group_attributes": "an object of Python's; see process_group_methods",
    "paddle/cpp/standard_header_by_luck": "standard C++ only",
    "torch/cpp/standard_header_missing": "standard C++ only",
    "torch/cpp/at_check": "Paddle has TORCH_CHECK of several arguments by porter's headers only",
    "torch/cpp/type_in_dispatch": "Paddle has the macros by the unit only",
    "torch/cmake/old_cpp_standard": "a flag of the compiler",
    "paddle/python/current_device_as_device": "needs a GPU",
    "torch/python/old_cpp_standard": "a flag of the compiler",
    "torch/python/removed_architecture": "a flag of the compiler",
    "paddle/python/stream_of_tvm_ffi": "needs a GPU",
    "paddle/python/torch_in_package": "test_delivery.py runs it",
}

# torch.device is Paddle's class by the vendored unit, in every ported tree that names it.
PADDLE = """
import paddle
paddle.enable_compat()
from paddle.compat.proxy import RawOverriddenAttribute, _extend_torch_proxy_overrides
_extend_torch_proxy_overrides({"torch.device": RawOverriddenAttribute(paddle.device.Device)})
"""
WORKER = """
import json, sys, traceback
failed = {}
for rule, code in json.load(open(sys.argv[1])):
    try:
        exec(compile(code, rule, "exec"), {"__name__": rule})
    except Exception:
        failed[rule] = traceback.format_exc(limit=-1)
print(json.dumps(failed))
"""
INCLUDES = {
    "torch": ("include", "include/torch/csrc/api/include"),
    "paddle": (
        "include",
        "include/third_party",
        "include/paddle/phi/api/include/compat",
        "include/paddle/phi/api/include/compat/torch/csrc/api/include",
    ),
}
STANDARD = {"torch": "c++20", "paddle": "c++17"}
ASK = (
    "import importlib.util, sysconfig; print(importlib.util.find_spec({!r})"
    ".submodule_search_locations[0], sysconfig.get_path('include'), sep='\\n')"
)


def _blocks(language: str) -> Iterator[tuple[str, str]]:
    for rule in RULES:
        for block in RUN.finditer(_readme(rule)):
            if block[1] == language:
                yield rule.id, block[2]


def _readme(rule: Rule) -> str:
    path = rule.folder / "README.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _edits_libraries(rule: Rule) -> bool:
    readme = _readme(rule)
    after = re.findall(r"^```(?:python|cpp) after(.*)$", readme, re.MULTILINE)
    build = all("setup.py" in attributes or "role=build" in attributes for attributes in after)
    return rule.safety is Safety.SAFE and bool(after) and not build


def test_every_safe_rule_has_a_block_to_run_or_a_reason_why_not() -> None:
    bare = {rule.id for rule in RULES if _edits_libraries(rule) and not RUN.search(_readme(rule))}
    in_tests = {rule for rule in bare if rule.rpartition("/")[2].startswith("torch_in_tests")}
    assert bare - in_tests <= set(NOT_RUN), "a SAFE rule's output is run under both frameworks"
    assert set(NOT_RUN) <= {rule.id for rule in RULES}, "no reason outlives its rule"


def test_run_blocks_are_python_or_cpp_that_parses() -> None:
    for rule, code in _blocks("python"):
        compile(code, rule, "exec")


@pytest.mark.real
@pytest.mark.parametrize("framework", ["torch", "paddle"])
def test_python_run_blocks_hold(
    framework: str, framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(list(_blocks("python"))))
    worker = tmp_path / "worker.py"
    worker.write_text((PADDLE if framework == "paddle" else "") + WORKER)
    done = subprocess.run(
        [str(framework_pythons[framework]), str(worker), str(blocks)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {}


@pytest.mark.real
@pytest.mark.parametrize("framework", ["torch", "paddle"])
def test_cpp_run_blocks_compile(
    framework: str, framework_pythons: Mapping[str, Path], tmp_path: Path
) -> None:
    """All blocks as one translation unit: torch's headers alone take most of the time."""
    unit = tmp_path / "unit.cpp"
    parts = [f'#line 1 "{rule}"\n{code}' for rule, code in _blocks("cpp")]
    unit.write_text("\n".join(parts))
    asked = subprocess.run(
        [str(framework_pythons[framework]), "-c", ASK.format(framework)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    package, python = asked.stdout.split("\n")[:2]
    folders = [f"{package}/{folder}" for folder in INCLUDES[framework]]
    done = subprocess.run(
        ["g++", "-fsyntax-only", "-w", f"-std={STANDARD[framework]}"]
        + [f"-I{folder}" for folder in [*folders, python]]
        + [str(unit)],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
