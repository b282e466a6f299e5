"""The C++ names of torch_npu: its headers by path, what they declare, what its library exports."""

from __future__ import annotations

import ast
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from porter.errors import EnvironmentFailed
from porter.host import elf
from porter.host.demangle import demangle
from porter.languages.cpp import Code, Function, Kind, parse
from porter.model import Condition, Fact, State, Surface, Symbol, When
from porter.targets.torch_npu.names import NAMES

# What a source can include from: torch_npu's own folder, and those that every example adds by -I.
ROOTS = (
    "",
    "third_party/acl/inc",
    "third_party/hccl/inc",
    "third_party/op-plugin",
    "third_party/op-plugin/op_plugin/include",
)
OWN = ("torch_npu/csrc/", "third_party/op-plugin/op_plugin/")  # headers that are read
LIBRARY = "lib/libtorch_npu.so"
HIDDEN = Fact(Condition(When.LINK), "declared in a header and not exported by libtorch_npu.so")
UNREAD = Fact(Condition(When.REFUSED), "it does not read what GetWorkspaceSize returns")
_QUALIFIED = re.compile(r"~?[A-Za-z_]\w*(?:::~?[A-Za-z_]\w*)*$")


def capture(ask: Callable[[Path], Any], logs: Path) -> Surface:
    """The surface of the torch_npu that an interpreter has; `ask` has a script answered by it."""
    answer = ask(Path(__file__).parent / "workers" / "surface_torch_npu.py")
    folder = Path(answer["folder"])
    return Surface(
        package="torch_npu",
        version=answer["version"],
        build="npu",
        python=python_names(folder),
        cpp=names(folder, logs),
    )


def names(folder: Path, logs: Path) -> dict[str, Symbol]:
    """Every header, macro and name that extensions can use of an installed torch_npu.

    Raises EnvironmentFailed where there is no c++filt: what is exported cannot be told without.
    """
    include = folder / "include"
    exports = read_exports(folder / LIBRARY, logs)
    read_in = {name: parse(path.read_bytes(), name).code for name, path in _own(include)}
    out = dict(_headers(include))
    inline = {f.full_name for code in read_in.values() for f in code.functions}
    hidden: set[str] = set()
    for code in read_in.values():
        for name in code.classes:
            if name.startswith(NAMES.namespaces):
                out.setdefault(name, Symbol(kind="class"))
        for function in (*code.functions, *code.declared):
            name = function.full_name
            known = name in exports or name in inline or _needs_no_symbol(code, function)
            if name.startswith(NAMES.namespaces):
                out[name] = _symbol(known, name in exports)
        for variable in _variables(code):
            if variable not in exports:
                hidden.add(variable)
                out[variable] = _symbol(False, False)
    out.update(_macros(read_in, hidden))
    return out


def python_names(folder: Path) -> dict[str, Symbol]:
    """What an installed torch_npu adds to torch: its device's module with what that states in
    `__all__`, and what torch generates for every backend. Read, not imported: that needs CANN."""
    out = {"torch.npu": Symbol(kind="module")}
    text = (folder / "npu" / "__init__.py").read_text(encoding="utf-8")
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            for name in ast.literal_eval(statement.value):
                out[f"torch.npu.{name}"] = Symbol(kind="attribute")
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    if "generate_methods_for_privateuse1_backend(" in text:
        for owner in ("Tensor", "nn.Module", "nn.utils.rnn.PackedSequence"):
            out[f"torch.{owner}.npu"] = Symbol(kind="method")
        out["torch.Tensor.is_npu"] = Symbol(kind="attribute")
    return out


def _needs_no_symbol(code: Code, function: Function) -> bool:
    """Whether a declared function is called through a table, or is none."""
    words = {t.text for t in code.tokens[function.head : function.opening + 1]}
    return bool(words & {"virtual", "override", "default", "delete", "friend", "using", "typedef"})


def read_exports(library: Path, logs: Path) -> frozenset[str]:
    """The names that a library exports, without parameters. Raises EnvironmentFailed where it or
    c++filt is missing."""
    if shutil.which("c++filt") is None:
        raise EnvironmentFailed("c++filt is not installed", hint="apt install binutils")
    read = elf.read(library)
    if read is None:
        raise EnvironmentFailed(f"{library} cannot be read", hint="install torch_npu's wheel again")
    spelled = demangle(sorted(read.defined), logs).values()
    names = (_QUALIFIED.search(_strip_parameters(text)) for text in spelled)
    return frozenset(name[0] for name in names if name is not None)


