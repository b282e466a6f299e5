"""What one Python file has of Ascend operators: meta functions, backward, converters, uses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from porter.languages.python import Module
from porter.languages.python_tree import callee, variable_names
from porter.model import AscendPart

_FUNCTIONS = frozenset(("Function", "torch.autograd.function.Function"))
_FAKES = frozenset(("register_fake", "impl_abstract"))


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says of one operator, `ns::op`, or of a name without a namespace."""

    part: AscendPart
    operator: str
    line: int
    form: str


def pieces(module: Module, test: bool) -> Iterator[Said]:
    """What a file says of operators, in no order."""
    libraries = _libraries(module)
    for call in module.nodes_of(ast.Call):
        for texts in _spell_texts(module, call):
            yield from _call(module, call, libraries, texts)
    for name in module.names:
        operator = operator_of(name.qualified)
        if operator is None:
            continue
        part = AscendPart.TEST if test else AscendPart.WRAPPER
        if _is_in_converter(module, name.node):
            continue
        around = _backward(module, name.node)
        if around:
            yield Said(AscendPart.AUTOGRAD, operator, name.node.lineno, around)
        yield Said(part, operator, name.node.lineno, "torch.ops")


def find_compiled_uses(
    module: Module, names: Collection[str], libraries: Collection[str]
) -> Iterator[tuple[str, ast.expr | ast.alias]]:
    """(name, node) where a file uses a function that an extension module exposes by pybind11: of a
    module that is called as one of these, or of what a `load()` gave; or where it only imports one,
    for others."""
    own = {name.qualified for name in module.names}
    places: list[tuple[str, ast.expr | ast.alias]] = [(n.qualified, n.node) for n in module.names]
    places += [(name, alias) for name, alias, _ in module.imports if name not in own]
    for qualified, found in places:
        base, _, last = qualified.rpartition(".")
        if (last in names or last == "*") and base.rpartition(".")[2] in libraries:
            yield from ((name, found) for name in (names if last == "*" else (last,)))
    for name in names:
        for node in module.attributes.get(name, ()):
            value: ast.expr | None = node.value
            if isinstance(value, ast.Name):
                value = _single_value(module, value.id)
            if isinstance(value, ast.Call) and callee(value) == "load":
                yield name, node


def _single_value(module: Module, name: str) -> ast.expr | None:
    """The one value that a file gives a variable."""
    values = [
        node.value for node in module.nodes_of(ast.Assign) if name in variable_names(node.targets)
    ]
    return values[0] if len(values) == 1 else None


def describe_uses(
    module: Module, uses: Iterable[tuple[str, ast.expr | ast.alias]], test: bool
) -> Iterator[Said]:
    """What the uses of functions of an extension module say of them."""
    part = AscendPart.TEST if test else AscendPart.WRAPPER
    for name, node in uses:
        if around := _backward(module, node):
            yield Said(AscendPart.AUTOGRAD, name, node.lineno, around)
        yield Said(part, name, node.lineno, "pybind11")


def wrappers(
    module: Module, uses: Iterable[tuple[str, ast.expr | ast.alias]] = ()
) -> Iterator[tuple[str, str]]:
    """(name, operator) of what a module offers under a name of its own: a function or class that
    uses an operator of torch.ops or of an extension module, a variable that is one, and what uses
    these in turn."""
    found: dict[str, set[str]] = {}
    named = ((operator_of(name.qualified), name.node) for name in module.names)
    for operator, node in (*named, *uses):
        for name in _top(module, node) if operator is not None else ():
            found.setdefault(name, set()).add(operator)  # type: ignore[arg-type]
    news = set(found)
    while news:
        inner, news = news, set()
        for node in module.nodes_of(ast.Name):
            if node.id in inner and isinstance(node.ctx, ast.Load):
                for name in _top(module, node):
                    if not found[node.id] <= found.get(name, set()):
                        found.setdefault(name, set()).update(found[node.id])
                        news.add(name)
    yield from ((name, operator) for name, operators in found.items() for operator in operators)


def _top(module: Module, node: ast.AST) -> Iterator[str]:
    """The names that the statement of the module around a node gives, or that it imports."""
    if isinstance(node, ast.alias):
        yield node.asname or node.name
        return
    while module.parents.get(node, module.tree) is not module.tree:
        node = module.parents[node]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from variable_names(node.targets)


def tests_of(
    module: Module, wrapped: Mapping[str, Collection[str]], packages: Collection[str]
) -> Iterator[Said]:
    """The operators that a test uses by the names that the repository's packages give them."""
    for name in module.names:
        package, _, last = name.qualified.rpartition(".")
        if package.partition(".")[0] in packages:
            for operator in sorted(wrapped.get(last, ())):
                yield Said(AscendPart.TEST, operator, name.node.lineno, name.qualified)


def operator_of(qualified: str) -> str | None:
    """`ns::op` of `torch.ops.ns.op[.overload]`."""
    parts = qualified.split(".")
    return f"{parts[2]}::{parts[3]}" if parts[:2] == ["torch", "ops"] and len(parts) > 3 else None


