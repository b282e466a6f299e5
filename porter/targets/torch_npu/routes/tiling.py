"""What the host computes for a launch, as the statements of a tiling function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.languages.cpp import Function, Kind
from porter.targets.torch_npu.routes.kernels import HOST_WORDS, items
from porter.targets.torch_npu.routes.syntax import Reader

FIELDS = {
    "bool": "bool",
    "float": "float",
    "double": "double",
    "int": "int32_t",
    "unsigned": "uint32_t",
    "unsigned int": "uint32_t",
    "size_t": "uint64_t",
    **{
        f"{sign}int{bits}_t": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
    },
}
_PUNCTUATION = frozenset((*"+-*/%()<>?:,!", "&&", "||", "==", "!=", "<=", ">=", "::"))
_WORDS = frozenset(
    ("std", "min", "max", "static_cast", "const", "auto", "true", "false", "constexpr", "sizeof")
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A number that the caller gives an operator: `value` as the calling function has it."""

    name: str
    kind: str  # Int, Float, Bool
    value: str


_C_TYPES = {"Int": "int64_t", "Float": "double", "Bool": "bool"}
_READ = {"Int": "int64_t", "Float": "float", "Bool": "bool"}


class Untold(Exception):
    """What a tiling function cannot compute."""


@dataclass(slots=True)
class Tiling:
    """The statements, in their order, of one launch's function."""

    reader: Reader
    function: Function
    tensors: Mapping[str, tuple[str, int, str]]  # name -> Input or Output, number, parameter
    elements: Mapping[str, str]  # names of templates' types -> a tensor of that type
    lines: list[str] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)  # declarations of the file, by name
    seen: set[str] = field(default_factory=set)

    def value(self, first: int, last: int, name: str, kind: str) -> tuple[str, bool]:
        """An expression of the host as the tiling function has it, and whether it computes it:
        else the host does, as before, and it is an attribute of this name."""
        kept = (list(self.lines), list(self.attributes), dict(self.constants), set(self.seen))
        try:
            return self._translate(first, last), True
        except Untold:
            self.lines, self.attributes, self.constants, self.seen = kept
            self._attribute(name, kind, self.reader.text(first, last))
            return name, False

    def _attribute(self, name: str, type_: str, value: str) -> None:
        kind = "Float" if type_ in ("float", "double") else "Bool" if type_ == "bool" else "Int"
        number = len(self.attributes)
        self.attributes.append(Attribute(name, kind, value))
        read = f"*context->GetAttrs()->GetAttrPointer<{_READ[kind]}>({number})"
        self.lines.append(f"const {type_} {name} = {read};")
        self.seen.add(name)

    def _translate(self, first: int, last: int) -> str:
        """The same text with what stands for tensors replaced. Raises Untold."""
        out, at, end = [], first, self.reader.code.tokens[first].start
        data = self.reader.unit.data
        while at <= last:
            token = self.reader.code.tokens[at]
            out.append(data[end : token.start].decode("utf-8", "replace"))
            text, at = self._one(at)
            out.append(text)
            end = self.reader.code.tokens[at - 1].end
        return "".join(out)

    def _one(self, at: int) -> tuple[str, int]:
        """One token, or what is asked of a tensor; and the token after."""
        reader, token = self.reader, self.reader.code.tokens[at]
        word, after = token.text, reader.word(at + 1)
        if token.kind is Kind.NUMBER or word in _PUNCTUATION or word in FIELDS or word in _WORDS:
            if word == "sizeof" and reader.word(at + 2) in self.elements:
                return self._size(self.elements[reader.word(at + 2)]), at + 4
            return word, at + 1
        if token.kind is not Kind.NAME:
            raise Untold
        if word in self.tensors and after == ".":
            return self._read_question(at)
        if after in (".", "->", "["):
            raise Untold
        if after != "(":
            self._name(word)
        elif not self._constant(word):
            raise Untold
        return word, at + 1

    def _read_question(self, at: int) -> tuple[str, int]:
        """`x.numel()`, `x.size(i)`, `x.sizes()[i]`, `x.dim()`, `x.element_size()`."""
        reader, name = self.reader, self.reader.word(at)
        method, close = reader.word(at + 2), reader.code.pairs.get(at + 3)
        if close is None:
            raise Untold
        shape = self._shape(name)
        plain = close == at + 4
        if method == "numel" and plain:
            return f"{shape}.GetShapeSize()", close + 1
        if method == "dim" and plain:
            return f"static_cast<int64_t>({shape}.GetDimNum())", close + 1
        if method in ("element_size", "itemsize") and plain:
            return self._size(name), close + 1
        if method == "sizes" and plain and reader.word(close + 1) == "[":
            inner, close = (
                (close + 2, reader.code.pairs[close + 1] - 1),
                reader.code.pairs[close + 1],
            )
        elif method == "size" and not plain:
            inner = (at + 4, close - 1)
        else:
            raise Untold
        words = reader.words(*inner)
        if words[0] == "-" and len(words) == 2 and words[1].isdigit():
            return f"{shape}.GetDim({shape}.GetDimNum() - {words[1]})", close + 1
        if len(words) != 1 or not words[0].isdigit():
            raise Untold  # it may be negative
        return f"{shape}.GetDim({words[0]})", close + 1

    def _shape(self, name: str) -> str:
        side, number, parameter = self.tensors[name]
        shape = f"{parameter}_shape"
        if shape not in self.seen:
            self.seen.add(shape)
            got = f"context->Get{side}Shape({number})->GetStorageShape()"
            self.lines.append(f"const auto &{shape} = {got};")
        return shape

    def _size(self, name: str) -> str:
        side, number, _ = self.tensors[name]
        return f"ge::GetSizeByDataType(context->Get{side}Desc({number})->GetDataType())"

    def _name(self, word: str) -> None:
        """A name that the function has, or the file: declared before it is used."""
        if word in self.seen or word in self.constants:
            return
        local = self.reader.local(self.function, word)
        product = self.reader.product(self.function, word)
        if product is not None and product.tensor in self.tensors:
            self.seen.add(word)
            value = f"{self._shape(product.tensor)}.GetShapeSize()"
            self.lines.append(f"const {product.type} {word} = {value};")
            return
        if local is not None:
            kind = local.type if local.type.startswith("const") else f"const {local.type}"
            if not set(kind.replace("::", " ").split()) <= {*FIELDS, *_WORDS, "std"}:
                raise Untold
            self.seen.add(word)
            text = self._translate(local.first, local.last)
            self.lines.append(f"{kind.replace('constexpr ', '')} {word} = {text};")
            return
        for parameter in self.reader.parameters(self.function):
            if parameter.name == word:
                kind = parameter.type.replace("const", "").replace("&", "").strip()
                if kind not in FIELDS:
                    raise Untold
                self._attribute(word, kind, word)
                return
        if not self._constant(word):
            raise Untold

    def _constant(self, word: str) -> bool:
        """What the file declares by a name: a constant, or a function of numbers."""
        if word in self.constants:
            return True
        for first, last in items(self.reader):
            words = self.reader.words(first, last)
            declares = word in words and any(
                self.reader.word(k) == word and self.reader.word(k + 1) in ("=", "(", "{")
                for k in range(first, last)
            )
            if not declares or set(words) & ((HOST_WORDS - {"std"}) | {"__aicore__", "__global__"}):
                continue
            if not {"constexpr", "const", "inline", "static"} & set(words[:3]) and "(" not in words:
                continue
            own = {t.text for t in self.reader.code.tokens[first : last + 1] if t.kind is Kind.NAME}
            self.constants[word] = self.reader.text(first, last)
            for other in sorted(own - {word} - _WORDS - FIELDS.keys()):
                if any(other == name for name in self._file_names()):
                    self._constant(other)
            self.constants[word] = self.constants.pop(word)  # after those that it needs
            return True
        return False

    def _file_names(self) -> set[str]:
        return {
            self.reader.word(k)
            for first, last in items(self.reader)
            for k in range(first, min(last, first + 6))
            if self.reader.word(k + 1) in ("=", "(")
        }


def argument(attribute: Attribute, types: Mapping[str, str]) -> tuple[str, str]:
    """How a call gives an attribute: a declaration before it, if it needs one, and a name."""
    wanted = _C_TYPES[attribute.kind]
    if types.get(attribute.value) == wanted:
        return "", attribute.value
    name = f"{attribute.name}_given"
    return f"const {wanted} {name} = static_cast<{wanted}>({attribute.value});", name
