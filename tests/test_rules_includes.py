"""Where an #include goes."""

from __future__ import annotations

import pytest

from porter.languages.cpp import parse
from porter.languages.edits import splice
from porter.rules.includes import add_include, framework_headers


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "#include <torch/all.h>\n#include <vector>\n",
            "#include <torch/all.h>\n#include <queue>\n#include <vector>\n",
        ),
        (
            "#include <torch/all.h>\n#ifdef A\n#include <ATen/ATen.h>\n#endif\n",
            "#include <torch/all.h>\n#include <queue>\n#ifdef A\n#include <ATen/ATen.h>\n#endif\n",
        ),
        (
            "#ifndef H\n#define H\n#include <c10/A.h>\n#if B\n#include <c10/B.h>\n#endif\n#endif\n",
            "#ifndef H\n#define H\n#include <c10/A.h>\n#include <queue>\n"
            "#if B\n#include <c10/B.h>\n#endif\n#endif\n",
        ),
        ("#include <torch/all.h>", "#include <torch/all.h>\n#include <queue>"),
        ("#include <torch/all.h>\r\nint a;\r\n", None),
        ("#include <vector>\n", "#include <vector>\n"),
    ],
)
def test_it_goes_behind_torchs_own_outside_of_their_conditions(
    before: str, after: str | None
) -> None:
    if after is None:
        after = "#include <torch/all.h>\r\n#include <queue>\r\nint a;\r\n"
    unit = parse(before.encode(), "a.cpp")
    assert splice(unit.data, add_include(unit, "queue")).decode() == after


def test_headers_of_torch_are_those_below_its_folders() -> None:
    unit = parse(b'#include "torch/all.h"\n#include <vector>\n// #include <c10/a.h>\n', "a.cpp")
    assert framework_headers(unit) == {"torch/all.h"}
