"""A binding that calls ACLNN operators -> entries for OpPlugin, with adapters where needed."""

from __future__ import annotations

import posixpath
import re

from porter.ascend.cpp_pieces import pieces
from porter.ascend.file_pieces import FilePieces
from porter.ascend.file_pieces import Schema as Defined
from porter.languages.cpp import Function
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes import opplugin_files, python_names, schema
from porter.targets.torch_npu.routes.definition import find
from porter.targets.torch_npu.routes.model import CALL, Result
from porter.targets.torch_npu.routes.opplugin_host import EntryOperator, entry_host
from porter.targets.torch_npu.routes.schema import Schema
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused

_MADE = ("empty", "empty_like")
_ENTRY = """\
  - func: {schema}
    op_api: all_version
"""
_GENERATED = """\
    gen_opapi:
      out:
        size: {like}
        dtype: {like}
      exec: {runs}
"""


def convert(files: Files, path: str) -> Result:
    """The files that take the place of a binding's. Raises Refused: nothing is changed then."""
    reader = files.reader(path)
    found = [one for each in pieces(reader.unit).schemas if (one := _operator(files, path, each))]
    if not found:
        raise Refused("no schema in the file leads to its ACLNN calls")
    host = entry_host(reader, path, found)
    script = _place(files, path)
    folder = posixpath.join(posixpath.dirname(script), "opplugin")
    entries = [_ENTRY.format(schema=one.schema.rename(one.name)) + one.entry for one in found]
    made: dict[str, bytes | None] = _yaml(files, folder, entries, [path] if host else [])
    made[path] = host
    left = []
    names = {f"{one.space}::{one.schema.name}": f"npu::{one.name}" for one in found}
    for other in sorted(p for p in files.tree if p.endswith(".py")):
        new = python_names.rename(other, files.tree[other], names)
        if new != files.tree[other]:
            made[other] = new
    for old, new_name in names.items():
        for other in sorted(p for p in files.tree if p.endswith((".cpp", ".asc", ".md"))):
            text = files.tree[other]
            if other != path and old.encode() in text:
                line = text[: text.index(old.encode())].count(b"\n") + 1
                left.append(Left(other, line, old, f"it is now {new_name}"))
    unit = posixpath.join(posixpath.dirname(script), opplugin_files.UNIT)
    return Result(made, tuple(left), tuple(names.values()), ((path, unit),))


def _place(files: Files, path: str) -> str:
    """The nearest build script above a source."""
    folder = posixpath.dirname(path)
    while True:
        script = posixpath.join(folder, "setup.py")
        if script in files.tree:
            return script
        if not folder:
            raise Refused("there is no setup.py above it that could call the generator")
        folder = posixpath.dirname(folder)


def _yaml(
    files: Files, folder: str, entries: list[str], sources: list[str]
) -> dict[str, bytes | None]:
    """The entries, beside those of an earlier conversion, and what calls the generator."""
    place = posixpath.join(folder, "operators.yaml")
    script = posixpath.join(folder, "generate.py")
    if place in files.tree:
        text = files.tree[place].decode()
        text = text.replace("\nautograd:", "\n".join(["", *entries, "autograd:"]), 1)
        known = re.search(r"^SOURCES = \[(.*)\]$", files.tree[script].decode(), re.MULTILINE)
        sources = [*re.findall(r'"(.*?)"', known[1] if known else ""), *sources]
    elif script in files.tree:
        raise Refused(f"{script} already exists for other entries")
    else:
        text = opplugin_files.ENTRIES.format(entries="\n".join(entries))
    structured = "gen_opapi:" in text
    return {
        place: text.encode(),
        script: opplugin_files.generate(sources, structured).encode(),
        posixpath.join(folder, "deprecated.yaml"): opplugin_files.DEPRECATED.encode(),
        posixpath.join(folder, "derivatives.yaml"): opplugin_files.DERIVATIVES.encode(),
        posixpath.join(folder, "native_functions.yaml"): opplugin_files.NATIVE.encode(),
    }


# ---------------------------------------------------------------- the operators


def _operator(files: Files, path: str, defined: Defined) -> EntryOperator | None:
    """An operator of a schema, where the device's function of it calls ACLNN."""
    reader = files.reader(path)
    if defined.key:
        return None
    own = pieces(reader.unit)
    impls = [i for i in own.impls if (i.space, i.name) == (defined.space, defined.name)]
    device = [i for i in impls if i.key == "PrivateUse1"]
    functions = [f for i in device for name in sorted(i.uses) for f in reader.functions_named(name)]
    if len(functions) != 1:
        return None
    (function,) = functions
    calls = [k for k in reader.code.places(CALL) if function.opening < k < function.closing]
    if not calls and not _leads_to_call(own, function.name):
        return None
    read = schema.read(defined.text)
    declared = [each.declaration for each in read.arguments]
    given = [f"{p.type} {p.name}" for p in reader.parameters(function)]
    given = [_strip_aliases(reader, text) for text in given]
    if [_plain(text) for text in declared] != [_plain(text) for text in given]:
        raise Refused(f"`{function.name}` does not match its schema", reader.line(function.opening))
    registrations: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for at in reader.code.places("def", "impl"):
        if reader.word(at - 1) != "." or reader.word(at + 1) != "(":
            continue
        statement = reader.statement(at)
        text = reader.text(*statement)
        key = _library(reader, at)
        named = re.search(rf'"(?:\w+::)?{re.escape(read.name)}["(]', text)
        if not named or key is None or key[0] != defined.space:
            continue
        (registrations if key[1] in ("", "PrivateUse1") else others).append(statement)
    entry = _write_structured(files, reader, path, function, read, calls)
    return EntryOperator(
        defined.space, read, function, tuple(registrations), tuple(others), entry, not entry
    )


