"""What one C++ file has of Ascend operators: schemas, bindings, calls, launches, kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from porter.ascend import plugins
from porter.ascend.cpp_words import call_names, has_text, names_in, reach, strings
from porter.ascend.file_pieces import Call, FilePieces, Impl, Schema
from porter.ascend.names import Names
from porter.languages.cpp import Code, Kind, Unit
from porter.languages.cpp_tokens import line_end
from porter.model import AscendPart, AscendRoute, AscendSignature

LAUNCHES = ("EXEC_KERNEL_CMD", "ACLRT_LAUNCH_KERNEL")
_SCHEMA = re.compile(r"\s*(?:(\w+)::)?([\w.]+)\s*\(")
_TILING = re.compile(r"IMPL_OP_OPTILING|REGISTER_(?:OPS_)?TILING_\w*|IMPL_OP_TILING")
_COMMAND = re.compile(r"EXEC_\w+|[A-Z0-9_]*CMD[A-Z0-9_]*")  # whatever a repository calls its own
_ACLNN = re.compile(r"aclnn[A-Z]\w*")
_CUDA = (".cu", ".cuh")
_METHODS = {  # of a definition, and of IMPL_OP
    AscendPart.SHAPES: ("SetInferShape", "InferShape"),
    AscendPart.TILING: ("SetTiling", "Tiling"),
}


def pieces(unit: Unit, names: Names | None = None) -> FilePieces:
    """What is in one file; never fails. What belongs to a framework is recognized by its names."""
    code = unit.code
    found = FilePieces(unit.path)
    names = names or Names()
    _find_framework_calls(code, names, found)
    plugins.add_runners(code, names, found)
    for step in (_macros, _mentions, _libraries, _launches, _definitions, _kernels):
        step(code, found)
    plugins.add_modules(code, names, found)
    _calls(code, names, found)
    reach(code, found)
    plugins.add_handed_on(code, names, found)
    return found


def _find_framework_calls(code: Code, names: Names, found: FilePieces) -> None:
    found.includes_plugin = any(h.startswith(names.plugin_headers) for h, _ in code.unit.includes)
    found.of_torch = any(h.startswith(("torch/", "ATen/")) for h, _ in code.unit.includes)
    declared = (*code.classes, *(f.full_name for f in (*code.functions, *code.declared)))
    found.own.update(name for name in declared if "::" in name and names.are_of(name))


def _macros(code: Code, found: FilePieces) -> None:
    tokens = code.unit.tokens
    for index in code.unit.places("#define"):
        if index + 1 < len(tokens) and tokens[index + 1].text.startswith("EXEC_"):
            found.macros.add(tokens[index + 1].text)
            start = tokens[index].start
            if b"Guard" in code.unit.data[start : line_end(code.unit.data, start)]:
                found.guarded.add(tokens[index + 1].text)


def _mentions(code: Code, found: FilePieces) -> None:
    """`findSchemaOrThrow("ns::op", "")`"""
    for index in code.places("findSchemaOrThrow", "findSchema"):
        for first, last in code.arguments(index + 1)[:1]:
            found.mentioned.add(strings(code, first, last))


def _libraries(code: Code, found: FilePieces) -> None:
    """TORCH_LIBRARY and its kin, also under a macro of the repository's own that wraps it."""
    for index in code.places_with_prefix("TORCH_LIBRARY"):
        arguments = code.arguments(index + 1) if has_text(code, index + 1, "(") else []
        brace = code.pairs.get(index + 1, -2) + 1
        if len(arguments) < 2 or not has_text(code, brace, "{"):
            continue
        space = _read_namespace(code, *arguments[0])
        key = code.text(*arguments[1]) if len(arguments) == 3 else ""
        library = code.text(*arguments[-1])
        for at in range(brace, code.pairs.get(brace, brace)):
            if code.tokens[at].text != library:
                continue
            while has_text(code, at + 1, ".") and has_text(
                code, at + 3, "("
            ):  # m.def(...).def(...)
                _read_registration(code, at + 2, space, key, found)
                at = code.pairs.get(at + 3, len(code.tokens))


