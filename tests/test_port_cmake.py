"""Our fixture that finds torch by CMake, ported whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.porting import porter

pytestmark = pytest.mark.real


@pytest.mark.long
def test_a_project_that_finds_torch_by_cmake_is_ported_as_it_is(own_home: Path) -> None:
    code, document = porter(own_home, "port", str(ROOT / "fixtures/cmake_pairs"))
    assert (code, document["verdict"]) == (0, "PORTED"), document["reasons"]
    assert document["units"]["cpp"]["compiled"] == 1
    tests = document["tests"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == 5
    patched = Path(document["patch"]["path"]).read_text()
    assert "+++ b/CMakeLists.txt" not in patched and "+++ b/setup.py" in patched
