"""Operators of torch's in torchair's graph mode: converter, meta function and graph against eager.

`python npu_graph.py REQUEST RESULT`, by the interpreter that has torch_npu. The request is JSON:
modules to import, and cases: an operator's name, its arguments (`{"shape": ..., "type": ...}` for a
tensor, values as they are, lists of these), named ones, whether sizes are dynamic, gradients are
wanted, and a graph only of an operator with a converter of its `own`. The answer has for each case
the converter's place, the nodes of each graph, what is wrong, and `yes` or why its graph did not
run. Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ge_graphs
else:  # beside this file, which is no package
    import ge_graphs

_ENGINE = "emulated GE: "


def main(request: str, result: str) -> None:
    """Examine each case, in this process: graph engines are started once."""
    with open(request) as file:
        asked = json.load(file)
    sys.path[:0] = asked.get("path", [])
    for name in asked["modules"]:
        importlib.import_module(name)
    import torch_npu  # noqa: F401
    import torchair  # noqa: F401

    found = [Case(each).examine() for each in asked["cases"]]
    with open(result, "w") as file:
        json.dump(found, file)


class Case:
    """One operator with one set of arguments."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.asked = asked
        self.operator = _operator(asked["operator"])
        self.problems: list[dict[str, Any]] = []
        self.notes: list[str] = []
        self.graphs: list[Any] = []
        self.ran = ""

    def problem(self, kind: str, text: str, function: Any = None, line: int = 0) -> None:
        """Note what is wrong, and where: in a function, at a line of it or where it begins."""
        code = function.__code__ if function else None
        place = (code.co_filename, line or code.co_firstlineno) if code else ("", 0)
        self.problems.append({"kind": kind, "text": text, "path": place[0], "line": place[1]})

    def examine(self) -> dict[str, Any]:
        """What there is to say."""
        target = str(self.operator)
        converter = ge_graphs.converter(target)
        own = converter is not None and not ge_graphs.is_of_wheel(converter)
        if converter is None:
            text = f"{target} has no converter: torchair makes one from the operator's prototype"
            self.notes.append(text)
        elif own:
            for text in signature_problems(self.operator._schema, converter):
                self.problem("converter", f"{target}: {text}", converter)
        eager = self._eager()
        meta = None if eager is None else self._meta(eager)
        if eager is not None and (own or not self.asked.get("own")):
            self._graph(eager, converter)
        code = converter.__code__ if converter else None
        return {
            "operator": target,
            "converter": {"path": code.co_filename, "line": code.co_firstlineno} if code else None,
            "problems": self.problems,
            "notes": self.notes,
            "graphs": self.graphs,
            "eager": None if eager is None else [_form(each) for each in _flat(eager)],
            "meta": meta,
            "ran": self.ran,
        }

    def _arguments(self) -> tuple[list[Any], dict[str, Any]]:
        made = [_make_argument(each) for each in self.asked.get("args", ())]
        named = {name: _make_argument(each) for name, each in self.asked.get("kwargs", {}).items()}
        return made, named

    def _eager(self) -> Any:
        import torch

        torch.manual_seed(0)
        self.args, self.kwargs = self._arguments()
        try:
            return self.operator(*_copy_arguments(self.args), **_copy_arguments(self.kwargs))
        except Exception as error:
            self.problem("eager", f"{self.operator} does not run: {_first(error)}")

    def _meta(self, eager: Any) -> list[dict[str, Any]] | None:
        """The meta function on fakes of the same arguments."""
        import torch
        from torch._subclasses.fake_tensor import FakeTensorMode

        with FakeTensorMode(allow_non_fake_inputs=True) as mode:
            fake = torch.utils._pytree.tree_map_only(torch.Tensor, mode.from_tensor, self.args)
            named = torch.utils._pytree.tree_map_only(torch.Tensor, mode.from_tensor, self.kwargs)
            try:
                found = _flat(self.operator(*fake, **named))
            except Exception as error:
                self.problem("meta", f"{self.operator}: its meta function fails: {_first(error)}")
                return None
        said, real = [_form(each) for each in found], [_form(each) for each in _flat(eager)]
        fake = _fake(self.operator)
        if len(said) != len(real):
            text = f"the meta function returns {len(said)} outputs, the operator {len(real)}"
            self.problem("meta", f"{self.operator}: {text}", fake)
        for k, (a, b) in enumerate(zip(said, real, strict=False)):
            for what in ("type", "shape", "strides", "device"):
                if a[what] == b[what] or (what == "strides" and a["shape"] != b["shape"]):
                    continue
                text = f"{what} of output {k}: {a[what]} by the meta function, {b[what]} eager"
                self.problem("meta", f"{self.operator}: {text}", fake)
        return said

    def _graph(self, eager: Any, converter: Any) -> None:
        import torch
        import torchair

        torch._dynamo.reset()
        operator = self.operator

        def function(*args: Any, **kwargs: Any) -> Any:
            return operator(*args, **kwargs)

        args, kwargs = _copy_arguments(self.args), _copy_arguments(self.kwargs)
        backend = torchair.get_npu_backend()
        compiled = torch.compile(
            function, backend=backend, dynamic=bool(self.asked.get("dynamic")), fullgraph=True
        )
        with _Taken(self.graphs):
            try:
                found = compiled(*args, **kwargs)
                if self.asked.get("grad"):
                    sum(t.sum() for t in _flat(found) if t.requires_grad).backward()
            except Exception as error:
                self._note_failure(error, converter)
                return
        self.ran = "yes"
        for k, (a, b) in enumerate(zip(_flat(found), _flat(eager), strict=True)):
            try:
                torch.testing.assert_close(a.cpu(), b.cpu(), equal_nan=True)
            except AssertionError as error:
                said = " ".join(str(error).split())
                text = f"{self.operator}: output {k} of the graph differs from eager mode: {said}"
                self.problem("values", text, converter)

    def _note_failure(self, error: BaseException, converter: Any) -> None:
        """Why the graph was not built or did not run; in the converter, at which line."""
        chain = _chain(error)
        refusal = next((e for e in chain if isinstance(e, NotImplementedError)), None)
        if refusal is not None:
            self.ran = _first(refusal)
            return
        line, own = 0, converter
        if converter is not None and ge_graphs.is_of_wheel(converter):
            own = None
        inner, text = chain[-1], ""
        for each in chain:
            for frame, at in _frames(each):
                if converter is not None and frame.f_code is converter.__code__:
                    inner, line, own = each, at, converter
                if frame.f_code.co_name == "set_ge_outputs" and not text:
                    given, known = (frame.f_locals[n] for n in ("ge_outputs", "meta_outputs"))
                    text = f"its converter returns {_many(given)}, the operator {_many(known)}"
        said = next((e for e in reversed(chain) if _ENGINE in str(e)), None)
        if said is not None:
            inner, text = said, str(said).partition(_ENGINE)[2].partition("\nTraceback")[0].strip()
        self.ran = _first(inner)
        for told in (text or _first(inner)).splitlines():
            named = told if told.startswith(str(self.operator)) else f"{self.operator}: {told}"
            self.problem("graph", named, own, line)


