"""What a kernel does with its parameters: which tensors it reads and writes, of which types."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from porter.languages.cpp import Function
from porter.targets.torch_npu.routes.syntax import Files, Parameter, Reader, Refused

GE_TYPES = {
    "float": "DT_FLOAT",
    "half": "DT_FLOAT16",
    "float16_t": "DT_FLOAT16",
    "bfloat16_t": "DT_BF16",
    "int8_t": "DT_INT8",
    "int16_t": "DT_INT16",
    "int32_t": "DT_INT32",
    "int": "DT_INT32",
    "int64_t": "DT_INT64",
    "uint8_t": "DT_UINT8",
    "uint16_t": "DT_UINT16",
    "uint32_t": "DT_UINT32",
    "uint64_t": "DT_UINT64",
    "bool": "DT_BOOL",
}
_COPIES = ("DataCopy", "DataCopyPad")
_DEPTH = 6
_DEVICE = ("__global__", "__aicore__")


@dataclass(frozen=True, slots=True)
class Tensor:
    """A pointer that a kernel takes: its elements' type, in the kernel's own terms."""

    name: str
    type: str
    reads: bool
    writes: bool


@dataclass(frozen=True, slots=True)
class Kernel:
    """A `__global__` function, its parameters in their order."""

    path: str
    function: Function
    templates: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    tensors: tuple[Tensor, ...]

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def scalars(self) -> tuple[Parameter, ...]:
        return tuple(p for p in self.parameters if not p.pointer)


@dataclass(slots=True)
class _Use:
    types: set[str]
    reads: bool = False
    writes: bool = False


def kernel(files: Files, path: str, name: str) -> Kernel:
    """The kernel that a file launches by this name. Raises Refused."""
    return _read(files, path, *_find(files, path, name))


def declared(files: Files, path: str, name: str) -> Kernel:
    """The same by its parameters only, whatever it does with its tensors. Raises Refused."""
    home, function = _find(files, path, name)
    reader = files.reader(home)
    templates, parameters = reader.templates(function), reader.parameters(function)
    return Kernel(home, function, tuple(templates), tuple(parameters), ())


def _find(files: Files, path: str, name: str) -> tuple[str, Function]:
    for home in files.include_closure(path):
        reader = files.reader(home)
        for function in reader.functions_named(name):
            if "__global__" in reader.words(function.head, function.opening):
                return home, function
    raise Refused(f"the kernel `{name}` is not in the file that launches it, nor in its headers")


def _read(files: Files, path: str, home: str, function: Function) -> Kernel:
    reader = files.reader(home)
    readers = [files.reader(one) for one in files.include_closure(path)]
    line = reader.line(function.opening)
    for one in readers:
        if any(word.startswith("SetAtomic") for word in one.code.index):
            raise Refused("atomic additions into an output", line)
    templates = reader.templates(function)
    parameters = reader.parameters(function)
    tensors = []
    for parameter in parameters:
        if not parameter.pointer:
            if parameter.type.split()[-1:] == ["&"]:
                raise Refused(f"`{parameter.name}` is a reference", line)
            continue
        use = _Use(set())
        same = {name: name for name in templates}
        _follow(readers, reader, function, parameter.name, same, use, 0)
        own = parameter.type.replace("__gm__", "").replace("*", "").replace("const", "").strip()
        types = use.types | ({own} if own not in ("GM_ADDR", "void", "") else set())
        types -= {"uint8_t", "void"} if len(types) > 1 else set()
        if len(types) != 1:
            raise Refused(f"the type of the elements at `{parameter.name}` is unknown", line)
        if use.reads and use.writes:
            raise Refused(f"`{parameter.name}` is read and written", line)
        if not use.reads and not use.writes:
            raise Refused(f"it is unknown whether `{parameter.name}` is read or written", line)
        tensors.append(Tensor(parameter.name, types.pop(), use.reads, use.writes))
    return Kernel(home, function, tuple(templates), tuple(parameters), tuple(tensors))


def _follow(
    readers: list[Reader],
    reader: Reader,
    function: Function,
    name: str,
    types: dict[str, str],
    use: _Use,
    depth: int,
) -> None:
    """What becomes of an address in a function; `types` are what its template's names stand for."""
    if depth > _DEPTH:
        raise Refused(
            f"`{name}` is passed through too many functions", reader.line(function.opening)
        )
    for at in reader.uses(name, function.opening, function.closing):
        kind = _cast(reader, at)
        if kind:
            use.types.add(types.get(kind, kind))
        bracket = reader.around[at]
        while bracket >= 0 and reader.word(bracket) == "(":
            before = bracket - 1
            if reader.word(before) == "SetGlobalBuffer":
                tensor = reader.word(before - 2)
                _global(readers, reader, function, tensor, use, 0)
                break
            if reader.code.arguments(bracket) and _is_call(reader, bracket):
                place = _argument(reader, bracket, at)
                for other, callee, inner in _callees(readers, reader, function, bracket, types):
                    parameters = other.parameters(callee)
                    if place < len(parameters):
                        following = parameters[place].name
                        _follow(readers, other, callee, following, inner, use, depth + 1)
                break
            bracket = reader.around[bracket]


