"""What a conversion gives: files, and what is left for a person."""

from __future__ import annotations

from dataclasses import dataclass

CALL = "EXEC_NPU_CMD_EXT"  # calls an operator of ACLNN


@dataclass(frozen=True, slots=True)
class Left:
    """What is not mechanical: where, of which operator, and why."""

    path: str
    line: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """Files by their new bytes, None where one goes; the operators that are converted; sources
    that another one takes the place of, as build scripts name them."""

    files: dict[str, bytes | None]
    left: tuple[Left, ...]
    operators: tuple[str, ...]
    sources: tuple[tuple[str, str], ...] = ()