class _Taken:
    """While it lasts, graphs that are handed to the native part are kept."""

    def __init__(self, graphs: list[Any]) -> None:
        self.graphs = graphs

    def __enter__(self) -> None:
        from torchair.core import _backend

        self.kind, self.load = _backend.TorchNpuGraph, _backend.TorchNpuGraph.load

        def load(graph: Any, ge_graph: Any, options: Any = None) -> Any:
            self.graphs.append(ge_graphs.nodes(list(ge_graph.op)))
            return self.load(graph, ge_graph, options)

        self.kind.load = load

    def __exit__(self, *error: object) -> None:
        self.kind.load = self.load


def signature_problems(schema: Any, converter: Callable[..., Any]) -> Iterator[str]:
    """Where a converter's parameters are not what torchair calls it with: positional arguments by
    place, others by name, and `meta_outputs` by this name only."""
    parameters = inspect.signature(converter).parameters
    kinds = inspect.Parameter
    if any(p.kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD) for p in parameters.values()):
        return
    places = [n for n, p in parameters.items() if p.kind != kinds.KEYWORD_ONLY]
    places = [name for name in places if name != "meta_outputs"]
    used = {"meta_outputs"}
    arguments = [a for a in schema.arguments if not a.kwarg_only]
    for k, argument in enumerate(arguments):
        if k >= len(places):
            yield f"argument `{argument.name}` of the schema has no parameter in the converter"
            continue
        used.add(places[k])
        yield from _default(argument, parameters[places[k]])
    for argument in schema.arguments:
        if not argument.kwarg_only:
            continue
        if argument.name not in parameters:
            yield f"argument `{argument.name}` of the schema has no parameter of its name"
            continue
        used.add(argument.name)
        yield from _default(argument, parameters[argument.name])
    for name in parameters:
        if name in used:
            continue
        hint = ": torchair passes `meta_outputs`" if "meta" in name or "output" in name else ""
        yield f"parameter `{name}` is not an argument of the schema{hint}"


