"""What the source shows of a tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from porter.languages.python import Module
from porter.surface.classes import TENSOR, makes, tensor_methods
from porter.uses.assumed import holds_throughout
from porter.uses.reaching import runs_with, stores_reaching, values_reaching

FACTORIES = frozenset(  # of torch's default dtype or of int64, unless `dtype=` says another
    f"torch.{name}"
    for name in (
        *("arange", "empty", "eye", "full", "linspace", "logspace", "ones", "rand", "randint"),
        *("randn", "randperm", "zeros"),
    )
)
JOINED = frozenset(("torch.cat", "torch.concat", "torch.stack", "torch.tensor"))
SIZED = frozenset(f"torch.{name}" for name in ("empty", "ones", "rand", "randn", "zeros"))
RANGES = frozenset(f"torch.{name}" for name in ("arange", "linspace", "logspace", "randperm"))
SHAPING = frozenset(("expand", "repeat", "reshape", "view"))  # methods that take sizes
ELEMENTWISE = frozenset(("abs", "clamp", "clip", "cos", "cumprod", "exp", "log", "sin", "sqrt"))
INDICES = frozenset({"argmax", "argmin", "argsort", "bincount", "nonzero", "searchsorted"})
CONVERSIONS = frozenset({"bool", "byte", "char", "double", "float", "int", "long", "short"})
OF_SAME_DTYPE = frozenset(  # methods and functions whose result has the dtype of their tensor
    (
        *("abs", "amax", "amin", "broadcast_to", "chunk", "clamp", "clip", "clone", "contiguous"),
        *("cos", "cpu", "cuda", "cumprod", "cumsum", "detach", "empty_like", "exp", "expand"),
        *("expand_as", "fill_", "flatten", "flip", "full_like", "log", "masked_fill", "max"),
        *("mean", "min", "movedim", "neg", "normal_", "ones_like", "pad", "permute", "prod"),
        *("rand_like", "randn_like", "relu", "repeat", "requires_grad_", "reshape", "roll", "sin"),
        *("split", "sqrt", "square", "squeeze", "std", "sum", "t", "tile", "transpose", "triu"),
        *("tril", "unbind", "unfold", "uniform_", "unsqueeze", "var", "view", "view_as", "zero_"),
        *("zeros_like", "clamp_", "mul_", "add_", "sub_", "div_", "pow_"),
    )
)
PARTS = frozenset(("T", "data", "grad", "mT"))  # attributes that have the dtype of their tensor
OF_ONE_DTYPE = {  # functions of tensors of one dtype, and how many arguments they are in
    **dict.fromkeys(("cat", "concat", "hstack", "stack", "vstack"), 1),
    **dict.fromkeys(("bmm", "einsum", "linear", "matmul", "meshgrid", "minimum", "mm"), 4),
}
OF_PARTS = frozenset(("chunk", "meshgrid", "split", "unbind"))  # give tensors of one kind
TEST = re.compile(r"(?:\A|/)(?:tests?/|test_\w*\.py|\w*_test\.py)|\.ipynb\Z")
HALF = (b"half", b"float16", b"fp16", b"bf16", b"autocast", b"dtype=config", b"torch_dtype")
AMP = re.compile(rb"\bamp\b")
PLANAR, LINEAR = re.compile(rb"[23]d\b"), re.compile(rb"1d\b|linear['\"]")
OF_HALF = ("Half", "BFloat16")
THE_SAME = frozenset(  # methods that may give the tensor itself
    (*CONVERSIONS, "bfloat16", "contiguous", "cpu", "cuda", "half", "to", "type", "type_as", "xpu")
)
WRAPPERS = frozenset({"torch.as_tensor", "torch.asarray"})  # may give a tensor itself
DEFAULT_DTYPE = b"set_default_dtype"
DEEPEST, MOST = 4, 4  # variables of variables, and the values of one


def describe_tensor(module: Module, node: ast.expr) -> str:
    """What is known of a tensor beside that it is one: `no_half contiguous`, or less."""
    words = [*_of_all(module)]
    if "no_half" not in words and _is_in_plain_test(module, node):
        words.append("no_half")
    if isinstance(node, _SEEN):
        words += [word for word, holds in _WORDS if word not in words and holds(module, node)]
    return " ".join(words)


def _is_in_plain_test(module: Module, node: ast.expr) -> bool:
    """Whether it is in a test that is given nothing and never names a dtype of 16 bits."""
    scope = module.function(node)
    known, key = module.remembered, (_is_in_plain_test, scope)
    if key not in known:
        alone = isinstance(scope, ast.FunctionDef) and scope.name.startswith("test")
        known[key] = alone and TEST.search(module.path) and _names_no_half(module, scope)
    return bool(known[key])


def _names_no_half(module: Module, function: ast.AST) -> bool:
    assert isinstance(function, ast.FunctionDef)
    arguments = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    return arguments <= {"self"} and not _names_half(module.text(function).encode().lower())


def _names_half(text: bytes) -> bool:
    """Whether a text in lower case names a dtype of 16 bits, or what chooses one."""
    return any(word in text for word in HALF) or (b"amp" in text and AMP.search(text) is not None)


def _of_all(module: Module) -> tuple[str, ...]:
    """What is known of every tensor of a file: a test or notebook that never names a dtype of 16
    bits has none, and what only calls functions for two and three dimensions has images."""
    known, key = module.remembered, (_of_all,)
    if key not in known:
        data = module.data.lower()
        is_test = TEST.search(module.path) and not _names_half(data)
        planar = (
            (b"2d" in data or b"3d" in data) and PLANAR.search(data) and not LINEAR.search(data)
        )
        known[key] = ("no_half",) * bool(is_test) + ("planar",) * bool(planar)
    found: tuple[str, ...] = known[key]
    return found


def is_no_half(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether the source shows another dtype than half and bfloat16."""
    kind = type(node)
    if kind is ast.Compare:
        return True
    if isinstance(node, ast.Subscript | ast.Attribute):
        whole = kind is ast.Subscript or node.attr in PARTS  # type: ignore[union-attr]
        return whole and is_no_half(module, node.value, depth)
    if type(node) is ast.BinOp:
        sides = [s for s in (node.left, node.right) if not isinstance(s, ast.Constant)]
        known = [side for side in sides if is_no_half(module, side, depth)]
        return bool(known) and (known == sides or any(is_dimensional(module, s) for s in known))
    if type(node) is ast.Name:
        values = wholes_of(module, node)
        key = is_no_half, *values
        return holds_throughout(module, key, lambda: _are_no_half(module, values))
    if type(node) is not ast.Call or depth >= DEEPEST:
        return False
    called = module.resolve(node.func)
    if called is not None:
        return _is_made_without_half(module, called, node, depth)
    named = next((k.value for k in node.keywords if k.arg == "dtype"), None)
    if named is not None:
        return _is_dtype_but_half(module, named)
    if not isinstance(node.func, ast.Attribute):
        given = _returns(module, node.func)
        function = (is_no_half, ast.dump(node.func))
        return holds_throughout(module, function, lambda: _are_no_half(module, given))
    method = node.func.attr
    if method in CONVERSIONS or method in INDICES:
        return True
    if method in ("to", "type") and node.args and not node.keywords:
        if "device" in (getattr(node.args[0], "id", "") or getattr(node.args[0], "attr", "")):
            return is_no_half(module, node.func.value, depth + 1)
        return _is_dtype_but_half(module, node.args[0])
    return method in OF_SAME_DTYPE and is_no_half(module, node.func.value, depth + 1)


