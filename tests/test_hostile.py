"""The quick ones of the hostile inputs; `python -m tests.hostile` tries all."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

from tests import hostile
from tests.hostile.case import Case

NAMES = (module.name for module in pkgutil.iter_modules(hostile.__path__))
AREAS = [importlib.import_module(f"tests.hostile.{name}") for name in NAMES if name != "__main__"]
QUICK = [c for area in AREAS if hasattr(area, "cases") for c in area.cases() if c.quick]


@pytest.mark.parametrize("case", QUICK, ids=lambda case: f"{case.group}: {case.name}")
def test_porter_holds(case: Case, tmp_path: Path) -> None:
    assert case.run(tmp_path) is None
