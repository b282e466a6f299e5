"""`str(dtype)[6:]`, `str(dtype).replace("torch.", "")`, `str(dtype) == "torch.half"`; also where a
variable, an attribute or a function gives the text."""

import ast
from collections.abc import Container, Iterator
from dataclasses import replace

from porter.languages.python import Module, parameter
from porter.model import Edit, Match, ProjectFacts, Safety, Span
from porter.rules.evidence import imports_torch, is_in_device_function

NAME = '.rsplit(".", 1)[-1]'
BEGINS = (
    "str(dtype) begins with 'paddle.' under Paddle; isinstance(dtype, torch.dtype) is the same "
    "question in both"
)
KEYED = (
    "str(dtype) is 'paddle.float16' under Paddle: make the keys the dtypes themselves, or their "
    "names without 'torch.', looked up by str(dtype).rsplit('.', 1)[-1]"
)
DTYPES = frozenset(
    {"float16", "bfloat16", "float32", "float64", "half", "float", "double", "float8_e4m3fn"}
    | {"int8", "int16", "int32", "int64", "uint8", "bool", "short", "int", "long", "float8_e5m2"}
    | {"complex64", "complex128"}
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if not imports_torch(module):
        return
    for text, is_sure in _find_texts(module).items():
        if not is_in_device_function(module, text):
            for match in _read(module, text):
                unsure = match.message is None and not is_sure
                yield replace(match, edits=(), safety=Safety.MANUAL) if unsure else match
    for table in module.nodes_of(ast.Dict):
        keys = [key for key in table.keys if key is not None and _is_dtype_text(key)]
        if keys and len(keys) == len(table.keys):
            yield Match(module.span(table), (), KEYED, Safety.MANUAL, "torch.dtype")


def _find_texts(module: Module) -> dict[ast.expr, bool]:
    """The expressions that give the text of a dtype, with whether they give nothing else."""
    calls = (module.parents[name] for name in module.names_by_id.get("str", ()))
    made: list[ast.expr] = [
        call for call in calls if isinstance(call, ast.Call) and _is_text_of_dtype(module, call)
    ]
    made += [text for text in module.nodes_of(ast.JoinedStr) if _is_whole(module, text)]
    found: dict[ast.expr, bool] = dict.fromkeys(made, True)
    waiting = list(found)
    while waiting:
        new = [each for text in waiting for each in _find_carriers(module, text, found)]
        waiting = [each for each, _ in new if each not in found]
        found |= {each: is_sure for each, is_sure in new if each not in found}
    return found


def _find_carriers(
    module: Module, text: ast.expr, found: Container[ast.expr]
) -> list[tuple[ast.expr, bool]]:
    """What else has a text: the variable or attribute that it is given to, calls of the function
    that returns it."""
    parent = module.parents[text]
    if isinstance(parent, ast.Return):
        function = module.function(parent)
        if not isinstance(function, ast.FunctionDef):
            return []
        same = [f for f in module.nodes_of(ast.FunctionDef) if f.name == function.name]
        given = [r.value for r in module.nodes_of(ast.Return) if module.function(r) in same]
        calls = (c for c in module.nodes_of(ast.Call) if _last(c.func) == function.name)
        return [(call, all(value in found for value in given)) for call in calls]
    targets = (
        parent.targets if isinstance(parent, ast.Assign) else [getattr(parent, "target", None)]
    )
    if len(targets) != 1 or getattr(parent, "value", None) is not text:
        return []
    (target,) = targets
    if isinstance(target, ast.Attribute):
        uses = module.attributes[target.attr]
        given = [module.assigned_value(node) for node in uses if isinstance(node.ctx, ast.Store)]
        loads = [node for node in uses if isinstance(node.ctx, ast.Load)]
        return [(node, all(value in found for value in given)) for node in loads]
    if not isinstance(target, ast.Name):
        return []
    scope = module.function(target)
    given = module.bindings(scope, target.id)
    return [
        (node, all(value in found for value in given) and not parameter(scope, target.id))
        for node in module.nodes_of(ast.Name)
        if node.id == target.id
        and isinstance(node.ctx, ast.Load)
        and module.function(node) is scope
    ]


def _last(name: ast.expr) -> str:
    return name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def _is_text_of_dtype(module: Module, call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Name) and call.func.id == "str"
    return plain and len(call.args) == 1 and not call.keywords and _is_dtype(module, call.args[0])


def _is_whole(module: Module, text: ast.JoinedStr) -> bool:
    """Whether an f-string is the text of a dtype and nothing more."""
    part = text.values[0] if len(text.values) == 1 else None
    if not isinstance(part, ast.FormattedValue) or part.format_spec is not None:
        return False
    return part.conversion in (-1, ord("s")) and _is_dtype(module, part.value)


def _is_dtype(module: Module, value: ast.expr) -> bool:
    name = _last(value)
    origin = module.resolve(value) or ""
    return name == "dtype" or name.endswith("_dtype") or origin.removeprefix("torch.") in DTYPES


def _read(module: Module, text: ast.expr) -> Iterator[Match]:
    parent = module.parents[text]
    if isinstance(parent, ast.Subscript) and _is_six_on(parent.slice):
        yield _name_of(module, text, parent)
    elif isinstance(parent, ast.Compare):
        yield from _rewrite_comparison(module, text, parent)
    elif isinstance(parent, ast.Attribute):
        call = module.parents[parent]
        if isinstance(call, ast.Call) and call.func is parent:
            yield from _method(module, text, parent.attr, call)


def _method(module: Module, text: ast.expr, method: str, call: ast.Call) -> Iterator[Match]:
    given = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    if call.keywords or len(given) != len(call.args):
        return
    if method == "startswith" and given in (["torch"], ["torch."]):
        yield Match(module.span(call), (), BEGINS, Safety.MANUAL, "torch.dtype")
    elif (method == "replace" and given == ["torch.", ""]) or (
        method in ("removeprefix", "lstrip") and given == ["torch."]
    ):
        yield _name_of(module, text, call)
    elif method == "split" and given == ["torch."]:
        index = module.parents[call]
        if isinstance(index, ast.Subscript) and ast.unparse(index.slice) in ("1", "-1"):
            yield _name_of(module, text, index)


def _name_of(module: Module, text: ast.expr, whole: ast.expr) -> Match:
    """What is written behind `str(dtype)` in the place of what reads the name."""
    rest = Span(module.span(text).end, module.span(whole).end)
    lost = b"#" in module.data[rest.start : rest.end]
    return Match(
        module.span(whole), () if lost else (Edit(rest, NAME.encode()),), name="torch.dtype"
    )


def _is_six_on(index: ast.expr) -> bool:
    return ast.unparse(index) in ("6:", "len('torch.'):", "len('torch') + 1:")


def _rewrite_comparison(module: Module, text: ast.expr, compare: ast.Compare) -> Iterator[Match]:
    """A comparison of the text with `"torch.x"`, or with some of these: both without it."""
    sides = [compare.left, *compare.comparators]
    other = next(side for side in sides if side is not text)
    names = [other] if isinstance(other, ast.Constant) else getattr(other, "elts", [])
    if len(sides) != 2 or not names or not all(map(_is_dtype_text, names)):
        return
    edits = [Edit(module.end_of(text), NAME.encode())]
    for name in names:
        written = module.text(name)
        if written.count("torch.") != 1:
            return
        edits.append(module.replace(name, written.replace("torch.", "")))
    yield Match(module.span(compare), tuple(edits), name="torch.dtype")


def _is_dtype_text(value: ast.expr) -> bool:
    """Whether it is the text of a dtype of torch's."""
    text = value.value if isinstance(value, ast.Constant) else ""
    return isinstance(text, str) and text.startswith("torch.") and text[6:] in DTYPES
