"""A translated body as the text of a kernel in Ascend C, and of the function that launches it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from porter.targets.torch_npu.translate.functions import several
from porter.targets.torch_npu.translate.instructions import Instruction, Vector
from porter.targets.torch_npu.translate.prelude import NAMESPACE
from porter.targets.torch_npu.translate.syntax import FLOATING, HALVES, plain

# Of the 192 KB of an Ascend 910B's unified buffer; functions that CANN makes of several
# instructions take some of the rest.
_BYTES, _BYTES_WITH_FUNCTIONS = 160 * 1024, 96 * 1024
_TILE, _STEP = 2048, 256  # at most, and the least: a mask of it is 32 bytes
_BUFFERS = 2
_ON_MASKS = frozenset(("And", "Or", "Not"))
_WHOLE = frozenset(("Compare", "CompareScalar", "Select"))  # take multiples of 256 bytes


class TooLarge(Exception):
    """More values at a time than local memory holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """All of a kernel."""

    name: str
    templates: Sequence[tuple[str, str]]  # name, and the type of a value
    parameters: Sequence[tuple[str, str, str, bool]]  # name, type or type pointed to, const
    elements: Mapping[str, str]  # of each pointer
    floats: frozenset[str]
    bound: str = ""
    strided: bool = False
    instructions: tuple[Instruction, ...] = ()
    loads: Mapping[str, Vector] = field(default_factory=dict)
    stores: Mapping[str, Vector] = field(default_factory=dict)
    guards: Mapping[str, str] = field(default_factory=dict)  # of what some cases only read
    kept: Mapping[str, str] = field(default_factory=dict)  # and write
    checks: tuple[str, ...] = ()  # of a launch
    width: int = 1  # how many elements a thread of CUDA's has, where each has a number of them
    axes: frozenset[str] = frozenset()  # of the grid that the elements' numbers are of, but x


@dataclass(slots=True)
class Slots:
    """Which buffer each value is in; one that is not needed any more is used again."""

    places: dict[int, int] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)
    most: int = 0

    def take(self, number: int) -> None:
        if self.free:
            self.places[number] = self.free.pop()
            return
        self.places[number] = self.most
        self.most += 1


def kernel(whole: Whole) -> tuple[str, str]:
    """The kernel, and the function that launches it. Raises TooLarge."""
    values, masks = _places(whole)
    queues = _BUFFERS * (len(whole.loads) + len(whole.stores)) * 4
    an_element = queues + values.most * 4 + masks.most / 8
    tile = tile_of(an_element, several(whole.instructions))
    lines = [*_opening(whole, tile, values.most, masks.most)]
    lines += [*_write_copies_in(whole, values), ""]
    lines += [line(i, values, masks) for i in whole.instructions]
    lines += ["", *_write_copies_out(whole, values)]
    body = "\n".join(f"    {line}" if line else "" for line in lines)
    return f"{head(whole, ['int64_t length_'])}{body}\n    }}\n}}\n", _launch(whole, tile)


