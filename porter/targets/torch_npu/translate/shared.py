"""Memory that the threads of a block share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.arithmetic import Arithmetic
from porter.targets.torch_npu.translate.lanes import WARP, Lane, Lanes, Shared
from porter.targets.torch_npu.translate.syntax import Untranslatable


@dataclass(slots=True)
class Cell:
    value: Lane
    writers: int
    epoch: int


@dataclass(slots=True)
class SharedMemory:
    """What is in each place, and which threads wrote it since which barrier."""

    math: Arithmetic
    cells: dict[str, dict[int, Cell]] = field(default_factory=dict)
    epoch: int = 0

    def read(self, kept: Shared, index: Sequence[Lane], active: int, at: int) -> Lanes:
        out: list[Lane] = [None] * self.math.size
        for thread in range(self.math.size):
            if not active >> thread & 1:
                continue
            cell = self.cells[kept.name].get(self._place(kept, index[thread], at))
            if cell is None:
                continue
            warp = ((1 << WARP) - 1) << (thread - thread % WARP)
            if cell.epoch == self.epoch and not cell.writers & warp:
                raise Untranslatable("shared memory read before a barrier", at)
            out[thread] = cell.value
        return Lanes(tuple(out))

    def write(
        self, kept: Shared, index: Sequence[Lane], lanes: Sequence[Lane], active: int, at: int
    ) -> None:
        cells = self.cells[kept.name]
        new: dict[int, Cell] = {}
        for thread in range(self.math.size):
            if not active >> thread & 1:
                continue
            place = self._place(kept, index[thread], at)
            if place in new and new[place].value != lanes[thread]:
                raise Untranslatable("a place in shared memory written by several threads", at)
            writers = new[place].writers if place in new else 0
            new[place] = Cell(lanes[thread], writers | 1 << thread, self.epoch)
        cells |= new

    def _place(self, kept: Shared, index: Lane, at: int) -> int:
        place = self.math.as_number(index)
        if not isinstance(place, int):
            raise Untranslatable("an unknown place in shared memory", at)
        place += kept.first
        if place < 0 or (kept.size is not None and place >= kept.size):
            raise Untranslatable(f"`{kept.name}` is too small for {self.math.size} threads", at)
        return place

    def contents(self) -> dict[str, dict[int, Cell]]:
        """What is there, whoever wrote it."""
        return {
            name: {k: Cell(c.value, 0, 0) for k, c in cells.items()}
            for name, cells in self.cells.items()
        }

    def forget(self) -> None:
        for cells in self.cells.values():
            cells.clear()
