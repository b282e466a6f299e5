"""The graph engine (GE) on the emulated NPU: graphs are checked, and run node by node.

A node of a custom operator package runs its kernel by the package's aclnn function, with the shapes
that its InferShape gives; some nodes of the vendor's run as the operator of torch's of the same
meaning; all others are refused by name. Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ge_graphs
else:  # beside this file, which is no package
    import ge_graphs


class Graph:
    """A graph as torchair has built it."""

    def __init__(self, serialized: bytes) -> None:
        from torchair._ge_concrete_graph.ge_ir_pb2 import ModelDef

        model = ModelDef()
        model.ParseFromString(serialized)
        self.ops = list(model.graph[0].op)
        names = (op.name for op in self.ops)
        self.targets = dict(zip(names, ge_graphs.targets(self.ops), strict=True))
        path = os.environ.get("PORTER_EMULATED_GRAPHS")
        if path:
            with open(path, "a") as file:
                line = {"graph": model.graph[0].name, "nodes": ge_graphs.nodes(self.ops)}
                file.write(json.dumps(line) + "\n")

    def check(self) -> None:
        """Raises ValueError where a node does not fit the prototype of its operator."""
        found = [
            f"{ge_graphs.where(self.targets[op.name])}node {op.name}: {problem}"
            for op in self.ops
            for problem in ge_graphs.problems(op, self.targets[op.name])
        ]
        if found:
            raise ValueError("emulated GE: " + "\n".join(found))

    def run(self, inputs: list[Any], assigned: list[Any]) -> list[Any]:
        """The outputs of the graph for these inputs. Raises NotImplementedError for what is not
        emulated."""
        values: dict[str, list[Any]] = {}
        waiting = list(self.ops)
        while waiting:
            ready = [op for op in waiting if all(_source(n) in values for n in op.input if n)]
            if not ready:
                raise ValueError(f"emulated GE: a cycle of nodes: {[op.name for op in waiting]}")
            for op in ready:
                given = [_value(values, each) for each in op.input if not each.endswith(":-1")]
                if op.type == "NetOutput":
                    return _outputs(given, list(assigned))
                if op.type in ("Data", "RefData"):
                    values[op.name] = [inputs[op.attr["index"].i]]
                else:
                    values[op.name] = self._one(op, given)
            waiting = [op for op in waiting if op.name not in values]
        raise ValueError("emulated GE: the graph has no output")

    def _one(self, op: Any, given: list[Any]) -> list[Any]:
        known = ge_graphs.prototype(op.type)
        try:
            if known is not None and known.library:
                return package_node(op, known, given)
            return [vendor_node(op, given)]
        except (NotImplementedError, ValueError) as error:
            said = f"emulated GE: {ge_graphs.where(self.targets[op.name])}node {op.name}: {error}"
            raise type(error)(said) from error


def _outputs(given: list[Any], assigned: list[Any]) -> list[Any]:
    for k, place in enumerate(assigned):
        if place is not None:
            given[k] = place.copy_(given[k])
    return given


def _source(name: str) -> str:
    return name.rpartition(":")[0]


def _value(values: dict[str, list[Any]], name: str) -> Any:
    source, _, index = name.rpartition(":")
    return values[source][int(index)] if source else None


@functools.lru_cache(None)
def _libraries(path: str) -> tuple[ctypes.CDLL, ctypes.CDLL]:
    """A package's functions, and those that describe tensors."""
    own = os.path.join(os.environ["PORTER_EMULATED"], "lib64")
    api = ctypes.CDLL(os.path.join(own, "libopapi.so"))
    api.aclCreateTensor.restype = ctypes.c_void_p
    api.aclDestroyTensor.argtypes = [ctypes.c_void_p]
    return ctypes.CDLL(path), api


def _attribute_value(parameter: ge_graphs.Parameter, op: Any) -> Any:
    """An attribute's value: the node's, else the default."""
    if parameter.name in op.attr:
        return ge_graphs.plain(op.attr[parameter.name])
    return {"true": 1, "false": 0}.get(parameter.default, parameter.default) or 0


