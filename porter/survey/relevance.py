"""Whether a tree has anything for porter: the quick question before all others."""

from __future__ import annotations

from pathlib import Path

from porter import targets
from porter.ascend import marks
from porter.model import Language
from porter.survey import markers
from porter.survey.discover import find_own


def concerns(root: Path) -> bool:
    """Whether any file of the project itself names torch, or is for Ascend NPUs."""
    of_npus = marks.cpp_marks(targets.npu_names())
    for language, data in find_own(root):
        ascend = language is Language.CPP and marks.has(data, of_npus)
        if ascend or markers.uses_torch(data, language):
            return True
    return False
