"""`collections.Iterable` and `from collections import Mapping`."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import is_in_device_function

_WORDS = (
    "Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Hashable Iterable Iterator "
    "Generator Reversible Sized Container Callable Collection Set MutableSet Mapping "
    "MutableMapping MappingView KeysView ItemsView ValuesView Sequence MutableSequence ByteString"
)
NAMES = frozenset(_WORDS.split())


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for used in module.names:
        top, _, name = used.qualified.partition(".")
        node = used.node
        if top != "collections" or name not in NAMES or not isinstance(node, ast.Attribute):
            continue
        if not is_in_device_function(module, node) and not _is_attempt(module, node):
            new = f"{ast.unparse(node.value)}.abc.{name}"
            yield Match(module.span(node), (module.replace(node, new),), name=used.qualified)
    for node in module.nodes_of(ast.ImportFrom):
        if node.module == "collections" and not node.level:
            edit = _split_import(module, node)
            if edit is not None and not _is_attempt(module, node):
                yield Match(module.span(node), (edit,), name="collections")


def _split_import(module: Module, node: ast.ImportFrom) -> Edit | None:
    """The import in two, without what is now elsewhere in the first."""
    abstract = [alias for alias in node.names if alias.name in NAMES]
    if not abstract:
        return None
    rest = [alias for alias in node.names if alias.name not in NAMES]
    lines = [
        f"from {name} import {', '.join(map(ast.unparse, sorted(part, key=_name)))}"
        for name, part in (("collections", rest), ("collections.abc", abstract))
        if part
    ]
    start = module.span(node).start
    indent = module.data[module.data.rfind(b"\n", 0, start) + 1 : start].decode()
    if indent.strip() or b"#" in module.data[start : module.span(node).end]:
        return None  # behind another statement, or with comments inside
    return module.replace(node, f"\n{indent}".join(lines))


def _name(alias: ast.alias) -> str:
    return alias.name


def _is_attempt(module: Module, node: ast.AST) -> bool:
    """Whether the code has an answer of its own where this fails."""
    return any(isinstance(parent, ast.Try) for parent in module.ancestors(node))
