"""A function of torch's tensors -> one that makes outputs, and has a runner do the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from porter.languages.cpp import Function
from porter.languages.cpp_tokens import Range
from porter.targets.mindspore.plugin.launches import texts
from porter.targets.mindspore.plugin.streams import Launched, OnStream, closing_of_call
from porter.targets.mindspore.plugin.words import (
    ADDRESSES,
    FACTORIES,
    SPACES,
    Rewriter,
    optional_types,
    tensors_in,
)
from porter.targets.torch_npu.routes.syntax import Parameter, Reader, Refused

POINTERS = (*ADDRESSES, "accessor", "packed_accessor32", "packed_accessor64")
GUARDS = ("OptionalDeviceGuard", "DeviceGuard", "NPUGuard", "CUDAGuard", "OptionalCUDAGuard")
DEVICE = frozenset(("device", "is_cpu", "is_cuda", "is_privateuseone", "is_npu", "utils"))
_BESIDE = frozenset((".", "(", ")", "&&", "!", "::", "torch_npu", ","))
_TUPLE = re.compile(r"std::tuple<ms::Tensor(, ms::Tensor)*>")  # as a runner's results are given
_INDENT, _DEEPER = "    ", "        "


@dataclass(slots=True)
class Host:
    """A bound function, while it is written."""

    reader: Reader
    function: Function
    parameters: list[Parameter]
    rewriter: Rewriter
    on_stream: OnStream = field(default_factory=OnStream)
    made: set[str] = field(default_factory=set)  # tensors that it makes, of no contents
    filled: set[str] = field(default_factory=set)  # and with contents

    @property
    def launched(self) -> Launched:
        """What it does on a stream."""
        return self.on_stream.launched.get(self.function.name) or Launched()

    @property
    def is_on_stream(self) -> bool:
        """Whether it launches a kernel, or calls a function that does in its run."""
        words = self.reader.words(self.function.opening, self.function.closing)
        return bool(self.launched.launches) or not self.on_stream.runs.isdisjoint(words)

    @property
    def tensor_parameter(self) -> str:
        """A tensor that it is given, which it may write to if there is one. Raises Refused."""
        own = [p for p in self.parameters if "Tensor" in p.type and "optional" not in p.type]
        for parameter in sorted(own, key=lambda p: "const" in p.type):
            return parameter.name
        raise Refused(
            f"{self.function.name} has no tensor argument", self.reader.line(self.function.head)
        )

    @property
    def results(self) -> int:
        """How many tensors it gives. Raises Refused for what is none."""
        reader, function = self.reader, self.function
        head = reader.words(function.head, reader.opening_of(function) - 2)
        kept = [w for w in head if w not in ("static", "inline", *SPACES, "::", "&")]
        if kept == ["Tensor"]:
            return 1
        if kept[:3] == ["std", "tuple", "<"] and {*kept[3:]} == {"Tensor", ",", ">"}:
            return kept.count("Tensor")
        if kept == ["void"]:
            return 0
        raise Refused(
            f"`{' '.join(kept)}` is the result of {function.name}", reader.line(function.head)
        )

    def text(self) -> str:
        """The function as the plugin has it. Raises Refused."""
        reader, function = self.reader, self.function
        self.rewriter.tensors = {*tensors_in(reader, function.head, function.closing)}
        self.rewriter.optional = {*_find_optional(reader, function)}
        statements = [*_statements(reader, function.opening + 1, function.closing)]
        made = [*_find_factories(reader, statements, self.rewriter.tensors)]
        self.made = {name for name, factory in made if factory.startswith("empty")}
        self.filled = {name for name, _ in made} - self.made
        self.rewriter.written = self._find_written()
        self.rewriter.made = self.made | self.filled
        self.rewriter.replaced = self.write_launches()
        statements = [one for one in statements if one not in self.launched.dropped]
        computes = self._find_computing(statements)
        _require_one_return(reader, statements, computes)
        head = self.rewriter.text(function.head, function.opening)
        head = _TUPLE.sub("std::vector<ms::Tensor>", head)
        host: list[str] = []
        launch: list[str] = []
        for number, (first, last) in enumerate(statements):
            if number in computes:
                launch.append(self._lay_out(first, self.rewriter.text(first, last), _DEEPER))
            elif not self._is_device_guard(first, last):
                host.append(self._lay_out(first, self.rewriter.text(first, last), _INDENT))
        if launch:
            returns = bool(statements) and self.reader.word(statements[-1][0]) == "return"
            queued = self._write_launch(launch, [statements[n] for n in sorted(computes)])
            host.insert(len(host) - returns, queued)
        return "\n".join([head, *host, "}"])

    def _lay_out(self, first: int, text: str, indent: str) -> str:
        """A statement with the comments before it, indented for where it goes."""
        data, start = self.reader.unit.data, self.reader.code.tokens[first].start
        line = data.rfind(b"\n", 0, start) + 1
        own = data[line:start].decode("utf-8", "replace")
        own = own if not own.strip() else ""
        before = data[self.reader.code.tokens[first - 1].end : start].decode("utf-8", "replace")
        comments = [each.strip() for each in before.split("\n") if each.strip()]
        lines = text.split("\n")
        rest = (f"{indent}{each.removeprefix(own)}" if each.strip() else "" for each in lines[1:])
        return "\n".join([*(indent + each for each in comments), indent + lines[0], *rest])

    def _find_written(self) -> set[str]:
        """The tensors that a kernel may write to: those that the function makes, and parameters
        that are no constants."""
        own = (p.name for p in self.parameters if "Tensor" in p.type and "const" not in p.type)
        return {*self.made, *self.filled, *own}

    def _write_launch(self, launch: list[str], statements: list[Range]) -> str:
        """The run of the statements that take addresses."""
        places = [*statements, *self.launched.places]
        words = {w for first, last in places for w in self.reader.words(first, last)}
        used = [name for name in sorted(self.rewriter.tensors) if name in words]
        written = self._find_written()
        # what is written in place is an input as well: the run has to wait for what it holds
        inputs = ", ".join(name for name in used if name not in self.made)
        outputs = ", ".join(name for name in used if name in written)
        run, stream = ("RunOnStream", "void *stream") if self.is_on_stream else ("RunLaunch", "")
        given = f'"{self.function.name}", {{{inputs}}}, {{{outputs}}}'
        start = f"    {run}({given}, [=]({stream}) mutable {{"
        return "\n".join([start, *launch, "    });"])

    def write_launches(self) -> dict[int, tuple[str, int]]:
        """What stands for the statements that launch kernels, by their first tokens, and for what
        gives the stream in calls. Raises Refused."""
        one, given, blocks = self.launched, [], []
        replaced = {call.argument[0]: (one.stream, call.argument[1] + 1) for call in one.calls}
        for name in self.on_stream.streamed:
            for at in self.reader.code.places(name):
                if self.function.opening < at < self.function.closing:
                    close = closing_of_call(self.reader, at)
                    replaced[close] = self._end_with(one.stream, close), close + 1
        self.rewriter.replaced = replaced
        for launch in one.launches:
            words = []
            for parameter, place in zip(launch.kernel.parameters, launch.arguments, strict=True):
                text = self.rewriter.text(*place)
                words.append(self._cast(text) if parameter.pointer else text)
            given.append(", ".join(words))
            blocks.append(self.rewriter.text(*launch.blocks))
        for call in one.calls:
            if call.queued is not None:
                text = f"{self.rewriter.text(*call.whole)};"
                replaced[call.queued[0]] = text, call.queued[1] + 1
        gone = {first: ("", last + 1) for first, last in one.dropped}
        return replaced | gone | texts(one, given, blocks)

    def _cast(self, text: str) -> str:
        """An address as kernels are given it, whose type a variable or parameter may have."""
        local = self.reader.local(self.function, text)
        kind = self.reader.words(*local.statement) if local else []
        kind += (w for p in self.parameters if p.name == text for w in p.type.split())
        return text if {"uint8_t", "GM_ADDR"} & {*kind} else f"(uint8_t *)({text})"

    def _end_with(self, text: str, close: int) -> str:
        return f"{text})" if self.reader.word(close - 1) == "(" else f", {text})"

    def streamed_text(self) -> str:
        """A function that launches for others, which give it the stream. Raises Refused."""
        reader, function = self.reader, self.function
        self.rewriter.tensors = {*tensors_in(reader, function.head, function.closing)}
        replaced = self.write_launches()
        if function.name in self.on_stream.streamed:
            close = reader.code.pairs[reader.opening_of(function)]
            replaced[close] = self._end_with("void *stream", close), close + 1
        self.rewriter.replaced = replaced
        text = self.rewriter.text(function.head, function.closing)
        return re.sub(r"\n[ \t]+(?=\n)", "", text)  # where statements on the stream were

    def _find_computing(self, statements: list[Range]) -> set[int]:
        """The statements that take the address of a tensor, or use what such a one declares."""
        found: set[int] = set()
        declared: set[str] = set()
        for number, (first, last) in enumerate(statements):
            words = set(self.reader.words(first, last))
            queues = any(first <= at <= last for at in self.launched.queued)
            takes = words & {*POINTERS, *declared, *self._find_address_takers()}
            if queues or takes:
                if self.reader.word(first) == "return":
                    raise Refused("its result is computed from addresses", self.reader.line(first))
                found.add(number)
                declared |= {one.name for one in self.reader.declaration((first, last))}
        if not found:
            return found
        later = [n for n in range(min(found), len(statements)) if n not in found]
        for number in later:  # goes before what computes: it must not wait for that
            first, last = statements[number]
            makes = any(one.name for one in self.reader.declaration((first, last)))
            if self.reader.word(first) not in ("return", "TORCH_CHECK") and not makes:
                found.add(number)
        return found

    def _find_address_takers(self) -> set[str]:
        """The functions of the file that take addresses of tensors themselves."""
        reader = self.reader
        return {
            f.name
            for f in reader.code.functions
            if f.name != self.function.name
            and {*POINTERS} & set(reader.words(f.opening, f.closing))
            and "Tensor" not in reader.words(f.head, reader.opening_of(f) - 1)
        } | self.on_stream.runs

    def _is_device_guard(self, first: int, last: int) -> bool:
        """A guard of the device, or a check that says nothing but where tensors are."""
        words = self.reader.words(first, last)
        if any(word in GUARDS for word in words):
            return True
        if self.reader.word(first) != "TORCH_CHECK":
            return False
        condition = self.reader.code.arguments(first + 1)[0]
        asked = set(self.reader.words(*condition)) - self.rewriter.tensors
        return bool(asked & DEVICE) and asked <= DEVICE | _BESIDE


def _statements(reader: Reader, first: int, last: int) -> Iterator[Range]:
    """The statements of a body: each with the blocks and the `else` that belong to it."""
    at = first
    while at < last:
        end = at
        while end < last and reader.word(end) not in (";", "{"):
            end = reader.code.pairs.get(end, end) + 1
        if reader.word(end) == "{":
            end = reader.code.pairs.get(end, end)
            while reader.word(end + 1) == "else":
                end += 1
                while reader.word(end) != "{":
                    end = reader.code.pairs.get(end, end) + 1
                end = reader.code.pairs[end]
            if reader.word(end + 1) in (";", ",", ")"):  # `x = {1, 2};`
                while reader.word(end) != ";":
                    end = reader.code.pairs.get(end, end) + 1
        yield at, min(end, last - 1)
        at = end + 1


def _find_factories(
    reader: Reader, statements: list[Range], tensors: set[str]
) -> Iterator[tuple[str, str]]:
    """(variable, factory) of each tensor that these statements make."""
    for first, last in statements:
        for one in reader.declaration((first, last)):
            value = reader.words(one.first, one.first + 2)
            if one.name in tensors and value[0] in SPACES and value[2:3][0] in FACTORIES:
                yield one.name, value[2]


def _require_one_return(reader: Reader, statements: list[Range], computes: set[int]) -> None:
    for number in computes:
        first, last = statements[number]
        depth = [at for at in range(first, last) if reader.word(at) == "return"]
        if any(not _is_in_lambda(reader, at, first) for at in depth):
            raise Refused("it returns in the middle of its computation", reader.line(first))


def _is_in_lambda(reader: Reader, at: int, first: int) -> bool:
    """Whether a token is in the body of a lambda that begins after another one."""
    while (at := reader.around[at]) > first:
        before = at - 1
        while reader.word(before).isidentifier() or reader.word(before) in ("->", "::"):
            before -= 1  # `[=]() -> int {`
        if reader.word(at) == "{" and reader.word(before) in ("]", ")"):
            opening = before
            if reader.word(before) == ")":
                opening = reader.opened.get(before, 0) - 1
            if reader.word(opening) == "]":
                return True
    return False


def helper(reader: Reader, function: Function, on_stream: OnStream) -> Host | str:
    """A function that bound ones call: with runs of its own, or as one that they have run, by the
    addresses of tensors. Raises Refused."""
    words = set(reader.words(function.head, function.closing))
    parameters = reader.parameters(function)
    one = Host(reader, function, parameters, Rewriter(reader), on_stream)
    if function.name in on_stream.runs:
        return one.streamed_text()
    if function.name in on_stream.launched or ("Tensor" in words and not words & {*POINTERS}):
        return one
    one.rewriter.tensors = {*tensors_in(reader, function.head, function.closing)}
    return one.rewriter.text(function.head, function.closing)


def _find_optional(reader: Reader, function: Function) -> Iterator[str]:
    """The variables that may hold no tensor."""
    aliases = optional_types(reader)
    for parameter in reader.parameters(function):
        if "optional" in parameter.type or {*parameter.type.split()} & aliases:
            yield parameter.name
    for first, last in _statements(reader, function.opening + 1, function.closing):
        for local in reader.declaration((first, last)):
            if {*reader.words(first, local.first)} & {"optional", *aliases}:
                yield local.name


def host(reader: Reader, name: str, on_stream: OnStream) -> Host:
    """The function of the file that has this name. Raises Refused."""
    functions = reader.functions_named(name)
    if len(functions) != 1:
        raise Refused(f"{name} is not defined exactly once in {reader.unit.path}")
    function = functions[0]
    aliases = optional_types(reader)
    parameters = [
        replace(p, type="const std::optional<at::Tensor> &") if {*p.type.split()} & aliases else p
        for p in reader.parameters(function)
    ]
    for parameter in parameters:
        words = re.findall(r"\w+", parameter.type)
        plain = {"const", "int64_t", "int", "double", "float", "bool", "std", "string"}
        if "Tensor" not in words and not {*words} <= plain:
            reason = f"`{parameter.type}` of {parameter.name}"
            raise Refused(reason, reader.line(function.head))
        if {"vector", "ArrayRef"} & {*words} and "Tensor" in words:
            raise Refused(f"`{parameter.type}` of {parameter.name}", reader.line(function.head))
    return Host(reader, function, parameters, Rewriter(reader), on_stream)
