"""Calls of torch's functions with torch's answers, and how a target's answers differ."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.errors import RuleError
from porter.model import Condition, Fact, When

Answer = Mapping[str, Any]
LOOSE = {"float16": 0.02, "bfloat16": 0.02}  # relative; kernels of half differ in their sums
CLOSE = 1e-3
HARMLESS = (  # for nearly every use
    "gives a list, torch a tuple",
    "gives a copy, torch the memory",
    "gives the memory of its argument",
)
FLAT = "0-D "  # before the dtypes of such a call in a sentence
LONGEST = 100  # characters of a call in a sentence


@dataclass(frozen=True, slots=True)
class Call:
    """One call: `inputs` are {name: [dtype, shape, values]}, `gives` is torch's answer; both as
    porter/workers/surface_calls.py takes and tells them."""

    name: str
    code: str
    inputs: Mapping[str, Sequence[Any]]
    gives: Answer


def read_calls(path: Path) -> tuple[Call, ...]:
    """The calls that porter ships. Raises RuleError."""
    try:
        return tuple(Call(*row) for row in json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError) as error:
        raise RuleError(f"{path}: {error}", hint="reinstall porter") from error


def differences(calls: Sequence[Call], answers: Sequence[Answer]) -> dict[str, tuple[Fact, ...]]:
    """By name, facts about how a target's answers differ: about what shows in the results only,
    and about what is refused. Names whose every answer is torch's have none.

    Where at least half of the calls of a name give another result, it holds of every call.
    """
    rows = _by_name(zip(calls, answers, strict=True))
    facts = {name: tuple(fact for fact, _ in _facts(own)) for name, own in rows.items()}
    return {name: found for name, found in facts.items() if found}


def find_answered(
    calls: Sequence[Call], answers: Sequence[Answer], completed: Sequence[Answer]
) -> dict[str, tuple[str, ...]]:
    """By name, the facts of `differences`, as text, whose every call gives torch's answer where a
    package completes the target."""
    rows = [*zip(calls, answers, strict=True)]
    right = {id(c) for c, a in zip(calls, completed, strict=True) if _is_torchs(c, a)}
    found = {
        name: tuple(
            str(fact)
            for fact, shown in _facts(own)
            if right.issuperset(id(call) for call, _ in shown)
        )
        for name, own in _by_name(rows).items()
    }
    return {name: facts for name, facts in found.items() if facts}


def _is_torchs(call: Call, answer: Answer) -> bool:
    return not ({"error", "unmade"} & answer.keys() or silent_difference(call.gives, answer))


def _by_name(
    rows: Iterable[tuple[Call, Answer]],
) -> dict[str, list[tuple[Call, Answer]]]:
    found: dict[str, list[tuple[Call, Answer]]] = {}
    for call, answer in rows:
        found.setdefault(call.name, []).append((call, answer))
    return found


_Shown = Sequence[tuple[Call, str]]  # calls, and how their answers differ


def _facts(rows: Sequence[tuple[Call, Answer]]) -> Iterator[tuple[Fact, _Shown]]:
    """Facts about the answers to calls of one name, each with the calls that show it."""
    silent = [(c, how) for c, answer in rows if (how := silent_difference(c.gives, answer))]
    wrong = [item for item in silent if not item[1].startswith(HARMLESS)]
    least = min((_arguments(call.code) for call, _ in wrong or silent), default=0)
    often = 2 * len(wrong) >= len(rows)
    seen = Condition(When.CALL) if often else Condition(When.MEASURED, count=least)
    refused = [(c, a) for c, a in rows if "error" in a and "unexpected keyword" not in a["said"]]
    raised = [(c, f"raises {a['error']}: {a['said']}") for c, a in refused]
    raises = Condition(When.MEASURED)
    shown = {id(call) for call, _ in (*silent, *raised)}
    agreed = [c for c, answer in rows if id(c) not in shown and "error" not in answer]
    for when, found in ((seen, wrong or silent), (raises, raised)):
        if not found:
            continue
        alike = {_dtypes(call) for call in agreed if not _is_flat(call)}
        whole = (one for one in found if when is not raises and not _is_flat(one[0]))
        call, how = next(whole, found[0])
        flat = when is not raises and _is_flat(call) and _dtypes(call) in alike
        dtypes = _dtypes(call)
        code = call.code if len(call.code) <= LONGEST else f"{call.code[:LONGEST]}..."
        of = f" of {FLAT * flat}{dtypes}" if dtypes else ""
        yield Fact(when, f"`{code}`{of} {how} ({len(found)} of {len(rows)} calls)"), found


def _dtypes(call: Call) -> str:
    return ", ".join(dict.fromkeys(dtype for dtype, _, _ in call.inputs.values()))


def _is_flat(call: Call) -> bool:
    """Whether the first tensor that a call is given is 0-D."""
    return next((not shape for _, shape, _ in call.inputs.values()), False)


def _arguments(code: str) -> int:
    """How many arguments a call has, its receiver apart."""
    call = ast.parse(code, mode="eval").body
    return len(call.args) + len(call.keywords) if isinstance(call, ast.Call) else 0


def silent_difference(want: Answer, got: Answer) -> str:
    """How a target's answer differs from torch's where both give one; nothing where they agree,
    or where the target refuses."""
    if "error" in got or "unmade" in got:
        return ""
    if want["is"] != got["is"]:
        return f"gives a {got['is']}, torch a {want['is']}"
    mine, theirs = got.get("of", ()), want.get("of", ())
    if len(mine) != len(theirs) and "of" in want:
        return f"gives {len(mine)} results, torch {len(theirs)}"
    for key in ("dtype", "shape"):
        if key in want and want[key] != got[key]:
            return f"gives the {key} {got[key]}, torch {want[key]}"
    loose = LOOSE.get(want.get("dtype", ""), CLOSE)
    for key in ("values", "value"):
        if want.get(key) is not None and not _are_close(want[key], got.get(key), loose):
            return "gives other values"
    inner = (silent_difference(w, g) for w, g in zip(theirs, mine, strict=True))
    return next(filter(None, inner), "") or _side_effects(want, got)


def _side_effects(want: Answer, got: Answer) -> str:
    """What differs beside the values: arguments written to, memory that is shared."""
    if "changes" in want and got["changes"].keys() != want["changes"].keys():
        more = got["changes"].keys() - want["changes"].keys()
        return "writes to an argument" if more else "does not write to its argument"
    if want.get("values") and want["memory of"] != got["memory of"]:
        copy, shared = "a copy", "the memory of its argument"
        mine, theirs = (shared, copy) if got["memory of"] else (copy, shared)
        return f"gives {mine}, torch {theirs}"
    return ""


def _are_close(want: Any, got: Any, loose: float) -> bool:
    if isinstance(want, list) and isinstance(got, list):
        same = len(want) == len(got)
        return same and all(_are_close(*pair, loose) for pair in zip(want, got, strict=True))
    if isinstance(want, bool | str | None) or isinstance(got, bool | str | list | None):
        return bool(want == got)
    return bool(abs(want - got) <= loose * (1 + abs(want)))