def package_node(op: Any, known: ge_graphs.Prototype, given: list[Any]) -> list[Any]:
    """A node of a package: its outputs, made as InferShape says and written by its kernel."""
    import torch
    from torchair.ge._ge_graph import ge_type_to_torch_type, torch_type_to_ge_type

    if not os.path.isfile(known.library):
        raise NotImplementedError(f"{op.type} is declared, and its package has no {known.library}")
    if any(each.option == "dynamic" for each in (*known.inputs, *known.outputs)):
        raise NotImplementedError(f"{op.type} has lists of tensors, which are not emulated")
    for each in known.attributes:
        if each.kind not in ("Int", "Float", "Bool"):
            raise NotImplementedError(f"attributes of type {each.kind} are not emulated in graphs")
    names = [each.name for each in op.input_desc]
    inputs = [
        given[names.index(each.name)] if each.name in names else None for each in known.inputs
    ]
    inputs = [None if each is None else each.contiguous() for each in inputs]
    package, api = _libraries(known.library)
    values = [(each.kind, _attribute_value(each, op)) for each in known.attributes]
    types = [None if t is None else torch_type_to_ge_type(t.dtype) for t in inputs]
    made = []
    for (type_, shape), description in zip(
        infer_outputs(package, op.type, inputs, types, values), op.output_desc, strict=True
    ):
        meta = ge_graphs.meta_shape(description)
        if meta is not None and meta != shape:
            raise ValueError(
                f"InferShape of {op.type} returns {shape} for {description.name}, "
                f"but the meta function returns {meta}"
            )
        dtype = ge_type_to_torch_type(type_)
        made.append(torch.empty(shape, dtype=dtype, device="npu"))
    arguments: list[Any] = [_create_tensor(api, t) for t in inputs]
    made_of: dict[str, Any] = {
        "Int": ctypes.c_int64,
        "Float": ctypes.c_double,
        "Bool": ctypes.c_bool,
    }
    arguments += [
        made_of[kind](float(value) if kind == "Float" else int(value)) for kind, value in values
    ]
    arguments += [_create_tensor(api, t) for t in made]
    _call(package, op.type, arguments)
    for each in arguments:
        if isinstance(each, ctypes.c_void_p) and each.value:
            api.aclDestroyTensor(each)
    return made


def infer_outputs(
    package: ctypes.CDLL,
    name: str,
    inputs: list[Any],
    types: list[Any],
    values: list[tuple[str, Any]],
) -> list[tuple[int, list[int]]]:
    """What InferDataType and InferShape of a package say: (type, shape) of each output."""
    if not hasattr(package, "emulated_infer"):
        raise NotImplementedError(f"the package of {name} was not built by porter")
    words = [len(inputs)]
    for tensor, type_ in zip(inputs, types, strict=True):
        sizes = [] if tensor is None else list(tensor.shape)
        words += [-1 if type_ is None else type_, len(sizes), *sizes]
    words.append(len(values))
    for kind, value in values:
        code = {"Int": 0, "Float": 1, "Bool": 2}[kind]
        bits = struct.unpack("q", struct.pack("d", float(value)))[0] if code == 1 else int(value)
        words += [code, bits]
    out = (ctypes.c_int64 * 1024)()
    package.emulated_infer.restype = ctypes.c_char_p
    error = package.emulated_infer(name.encode(), (ctypes.c_int64 * len(words))(*words), out, 1024)
    if error:
        raise ValueError(error.decode())
    at, found = 1, []
    for _ in range(out[0]):
        rank = out[at + 1]
        found.append((out[at], list(out[at + 2 : at + 2 + rank])))
        at += 2 + rank
    return found


