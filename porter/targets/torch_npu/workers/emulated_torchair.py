"""The native part of torchair on the emulated NPU: graphs are taken here, and run by `emulated_ge`.

Stands in for `torchair.core._torchair`, `_npu_graph_executor` and `_npu_utils`, written from how
torchair's Python calls them. Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import enum
import importlib.util
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import emulated_ge, ge_graphs
else:  # beside this file, which is no package
    import emulated_ge
    import ge_graphs


NAMES = tuple(f"core.{name}" for name in ("_torchair", "_npu_graph_executor", "_npu_utils"))


class TorchDataType(enum.IntEnum):
    """By the numbers of the public table of data types."""

    FLOAT32 = 0
    FLOAT16 = 1
    INT8 = 2
    INT32 = 3
    UINT8 = 4
    INT16 = 6
    UINT16 = 7
    UINT32 = 8
    INT64 = 9
    UINT64 = 10
    FLOAT64 = 11
    BOOL = 12
    COMPLEX64 = 16
    COMPLEX128 = 17
    BF16 = 27


class TorchNpuGraphBase:
    """What torchair hands a graph of protocol buffers to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.graph: emulated_ge.Graph | None = None

    def load(
        self,
        serialized: bytes,
        options: Any,
        input_placements: Any,
        output_dtypes: Any,
        executor_type: Any,
    ) -> None:
        """Take the graph; a wrong one is refused here."""
        self.graph = emulated_ge.Graph(serialized)

    def set_hint_shape(self, inputs: Any, outputs: Any) -> None:
        """Hints are for memory on a device."""

    def compile(self) -> None:
        """A graph that does not fit the operators' definitions is not compiled."""
        assert self.graph is not None, "the graph is not loaded"
        self.graph.check()

    def auto_tune(self, given: Any) -> None:
        raise NotImplementedError("emulated GE: graphs are not tuned")

    def run(self, given: Any) -> list[Any]:
        """The outputs for (inputs, outputs to write into, stream)."""
        inputs, assigned, _ = given
        assert self.graph is not None, "the graph is not loaded"
        return self.graph.run(inputs, assigned)


def get_registered_ir_def(name: str) -> tuple[str, list[Any], list[Any], list[Any]]:
    """What torchair asks for of an operator: found or not, inputs, outputs, attributes."""
    found = ge_graphs.prototype(name)
    if found is None:
        return "NOT_FOUND", [], [], []
    attributes = [(each.name, ge_graphs.KINDS[each.kind].tag) for each in found.attributes]
    return (
        "SUCCESS",
        [(each.name, each.option) for each in found.inputs],
        [(each.name, each.option) for each in found.outputs],
        attributes,
    )


def check_cann_compat(name: str, inputs: list[str], attributes: list[str]) -> str:
    """What is wrong with giving these optional inputs and attributes: nothing for what is known."""
    found = ge_graphs.prototype(name)
    if found is None:
        return ""
    for kind, given, known in (
        ("input", inputs, found.inputs),
        ("attribute", attributes, found.attributes),
    ):
        for each in given:
            if each not in [one.name for one in known]:
                return f"operator {name} has no {kind} {each}"
    return ""


def GetSocName() -> str:
    return "Ascend910B1"


def StupidRepeat(word: str, times: int) -> str:
    return word * times


def InitializeGraphEngine(options: Any) -> None:
    """One process, one engine: there is nothing to start."""


def FinalizeGraphEngine() -> None:
    """Nothing was started."""


def InitDeviceStdoutChannel(device: str) -> None:
    """What is printed here is on the host already."""


def SetDebugLogPath(path: str) -> None:
    """There is no log of a device."""


def GetNpuStorageSizes(tensor: Any) -> list[int]:
    """Private formats are not emulated: a tensor is stored as it is shaped."""
    return list(tensor.shape)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)

    def refuse(*args: Any) -> None:
        raise NotImplementedError(f"emulated GE: torchair's native {name} is not emulated")

    return refuse


class Finder:
    """Finds these modules in place of the wheel's, which need CANN's libraries."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package, _, rest = name.partition("torchair.")
        if rest not in NAMES or package not in ("", "torch_npu.dynamo."):
            return None
        return importlib.util.spec_from_file_location(name, __file__)
