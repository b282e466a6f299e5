"""Kernels whose blocks of threads go over rows."""

from __future__ import annotations

from porter.targets.torch_npu.translate import emit, row_text, rows
from porter.targets.torch_npu.translate.arithmetic import Source
from porter.targets.torch_npu.translate.instructions import Pointer, Scalar
from porter.targets.torch_npu.translate.prelude import NAMESPACE
from porter.targets.torch_npu.translate.readings import readings
from porter.targets.torch_npu.translate.syntax import (
    Expression,
    Statement,
    Untranslatable,
    is_integer,
    plain,
)
from porter.targets.torch_npu.translate.vector import Body
from porter.targets.torch_npu.translate.written import Written


def translate(own: Written) -> tuple[str, str]:
    """The kernel and the function that launches it. Raises Untranslatable."""
    pointers: dict[str, Pointer] = {}
    integers: dict[str, str] = {}
    for parameter in own.parameters:
        if parameter.pointer and is_integer(parameter.type):
            integers[parameter.name] = plain(parameter.type)
        elif parameter.pointer:
            pointers[parameter.name] = own.pointer(parameter)
    flags = {t.name: Scalar(t.name, "bool") for t in own.templates if t.type == "bool"}
    source = Source(
        pointers=pointers,
        integers=integers,
        scalars=own.scalars() | flags,
        templates=tuple(t.name for t in own.templates if t.type and t.type != "bool"),
        floats=own.floats,
        constants=own.constants,
        numbers=own.numbers(),
        function=own.device,
    )
    writer, checks, shape = _read_as_rows(source, own.statements, own.at)
    said = [check.replace("{name}", own.function.name) for check in checks]
    try:
        return row_text.kernel(own.whole(pointers), writer, integers, said, shape)
    except emit.TooLarge as error:
        raise Untranslatable(str(error), own.at) from None


def _read_as_rows(
    source: Source, statements: tuple[Statement, ...], at: int
) -> tuple[row_text.Writer, tuple[str, ...], list[str]]:
    """Its loops, checks of a launch, and in what shape it is launched in another one's stead."""
    first: tuple[str, int] | None = None
    numbers = [n for n, value in source.scalars.items() if value.type == "int"]
    for reading in readings(statements, numbers, source.numbers):
        try:
            writer, checks = rows.translate_rows(source, reading.statements, at, reading.sizes)
        except Untranslatable as why:
            first = first or (why.reason, why.at)
            continue
        if not reading.grid:
            return writer, checks, []
        if reading.sizes == (1,) and not any("at_ += tile_" in line for line in writer.lines):
            continue  # a number a row: that is no work for a vector unit
        checks = tuple(check.replace("block_.x", "threads_.x") for check in checks)
        try:
            columns, parts = (
                _spell_number(source, reading.columns),
                _spell_number(source, reading.parts),
            )
        except Untranslatable as why:
            first = first or (why.reason, why.at)
            continue
        shape = list(reading.checks)
        if reading.axis:
            threads = f"grid_.{reading.axis} * block_.{reading.axis}"
            said = '"a thread for each column was expected"'
            shape.append(f"TORCH_CHECK({threads} >= {columns}, {said});")
        grid = reading.grid
        if reading.parts:
            shape.append(f'TORCH_CHECK({parts} > 0, "a division by 0");')
            grid = f"{NAMESPACE}::Dim(({columns} + {parts} - 1) / {parts})"
        shape.append(f"const {NAMESPACE}::Dim rows_ = {grid};")
        if checks:
            shape.append(f"const {NAMESPACE}::Dim threads_ = {reading.block};")
        return writer, checks, shape
    assert first is not None
    raise Untranslatable(*first)


def _spell_number(source: Source, number: Expression | None) -> str:
    """A number as the function that launches the kernel says it."""
    if number is None:
        return ""
    body = Body({}, "", source.floats, source.constants, source.function)
    body.state.names |= source.scalars
    value = body.value(number)
    if not isinstance(value, Scalar):
        raise Untranslatable("a column index as the number of columns", number.at)
    return f"static_cast<int64_t>({value.text})"
