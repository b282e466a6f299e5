"""The torch names that a Python module uses, and how it calls them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from porter.languages.python import Module
from porter.model import Given, SourceFile, Use
from porter.surface.arguments import IMPORTED
from porter.uses.anything import find_attributes, name_of
from porter.uses.in_place import bitwise, find_in_place
from porter.uses.members import may_be_dtype, members, name_dtype_member
from porter.uses.values import read_use

OWN = ("torch.ops.", "torch.classes.")  # what follows is the repository's
OF_TORCH = frozenset({"aten", "load_library", "loaded_libraries", "prim", "prims"})


def use_at(name: str, file: SourceFile, line: int, column: int, given: Given | None = None) -> Use:
    return Use(name, file.language, file.path, line, column, file.role, given=given)


def is_torch(name: str) -> bool:
    """Whether a dotted name is of torch, and not registered by the repository."""
    if not name.startswith("torch"):
        return False
    if name != "torch" and not name.startswith("torch."):
        return False
    return not name.startswith(OWN) or name.split(".")[2] in OF_TORCH


def uses_in_python(module: Module, file: SourceFile, reads: Callable[[str], bool]) -> Iterator[Use]:
    """Every torch name in a module, with what is seen of the use where `reads` says so."""

    def see(name: str, node: ast.expr) -> Given | None:
        return read_use(module, node) if reads(name) else None

    if b"torch" not in module.data and module.elsewhere is None:
        return
    imported = Given(fate=IMPORTED, called=False)
    for name, alias, _ in module.imports:
        if is_torch(name) and not name.endswith(".*"):
            yield use_at(name, file, *module.place(alias), imported)
    for found in module.names:
        if is_torch(found.qualified):
            place = module.place(found.node)
            name = name_dtype_member(found.qualified)
            put = see(name, found.node)
            own = put is None and name.startswith("torch.Tensor.")  # nothing is called on
            yield use_at(name, file, *place, imported if own else put)
    for name, call in module.calls():
        if is_torch(name):
            place = module.place(call)
            yield from _forms(module, name, call, file, place, see(name, call.func))
    told = [*members(module)]
    for name, node in told:
        place = module.place_of_attribute(node)
        put = see(name, node)
        yield use_at(name, file, *place, put)
        outer = module.parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            yield from _forms(module, name, outer, file, place, put)
    known = {node for _, node in told}
    for node in find_attributes(module):
        if node not in known:
            place = module.place_of_attribute(node)
            name = name_of(node)
            yield use_at(name, file, *place, see(name, node))
    for name, operation in (*find_in_place(module), *bitwise(module)):
        yield use_at(name, file, *module.place(operation))


def _forms(
    module: Module,
    name: str,
    call: ast.Call,
    file: SourceFile,
    place: tuple[int, int],
    put: Given | None,
) -> Iterator[Use]:
    """How a name is called: each keyword, the number of arguments by position, the first of them.

    `*values` may be any number, and tell nothing.
    """
    named = [f"{name}({k.arg}=)" for k in call.keywords if k.arg is not None]
    yield from (use_at(form, file, *place, put) for form in named)
    if any(isinstance(value, ast.Starred) for value in call.args):
        return
    yield use_at(f"{name}({len(call.args)} by position)", file, *place, put)
    if call.args and may_be_dtype(module, call.args[0]):
        yield use_at(f"{name}(a dtype)", file, *place)
