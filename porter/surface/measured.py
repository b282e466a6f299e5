"""What was measured of calls of a name: whether it shows in a call with other inputs, whose result
is used otherwise."""

from __future__ import annotations

import re

from porter.model import Given

MEASURED = re.compile(
    r"`(?P<code>.+)`(?: of (?P<flat>0-D )?(?P<dtypes>\w+(?:, \w+)*))? (?P<how>.*)"
    r" \((?P<some>\d+) of (?P<all>\d+) calls\)",
    re.DOTALL,
)
OF_DTYPES = {  # what is seen of a tensor, and how the dtypes begin that it may have
    "floating": ("float", "bfloat", "complex"),
    "boolean": ("bool",),
    "int64": ("int64",),
}


def is_of_other_inputs(measured: re.Match[str], call: Given) -> bool:
    """Whether the inputs that were seen to differ are of other dtypes, or 0-D, and the tensor here
    is another."""
    given = (call.receiver, *call.positional, *(value for _, value in call.keywords))
    seen = {word for value in given for word in value.split()}
    if "differentiated" in call.fate:
        seen.add("floating")
    dtypes = (measured["dtypes"] or "float").split(", ")
    other = any(
        word in seen and not any(dtype.startswith(begins) for dtype in dtypes)
        for word, begins in OF_DTYPES.items()
    )
    first = (call.receiver or "".join(call.positional[:1])).split()
    sized = "dimensional" in first or _names_dimension(call)
    flat = measured["flat"] or measured["how"].endswith("torch []")
    return other or bool(flat and sized)


def _names_dimension(call: Given) -> bool:
    """Whether a call says which dimension it is of: what it is of has one."""
    named = any(name == "dim" and value != "none" for name, value in call.keywords)
    return named or any("whole" in value.split() for value in call.positional)


def is_harmless(measured: re.Match[str], call: Given) -> bool:
    """Whether nothing shows of what was seen to differ in what becomes of the result here."""
    fates, how = {*call.fate.split()}, measured["how"]
    made = {*call.receiver.split(), *(call.positional[0].split() if call.positional else ())}
    if how.startswith("gives a copy, torch the memory"):
        return "temporary" in made or not fates.isdisjoint(("read", "reshaped"))
    if how.startswith("gives the memory"):
        return not fates.isdisjoint(("read", "reshaped"))
    if how.startswith("gives a list, torch a tuple"):
        return "unpacked" in fates
    return how.startswith("gives a Tensor, torch a bool") and "tested" in fates
