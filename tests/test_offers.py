"""Which piece could answer a name that a target lacks: the first one that does."""

from __future__ import annotations

from porter.host.home import rules_home
from porter.migrate.scan import ScanResult
from porter.model import Guess, Language, Missing, Role, State, Use, When
from porter.stages.answers import BY_PACKAGE, Answers
from porter.surface import load
from porter.unit.choose import (
    _matters,
    answers,
    find_answers_of_quirks,
    find_offers,
    is_offered,
)
from porter.unit.pieces import Plane, pieces

EVERY = 7  # of the names


def test_a_name_gets_the_first_piece_that_answers_it() -> None:
    found = pieces(rules_home() / "paddle" / "polyfills")
    surface = load.load("paddle", "3.3.1")
    written: list[tuple[Language, str]] = []
    for piece in found:
        language = Language.CPP if piece.plane is Plane.CPP else Language.PYTHON
        written += [(language, name) for name in (*piece.provides, *piece.accepts)]
    some = written[::EVERY]
    below = [(language, f"{name}.more") for language, name in some]
    roots = [(k, name.replace("at::", "torch::", 1)) for k, name in some if k is Language.CPP]
    others = [(Language.PYTHON, name) for k, name in some if k is Language.CPP]
    asked = [*some, *below, *roots, *others, (Language.CPP, "c10::nothing")]
    lacking = [
        p for p in found
        if not is_offered(p, surface) and (not p.instead_of or _matters(p, surface))
    ]  # fmt: skip
    expected = {}
    for language, name in asked:
        use = Use(name, language, "", 1, 1, Role.LIBRARY)
        first = next((piece.id for piece in lacking if answers(piece, use)), None)
        expected |= {(language, name): first} if first else {}
    missing = [Missing(name=n, language=k, uses=1, state=State.MISSING) for k, n in asked]
    assert len(expected) > len(some) // 2
    by_quirks = {*find_answers_of_quirks(lacking, surface).values()}
    offered = find_offers(found, missing, surface).items()
    assert {key: id for key, id in offered if key in expected or id not in by_quirks} == expected


def test_what_a_package_was_measured_to_answer_is_answered_by_it_alone() -> None:
    rules = rules_home() / "paddle"
    surface, every = load.load("paddle", "3.3.1"), pieces(rules / "polyfills")

    def answer(name: str, *, packaged: bool, said: str = "") -> str:
        facts = [fact for fact in surface.python[name].facts if fact.when is not When.ELSEWHERE]
        reason = next(fact.sentence for fact in facts if said in fact.sentence)
        guess = Guess(name=name, reason=reason, path="a.py", line=1)
        (found,) = Answers(every, surface, rules, packaged=packaged).add_to_guesses([guess])
        return found.answer

    assert answer("torch.sum", packaged=True) == BY_PACKAGE
    assert answer("torch.sum", packaged=False) == "", "a unit has chosen pieces only"
    larger = answer("torch.Tensor.expand", packaged=True, said="gives a copy")
    assert larger == "", "copies there as well"
    for packaged in (True, False):
        assert answer("torch.Tensor.fill_", packaged=packaged) == "python/fill_of_nan"


def test_a_missing_name_that_a_package_was_measured_to_have_is_answered_by_it_alone() -> None:
    rules = rules_home() / "paddle"
    surface, every = load.load("paddle", "3.3.1"), pieces(rules / "polyfills")

    def answer(name: str, *, packaged: bool) -> str | None:
        asked = Missing(name=name, language=Language.PYTHON, uses=1, state=State.MISSING)
        known = Answers(every, surface, rules, packaged=packaged)
        (found,) = known.add_to_names([asked], ScanResult())
        return found.answer

    assert answer("torch.nn.modules.batchnorm._BatchNorm", packaged=True) == BY_PACKAGE
    assert answer("torch.nn.modules.batchnorm._BatchNorm", packaged=False) == ""
    assert answer("torch.export.export", packaged=True) == ""
    assert answer("torch.utils.checkpoint.CheckpointFunction", packaged=True).startswith("python/")


def test_what_a_package_answers_was_measured_for_every_captured_version() -> None:
    for folder in rules_home().glob("*/answered"):
        captured = {file.name for file in (folder.parent / "surfaces").iterdir()}
        assert {file.name for file in folder.iterdir()} == captured
