"""The C++ source of a test module: a function for each expression."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tests.cpp_pieces.examples import Example, Examples

MARK = "porter-example-{}"
_MARKED = re.compile(r"porter-example-(\d+)")
_BUILT_IN = ("x", "y", "m")


def source(piece: Examples, chosen: Sequence[int], headers: Iterable[str]) -> str:
    """A module with the chosen ones of the piece's examples, by their number."""
    lines = [f"#include <{header}>" for header in (*headers, *piece.headers)]
    if piece.prelude:
        lines += ['#line 1 "porter-prelude"', piece.prelude]
    for number in chosen:
        lines.append(_case(number, piece.examples[number]))
    table = ", ".join([*(f"case_{number}" for number in chosen), "nullptr"])
    lines.append(f"static const porter_test::Case cases[] = {{{table}}};")
    lines.append('extern "C" const porter_test::Case* porter_test_cases = cases;')
    return "\n".join(lines) + "\n"


def _case(number: int, example: Example) -> str:
    names = sorted({*_BUILT_IN, *example.inputs})
    given = " ".join(f'at::Tensor {name} = inputs.at("{name}");' for name in names)
    return (
        f'#line 1 "{MARK.format(number)}"\n'
        f"static void case_{number}(const porter_test::Inputs& inputs, "
        f"porter_test::Results& results) {{ {given} "
        f"porter_test::call(results, [&]() -> decltype(auto) "
        f"{{ return ({example.code}), porter_test::Kept{{}}; }}); }}"
    )


def blamed(output: str) -> dict[int, str]:
    """The examples that a compiler's output blames, each with its first error.

    An error belongs to the example that is named with it: where it stands, or in the lines
    before it that tell from where it was required.
    """
    found: dict[int, str] = {}
    before: list[str] = []
    for line in output.splitlines():
        before.append(line)
        if ": error:" in line or ": fatal error:" in line:
            numbers = _MARKED.findall("\n".join(before))
            if numbers:
                found.setdefault(int(numbers[-1]), line.split("error:", 1)[1].strip())
            before = []
        elif re.match(r"\s*\d*\s*\||\s+\|", line) or ": note:" in line:
            before = []
    return found