def _strip_parameters(text: str) -> str:
    """`int a::f<int>(x)[abi:cxx11]` as `int a::f`."""
    out, depth = [], 0
    for character in text:
        if character == "(" and depth == 0:
            break
        depth += (character == "<") - (character == ">")
        if depth == 0 and character != ">":
            out.append(character)
    return "".join(out).partition("[abi:")[0]


def _own(include: Path) -> Iterator[tuple[str, Path]]:
    for top in OWN:
        for path in sorted((include / top).rglob("*.h")):
            yield path.relative_to(include).as_posix(), path


def _headers(include: Path) -> Iterator[tuple[str, Symbol]]:
    """Each header under every name that it can be included by; `provenance` is the -I for it."""
    for root in reversed(ROOTS):
        for path in sorted((include / root).rglob("*")):
            if path.suffix in (".h", ".hpp") and path.is_file():
                name = path.relative_to(include / root).as_posix()
                yield f"<{name}>", Symbol(kind="header", provenance=root)


def _symbol(known: bool, exports: bool) -> Symbol:
    if known:
        return Symbol(kind="function", provenance="exported" if exports else "inline")
    return Symbol(kind="function", state=State.DIFFERENT, facts=(HIDDEN,))


def _variables(code: Code) -> Iterator[str]:
    """`extern thread_local char name[...];`, `extern T name;`"""
    tokens = code.tokens
    for index in code.places("extern"):
        at = index + 1
        while at < len(tokens) and tokens[at].text not in (";", "(", "{", "=", "["):
            at += 1
        if at < len(tokens) and tokens[at].text in (";", "[") and at > index + 2:
            yield tokens[at - 1].text


def _macros(headers: Mapping[str, Code], hidden: set[str]) -> Iterator[tuple[str, Symbol]]:
    """EXEC_* and what they come to: one that leads to a hidden variable compiles, and the library
    that uses it cannot be loaded. One that does not read whether the operator took its arguments
    goes on where it did not."""
    uses: dict[str, dict[str, set[str]]] = defaultdict(dict)  # header -> name -> names
    unread: set[str] = set()
    for header, code in headers.items():
        for name, words in _defines(code):
            uses[header].setdefault(name, set()).update(words)
            unread |= {name} if _leaves_unread(words) else set()
        for function in code.functions:
            body = {t.text for t in code.tokens[function.opening : function.closing]}
            uses[header].setdefault(function.name, set()).update(body)
    for header in headers:
        near = _find_beside(header, headers)
        for name in uses[header]:
            if name.startswith("EXEC_"):
                leads = _leads_to(name, near, uses)
                found = leads & hidden
                said = "it uses {}, which libtorch_npu.so does not export"
                silent = (UNREAD,) if leads & unread else ()
                yield (
                    name,
                    Symbol(
                        kind="macro",
                        state=State.DIFFERENT if found else State.PRESENT,
                        facts=tuple(
                            Fact(HIDDEN.condition, said.format(variable))
                            for variable in sorted(found)[:1]
                        )
                        or silent,
                    ),
                )


def _leaves_unread(words: list[str]) -> bool:
    """`auto status = call(getWorkspaceSizeFunc, ...);` of which nothing reads the status."""
    return any(
        words[n : n + 1] + words[n + 2 : n + 4] == ["auto", "call", "getWorkspaceSizeFunc"]
        and words.count(words[n + 1]) == 1
        for n in range(len(words) - 3)
    )


def _defines(code: Code) -> Iterator[tuple[str, list[str]]]:
    tokens = code.unit.tokens
    for index in code.unit.places("#define"):
        line = tokens[index + 1 : code.unit.directive_end(index)]
        if line:
            yield line[0].text, [token.text for token in line[1:] if token.kind is Kind.NAME]


def _find_beside(header: str, headers: Mapping[str, Code]) -> set[str]:
    """A header, and those of its own folder that it includes."""
    seen: set[str] = set()
    level = {header}
    while level:
        seen |= level
        level = {
            path
            for one in level
            for name, _ in headers[one].unit.includes
            if (path := f"{one.rpartition('/')[0]}/{name}") in headers
        } - seen
    return seen


def _leads_to(name: str, near: set[str], uses: Mapping[str, Mapping[str, set[str]]]) -> set[str]:
    seen: set[str] = set()
    level = {name}
    while level:
        seen |= level
        following = {n for one in level for header in near for n in uses[header].get(one, ())}
        level = following - seen
    return seen
