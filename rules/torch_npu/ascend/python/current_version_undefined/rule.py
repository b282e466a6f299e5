"""`NpuExtension(...)` whose sources include npu_cpp_extension.h, without `-DCURRENT_VERSION=`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts

CLASSES = frozenset(
    (
        "torch_npu.utils.cpp_extension.NpuExtension",
        "torch.utils.cpp_extension.CppExtension",
    )
)
FLAG = '"-DCURRENT_VERSION=V{}R{}".format(*torch.__version__.split(".")[:2])'


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"CURRENT_VERSION" in module.data or not _includes(module.path, facts):
        return
    if not any(name.partition(".")[0] == "torch_npu" for name, _, _ in module.imports):
        return
    for call in module.calls_to(CLASSES):
        edits = tuple(_with_flag(module, call)) if "torch" in module.identifiers("torch") else ()
        yield Match(module.span(call.func), edits)


def _includes(path: str, facts: ProjectFacts) -> bool:
    """Whether a source below the script's folder includes them."""
    folder = path.rpartition("/")[0]
    ascend = facts.ascend
    return ascend is not None and any(
        source.startswith(f"{folder}/" if folder else "") for source in ascend.including
    )


def _with_flag(module: Module, call: ast.Call) -> Iterator[Edit]:
    """One flag more where the flags are a list that is written out, or there are none."""
    for keyword in call.keywords:
        if keyword.arg is None:
            return
        if keyword.arg == "extra_compile_args":
            value = keyword.value
            if isinstance(value, ast.List) and value.elts:
                yield Edit(module.before(value.elts[0]), f"{FLAG}, ".encode())
            return
    if call.keywords:
        text = f"extra_compile_args=[{FLAG}], "
        yield Edit(module.before(call.keywords[0]), text.encode())