def registrars(module: Module) -> Iterator[str]:
    """Functions that register a meta function for an operator that they are given by name."""
    for call in module.nodes_of(ast.Call):
        computed = not any(isinstance(a, ast.Constant) and "::" in str(a.value) for a in call.args)
        to_meta = callee(call) == "impl" and any(
            isinstance(a, ast.Constant) and a.value == "Meta" for a in call.args
        )
        if (to_meta or callee(call) in _FAKES or "register_fake" in callee(call)) and computed:
            outer = module.ancestors(call)
            yield from (node.name for node in outer if isinstance(node, ast.FunctionDef))


def find_registered(module: Module, names: frozenset[str]) -> Iterator[Said]:
    """The operators that a file names to such functions: `f("op")`, `f("ns", "op", ...)`."""
    for call in module.nodes_of(ast.Call):
        if callee(call) in names:
            texts = _texts(call)
            if texts and all(text.replace("::", "").isidentifier() for text in texts[:2]):
                operator = "::".join(texts[:2])
                yield Said(AscendPart.META, operator, call.lineno, callee(call))


def _texts(call: ast.Call) -> list[str]:
    return [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]


def _spell_texts(module: Module, call: ast.Call) -> Iterator[list[str]]:
    """The texts that a call is given; for each turn of a loop over texts that it stands in."""
    computed = [a for a in call.args if isinstance(a, ast.JoinedStr | ast.Name)]
    names = {n.id for a in computed for n in ast.walk(a) if isinstance(n, ast.Name)}
    for node in module.ancestors(call) if names else ():
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            name, over = node.target.id, node.iter
            if name in names and isinstance(over, ast.Tuple | ast.List | ast.Set):
                values = [v.value for v in over.elts if isinstance(v, ast.Constant)]
                yield from ([_substitute(a, name, str(v)) for a in call.args] for v in values)
                return
    yield _texts(call)


def _substitute(node: ast.expr, name: str, value: str) -> str:
    """A text in which a name stands for a value; empty where it is no text then."""
    if isinstance(node, ast.Name) and node.id == name:
        return value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    parts = (v.value if isinstance(v, ast.FormattedValue) else v for v in node.values)
    return "".join(_substitute(part, name, value) for part in parts)


def _libraries(module: Module) -> dict[str, tuple[str, str]]:
    """Variables that hold a `Library("ns", "IMPL", "Meta")`: the namespace and the key, if any."""
    found = {}
    for node in module.nodes_of(ast.Assign):
        if isinstance(node.value, ast.Call) and callee(node.value) == "Library":
            texts = _texts(node.value)
            for target in variable_names(node.targets) if texts else ():
                found[target] = (texts[0], texts[2] if len(texts) > 2 else "")
    return found


def _call(
    module: Module, call: ast.Call, libraries: dict[str, tuple[str, str]], texts: list[str]
) -> Iterator[Said]:
    """`lib.impl("op", f, "Meta")`, `@impl(lib, "op")`, `lib.define("op(...)")`, and the functions
    of torch.library, as calls and as decorators."""
    name = callee(call)
    texts = [text for text in texts if text]
    if name == "register_fx_node_ge_converter" and call.args:
        first = call.args[0]
        operator = operator_of(module.resolve(first) or ast.unparse(first))
        if operator:
            yield Said(AscendPart.CONVERTER, operator, call.lineno, name)
        return
    if not texts:
        return
    library = call.func.value if isinstance(call.func, ast.Attribute) else None
    given = [n for n in (library, *call.args[:1]) if isinstance(n, ast.Name)]
    space, key = next((libraries[n.id] for n in given if n.id in libraries), ("", ""))
    operator, line = texts[0].partition("(")[0].strip(), call.lineno
    if space and "::" not in operator:
        operator = f"{space}::{operator}"
    if name == "impl":
        key = texts[-1] if len(texts) > 1 else key
        if key == "Meta":
            yield Said(AscendPart.META, operator, line, "Library.impl")
        elif key.startswith("Autograd"):
            yield Said(AscendPart.AUTOGRAD, operator, line, "Library.impl")
    elif name in ("define", "custom_op") and "torch" in (module.resolve(call.func) or "torch"):
        yield Said(AscendPart.DEFINITION, operator, line, f"torch.library.{name}")
    elif name in _FAKES:
        yield Said(AscendPart.META, operator, line, name)
    elif name == "register_autograd":
        yield Said(AscendPart.AUTOGRAD, operator, line, name)


def _backward(module: Module, node: ast.AST) -> str:
    """The name of the autograd function in whose forward a node stands."""
    for outer in module.ancestors(node):
        if isinstance(outer, ast.FunctionDef) and outer.name in ("backward", "bprop"):
            return ""
        if isinstance(outer, ast.ClassDef) and _defines(outer, "bprop"):
            return f"bprop of {outer.name}"
        if isinstance(outer, ast.ClassDef):
            bases = [module.resolve(b) or ast.unparse(b) for b in outer.bases]
            derived = any(b in _FUNCTIONS or b.endswith("autograd.Function") for b in bases)
            if derived and _defines(outer, "backward"):
                return f"autograd.Function {outer.name}"
    return ""


def _defines(node: ast.ClassDef, method: str) -> bool:
    return any(isinstance(f, ast.FunctionDef) and f.name == method for f in node.body)


def _is_in_converter(module: Module, node: ast.AST) -> bool:
    calls = (outer for outer in module.ancestors(node) if isinstance(outer, ast.Call))
    converter = "register_fx_node_ge_converter"
    return any(ast.unparse(call.func).rpartition(".")[2] == converter for call in calls)
