"""A file that launches kernels -> operators of a package, and a binding that calls them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from porter.ascend.cpp_pieces import pieces
from porter.ascend.tree import snake
from porter.languages.cpp import Function
from porter.targets.conversion import Left
from porter.targets.torch_npu.routes import converters, kernels, launches, package, schema
from porter.targets.torch_npu.routes.aclnn_files import (
    LaunchedOperator,
    device_file,
    host_file,
    package_files,
)
from porter.targets.torch_npu.routes.launches import Launch
from porter.targets.torch_npu.routes.model import Result
from porter.targets.torch_npu.routes.package import Definition, Operand
from porter.targets.torch_npu.routes.syntax import Files, Reader, Refused
from porter.targets.torch_npu.routes.tiling import FIELDS, Tiling, argument

_MADE = ("empty", "empty_like")
_TO_BUILD = (
    "the package's build files: `msopgen gen -i {json} -c ai_core-ascend910b -lan cpp "
    "-out package` creates them, on a machine with CANN; copy op_host and op_kernel there"
)


def convert(files: Files, path: str) -> Result:
    """The files that take the place of one that launches. Raises Refused where one of its launches
    is none that an operator can take the place of: the file stays as it is."""
    reader = files.reader(path)
    if not launches.launches(reader):
        raise Refused("its kernels are launched by macros or wrapper functions, not with <<<>>>")
    found = [launches.read(files, path, at) for at in launches.launches(reader)]
    opp = package.folder_of([*files.tree], path)
    by_kernel: dict[str, LaunchedOperator] = {}
    left: list[Left] = []
    calls = []
    for launch in found:
        operator = _operator(reader, launch, path, left)
        known = by_kernel.setdefault(launch.kernel.name, operator)
        if known.definition != operator.definition:
            operator = _merge_launches(known, operator, reader)
            by_kernel[launch.kernel.name] = operator
        calls.append(operator)
    made: dict[str, bytes | None] = {}
    header, device = device_file(files, path, {k.kernel.name: k.kernel.path for k in found}, opp)
    made.update(device)
    for operator in by_kernel.values():
        made.update(package_files(operator, opp, header, files))
        name = operator.definition.kernel
        left.append(
            Left(f"{opp}/{name}.json", 1, name, _TO_BUILD.format(json=f"{opp}/{name}.json"))
        )
        left += [
            Left(
                f"{opp}/op_host/{name}.cpp",
                1,
                name,
                f"the allocation of {each.name} does not show its shape: "
                "InferShape fails until you write it",
            )
            for each in operator.definition.outputs
            if each.like is None
        ]
    host = host_file(files, path, [(o, by_kernel[o.launch.kernel.name]) for o in calls])
    new = path.removesuffix(".asc") + ".cpp" if path.endswith(".asc") else path
    if new != path:
        if new in files.tree:
            raise Refused(f"{new} already exists")
        made[path] = None
    made[new] = host
    operators = tuple(o.definition.name for o in by_kernel.values())
    untold = {each.name for each in left if each.name in operators}
    for operator in by_kernel.values():
        if operator.definition.name not in untold:
            _converters(files, reader, operator, made, left)
    placed = tuple(_move_place(each, path, new, host) for each in left)
    return Result(made, placed, operators, ((path, new),) if new != path else ())


def _move_place(left: Left, path: str, new: str, host: bytes) -> Left:
    """A place in the file that is gone as one in that which took its place."""
    if left.path != path:
        return left
    number = re.match(r"`(\w+)` is computed", left.reason)
    wanted = f"{number[1]}_given" if number else f'"{left.name}('
    at = max(host.find(wanted.encode()), 0)
    return replace(left, path=new, line=host[:at].count(b"\n") + 1)


# ---------------------------------------------------------------- operators


def _operator(reader: Reader, launch: Launch, path: str, left: list[Left]) -> LaunchedOperator:
    kernel, line = launch.kernel, reader.line(launch.at)
    inputs, outputs = launches.order(kernel)
    if not inputs or not outputs:
        raise Refused(f"`{kernel.name}` has no input or no output", line)
    pointers = [p.name for p in kernel.parameters if p.pointer]
    tensor_of = dict(zip(pointers, launch.tensors, strict=True))
    places = {
        tensor_of[each.name]: (side, number, each.name)
        for side, group in (("Output", outputs), ("Input", inputs))
        for number, each in enumerate(group)
    }
    elements = {t.type: tensor_of[t.name] for t in (*outputs, *inputs)}
    tiling = Tiling(reader, launch.function, places, elements)
    fields, untold = [], []
    for parameter, (first, last) in zip(kernel.parameters, launch.arguments, strict=True):
        if parameter.pointer:
            continue
        kind = FIELDS.get(parameter.type.replace("const", "").strip())
        if kind is None:
            raise Refused(f"`{parameter.name}` has the type `{parameter.type}`", line)
        value, told = tiling.value(first, last, parameter.name, kind)
        untold += [] if told else [parameter.name]
        fields.append((kind, parameter.name, value))
    blocks, told = tiling.value(*launch.blocks, "block_dim", "uint32_t")
    untold += [] if told else ["block_dim"]
    name = package.camel(kernel.name)
    left += [
        Left(
            path,
            line,
            name,
            f"`{each}` is computed by the host as before and passed as an attribute: "
            "write the value that a graph's converter passes",
        )
        for each in untold
    ]
    definition = Definition(
        name=name,
        kernel=snake(name),
        source=f"`{kernel.name}` of {posixpath.basename(path)}",
        inputs=tuple(_operand(t, launch) for t in inputs),
        outputs=tuple(
            _operand(t, launch, _find_like(reader, launch, tensor_of, t.name, inputs))
            for t in outputs
        ),
        attributes=tuple(tiling.attributes),
        fields=tuple(fields),
        statements=tuple(tiling.lines),
        constants=tuple(tiling.constants.values()),
        blocks=blocks,
    )
    types = {
        p.name: p.type.replace("const", "").replace("&", "").strip()
        for p in reader.parameters(launch.function)
    }
    given = [argument(attribute, types) for attribute in tiling.attributes]
    names = [*(tensor_of[t.name] for t in inputs), *(n for _, n in given)]
    names += [tensor_of[t.name] for t in outputs]
    return LaunchedOperator(launch, definition, tuple(d for d, _ in given if d), tuple(names))


def _operand(tensor: kernels.Tensor, launch: Launch, like: int | None = None) -> Operand:
    found = []
    for types in launch.types:
        kind = kernels.GE_TYPES.get(types.get(tensor.type, tensor.type))
        if kind is None:
            raise Refused(f"`{tensor.name}` has elements of the type `{tensor.type}`")
        found.append(kind)
    return Operand(tensor.name, tuple(found), like)


def _merge_launches(
    known: LaunchedOperator, other: LaunchedOperator, reader: Reader
) -> LaunchedOperator:
    """The same kernel launched for other types, else Refused."""
    one, two = known.definition, other.definition

    def plain(made: Definition) -> tuple[object, ...]:
        return (
            made.attributes,
            made.fields,
            made.statements,
            made.blocks,
            [o.like for o in made.outputs],
        )

    if plain(one) != plain(two):
        raise Refused(
            f"`{known.launch.kernel.name}` is launched in two ways", reader.line(other.launch.at)
        )
    rows_one = list(zip(*(o.types for o in (*one.inputs, *one.outputs)), strict=True))
    rows_two = list(zip(*(o.types for o in (*two.inputs, *two.outputs)), strict=True))
    columns = list(zip(*dict.fromkeys([*rows_one, *rows_two]), strict=True))
    operands = [
        Operand(o.name, tuple(types), o.like)
        for o, types in zip((*one.inputs, *one.outputs), columns, strict=True)
    ]
    count = len(one.inputs)
    both = Definition(
        name=one.name, kernel=one.kernel, source=one.source,
        inputs=tuple(operands[:count]), outputs=tuple(operands[count:]),
        attributes=one.attributes, fields=one.fields, statements=one.statements,
        constants=one.constants, blocks=one.blocks,
    )  # fmt: skip
    return LaunchedOperator(known.launch, both, known.before, known.given)


def _converters(
    files: Files,
    reader: Reader,
    operator: LaunchedOperator,
    made: dict[str, bytes | None],
    left: list[Left],
) -> None:
    """A converter for each operator of torch's that does nothing else than call this one."""
    own = pieces(reader.unit)
    tensor_of = dict(
        zip((t.name for t in operator.launch.kernel.tensors), operator.launch.tensors, strict=True)
    )
    wanted = [tensor_of[each.name] for each in operator.definition.inputs]
    wanted += [each.value for each in operator.definition.attributes]
    scopes = [*_scopes(reader, operator.launch.function)]
    for defined in own.schemas:
        impls = [i for i in own.impls if (i.space, i.name) == (defined.space, defined.name)]
        names = {name for i in impls if i.key == "PrivateUse1" for name in i.uses}
        scope = next(((f, given) for f, given in scopes if f.name in names), None)
        if scope is None or defined.key:
            continue
        function, renamed = scope
        try:
            read = schema.read(defined.text)
        except Refused as error:
            reason = f"no converter for graphs was written: {error.reason}"
            left.append(Left(reader.unit.path, defined.line, defined.name, reason))
            continue
        arguments = [a.name for a in read.arguments]
        places = [p.name for p in reader.parameters(function)]
        values = [_origin(reader, function, renamed.get(each, each)) for each in wanted]
        path = converters.place(files.tree, defined.space)
        if path is None or len(places) != len(arguments) or not {*values} <= {*places}:
            reason = "no converter for graphs was written: " + (
                "no file contains converters" if path is None else "the host computes its arguments"
            )
            left.append(Left(reader.unit.path, defined.line, defined.name, reason))
            continue
        given = [arguments[places.index(value)] for value in values]
        text = converters.text(defined.space, read, operator.definition, given, read.defaults)
        old = made.get(path) or files.tree[path]
        made[path] = old.rstrip(b"\n") + b"\n" + text.encode()


