"""The nouns of porter: frozen data that every stage takes and gives; no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, TypeAlias

# ---------------------------------------------------------------- source text


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of bytes in a file as read."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Share a byte, or insert at the same place."""
        if self.start == self.end == other.start == other.end:
            return True
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes of a span by other bytes; an empty span inserts."""

    span: Span
    text: bytes


class Language(StrEnum):
    """What reads a file."""

    PYTHON = "python"
    CPP = "cpp"  # C, C++ and CUDA, headers too
    CMAKE = "cmake"
    TOML = "toml"
    NOTEBOOK = "notebook"  # Jupyter's: its code cells are Python
    CYTHON = "cython"


UNIT = "_porter_compat"  # the folder, or module, that porter vendors


class Role(StrEnum):
    """What a file is for in its repository."""

    LIBRARY = "library"
    BUILD = "build"  # run by the build backend: setup.py and what it imports
    TEST = "test"
    ENTRY = "entry"  # examples, benchmarks, scripts with __main__
    VENDORED = "vendored"  # third-party code: read, never edited


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file porter reads: posix path from the repository root, size in bytes."""

    path: str
    language: Language
    role: Role
    size: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file porter did not read, and why; `meant`: rightly so, nothing is lost by it."""

    path: str
    reason: str
    meant: bool = False


# -------------------------------------------------------------------- Ascend


class AscendRoute(StrEnum):
    """How an operator of Ascend NPUs gets to torch."""

    OPPLUGIN = "OpPlugin yaml"  # code generated from a yaml entry
    ACLNN = "ACLNN call"  # C++ that calls an operator of CANN or of a custom package
    LAUNCH = "direct launch"  # C++ that launches a kernel
    ACLOP = "OpCommand"  # the old graph operators, by name
    NONE = "not bound to torch"


class AscendPart(StrEnum):
    """What an Ascend operator is made of."""

    DEFINITION = "definition"  # schema, yaml, json, OpDef
    SHAPES = "shape inference"
    TILING = "tiling"
    KERNEL = "kernel"
    BINDING = "binding"
    CALL = "call"  # of ACLNN, or the launch
    AUTOGRAD = "autograd"
    META = "meta"
    CONVERTER = "graph converter"
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


@dataclass(frozen=True, slots=True, order=True)
class AscendSignature:
    """The names of an operator's inputs and outputs, as its definition gives them."""

    operator: str  # as the definition writes it: AddCustom
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ascend:
    """What a repository has for Ascend NPUs."""

    operators: tuple[AscendOperator, ...] = ()
    signatures: tuple[AscendSignature, ...] = ()  # of its own definitions, where they are plain
    headers: frozenset[str] = frozenset()  # paths of the repository's own headers
    macros: frozenset[str] = frozenset()  # EXEC_* that it defines itself
    guarded: frozenset[str] = frozenset()  # of those, the ones that set a device guard
    own: frozenset[str] = frozenset()  # names that it declares in torch_npu's namespaces
    called: frozenset[str] = frozenset()  # operators that its own code calls by name
    including: frozenset[str] = frozenset()  # paths of sources that include op_plugin's headers
    inside: tuple[str, ...] = ()  # folders that are compiled into torch_npu

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


# ------------------------------------------------------------ project facts


@dataclass(frozen=True, slots=True)
class Package:
    """An import package of the repository."""

    name: str
    path: str  # folder, posix, from the repository root


@dataclass(frozen=True, slots=True)
class Extension:
    """A native extension as a build script states it; unknown parts are empty."""

    name: str
    kind: str  # the class called: CppExtension, CUDAExtension, ...
    sources: tuple[str, ...]
    path: str
    line: int
    repeated: bool = False  # stands in a loop or comprehension: may be several
    positional: bool = False  # is given its name or sources by position


@dataclass(frozen=True, slots=True)
class Program:
    """What an installed project starts by itself; without a name it is a plugin of pytest."""

    name: str
    module: str
    function: str  # empty: the module itself


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFacts:
    """What a repository is, found without executing any of it."""

    builds: tuple[str, ...] = ()  # setuptools, cmake, or the pyproject build backend
    build_scripts: tuple[str, ...] = ()
    extensions: tuple[Extension, ...] = ()
    registration: tuple[str, ...] = ()  # pybind11, TORCH_LIBRARY, custom_op, tvm_ffi, ...
    kernels: tuple[str, ...] = ()  # cuda, triton, tilelang, ascendc, jit-load, ...
    packages: tuple[Package, ...] = ()
    tests: tuple[str, ...] = ()
    conftests: tuple[str, ...] = ()
    pytest_roots: tuple[str, ...] = ()  # folders with settings of pytest, below the root
    programs: tuple[Program, ...] = ()
    vendored: tuple[str, ...] = ()  # folders
    submodules: tuple[str, ...] = ()
    distribution: str | None = None
    torch_files: int = 0  # files, vendored ones not counted, that name torch or its C++ API
    ascend: Ascend | None = None  # None: nothing in it is for Ascend NPUs
    transferred: tuple[str, ...] = ()  # files that import transfer_to_npu, patches that add it

    @property
    def uses_torch(self) -> bool:
        return self.torch_files > 0


