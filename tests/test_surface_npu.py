"""What torch_npu offers is read from its headers and from what its library exports."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.model import State
from porter.surface.load import load_newest
from porter.targets.torch_npu.capture import names

STREAM = b"""
namespace c10_npu {
struct NPUStream { int id() const { return 1; } int stream() const; virtual int kind() = 0; };
NPUStream getCurrentNPUStream(int device = -1);
int hidden(int device);
inline int device() { return 0; }
}
"""
COMMON = b"""
#include "base.h"
extern thread_local char g_buffer[8];
inline int hash() { return g_buffer[0]; }
#define EXEC_IT(name, ...) \\
  do { hash(); f(__VA_ARGS__); } while (0)
"""
BASE = b"#define EXEC_IT_EXT(name, ...) f(__VA_ARGS__)\n"
SOURCE = """namespace c10_npu { struct NPUStream { int stream() const; };
int NPUStream::stream() const { return 2; }
NPUStream getCurrentNPUStream(int) { return {}; }
__attribute__((visibility("hidden"))) int hidden(int) { return 1; } }
thread_local char g_buffer[8] __attribute__((visibility("hidden")));
"""


@pytest.mark.real
def test_what_is_declared_is_exported_inline_or_hidden(tmp_path: Path) -> None:
    include = tmp_path / "include"
    for path, data in (
        ("torch_npu/csrc/core/npu/NPUStream.h", STREAM),
        ("third_party/op-plugin/op_plugin/utils/common.h", COMMON),
        ("third_party/op-plugin/op_plugin/utils/base.h", BASE),
        ("third_party/acl/inc/acl/acl.h", b"int aclInit();\n"),
    ):
        (include / path).parent.mkdir(parents=True, exist_ok=True)
        (include / path).write_bytes(data)
    (tmp_path / "lib").mkdir()
    command = ["g++", "-shared", "-fPIC", "-x", "c++", "-"]
    command += ["-o", str(tmp_path / "lib" / "libtorch_npu.so")]
    subprocess.run(command, input=SOURCE.encode(), check=True)
    found = names(tmp_path, tmp_path)
    where = {n: s.provenance for n, s in found.items() if s.state is State.PRESENT}
    assert where["c10_npu::getCurrentNPUStream"] == "exported"
    assert where["c10_npu::NPUStream::stream"] == "exported"
    assert where["c10_npu::NPUStream::id"] == where["c10_npu::device"] == "inline"
    assert "c10_npu::NPUStream::kind" in where, "called through a table"
    assert where["<acl/acl.h>"] == "third_party/acl/inc"
    assert where["<op_plugin/utils/common.h>"] == "third_party/op-plugin"
    assert found["EXEC_IT_EXT"].state is State.PRESENT
    hidden = {n for n, s in found.items() if s.state is State.DIFFERENT}
    assert hidden == {"c10_npu::hidden", "g_buffer", "EXEC_IT"}
    (fact,) = found["EXEC_IT"].facts
    assert str(fact) == "link: it uses g_buffer, which libtorch_npu.so does not export"


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("c10_npu::getCurrentNPUStream", State.PRESENT),
        ("c10_npu::NPUStream::stream", State.PRESENT),
        ("at_npu::native::OpCommand::RunOpApiV2", State.PRESENT),
        ("at_npu::native::OpPreparation::apply_tensor_without_format", State.PRESENT),
        ("at_npu::native::OpPreparation::apply_tensor", State.DIFFERENT),
        ("at_npu::native::OpPreparation::unsafe_empty_workspace", State.DIFFERENT),
        ("torch_npu::NPUBridge::GetNpuStorageImpl", State.DIFFERENT),
        ("c10_npu::GetSocVersion", State.DIFFERENT),
        ("EXEC_NPU_CMD", State.DIFFERENT),
        ("EXEC_NPU_CMD_EXT", State.PRESENT),
        ("<npu_cpp_extension.h>", State.PRESENT),
        ("<torch_npu/csrc/core/npu/NPUStream.h>", State.PRESENT),
    ],
)
def test_the_shipped_surface_says_what_building_with_the_wheel_showed(
    name: str, state: State
) -> None:
    assert load_newest("torch_npu").cpp[name].state is state


def test_headers_that_are_in_no_wheel_are_not_in_the_surface() -> None:
    known = load_newest("torch_npu").cpp
    for header in (
        "torch_npu/npu_functions.h",
        "op_plugin/OpApiInterface.h",
        "aclnnop/aclnn_add.h",
    ):
        assert f"<{header}>" not in known
