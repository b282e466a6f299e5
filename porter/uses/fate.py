"""What becomes of a value where it is used."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from operator import attrgetter

from porter.languages.python import Module
from porter.surface.classes import builtin_attributes, tensor_methods
from porter.uses.reaching import stores_reaching
from porter.uses.tensors import THE_SAME, WRAPPERS, is_temporary

VIEWS = frozenset({"as_strided", "flatten", "reshape", "view"})
COPIES = frozenset({"copy_", "set_"})  # which the target takes for a new value
READERS = frozenset(  # of Python, which only look at what they are given
    ("all", "any", "bool", "float", "int", "isinstance", "len", "max", "min", "print", "str", "sum")
)
UNPACKERS = frozenset(("all", "any", "enumerate", "len", "list", "map", "sum", "tuple", "zip"))
OF_SEVERAL = frozenset(("torch.cat", "torch.concat", "torch.hstack", "torch.stack", "torch.vstack"))
TESTED = "read tested"
DEEPEST = 3  # variables of variables


def describe_fate(module: Module, node: ast.expr, depth: int = 0) -> str:
    """What is done with a value: `read` (`tested`, `unpacked`, `differentiated`), `written`, `set`
    to another, set to `none`, `reshaped`; nothing where it goes where nobody sees."""
    parent = module.parents.get(node)
    if isinstance(getattr(node, "ctx", None), ast.Store) and isinstance(node, ast.Attribute):
        value = module.assigned_value(node) or _beside(module, node)
        if isinstance(parent, ast.AugAssign):
            return "written"
        is_none = isinstance(value, ast.Constant) and value.value is None
        if is_none and not _is_kept(module, node.attr):
            return "set"
        return "none" if is_none else "set" if value is not None else ""
    match parent:
        case ast.Attribute(attr=attribute):
            return _describe_attribute(module, parent, attribute, depth)
        case ast.Subscript(value=value) if value is node:
            return _describe_part(module, parent, depth)
        case ast.keyword():
            call = module.parents.get(parent)
            return _describe_passing(module, call) if parent.arg != "out" else ""
        case ast.Call(func=function) if function is not node:
            return _describe_passing(module, parent)
        case ast.Starred() | ast.For() | ast.comprehension():
            return "unpacked" if getattr(parent, "iter", node) is node else TESTED
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return "unpacked"
        case ast.Assign(targets=[ast.Name() as name]) if depth < DEEPEST:
            return _describe_variable(module, name, node, depth + 1)
    return _describe_operand(module, node, parent, depth)


def _describe_operand(module: Module, node: ast.expr, parent: ast.AST | None, depth: int) -> str:
    match parent:
        case ast.UnaryOp(op=ast.Not()) | ast.If() | ast.Assert() | ast.While():
            return TESTED
        case ast.IfExp(test=test):
            return TESTED if test is node else describe_fate(module, parent, depth)
        case ast.BoolOp():
            return TESTED if "tested" in describe_fate(module, parent, depth) else "read"
        case ast.Compare() | ast.BinOp() | ast.UnaryOp() | ast.Expr() | ast.FormattedValue():
            return "read"
    return ""


def _describe_part(module: Module, node: ast.Subscript, depth: int) -> str:
    if isinstance(node.ctx, ast.Store):
        return "written"
    fate = describe_fate(module, node, depth)
    return fate if isinstance(node.slice, ast.Slice) else f"{fate} unpacked".strip()


def _describe_variable(module: Module, store: ast.Name, value: ast.expr, depth: int) -> str:
    """What is done with a value by each use of the variable that it is given to: what all do."""
    scope = module.function(store)
    if scope is module.tree:
        return ""  # another module may import it
    loads = [n for n in _names_in(module, scope, store.id) if isinstance(n.ctx, ast.Load)]
    if any(module.function(each) is not scope for each in loads):
        return ""  # a function that it defines may run whenever
    fates = [
        {*describe_fate(module, each, depth).split()}
        for each in loads
        if store in stores_reaching(module, each)
    ]
    if any("written" in fate for fate in fates):
        return "written"
    if not fates or _is_source_written(module, value, scope):
        return ""
    common = set.intersection(*fates)
    if any("differentiated" in fate for fate in fates):
        common.add("differentiated")
    if "read" not in common and all(fate & {"read", "reshaped"} for fate in fates):
        common.add("reshaped")
    return " ".join(sorted(common))


def is_last_use(module: Module, name: ast.Name) -> bool:
    """Whether a variable has the only name of a tensor, and is given another value by the statement
    that uses it here: `x = x.view(2, 3); x = x.contiguous()`."""
    stores, outer = stores_reaching(module, name), module.parents[name]
    while not isinstance(outer, ast.stmt):
        outer = module.parents[outer]
    target = outer.targets[0] if isinstance(outer, ast.Assign) else None
    again = isinstance(target, ast.Name) and target.id == name.id
    values = [each and module.assigned_value(each) for each in stores] if again else []
    if not values or not all(value and is_temporary(module, value) for value in values):
        return False
    others = _names_in(module, module.function(name), name.id)
    uses = (n for n in others if isinstance(n.ctx, ast.Load) and n is not name)
    known = (n for n in uses if not {*stores}.isdisjoint(stores_reaching(module, n)))
    return all(describe_fate(module, each, DEEPEST) for each in known)


def _is_source_written(module: Module, value: ast.expr, scope: ast.AST) -> bool:
    """Whether a function writes into the variable whose memory a value may share."""
    if isinstance(value, ast.Call):
        own = value.func.value if isinstance(value.func, ast.Attribute) else None
        of_module = own is None or module.resolve(value.func) is not None
        value = (value.args[0] if value.args else value) if of_module or own is None else own
    while isinstance(value, ast.Attribute | ast.Subscript | ast.Call):
        value = value.func if isinstance(value, ast.Call) else value.value
    if not isinstance(value, ast.Name):
        return False
    return any(_is_written(module, each) for each in _names_in(module, scope, value.id))


def _is_written(module: Module, name: ast.Name) -> bool:
    parent = module.parents[name]
    if isinstance(parent, ast.Subscript) and parent.value is name:
        return isinstance(parent.ctx, ast.Store)
    in_place = isinstance(parent, ast.Attribute) and parent.attr.endswith("_")
    return in_place or isinstance(parent, ast.AugAssign)


def _names_in(module: Module, scope: ast.AST, identifier: str) -> list[ast.Name]:
    """The names with an identifier in a function, and in those that it defines."""
    known, key, line = module.remembered, (_names_in, identifier), attrgetter("lineno")
    if key not in known:
        known[key] = sorted(module.names_by_id.get(identifier, ()), key=line)
    names: list[ast.Name] = known[key]
    first = bisect_left(names, getattr(scope, "lineno", 1), key=line)
    return names[first : bisect_right(names, getattr(scope, "end_lineno", 0), key=line)]


def _beside(module: Module, node: ast.expr) -> ast.expr | None:
    """What `a, b = x, y` stores in one of its targets."""
    targets = module.parents.get(node)
    statement = module.parents.get(targets) if targets is not None else None
    if not isinstance(targets, ast.Tuple) or not isinstance(statement, ast.Assign):
        return None
    values = statement.value.elts if isinstance(statement.value, ast.Tuple) else []
    plain = not any(isinstance(each, ast.Starred) for each in (*targets.elts, *values))
    return values[targets.elts.index(node)] if plain and len(values) == len(targets.elts) else None


def _is_kept(module: Module, attribute: str) -> bool:
    """Whether the file gives an attribute's value, not a copy of it, to something unseen."""
    nodes = module.attributes.get(attribute, ())
    return any(isinstance(n.ctx, ast.Load) and not describe_fate(module, n) for n in nodes)