def _default(argument: Any, parameter: inspect.Parameter) -> Iterator[str]:
    """torch leaves arguments out that have their default."""
    if not argument.has_default_value():
        return
    if parameter.default is inspect.Parameter.empty:
        yield (
            f"argument `{argument.name}` is omitted if it is {argument.default_value!r}, "
            f"but parameter `{parameter.name}` has no default"
        )
    elif parameter.default != argument.default_value:
        yield (
            f"the default of `{argument.name}` is {argument.default_value!r} in the schema "
            f"and {parameter.default!r} in the converter"
        )


def _operator(name: str) -> Any:
    import torch

    space, _, rest = name.partition("::")
    base, _, overload = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), base), overload or "default")


def _make_argument(each: Any) -> Any:
    """An argument as the request has it."""
    import torch

    if isinstance(each, list):
        return [_make_argument(one) for one in each]
    if not isinstance(each, dict):
        return each
    if "torch_type" in each:
        return getattr(torch, each["torch_type"])
    type_ = getattr(torch, each.get("type", "float32"))
    if "values" in each:
        value = torch.tensor(each["values"], dtype=type_).reshape(each["shape"]).npu()
    else:
        value = torch.randn(each["shape"])
        value = (value if type_.is_floating_point else value * 9).to(type_).npu()
    return value.requires_grad_(bool(each.get("grad")))


def _copy_arguments(values: Any) -> Any:
    """Each run has its own: operators may write into what they are given."""
    import torch

    def copy(tensor: Any) -> Any:
        return tensor.detach().clone().requires_grad_(tensor.requires_grad)

    return torch.utils._pytree.tree_map_only(torch.Tensor, copy, values)


def _flat(outputs: Any) -> list[Any]:
    import torch

    found = torch.utils._pytree.tree_leaves(outputs)
    return [each for each in found if isinstance(each, torch.Tensor)]


def _form(tensor: Any) -> dict[str, Any]:
    return {
        "type": str(tensor.dtype).removeprefix("torch."),
        "shape": list(tensor.shape),
        "strides": list(tensor.stride()),
        "device": tensor.device.type,
    }


def _chain(error: BaseException | None) -> list[BaseException]:
    """An error and what it comes of, the outermost first."""
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = getattr(error, "inner_exception", None) or error.__cause__ or error.__context__
    return seen


def _frames(error: BaseException) -> Iterator[tuple[FrameType, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _many(outputs: Any) -> str:
    return f"{len(outputs)} outputs" if isinstance(outputs, (list, tuple)) else "one output"


def _fake(operator: Any) -> Any:
    """The function that was registered for fakes, or None."""
    import torch

    name = operator._schema.name
    kernel = torch._library.simple_registry.singleton.find(name).fake_impl.kernel
    function: Any = inspect.unwrap(kernel.func) if kernel else None
    if getattr(function, "__module__", "") == "torch.library":  # its own wrapper of what was given
        function = inspect.getclosurevars(function).nonlocals.get("func")
    return function if hasattr(function, "__code__") else None


def _first(error: BaseException) -> str:
    """The first paragraph of what an error says, with its type."""
    text = str(error.args[0] if error.args else error).strip()
    text = text.partition("\nTraceback")[0].partition("\n\n")[0]
    return f"{type(error).__name__}: {' '.join(text.split())}"


if __name__ == "__main__":
    main(*sys.argv[1:])