def _read_registration(code: Code, at: int, space: str, key: str, found: FilePieces) -> None:
    """One `m.def(...)` or `m.impl(...)`."""
    method, arguments = code.tokens[at].text, code.arguments(at + 1)
    if not arguments or method not in ("def", "impl"):
        return
    text, line = strings(code, *arguments[0]), code.line(at)
    last = arguments[-1]
    uses = names_in(code, *last) if len(arguments) > 1 else frozenset()
    if method == "def":
        match = _SCHEMA.match(text)  # m.def("name", function): the schema is inferred
        space, name = (match[1] or space, match[2]) if match else (space, text)
        found.schemas += [Schema(space, name, line, text, "", uses)] if text else []
        return
    own = key
    for first, end in arguments[1:]:
        words = [t.text for t in code.tokens[first : end + 1]]
        keys = [w for w in words if w in _KEYS or w.startswith(("kPrivate", "kMeta", "kCPU"))]
        own = keys[0] if keys and not own else own
    if text:
        name = text.rpartition("::")[2]
        found.impls.append(Impl(space, name, own.removeprefix("k"), line, uses))


_KEYS = frozenset(
    (
        *("PrivateUse1", "NPU", "AutogradPrivateUse1"),  # NPU is no key, and meant as one
        *("Meta", "Autograd", "AutogradMeta", "CompositeExplicitAutograd"),
        *("CompositeImplicitAutograd", "CPU", "CUDA", "XLA", "AutogradXLA", "kXLA", "kCUDA"),
    )
)


def _calls(code: Code, names: Names, found: FilePieces) -> None:
    """Macros that take an `aclnn` name, templates that take a constant of it, its two functions by
    hand, and commands by name."""
    for index in code.places_with_prefix("EXEC_"):
        if (
            has_text(code, index + 1, "<")
            and has_text(code, index + 3, ">")
            and has_text(code, index + 4, "(")
        ):
            name = _constant(code, code.tokens[index + 2].text)
            if _ACLNN.fullmatch(name):
                form = code.tokens[index].text
                _call(code, index, AscendRoute.ACLNN, name, form, found)
    for index in code.places_with_prefix("aclnn", "Name"):
        text = code.tokens[index].text
        macro = code.tokens[index - 2].text if has_text(code, index - 1, "(") else ""
        if not has_text(code, index + 1, "("):
            command = macro in names.callers or _COMMAND.fullmatch(macro)
            if command and macro not in LAUNCHES and _ACLNN.fullmatch(text):
                _call(code, index - 2, AscendRoute.ACLNN, text, macro, found)
        elif text.startswith("aclnn") and text.endswith("GetWorkspaceSize"):
            name = text.removesuffix("GetWorkspaceSize")
            if code.function_at(index):
                _call(code, index, AscendRoute.ACLNN, name, "two functions", found)
        elif text == "Name" and has_text(code, index - 1, ".") and "OpCommand" in code.index:
            name = next((strings(code, *a) for a in code.arguments(index + 1)), "")
            if name and not _hands_on(code, index):
                _call(code, index, AscendRoute.ACLOP, name, "OpCommand", found)


def _constant(code: Code, name: str) -> str:
    """The string that a name of the file is; empty where it is none."""
    for index in code.places(name):
        if has_text(code, index + 1, "=") or has_text(code, index + 1, "{"):
            return strings(code, index + 2, index + 2)
    return ""


def _hands_on(code: Code, index: int) -> bool:
    """Whether the command around only puts a function into the queue."""
    around = code.function_at(index)
    body = code.tokens[around.opening : around.closing] if around else ()
    return any(token.text == "SetCustomHandler" for token in body)


def _launches(code: Code, found: FilePieces) -> None:
    if found.path.endswith(_CUDA):
        return
    for index in code.places("<<<", *LAUNCHES):
        token = code.tokens[index]
        if token.text == "<<<":
            name = _kernel_before(code, index)
            if name:
                around = code.function_at(index)
                old = around is not None and around.name.endswith("_do")
                form = "_do function" if old else "<<<>>>"
                _call(code, index, AscendRoute.LAUNCH, name, form, found)
        elif token.text in LAUNCHES and has_text(code, index + 1, "("):
            first = next(iter(code.arguments(index + 1)), None)
            if first:
                name = code.text(*first)
                _call(code, index, AscendRoute.LAUNCH, name, token.text, found)