def _create_tensor(api: ctypes.CDLL, tensor: Any) -> ctypes.c_void_p:
    from torchair.ge._ge_graph import torch_type_to_ge_type

    if tensor is None:
        return ctypes.c_void_p(None)
    rank = tensor.dim()
    sizes = (ctypes.c_int64 * max(rank, 1))(*tensor.shape)
    strides = (ctypes.c_int64 * max(rank, 1))(*tensor.stride())
    count = (ctypes.c_int64 * 1)(tensor.numel())
    made = api.aclCreateTensor(
        sizes,
        ctypes.c_uint64(rank),
        torch_type_to_ge_type(tensor.dtype),
        strides,
        ctypes.c_int64(0),
        2,
        count,
        ctypes.c_uint64(1),
        ctypes.c_void_p(tensor.data_ptr()),
    )
    return ctypes.c_void_p(made)


def _call(package: ctypes.CDLL, name: str, arguments: list[Any]) -> None:
    """The two functions of an operator, one after the other."""
    import torch

    torch.npu.synchronize()  # what torch_npu has queued goes before
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    plan = getattr(package, f"aclnn{name}GetWorkspaceSize")
    launch = getattr(package, f"aclnn{name}")
    if plan(*arguments, ctypes.byref(size), ctypes.byref(executor)):
        raise ValueError(f"aclnn{name} rejects the arguments of the graph: {_why()}")
    workspace = torch.empty(max(size.value, 1), dtype=torch.uint8, device="npu")
    stream = torch.npu.current_stream().npu_stream
    error = launch(ctypes.c_void_p(workspace.data_ptr()), size, executor, ctypes.c_void_p(stream))
    torch.npu.synchronize()
    if error:
        raise ValueError(f"aclnn{name} ends with error {error}: {_why()}")


def _why() -> str:
    """What the runtime said last."""
    own = os.path.join(os.environ["PORTER_EMULATED"], "lib64", "libascendcl.so")
    said = ctypes.CDLL(own).aclGetRecentErrMsg
    said.restype = ctypes.c_char_p
    return (said() or b"").decode().strip()


def vendor_node(op: Any, given: list[Any]) -> Any:
    """A node of the vendor's, by torch's operator of the same meaning."""
    import numpy
    import torch
    from torchair.ge._ge_graph import _ge_proto_dtype_to_ge_dtype, ge_type_to_torch_type

    if op.type == "Const":
        value = op.attr["value"].t
        dtype = ge_type_to_torch_type(_ge_proto_dtype_to_ge_dtype(value.desc.dtype))
        data = torch.empty(len(value.data), dtype=torch.uint8)  # numpy's, empty, has a stride of 0
        data.numpy()[:] = numpy.frombuffer(value.data, numpy.uint8)
        return data.view(dtype).reshape(list(value.desc.shape.dim))
    functions = {
        "Abs": torch.abs,
        "Add": torch.add,
        "Exp": torch.exp,
        "Identity": torch.clone,
        "Log": torch.log,
        "Maximum": torch.maximum,
        "Minimum": torch.minimum,
        "Mul": torch.mul,
        "Neg": torch.neg,
        "RealDiv": torch.div,
        "Relu": torch.relu,
        "Rsqrt": torch.rsqrt,
        "Sigmoid": torch.sigmoid,
        "Sqrt": torch.sqrt,
        "Square": torch.square,
        "Sub": torch.sub,
        "Tanh": torch.tanh,
        "TensorMove": torch.clone,
    }
    if op.type in functions:
        # A constant is the host's here, and the device's there.
        on = next((t.device for t in given if t.device.type == "npu"), None)
        return functions[op.type](*(t.to(on) if on else t for t in given))
    if op.type == "Muls":
        return given[0] * op.attr["value"].f
    if op.type == "Adds":
        return given[0] + op.attr["value"].f
    if op.type == "Cast":
        return given[0].to(ge_type_to_torch_type(op.attr["dst_type"].i))
    if op.type == "Reshape":
        return given[0].reshape(given[1].tolist())
    raise NotImplementedError(
        f"the vendor's operator {op.type} is not emulated in graphs: the graph is built, not run"
    )