def _leads_to_call(own: FilePieces, name: str) -> bool:
    """Whether a function calls, by others of the file, an ACLNN operator."""
    seen, names = set[str](), {name}
    while names - seen:
        seen |= names
        names = {n for each in seen for n in own.reaches.get(each, ()) if n in own.reaches}
    return any(call.function in seen and call.form == CALL for call in own.calls)


def _strip_aliases(reader: Reader, text: str) -> str:
    """A parameter without the file's own names of types."""
    for at in reader.code.places("using"):
        if reader.word(at + 2) == "=":
            last = reader.statement(at)[1] - 1
            pattern = rf"\b{re.escape(reader.word(at + 1))}\b"
            text = re.sub(pattern, reader.code.text(at + 3, last), text, count=1)
    return text


def _plain(text: str) -> str:
    """The type of a parameter, however it is written."""
    text = text.replace("c10::optional", "std::optional").replace("torch::Tensor", "at::Tensor")
    kind = re.sub(r"\w+$", "", text.strip())
    return re.sub(r"\bconst\b|\s|&", "", kind)


def _library(reader: Reader, at: int) -> tuple[str, str] | None:
    """The namespace and the key of the TORCH_LIBRARY around."""
    brace = reader.around[at]
    while brace >= 0 and reader.word(brace) != "{":
        brace = reader.around[brace]
    opening = reader.opened.get(brace - 1, -1) if brace > 0 else -1
    if opening < 1 or not reader.word(opening - 1).startswith("TORCH_LIBRARY"):
        return None
    given = [reader.code.text(*each) for each in reader.code.arguments(opening)]
    return given[0], given[1] if len(given) == 3 else ""


def _write_structured(
    files: Files, reader: Reader, path: str, function: Function, read: Schema, calls: list[int]
) -> str:
    """What the generator writes the whole function from; empty where it does more than allocate
    one output like an argument and call."""
    if len(calls) != 1 or read.outputs != ("Tensor",):
        return ""
    arguments = [reader.code.text(*each) for each in reader.code.arguments(calls[0] + 1)]
    same: dict[str, str] = {a.name: a.name for a in read.arguments}
    like, made, at = "", "", function.opening + 1
    while at < function.closing:
        first, last = reader.statement(at)
        words = reader.words(first, last)
        locals_ = reader.declaration((first, last))
        guard = "OptionalDeviceGuard" in words and "{" not in words and "if" not in words
        call = first == calls[0]
        returns = words[0] == "return" and len(words) == 3 and words[1] == made
        if locals_:
            for one in locals_:
                inner = reader.words(one.first, one.last)
                if inner[1:] == [".", "contiguous", "(", ")"] and inner[0] in same:
                    same[one.name] = same[inner[0]]
                    continue
                names = [w for w in inner if w in same]
                shape = any(w in _MADE for w in inner) and len(set(names)) == 1 and not made
                if not shape or not _is_like(inner):
                    return ""
                made, like = one.name, same[names[0]]
        elif not (guard or call or returns):
            return ""
        at = last + 1
    if not made or arguments[-1] != made or any(a not in same for a in arguments[1:-1]):
        return ""
    given = [same[a] for a in arguments[1:-1]]
    if any(same[a] != a for a in same) and not _makes_contiguous(files, path, arguments):
        return ""
    runs = arguments[0]
    if given != [a.name for a in read.arguments]:
        runs = ", ".join([runs, *given, "out"])
    return _GENERATED.format(like=like, runs=runs)


def _is_like(words: list[str]) -> bool:
    """`at::empty(a.sizes(), a.options())`, `at::empty_like(a)`"""
    text = "".join(words)
    return bool(
        re.fullmatch(r"(at|torch)::empty_like\((\w+)\)", text)
        or re.fullmatch(r"(at|torch)::empty\((\w+)\.sizes\(\),\2\.options\(\)\)", text)
    )


def _makes_contiguous(files: Files, path: str, arguments: list[str]) -> bool:
    """Whether the operator itself does what `contiguous()` did."""
    try:
        operator = find(files, path, arguments[0].removeprefix("aclnn"))
    except Refused:
        return False
    return files.tree[operator.host].count(b"AutoContiguous") > 0


# ------------------------------------------------------------------ the binding