def _are_no_half(module: Module, values: Sequence[ast.expr]) -> bool:
    return bool(values) and all(is_no_half(module, value) for value in values)


def _returns(module: Module, function: ast.expr) -> list[ast.expr]:
    """What a function of the module itself returns, where its name tells which that is."""
    name = function.id if isinstance(function, ast.Name) else ""
    found = [f for f in module.nodes_of(ast.FunctionDef) if f.name == name]
    if len(found) != 1 or module.parents[found[0]] is not module.tree or found[0].decorator_list:
        return []
    given = [n for n in module.nodes_of(ast.Return) if module.function(n) is found[0]]
    values = [statement.value for statement in given if statement.value is not None]
    return values if len(values) == len(given) else []


def _is_made_without_half(module: Module, called: str, call: ast.Call, depth: int) -> bool:
    dtype = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if dtype is not None and not called.startswith("torch."):
        return _is_dtype_but_half(module, dtype)
    if called in FACTORIES or called == "torch.tensor":
        known = all(k.arg is not None for k in call.keywords)
        if dtype is None:
            return known and DEFAULT_DTYPE not in module.data
        return _is_dtype_but_half(module, dtype)
    last = called.rpartition(".")[2]
    if called.startswith("torch.") and last.endswith("Tensor"):
        return last != "Tensor" and not last.startswith(OF_HALF)
    if called.startswith("torch.") and last in OF_SAME_DTYPE and call.args and dtype is None:
        return is_no_half(module, call.args[0], depth + 1)
    if not called.startswith("torch.") or last in INDICES:
        return called.startswith("torch.")
    several = OF_ONE_DTYPE.get(last, 0)
    given = [part for each in call.args[:several] for part in getattr(each, "elts", [each])]
    return dtype is None and any(is_no_half(module, each, depth + 1) for each in given)


def _is_dtype_but_half(module: Module, node: ast.expr) -> bool:
    name = module.resolve(node) or ""
    plain = name.rpartition(".")[2].lower()
    return name.startswith("torch.") and not plain.startswith(("half", "float16", "bfloat16"))


