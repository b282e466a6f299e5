"""The lines that reach the unit: in the package, the build script and the tests' conftest."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from porter.languages import python
from porter.languages.edits import splice
from porter.languages.python import Module
from porter.model import UNIT, Edit, Span
from porter.rules.guard import runs_unit
from porter.targets.protocol import Proxy

BESIDE = f'os.path.join(os.path.dirname(__file__), "{UNIT}", "{{}}")'


def in_package(
    data: bytes, path: str, proxy: Proxy, *, inert: bool = False, run: bool = False
) -> bytes:
    """A package's __init__ that imports its unit first; if that is not `inert` by itself under
    torch, only where the target is loaded and has its proxy, and, if the file may be `run` by
    itself (for its version, say), only where it is imported.

    It comes after the docstring, `__future__` and the standard library, before any
    import that could reach torch. Raises Unreadable.
    """
    module = python.parse(data, path)
    if any(UNIT in name.split(".") for name, _, _ in module.imports):
        return data
    place = _first_foreign(module)
    line = f"from . import {UNIT}  # noqa: F401\n"
    if run and inert:
        return _merged(module, [_block_edit(module, place, f"if __package__:\n    {line}")])
    if inert:
        edit = _block_edit(module, place, line)
        following = next(iter(module.tree.body[place:]), None)
        if isinstance(following, ast.ImportFrom) and following.level:  # it stands with its like
            edit = replace(edit, text=edit.text.removesuffix(module.encode("\n")))
        return _merged(module, [edit])
    condition = f"__package__ and {proxy.active}" if run else proxy.active
    return _with_import(module, "sys", place, f"if {condition}:\n    {line}")


def in_build_script(
    data: bytes, path: str, proxy: Proxy, unit: str, modules: Sequence[str]
) -> bytes:
    """A build script that enables the proxy by running enable.py of the folder `unit`.

    Where it does so in its own way, it runs the unit's `modules` right after. Unchanged where it
    does not enable the proxy, or runs them already. Raises Unreadable.
    """
    moved = _through_unit(data, path, proxy, f'"{unit}/enable.py"')
    for name in reversed(modules) if moved == data else ():
        moved = _after_enabling(moved, path, proxy, ("runpy",), f'runpy.run_path("{unit}/{name}")')
    return moved


def running_unit(
    data: bytes, path: str, proxy: Proxy, package: str, *, names: bool = True
) -> bytes:
    """A conftest that enables the proxy by the unit beside itself, whatever pytest's import mode.

    Where it does so in its own way, it has the unit of `package` (if any) shared with the tests,
    and runs the unit's names, if it has `names`, right after. Unchanged where it does not enable
    the proxy. Raises Unreadable.
    """
    moved = _through_unit(data, path, proxy, BESIDE.format("enable.py"))
    if moved != data:
        return moved
    if names:
        line = f"runpy.run_path({BESIDE.format('names.py')})"
        data = _after_enabling(data, path, proxy, ("os", "runpy"), line)
    if package:
        shared = f"{package}.{UNIT}.share(__file__)"
        data = _after_enabling(data, path, proxy, (), shared)
        data = _after_enabling(data, path, proxy, (), f"import {package}.{UNIT}")
    return data


def enables(data: bytes, path: str, proxy: Proxy) -> bool:
    """Whether a file enables the proxy."""
    try:
        return _enabling(python.parse(data, path), proxy) is not None
    except python.Unreadable:
        return False


def _enabling(module: Module, proxy: Proxy) -> ast.stmt | None:
    """The first statement that enables the proxy and runs when the file does."""
    for statement in _at_import(module.tree.body):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and (
            module.qualified(call.func) == proxy.enable or runs_unit(call)
        ):
            return statement
    return None


def _at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _at_import([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            yield from _at_import(statement.body)


def _through_unit(data: bytes, path: str, proxy: Proxy, place: str) -> bytes:
    """The file with the guard that rules write replaced by running the unit's enable.py."""
    module = python.parse(data, path)
    written = ast.dump(ast.parse(proxy.guard).body[0])
    guard = next((node for node in module.tree.body if ast.dump(node) == written), None)
    if guard is None:
        return data
    data = splice(data, [module.replace(guard, f"runpy.run_path({place})")])
    for name in ("runpy", *(("os",) if "os." in place else ())):
        data = _importing(data, path, proxy, name)
    return _without_unused(data, path, proxy.imports)


def _without_unused(data: bytes, path: str, names: Iterable[str]) -> bytes:
    """Without a line `import name` of a name that nothing mentions."""
    module = python.parse(data, path)
    used = {module.qualified(node) for node in module.of(ast.Attribute)}
    used |= {module.qualified(node) for node in module.of(ast.Name)}
    gone = [
        Edit(Span(module.line_start(node).start, _next_line(data, module.span(node).end)), b"")
        for node in module.tree.body
        if isinstance(node, ast.Import) and len(node.names) == 1
        and node.names[0].name in names and not node.names[0].asname
        and not any(name and f"{name}.".startswith(f"{node.names[0].name}.") for name in used)
    ]  # fmt: skip
    return splice(data, gone)


