"""The lines that reach the unit: in the package, the build script and the tests' conftest."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence

from porter.languages import python
from porter.languages.edits import splice
from porter.languages.python import Module
from porter.model import UNIT, Edit, Span
from porter.rules.guard import runs_unit
from porter.targets.proxy import Proxy

BESIDE = f'os.path.join(os.path.dirname(__file__), "{UNIT}", "{{}}")'


def hook_package(
    data: bytes, path: str, proxy: Proxy, *, depth: int = 1, run: bool = False
) -> bytes:
    """A package's __init__, or another file that is run first, that imports the unit first, where
    the target is loaded and has its proxy, and, if the file may be `run` by itself (for its
    version, say), only where it is imported. The unit is `depth` packages above the file; with 0 it
    is in none.

    It comes after the docstring, `__future__` and the standard library, before any
    import that could reach torch. Raises Unreadable.
    """
    module = python.parse(data, path)
    if any(UNIT in name.split(".") for name, _, _ in module.imports):
        return data
    above = f"from {'.' * depth} " if depth else ""
    condition = f"__package__ and {proxy.active}" if run else proxy.active
    block = f"if {condition}:\n    {above}import {UNIT}  # noqa: F401\n"
    return _insert_with_import(module, "sys", _first_foreign(module), block)


def hook_build_script(
    data: bytes, path: str, proxy: Proxy, unit: str, modules: Sequence[str]
) -> bytes:
    """A build script that enables the proxy by running enable.py of the folder `unit`.

    Where it does so in its own way, it runs the unit's `modules` right after. Unchanged where it
    does not enable the proxy, or runs them already. Raises Unreadable.
    """
    # one that names its own place may be run from elsewhere
    asked = b"__file__" in data
    beside = 'os.path.join(os.path.dirname(__file__), "{}")' if asked else '"{}"'
    moved = _run_through_unit(data, path, proxy, beside.format(f"{unit}/enable.py"))
    for name in reversed(modules) if moved == data else ():
        line = f"runpy.run_path({beside.format(f'{unit}/{name}')})"
        needed = ("os", "runpy") if asked else ("runpy",)
        moved = _insert_after_enabling(moved, path, proxy, needed, line)
    return moved


def run_unit_beside(
    data: bytes, path: str, proxy: Proxy, unit: str, *, names: bool = True
) -> bytes:
    """A conftest that enables the proxy by the unit beside itself, whatever pytest's import mode.

    Where it does so in its own way, it has the module `unit` of a package (if any) shared with the
    tests, and runs the names beside itself, if there are `names`, right after. Unchanged where it
    does not enable the proxy. Raises Unreadable.
    """
    moved = _run_through_unit(data, path, proxy, BESIDE.format("enable.py"))
    if moved != data:
        return moved
    if names:
        line = f"runpy.run_path({BESIDE.format('names.py')})"
        data = _insert_after_enabling(data, path, proxy, ("os", "runpy"), line)
    if unit:
        data = _insert_after_enabling(data, path, proxy, (), f"{unit}.share(__file__)")
        data = _insert_after_enabling(data, path, proxy, (), f"import {unit}")
    return data


def imports(data: bytes, path: str, package: str) -> bool:
    """Whether a file imports a package; one that cannot be read may."""
    try:
        found = python.parse(data, path).imports
    except python.Unreadable:
        return True
    return any(f"{name}.".startswith(f"{package}.") for name, _, _ in found)


def enables(data: bytes, path: str, proxy: Proxy) -> bool:
    """Whether a file enables the proxy."""
    try:
        return _find_enabling_statement(python.parse(data, path), proxy) is not None
    except python.Unreadable:
        return False


def _find_enabling_statement(module: Module, proxy: Proxy) -> ast.stmt | None:
    """The first statement that enables the proxy and runs when the file does."""
    for statement in _statements_at_import(module.tree.body):
        call = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(call, ast.Call) and (
            module.resolve(call.func) == proxy.enable or runs_unit(call)
        ):
            return statement
    return None


def _statements_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements_at_import([*statement.body, *statement.orelse])
        elif isinstance(statement, ast.Try):
            yield from _statements_at_import(statement.body)


def _run_through_unit(data: bytes, path: str, proxy: Proxy, place: str) -> bytes:
    """The file with the guard that rules write replaced by running the unit's enable.py."""
    module = python.parse(data, path)
    written = ast.dump(ast.parse(proxy.vendored.dual).body[0])
    guard = next((node for node in module.tree.body if ast.dump(node) == written), None)
    if guard is None:
        return data
    asked = f'if importlib.util.find_spec("{proxy.package}"):\n    runpy.run_path({place})'
    data = splice(data, [module.replace(guard, asked)])
    for name in ("importlib.util", "runpy", *(("os",) if "os." in place else ())):
        data = _add_import(data, path, proxy, name)
    return _drop_unused_import(data, path, proxy.vendored.imports)


