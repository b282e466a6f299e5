"""What Paddle lacks of torch, for the code that imports this package; where torch is, nothing.

`import porter_compat` makes `import torch` mean Paddle's torch proxy, and gives that what it lacks,
or does otherwise, for the package, the tests or the script that imports it.
`python -m porter_compat` runs unmodified code so; its command `report` says which pieces
are on, and why others are not. (PYTEST_DONT_REWRITE: pytest warns of what it finds imported.)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from porter_compat.activation import STATE, activate

if TYPE_CHECKING:
    from porter_compat.stable_abi.inspection import Report

__version__ = "0.1.0"
__all__ = ["STATE", "__version__", "check"]


def check(wheel: str | Path) -> Report:
    """Which symbols of torch the libraries of a wheel need, and which of these are here."""
    from porter_compat.stable_abi import inspection

    return inspection.check(wheel)


activate()
