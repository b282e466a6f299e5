"""An operator's schema, and what C++ has for its types."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.targets.torch_npu.routes.syntax import Refused

_SCHEMA = re.compile(
    r"\s*(?:\w+::)?(?P<name>\w+)(?:\.\w+)?\s*\((?P<given>.*)\)\s*->\s*(?P<out>.+)$"
)
_TYPES = {
    "Tensor": "const at::Tensor &",
    "Tensor?": "const std::optional<at::Tensor> &",
    "float": "double ",
    "int": "int64_t ",
    "bool": "bool ",
    "int[]": "at::IntArrayRef ",
    "float[]": "at::ArrayRef<double> ",
    "str": "c10::string_view ",
    "Scalar": "const at::Scalar &",
    "ScalarType": "at::ScalarType ",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """Of a schema: its type there."""

    type: str
    name: str

    @property
    def declaration(self) -> str:
        kind = _TYPES.get(re.sub(r"\[\d+\]$", "[]", self.type))
        if kind is None:
            raise Refused(f"an argument of the type `{self.type}`")
        return f"{kind}{self.name}"


@dataclass(frozen=True, slots=True)
class Schema:
    """`name(Tensor x, float eps=1e-6) -> (Tensor, Tensor)`."""

    text: str
    name: str
    arguments: tuple[Argument, ...]
    outputs: tuple[str, ...]
    defaults: dict[str, str]

    def rename(self, name: str) -> str:
        """The schema with another name, without a namespace."""
        return name + self.text[self.text.index("(") :]


def read(text: str) -> Schema:
    """A schema as it is written. Raises Refused."""
    match = _SCHEMA.match(text.strip())
    if match is None:
        raise Refused(f"the schema `{text}`")
    arguments, defaults = [], {}
    for part in match["given"].split(",") if match["given"].strip() else ():
        words = part.split("=")[0].split()
        if words == ["*"]:
            continue
        if len(words) != 2 or "(" in part:
            raise Refused(f"the schema `{text}`: `{part.strip()}`")
        arguments.append(Argument(*words))
        if "=" in part:
            defaults[words[1]] = part.partition("=")[2].strip()
    outputs = tuple(w.split()[0] for w in match["out"].strip().strip("()").split(","))
    return Schema(text.strip(), match["name"], tuple(arguments), outputs, defaults)
