"""What one framework answered to one case, read back from the worker's files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.languages.data import read_array, read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorAnswer:
    """One tensor: a result, an argument after the call, or a gradient."""

    role: str  # result, argument, gradient
    place: str  # result[0], args[1], kwargs.out
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    data: NDArray[Any]
    device: str = "cpu"
    alias: str = ""  # the place of the first other tensor that has some of its memory

    @property
    def meaningful_strides(self) -> tuple[int, ...]:
        """Without those along which there is one element or none."""
        if 0 in self.shape:
            return ()
        pairs = zip(self.shape, self.strides, strict=False)
        return tuple(stride for size, stride in pairs if size != 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`raised` says what went wrong and `phase` where: import, arguments, call, crash."""

    raised: str = ""
    phase: str = ""
    tree: Mapping[str, Any] = field(default_factory=dict)
    tensors: tuple[TensorAnswer, ...] = ()
    gradient_error: str = ""
    emulated: bool = False  # kernels ran on a stand-in for their device
    changed: tuple[str, ...] = ()  # of its process; put back before the next case
    left: int = 0  # processes that it started and left running

    def move_device(self, here: str, there: str) -> Answer:
        """As if what was on one device had been on another."""
        moved = (replace(t, device=there) if t.device == here else t for t in self.tensors)
        return replace(self, tensors=tuple(moved))

    def tensors_by_place(self, role: str) -> dict[str, TensorAnswer]:
        return {each.place: each for each in self.tensors if each.role == role}


def save_raised(folder: Path, index: int, answer: Answer) -> None:
    """Write what the worker could not, as its process ended: an answer that is an error."""
    path = folder / f"{index}.json"
    if answer.raised and not path.exists():
        said = {"status": "raised", "phase": answer.phase, "error": answer.raised}
        more = {"emulated": answer.emulated, "changed": answer.changed, "left": 0}
        path.write_text(json.dumps(said | more), encoding="utf-8")


def load(folder: Path, index: int) -> Answer | None:
    """The answer to a case; None where the worker wrote none.

    The worker runs code of others: what cannot be read is an answer that was not given.
    """
    path = folder / f"{index}.json"
    if not path.exists():
        return None
    try:
        return _answer(read_table(path.read_text(encoding="utf-8")), folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        said = f"the result cannot be read: {type(error).__name__}: {error}"
        return Answer(raised=said, phase="crash")


def _answer(written: Mapping[str, Any], folder: Path) -> Answer:
    process = {key: written[key] for key in ("emulated", "left")}
    process["changed"] = tuple(written["changed"])
    if written["status"] == "raised":
        return Answer(raised=written["error"], phase=written["phase"], **process)
    tensors = tuple(tensor(each, folder) for each in written["tensors"])
    error = written.get("gradient_error", "")
    return Answer(tree=written["tree"], tensors=tensors, gradient_error=error, **process)


def tensor(told: Mapping[str, Any], folder: Path) -> TensorAnswer:
    """A tensor that a worker described, with its numbers. Raises ValueError, or OSError."""
    same = {key: told[key] for key in ("role", "place", "dtype", "device", "alias") if key in told}
    shape, strides = tuple(told["shape"]), tuple(told["strides"])
    return TensorAnswer(**same, shape=shape, strides=strides, data=array(folder, told))


def array(folder: Path, tensor: Mapping[str, Any]) -> NDArray[Any]:
    """The numbers of a tensor, of a file in this folder. Raises ValueError, or OSError."""
    name = tensor["file"]
    if Path(name).name != name:
        raise ValueError(f"{name} is not a file of {folder}")
    found = read_array(folder / name)
    if found.shape != tuple(tensor["shape"]):
        raise ValueError(f"{name} has shape {found.shape}, not {tuple(tensor['shape'])}")
    return found
