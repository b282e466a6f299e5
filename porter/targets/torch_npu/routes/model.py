"""The routes into torch_npu, and what the conversion of a file gives."""

from __future__ import annotations

from dataclasses import dataclass

from porter.model import AscendRoute
from porter.targets.conversion import Left, Route

CALL = "EXEC_NPU_CMD_EXT"  # calls an operator of ACLNN
ROUTES = {
    "direct": Route(
        route=AscendRoute.LAUNCH,
        title="operators by launching their kernels",
        reason="The host launches their kernels, without an operator package.",
    ),
    "aclnn": Route(
        route=AscendRoute.ACLNN,
        title="operators by a package and ACLNN",
        reason="The kernels are operators of a package, called by ACLNN and usable in graphs.",
    ),
    "opplugin": Route(
        route=AscendRoute.OPPLUGIN,
        title="operators by entries for OpPlugin",
        reason="OpPlugin's generator writes the schema and registration of a yaml entry.",
    ),
}


@dataclass(frozen=True, slots=True)
class Result:
    """Files by their new bytes, None where one goes; the operators that are converted; sources
    that another one takes the place of, as build scripts name them."""

    files: dict[str, bytes | None]
    left: tuple[Left, ...]
    operators: tuple[str, ...]
    sources: tuple[tuple[str, str], ...] = ()
