"""One recorded operation as a script of its own."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from porter.parity.measure import tolerance_for
from porter.parity.trace import Bench, Event, Value
from porter.parity.values import contiguous

SCRIPT = "reproduce.py"
HEAD = '''"""{title}

Needs {needs}; exits with 1 if the result is not the one of {source}:

    python {script}            # {source}
    python {script} {target}
"""

import pathlib
{runpy}import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
{first}if sys.argv[1:] == ["{target}"]:
{prelude}
import torch

BITS = {{"bfloat16": torch.int16, "float8_e4m3fn": torch.uint8, "float8_e5m2": torch.uint8}}


def load(name, dtype, strides=None):
    """A tensor as it was recorded."""
    array = np.load(HERE / name)
    if dtype == "bfloat16":
        array = array.view(np.int16)
    if strides is not None:
        last = sum((size - 1) * step for size, step in zip(array.shape, strides))
        memory = np.zeros(last + 1, array.dtype)
        steps = [step * array.itemsize for step in strides]
        np.lib.stride_tricks.as_strided(memory, array.shape, steps)[...] = array
        tensor = torch.from_numpy(memory)
        tensor = tensor.view(getattr(torch, dtype)) if dtype in BITS else tensor
        return torch.as_strided(tensor, list(array.shape), strides)
    tensor = torch.from_numpy(np.array(np.ascontiguousarray(array)).reshape(array.shape))
    return tensor.view(getattr(torch, dtype)) if dtype in BITS else tensor


def numbers(tensor):
    if not isinstance(tensor, torch.Tensor):
        return np.asarray(tensor)
    dtype = str(tensor.dtype).rpartition(".")[2]
    tensor = tensor.detach().cpu()
    tensor = tensor.to(torch.float32) if dtype in BITS else tensor
    return tensor.numpy()


wrong = []


def check(place, found, expected, dtype, strides, rtol, atol):
    """Says where a tensor is not the recorded one."""
    if not isinstance(found, torch.Tensor):
        wrong.append(f"{{place}}: no tensor but {{found!r}}")
        return
    expected = numbers(load(expected, dtype))
    of = str(found.dtype).rpartition(".")[2]
    steps = [step for size, step in zip(found.shape, found.stride()) if size > 1]
    if (of, list(found.shape)) != (dtype, list(expected.shape)):
        there = f"{{dtype}} {{list(expected.shape)}}"
        wrong.append(f"{{place}}: {{of}} {{list(found.shape)}}, not {{there}}")
    elif strides is not None and 0 not in found.shape and steps != strides:
        wrong.append(f"{{place}}: strides {{steps}}, not {{strides}}")
    else:
        values = numbers(found)
        far = ~np.isclose(values, expected, rtol, atol, equal_nan=True)
        if far.any():
            at = tuple(int(n) for n in np.argwhere(far)[0])
            most = f"{{far.sum()}} of {{far.size}} elements differ"
            wrong.append(f"{{place}}: {{most}}, as at {{at}}: {{values[at]}}, not {{expected[at]}}")


def same(place, found, expected):
    if type(expected) is float and abs(found - expected) <= 1e-5 + 1.3e-6 * abs(expected):
        return
    if found != expected:
        wrong.append(f"{{place}}: {{found!r}}, not {{expected!r}}")

'''
TAIL = """
print("\\n".join(wrong) or "as recorded")
sys.exit(bool(wrong))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An operation to write: what it is given, as source text, and what the source gave."""

    event: Event  # of the source
    needs: tuple[str, ...] = ()  # modules of the repository
    values: Mapping[str, str] = field(default_factory=dict)  # place -> source text
    lines: tuple[str, ...] = ()  # that load the tensors
    files: Mapping[str, str] = field(default_factory=dict)  # name -> of the trace's data


def write_call(
    event: Event, swap: tuple[str, str] | None = None, *, flat: bool = False
) -> Call | str:
    """An operation as source text, or why that cannot be; with two arguments exchanged, or with
    contiguous ones."""
    values: dict[str, str] = {}
    lines: list[str] = []
    files: dict[str, str] = {}

    def text(value: Value) -> str | None:
        if value["kind"] != "tensor":
            return literal(value, text)
        if "file" not in value:
            return None
        number = len(lines)
        files[f"{number}.npy"] = value["file"]
        strides = "" if flat or contiguous(value) else f", {value['strides']}"
        made = f'load("{number}.npy", "{value["dtype"]}"{strides})'
        made = f'np.load(HERE / "{number}.npy")' if value.get("numpy") else made
        lines.append(f"x{number} = {made}")
        return f"x{number}"

    for place, value in event.arguments.items():
        found = text(value)
        if found is None:
            what = value.get("type", "tensor") if value["kind"] != "tensor" else "large tensor"
            return f"{place} is a {what}, which cannot be stored in the script"
        values[place] = found
    if swap is not None:
        values[swap[0]], values[swap[1]] = values[swap[1]], values[swap[0]]
    needs = _module(event)
    if needs is None:
        return f"{event.site.label} is a member of an object that cannot be stored in the script"
    return Call(event=event, needs=needs, values=values, lines=tuple(lines), files=files)


def literal(value: Value, text: Callable[[Value], str | None]) -> str | None:
    """Python for a value that is no tensor; None where there is none."""
    if value["kind"] == "scalar":
        shown = value["value"]
        match value["type"]:
            case "dtype":
                return f"torch.{shown}"
            case "float" if shown != shown or shown in (float("inf"), float("-inf")):
                return f'float("{shown}")'
            case "bytes" | "complex":
                return str(shown)
            case _:
                return repr(shown)
    if value["kind"] == "other":
        return "..." if value["type"] == "ellipsis" else None
    items = [text(each) for each in value["items"]]
    if None in items or len(items) < value.get("length", 0):
        return None
    inner = ", ".join(item for item in items if item is not None)
    if value["kind"] == "dict":
        pairs = zip(value["keys"], items, strict=True)
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    if value["type"] == "slice":
        return f"slice({inner})"
    return f"[{inner}]" if value["type"] == "list" else f"({inner},)" if items else "()"


def _module(event: Event) -> tuple[str, ...] | None:
    """What the script imports to call the operation; None where it cannot be reached."""
    site, callee = event.site, event.callee
    if site.kind != "call" or "self" in event.arguments or site.name.startswith("torch."):
        return ()
    module, name = str(callee.get("module", "")), str(callee.get("name", ""))
    if "<" in name or not module or module == "__main__":
        return None
    if module == "builtins":
        return ()
    return (module,)


def _operation(call: Call) -> str:
    """The operation on the values, as source text."""
    site, values = call.event.site, call.values
    own = values.get("self", "")
    given = [text for place, text in values.items() if place.startswith("args[")]
    named = [f"{p[7:]}={text}" for p, text in values.items() if p.startswith("kwargs.")]
    match site.kind:
        case "attribute":
            return f"result = {own}.{site.word}"
        case "subscript":
            return f"result = {own}[{given[0]}]"
        case "store":
            return f"result = None\n{own}[{given[1]}] = {given[0]}"
        case "operator" if not given:
            return f"result = {site.word[0]}{own}"
        case "operator" if site.word.endswith("=") and site.word not in ("==", "!=", "<=", ">="):
            return f"result = {own}\nresult {site.word} {given[0]}"
        case "operator":
            return f"result = {own} {site.word} {given[0]}"
    inner = ", ".join([*given, *named])
    if own:
        return f"result = {own}.{site.word}({inner})"
    if site.name.startswith("torch."):
        return f"result = {site.name}({inner})"
    if call.event.callee.get("module") == "builtins":
        return f"result = {site.word}({inner})"
    return f"result = {call.needs[0]}.{call.event.callee['name']}({inner})"


def _checks(call: Call, files: dict[str, str], *, strides: bool) -> Iterator[str]:
    """Lines that compare with what the source gave."""
    event = call.event

    def write_checks(place: str, value: Value, path: str) -> Iterator[str]:
        if value["kind"] == "tensor" and "file" in value:
            name = f"expected_{sum(each.startswith('expected') for each in files)}.npy"
            files[name] = value["file"]
            limit = tolerance_for(value["dtype"], None)
            pairs = zip(value["shape"], value.get("strides", ()), strict=False)
            steps = [step for size, step in pairs if size > 1] if strides else None
            more = f'"{value["dtype"]}", {steps}, {limit.rtol}, {limit.atol}'
            yield f'check("{place}", {path}, "{name}", {more})'
        elif value["kind"] == "scalar" and value["type"] in ("int", "bool", "float", "NoneType"):
            yield f'same("{place}", {path}, {literal(value, lambda _: None)})'
        elif value["kind"] == "sequence":
            yield f'same("length of {place}", len({path}), {value["length"]})'
            for n, each in enumerate(value["items"]):
                yield from write_checks(f"{place}[{n}]", each, f"{path}[{n}]")

    if event.result is not None:
        yield from write_checks("result", event.result, "result")
    for place, value in event.after.items():
        if place in call.values and call.values[place].isidentifier():
            strides = False
            yield from write_checks(f"{place} after the call", value, call.values[place])


def text(call: Call, bench: Bench, title: str, bringing: str) -> tuple[str, dict[str, str]]:
    """The script, and the files it reads: name -> name in the data of the source's trace.

    `bringing` is the statement that brings the pieces, after the target's prelude.
    """
    files, target = dict(call.files), bench.sides[1]
    prelude = "".join(f"    {line}\n" if line else "" for line in target.prelude.splitlines())
    prelude += f"    {bringing}" if bringing else ""
    first = "".join(run(plugin.name) for plugin in target.plugins if call.needs)
    words = " ".join(title.replace("\\", "/").split())[:300].replace('"', "'")
    head = HEAD.format(
        title=words,
        needs=" and ".join((bench.names[0], *(f"the package of {each}" for each in call.needs))),
        source=bench.names[0],
        target=bench.names[1],
        script=SCRIPT,
        runpy="import runpy\n" if first or "runpy" in bringing else "",
        first=f"{first}\n" if first else "",
        prelude=prelude.rstrip("\n"),
    )
    named = call.event.site.name.startswith("torch.ops.")
    modules = (*bench.imports, *call.needs) if call.needs or named else ()
    imports = "".join(f"import {each}\n" for each in dict.fromkeys(modules))
    operation = _operation(call)
    if call.event.error:
        kind = call.event.error.partition(":")[0]
        known = kind if hasattr(builtins, kind) else "Exception"
        body = "".join(f"    {line}\n" for line in operation.splitlines())
        body += f'    wrong.append(f"no {kind} but {{result!r}}")\n'
        lines = [*call.lines, f"try:\n{body}except {known}:\n    pass"]
    else:
        flat = all(contiguous(value) for value in call.event.arguments.values())
        lines = [*call.lines, operation, *_checks(call, files, strides=flat)]
    return head + imports + "\n".join(lines) + "\n" + TAIL, files


def run(name: str) -> str:
    return f'runpy.run_path(str(HERE / "{name}"))\n'
