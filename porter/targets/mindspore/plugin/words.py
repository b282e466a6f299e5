"""The C++ of torch's tensors, token by token, as that of MindSpore's."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from porter.languages.cpp import Kind
from porter.targets.torch_npu.routes.syntax import Reader, Refused

SPACES = ("at", "torch", "c10")
TYPES = {
    "kFloat": "Float32", "kFloat32": "Float32", "kDouble": "Float64", "kFloat64": "Float64",
    "kHalf": "Float16", "kFloat16": "Float16", "kBFloat16": "BFloat16", "kBool": "Bool",
    "kByte": "UInt8", "kUInt8": "UInt8", "kChar": "Int8", "kInt8": "Int8",
    "kShort": "Int16", "kInt16": "Int16", "kInt": "Int32", "kInt32": "Int32",
    "kLong": "Int64", "kInt64": "Int64",
}  # fmt: skip
NAMES = {"Tensor": "ms::Tensor", "ScalarType": "ms::TypeId", "optional": "std::optional"}
MACROS = {
    "TORCH_CHECK": "RequireThat",
    "AT_DISPATCH_FLOATING_TYPES": "DISPATCH_FLOATING_TYPES",
    "AT_DISPATCH_ALL_TYPES": "DISPATCH_ALL_TYPES",
}
CALLS = ("EXEC_NPU_CMD_EXT", "EXEC_NPU_CMD")
RUN = """\
{{
    auto runner = std::make_shared<ms::pynative::AclnnOpRunner>("{name}");
    runner->SetLaunchFunc(LAUNCH_ACLNN_FUNC(aclnn{name}, {given}));
    runner->Run({{{inputs}}}, {{{outputs}}});
}}"""
SAME = ("contiguous", "is_contiguous", "has_value", "value")
ADDRESSES = ("data_ptr", "mutable_data_ptr", "const_data_ptr")
FACTORIES = ("empty", "zeros", "empty_like", "zeros_like")
_DEFAULT_TYPE = "ms::TypeId::kNumberTypeFloat32"
_OPTIONS = frozenset((
    "::", ".", "(", ")", ",", "TensorOptions", "options", "dtype", "device", "layout", "kStrided",
    "requires_grad", "false", "kCPU", "kCUDA", "kPrivateUse1",
))  # fmt: skip
_OF_NPUS = ("<<<", "c10_npu", "at_npu")
_ADDRESSES = {"GM_ADDR": "uint8_t *", "aclrtStream": "void *"}
_FOREIGN = ("TORCH_", "AT_", "C10_", "EXEC_", "ACLRT_", "aclrt", "aclCreate")


@dataclass(slots=True)
class Rewriter:
    """One file; `tensors` are the variables that hold one, in the function at hand."""

    reader: Reader
    tensors: set[str] = field(default_factory=set)
    optional: set[str] = field(default_factory=set)  # those of them that there may be none of
    made: set[str] = field(default_factory=set)  # those that the function makes
    written: set[str] = field(default_factory=set)  # those that kernels may write to
    # first token of what is written anew -> its text, and what follows
    replaced: dict[int, tuple[str, int]] = field(default_factory=dict)

    def text(self, first: int, last: int) -> str:
        """The tokens between as C++ of MindSpore's tensors, with the space around them as it is.
        Raises Refused for what has no counterpart."""
        tokens, data = self.reader.code.tokens, self.reader.unit.data
        parts: list[str] = []
        at, end = first, tokens[first].start
        while at <= last:
            parts.append(data[end : tokens[at].start].decode("utf-8", "replace"))
            text, following = self.one(at)
            parts.append(text)
            end, at = tokens[following - 1].end, following
        return "".join(parts)

    def one(self, at: int) -> tuple[str, int]:
        """What a token becomes, with those behind it that it is a name of, and what follows."""
        if at in self.replaced:
            return self.replaced[at]
        reader = self.reader
        word, after = reader.word(at), reader.word(at + 1)
        if word in _OF_NPUS:
            if "getCurrentNPUStream" in reader.words(at, at + 4):
                raise Refused("the stream is for other than launches here", reader.line(at))
            raise Refused(f"`{word}` in an unsupported place", reader.line(at))
        if reader.code.tokens[at].kind is not Kind.NAME:
            return word, at + 1
        if word in SPACES and after == "::":
            return self._translate_torch(at, reader.word(at + 2))
        if word in CALLS and after == "(":
            return self._run(at)
        if word in _ADDRESSES:
            return _ADDRESSES[word], at + 1
        if word in MACROS and after == "(":
            return MACROS[word], at + 1
        if word == "namespace" and after in SPACES and reader.word(at - 1) == "using":
            raise Refused(f"`using namespace {after}`", reader.line(at))
        inner = reader.word(at - 1) in (".", "->")
        if word in self.tensors and after in (".", "->") and not inner:
            return self._translate_method(at, word, after)
        if word.startswith(_FOREIGN):
            raise Refused(f"`{word}` has no counterpart", reader.line(at))
        return word, at + 1

    def _run(self, at: int) -> tuple[str, int]:
        """A call of ACLNN with the `;` behind it, by a runner: what it is given is in its order."""
        reader = self.reader
        given = reader.code.arguments(at + 1)
        last = reader.code.pairs.get(at + 1, at)
        if not given or reader.word(last + 1) != ";":
            raise Refused(f"`{reader.word(at)}` in an unsupported form", reader.line(at))
        words = [self.text(*each) for each in given[1:]]
        lists = [
            ", ".join(
                f"{w}.value_or(ms::Tensor())" if w in self.optional else w
                for w in words
                if w in self.tensors and (w in self.written) is written
            )
            for written in (False, True)
        ]
        name = reader.word(given[0][0]).removeprefix("aclnn")
        start = reader.code.tokens[at].start
        line = reader.unit.data.rfind(b"\n", 0, start) + 1
        indent = reader.unit.data[line:start].decode("utf-8", "replace")
        text = RUN.format(name=name, given=", ".join(words), inputs=lists[0], outputs=lists[1])
        return text.replace("\n", f"\n{indent if not indent.strip() else ''}"), last + 2

    def _translate_torch(self, at: int, name: str) -> tuple[str, int]:
        reader = self.reader
        if name in TYPES:
            return f"ms::TypeId::kNumberType{TYPES[name]}", at + 3
        if name in NAMES:
            return NAMES[name], at + 3
        if name in FACTORIES and reader.word(at + 3) == "(":
            return self._factory(at, name)
        raise Refused(f"`{reader.word(at)}::{name}` has no counterpart", reader.line(at))

    def _factory(self, at: int, name: str) -> tuple[str, int]:
        """`at::empty({n}, x.options())`, `at::zeros({n}, at::kInt)`, `at::empty_like(x)`."""
        reader = self.reader
        given = reader.code.arguments(at + 3)
        if name.endswith("_like") and len(given) == 1:
            like = self.text(*given[0])
            shape, kind = f"{like}.shape()", f"{like}.data_type()"
        elif not name.endswith("_like") and len(given) in (1, 2):
            shape = self.text(*given[0])
            kind = self._kind(*given[1]) if len(given) == 2 else _DEFAULT_TYPE
        else:
            raise Refused(f"`{name}` with other arguments than size and options", reader.line(at))
        close = reader.code.pairs[at + 3] + 1
        if name.startswith("zeros"):
            return f"ms::zeros({shape}, {kind})", close
        return f"ms::Tensor({kind}, {shape})", close

    def _kind(self, first: int, last: int) -> str:
        """The type that a factory is given, alone or among options. Raises Refused."""
        reader, words = self.reader, self.reader.words(first, last)
        if words[1:2] == ["::"] and words[2] in TYPES and len(words) == 3:
            return self.text(first, last)
        if len(words) == 5 and words[0] in self.tensors and words[2] in ("scalar_type", "dtype"):
            return self.text(first, last)
        kind = f"{words[0]}.data_type()" if words[1:3] == [".", "options"] else _DEFAULT_TYPE
        places = [at for at in range(first, last) if reader.word(at) == "dtype"]
        inner: set[int] = set()
        if places and reader.word(places[0] + 1) == "(":
            close = reader.code.pairs[places[0] + 1]
            kind = self._kind(places[0] + 2, close - 1)
            inner = {*range(places[0] + 2, close)}
        rest = {reader.word(at) for at in range(first, last + 1) if at not in inner}
        of_known = words[0] in SPACES or words[0] in self.tensors
        again = [at for at in places[1:] if at not in inner]
        if again or not of_known or rest - {*_OPTIONS, *SPACES, *self.tensors}:
            raise Refused(f"`{reader.text(first, last)}`", reader.line(first))
        return kind

    def _translate_method(self, at: int, variable: str, dot: str) -> tuple[str, int]:
        """A method of a tensor, or of the one that an optional holds."""
        name = variable if dot == "." else f"(*{variable})"
        reader, method = self.reader, self.reader.word(at + 2).removeprefix("sym_")
        opening = at + 3
        if method in SAME:
            return f"{variable}{dot}{method}", at + 3
        if method == "accessor" and not method_of_accessor(reader, at):
            return f"{variable}{dot}accessor", at + 3
        if method in ADDRESSES:
            typed = reader.word(at + 3) == "<"
            return f"{variable}{dot}{'data_ptr' if typed else 'GetDataPtr'}", at + 3
        close = reader.code.pairs.get(opening, 0)
        given = reader.code.arguments(opening) if reader.word(opening) == "(" else []
        alone = {
            "sizes": f"{name}.shape()",
            "strides": f"{name}.stride()",
            "dim": f"static_cast<int64_t>({name}.shape().size())",
            "numel": f"static_cast<int64_t>({name}.numel())",
            "scalar_type": f"{name}.data_type()",
            "dtype": f"{name}.data_type()",
            "is_floating_point": f"IsFloatingPoint({name})",
        }
        if method in alone and close == opening + 1:
            copied = reader.words(close + 1, close + 4) == [".", "vec", "(", ")"]
            return alone[method], close + (5 if copied and method == "sizes" else 1)
        if method == "zero_" and variable in self.made:
            return f"{name} = ms::zeros({name}.shape(), {name}.data_type())", close + 1
        if method in ("size", "stride") and len(given) == 1:
            whole = "shape" if method == "size" else "stride"
            index = self.text(*given[0])
            if index.startswith("-"):
                index = f"{name}.{whole}().size() - {index.removeprefix('-').strip()}"
            return f"{name}.{whole}()[{index}]", close + 1
        raise Refused(f"`.{method}` of a tensor has no counterpart", reader.line(at))


def method_of_accessor(reader: Reader, at: int) -> bool:
    """Whether a method of the accessor that is made here is called: MindSpore's have other ones."""
    function = reader.code.function_at(at)
    last = function.closing if function is not None else at
    if reader.word(at - 1) != "=":
        return False
    uses = reader.uses(reader.word(at - 2), at, last)
    return any(reader.word(use + 1) == "." for use in uses)


