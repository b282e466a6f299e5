"""Byte marks of Ascend code, so that a repository without any pays nothing."""

from __future__ import annotations

from porter.ascend.names import Names

_CPP = (  # what the structure of an operator is read from
    b"aclnn",
    b"kernel_operator.h",
    b"__aicore__",
    b"EXEC_KERNEL_CMD",
    b"ACLRT_LAUNCH_KERNEL",
    b"aclrtStream",
    b"op_def_registry",
    b"OP_ADD(",
    b"OpCommand",
)
# Of those, the files that have a piece of an operator: most of a kernel's headers have none.
_STRUCTURE = (
    b"TORCH_LIBRARY",
    b"PYBIND11_MODULE",
    b"at::Tensor",
    b"EXEC_",
    b"<<<",
    b"ACLRT_LAUNCH_KERNEL",
    b"__global__",
    b"aclnn",
    b"OpDef",
    b"OpCommand",
    b"IMPL_OP",
    b"REGISTER_",
)
# Files that say how an operator is bound, whether or not they name Ascend themselves.
BINDING = (b"TORCH_LIBRARY", b"PYBIND11_MODULE", b"IMPL_OP", b"REGISTER_", b"TORCH_FN")
YAML = (b"gen_opapi", b"op_api:", b"acl_op:")
JSON = (b"input_desc",)
CONVERTER = (b"register_fx_node_ge_converter",)
PYTHON = (b"torch.ops.", b"torch.library", b"register_fake", *CONVERTER)


def cpp_marks(names: Names) -> tuple[bytes, ...]:
    """Those of C++ that is for Ascend, or names a framework for it."""
    return (*_CPP, *(space.encode() for space in names.namespaces), *_plugin_marks(names))


def structure_marks(names: Names) -> tuple[bytes, ...]:
    """Those of C++ that has a piece of an operator, or is part of a framework."""
    plugin = (header.rstrip("/").encode() for header in names.plugin_headers)
    spaces = (f"namespace {space}".encode() for space in names.namespaces)
    return (*_STRUCTURE, *plugin, *spaces, *_plugin_marks(names))


def _plugin_marks(names: Names) -> tuple[bytes, ...]:
    """Those of C++ that registers operators with a framework's macros, or derives its runners."""
    found = (*names.registrations, *names.runners, *names.commands, *names.graph_macros)
    return tuple(name.encode() for name in found)


def build_marks(names: Names) -> tuple[bytes, ...]:
    """Those of a build script: all of its operators may be in yaml."""
    return tuple(module.encode() for module in names.modules)


def has(data: bytes, marks: tuple[bytes, ...]) -> bool:
    """Whether any of the marks is in these bytes."""
    return any(mark in data for mark in marks)