def _describe_attribute(module: Module, node: ast.Attribute, attribute: str, depth: int) -> str:
    call = module.parents.get(node)
    if isinstance(call, ast.Call) and call.func is node:
        if attribute.endswith("_") and not attribute.endswith("__"):
            return "set" if attribute in COPIES else "written"
        if attribute in THE_SAME:  # which may be a copy, too
            fate = describe_fate(module, call, depth)
            return "" if "written" in fate else fate
    if attribute in VIEWS:
        return "reshaped"
    return "read differentiated" if attribute == "backward" else "read"


def _describe_passing(module: Module, call: ast.AST | None) -> str:
    """What a function does with what it gets: torch's, but in place, and Python's own read it, as
    tensors' methods do."""
    if not isinstance(call, ast.Call):
        return ""
    called = module.resolve(call.func)
    if called is not None:
        written = called.endswith("_") or called.startswith(("torch.ops.", "torch.autograd."))
        reads = called.startswith("torch.") and not written and called not in WRAPPERS
        return "read unpacked" if reads else ""
    if isinstance(call.func, ast.Name):
        name = call.func.id
        words = ["read"] * (name in READERS) + ["unpacked"] * (name in UNPACKERS)
        return " ".join([*words, "tested"] if name == "bool" else words)
    method = getattr(call.func, "attr", "")
    if method.startswith("assert"):
        return TESTED if method in ("assertFalse", "assertTrue") else "read"
    return "read unpacked" if method in tensor_methods() - builtin_attributes() else ""
