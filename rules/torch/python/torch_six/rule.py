"""`from torch._six import container_abcs, inf, string_classes`."""

import ast
from collections.abc import Iterable, Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.rules.evidence import is_for_torch_1, is_in_device_function

# What torch 1.13's _six.py has: names of modules and values, and the types written out.
IMPORTS = {
    "container_abcs": ("collections", "abc"),
    "inf": ("math", "inf"),
    "nan": ("math", "nan"),
    "queue": ("", "queue"),
}
TYPES = {"string_classes": "(str, bytes)", "int_classes": "int"}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for node in module.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "torch._six" and not node.level:
            known = all(alias.name in IMPORTS or alias.name in TYPES for alias in node.names)
            tried = any(isinstance(outer, ast.Try) for outer in module.ancestors(node))
            guarded = tried or is_for_torch_1(module, node)
            uses = list(_uses_of_types(module, node))
            commented = b"#" in module.data[module.span(node).start : module.span(node).end]
            plain = known and not commented and _are_all(module, node, uses)
            edits = tuple(_edits(module, node, uses)) if plain and not guarded else ()
            if not guarded:
                yield Match(module.span(node), edits, name="torch._six")


def _uses_of_types(module: Module, node: ast.ImportFrom) -> Iterator[tuple[ast.expr, str]]:
    """Where the types that it imports are used, and what they are."""
    types = {f"torch._six.{a.name}": TYPES[a.name] for a in node.names if a.name in TYPES}
    for used in module.names:
        if used.qualified in types and isinstance(used.node, ast.Name):
            yield used.node, types[used.qualified]


def _are_all(module: Module, node: ast.ImportFrom, uses: list[tuple[ast.expr, str]]) -> bool:
    """Whether no other value has the name of a type, and each use can be edited."""
    bound = {alias.asname or alias.name for alias in node.names if alias.name in TYPES}
    named = [n for n in module.nodes if isinstance(n, ast.Name) and n.id in bound]
    parameters = any(isinstance(n, ast.arg) and n.arg in bound for n in module.nodes)
    editable = not any(is_in_device_function(module, name) for name, _ in uses)
    return editable and not parameters and len(named) == len(uses)


def _edits(
    module: Module, node: ast.ImportFrom, uses: Iterable[tuple[ast.expr, str]]
) -> Iterator[Edit]:
    """The import of Python's own, and the types where they are used."""
    lines = [_line(alias) for alias in node.names if alias.name in IMPORTS]
    span = module.span(node)
    before = module.data[module.data.rfind(b"\n", 0, span.start) + 1 : span.start].decode()
    end = module.data.find(b"\n", span.end) + 1 or len(module.data)
    if before.strip() or module.data[span.end : end].strip():  # not alone in its line
        yield module.replace(node, "; ".join(lines) or "pass")
    elif not lines and _has_siblings(module, node):
        yield Edit(Span(span.start - len(before), end), b"")
    else:
        yield module.replace(node, f"\n{before}".join(lines) or "pass")
    for name, text in uses:
        yield module.replace(name, text)


def _has_siblings(module: Module, node: ast.stmt) -> bool:
    """Whether the block that it is in holds another statement."""
    parent = next(iter(module.ancestors(node)), module.tree)
    blocks = (getattr(parent, name, []) for name in ("body", "orelse", "finalbody"))
    return any(node in block and len(block) > 1 for block in blocks)


def _line(alias: ast.alias) -> str:
    package, name = IMPORTS[alias.name]
    bound = alias.asname or alias.name
    renamed = f" as {bound}" if bound != name else ""
    return f"from {package} import {name}{renamed}" if package else f"import {name}{renamed}"