def tensors_in(reader: Reader, first: int, last: int) -> Iterator[str]:
    """The variables and parameters between two tokens that are declared as tensors, and those that
    a tensor's copy or a factory is given to."""
    found: set[str] = set()
    types = {"Tensor", *optional_types(reader)}
    for at in range(first, last):
        if reader.word(at) in types:
            name = at + 1
            while reader.word(name) in ("&", "const", "&&", ">"):
                name += 1
            if reader.code.tokens[name].kind is not Kind.NAME or reader.word(name + 1) == "(":
                continue
            found.add(reader.word(name))
            while reader.word(name + 1) == "=":  # `at::Tensor a = f(x), b = g(y);`
                while reader.word(name) not in (";", ",", ")"):
                    name = reader.code.pairs.get(name, name) + 1
                name += 1
                if reader.word(name - 1) == ",":
                    found.add(reader.word(name))
        elif reader.word(at) == "auto" and _is_tensor(reader, at, found):
            name = at + 1 + (reader.word(at + 1) == "&")
            found.add(reader.word(name))
    yield from found


def _is_tensor(reader: Reader, at: int, known: Collection[str]) -> bool:
    """Whether `auto y = ...` is a factory's tensor, or a copy of one: `x.contiguous()`."""
    equals = at + 2 + (reader.word(at + 1) == "&")
    value = reader.words(equals + 1, equals + 4)
    if reader.word(equals) != "=" or len(value) < 4:
        return False
    made = value[0] in SPACES and value[2] in FACTORIES
    return made or (value[0] in known and value[1:4] == [".", "contiguous", "("])


def optional_types(reader: Reader) -> set[str]:
    """A file's names of optional tensors: `using Weight = std::optional<at::Tensor>;`."""
    found = set()
    for at in reader.code.places("using"):
        words = reader.words(at, at + 11)
        if words[2:3] == ["="] and {"optional", "Tensor"} <= {*words[3:]} and words[-1] == ";":
            found.add(words[1])
    return found
