"""The tests that are lost on the target, by cause, each with what is known to answer it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from porter import targets, unit
from porter.build.causes import Cause, cause
from porter.model import Failure, LostTests, Status, SuiteComparison, Surface
from porter.run.record import RunRecord
from porter.stages import analyze
from porter.surface.errors import normalise
from porter.surface.load import load_torch
from porter.surface.quirks import Quirk, read_quirks
from porter.unit.pieces import Piece

POLYFILL, QUIRK, MISSING = "polyfill ", "quirk ", "missing "
# Says only that something differs: two of one text in two places are two causes.
_VAGUE = ("AssertionError", "Failed", "")
# What pytest marks as the error, where that was raised before it had a test: in a conftest.py.
_MARKED = re.compile(r"^E +(?P<type>[A-Za-z_][\w.]*): (?P<message>.*)", re.M)


def causes(kept: RunRecord, comparison: SuiteComparison | None) -> tuple[LostTests, ...]:
    """The tests that `comparison` has as lost on the target, those of most tests first."""
    if comparison is None or not comparison.lost:
        return ()
    raised = {name: failure_of(comparison, name) for name in comparison.lost}
    return group_by_answer(raised, Known.load(kept))


def polyfills(kept: RunRecord) -> set[str]:
    """The pieces that answer what tests, builds and imports failed with on the target."""
    answers = {one.answer for one in kept.verification.lost_tests}
    said = list(kept.verification.lost_imports.values())
    for built in kept.builds:
        if built.cell.environment == kept.target and built.status is Status.FAILED:
            said += built.diagnostics
    if said:
        known = Known.load(kept)
        answers |= {known.find_by_name(Cause(d.cause, d.name, d.scope)) for d in said}
    return {one.removeprefix(POLYFILL) for one in answers if one.startswith(POLYFILL)}


def failure_of(comparison: SuiteComparison, name: str) -> Failure:
    """What was raised; of a test that was skipped, or that ended the interpreter, what is said."""
    found = comparison.failures.get(name)
    outcome, _, said = comparison.messages.get(name, "").partition(": ")
    if found is not None and outcome != "skipped":
        return found
    if error := _MARKED.search(said):
        return Failure(exception=error["type"], message=error["message"])
    is_kind = outcome in ("skipped", "not collected")
    return Failure(exception=outcome if is_kind else "", message=said)


def group_by_answer(raised: Mapping[str, Failure], known: Known) -> tuple[LostTests, ...]:
    """Those with one answer together, of the others those that say the same."""
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    answers = {one: known.answer(one) for one in {*raised.values()}}
    for name, one in raised.items():
        groups[_key(one, answers[one])].append(name)
    found = []
    for names in groups.values():
        commonest = Counter(raised[name] for name in names).most_common(1)[0][0]
        found.append(
            LostTests(
                exception=commonest.exception,
                message=normalise(commonest.message),
                path=commonest.path,
                line=commonest.line,
                answer=answers[commonest],
                tests=tuple(names),
            )
        )
    return tuple(sorted(found, key=lambda group: -len(group.tests)))


def _key(one: Failure, answer: str) -> tuple[str, ...]:
    if answer:
        return (answer,)
    said = (one.exception, normalise(one.message))
    return (*said, one.path, str(one.line)) if one.exception in _VAGUE and one.path else said


def _says(error: str, exception: str, said: str) -> bool:
    """Whether an error of a probe is this one. A message alone tells, as polyfills that are on give
    errors torch's types."""
    kind, _, message = error.partition(": ")
    return said == message if said else not message and kind == exception


@dataclass(frozen=True, slots=True)
class Known:
    """What a target's records say of errors."""

    pieces: Sequence[Piece]
    quirks: Mapping[str, Quirk]
    surface: Surface
    torch: Surface

    @classmethod
    def load(cls, kept: RunRecord) -> Known:
        target = targets.TARGETS[kept.target or ""]
        quirks = read_quirks(target.rules / target.pack)
        return cls(analyze.pieces_of(kept), quirks, analyze.surface_of(kept), load_torch())

    def answer(self, one: Failure) -> str:
        """By a name that the error says is missing; else by the errors of the quirks' probes, of
        a name that the line has; else by what a piece is shown by."""
        said = f"{one.exception}: {one.message}"
        return (
            self.find_by_name(cause(said))
            or self._answer_by_error(one)
            or self._answer_by_pattern(said)
        )

    def find_by_name(self, found: Cause) -> str:
        """By the name that a message says is missing, or the keyword that is refused."""
        if not found.name or not found.scope:
            return ""
        is_keyword = found.text.startswith(f"{found.scope}() ")
        read = self._find_refused_forms if is_keyword else self._torch_names
        names = read(found.scope, found.name)
        called = [name.partition("(")[0] for name in names]
        for piece in self.pieces:
            if {*names, *called} & {*piece.provides, *piece.forms}:
                return POLYFILL + piece.id
        below = tuple(f"{name}." for name in names)  # of a module, which comes with what is in it
        for piece in self.pieces:
            if any(name.startswith(below) for name in piece.provides):
                return POLYFILL + piece.id
        return MISSING + names[0] if names else ""

    def _torch_names(self, scope: str, name: str) -> list[str]:
        """Torch's name for what is missing in a module or class, which a target may call its own
        name; none where torch has no such name."""
        head, _, rest = f"{scope}.{name}".partition(".")
        full = (
            f"torch.{rest}" if head in (self.surface.package, "torch") else f"torch.{scope}.{name}"
        )
        return [full] if full in self.torch.python else []

    def _find_refused_forms(self, scope: str, name: str) -> list[str]:
        """The forms of call, of torch's functions of that name, that the target does not take."""
        ending = f".{scope.rpartition('.')[2]}"
        forms = (f"{full}({name}=)" for full in self.torch.python if full.endswith(ending))
        return [form for form in forms if self._rejects(form)]

    def _rejects(self, form: str) -> bool:
        called, _, keyword = form.removesuffix("=)").partition("(")
        symbol = self.surface.python.get(called)
        refused = symbol is not None and any(keyword in f.condition.words for f in symbol.facts)
        return refused or any(form in piece.forms for piece in self.pieces)

    def _answer_by_error(self, one: Failure) -> str:
        said = normalise(one.message)
        near = {*re.findall(r"\w+", f"{one.source} {one.message}")}
        for id, errors in self.surface.errors.items():
            quirk = self.quirks.get(id)
            if quirk is None or not any(_says(error, one.exception, said) for error in errors):
                continue
            if any(name.rpartition(".")[2] in near for name in quirk.names):
                piece = self._find_piece(id, quirk)
                return POLYFILL + piece.id if piece else QUIRK + id
        return ""

    def _find_piece(self, id: str, quirk: Quirk) -> Piece | None:
        """The piece that says it is for a quirk; else one that provides a name with it."""
        told = (piece for piece in self.pieces if id in piece.quirks)
        given = (piece for piece in self.pieces if not {*quirk.names}.isdisjoint(piece.provides))
        return next(told, None) or next(given, None)

    def _answer_by_pattern(self, said: str) -> str:
        asked = unit.find_shown_by(self.pieces, [said])
        return POLYFILL + asked[0] if asked else ""
