"""Describe what goes into an operation and comes out of it, tensors with a hash; stands alone.

A description is JSON: of a `kind` (tensor, scalar, sequence, dict, other). The numbers of tensors
and arrays are kept in files named by their hash.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

TENSOR_BYTES = 64 << 20  # of larger ones only statistics and hash are kept
ALL_BYTES = 2 << 30
ITEMS = 64  # of a list
TEXT = 300  # characters of a string
FRAMEWORK = os.environ.get("PORTER_FRAMEWORK", "torch")  # what stands in for torch, if not itself
FRAMEWORKS = {"torch", FRAMEWORK, "triton", "tilelang"}
# numbers that are another process's own
PLACES = {"data_ptr", "cuda_stream", "_version", "id", "__hash__", "hash"}


class Values:
    def __init__(self, folder: str, worker: Any) -> None:
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.worker = worker  # the parity worker's module: what it knows of dtypes
        self.bytes = 0
        self.kept: set[str] = set()  # hashes
        self.local = threading.local()
        self.lock = threading.Lock()

    def is_framework(self, value: Any) -> bool:
        kind = value if isinstance(value, type) else type(value)
        if isinstance(value, type(sys)):
            return value.__name__.partition(".")[0] in FRAMEWORKS
        return kind.__module__.partition(".")[0] in FRAMEWORKS

    def is_tensor(self, value: Any) -> bool:
        modules = (sys.modules.get(FRAMEWORK), sys.modules.get("torch"))
        kinds = (getattr(module, "Tensor", None) for module in modules)
        kind = next((kind for kind in kinds if isinstance(kind, type)), None)
        return kind is not None and isinstance(value, kind)

    def tensors(self, value: Any, place: str) -> Iterator[tuple[str, Any]]:
        if self.is_tensor(value):
            yield place, value
        elif isinstance(value, (tuple, list)):
            for number, each in enumerate(value[:ITEMS]):
                yield from self.tensors(each, f"{place}[{number}]")
        elif isinstance(value, dict):
            for name in list(value)[:ITEMS]:
                yield from self.tensors(value[name], f"{place}[{name!r}]")

    @property
    def hashes(self) -> dict[int, str | None]:
        """id -> hash of the tensors that this thread has described; of living ones it is right."""
        if not hasattr(self.local, "held"):
            self.local.held = {}
        held: dict[int, str | None] = self.local.held
        return held

    def describe(self, value: Any, depth: int = 0, word: str = "") -> dict[str, Any]:
        if self.is_tensor(value):
            return self._tensor(value)
        kind = type(value).__name__
        if kind.lower() in ("device", "place", "cpuplace"):
            named = re.sub(r"^Place\(|\)$", "", str(value)).replace("gpu", "cuda")
            return {"kind": "scalar", "type": "device", "value": named}
        if value is None or isinstance(value, (bool, int, float, str, np.generic)):
            value = value.item() if isinstance(value, np.generic) else value
            if word in PLACES and isinstance(value, int) and not isinstance(value, bool):
                return {"kind": "other", "type": "a place in memory"}
            shown = value[:TEXT] if isinstance(value, str) else value
            if isinstance(value, (bytes, complex)) or (isinstance(value, int) and abs(value) >> 63):
                shown = repr(value)
            return {"kind": "scalar", "type": type(value).__name__, "value": shown}
        if isinstance(value, slice):
            return self._sequence((value.start, value.stop, value.step), kind, depth)
        if isinstance(value, (tuple, list)) and depth < 4:
            return self._sequence(value, kind, depth)
        if isinstance(value, dict) and depth < 4:
            names = list(value)[:ITEMS]
            items = [self.describe(value[name], depth + 1) for name in names]
            return {"kind": "dict", "keys": [repr(name) for name in names], "items": items}
        if isinstance(value, np.ndarray) and value.dtype.kind in "biufc":
            return {"kind": "tensor", "numpy": True, **self._array(value, str(value.dtype))}
        torch = sys.modules.get("torch")
        dtype = getattr(torch, "dtype", None)
        if isinstance(dtype, type) and isinstance(value, dtype):
            return {"kind": "scalar", "type": "dtype", "value": self.worker.dtype_name(value)}
        return {"kind": "other", "type": kind}

    def _sequence(self, value: Any, kind: str, depth: int) -> dict[str, Any]:
        items = [self.describe(each, depth + 1) for each in value[:ITEMS]]
        return {"kind": "sequence", "type": kind, "length": len(value), "items": items}

    def _tensor(self, tensor: Any) -> dict[str, Any]:
        told: dict[str, Any] = {"kind": "tensor"}
        try:
            told["dtype"] = self.worker.dtype_name(tensor.dtype)
            told["shape"] = [int(size) for size in tensor.shape]
            told["strides"] = [int(step) for step in tensor.stride()]
            told["device"] = self.worker.device_kind(tensor)
            told["grad"] = bool(tensor.requires_grad)
            data = tensor.detach().cpu()
            if hasattr(data, "resolve_conj"):
                data = data.resolve_conj().resolve_neg()
            told.update(self._array(self.worker.numbers(sys.modules["torch"], data), told["dtype"]))
        except Exception as error:
            told["unread"] = self.worker.describe_error(
                error
            )  # of another kind: it has no numbers yet
        self.hashes[id(tensor)] = told.get("hash")
        return told

    def _array(self, array: Any, dtype: str) -> dict[str, Any]:
        compact = np.ascontiguousarray(array)
        digest = hashlib.blake2b(compact.tobytes(), digest_size=12)
        digest.update(f"{dtype}{array.shape}".encode())
        name = digest.hexdigest()
        told: dict[str, Any] = {"hash": name, "dtype": dtype, "shape": list(array.shape)}
        told["statistics"] = statistics(compact, dtype)
        with self.lock:
            small = compact.nbytes <= TENSOR_BYTES and self.bytes + compact.nbytes <= ALL_BYTES
            if name not in self.kept and small:
                self.kept.add(name)
                self.bytes += compact.nbytes
                path = os.path.join(self.folder, f"{name}.npy")
                np.save(path, compact.reshape(array.shape))
        if name in self.kept:
            told["file"] = f"{name}.npy"
        return told


def plain(told: dict[str, Any]) -> bool:
    """Whether a description is of numbers and strings alone."""
    if told["kind"] == "sequence":
        return all(map(plain, told["items"]))
    return told["kind"] == "scalar" or bool(told.get("numpy"))


def statistics(array: Any, dtype: str) -> dict[str, Any]:
    if not array.size or dtype.startswith("float8"):
        return {}
    if dtype == "bfloat16":
        array = (array.astype(np.uint32) << 16).view(np.float32)
    if array.dtype.kind == "c":
        array = np.abs(array)
    with np.errstate(all="ignore"):
        numbers = array.astype(np.float64)
        usable = numbers[np.isfinite(numbers)]
        found = (
            {"least": usable.min(), "greatest": usable.max(), "mean": usable.mean()}
            if (usable.size)
            else {}
        )
    told = {name: float(value) for name, value in found.items()}
    return {**told, "not finite": int(array.size - usable.size)}
