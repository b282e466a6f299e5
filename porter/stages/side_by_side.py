"""Which cells are built at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from porter.build.cell import default_jobs
from porter.model import Cell, Evidence
from porter.stages.options import Options


def group_cells(cells: Sequence[Cell], options: Options) -> list[list[Cell]]:
    """Cells in their order, in groups to be built at once: of different frameworks, on a device
    that nothing stands in for, and where there is more than one compile job to share."""
    alone = (options.jobs or default_jobs()) < 2
    groups: list[list[Cell]] = []
    for cell in cells:
        last = groups[-1] if groups else []
        if alone or not last or any(not _fits(other, cell) for other in last):
            groups.append([cell])
        else:
            last.append(cell)
    return groups


def _fits(one: Cell, other: Cell) -> bool:
    native = one.evidence is other.evidence is Evidence.NATIVE
    return native and one.device is other.device and one.environment != other.environment


def share_jobs(options: Options, cells: int) -> Options:
    """The choices for each of some cells that are built at once: its part of the compile jobs."""
    if cells < 2:
        return options
    return dataclasses.replace(options, jobs=max(1, (options.jobs or default_jobs()) // cells))