def tile_of(element: float, with_functions: bool) -> int:
    """How many elements of so many bytes fit into local memory. Raises TooLarge."""
    bytes = _BYTES_WITH_FUNCTIONS if with_functions else _BYTES
    tile = min(_TILE, int(bytes / element) // _STEP * _STEP)
    if tile == 0:
        raise TooLarge("it needs more values at a time than fit into local memory")
    return tile


def _places(whole: Whole) -> tuple[Slots, Slots]:
    return places(whole.instructions, whole.loads.values(), whole.stores.values())


def places(
    instructions: Sequence[Instruction],
    begins: Iterable[Vector],
    ends: Iterable[Vector],
    joined: Mapping[int, int] = MappingProxyType({}),  # results that take a value's place
) -> tuple[Slots, Slots]:
    """Where each value is, of those that are there at the beginning and at the end, too."""
    last: dict[int, int] = {}
    for at, instruction in enumerate(instructions):
        for value in instruction.given:
            if isinstance(value, Vector):
                last[value.number] = at
    end = len(instructions)
    last |= {value.number: end for value in ends}
    values, masks = Slots(), Slots()
    for value in begins:
        values.take(value.number)
    for at, instruction in enumerate(instructions):
        slots = masks if instruction.to.mask else values
        own = joined.get(instruction.to.number)
        if own is not None:
            slots.places[instruction.to.number] = slots.places[own]
        else:  # before what it reads is given up: they never overlap
            slots.take(instruction.to.number)
        for number in {v.number for v in instruction.given if isinstance(v, Vector)}:
            if last[number] == at and number != own:
                given = masks if number in masks.places else values
                given.free.append(given.places[number])
        if instruction.to.number not in last:
            slots.free.append(slots.places[instruction.to.number])
    return values, masks


def head(whole: Whole, extra: Sequence[str]) -> str:
    template = _template(whole, {*whole.elements.values()})
    given = [
        f"GM_ADDR {name}" if pointed else f"{_device_type(type, whole)} {name}"
        for name, type, pointed, _ in whole.parameters
    ]
    parameters = ", ".join([*given, *extra])
    return f"{template}__global__ __aicore__ void {whole.name}({parameters}) {{\n"


def _template(whole: Whole, used: set[str]) -> str:
    given = [
        f"{type or 'typename'} {name}" for name, type in whole.templates if type or name in used
    ]
    return f"template <{', '.join(given)}>\n" if given else ""


def _device_type(type: str, whole: Whole) -> str:
    floating = plain(type) in FLOATING or plain(type) in whole.floats or plain(type) in HALVES
    return "float" if floating else plain(type)


def _opening(whole: Whole, tile: int, values: int, masks: int) -> Iterator[str]:
    yield "using namespace AscendC;"
    yield f"constexpr uint32_t tile_ = {tile};"
    yield "TPipe pipe_;"
    for name in dict.fromkeys((*whole.loads, *whole.stores)):
        type = whole.elements[name]
        yield f"GlobalTensor<{type}> {name}_all_;"
        yield f"{name}_all_.SetGlobalBuffer(reinterpret_cast<__gm__ {type} *>({name}), length_);"
    for names, queue, position in (
        (whole.loads, "in", "VECIN"),
        (whole.stores, "out", "VECOUT"),
    ):
        for name in names:
            yield f"TQue<QuePosition::{position}, {_BUFFERS}> {name}_{queue}_;"
            size = f"tile_ * sizeof({whole.elements[name]})"
            yield f"pipe_.InitBuffer({name}_{queue}_, {_BUFFERS}, {size});"
    yield from buffers(values, masks)
    yield (
        "for (int64_t at_ = int64_t(GetBlockIdx()) * tile_; at_ < length_;"
        " at_ += int64_t(GetBlockNum()) * tile_) {"
    )
    yield "    const uint32_t count_ = length_ - at_ < tile_ ? uint32_t(length_ - at_) : tile_;"
    if any(i.name in _WHOLE | _ON_MASKS for i in whole.instructions):
        yield "    const uint32_t whole_ = (count_ + 63) / 64 * 64;"


def buffers(values: int, masks: int) -> Iterator[str]:
    """The tensors that hold values, and masks, of one tile."""
    if values:
        yield "TBuf<TPosition::VECCALC> values_;"
        yield f"pipe_.InitBuffer(values_, {values} * tile_ * sizeof(float));"
    for number in range(values):
        yield f"const LocalTensor<float> v{number}_ = values_.Get<float>()[{number} * tile_];"
    if masks:
        yield "// Comparisons take 64 at a time, also those after the last element."
        yield f"Duplicate(values_.Get<float>(), 0.0f, {values} * tile_);"
        yield "TBuf<TPosition::VECCALC> masks_;"
        yield f"pipe_.InitBuffer(masks_, {masks} * tile_ / 8);"
    for number in range(masks):
        place = f"masks_.Get<uint8_t>()[{number} * tile_ / 8]"
        yield f"const LocalTensor<uint8_t> m{number}_ = {place};"


def _write_copies_in(whole: Whole, values: Slots) -> Iterator[str]:
    for name in whole.loads:
        type = whole.elements[name]
        yield f"    {_write_guard(whole.guards.get(name))}{{"
        yield f"        LocalTensor<{type}> local_ = {name}_in_.template AllocTensor<{type}>();"
        size = f"uint32_t(count_ * sizeof({type}))"
        yield (
            f"        DataCopyPad(local_, {name}_all_[at_],"
            f" DataCopyExtParams{{1, {size}, 0, 0, 0}},"
            f" DataCopyPadExtParams<{type}>{{false, 0, 0, 0}});"
        )
        yield f"        {name}_in_.EnQue(local_);"
        yield "    }"
    for name, value in whole.loads.items():
        type, slot = whole.elements[name], f"v{values.places[value.number]}_"
        guard = whole.guards.get(name)
        yield f"    {_write_guard(guard)}{{"
        yield f"        LocalTensor<{type}> local_ = {name}_in_.template DeQue<{type}>();"
        yield from write_conversion(whole.floats, type, slot, "local_", "CAST_NONE")
        yield f"        {name}_in_.FreeTensor(local_);"
        yield "    }" + (f" else Duplicate({slot}, 0.0f, count_);" if guard else "")


def _write_guard(guard: str | None) -> str:
    return f"if ({guard}) " if guard else ""


def write_conversion(
    floats: frozenset[str], type: str, to: str, value: str, rounding: str
) -> Iterator[str]:
    same = f"Muls({to}, {value}, 1.0f, count_);"
    cast = f"Cast({to}, {value}, RoundMode::{rounding}, count_);"
    if type in floats:
        yield f"        if constexpr (std::is_same_v<{type}, float>) {same[:-1]};"
        yield f"        else {cast}"
    else:
        yield f"        {same if type == 'float' else cast}"


def line(instruction: Instruction, values: Slots, masks: Slots) -> str:
    def variable(value: Vector | str) -> str:
        if isinstance(value, str):
            return value
        slots, letter = (masks, "m") if value.mask else (values, "v")
        return f"{letter}{slots.places[value.number]}_"

    words = [variable(value) for value in (instruction.to, *instruction.given)]
    if instruction.name in _ON_MASKS:
        words = [f"{word}.ReinterpretCast<uint16_t>()" for word in words]
        return f"    {instruction.name}({', '.join(words)}, whole_ / 16);"
    if instruction.name == "Select":
        words.append("SELMODE::VSEL_TENSOR_TENSOR_MODE")
    count = "whole_" if instruction.name in _WHOLE else "count_"
    return f"    {instruction.name}({', '.join([*words, count])});"


def _write_copies_out(whole: Whole, values: Slots) -> Iterator[str]:
    for name, value in whole.stores.items():
        type, slot = whole.elements[name], f"v{values.places[value.number]}_"
        yield f"    {_write_guard(whole.kept.get(name))}{{"
        yield f"        LocalTensor<{type}> local_ = {name}_out_.template AllocTensor<{type}>();"
        yield from write_conversion(whole.floats, type, "local_", slot, "CAST_RINT")
        yield f"        {name}_out_.EnQue(local_);"
        yield f"        local_ = {name}_out_.template DeQue<{type}>();"
        size = f"uint32_t(count_ * sizeof({type}))"
        parameters = f"DataCopyExtParams{{1, {size}, 0, 0, 0}}"
        yield f"        DataCopyPad({name}_all_[at_], local_, {parameters});"
        yield f"        {name}_out_.FreeTensor(local_);"
        yield "    }"


def _shape(whole: Whole) -> Iterator[str]:
    """The grid and its blocks, in one dimension where the numbers of the elements are of two."""
    for name, number in (("grid_", "blockIdx.y"), ("block_", "threadIdx.y")):
        folded = f"{NAMESPACE}::Dim({name}.x * {name}.y, 1, {name}.z)"
        yield folded if number in whole.axes else name


def _length(whole: Whole) -> list[str]:
    bound = f"static_cast<int64_t>({whole.bound})"
    length = bound if whole.strided else f"std::min<int64_t>({bound}, threads_)"
    many = f" * {whole.width}" if whole.width > 1 else ""
    return [
        f"const int64_t threads_ = {NAMESPACE}::threads({', '.join(_shape(whole))}){many};",
        f"const int64_t length_ = threads_ > 0 ? {length} : 0;",
        "if (length_ <= 0) return;",
        *whole.checks,
    ]


def elementwise(whole: Whole, lines: Sequence[str]) -> str:
    """The function in place of a launch that does something else, with `length_` elements."""
    return _signature(whole) + "\n".join(
        (*_indent(_write_types(whole, [*_length(whole), *lines])), "}\n")
    )


def _launch(whole: Whole, tile: int) -> str:
    before = _length(whole)
    return write_launcher(whole, before, f"{NAMESPACE}::blocks(length_, {tile})", [], ["length_"])


def write_launcher(
    whole: Whole, before: Sequence[str], blocks: str, values: Sequence[str], names: Sequence[str]
) -> str:
    """The function that launches the kernel with the arguments that CUDA's has, and more."""
    used = [name for name, type in whole.templates if not type and name in whole.elements.values()]
    given = [
        f"{NAMESPACE}::address({name})" if pointed else _write_argument(name, type, whole)
        for name, type, pointed, _ in whole.parameters
    ]
    arguments = [
        f"typename {NAMESPACE}::Element<{name}>::type" if not type else name
        for name, type in whole.templates
        if type or name in used
    ]
    spelt = f"{whole.name}<{', '.join(arguments)}>" if arguments else whole.name
    own = [f"{name}_given_" for name, *_ in whole.parameters]
    lines = [*before]
    lines += ["const auto stream_ = c10_npu::getCurrentNPUStream().stream(false);"]
    lines += [f"const uint32_t blocks_ = {blocks};"]
    lines += [f"const auto {n} = {value};" for n, value in zip(own, given, strict=True)]
    lines += [f"const auto {n} = {value};" for n, value in zip(names, values, strict=False)]
    lines += [f'at_npu::native::OpCommand::RunOpApiV2("{whole.name}", [=]() -> int {{']
    lines += [f"    {spelt}<<<blocks_, nullptr, stream_>>>({', '.join([*own, *names])});"]
    lines += ["    return 0;", "});"]
    return _signature(whole) + "\n".join((*_indent(_write_types(whole, lines)), "}\n"))


def _write_types(whole: Whole, lines: Sequence[str]) -> list[str]:
    """Only for types that an NPU has."""
    used = [name for name, type in whole.templates if not type and name in whole.elements.values()]
    if not used:
        return list(lines)
    none = " || ".join(f"std::is_void_v<typename {NAMESPACE}::Element<{n}>::type>" for n in used)
    said = f'TORCH_CHECK(false, "{whole.name}: not for this type on an NPU");'
    return [f"if constexpr ({none}) {{", f"    {said}", "} else {", *_indent(lines), "}"]


def _indent(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _signature(whole: Whole) -> str:
    given = [f"const {NAMESPACE}::Dim &grid_", f"const {NAMESPACE}::Dim &block_"]
    for name, type, pointed, constant in whole.parameters:
        element = HALVES.get(plain(pointed), pointed)
        first = f"{'const ' if constant else ''}{element} *" if pointed else f"{type} "
        given.append(first + name)
    template = ", ".join(f"{type or 'typename'} {name}" for name, type in whole.templates)
    head = f"template <{template}>\n" if template else ""
    return f"{head}void launch_{whole.name}({', '.join(given)}) {{\n"


def _write_argument(name: str, type: str, whole: Whole) -> str:
    is_float = plain(type) in FLOATING or plain(type) in whole.floats or plain(type) in HALVES
    return f"static_cast<float>({name})" if is_float else name
