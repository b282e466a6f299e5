"""Whether a tree has anything for porter: the quick question before all others."""

from __future__ import annotations

from pathlib import Path

from porter import targets
from porter.ascend import marks
from porter.languages.data import read_bytes
from porter.model import Language, Role
from porter.survey import markers
from porter.survey.discover import Discovery


def concerns(root: Path, discovery: Discovery) -> bool:
    """Whether any file of the project itself names torch, or is for Ascend NPUs."""
    of_npus = marks.cpp_marks(targets.npu_names())
    for file in discovery.files:
        if file.role is Role.VENDORED:
            continue
        data = read_bytes(root / file.path)
        ascend = file.language is Language.CPP and marks.has(data, of_npus)
        if ascend or markers.uses_torch(data, file.language):
            return True
    return False
