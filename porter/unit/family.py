"""Families of small Python pieces: one piece.py of many functions, of which each is a piece."""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.errors import RuleError
from porter.host.home import page

HINT = f"{page('how-to/add-a-polyfill.md')} says what a family is"
METHODS = "torch.Tensor"
HOMES = (
    *("torch", METHODS, "torch.nn.functional", "torch.special", "torch.linalg", "torch.fft"),
    *("torch.autograd", "torch.random", "torch.nn", "torch.nn.utils.rnn"),
    *("torch.masked", "torch.signal.windows", "torch.distributed.nn", "torch.nn.init"),
)
REGISTERING = "python/overrides"
SCOPED = "python/methods_of_tensors"


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One definition of a family, as the code of a piece; `mentions` are names from outside it."""

    name: str
    provides: tuple[str, ...]
    needs: tuple[str, ...]  # what gives torch these names
    mentions: frozenset[str]
    code: str


def split(path: Path, source: str, each: Sequence[str]) -> tuple[Member, ...]:
    """The top-level definitions of a family's piece.py, given to the homes in `each`.

    `def f` and `f = other` are `home.f` for each home; with a home's last word before it,
    `special_f`, it is of that home alone. `_f` is a helper, and of none. Raises RuleError for a
    home that is none, a name defined twice or Python's own, and what is no definition.
    """
    unknown = [home for home in each if home not in HOMES]
    if unknown:
        raise RuleError(f"{path}: each: {unknown[0]!r} is not one of {', '.join(HOMES)}", hint=HINT)
    imports, definitions = _statements(path, source)
    members = tuple(_member(name, text, imports, each) for name, text in definitions)
    seen: set[str] = set()
    for name in (name for member in members for name in (member.name, *member.provides)):
        if name in seen or hasattr(builtins, name):
            whose = "defined twice" if name in seen else "Python's own"
            raise RuleError(f"{path}: {name} is {whose}", hint=HINT)
        seen.add(name)
    return members


def _statements(path: Path, source: str) -> tuple[list[ast.stmt], list[tuple[str, str]]]:
    """The imports, and the text of each definition by its name, comments above included."""
    try:
        body = ast.parse(source).body
    except SyntaxError as error:
        raise RuleError(f"{path}: {error}", hint=HINT) from error
    lines, last = source.splitlines(), 0
    imports: list[ast.stmt] = []
    definitions = []
    for node in body:
        name = _name_of(node)
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
        elif name is None:
            said = f"{path}:{node.lineno}: no import, function, class or `name = value`"
            raise RuleError(said, hint=HINT)
        else:
            definitions.append((name, "\n".join(lines[last : node.end_lineno]).strip("\n")))
        last = node.end_lineno or last
    return imports, definitions


def _name_of(node: ast.stmt) -> str | None:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return getattr(node.targets[0], "id", None)
    return None


def _member(name: str, text: str, imports: Sequence[ast.stmt], each: Sequence[str]) -> Member:
    used = frozenset(_globals(symtable.symtable(text, name, "exec"))) - {name}
    provides = () if name.startswith("_") else tuple(_provide_names(name, each))
    methods = [n.removeprefix(f"{METHODS}.") for n in provides if n.startswith(f"{METHODS}.")]
    needs = [SCOPED] if methods else []
    needs += [REGISTERING] if len(provides) > len(methods) else []
    space = "\n\n\n" if text.startswith(("def ", "class ", "@", "#")) else "\n"
    above = "\n".join(line for node in imports for line in _import(node, used))
    giving = [f"_methods({method}={name})" for method in methods]
    code = space.join([*filter(None, [above]), text, *giving]) + "\n"
    return Member(name=name, provides=provides, needs=tuple(needs), mentions=used, code=code)


def _provide_names(name: str, each: Sequence[str]) -> Iterator[str]:
    """The names in torch: of one home if that is said, else of each."""
    for home in each:
        word, _, rest = name.partition("_")
        if rest and word == home.rpartition(".")[2]:
            yield f"{home}.{rest}"
            return
    yield from (f"{home}.{name}" for home in each)


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code takes from its module."""
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _globals(inner)


def _import(node: ast.stmt, used: frozenset[str]) -> Iterator[str]:
    """An import statement without the names that are not used."""
    assert isinstance(node, ast.Import | ast.ImportFrom)
    names = [a for a in node.names if (a.asname or a.name.partition(".")[0]) in used]
    if names and isinstance(node, ast.Import):
        yield ast.unparse(ast.Import(names=names))
    elif names and isinstance(node, ast.ImportFrom) and not node.level:  # else of another piece
        yield ast.unparse(ast.ImportFrom(module=node.module, names=names, level=node.level))


def keyword_forms(code: str, provides: Iterable[str]) -> Iterator[str]:
    """The forms of call, `torch.f(key=)`, with a keyword that a function in a piece's code takes:
    not those whose value it may refuse with a NotImplementedError."""
    try:
        body = ast.parse(code).body
    except SyntaxError:  # which is said where the code is read for what it defines
        return
    functions = {n.name: n for n in body if isinstance(n, ast.FunctionDef)}
    for name in provides:
        home, _, last = name.rpartition(".")
        function = functions.get(f"{home.rpartition('.')[2]}_{last}") or functions.get(last)
        if function is None:
            continue
        named = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
        bound = named[:1] if home == METHODS else ()
        refused = {"self", *bound, *_refused(function)}
        yield from (f"{name}({arg}=)" for arg in named if arg not in refused)


def _refused(function: ast.FunctionDef) -> Iterator[str]:
    """The names on which it depends that a function raises a NotImplementedError."""
    for node in ast.walk(function):
        if isinstance(node, ast.If):
            raised = [ast.dump(each) for each in node.body if isinstance(each, ast.Raise)]
            if any("NotImplementedError" in text for text in raised):
                yield from (n.id for n in ast.walk(node.test) if isinstance(n, ast.Name))
