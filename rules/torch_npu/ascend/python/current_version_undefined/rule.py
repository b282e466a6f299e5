"""`NpuExtension(...)` whose sources include npu_cpp_extension.h, without `-DCURRENT_VERSION=`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts

CLASSES = frozenset(
    (
        "torch_npu.utils.cpp_extension.NpuExtension",
        "torch.utils.cpp_extension.CppExtension",
    )
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if b"CURRENT_VERSION" in module.data or not _includes(module.path, facts):
        return
    if not any(name.partition(".")[0] == "torch_npu" for name, _, _ in module.imports):
        return
    for call in module.calls_to(CLASSES):
        known = "torch" in module.identifiers("torch") and _takes_a_flag(call)
        place = Place(module.span(call)) if known else None
        yield Match(module.span(call.func), place=place)


def _includes(path: str, facts: ProjectFacts) -> bool:
    """Whether a source below the script's folder includes them."""
    folder = path.rpartition("/")[0]
    ascend = facts.ascend
    return ascend is not None and any(
        source.startswith(f"{folder}/" if folder else "") for source in ascend.including
    )


def _takes_a_flag(call: ast.Call) -> bool:
    """Whether its flags are a list that is written out, or there are none."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    flags = given.get("extra_compile_args")
    listed = flags is None or (isinstance(flags, ast.List) and bool(flags.elts))
    return bool(given) and None not in given and listed
