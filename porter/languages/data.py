"""JSON, TOML, Python and arrays of others: what cannot be read is one kind of error each.

Python's own readers raise RecursionError or MemoryError for text that is nested too deeply, and
NumPy allocates what the head of a file says, whatever the file holds.
"""

from __future__ import annotations

import ast
import json
import math
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEEP = "nested too deeply"


def read_bytes(path: Path) -> bytes:
    """Read a file; one that cannot be read is empty."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def read_json(text: str | bytes) -> Any:
    """Parse JSON. Raises ValueError."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError(DEEP) from error


def read_table(text: str | bytes) -> dict[str, Any]:
    """Parse JSON that is an object. Raises ValueError."""
    found = read_json(text)
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises tomllib.TOMLDecodeError, which is a ValueError."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (RecursionError, ValueError) as error:  # ValueError: an integer of thousands of digits
        raise tomllib.TOMLDecodeError(str(error)) from error


def read_syntax(text: str | bytes) -> ast.Module:
    """Parse Python. Raises SyntaxError, or ValueError for NUL characters."""
    try:
        return ast.parse(text)
    except (RecursionError, MemoryError) as error:
        raise SyntaxError(DEEP) from error


def read_array(path: Path) -> NDArray[Any]:
    """Read an `.npy` file that has no Python objects. Raises ValueError, or OSError.

    Nothing is allocated for a file that is shorter than its head says.
    """
    import numpy as np

    if not path.is_file():  # a device or a pipe would never end
        raise ValueError(f"{path.name} is no file")
    with path.open("rb") as file:
        version = np.lib.format.read_magic(file)
        heads = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }
        if version not in heads:
            raise ValueError(f"{path.name} is of version {version} of the format")
        shape, _, dtype = heads[version](file)
        if math.prod(shape) * dtype.itemsize > path.stat().st_size - file.tell():
            raise ValueError(f"{path.name} is shorter than its shape {shape}")
        file.seek(0)
        return np.asarray(np.load(file, allow_pickle=False))
