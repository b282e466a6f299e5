"""What the call of a parity case gave, written to files."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

BITS = {  # dtype -> (integer numpy dtype of its bits, torch name of that)
    "bfloat16": (np.int16, "int16"),
    "float8_e4m3fn": (np.uint8, "uint8"),
    "float8_e5m2": (np.uint8, "uint8"),
}


def dtype_name(value: object) -> str:
    """`float32` for torch.float32, whatever stands in for torch."""
    return str(value).rpartition(".")[2]


def extent(tensor: Any) -> tuple[int, int]:
    """First and last address (exclusive) of what a tensor with elements can see."""
    start = int(tensor.data_ptr())
    last = sum(
        (int(n) - 1) * int(step) for n, step in zip(tensor.shape, tensor.stride(), strict=True)
    )
    return start, start + (1 + last) * int(tensor.element_size())


def device_kind(tensor: Any) -> str:
    """`cpu`, `cuda` or another, for torch.device("cuda:0") and Place(gpu:0)."""
    kind = re.sub(r"^Place\(|[:)].*", "", str(tensor.device))
    return "cuda" if kind == "gpu" else kind


def numbers(torch: Any, tensor: Any) -> Any:
    """The numbers of a tensor on the CPU; of dtypes that numpy lacks, their bits."""
    dtype = dtype_name(tensor.dtype)
    if dtype in BITS:
        tensor = tensor.contiguous().view(getattr(torch, BITS[dtype][1]))
    return tensor.numpy().view(np.uint16) if dtype == "bfloat16" else tensor.numpy()


class Results:
    """The tensors of one case: its results, arguments and gradients."""

    def __init__(self, torch: Any, out: str, index: int) -> None:
        self.torch = torch
        self.out = out
        self.index = index  # of the case
        self.tensors: list[dict[str, Any]] = []  # what is written
        self.memory: list[tuple[str, int, int]] = []  # (place, from, to) of arguments and results

    def node(self, value: Any, place: str, outputs: list[Any]) -> dict[str, Any]:
        torch = self.torch
        if isinstance(value, torch.Tensor):
            outputs.append(value)
            return {"kind": "tensor", "index": self.write("result", place, value)}
        if value is None or isinstance(value, (bool, int, float, str)):
            return {"kind": "scalar", "type": type(value).__name__, "value": value}
        if isinstance(value, (tuple, list)) or type(value).__name__ == "Size":
            items = [self.node(v, f"{place}[{n}]", outputs) for n, v in enumerate(value)]
            return {"kind": "sequence", "items": items}
        if isinstance(value, dict):
            names = sorted(value, key=repr)
            items = [self.node(value[n], f"{place}[{n!r}]", outputs) for n in names]
            return {"kind": "dict", "keys": [repr(n) for n in names], "items": items}
        if isinstance(value, torch.dtype):
            return {"kind": "scalar", "type": "dtype", "value": dtype_name(value)}
        return {"kind": "other", "type": type(value).__name__}

    def write(self, role: str, place: str, tensor: Any) -> int:
        index = len(self.tensors)
        array = numbers(self.torch, tensor.detach().cpu())
        alias = self.alias(role, place, tensor)
        file = f"{self.index}_{index}.npy"
        np.save(os.path.join(self.out, file), array)
        self.tensors.append(
            {
                "role": role,
                "place": place,
                "file": file,
                "dtype": dtype_name(tensor.dtype),
                "shape": [int(size) for size in tensor.shape],
                "strides": [int(step) for step in tensor.stride()],
                "device": device_kind(tensor),
                "alias": alias,
            }
        )
        return index

    def alias(self, role: str, place: str, tensor: Any) -> str:
        """The place of the argument or of the earlier result that has some of its memory."""
        if role != "result" or not all(tensor.shape):
            return ""
        start, end = extent(tensor)
        shared = [there for there, low, high in self.memory if low < end and start < high]
        self.memory.append((place, start, end))
        return shared[0] if shared else ""