def _drop_unused_import(data: bytes, path: str, names: Iterable[str]) -> bytes:
    """Without a line `import name` of a name that nothing mentions."""
    module = python.parse(data, path)
    used = {module.resolve(node) for node in module.nodes_of(ast.Attribute)}
    used |= {module.resolve(node) for node in module.nodes_of(ast.Name)}
    gone = [
        Edit(Span(module.line_start(node).start, _next_line(data, module.span(node).end)), b"")
        for node in module.tree.body
        if isinstance(node, ast.Import) and len(node.names) == 1
        and node.names[0].name in names and not node.names[0].asname
        and not any(name and f"{name}.".startswith(f"{node.names[0].name}.") for name in used)
    ]  # fmt: skip
    return splice(data, gone)


def _insert_after_enabling(
    data: bytes, path: str, proxy: Proxy, needed: Iterable[str], line: str
) -> bytes:
    module = python.parse(data, path)
    statement = _find_enabling_statement(module, proxy)
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
        data = _add_import(data, path, proxy, name)
    return data


def _has(module: Module, line: str) -> bool:
    """Whether the file has this statement, however it is laid out."""
    wanted = ast.dump(ast.parse(line).body[0])
    return any(ast.dump(node) == wanted for node in ast.walk(module.tree))


def _add_import(data: bytes, path: str, proxy: Proxy, name: str) -> bytes:
    """The file with a module-level `import name` before the proxy is enabled."""
    module = python.parse(data, path)
    statement = _find_enabling_statement(module, proxy)
    outer = next(
        (s for s in module.tree.body if statement in [*ast.walk(s)]), None
    )  # the guard, or the statement itself
    if outer is None:
        return data
    at = module.tree.body.index(outer)
    if outer is statement:  # fork style: the import stands before it
        while at > 0 and _names(module.tree.body[at - 1]) == [proxy.package]:
            at -= 1
    return _insert_with_import(module, name, at, "")


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


def _insert_with_import(module: Module, name: str, index: int, block: str) -> bytes:
    """Put `block` before the statement at `index`, and `import name` before it if it lacks: where
    isort has it, among the plain imports of Python's own library by name."""
    earlier = module.tree.body[:index]
    edits: list[Edit] = []
    if not any(_binds(node, name) for node in earlier):
        imports = [node for node in earlier if isinstance(node, ast.Import | ast.ImportFrom)]
        imports = [node for node in imports if _names(node) != ["__future__"]]
        above = [node for node in imports if _comes_before(node, name)]
        following = next((node for node in imports if node not in above), None)
        if following is not None:  # a section ends there, or its order
            above = above[: imports.index(following)]
        if above:
            end = _next_line(module.data, module.span(above[-1]).end)
            edits.append(Edit(Span(end, end), module.encode(f"import {name}\n")))
        elif following is not None:
            space = "" if _is_standard(following) else "\n"
            line = module.encode(f"import {name}\n{space}")
            edits.append(Edit(module.line_start(following), line))
        else:
            block = f"import {name}\n\n{block}" if block else f"import {name}\n"
    if block:
        edits.append(_block_edit(module, index, block))
    return _merge_edits(module, edits)


def _comes_before(node: ast.Import | ast.ImportFrom, name: str) -> bool:
    return isinstance(node, ast.Import) and _is_standard(node) and _names(node)[0] < name


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


def _merge_edits(module: Module, edits: list[Edit]) -> bytes:
    """Splice, edits at one place joined in the order given; a last line is ended first."""
    data = module.data
    joined: dict[Span, bytes] = {}
    for edit in edits:
        unended = edit.span.start == len(data) and not data.endswith(b"\n")
        opening = module.encode("\n") if unended and data.strip(python.BOM) else b""
        joined[edit.span] = joined.get(edit.span, opening) + edit.text
    return splice(data, [Edit(span, text) for span, text in joined.items()])
