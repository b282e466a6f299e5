"""`NpuExtension(...)` whose sources need include/third_party/..., which nothing names."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Safety, Span

CLASS = frozenset(("torch_npu.utils.cpp_extension.NpuExtension",))
NEEDED = (
    "third_party/acl/inc",
    "third_party/op-plugin",
    "third_party/op-plugin/op_plugin/include",
)
SAID = "NpuExtension adds torch_npu/include alone: npu_cpp_extension.h needs {} too"
ITEM = '{}f"{{torch_npu.__path__[0]}}/{}",'


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
    for call in module.calls_to(CLASS):
        edits = tuple(_with_directories(module, call, missing))
        safety = None if edits else Safety.MANUAL
        yield Match(module.span(call.func), edits, SAID.format(", ".join(missing)), safety)


def _with_directories(module: Module, call: ast.Call, missing: list[str]) -> Iterator[Edit]:
    """The directories, and `import torch_npu`; where include_dirs is there it has to be a list."""
    by_name = {keyword.arg: keyword for keyword in call.keywords}
    if None in by_name or any(isinstance(a, ast.Starred) for a in call.args):
        return
    imported = list(_import(module))
    if not imported and "torch_npu" not in module.identifiers("torch_npu"):
        return
    given = by_name.get("include_dirs")
    if given is not None:
        elements = given.value.elts if isinstance(given.value, ast.List) else []
        if elements:
            yield from imported
            indent = _indent(module, elements[0])
            text = ("\n" + indent if indent else " ").join(ITEM.format("", m) for m in missing)
            behind = "\n" + indent if indent else " "
            yield Edit(module.before(elements[0]), module.encode(text + behind))
        return
    last = [*call.args, *(keyword.value for keyword in call.keywords)][-1]
    own = call.keywords[-1] if call.keywords else last
    indent = _indent(module, own)
    yield from imported
    if indent:
        items = "\n".join(ITEM.format(f"{indent}    ", m) for m in missing)
        text = f",\n{indent}include_dirs=[\n{items}\n{indent}]"
    else:
        items = " ".join(ITEM.format("", m) for m in missing).removesuffix(",")
        text = f", include_dirs=[{items}]"
    yield Edit(module.after(last), module.encode(text))


def _indent(module: Module, node: ast.AST) -> str:
    """The white space before what begins its line; empty where it does not."""
    start, line = module.span(node).start, module.line_start(node).start
    return module.data[line:start].decode() if not module.data[line:start].strip() else ""


def _import(module: Module) -> Iterator[Edit]:
    """`import torch_npu` above the first import of something in it."""
    if "torch_npu" in module.identifiers("torch_npu"):
        return
    for statement in module.tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
            "torch_npu."
        ):
            start = module.line_start(statement).start
            yield Edit(Span(start, start), module.encode("import torch_npu\n"))
            return
