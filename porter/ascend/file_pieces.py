"""What a C++ file has of Ascend operators, by kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.model import AscendModule, AscendPart, AscendPiece, AscendRoute, AscendSignature


@dataclass(frozen=True, slots=True)
class Schema:
    """An operator as TORCH_LIBRARY defines it, or as pybind11 exposes it (`key` pybind11)."""

    space: str
    name: str
    line: int
    text: str
    key: str = ""
    uses: frozenset[str] = frozenset()  # names in what it is given, functions among them
    arguments: tuple[str, ...] = ()  # that pybind11 names; `x=` with a default


@dataclass(frozen=True, slots=True)
class Impl:
    """`m.impl(name, function)` under a dispatch key."""

    space: str
    name: str
    key: str
    line: int
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class Call:
    """An ACLNN call, a launch or an old command, in a function."""

    route: AscendRoute
    name: str  # of the operator or kernel
    form: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Made:
    """A runner that a function makes: `std::make_shared<Runner>(...)`."""

    runner: str
    line: int
    function: str


@dataclass(slots=True)
class FilePieces:
    """All of one file."""

    path: str
    schemas: list[Schema] = field(default_factory=list)
    impls: list[Impl] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    named: list[tuple[str, AscendPiece]] = field(default_factory=list)  # and kernels
    signatures: list[AscendSignature] = field(default_factory=list)
    autograd: set[str] = field(default_factory=set)  # classes of torch::autograd::Function
    reaches: dict[str, set[str]] = field(default_factory=dict)  # function -> names it calls
    macros: set[str] = field(default_factory=set)
    guarded: set[str] = field(default_factory=set)  # macros that set a device guard
    own: set[str] = field(default_factory=set)  # declared in the framework's namespaces
    mentioned: set[str] = field(default_factory=set)  # operators whose names are looked up
    includes_plugin: bool = False  # the headers of plugins
    of_torch: bool = False  # includes those of torch
    runners: dict[str, AscendPiece] = field(default_factory=dict)  # classes, also only named
    made: list[Made] = field(default_factory=list)
    graphs: list[tuple[str, AscendPiece]] = field(default_factory=list)  # (operator, registration)
    modules: list[AscendModule] = field(default_factory=list)
    registration: str = ""  # the macro of the repository's own that it defines
    launchers: set[str] = field(default_factory=set)  # functions that runners give their stream

    def add(self, part: AscendPart, name: str, line: int, form: str) -> None:
        """Add a definition, tiling, shape inference or kernel."""
        self.named.append((name, AscendPiece(part, self.path, line, form)))
