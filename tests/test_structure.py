"""The limits of porter's own structure: functions, their complexity, modules."""

from __future__ import annotations

from tests.names import is_state, share
from tests.structure import COMPLEXITY, ROOT, complex_functions, functions, line_count, modules

FUNCTION, MODULE = 60, 350  # lines at most
# Copied as one file into each run of tests, and run by runpy: it finds no sibling.
ALONE = {"porter/workers/triton_cpu.py"}


def test_no_function_is_longer_than_a_screen() -> None:
    assert [f for f in functions(ROOT) if f.lines > FUNCTION] == []


def test_no_module_is_too_long() -> None:
    long = {p.relative_to(ROOT).as_posix() for p in modules(ROOT) if line_count(p) > MODULE}
    assert long == ALONE


def test_no_function_has_too_many_branches() -> None:
    assert complex_functions(ROOT, COMPLEXITY) == []


def test_every_function_states_what_it_returns() -> None:
    assert [f for f in functions(ROOT) if not f.typed] == []


def test_functions_are_named_after_what_they_do_or_give() -> None:
    states, total = share(ROOT / "porter")
    assert states / total < 0.06


def test_participles_and_prepositions_count_as_states() -> None:
    assert all(map(is_state, ("kept", "_rebuilt_from", "of_line", "without", "merging", "named")))
    assert not any(
        map(is_state, ("keep", "embed", "string_at", "is_kept", "__getitem__", "spelling"))
    )
