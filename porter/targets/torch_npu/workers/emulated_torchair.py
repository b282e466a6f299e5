"""The native part of torchair on the emulated NPU: graphs are taken here, and run by `emulated_ge`.

Stands in for `torchair.core._torchair`, `_npu_graph_executor` and `_npu_utils`, written from how
torchair's Python calls them. Stands alone, imports nothing of porter.
"""

import enum
import importlib.util

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

    def __init__(self, name):
        self.name = name
        self.graph = None

    def load(self, serialized, options, input_placements, output_dtypes, executor_type):
        """Take the graph; a wrong one is refused here."""
        self.graph = emulated_ge.Graph(serialized)

    def set_hint_shape(self, inputs, outputs):
        """Hints are for memory on a device."""

    def compile(self):
        """A graph that does not fit the operators' definitions is not compiled."""
        self.graph.check()

    def auto_tune(self, given):
        raise NotImplementedError("emulated GE: graphs are not tuned")

    def run(self, given):
        """The outputs for (inputs, outputs to write into, stream)."""
        inputs, assigned, _ = given
        return self.graph.run(inputs, assigned)


def get_registered_ir_def(name):
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


def check_cann_compat(name, inputs, attributes):
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


def GetSocName():
    return "Ascend910B1"


def StupidRepeat(word, times):
    return word * times


def InitializeGraphEngine(options):
    """One process, one engine: there is nothing to start."""


def FinalizeGraphEngine():
    """Nothing was started."""


def InitDeviceStdoutChannel(device):
    """What is printed here is on the host already."""


def SetDebugLogPath(path):
    """There is no log of a device."""


def GetNpuStorageSizes(tensor):
    """Private formats are not emulated: a tensor is stored as it is shaped."""
    return list(tensor.shape)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)

    def refuse(*args):
        raise NotImplementedError(f"emulated GE: torchair's native {name} is not emulated")

    return refuse


class Finder:
    """Finds these modules in place of the wheel's, which need CANN's libraries."""

    def find_spec(self, name, path=None, target=None):
        package, _, rest = name.partition("torchair.")
        if rest not in NAMES or package not in ("", "torch_npu.dynamo."):
            return None
        return importlib.util.spec_from_file_location(name, __file__)