def _cast(reader: Reader, at: int) -> str:
    """`(__gm__ T *)x` and `reinterpret_cast<__gm__ T *>(x)`: T."""
    words: list[str] = []
    if reader.word(at - 1) == ")":
        words = reader.words(reader.opened.get(at - 1, at) + 1, at - 2)
    elif reader.word(at - 1) == "(" and reader.word(at - 2) == ">":
        start = at - 2
        while start > 0 and reader.word(start) != "<":
            start -= 1
        words = reader.words(start + 1, at - 3)
    if "__gm__" not in words or "*" not in words:
        return ""
    return "".join(w for w in words if w not in ("__gm__", "*", "const", "volatile"))


def _is_call(reader: Reader, bracket: int) -> bool:
    name = reader.template_arguments(bracket - 1)[0]
    word = reader.word(name)
    return word.isidentifier() and word not in ("if", "for", "while", "switch", "return", "sizeof")


def _argument(reader: Reader, bracket: int, at: int) -> int:
    for place, (first, last) in enumerate(reader.code.arguments(bracket)):
        if first <= at <= last:
            return place
    return 0


def _callees(
    readers: list[Reader], reader: Reader, function: Function, bracket: int, types: dict[str, str]
) -> list[tuple[Reader, Function, dict[str, str]]]:
    """The functions that a call may be of, with what their templates' names stand for."""
    name, given = reader.template_arguments(bracket - 1)
    count = len(reader.code.arguments(bracket))
    owner, outer = "", list[str]()
    if reader.word(name - 1) == ".":
        owner, outer = _class_of(reader, function, reader.word(name - 2))
    found = []
    for other in readers:
        for callee in other.functions_named(reader.word(name)):
            inside = callee.scope.rpartition("::")[2]
            if len(other.parameters(callee)) != count or (owner and inside != owner):
                continue
            names = _class_templates(other, inside) if owner else other.templates(callee)
            values = [types.get(one, one) for one in (outer if owner else given)]
            inner = dict(zip(names, values, strict=False))
            found.append((other, callee, {**(types if not owner else {}), **inner}))
    return found


def _class_of(reader: Reader, function: Function, name: str) -> tuple[str, list[str]]:
    """`Class<A, B> name` in a function."""
    for at in reader.uses(name, function.opening, function.closing):
        if reader.word(at + 1) in (";", "{", "(", "="):
            place, given = reader.template_arguments(at - 1)
            if reader.word(place).isidentifier():
                return reader.word(place), given
    return "", []


def _class_templates(reader: Reader, name: str) -> list[str]:
    """The names of the types of `template <...> class name`."""
    for at in reader.code.places(name):
        if reader.word(at - 1) in ("class", "struct") and reader.word(at - 2) == ">":
            start = at - 2
            while start > 0 and reader.word(start) != "template":
                start -= 1
            end = reader.code.skip_angles(start + 1) - 1
            words = reader.words(start + 2, end - 1)
            return [after for word, after in pairwise(words) if word in _TYPES]
    return []


_TYPES = ("typename", "class")


def _global(
    readers: list[Reader], reader: Reader, function: Function, name: str, use: _Use, depth: int
) -> None:
    """How a tensor in global memory is used, in its class or in its function."""
    inside = function.scope.rpartition("::")[2]
    own = [f for f in reader.code.functions if f.scope == function.scope] if inside else []
    for each in own or [function]:
        for at in reader.uses(name, each.opening, each.closing):
            _collect_uses(readers, reader, each, at, use, depth)
        for at in reader.code.places(name):
            if each.opening <= at <= each.closing and reader.words(at - 2, at - 1) == [
                "this",
                "->",
            ]:
                _collect_uses(readers, reader, each, at, use, depth)


