"""The text of a kernel that goes over rows: what a block of CUDA's does is a turn of its loop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate import emit
from porter.targets.torch_npu.translate.emit import Slots
from porter.targets.torch_npu.translate.functions import several
from porter.targets.torch_npu.translate.instructions import Instruction, Pointer, Vector
from porter.targets.torch_npu.translate.prelude import NAMESPACE

_REDUCED = {"+": "ReduceSum(one_, {v}, work_, tile_)"}
_REDUCED |= {
    "max": "ReduceMax(one_, {v}, work_, tile_, false)",
    "min": "ReduceMin(one_, {v}, work_, tile_, false)",
}


@dataclass(frozen=True, slots=True)
class Sum:
    """What the columns of a row are added up to, or their greatest or least."""

    name: str
    operator: str
    first: str
    begin: Vector
    end: Vector


@dataclass(frozen=True, slots=True)
class Loop:
    limit: str
    instructions: Sequence[Instruction]
    loads: Mapping[str, tuple[Pointer, Vector]]
    stores: Mapping[str, tuple[Pointer, Vector]]
    sums: Sequence[Sum]
    guards: Mapping[str, str]


@dataclass(slots=True)
class Writer:
    floats: frozenset[str]
    lines: list[str] = field(default_factory=list)
    depth: int = 2
    names: set[str] = field(default_factory=set)
    constants: dict[str, str] = field(default_factory=dict)  # lines of constants, by name
    used: set[str] = field(default_factory=set)  # pointers
    values: int = 1
    masks: int = 0
    sums: bool = False
    several: bool = False

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def open(self, text: str) -> None:
        self.line(text)
        self.depth += 1

    def middle(self, text: str) -> None:
        self.depth -= 1
        self.open(text)

    def close(self) -> None:
        self.depth -= 1
        self.line("}")

    def name(self, wanted: str) -> str:
        number, name = 1, f"{wanted}_"
        while name in self.names or name in _OWN:
            number += 1
            name = f"{wanted}{number}_"
        self.names.add(name)
        return name

    def constant(self, wanted: str, type: str, value: str) -> str:
        name = self.name(wanted)
        self.line(f"const {type} {name} = {value};")
        self.constants[name] = self.lines[-1]
        return name

    def insert(self, texts: Sequence[tuple[int, int, str]]) -> None:
        """Lines at places of what is written: place, depth, text."""
        for place, depth, text in sorted(texts, key=lambda t: -t[0]):
            self.lines.insert(place, "    " * depth + text)

    # ------------------------------------------------------------------- memory

    def _size(self, pointer: Pointer, count: str) -> str:
        """The parameters of a copy, of a pointer that is used from now on."""
        self.used.add(pointer.base or pointer.name)
        own = f"sizeof({pointer.type})"
        size = own if count == "1" else f"uint32_t({count} * {own})"
        return f"DataCopyExtParams{{1, {size}, 0, 0, 0}}"

    def _write_copy_in(self, pointer: Pointer, place: str, count: str, slot: str) -> Iterator[str]:
        type, copied = pointer.type, self._size(pointer, count)
        yield f"LocalTensor<{type}> local_ = in_.template AllocTensor<{type}>();"
        yield (
            f"DataCopyPad(local_, {pointer.base or pointer.name}_all_[{place}], {copied},"
            f" DataCopyPadExtParams<{type}>{{false, 0, 0, 0}});"
        )
        yield "in_.EnQue(local_);"
        yield f"local_ = in_.template DeQue<{type}>();"
        for text in emit.write_conversion(self.floats, type, slot, "local_", "CAST_NONE"):
            yield text.strip().replace("count_", count)
        yield "in_.FreeTensor(local_);"

    def _write_copy_out(self, pointer: Pointer, place: str, count: str, slot: str) -> Iterator[str]:
        type, copied = pointer.type, self._size(pointer, count)
        yield f"LocalTensor<{type}> local_ = out_.template AllocTensor<{type}>();"
        for text in emit.write_conversion(self.floats, type, "local_", slot, "CAST_RINT"):
            yield text.strip().replace("count_", count)
        yield "out_.EnQue(local_);"
        yield f"local_ = out_.template DeQue<{type}>();"
        yield f"DataCopyPad({pointer.base or pointer.name}_all_[{place}], local_, {copied});"
        yield "out_.FreeTensor(local_);"

    def _block(self, head: str, lines: Iterator[str], end: str = "}") -> None:
        self.open(f"{head}{{")
        for text in lines:
            self.line(text)
        self.depth -= 1
        self.line(end)

    def load_one(self, pointer: Pointer, offset: str) -> str:
        name = self.name(pointer.name)
        self.line(f"float {name};")
        lines = [
            *self._write_copy_in(pointer, offset, "1", "v0_"),
            f"{name} = {NAMESPACE}::first(v0_);",
        ]
        self._block("", iter(lines))
        return name

    def store_one(self, pointer: Pointer, offset: str, value: str) -> None:
        lines = [f"Duplicate(v0_, {value}, 8);", *self._write_copy_out(pointer, offset, "1", "v0_")]
        self._block("", iter([*lines, "PipeBarrier<PIPE_ALL>();"]))

    def once(self, instructions: Sequence[Instruction], result: Vector) -> str:
        """What the vector unit computes of one number."""
        values, masks = emit.places(instructions, (), (result,))
        self._most(values, masks, instructions)
        name = self.name("value")
        self.line(f"float {name};")
        head = ["constexpr uint32_t count_ = 8;"]
        head += ["constexpr uint32_t whole_ = 64;"] if masks.most else []
        lines = [emit.line(i, values, masks).strip() for i in instructions]
        last = f"{name} = {NAMESPACE}::first(v{values.places[result.number]}_);"
        self._block("", iter([*head, *lines, last]))
        return name

    def _most(self, values: Slots, masks: Slots, made: Sequence[Instruction]) -> None:
        self.values = max(self.values, values.most)
        self.masks = max(self.masks, masks.most)
        self.several |= several(made)

    # --------------------------------------------------------------------- loop

    def columns(self, loop: Loop) -> None:
        begins = [total.begin for total in loop.sums]
        ends = [total.end for total in loop.sums] + [v for _, v in loop.stores.values()]
        by_number = {i.to.number: i for i in loop.instructions}
        joined = {
            total.end.number: total.begin.number
            for total in loop.sums
            if by_number[total.end.number].name == "Add"
            and total.begin in by_number[total.end.number].given
        }
        loads = [vector for _, vector in loop.loads.values()]
        values, masks = emit.places(loop.instructions, [*begins, *loads], [*begins, *ends], joined)
        self._most(values, masks, loop.instructions)

        def slot(vector: Vector) -> str:
            return f"v{values.places[vector.number]}_"

        for total in loop.sums:
            self.line(f"Duplicate({slot(total.begin)}, {total.first}, tile_);")
        self.line(f"for (int64_t at_ = 0; at_ < {loop.limit}; at_ += tile_) {{")
        self.depth += 1
        self.line(f"const int64_t left_ = {loop.limit} - at_;")
        self.line("const uint32_t count_ = left_ < tile_ ? uint32_t(left_) : tile_;")
        if masks.most:
            self.line("const uint32_t whole_ = (count_ + 63) / 64 * 64;")
        for name, (pointer, vector) in loop.loads.items():
            guard = loop.guards.get(name)
            place = f"{pointer.offset} + at_" if pointer.offset != "0" else "at_"
            lines = self._write_copy_in(pointer, place, "count_", slot(vector))
            end = f"}} else Duplicate({slot(vector)}, 0.0f, count_);" if guard else "}"
            self._block(f"if ({guard}) " if guard else "", lines, end)
        for instruction in loop.instructions:
            self.line(emit.line(instruction, values, masks).strip())
        for total in loop.sums:
            if total.end.number not in joined:
                self.line(f"Muls({slot(total.begin)}, {slot(total.end)}, 1.0f, count_);")
        for name, (pointer, vector) in loop.stores.items():
            guard = loop.guards.get(name)
            place = f"{pointer.offset} + at_" if pointer.offset != "0" else "at_"
            lines = self._write_copy_out(pointer, place, "count_", slot(vector))
            self._block(f"if ({guard}) " if guard else "", lines)
        self.close()
        if loop.stores:
            self.line("PipeBarrier<PIPE_ALL>();  // what was written may be read again")
        for total in loop.sums:
            self.sums = True
            self.line(_REDUCED[total.operator].format(v=slot(total.begin)) + ";")
            self.line(f"const float {total.name} = {NAMESPACE}::first(one_);")

    # -------------------------------------------------------------------- whole

    def body(self) -> list[str]:
        """The lines, without constants that nothing is made of."""
        lines = list(self.lines)
        while True:
            text = "\n".join(lines)
            unused = {
                line
                for name, line in self.constants.items()
                if line in lines and len(re.findall(rf"\b{name}\b", text)) == 1
            }
            if not unused:
                return lines
            lines = [line for line in lines if line not in unused]


_OWN = frozenset(
    (
        *("tile_", "at_", "left_", "count_", "whole_", "pipe_", "in_", "out_", "values_"),
        *("masks_", "local_", "work_", "one_", "block_", "block_x_", "block_y_", "block_z_"),
        *("grid_x_", "grid_y_", "grid_z_", "rows_", "scratch_", "blocks_", "stream_"),
    )
)
_GRID = ("uint32_t grid_x_", "uint32_t grid_y_", "uint32_t grid_z_")


def kernel(
    whole: emit.Whole,
    writer: Writer,
    integers: Mapping[str, str],
    checks: Sequence[str],
    shape: Sequence[str] = (),
) -> tuple[str, str]:
    """The kernel, and the function that launches it. Raises TooLarge."""
    element = 4 * 4 + writer.values * 4 + writer.masks / 8 + (4 if writer.sums else 0)
    tile = emit.tile_of(element, writer.several)
    lines = [f"    {text}" for text in _opening(whole, writer, integers, tile)]
    lines += [*writer.body(), "    }", "}", ""]
    plain = 'TORCH_CHECK(block_.y * block_.z == 1, "a block in one dimension was expected");'
    grid = "rows_" if shape else "grid_"
    launch = emit.write_launcher(
        whole,
        [
            *(shape or [plain]),
            *checks,
            f"const int64_t total_ = {grid}.x * {grid}.y * {grid}.z;",
            "if (total_ <= 0) return;",
        ],
        f"{NAMESPACE}::blocks(total_, 1)",
        [f"static_cast<uint32_t>({grid}.{axis})" for axis in "xyz"],
        [name.split()[1] for name in _GRID],
    )
    return emit.head(whole, _GRID) + "\n".join(lines), launch


def _opening(
    whole: emit.Whole, writer: Writer, integers: Mapping[str, str], tile: int
) -> Iterator[str]:
    yield "using namespace AscendC;"
    yield f"constexpr int64_t tile_ = {tile};"
    yield "TPipe pipe_;"
    for name in (p[0] for p in whole.parameters):
        if name in writer.used:
            type = integers.get(name) or whole.elements[name]
            yield f"GlobalTensor<{type}> {name}_all_;"
            yield f"{name}_all_.SetGlobalBuffer(reinterpret_cast<__gm__ {type} *>({name}));"
    yield "TQue<QuePosition::VECIN, 2> in_;"
    yield "pipe_.InitBuffer(in_, 2, tile_ * sizeof(float));"
    yield "TQue<QuePosition::VECOUT, 2> out_;"
    yield "pipe_.InitBuffer(out_, 2, tile_ * sizeof(float));"
    yield from emit.buffers(writer.values, writer.masks)
    if writer.sums:
        yield "TBuf<TPosition::VECCALC> scratch_;"
        yield "pipe_.InitBuffer(scratch_, (tile_ + 8) * sizeof(float));"
        yield "const LocalTensor<float> one_ = scratch_.Get<float>();"
        yield "const LocalTensor<float> work_ = scratch_.Get<float>()[8];"
    yield "// What a block of threads did is a turn of this loop."
    yield (
        "for (int64_t block_ = GetBlockIdx(); block_ < int64_t(grid_x_) * grid_y_ * grid_z_;"
        " block_ += GetBlockNum()) {"
    )
    yield "    const uint32_t block_x_ = block_ % grid_x_;"
    yield "    const uint32_t block_y_ = block_ / grid_x_ % grid_y_;"
    yield "    const uint32_t block_z_ = block_ / grid_x_ / grid_y_;"
