"""Texts that surely name a device: `device="cuda"`, `x.to("cuda:0")`, `x.device.type == "cuda"`."""

import ast
import re
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.devices import is_transferred, names_npu, not_for_npu
from porter.rules.evidence import imports_torch, is_in_device_function

NAMED = re.compile(r"cuda(:[0-9]+)?")
KEYWORDS = frozenset(("device", "device_type", "device_types", "map_location"))
# Callables whose first argument is a device.
FIRST = frozenset(
    (
        *("torch.device", "torch.autocast", "torch.amp.autocast", "torch.Generator"),
        *("torch.amp.GradScaler", "torch.get_device_module", "torch.set_default_device"),
    )
)
METHODS = frozenset(("to", "to_empty"))
APART = ast.Compare | ast.IfExp | ast.Tuple | ast.List | ast.Set


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module) or is_transferred(module, facts):
        return
    own = names_npu(module)
    for node in module.nodes_of(ast.Constant):
        if not isinstance(node.value, str) or not NAMED.fullmatch(node.value):
            continue
        if is_in_device_function(module, node):
            continue
        if not _is_device(module, node) or not_for_npu(module, node):
            continue
        if own and isinstance(module.parents[node], APART):
            continue  # told apart from the file's own "npu"
        span = module.span(node)
        text = module.data[span.start : span.end]
        at = text.find(b"cuda")
        yield Match(span, (Edit(Span(span.start + at, span.start + at + 4), b"npu"),))


def _is_device(module: Module, node: ast.expr) -> bool:
    parent = module.parents[node]
    while isinstance(parent, ast.Tuple | ast.List | ast.IfExp):
        node, parent = parent, module.parents[parent]  # type: ignore[assignment]
    match parent:
        case ast.keyword(arg=name):
            return name in KEYWORDS
        case ast.Call(func=function, args=[first, *_]) if first is node:
            if module.resolve(function) in FIRST:
                return True
            method = isinstance(function, ast.Attribute) and function.attr in METHODS
            return method or _is_taken_as_device(module, parent, node)
        case ast.Call(func=function, args=[ast.Constant(value=str(names)), second, *_]):
            marks = isinstance(function, ast.Attribute) and function.attr == "parametrize"
            if marks and second is node:
                return names.strip() == "device"
            return _is_taken_as_device(module, parent, node)
        case ast.Call():
            return _is_taken_as_device(module, parent, node)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return "device" in name.lower() or _is_used_as_device(module, name)
        case ast.Assign(targets=[ast.Attribute(attr=name)]):
            return "device" in name.lower()
        case ast.Dict(keys=keys, values=values):
            key = next((k for k, own in zip(keys, values, strict=True) if own is node), None)
            return isinstance(key, ast.Constant) and key.value in KEYWORDS
        case ast.For(target=ast.Name(id=name), iter=whole) if whole is node:
            return "device" in name.lower()
        case ast.Return():
            outer: ast.AST = parent
            while not isinstance(outer, ast.FunctionDef | ast.Module | ast.Lambda):
                outer = module.parents[outer]
            return isinstance(outer, ast.FunctionDef) and "device" in outer.name.lower()
        case ast.Compare(left=left, comparators=others):
            return any(_asks(side) for side in (left, *others))
        case ast.arguments():
            return _default_of_device(parent, node)
    return False


def _is_used_as_device(module: Module, name: str) -> bool:
    """Whether a variable of the file is a device in all that is done with it."""
    used = [n for n in module.nodes_of(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
    return bool(used) and all(_is_device(module, node) for node in used)


def _is_taken_as_device(module: Module, call: ast.Call, node: ast.expr) -> bool:
    """Whether the file's own function of that name has a parameter for a device there."""
    function = call.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    own = [one for one in module.nodes_of(ast.FunctionDef) if one.name == name]
    if not own or node not in call.args:
        return False
    for one in own:
        given = [argument.arg for argument in (*one.args.posonlyargs, *one.args.args)]
        given = given[1:] if given[:1] == ["self"] else given
        place = call.args.index(node)
        if place >= len(given) or "device" not in given[place].lower():
            return False
    return True


def _asks(node: ast.expr) -> bool:
    """`x.device.type`, `device.type`, `device`, `str(device)`."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        return _asks(node.args[0])
    if isinstance(node, ast.Attribute):
        return node.attr == "device" or (node.attr == "type" and _asks(node.value))
    return isinstance(node, ast.Name) and "device" in node.id.lower()


def _default_of_device(arguments: ast.arguments, node: ast.expr) -> bool:
    positional = [*arguments.posonlyargs, *arguments.args]
    given = zip(reversed(positional), reversed(arguments.defaults), strict=False)
    pairs = [*given, *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return any(value is node and "device" in argument.arg.lower() for argument, value in pairs)
