"""`NpuExtension(...)` whose sources need include/third_party/..., which nothing names."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts, Safety

CLASS = frozenset(("torch_npu.utils.cpp_extension.NpuExtension",))
NEEDED = (
    "third_party/acl/inc",
    "third_party/op-plugin",
    "third_party/op-plugin/op_plugin/include",
)
SAID = "NpuExtension adds only torch_npu/include: npu_cpp_extension.h needs {} too"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    folder = module.path.rpartition("/")[0]
    within = f"{folder}/" if folder else ""
    including = facts.ascend.including if facts.ascend else frozenset[str]()
    if not any(source.startswith(within) for source in including):
        return
    text = module.data.decode("utf-8", "replace").replace('", "', "/").replace("', '", "/")
    missing = [f"include/{path}" for path in NEEDED if path not in text]
    # A path put together from parts is not read here: then all of them seem to be missing.
    if not missing or (len(missing) == len(NEEDED) and "third_party" in text):
        return
    bound = "torch_npu" in module.identifiers("torch_npu")
    importing = any(_is_of_torch_npu(statement) for statement in module.tree.body)
    for call in module.calls_to(CLASS):
        known = {"missing": " ".join(missing), **({"imported": "yes"} if bound else {})}
        plain = (bound or importing) and _takes_directories(call)
        place, safety = (Place(module.span(call), known), None) if plain else (None, Safety.MANUAL)
        said = SAID.format(", ".join(missing))
        yield Match(module.span(call.func), (), said, safety, place=place)


def _takes_directories(call: ast.Call) -> bool:
    """Whether all its arguments are written out, and include_dirs is a list or is not there."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    listed = given.get("include_dirs")
    if None in given or any(isinstance(a, ast.Starred) for a in call.args):
        return False
    return listed is None or (isinstance(listed, ast.List) and bool(listed.elts))


def _is_of_torch_npu(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
        "torch_npu."
    )
