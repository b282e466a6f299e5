"""Calls made under two frameworks, and how the answers differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from porter.model.cells import Device, Evidence, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSpec:
    """A tensor argument to generate: the same bytes go to both sides."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    layout: str = "contiguous"  # contiguous, transposed, sliced, expanded
    low: float = -1.0
    high: float = 1.0
    seed: int = 0
    grad: bool = False
    values: Any = None  # given instead of generated: a number, or nested tuples of them
    special: bool = False  # NaN, infinities, -0.0, denormals and extremes among the numbers


@dataclass(frozen=True, slots=True)
class Placeholder:
    """An argument that only the framework's process can make: `torch` attribute or `device`."""

    kind: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    rtol: float
    atol: float
    reason: str = ""  # needed when looser than the default of the dtype


Argument: TypeAlias = TensorSpec | Placeholder | int | float | bool | str | tuple[Any, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityCase:
    """One call of an operator to make under both frameworks."""

    name: str
    call: str  # package.module:function, or torch.ops.ns.op
    args: tuple[Argument, ...] = ()
    kwargs: Mapping[str, Argument] = field(default_factory=dict)
    tolerance: Tolerance | None = None
    devices: tuple[Device, ...] = (Device.CPU,)
    imports: tuple[str, ...] = ()  # modules to import first
    expect: str = "result"  # or error: both sides must raise; either: both do the same of the two
    reference: str = ""  # a call that gives the same in higher precision, written as `call`
    waived: Mapping[str, str] = field(default_factory=dict)  # phase that may differ -> reason
    group: str = ""  # the case in the file whose grid this is a point of


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityResult:
    """A case on one device: the source's answer against the target's."""

    case: str
    device: Device
    evidence: Evidence
    status: Status
    phase: str = ""  # where it broke: porter.parity.compare
    message: str = ""
    max_abs: float | None = None
    max_rel: float | None = None
    max_ulp: float | None = None
    units: float | None = None  # the greatest difference in its tolerance; up to 1 is within it
    cosine: float | None = None
    made: bool = False  # by porter, from the operator's signature: no person said what to call
    smallest: str = ""  # arguments that fail in the same way, as they stand in a file of cases


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Seconds of one call of a case on each side, the median of the turns.

    `ratio` is the target's over the source's, the median of those of each turn, of which the
    middle half is from `low` to `high`. `kernel_ratio` is that until the kernels are done, on a
    device where calls return before.
    """

    case: str
    device: Device
    source: float = 0.0
    target: float = 0.0
    ratio: float = 0.0
    low: float = 0.0
    high: float = 0.0
    kernel_ratio: float | None = None
    problem: str = ""  # why there are no numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDifference:
    """The first operation that two frameworks answer otherwise, in words."""

    kind: str  # inputs, result, arguments, error, crash: porter.parity.diverge
    message: str
    path: str  # of the user's file, with the line under the target
    line: int
    source_line: int | None  # of the same operation under the source
    function: str
    operation: str  # as written
    layer: str  # porter.parity.layers
    sure: bool  # seen rather than inferred
    evidence: tuple[str, ...]
    place: str = ""  # where to look besides the user's line
    arguments: Mapping[str, str] = field(default_factory=dict)
    source: str = ""  # what came out there
    target: str = ""
    agreed: int = 0  # operations that were the same before
    slight: tuple[str, ...] = ()  # differences passed over before
    only_source: tuple[str, ...] = ()  # operations of one side alone, since the last that agreed
    only_target: tuple[str, ...] = ()
    script: str = ""  # seen to differ under the target
    needs: str = ""  # modules of the repository that the script imports
    said: str = ""  # by the script under the target
    no_script: str = ""  # why there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """A case or a test, run under both with its operations recorded."""

    name: str
    frameworks: tuple[str, str]
    operations: tuple[int, int]  # that each side made
    endings: tuple[str, str]  # what is wrong with how each ended, or nothing
    folder: str
    first: FirstDifference | None
