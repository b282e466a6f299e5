"""A module whose functions hand on operators of an extension module, and that lacks one of them.
It gets a function that is like its others where the binding names all arguments, none with a
default of its own."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import AscendOperator, AscendPart, Edit, Match, ProjectFacts, Span


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    if facts.ascend is None:
        return
    operators = [o for o in facts.ascend.operators if _part(o, AscendPart.RUNNER)]
    wrapped = {o.name for o in operators if module.path in _part(o, AscendPart.WRAPPER)}
    like = [*_wrappers(module, wrapped)]
    if not like:
        return
    function, owner = like[-1]
    start = module.span(function).start
    defined = {node.name for node in module.nodes_of(ast.FunctionDef)}
    for operator in operators:
        if "Python wrapper" in operator.lacks and operator.name not in defined:
            message = f"{operator.name} has no function here, as other operators have"
            edits = _edits(module, operator, function, owner)
            yield Match(Span(start, start + len("def")), edits, message=message)


def _part(operator: AscendOperator, part: AscendPart) -> set[str]:
    """The files that have this piece of an operator."""
    return {piece.path for piece in operator.pieces if piece.part is part}


def _wrappers(module: Module, names: set[str]) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions of the module that call `x.name(...)`, with x as it is written."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
                    owner = inner.func.value
                    if inner.func.attr in names and isinstance(owner, ast.Name):
                        yield node, owner.id
                        break


def _edits(
    module: Module, operator: AscendOperator, like: ast.FunctionDef, owner: str
) -> tuple[Edit, ...]:
    """One more function at the end of the file, with the import that the others have."""
    given = operator.arguments
    if not given or any(name.endswith("=") for name in given):
        return ()
    imports = (n for n in like.body if isinstance(n, ast.Import | ast.ImportFrom))
    own = [n for n in imports if any((a.asname or a.name) == owner for a in n.names)]
    lines = [
        "",
        "",
        f"def {operator.name}({', '.join(given)}):",
        *(line for node in own for line in (f"    {module.text(node)}", "")),
        f"    return {owner}.{operator.name}({', '.join(f'{name}={name}' for name in given)})",
        "",
    ]
    end = len(module.data)
    start = "" if module.data.endswith(b"\n") else "\n"
    return (Edit(Span(end, end), module.encode(start + "\n".join(lines))),)
