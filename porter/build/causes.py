"""What a tool's message means: its cause in words, the missing name and where it is missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from porter.build.system_headers import package_of
from porter.model import Diagnostic
from porter.targets import frameworks
from porter.targets.explanation import Explanation


@dataclass(frozen=True, slots=True)
class Cause:
    """Messages with the same text share it; `follows` marks what an earlier error brings about."""

    text: str
    name: str | None = None
    scope: str | None = None
    follows: bool = False


CONFLICT = " is declared otherwise by a header"
_Make = Callable[[re.Match[str]], Cause] | str  # or a text with {groups}


def missing_name_cause(written: str) -> Cause:
    scope, _, name = written.rpartition("::") if _PLAIN.match(written) else ("", "", written)
    return Cause(f"missing name {written}", name, scope or None)


def no_overload(qualified: str) -> Cause:
    scope, _, name = qualified.rpartition("::")
    return Cause(f"no overload of {qualified} takes these arguments", name, scope or None)


def _read_unknown_name(m: re.Match[str]) -> Cause:
    return missing_name_cause(m["name"])


def _header(m: re.Match[str]) -> Cause:
    name = m["name"]
    package = package_of(name)
    remedy = f" (Debian and Ubuntu have it in {package})" if package else ""
    return Cause(f"missing header {name}{remedy}", name)


def _member(m: re.Match[str]) -> Cause:
    scope = type_name(m["scope"])
    return Cause(f"{scope} has no member {m['name']}", m["name"], scope)


def _call(m: re.Match[str]) -> Cause:
    return no_overload(name_called(m["name"]))


def _operator(m: re.Match[str]) -> Cause:
    """Of the first operand's class: the library's, not that of the standard library."""
    name = "operator" + m["name"].removeprefix("operator")
    types = re.sub(r"'[^']+' \{aka ('[^']+')\}", r"\1", m["types"] or "")
    found = re.findall(r"\w+(?:::\w+)+", _strip_templates(types))
    scope = next((t for t in found if not t.startswith("std::")), None)
    return Cause(f"no overload of {name} takes these arguments", name, scope)


def _object(m: re.Match[str]) -> Cause:
    scope = type_name(m["scope"])
    return Cause("no overload of operator() takes these arguments", "operator()", scope)


def _ambiguous(m: re.Match[str]) -> Cause:
    known = _call(m)
    return replace(known, text=f"a call of {name_called(m['name'])} is ambiguous")


def _twice(m: re.Match[str]) -> Cause:
    qualified = name_called(m["name"])
    return Cause(f"{qualified} is defined twice", qualified)


def _conversion(m: re.Match[str]) -> Cause:
    left, right = (_strip_quotes(m[side]) for side in ("left", "right"))
    return Cause(f"{left} does not convert to {right}")


def _strip_quotes(written: str) -> str:
    name = re.findall(r"['\"]([^'\"]+)['\"]", written)[-1]
    return re.sub(r"\b(?:const|class|struct|enum)\s+|\s*&+\s*$", "", name).strip()


_N = r"(?P<name>[^']+)"
_D = r"(?P<name>[^\"]+)"
_S = r"(?P<scope>[^']+)"
_PLAIN = re.compile(r"[\w:]+\Z")
_LEFT, _RIGHT = (
    r"(?P<left>'[^']+')(?: \{aka '[^']+'\})?",
    r"(?P<right>'[^']+'(?: \{aka '[^']+'\})?)",
)
_FROM, _TO = r'(?P<left>"[^"]+")(?: \(aka "[^"]+"\))?', r'(?P<right>"[^"]+")'
_STARVED = "the compiler was killed or ran out of memory: use fewer jobs (--jobs 1)"
_PARTIAL = "(?:partially initialized )?module"
_CLASS = r"(?P<scope>(?:class|struct|namespace|enum) .*?\".+?\")"
_PROGRAM = r"(?P<name>[\w./+-]*(?:nvcc|g\+\+|gcc|clang|cmake|ninja|c\+\+)[\w.-]*)"
_OF_CANN = (
    r"hccl|ascendcl|acl_\w+|ge_\w+|graph|runtime|opapi|nnopbase|register|platform|error_manager"
    r"|msprofiler"
)
_SO, _NOT_OPENED = r"\.so[.\d]*", ": cannot open shared object file"
_PATTERNS: tuple[tuple[str, _Make], ...] = (
    # CANN, also as the emulated NPU says it
    (r"emulated NPU: (?P<said>.+)$", "{said}"),
    (
        rf"(?P<name>libatb{_SO}){_NOT_OPENED}",
        "missing NNAL's library {name}: `source set_env.sh` of it, or --device emulated",
    ),
    (
        rf"(?P<name>lib(?:{_OF_CANN}){_SO}){_NOT_OPENED}",
        "missing CANN's library {name}: `source set_env.sh` of it, or --device emulated",
    ),
    (
        r"(?P<name>aclnn\w+?)(?:GetWorkspaceSize)?\b.* not in .*libopapi\.so",
        "no package has the operator {name}: ASCEND_CUSTOM_OPP_PATH names the folders of custom "
        "packages, built for this chip",
    ),
    (
        r"DMA copy out of range|MTE instruction is out of range|DDR address .*out of range",
        "a kernel copies from or to outside of a tensor: its tail, or its offset by block; "
        "--device emulated names the kernel, the block and the line",
    ),
    (
        r"[Kk]ernel launch failed|rtKernelLaunch\w* .*fail|EZ9999.*launch",
        "a kernel cannot be launched: more blocks than the chip allows, a workspace that is "
        "too small, or a kernel built for another chip (--npu-arch)",
    ),
    (
        r"vector core exception|aicore exception|error code(?: is)? 5070(?:15|35)\b",
        "a kernel ended with a fault: ASCEND_LAUNCH_BLOCKING=1 names the operator, --device "
        "emulated the kernel, the block and the line",
    ),
    # macros, as porter/build/replaced.py says them
    (
        rf"^(?P<said>(?P<by>.+) replaces the name '{_N}' in [^:]+): ",
        "{said}: rename the macro, or change the option",
    ),
    # headers: g++, clang++, EDG
    (r"^(?P<name>[^\s:'\"]+): No such file or directory$", _header),
    (rf"^'{_N}' file not found", _header),
    (rf'cannot open source file "{_D}"', _header),
    # members of a class or namespace
    (rf"(?P<scope>'.+?'(?: \{{aka '.+?'\}})?) has no member named '{_N}'", _member),
    (rf"no (?:member|type|template) named '{_N}' in (?:namespace )?(?P<scope>'[^']+')", _member),
    (rf'{_CLASS} has no (?:actual )?member "{_D}"', _member),
    (rf"^'{_N}' is not a member of (?P<scope>'[^']+')", _member),
    (rf"^'{_N}' has not been declared in (?P<scope>'[^']+')", _member),
    (rf"^'{_N}' in (?:namespace|class|struct) (?P<scope>'[^']+') does not name", _member),
    # names
    (rf"^'{_N}' was not declared in this scope", _read_unknown_name),
    (rf"^'{_N}' (?:does not name a|has not been declared)", _read_unknown_name),
    (rf"^'{_N}' is not a (?:type|class, namespace, or enumeration)$", _read_unknown_name),
    (rf"^(?:use of undeclared identifier|unknown type name) '{_N}'", _read_unknown_name),
    (rf'identifier "{_D}" is undefined', _read_unknown_name),
    (rf"there are no arguments to '{_N}' that depend on a template", _read_unknown_name),
    (rf'incomplete (?:class )?type "{_D}"', "missing definition of {name}"),
    (rf"incomplete type '(?:class |struct )?{_N}'", "missing definition of {name}"),
    (rf"^'{_N}' conflicts with a previous declaration", f"{{name}}{CONFLICT}"),
    (rf'^"{_D}" has already been declared in the current scope', f"{{name}}{CONFLICT}"),
    (r"^re(?:definition|declaration) of (?P<name>'[^']+')", _twice),
    (r"^(?P<name>'[^']+') cannot be overloaded with ", _twice),
    (r'^(?:function|class|variable) (?P<name>"[^"]+").* has already been defined$', _twice),
    # calls
    (
        r"no match for '(?P<name>operator[^']+)'"
        r"(?: in '.*')?(?: \(operand types? .*?(?P<types>'.*))?$",
        _operator,
    ),
    (rf'no operator "{_D}" matches(?:.*operand types are: (?P<types>.*))?', _operator),
    (r"invalid operands to (?P<name>)binary expression \((?P<types>.*)\)", _operator),
    (r"no match for call to '\((?P<scope>[^)]+)\) ", _object),
    (r"no matching (?:member )?function for call to (?P<name>'.+')", _call),
    (r"no matching constructor for initialization of '(?P<name>[^']+)'", _call),
    (r"too (?:many|few) arguments to function (?P<name>'.+')", _call),
    (rf'no instance of .*?"{_D}" matches', _call),
    (rf'^function "{_D}" cannot be called with the given', _call),
    (r"call of overloaded (?P<name>'.+') is ambiguous", _ambiguous),
    (r"call to (?P<name>'.+') is ambiguous", _ambiguous),
    (rf'more than one instance of .*?"{_D}" matches', _ambiguous),
    # conversions
    (rf"^(?:cannot convert|could not convert '.*' from) {_LEFT} to {_RIGHT}", _conversion),
    (rf"^(?:invalid )?conversion from {_LEFT} to (?:non-scalar type )?{_RIGHT}", _conversion),
    (rf"^invalid init.* of type {_RIGHT} from (?:an )?expression of type {_LEFT}", _conversion),
    (rf"^no viable conversion from (?:returned value of type )?{_LEFT} to {_RIGHT}", _conversion),
    (rf"^no suitable .*from {_FROM} to {_TO}", _conversion),
    (rf"^argument of type {_FROM} is incompatible with parameter of type {_TO}", _conversion),
    (rf"^a value of type {_FROM} cannot be .* an entity of type {_TO}", _conversion),
    (rf"^return value type {_FROM} does not match the function type {_TO}", _conversion),
    # linking
    (r"undefined symbol: (?P<name>.+)$", "missing symbol {name}"),
    (r"undefined reference to [`'](?P<name>.+)'", "missing symbol {name}"),
    (r"cannot find -l(?P<name>[\w.+-]+)", "missing library {name}"),
    (rf"(?P<name>[^\s/]+{_SO}){_NOT_OPENED}", "missing shared library {name}"),
    # Python
    (rf"No module named '{_N}'", "missing module {name}"),
    (rf"cannot import name '{_N}' from (?:{_PARTIAL} )?'{_S}'", "{scope} has no {name} to import"),
    (
        rf"^AttributeError: (?:{_PARTIAL} |type object )?'{_S}' (?:object )?"
        rf"has no attribute '{_N}'",
        "{scope} has no attribute {name}",
    ),
    (
        rf"^TypeError: (?P<scope>[\w.]+)\(\) (?:got|received) .*argument '{_N}'",
        "{scope}() does not accept {name} this way",
    ),
    # CMake
    (r"package configuration file provided by \"(?P<name>\w+)\"", "missing CMake package {name}"),
    (r"Could NOT find (?P<name>\w+)", "missing CMake package {name}"),
    (r"By not providing \"Find(?P<name>\w+)\.cmake\"", "missing CMake package {name}"),
    # compilers and tools themselves
    (r"^(?:virtual memory exhausted|out of memory allocating)|^Killed signal terminated", _STARVED),
    (
        r"^(?:internal compiler error|unable to execute command): (?P<said>.+)$",
        "the compiler crashed: {said}",
    ),
    (r"^(?P<said>'\w+' died due to signal \d+.*)$", "the compiler crashed: {said}"),
    (
        r"^command '[^']+' "
        r"(?P<said>failed with exit (?:code|status) -\d+|terminated by signal \d+)$",
        "the compiler crashed: {said}",
    ),
    (
        r"Unsupported gpu architecture '(?P<name>\w+)'",
        "nvcc has no architecture {name}: this CUDA version does not support it",
    ),
    (rf"unrecognized command.line option '{_N}'", "missing compiler option {name}"),
    (rf"No such file or directory: '{_PROGRAM}'$", "missing program {name}"),
)
# What a parser says after a name it does not know.
_FOLLOWS = re.compile(
    r"^expected |^expression (?:must (?!have bool)|preceding)|^stray |^class or struct definition "
    r"|^(?:too many|invalid) declarator"
    r"|^template argument \d+ is invalid|^incomplete type is not allowed|^a nonstatic"
    r"|^this declaration has no storage|^too many initializer|^an incomplete class type is not"
    r"|must be a complete (?:class|object)|pointer to a complete object type"
    r"|^name followed by \"::\"|^type name is not allowed|^explicit type is missing"
    r"|^(?:parameter )?\"\w+\" is not a type name|^cannot deduce |^unable to deduce "
)
# What a name that means something else brings about where it is used.
AFTER_CONFLICT = re.compile(r"^(?:duplicate case value|could not convert |cannot convert )")
_NORMAL = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"'})


@cache
def _rules() -> tuple[tuple[re.Pattern[str], _Make], ...]:
    """The patterns of the frameworks, which know more of their own messages, and then ours."""
    of_frameworks = [(e.pattern, _get_explanation(e)) for f in frameworks() for e in f.explanations]
    return tuple((re.compile(pattern), make) for pattern, make in (*of_frameworks, *_PATTERNS))


def _get_explanation(said: Explanation) -> _Make:
    def make(m: re.Match[str]) -> Cause:
        text, name, scope = (t and t.format_map(m.groupdict()) for t in said.texts())
        return Cause(text or "", name, scope)

    return make


def cause(message: str) -> Cause:
    """The cause of one message; the message itself when none is known."""
    text = message.translate(_NORMAL).strip()
    for pattern, make in _rules():
        found = pattern.search(text)
        if found is None:
            continue
        if not isinstance(make, str):
            return make(found)
        groups = found.groupdict()
        return Cause(make.format_map(groups), groups.get("name"), groups.get("scope"))
    if _FOLLOWS.search(text):
        return Cause(text, follows=True)
    return Cause(text)


def explain(item: Diagnostic, known: Cause) -> Diagnostic:
    """The diagnostic with what is known of its cause."""
    return replace(item, cause=known.text, name=known.name, scope=known.scope)


def plain(tool: str, message: str, severity: str = "error") -> Diagnostic:
    """A diagnostic about no place in particular."""
    found = Diagnostic(
        tool=tool, severity=severity, path="", line=0, column=None, message=message, cause=""
    )
    return explain(found, cause(message))


def type_name(written: str) -> str:
    """`at::Tensor` of `'using T = const class at::Tensor' {aka 'class at::Tensor'}`."""
    quoted = re.findall(r"['\"]([^'\"]+)['\"]", written)
    name = quoted[-1] if quoted else written
    name = name.rpartition(" = ")[2]
    return re.sub(r"\b(?:const|volatile|class|struct|enum|union)\s+|\s*[&*]+\s*$", "", name).strip()


def name_called(written: str) -> str:
    """`at::index_select` of `'at::index_select(at::Tensor&, int)'`."""
    name = written.strip("'\"")
    operator = re.match(r"(?:\w+::)*operator\s*(?:\(\)|\[\]|[^\s(]+)", name)
    if operator:
        return operator[0]
    plain = _strip_templates(name)
    return plain.partition("(")[0].rpartition(" ")[2].partition("<")[0] or name


def _strip_templates(written: str) -> str:
    plain, templated = written, ""
    while plain != templated:  # innermost template arguments first
        plain, templated = re.sub(r"<[^<>]*>", "", plain), plain
    return plain