def _collect_uses(
    readers: list[Reader], reader: Reader, function: Function, at: int, use: _Use, depth: int
) -> None:
    after = at + 1
    if reader.word(after) == "[":
        after = reader.code.pairs.get(after, after) + 1
    method = reader.word(after + 1) if reader.word(after) == "." else ""
    if method == "SetValue":
        use.writes = True
    elif method == "GetValue" or (not method and reader.word(after) == "("):
        use.reads = True
    elif method:
        return  # SetGlobalBuffer, GetSize, SetL2CacheHint
    bracket = reader.around[at]
    while bracket >= 0 and reader.word(bracket) == "(" and not _is_call(reader, bracket):
        bracket = reader.around[bracket]
    if bracket < 0 or reader.word(bracket) != "(" or method:
        return
    name = reader.template_arguments(bracket - 1)[0]
    place = _argument(reader, bracket, at)
    if reader.word(name) in _COPIES:
        use.writes |= place == 0
        use.reads |= place != 0
        return
    if depth > _DEPTH:
        return
    for other, callee, _ in _callees(readers, reader, function, bracket, {}):
        parameters = other.parameters(callee)
        if place < len(parameters):
            for inner in other.uses(parameters[place].name, callee.opening, callee.closing):
                _collect_uses(readers, other, callee, inner, use, depth + 1)


def split(reader: Reader) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The places in bytes of what of a file is for the device, and of what is for the host: the
    functions and classes of its namespaces. What is neither, constants and types, is in none."""
    device: list[tuple[int, int]] = []
    host: list[tuple[int, int]] = []
    tokens = reader.code.tokens
    for first, last in items(reader):
        words = set(reader.words(first, last))
        place = (tokens[first].start, tokens[last].end)
        if words & {"__global__", "__aicore__", "__gm__", "AscendC", "TPipe"}:
            is_host = bool(words & {"at", "c10", "torch", "<<<", "ACLRT_LAUNCH_KERNEL"})
            (host if is_host and not words & {*_DEVICE} else device).append(place)
        elif words & _DEVICE_WORDS and not words & (HOST_WORDS - {"std"}):
            device.append(place)
        elif words & HOST_WORDS or any(w.startswith("TORCH_") for w in words):
            host.append(place)
    return device, host


_DEVICE_WORDS = frozenset(("half", "bfloat16_t", "LocalTensor", "GlobalTensor", "TQue", "TBuf"))
HOST_WORDS = frozenset(
    ("at", "c10", "torch", "c10_npu", "at_npu", "std", "pybind11", "<<<", "PYBIND11_MODULE", "py")
)


def items(reader: Reader) -> list[tuple[int, int]]:
    """First and last token of each declaration in the file's namespaces."""
    tokens, pairs = reader.code.tokens, reader.code.pairs
    found: list[tuple[int, int]] = []
    work = [(0, len(tokens))]
    while work:
        at, end = work.pop()
        head = at
        while at < end:
            word = tokens[at].text
            if at == head and word.isupper() and reader.word(at + 1) == "(":
                close = pairs.get(at + 1, at)  # a macro that needs no `;`
                if reader.word(close + 1) not in ("{", ";", ".", "=", "->"):
                    found.append((head, close))
                    head = at = close + 1
                    continue
            if word == ";":
                if at > head:
                    found.append((head, at))
                head = at = at + 1
            elif word == "{":
                close = pairs.get(at, end)
                words = reader.words(head, at - 1)
                if ("namespace" in words and "using" not in words) or words == ["extern", '"C"']:
                    work.append((at + 1, close))
                    head = at = close + 1
                    continue
                at = close + 1
                following = reader.word(at)
                ends = words[-1:] == [")"] or (words and words[-1] in ("const", "noexcept"))
                if following == ";":
                    continue
                if (
                    ends
                    or "__aicore__" in words
                    or (following not in (",", "=") and "=" not in words)
                ):
                    found.append((head, at - 1))
                    head = at
            else:
                at = pairs.get(at, at) + 1
    return sorted(found)
