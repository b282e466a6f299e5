"""What a tool's message means: its cause in words, the missing name and where it is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cause:
    """Messages with the same text share it; `follows` marks what an earlier error brings about."""

    text: str
    name: str | None = None
    scope: str | None = None
    follows: bool = False


CONFLICT = " is declared otherwise by a header"
_Make = Callable[[re.Match[str]], Cause]


def _missing(kind: str) -> _Make:
    return lambda m: Cause(f"missing {kind} {m['name']}", m["name"])


def _member(m: re.Match[str]) -> Cause:
    scope = type_name(m["scope"])
    return Cause(f"{scope} has no member {m['name']}", m["name"], scope)


def _call(m: re.Match[str]) -> Cause:
    qualified = called(m["name"])
    scope, _, name = qualified.rpartition("::")
    return Cause(f"no overload of {qualified} takes these arguments", name, scope or None)


def _attribute(m: re.Match[str]) -> Cause:
    return Cause(f"{m['scope']} has no attribute {m['name']}", m["name"], m["scope"])


def _import_name(m: re.Match[str]) -> Cause:
    return Cause(f"{m['scope']} has no {m['name']} to import", m["name"], m["scope"])


def _argument(m: re.Match[str]) -> Cause:
    return Cause(f"{m['scope']}() does not take {m['name']} so", m["name"], m["scope"])


def _conflict(m: re.Match[str]) -> Cause:
    return Cause(f"{m['name']}{CONFLICT}", m["name"])


def _plain(text: str) -> _Make:
    return lambda m: Cause(text)


_N = r"(?P<name>[^']+)"
_D = r"(?P<name>[^\"]+)"
_S = r"(?P<scope>[^']+)"
_PARTIAL = "(?:partially initialized )?module"
_CLASS = r"(?P<scope>(?:class|struct|namespace|enum) .*?\".+?\")"
_PROGRAM = r"(?P<name>[\w./+-]*(?:nvcc|g\+\+|gcc|clang|cmake|ninja|c\+\+)[\w.-]*)"
_PATTERNS: tuple[tuple[str, _Make], ...] = (
    # headers: g++, clang++, EDG
    (r"^(?P<name>[^\s:'\"]+): No such file or directory$", _missing("header")),
    (rf"^'{_N}' file not found", _missing("header")),
    (rf'cannot open source file "{_D}"', _missing("header")),
    # members of a class or namespace
    (rf"(?P<scope>'.+?'(?: \{{aka '.+?'\}})?) has no member named '{_N}'", _member),
    (rf"no (?:member|type|template) named '{_N}' in (?:namespace )?(?P<scope>'[^']+')", _member),
    (rf'{_CLASS} has no member "{_D}"', _member),
    (rf"^'{_N}' is not a member of (?P<scope>'[^']+')", _member),
    (rf"^'{_N}' in (?:namespace|class|struct) (?P<scope>'[^']+') does not name", _member),
    # names
    (rf"^'{_N}' was not declared in this scope", _missing("name")),
    (rf"^'{_N}' (?:does not name a type|has not been declared)", _missing("name")),
    (rf"^(?:use of undeclared identifier|unknown type name) '{_N}'", _missing("name")),
    (rf'identifier "{_D}" is undefined', _missing("name")),
    (rf"there are no arguments to '{_N}' that depend on a template", _missing("name")),
    (rf'incomplete (?:class )?type "{_D}"', _missing("definition of")),
    (rf"incomplete type '(?:class |struct )?{_N}'", _missing("definition of")),
    (rf"^'{_N}' conflicts with a previous declaration", _conflict),
    # calls
    (r"no match for (?P<name>'operator[^']+')", _call),
    (r"no matching (?:member )?function for call to (?P<name>'.+')", _call),
    (rf'no instance of .*?"{_D}" matches', _call),
    (r"no operator (?P<name>\"[^\"]+\") matches", _call),
    # linking
    (r"undefined symbol: (?P<name>.+)$", _missing("symbol")),
    (r"undefined reference to [`'](?P<name>.+)'", _missing("symbol")),
    (r"cannot find -l(?P<name>[\w.+-]+)", _missing("library")),
    (r"(?P<name>[^\s/]+\.so[.\d]*): cannot open shared object file", _missing("shared library")),
    # Python
    (rf"No module named '{_N}'", _missing("module")),
    (rf"cannot import name '{_N}' from {_PARTIAL}? ?'{_S}'", _import_name),
    (rf"cannot import name '{_N}' from '{_S}'", _import_name),
    (rf"^AttributeError: {_PARTIAL} '{_S}' has no attribute '{_N}'", _attribute),
    (rf"^AttributeError: (?:type object )?'{_S}' (?:object )?has no attribute '{_N}'", _attribute),
    (rf"^TypeError: (?P<scope>[\w.]+)\(\) got .*argument '{_N}'", _argument),
    # CMake
    (r"package configuration file provided by \"(?P<name>\w+)\"", _missing("CMake package")),
    (r"Could NOT find (?P<name>\w+)", _missing("CMake package")),
    (r"By not providing \"Find(?P<name>\w+)\.cmake\"", _missing("CMake package")),
    # compilers and tools themselves
    (rf"unrecognized command.line option '{_N}'", _missing("compiler option")),
    (rf"No such file or directory: '{_PROGRAM}'$", _missing("program")),
)
_RULES = tuple((re.compile(pattern), make) for pattern, make in _PATTERNS)
# What a parser says after a name it does not know.
_FOLLOWS = re.compile(
    r"^expected |^expression (?:must|preceding)|^stray |^(?:too many|invalid) declarator"
    r"|^template argument \d+ is invalid|^incomplete type is not allowed|^a nonstatic"
    r"|^this declaration has no storage|^too many initializer|^an incomplete class type is not"
    r"|must be a complete (?:class|object)|pointer to a complete object type"
    r"|^name followed by \"::\"|^type name is not allowed"
)
# What a name that means something else brings about where it is used.
AFTER_CONFLICT = re.compile(r"^(?:duplicate case value|could not convert |cannot convert )")
_NORMAL = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})


def cause(message: str) -> Cause:
    """The cause of one message; the message itself when none is known."""
    text = message.translate(_NORMAL).strip()
    for pattern, make in _RULES:
        found = pattern.search(text)
        if found:
            return make(found)
    if _FOLLOWS.search(text):
        return Cause(text, follows=True)
    return Cause(text)


def type_name(written: str) -> str:
    """`at::Tensor` of `'using T = const class at::Tensor' {aka 'class at::Tensor'}`."""
    quoted = re.findall(r"['\"]([^'\"]+)['\"]", written)
    name = quoted[-1] if quoted else written
    name = name.rpartition(" = ")[2]
    return re.sub(r"\b(?:const|volatile|class|struct|enum|union)\s+|\s*[&*]+\s*$", "", name).strip()


def called(written: str) -> str:
    """`at::index_select` of `'at::index_select(at::Tensor&, int)'`."""
    name = written.strip("'\"")
    operator = re.match(r"operator\s*(?:\(\)|\[\]|[^\s(]+)", name)
    if operator:
        return operator[0]
    plain, templated = name, ""
    while plain != templated:  # innermost template arguments first
        plain, templated = re.sub(r"<[^<>]*>", "", plain), plain
    return plain.partition("(")[0].rpartition(" ")[2].partition("<")[0] or name