def _after_enabling(
    data: bytes, path: str, proxy: Proxy, needed: Iterable[str], line: str
) -> bytes:
    module = python.parse(data, path)
    statement = _enabling(module, proxy)
    if statement is None or _has(module, line) or runs_unit(getattr(statement, "value", statement)):
        return data
    start = module.line_start(statement).start
    indent = data[start : module.span(statement).start]
    if indent.strip(b" \t"):
        return data  # shares its line with something else: no place that is surely right
    end = _line_end(data, module.span(statement).end)
    added = Edit(Span(end, end), module.encode("\n") + indent + module.encode(line))
    data = splice(data, [added])
    for name in needed:
        data = _importing(data, path, proxy, name)
    return data


def _has(module: Module, line: str) -> bool:
    """Whether the file has this statement, however it is laid out."""
    wanted = ast.dump(ast.parse(line).body[0])
    return any(ast.dump(node) == wanted for node in ast.walk(module.tree))


def _importing(data: bytes, path: str, proxy: Proxy, name: str) -> bytes:
    """The file with a module-level `import name` before the proxy is enabled."""
    module = python.parse(data, path)
    statement = _enabling(module, proxy)
    outer = next(
        (s for s in module.tree.body if statement in [*ast.walk(s)]), None
    )  # the guard, or the statement itself
    if outer is None:
        return data
    at = module.tree.body.index(outer)
    if outer is statement:  # fork style: the import stands before it
        while at > 0 and _names(module.tree.body[at - 1]) == [proxy.package]:
            at -= 1
    return _with_import(module, name, at, "")


def _first_foreign(module: Module) -> int:
    """Index of the first statement that could import more than the standard library."""
    after = 0
    for index, node in enumerate(module.tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not _is_standard(node):
                return index
            after = index + 1
        elif _is_docstring(node, index):
            after = index + 1
        elif not isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr) or _calls(node):
            return index
    return after


def _is_docstring(node: ast.stmt, index: int) -> bool:
    return index == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _calls(node: ast.stmt) -> bool:
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node))


def _is_standard(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom) and node.level:
        return False
    return all(name.partition(".")[0] in sys.stdlib_module_names for name in _names(node))


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def _with_import(module: Module, name: str, index: int, block: str) -> bytes:
    """Put `block` before the statement at `index`, and `import name` before it if it lacks."""
    body = module.tree.body
    earlier = body[:index]
    edits: list[Edit] = []
    if not any(_binds(node, name) for node in earlier):
        neighbours = [node for node in earlier if isinstance(node, ast.Import)]
        neighbours = [node for node in neighbours if _is_standard(node)]
        later = [node for node in neighbours if _names(node)[0] > name]
        line = module.encode(f"import {name}\n")
        if later:
            edits.append(Edit(module.line_start(later[0]), line))
        elif neighbours:
            end = _next_line(module.data, module.span(neighbours[-1]).end)
            edits.append(Edit(Span(end, end), line))
        else:
            block = f"import {name}\n\n{block}" if block else f"import {name}\n"
    if block:
        edits.append(_block_edit(module, index, block))
    return _merged(module, edits)


def _binds(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.Import) and any(
        alias.name == name and alias.asname is None for alias in node.names
    )


def _block_edit(module: Module, index: int, block: str) -> Edit:
    """`block` before a statement, with an empty line on each side where text stands there."""
    body = module.tree.body
    if index < len(body):
        at = module.line_start(_first_line(body[index])).start
    elif body:
        at = _next_line(module.data, module.span(body[-1]).end)
    else:
        at = len(module.data)
    before, after = module.data[:at], module.data[at:]
    top = not before.strip(python.BOM)
    opening = b"" if top or _ends_empty(before) else module.encode("\n")
    closing = module.encode("\n") if after.strip() and not after.startswith((b"\n", b"\r")) else b""
    return Edit(Span(at, at), opening + module.encode(block) + closing)


def _first_line(node: ast.stmt) -> ast.AST:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0] if decorators else node


def _ends_empty(data: bytes) -> bool:
    return data.replace(b"\r", b"").endswith(b"\n\n")


def _line_end(data: bytes, at: int) -> int:
    """Offset of the line ending that follows, or of the end of the file."""
    end = data.find(b"\n", at)
    end = len(data) if end == -1 else end
    return end - 1 if data[end - 1 : end] == b"\r" else end


def _next_line(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end == -1 else end + 1


def _merged(module: Module, edits: list[Edit]) -> bytes:
    """Splice, edits at one place joined in the order given; a last line is ended first."""
    data = module.data
    joined: dict[Span, bytes] = {}
    for edit in edits:
        unended = edit.span.start == len(data) and not data.endswith(b"\n")
        opening = module.encode("\n") if unended and data.strip(python.BOM) else b""
        joined[edit.span] = joined.get(edit.span, opening) + edit.text
    return splice(data, [Edit(span, text) for span, text in joined.items()])