# -------------------------------------------------------- findings and plans


class Safety(IntEnum):
    """How sure a rule is of its edit; ordered, so that a gate is one comparison."""

    MANUAL = 0
    REVIEW = 1
    SAFE = 2

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Match:
    """What a rule's finder yields; the engine makes a Finding of it."""

    span: Span
    edits: tuple[Edit, ...] = ()
    message: str | None = None  # else the rule's own
    safety: Safety | None = None  # only ever lower than the rule's own
    name: str | None = None  # the torch name concerned


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One place that a rule concerns; line and column count from 1, columns in bytes."""

    rule: str
    path: str
    span: Span
    line: int
    column: int
    message: str
    safety: Safety
    edits: tuple[Edit, ...] = ()
    name: str | None = None
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule or a reader that raised on one file; the run goes on."""

    path: str
    where: str  # rule id or stage
    error: str


class Style(StrEnum):
    """dual: one tree for both frameworks. fork: the target only."""

    DUAL = "dual"
    FORK = "fork"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Why a file of the plan is as it is: one rule or polyfill piece, and when it can go."""

    rule: str
    reason: str
    until: str  # removal condition
    count: int = 1
    title: str = ""  # the pattern found, in a few words


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePatch:
    """One file before and after; no `before` is a new file, no `after` a deleted one."""

    path: str
    before: bytes | None
    after: bytes | None
    changes: tuple[Change, ...]
    renamed_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that migrate does to a tree."""

    patches: tuple[FilePatch, ...] = ()
    applied: tuple[Finding, ...] = ()
    open: tuple[Finding, ...] = ()  # not edited: below the gate, or no edit known
    deferred: tuple[Finding, ...] = ()  # still overlapping after the last pass
    crashes: tuple[Crash, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """A torch-specific use that no rule or polyfill answered."""

    path: str
    line: int
    column: int
    name: str
    reason: str
    state: State
    cell: int = 0  # of a notebook, from 1: the line is in it


# ------------------------------------------------------------------ surfaces


class State(StrEnum):
    """What a target has for a torch name."""

    PRESENT = "present"
    MISSING = "missing"
    UNKNOWN = "gpu-only or unknown"  # this build cannot tell
    DIFFERENT = "different"  # there, and means something else


class When(StrEnum):
    """Which uses of a name a fact concerns; the value begins its text in files."""

    ANY = "any"  # every use
    CALL = "call"  # every call
    KEYWORD = "keyword"  # calls that pass this keyword
    POSITION = "position"  # calls with so many arguments by position or more
    DTYPE = "dtype"  # calls whose first argument is a dtype
    WHOLE = "whole"  # calls with another argument that may be a whole number, and no dtype=
    TRUTH = "truth"  # uses as a condition, or compared with None
    GATE = "gate"  # uses in a comparison of versions
    SOME_USES = "some uses"  # uses that no one can tell from their form; never residue
    MEASURED = "measured"  # some calls on small inputs, with at least so many arguments
    ELSEWHERE = "elsewhere"  # shows only where the thing named is used later
    STREAMED = "streamed"  # C++: calls of a macro followed by `<<`
    ARGUMENT = "argument"  # C++: calls whose first argument is one of these words
    HEADER = "header"  # C++: uses in a file that includes none of these headers, by no way
    LINK = "link"  # C++: what is linked in an extension
    REFUSED = "refused"  # C++: what a macro leaves out


@dataclass(frozen=True, slots=True)
class Condition:
    """When a fact holds; `words` and `count` are what the kind of condition asks for."""

    when: When
    words: tuple[str, ...] = ()
    count: int = 0

    def __str__(self) -> str:
        return " ".join(filter(None, (self.when, "|".join(self.words), str(self.count or ""))))


@dataclass(frozen=True, slots=True)
class Fact:
    """How a name differs from torch's: under which condition, and what happens (one sentence)."""

    condition: Condition
    sentence: str
    quirk: str = ""  # id of the record that says so, where it was not read off a signature or call
    form: str = ""  # of use, by the name that porter/residue gives it: the use surely is concerned

    @property
    def when(self) -> When:
        return self.condition.when

    def __str__(self) -> str:
        return f"{self.condition}: {self.sentence}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One name of a surface."""

    kind: str  # module, class, function, attribute, macro, header, member, namespace, ...
    state: State = State.PRESENT
    signatures: tuple[str, ...] = ()
    provenance: str = ""  # where it was seen: proxy, header path, export table, probe
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What one version of a package offers, by language, then by qualified name."""

    package: str
    version: str
    build: str  # cpu, cuda, rocm, npu
    python: Mapping[str, Symbol] = field(default_factory=dict)
    cpp: Mapping[str, Symbol] = field(default_factory=dict)
    # By id of a quirk, the names it holds for, none where it is gone. Which of the target's quirks
    # are not in it, nobody asked.
    quirks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Use:
    """A torch-specific name at one place of the repository."""

    name: str
    language: Language
    path: str
    line: int
    column: int
    role: Role
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A name the repository uses and the target lacks or changes."""

    name: str
    language: Language
    uses: int
    state: State
    answer: str = ""  # polyfill or rule id that answers it
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A use in Python of a name that the target has, and that means something else there."""

    path: str
    line: int
    column: int  # in bytes, from 1
    name: str
    consequence: str  # one line
    sure: bool  # the use is of a form that it holds of; else of some calls that were measured
    answer: str = ""  # polyfill or rule id that answers it
    cell: int = 0  # of a notebook, from 1: the line is in it


@dataclass(frozen=True, slots=True)
class Mention:
    """A use of torch in a document, which nothing edits, and what it is under the target."""

    path: str
    line: int
    name: str
    reason: str


def place(item: Finding | Residue | Use | Difference) -> tuple[str, int]:
    """Where something stands, for people: the file, with the cell of a notebook, and the line."""
    return (f"{item.path}:cell {item.cell}" if item.cell else item.path), item.line


# ------------------------------------------------- environments, steps, cells

UNSET = "\0"  # the value of a variable that a step is to be without


class Tree(StrEnum):
    UNPATCHED = "unpatched"
    PATCHED = "patched"


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"
    NPU = "npu"


class Evidence(StrEnum):
    """How a result was obtained."""

    NATIVE = "native"  # run on the device itself
    EMULATED = "emulated"  # run on a stand-in
    COMPILED = "compiled"  # compiled, not run


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One place of the run matrix."""

    tree: Tree
    environment: str  # torch, paddle, ...
    device: Device
    evidence: Evidence


class Status(StrEnum):
    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"  # with a reason; never counts as a pass
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command to run; `environment` is added to the inherited one, what is UNSET taken out.

    A foreign one runs code of a repository, or a program on its files: it is sandboxed.
    """

    name: str
    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 1800.0  # seconds
    foreign: bool = True
    writable: tuple[str, ...] = ()  # folders that a foreign one may change
    readable: tuple[str, ...] = ()  # beside its `cwd`, where they may lie in a home folder or /tmp
    failure_marks: tuple[str, ...] = ()  # regular expressions: a line of output that means failure


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """How a step went; `log` is the whole output on disk, `tail` its end."""

    name: str
    argv: tuple[str, ...]
    returncode: int
    seconds: float
    timed_out: bool
    marked: str | None  # the line of output that says it failed, whatever the exit status
    log: str
    tail: str

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.timed_out and self.marked is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a compiler, linker or installer, in the user's tree where it can be placed."""

    tool: str
    severity: str  # error, warning
    path: str  # from the repository root; absolute when outside of it
    line: int
    column: int | None
    message: str
    cause: str  # messages with the same root share it
    name: str | None = None  # the name that is missing
    scope: str | None = None  # the type or namespace it is missing in


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """One translation unit compiled to an object, or not."""

    path: str
    extension: str
    ok: bool
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """One cell built."""

    cell: Cell
    status: Status
    reason: str = ""
    steps: tuple[StepResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    units: tuple[UnitResult, ...] = ()
    python: str | None = None  # interpreter that has the result installed
    modules: tuple[str, ...] = ()  # import names that were imported after the build


# -------------------------------------------------------------------- verify


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"  # setup, teardown or collection


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteResult:
    """The repository's own tests in one cell, by node id."""

    cell: Cell
    status: Status
    reason: str = ""
    command: str = ""
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    messages: Mapping[str, str] = field(default_factory=dict)  # node id -> why it failed
    polyfilled: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # check -> node ids
    emulated: tuple[str, ...] = ()  # node ids of tests whose kernels ran on a stand-in for a device
    # on an emulated NPU: "kernel", and "cpu" of operators without an emulated kernel -> calls
    ran: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteComparison:
    """The tests of three cells by node id of the unpatched tree under the source framework."""

    same: int = 0  # passed in all three
    lost: tuple[str, ...] = ()  # passed on the source, not on the target
    lost_patched: tuple[str, ...] = ()  # passed unpatched, not with the patch, on the source
    failing_in_both: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()  # on the source and on the target
    gained: tuple[str, ...] = ()  # passed on the target only
    not_collected: tuple[str, ...] = ()  # on one side only
    messages: Mapping[str, str] = field(default_factory=dict)  # lost node id -> why


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


class Verdict(IntEnum):
    """Ordered, so that the weakest is the smallest."""

    STUCK = 0
    PATCHED = 1
    BUILDS = 2
    RUNS = 3
    PORTED = 4


@dataclass(frozen=True, slots=True)
class DeviceVerdict:
    device: Device
    verdict: Verdict
    reason: str  # what held it there, or would raise it


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A stage of a run, for the record."""

    name: str
    status: Status
    seconds: float
    reason: str = ""