def is_contiguous(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether the source shows that a tensor is contiguous: made so, asserted, or empty."""
    if type(node) is ast.Name:
        values = values_of(module, node) if depth < DEEPEST else []
        return bool(values) and all(is_contiguous(module, value, depth + 1) for value in values)
    if isinstance(node, ast.Subscript):
        part = node.slice
        return isinstance(part, ast.Slice) and getattr(part.upper, "value", None) == 0
    if not isinstance(node, ast.Call):
        return False
    called = module.resolve(node.func)
    if called is not None:
        made = called in FACTORIES or called in JOINED
        return made and all(k.arg != "memory_format" for k in node.keywords)
    plain = not node.args and not node.keywords
    return plain and getattr(node.func, "attr", "") == "contiguous"


def is_asserted(module: Module, name: ast.Name) -> bool:
    """Whether `x.is_contiguous()` is asserted wherever the name is used: in the block of that, or
    in one around it, of the same function."""
    scope = module.function(name)
    for node in module.attributes.get("is_contiguous", ()):
        call, owner = module.parents.get(node), node.value
        same = isinstance(owner, ast.Name) and owner.id == name.id
        if not same or not isinstance(call, ast.Call) or module.function(node) is not scope:
            continue
        outer = module.parents.get(call)
        while isinstance(outer, ast.BoolOp) and isinstance(outer.op, ast.And):
            outer = module.parents.get(outer)
        if isinstance(outer, ast.Assert) and runs_with(module, outer, name):
            return True
    return False


def is_dimensional(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether the source shows that a tensor has a dimension: it is made of sizes."""
    if type(node) is ast.Name:
        values = values_of(module, node) if depth < DEEPEST else []
        return bool(values) and all(is_dimensional(module, value, depth + 1) for value in values)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        return depth < DEEPEST and any(is_dimensional(module, s, depth + 1) for s in sides)
    if not isinstance(node, ast.Call) or not node.args:
        return False
    first = node.args[0]
    sized = bool(first.elts) if isinstance(first, ast.Tuple | ast.List) else len(node.args) > 1
    called = module.resolve(node.func)
    if called is not None:
        known = called in SIZED and sized and not isinstance(first, ast.Starred)
        same = called.startswith("torch.") and called.rpartition(".")[2] in ELEMENTWISE
        return known or called in RANGES or (same and is_dimensional(module, first, depth + 1))
    method = getattr(node.func, "attr", "")
    return method == "unsqueeze" or (method in SHAPING and sized)


def is_temporary(module: Module, node: ast.expr) -> bool:
    """Whether it is a tensor that an expression makes, and that has no name: nothing sees what is
    done to it."""
    if isinstance(node, ast.BinOp):
        return True
    if not isinstance(node, ast.Call):
        return False
    called = module.resolve(node.func)
    if called is not None:
        return makes(called) == TENSOR and not called.endswith("_") and called not in WRAPPERS
    method = getattr(node.func, "attr", "")
    return method in tensor_methods() - THE_SAME and not method.endswith("_")


def values_of(module: Module, name: ast.Name) -> list[ast.expr]:
    """The values that a variable may have at a use, where each is seen; none for a parameter."""
    values = values_reaching(module, name)
    seen = [value for value in values if value is not None]
    return seen if len(seen) == len(values) <= MOST else []


def wholes_of(module: Module, name: ast.Name) -> list[ast.expr]:
    """The values of a variable, or what it is a part of: `a, b = x.T`."""
    values = [
        each and (module.assigned_value(each) or _whole_of(module, each))
        for each in stores_reaching(module, name)
    ]
    seen = [value for value in values if value is not None]
    return seen if len(seen) == len(values) <= MOST else []


def _whole_of(module: Module, store: ast.Name) -> ast.expr | None:
    """What an assignment to several names takes apart, where that is one tensor."""
    statement = module.parents.get(module.parents[store])
    value = statement.value if isinstance(statement, ast.Assign) else None
    if isinstance(value, ast.Call):
        return value if getattr(value.func, "attr", "") in OF_PARTS else None
    return value if isinstance(value, ast.Attribute) and value.attr in PARTS else None


def is_constant(module: Module, node: ast.expr, depth: int = 0) -> bool:
    """Whether the source shows that no gradient is recorded: it is made here, of nothing."""
    if isinstance(node, ast.Name):
        values = values_of(module, node) if depth < DEEPEST else []
        return bool(values) and all(is_constant(module, value, depth + 1) for value in values)
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.Compare)
    made = module.resolve(node.func)
    plain = all(k.arg not in (None, "requires_grad") for k in node.keywords)
    typed = (made or "").startswith("torch.") and (made or "").endswith("Tensor")
    return plain and (made in FACTORIES or typed or made in ("torch.tensor", "torch.from_numpy"))


_SEEN = (ast.Attribute, ast.Name, ast.Call, ast.Subscript, ast.Compare, ast.BinOp)
_WORDS = (
    ("no_half", is_no_half),
    ("contiguous", is_contiguous),
    ("temporary", is_temporary),
    ("dimensional", is_dimensional),
    ("constant", is_constant),
)