def _find_like(
    reader: Reader,
    launch: Launch,
    tensor_of: dict[str, str],
    output: str,
    inputs: tuple[kernels.Tensor, ...],
) -> int | None:
    """The number of the input whose shape an output is allocated with, wherever that is."""
    calls = _scopes(reader, launch.function)
    found = set()
    for function, names in calls:
        made = _find_allocation(reader, function, names.get(tensor_of[output], tensor_of[output]))
        own = {
            _origin(reader, function, names.get(tensor_of[t.name], tensor_of[t.name])): k
            for k, t in reversed(list(enumerate(inputs)))
        }
        found.add(own.get(_origin(reader, function, made)) if made else None)
    return found.pop() if len(found) == 1 else None


def _scopes(reader: Reader, function: Function) -> Iterator[tuple[Function, dict[str, str]]]:
    """The functions that call one, with what they call its parameters; itself, if none does."""
    parameters = [p.name for p in reader.parameters(function)]
    seen = False
    for at in reader.code.places(function.name):
        around = reader.code.function_at(at)
        opening = at + 1
        while reader.word(opening) not in ("(", ";", "{", "}", ",", ")"):
            opening += 1
        if around in (None, function) or reader.word(opening) != "(":
            continue
        assert around is not None
        given = [reader.code.text(*each) for each in reader.code.arguments(opening)]
        if len(given) == len(parameters):
            seen = True
            yield around, dict(zip(parameters, given, strict=True))
    if not seen:
        yield function, {}


def _find_allocation(reader: Reader, function: Function, name: str) -> str:
    """`at::empty(a.sizes(), ...)`, `at::empty_like(a)`: a."""
    local = reader.local(function, name)
    if local is None:
        return ""
    words = reader.words(local.first, local.last)
    place = next((k for k, w in enumerate(words) if w in _MADE), None)
    if place is None:
        return ""
    inner = reader.code.arguments(local.first + place + 1)
    given = reader.words(*inner[0]) if inner else []
    if words[place] == "empty_like" and len(given) == 1:
        return given[0]
    return given[0] if given[1:] == [".", "sizes", "(", ")"] else ""


def _origin(reader: Reader, function: Function, name: str) -> str:
    """The tensor that one is the contiguous form of."""
    local = reader.local(function, name)
    words = reader.words(local.first, local.last) if local else []
    if words[1:] == [".", "contiguous", "(", ")"]:
        return _origin(reader, function, words[0])
    return name


# -------------------------------------------------------------------- files
