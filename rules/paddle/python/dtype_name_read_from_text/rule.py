"""`str(dtype)[6:]`, `str(dtype).replace("torch.", "")`, `str(dtype) == "torch.half"`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
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
    for call in module.nodes_of(ast.Call):
        if _is_text_of_dtype(module, call) and not is_in_device_function(module, call):
            yield from _read(module, call)
    for table in module.nodes_of(ast.Dict):
        keys = [key for key in table.keys if key is not None and _is_dtype_text(key)]
        if keys and len(keys) == len(table.keys):
            yield Match(module.span(table), (), KEYED, Safety.MANUAL, "torch.dtype")


def _is_text_of_dtype(module: Module, call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Name) and call.func.id == "str"
    if not plain or len(call.args) != 1 or call.keywords:
        return False
    value = call.args[0]
    name = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", "")
    origin = module.resolve(value) or ""
    return name == "dtype" or name.endswith("_dtype") or origin.removeprefix("torch.") in DTYPES


def _read(module: Module, text: ast.Call) -> Iterator[Match]:
    parent = module.parents[text]
    if isinstance(parent, ast.Subscript) and _is_six_on(parent.slice):
        yield _name_of(module, text, parent)
    elif isinstance(parent, ast.Compare):
        yield from _rewrite_comparison(module, text, parent)
    elif isinstance(parent, ast.Attribute):
        call = module.parents[parent]
        if isinstance(call, ast.Call) and call.func is parent:
            yield from _method(module, text, parent.attr, call)


def _method(module: Module, text: ast.Call, method: str, call: ast.Call) -> Iterator[Match]:
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


def _name_of(module: Module, text: ast.Call, whole: ast.expr) -> Match:
    """What is written behind `str(dtype)` in the place of what reads the name."""
    rest = Span(module.span(text).end, module.span(whole).end)
    lost = b"#" in module.data[rest.start : rest.end]
    return Match(
        module.span(whole), () if lost else (Edit(rest, NAME.encode()),), name="torch.dtype"
    )


def _is_six_on(index: ast.expr) -> bool:
    return ast.unparse(index) == "6:"


def _rewrite_comparison(module: Module, text: ast.Call, compare: ast.Compare) -> Iterator[Match]:
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
