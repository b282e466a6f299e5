"""A declaration of a tiling function, written for the host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.languages.cpp import Kind
from porter.targets.torch_npu.routes.definition import Operator
from porter.targets.torch_npu.routes.syntax import Reader, Refused

TYPES = {
    "DT_FLOAT": "at::kFloat",
    "DT_FLOAT16": "at::kHalf",
    "DT_BF16": "at::kBFloat16",
    "DT_INT8": "at::kChar",
    "DT_INT16": "at::kShort",
    "DT_INT32": "at::kInt",
    "DT_INT64": "at::kLong",
    "DT_UINT8": "at::kByte",
    "DT_BOOL": "at::kBool",
    "DT_DOUBLE": "at::kDouble",
}


_OF_TILING = ("SaveToBuffer", "SetDataSize")


_OF_CONTEXT = ("GetRawTilingData", "GetWorkspaceSizes", "SetScheduleMode", "GetStorageShape")


_SHAPES = ("GetInputShape", "GetRequiredInputShape", "GetOutputShape")


_AT_ONCE = (
    "SetScheduleMode: a launch does not guarantee that its blocks run at once: use at most as many "
    "blocks as cores"
)


_PARAMETERS = "at::TensorList inputs, at::TensorList outputs, {data} &tiling, uint32_t &blocks"


@dataclass(slots=True)
class Written:
    """The functions and constants, in their order, and why one is left."""

    items: dict[str, str] = field(default_factory=dict)  # by path and first line
    left: list[tuple[str, int, str]] = field(default_factory=list)
    platform: bool = False


def name_of(operator: Operator) -> str:
    return f"Tile{operator.name}"


def declared_names(reader: Reader, first: int, last: int) -> set[str]:
    """The name that a declaration gives."""
    for at in range(first, last):
        named = reader.code.tokens[at].kind is Kind.NAME and reader.word(at) != "alignas"
        if named and reader.word(at + 1) in ("=", "(", "["):
            return {reader.word(at)}
        if reader.word(at) == "{":
            break
    return set()


def parameters(operator: Operator) -> str:
    own = "".join(f", {kind} {name}" for name, kind in operator.attributes)
    return _PARAMETERS.format(data=operator.data) + own


@dataclass(slots=True)
class HostFunction:
    """One declaration while it is written for the host."""

    reader: Reader
    operator: Operator
    out: Written
    context: str = ""
    data: set[str] = field(default_factory=set)  # variables that are the tiling data
    dropped: set[str] = field(default_factory=set)  # ... the raw tiling data
    shapes: set[str] = field(default_factory=set)
    tensors: set[str] = field(default_factory=set)  # ... pointers to a tensor's shape

    def text(self, first: int, last: int) -> str:
        reader = self.reader
        words = reader.words(first, last)
        if "TilingContext" not in words:
            if {"gert", "ge", "optiling"} & set(words):
                raise Refused("types of the graph engine in a function", reader.line(first))
            return reader.text(first, last)
        where = next(k for k in range(first, last) if reader.word(k) == "TilingContext")
        self.context = next(
            reader.word(k) for k in range(where + 1, last) if reader.word(k) not in ("*", "const")
        )
        skip = self._find_dropped(first, last)
        parts: list[str] = []
        at, end = first, reader.code.tokens[first].start
        data = reader.unit.data
        while at <= last:
            start = reader.code.tokens[at].start
            gap = data[end:start].decode()
            if at in skip:
                following = skip[at] + 1
                end = reader.code.tokens[following - 1].end
                at = following
                parts.append(gap.rpartition("\n")[0] if "\n" in gap else "")
                continue
            text, following = self._one(at)
            parts += [gap, text]
            end, at = reader.code.tokens[following - 1].end, following
        text = "".join(parts)
        own = declared_names(reader, first, last)
        if self.operator.tiling in own:
            text = text.replace(f" {self.operator.tiling}(", f" {name_of(self.operator)}(", 1)
        return text

    def _find_dropped(self, first: int, last: int) -> dict[int, int]:
        """Statements that only hand the tiling data on: first token -> last."""
        reader, found = self.reader, dict[int, int]()
        for at in reader.code.places(self.operator.data):
            if first < at < last and reader.word(at + 2) == ";":
                self.data.add(reader.word(at + 1))
                found[at] = at + 2
        for at in range(first, last):
            word = reader.word(at)
            if word in (*_OF_TILING, *_OF_CONTEXT, *_SHAPES) and self._goes(at, word):
                start, end = reader.statement(at)
                found[start] = end
        return found

    def _goes(self, at: int, word: str) -> bool:
        """Whether the statement about the context is dropped; what it declares is noted."""
        reader = self.reader
        statement = reader.statement(at)
        made = reader.declaration(statement)
        if word in _SHAPES:
            for one in made:
                words = reader.words(one.first, one.last)
                if words[:3] == [self.context, "->", word] and words[-3:-2] == ["("]:
                    self.tensors.add(one.name)
        elif word == "GetStorageShape":
            for one in made:
                if reader.words(one.first, one.last)[-3:] == [word, "(", ")"]:
                    self.shapes.add(one.name)
        elif word == "GetRawTilingData":
            self.dropped |= {one.name for one in made}
            return bool(made)
        elif word == "GetWorkspaceSizes":
            if reader.words(*statement)[-3:] != ["=", "0", ";"]:
                raise Refused("workspace that the operator requests itself", reader.line(at))
        elif word == "SetScheduleMode":
            self.out.left.append((reader.unit.path, reader.line(at), _AT_ONCE))
        return word not in (*_SHAPES, "GetStorageShape")

    def _one(self, at: int) -> tuple[str, int]:
        """A token, or what is asked of the context; and the token after it."""
        reader = self.reader
        word, after = reader.word(at), reader.word(at + 1)
        for way in (self._translate_context, self._translate_tensors, self._translate_types):
            if (found := way(at, word, after)) is not None:
                return found
        if after == "=" and "PlatformAscendC" in reader.words(at + 2, at + 4):
            return f"&{word}" if reader.word(at - 1) != "&" else word, at + 1
        if word in self.data:
            return self._data(at)
        if word in self.shapes and after == ".":
            return self._shape(word, at + 2)
        if word in self.dropped or word in (self.context, "gert", "optiling"):
            raise Refused(f"`{word}` in a form without a counterpart", reader.line(at))
        return word, at + 1

    def _translate_context(self, at: int, word: str, after: str) -> tuple[str, int] | None:
        reader = self.reader
        if word == self.context and after == "->":
            return self._translate_question(at + 2)
        if word == "*" and reader.words(at + 1, at + 3) == [self.context, "->", "GetAttrs"]:
            return self._attribute(at + 3)
        if word == self.context and after in (",", ")"):
            return "inputs, outputs, tiling, blocks", at + 1
        if word == "gert" and reader.word(at + 2) == "TilingContext":
            end = at + 3
            while reader.word(end) != self.context:
                end += 1
            own = self.operator.tiling in _names_before(reader, at)
            bare = _PARAMETERS.format(data=self.operator.data)
            return parameters(self.operator) if own else bare, end + 1
        return None

    def _translate_tensors(self, at: int, word: str, after: str) -> tuple[str, int] | None:
        reader = self.reader
        if word == "*" and after in self.tensors and reader.word(at + 2) == "=":
            return "&", at + 1
        if word not in self.tensors or after != "->":
            return None
        if reader.word(at + 2) not in ("GetStorageShape", "GetOriginShape"):
            raise Refused(f"`{reader.word(at + 2)}` of a shape", reader.line(at))
        if reader.word(at + 5) == ".":
            return self._translate_shape(word, at + 6)
        return f"{word}.sizes()", at + 5

    def _translate_types(self, at: int, word: str, after: str) -> tuple[str, int] | None:
        reader = self.reader
        if word == "gert" and reader.word(at + 2) == "StorageShape":
            return "auto", at + 3
        if word == "gert" and reader.word(at + 2) == "Shape":
            return "at::IntArrayRef", at + 3
        if word == "ge" and after == "::":
            return self._translate_ge(at + 2)
        if word == "platform_ascendc" and reader.word(at + 2) == "PlatformAscendC":
            self.out.platform = True
            close = reader.code.pairs.get(at + 3)
            if close is None or "GetPlatformInfo" not in reader.words(at + 3, close):
                raise Refused("the platform in an unsupported form", reader.line(at))
            return "*platform_ascendc::PlatformAscendCManager::GetInstance()", close + 1
        return None

    def _data(self, at: int) -> tuple[str, int]:
        """`tiling.set_length(x)`: `tiling.length = x`."""
        reader, method = self.reader, self.reader.word(at + 2)
        if method.startswith("set_") and reader.word(at + 3) == "(":
            close = reader.code.pairs[at + 3]
            return f"tiling.{method[4:]} = {self._inner(at + 4, close - 1)}", close + 1
        if method.startswith("get_"):
            return f"tiling.{method[4:]}", at + 5
        raise Refused(f"`{method}` of the tiling data", reader.line(at))

    def _inner(self, first: int, last: int) -> str:
        """The tokens between, written for the host."""
        parts, at, end = [], first, self.reader.code.tokens[first].start
        while at <= last:
            parts.append(self.reader.unit.data[end : self.reader.code.tokens[at].start].decode())
            text, at = self._one(at)
            parts.append(text)
            end = self.reader.code.tokens[at - 1].end
        return "".join(parts)

    def _translate_question(self, at: int) -> tuple[str, int]:
        reader, method = self.reader, self.reader.word(at)
        close = reader.code.pairs.get(at + 1)
        if close is None:
            raise Refused(f"`{method}` of the context", reader.line(at))
        inner = self._inner(at + 2, close - 1) if close > at + 2 else ""
        side = "outputs" if "Output" in method else "inputs"
        if method.endswith("Shape") and "Optional" not in method:
            following = reader.words(close + 1, close + 4)
            if following[:1] == ["->"] and following[1] in ("GetStorageShape", "GetOriginShape"):
                tensor = f"{side}[{inner}]"
                if reader.word(close + 5) == ".":
                    return self._translate_shape(tensor, close + 6)
                return f"{tensor}.sizes()", close + 5
            if self.tensors and following[:1] in ([","], [";"]):
                return f"{side}[{inner}]", close + 1
        of_type = reader.words(close + 1, close + 4) == ["->", "GetDataType", "(", ")"]
        if method.endswith("Desc") and "Optional" not in method and of_type:
            return f"{side}[{inner}].scalar_type()", close + 5
        if method == "SetBlockDim":
            return f"blocks = {inner}", close + 1
        raise Refused(f"`{method}` of the context", reader.line(at))

    def _translate_shape(self, tensor: str, at: int) -> tuple[str, int]:
        """What is asked of a tensor's shape."""
        reader, method = self.reader, self.reader.word(at)
        close = reader.code.pairs.get(at + 1, at + 1)
        if method == "GetShapeSize":
            return f"{tensor}.numel()", close + 1
        if method == "GetDimNum":
            return f"{tensor}.dim()", close + 1
        if method == "GetDim":
            return f"{tensor}.size({self._inner(at + 2, close - 1)})", close + 1
        raise Refused(f"`{method}` of a shape", reader.line(at))

    def _shape(self, name: str, at: int) -> tuple[str, int]:
        reader, method = self.reader, self.reader.word(at)
        close = reader.code.pairs.get(at + 1, at + 1)
        if method == "GetShapeSize":
            return f"c10::multiply_integers({name})", close + 1
        if method == "GetDimNum":
            return f"{name}.size()", close + 1
        if method == "GetDim":
            return f"{name}[{self._inner(at + 2, close - 1)}]", close + 1
        raise Refused(f"`{method}` of a shape", reader.line(at))

    def _attribute(self, at: int) -> tuple[str, int]:
        """`context->GetAttrs()->GetAttrPointer<float>(0)`, dereferenced: the parameter."""
        reader = self.reader
        number = next(k for k in range(at, at + 16) if reader.word(k).isdigit())
        close = number + 1
        own = int(reader.word(number))
        if reader.word(close) != ")" or own >= len(self.operator.attributes):
            raise Refused("an attribute in an unsupported form", reader.line(at))
        return self.operator.attributes[own][0], close + 1

    def _translate_ge(self, at: int) -> tuple[str, int]:
        word = self.reader.word(at)
        known = {
            "graphStatus": "bool",
            "GRAPH_SUCCESS": "true",
            "GRAPH_FAILED": "false",
            "DataType": "at::ScalarType",
            "GetSizeByDataType": "c10::elementSize",
            **TYPES,
        }
        if word not in known:
            raise Refused(f"`ge::{word}`", self.reader.line(at))
        return known[word], at + 1


def _names_before(reader: Reader, at: int) -> Iterator[str]:
    return (reader.word(k) for k in range(max(at - 6, 0), at))
