"""Byte marks of Ascend code, so that a repository without any pays nothing."""

from __future__ import annotations

CPP = (  # what the structure of an operator is read from
    b"aclnn",
    b"kernel_operator.h",
    b"__aicore__",
    b"EXEC_KERNEL_CMD",
    b"ACLRT_LAUNCH_KERNEL",
    b"aclrtStream",
    b"torch_npu",
    b"c10_npu",
    b"at_npu",
    b"op_def_registry",
    b"OP_ADD(",
    b"OpCommand",
)
# Of those, the files that have a piece of an operator: most of a kernel's headers have none.
STRUCTURE = (
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
    b"op_plugin",
    b"npu_cpp_extension.h",
    b"namespace at_npu",
    b"namespace c10_npu",
    b"namespace torch_npu",
)
# Files that say how an operator is bound, whether or not they name Ascend themselves.
BINDING = (b"TORCH_LIBRARY", b"PYBIND11_MODULE", b"IMPL_OP", b"REGISTER_", b"TORCH_FN")
BUILD = (b"torch_npu",)  # all operators of a build script may be in yaml
YAML = (b"gen_opapi", b"op_api:", b"acl_op:")
JSON = (b"input_desc",)
CONVERTER = (b"register_fx_node_ge_converter",)
PYTHON = (b"torch.ops.", b"torch.library", b"register_fake", *CONVERTER)


def has(data: bytes, marks: tuple[bytes, ...]) -> bool:
    """Whether any of the marks is in these bytes."""
    return any(mark in data for mark in marks)
