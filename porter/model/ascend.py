"""What a repository has for Ascend NPUs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class AscendRoute(StrEnum):
    """How an operator of Ascend NPUs gets to torch."""

    OPPLUGIN = "OpPlugin yaml"  # code generated from a yaml entry
    ACLNN = "ACLNN call"  # C++ that calls an operator of CANN or of a custom package
    LAUNCH = "direct launch"  # C++ that launches a kernel
    ACLOP = "OpCommand"  # the old graph operators, by name
    RUNNER = "framework's runner"  # C++ that has a class of the framework run it
    NONE = "not bound to torch"


class AscendPart(StrEnum):
    """What an Ascend operator is made of."""

    DEFINITION = "definition"  # schema, yaml, json, OpDef
    SHAPES = "shape inference"
    TILING = "tiling"
    KERNEL = "kernel"
    BINDING = "binding"
    RUNNER = "runner"  # the class whose launch runs in the framework's queue
    CALL = "call"  # of ACLNN, or the launch
    AUTOGRAD = "autograd"
    META = "meta"
    CONVERTER = "graph converter"
    GRAPH = "graph mode"  # shapes, types and kernel as a framework's graphs ask for them
    WRAPPER = "Python wrapper"
    TEST = "test"


@dataclass(frozen=True, slots=True, order=True)
class AscendPiece:
    """One piece of an operator, where it stands and in which form it is written."""

    part: AscendPart
    path: str
    line: int
    form: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AscendOperator:
    """An operator by the name torch knows it by, else by that of its definition."""

    name: str
    routes: tuple[AscendRoute, ...] = ()
    pieces: tuple[AscendPiece, ...] = ()
    schema: str = ""
    lacks: tuple[str, ...] = ()  # what it has not, and what follows
    arguments: tuple[str, ...] = ()  # as pybind11 names them; `x=` where it has a default


@dataclass(frozen=True, slots=True, order=True)
class AscendSignature:
    """The names of an operator's inputs and outputs, as its definition gives them."""

    operator: str  # as the definition writes it: AddCustom
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class AscendModule:
    """A Python module that C++ makes: `PYBIND11_MODULE(name, m)`."""

    path: str
    line: int
    name: str  # as written, often a macro of the build
    defines: bool  # functions itself; else those that others registered


@dataclass(frozen=True, slots=True, kw_only=True)
class Ascend:
    """What a repository has for Ascend NPUs."""

    operators: tuple[AscendOperator, ...] = ()
    signatures: tuple[AscendSignature, ...] = ()  # of its own definitions, where they are plain
    headers: frozenset[str] = frozenset()  # paths of the repository's own headers
    macros: frozenset[str] = frozenset()  # EXEC_* that it defines itself
    guarded: frozenset[str] = frozenset()  # of those, the ones that set a device guard
    own: frozenset[str] = frozenset()  # names that it declares in the framework's namespaces
    called: frozenset[str] = frozenset()  # operators that its own code calls by name
    including: frozenset[str] = frozenset()  # paths of sources that include the headers of plugins
    inside: tuple[str, ...] = ()  # folders that are compiled into the framework
    modules: tuple[AscendModule, ...] = ()
    registration: tuple[str, str] = ("", "")  # the macro that registers with one, and its header

    @property
    def entries(self) -> tuple[str, ...]:
        """The yaml files with entries for OpPlugin."""
        found = {
            piece.path
            for operator in self.operators
            for piece in operator.pieces
            if AscendRoute.OPPLUGIN in operator.routes
            and piece.part is AscendPart.DEFINITION
            and piece.path.endswith((".yaml", ".yml"))
        }
        return tuple(sorted(found))