def _kernel_before(code: Code, index: int) -> str:
    """The kernel before `<<<`, without its template arguments."""
    at = index - 1
    if at >= 0 and code.tokens[at].text == ">":
        depth = 0
        while at >= 0:
            depth += (code.tokens[at].text == ">") - (code.tokens[at].text == "<")
            at -= 1
            if depth <= 0:
                break
    return code.tokens[at].text if at >= 0 and code.tokens[at].kind is Kind.NAME else ""


def _call(
    code: Code, index: int, route: AscendRoute, name: str, form: str, found: FilePieces
) -> None:
    around = code.function_at(index)
    within = call_names(around, found.runners) if around else ""
    found.calls.append(Call(route, name, form, code.line(index), within))


def _definitions(code: Code, found: FilePieces) -> None:
    tokens = code.tokens
    for index in code.places("class"):
        if index + 2 < len(tokens) and tokens[index + 2].text == ":":
            bases = []
            at = index + 3
            while at < len(tokens) and tokens[at].text not in ("{", ";"):
                bases.append(tokens[at].text)
                at += 1
            name, line = tokens[index + 1].text, code.line(index)
            if "OpDef" in bases:
                found.add(AscendPart.DEFINITION, name, line, "OpDef")
                found.signatures += _signature(code, name, at)
                for part, methods in _METHODS.items():
                    places = (p for p in code.places(methods[0]) if at < p < code.pairs.get(at, at))
                    if place := next(places, 0):
                        found.add(part, name, code.line(place), methods[0])
            elif "Function" in bases and bases[-1] == ">":
                found.autograd.add(name)
    for index in code.places_with_prefix("IMPL_OP", "REGISTER_"):
        token = tokens[index]
        first = (
            next(iter(code.arguments(index + 1)), None) if has_text(code, index + 1, "(") else None
        )
        if first is None:
            continue
        name, line = code.text(*first).strip('"'), code.line(index)
        if _TILING.fullmatch(token.text):
            found.add(AscendPart.TILING, name, line, token.text)
        elif token.text == "IMPL_OP_INFERSHAPE":
            found.add(AscendPart.SHAPES, name, line, token.text)
        elif token.text == "IMPL_OP":  # IMPL_OP(Add).InferShape(f).Tiling(g), in any order
            end = next((at for at in code.places(";") if at > index), len(tokens))
            for part, (_, method) in _METHODS.items():
                if any(index < place < end for place in code.places(method)):
                    found.add(part, name, line, f"IMPL_OP, {method}")


def _signature(code: Code, name: str, brace: int) -> Iterator[AscendSignature]:
    """What a definition calls its inputs and outputs, where it writes each of them out."""
    names: dict[str, list[str]] = {"Input": [], "Output": []}
    end = code.pairs.get(brace, brace)
    if any(code.tokens[at].text == "DYNAMIC" for at in range(brace, end)):
        return
    for at in code.places("Input", "Output"):
        if brace < at < end and has_text(code, at + 1, "(") and has_text(code, at - 1, "->"):
            given = code.arguments(at + 1)[:1]
            texts = [text for one in given if (text := strings(code, *one))]
            texts = texts or [text for one in given for text in _each(code, brace, one[0])]
            if not texts:
                return
            names[code.tokens[at].text] += texts
    yield AscendSignature(name, tuple(names["Input"]), tuple(names["Output"]))


def _each(code: Code, first: int, variable: int) -> list[str]:
    """The texts that a variable of a loop is: `for (const char *each : {"x", "y"})`."""
    for at in code.places(code.tokens[variable].text):
        if first < at < variable and has_text(code, at + 1, ":") and has_text(code, at + 2, "{"):
            texts = [strings(code, *one) for one in code.arguments(at + 2)]
            return texts if all(texts) else []
    return []


def _kernels(code: Code, found: FilePieces) -> None:
    if found.path.endswith(_CUDA):
        return
    for function in code.functions:
        head = [t.text for t in code.tokens[function.head : function.opening]]
        if "__global__" in head:
            form = "__aicore__" if "__aicore__" in head else "__global__"
            line = code.line(function.head + head.index(function.name))
            found.add(AscendPart.KERNEL, function.name, line, form)


def _read_namespace(code: Code, first: int, last: int) -> str:
    """A namespace, also where a macro pastes it: `CONCAT(_C, _ascend)`."""
    if last > first and has_text(code, first + 1, "("):
        return "".join(code.text(*argument) for argument in code.arguments(first + 1))
    return code.text(first, last)
