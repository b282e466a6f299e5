"""What a target does otherwise is said while it is so: with a quirk everything about it goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.errors import RuleError
from porter.host.home import rules_home
from porter.model import (
    Form,
    Language,
    ProjectFacts,
    Residue,
    Role,
    SourceFile,
    State,
    Surface,
    Symbol,
    Use,
    When,
)
from porter.residue import residue
from porter.rules.examples import examples
from porter.rules.loader import load_pack
from porter.rules.rule import Rule
from porter.surface.facts import parse
from porter.surface.load import list_shipped, load, load_torch, read
from porter.surface.quirks import Quirk, apply_quirks, read_quirks
from porter.unit import pieces
from porter.unit.choose import _add_needs, answers, choose
from porter.unit.pieces import Piece
from porter.uses.differences import differences
from porter.uses.lookup import uses

HOME = rules_home() / "paddle"
QUIRKS = read_quirks(HOME)
PACK = load_pack("paddle")
PIECES = pieces(HOME / "polyfills")
NEWEST = list_shipped("paddle")[-1]
NEVER_IN_RESIDUE = {When.SOME_USES, When.ELSEWHERE, When.DTYPE, When.MEASURED}
VALUES = {  # by the first word of what an argument must be
    "number": "2",
    "whole": "2",
    "not": "2",
    "True": "True",
    "nan": "float('nan')",
    "tensor": "torch.ones(2)",
}
FIRST = {  # the arguments that come first in any call of a function
    "function_split_counts_parts": ["torch.ones(6)"],
    "gradients_of_rows": ["torch.tensor([1])", "torch.ones(2, 2)"],
    "number_as_the_second_argument": ["torch.ones(6)"],
    "rounding_mode_with_a_number": ["torch.ones(6)"],
    "search_of_a_number": ["torch.ones(6)"],
    "full_of_a_whole_number": ["(2, 3)"],
    "padding_left_out_of_mean": ["a", "3"],
    "corners_aligned_by_default": ["a", "b"],
    "repeat_interleave_of_counts_alone": ["a"],
    "one_bound_of_a_tensor": ["a"],
    "padding_is_looked_up_as_zeros": ["a", "b"],
    "median_is_a_mean": ["a"],
    "number_as_the_base_of_a_power": ["exponent=a"],
}
every_quirk = pytest.mark.parametrize("quirk", QUIRKS.values(), ids=lambda quirk: quirk.id)


def without(*gone: Quirk) -> Surface:
    """The shipped surface of a target in which these names are as under torch."""
    bare = read(HOME / "surfaces" / f"{NEWEST}.json")
    names = {name for quirk in gone for name in quirk.names}

    def fixed(side: dict[str, Symbol]) -> dict[str, Symbol]:
        changed = {n: replace(side[n], state=State.PRESENT, facts=()) for n in names & side.keys()}
        return {**side, **changed}

    surface = replace(
        bare,
        python=fixed(dict(bare.python)),
        cpp=fixed(dict(bare.cpp)),
        quirks={**bare.quirks, **{quirk.id: () for quirk in gone}},
    )
    return apply_quirks(surface, QUIRKS.values())


def said_by(quirk: Quirk, surface: Surface) -> set[str]:
    both = {**surface.python, **surface.cpp}
    facts = (fact for name in quirk.names if name in both for fact in both[name].facts)
    return {str(fact) for fact in facts if fact.quirk == quirk.id}


def left(text: str, path: str, surface: Surface) -> tuple[Residue, ...]:
    language = Language.CPP if path.endswith(".cpp") else Language.PYTHON
    file = SourceFile(path, language, Role.LIBRARY, len(text))
    return residue([(file, text.encode())], surface, load_torch(), {})


def use(quirk: Quirk, name: str) -> str:
    """Code that meets the condition of a quirk."""
    condition = quirk.fact.condition
    names = name
    begin = "import torch\nimport torch.nn.functional\nimport torch.utils.cpp_extension\n"
    if name.startswith("torch.Tensor."):
        begin += "def f(x: torch.Tensor):\n  "
        names = f"x.{name.removeprefix('torch.Tensor.')}"
    if quirk.fact.where and quirk.fact.where[0] == (("result", "written"),):
        return f"{begin}{names}.zero_()\n"
    if quirk.fact.where:
        return f"{begin}{names}({arguments(quirk, 'x.' in names)})\n"
    match condition.when:
        case When.KEYWORD:
            return f"{begin}{names}({condition.words[0]}=1)\n"
        case When.POSITION:
            return f"{begin}{names}({', '.join('a' * condition.count)})\n"
        case When.TRUTH:
            return f"{begin}if {names}: pass\n"
        case When.GATE:
            return f"{begin}{names} > '2.0'\n"
        case When.STREAMED:
            return f'#include <torch/all.h>\nvoid f() {{ {name}(a, b) << "x"; }}\n'
        case When.ARGUMENT:
            last = name.rpartition("::")[2]
            return f"#include <torch/all.h>\nvoid f() {{ {last}({condition.words[0]}); }}\n"
        case When.HEADER:
            return f"#include <ATen/core/Tensor.h>\n{name}(a, b);\n"
        case _ if "::" in name:
            return f"#include <torch/all.h>\nvoid f() {{ {name}(); }}\n"
        case When.ANY:
            return f"{begin}print({names})\n"
        case _:
            return f"{begin}{names}()\n"


def arguments(quirk: Quirk, member: bool) -> str:
    """Arguments that meet all that a quirk asks for, after those that any call has."""
    condition, asked = quirk.fact.condition, dict(quirk.fact.where[0])
    if condition.when is When.POSITION:
        return ", ".join([*"abcd"[: condition.count - 1], "2"])
    if "several" in asked.values():
        return "0, 1"
    given = [f"{condition.words[0]}=1"] if condition.when is When.KEYWORD else []
    for names, words in asked.items():
        if words == "not number":  # nothing is none
            continue
        value = VALUES.get(words.partition(" ")[0].partition("|")[0])
        given += [f"{names.partition('|')[0]}={value}"] if value else []
    return ", ".join([*(() if member else FIRST.get(quirk.id, ())), *given])


@every_quirk
def test_a_quirk_that_is_gone_leaves_no_fact(quirk: Quirk) -> None:
    assert not said_by(quirk, without(quirk))
    assert without(quirk).quirks[quirk.id] == ()
    assert quirk.names_on(load("paddle", NEWEST)), "what is shipped holds"


@every_quirk
def test_a_quirk_that_is_gone_is_no_difference_and_no_residue(quirk: Quirk) -> None:
    surface, fixed = load("paddle", NEWEST), without(quirk)
    name = quirk.names_on(surface)[0]
    text = use(quirk, name)
    path = "a.cpp" if text.startswith("#") else "a.py"
    if quirk.fact.when not in NEVER_IN_RESIDUE and quirk.state is not State.MISSING:
        told = [r for r in left(text, path, surface) if quirk.fact.sentence in r.reason]
        assert told, text
    assert not [r for r in left(text, path, fixed) if quirk.fact.sentence in r.reason]
    file = SourceFile(path, Language.PYTHON, Role.LIBRARY, len(text))
    found = uses([(file, text.encode())]) if path == "a.py" else ()
    consequences = {d.consequence for d in differences(found, fixed, load_torch())}
    assert quirk.fact.sentence not in consequences


@pytest.mark.parametrize(
    "rule", [r for r in PACK.rules if r.quirks or r.missing], ids=lambda rule: rule.id
)
def test_a_rule_retires_with_what_it_is_about(rule: Rule) -> None:
    form = Form(min(rule.styles), min(rule.deliveries))
    assert rule in PACK.active(load("paddle", NEWEST), form).rules
    retired = without(*rule.quirks)
    python, cpp = dict(retired.python), dict(retired.cpp)
    for name in rule.missing:
        side = cpp if "::" in name else python
        matching = [n for n in side if n.startswith(name[:-1])] if name[-1] == "*" else [name]
        side.update(dict.fromkeys((n.partition("(")[0] for n in matching), Symbol(kind="class")))
    retired = replace(retired, python=python, cpp=cpp)
    assert rule not in PACK.active(retired, form).rules
    for example in examples(rule):
        if example.created or rule.language not in (Language.PYTHON, Language.CPP):
            continue
        file = SourceFile(example.path, rule.language, example.role, len(example.before))
        found = residue([(file, example.before)], retired, load_torch(), {})
        about = {quirk.fact.sentence for quirk in rule.quirks}
        assert not [r for r in found if r.reason in about], example.name


def test_a_rule_of_the_target_says_by_what_it_retires_or_why_it_never_does() -> None:
    own = [rule for rule in PACK.rules if rule.id.startswith("paddle/")]
    kept = [rule for rule in own if not (rule.quirks or rule.missing)]
    assert all(rule.always and not rule.of_code for rule in kept)
    assert 6 * len(kept) < len(own) + 6


FORMS = [quirk for quirk in QUIRKS.values() if quirk.fact.form]


@pytest.mark.parametrize("quirk", FORMS, ids=lambda quirk: quirk.id)
def test_a_form_that_a_quirk_names_is_one_that_residue_finds(quirk: Quirk) -> None:
    folder = Path(residue.__code__.co_filename).parent
    code = "".join(path.read_text() for path in folder.glob("*.py"))
    assert f'"{quirk.fact.form}"' in code


def _about(piece: Piece) -> list[Quirk]:
    """The quirks that make the names which a piece provides differ, where nothing else does."""
    names = {*piece.provides, *(form.partition("(")[0] for form in piece.accepts)}
    return [quirk for quirk in QUIRKS.values() if names & {*quirk.names} and quirk.state]


ANSWERED = [piece for piece in PIECES if piece.plane == "python" and _about(piece)]


@pytest.mark.parametrize("piece", ANSWERED, ids=lambda piece: piece.id)
def test_a_piece_goes_with_the_quirks_that_it_answers(piece: Piece) -> None:
    names = {*piece.provides, *piece.accepts}
    wanted = [Use(name, Language.PYTHON, "a.py", 1, 1, Role.LIBRARY) for name in names]
    assert all(answers(piece, one) for one in wanted)
    fixed = without(*_about(piece), *(QUIRKS[id] for id in piece.quirks))
    python = dict(fixed.python)
    for name in (*piece.missing, *piece.provides, *(n.partition("(")[0] for n in piece.accepts)):
        python[name] = Symbol(kind="function")  # what it answers besides
    fixed = replace(fixed, python=python)
    alone = list(_add_needs([piece], {p.id: p for p in PIECES}).values())
    now = {p.id for p in choose(alone, wanted, ProjectFacts(), load("paddle", NEWEST), {})}
    then = {p.id for p in choose(alone, wanted, ProjectFacts(), fixed, {})}
    assert piece.id in now or piece.instead_of
    assert piece.id not in then


@pytest.mark.parametrize(
    "piece", [p for p in PIECES if p.quirks and p.plane == "python"], ids=lambda piece: piece.id
)
def test_a_piece_that_names_quirks_goes_with_them(piece: Piece) -> None:
    fixed = without(*(QUIRKS[id] for id in piece.quirks))
    for surface, chosen in ((load("paddle", NEWEST), True), (fixed, False)):
        found = choose(PIECES, [], ProjectFacts(), surface, {}, shown=[piece.id])
        assert (piece in found) is chosen
    assert all(id in piece.until for id in piece.quirks)


def test_a_quirk_that_nobody_asked_for_is_judged_by_versions() -> None:
    quirk = replace(QUIRKS["strides_are_a_list"], since="3.3", before="3.5")
    for version, holds in (("3.2.9", False), ("3.3.0", True), ("3.4.1", True), ("3.5.0", False)):
        surface = Surface(package="paddle", version=version, build="cpu")
        assert bool(quirk.names_on(surface)) is holds
    asked = Surface(package="paddle", version="3.3.0", build="cpu", quirks={quirk.id: ()})
    assert not quirk.names_on(asked), "what a probe answered is surer than a version"


def test_what_a_probe_alone_can_see_is_there_where_it_found_it() -> None:
    name = "torch.autograd.function.FunctionCtx.save_for_backward"
    assert load("paddle", NEWEST).python[name].state is State.PRESENT
    assert read(HOME / "surfaces" / f"{NEWEST}.json").python[name].state is State.MISSING


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("call: differs", "Fact"),
        ("position 2: differs", "Fact"),
        ("some uses: differs", "Fact"),
        ("position 0: differs", "position"),
        ("position: differs", "position"),
        ("keyword: differs", "keyword"),
        ("any 3: differs", "any"),
        ("cal: differs", "did you mean 'call'"),
        ("differs", "condition: sentence"),
    ],
)
def test_a_condition_is_known_or_refused(text: str, said: str) -> None:
    if said == "Fact":
        assert str(parse(text)) == text
        return
    with pytest.raises(RuleError, match=said):
        parse(text)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('condition = "call"\nconsequence = "c"\n', "names or probes"),
        ('names = ["torch.x"]\ncondition = "cal"\nconsequence = "c"\n', "did you mean 'call'"),
        ('names = ["torch.x"]\nconsequence = "c"\n', "condition"),
        ('name = ["torch.x"]\ncondition = "call"\nconsequence = "c"\n', "unknown key 'name'"),
        ('names = ["torch.x"]\ncondition = "call"\nconsequence = "c"\nstate = "x"\n', "'x'"),
        ("not toml", r"quirks\.toml"),
    ],
)
def test_a_quirk_that_cannot_be_read_names_its_file(tmp_path: Path, row: str, said: str) -> None:
    folder = tmp_path / "paddle" / "python" / "some_rule"
    folder.mkdir(parents=True)
    (folder / "quirks.toml").write_text(f"[it_differs]\n{row}")
    with pytest.raises(RuleError, match=said) as caught:
        read_quirks(tmp_path / "paddle")
    assert "quirks.toml" in str(caught.value)


def test_a_rule_and_its_quirk_are_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "paddle" / "python" / "some_rule"
    folder.mkdir(parents=True)
    (folder / "quirks.toml").write_text(
        '[it_differs]\nnames = ["torch.x"]\ncondition = "call"\nconsequence = "c"\nbefore = "4"\n'
    )
    rule = 'title = "t"\nmessage = "m"\nsafety = "safe"\ncatalogue = []\nquirks = ["%s"]\n'
    find = '[find]\nname = "torch.x"\nreplace = "torch.y"\n'
    (folder / "rule.toml").write_text(rule % "it_differs" + find)
    (folder / "README.md").write_text("# t\n")
    pack = load_pack("paddle", tmp_path)
    for version, active in (("3.3.0", 1), ("4.0.0", 0)):
        surface = Surface(package="paddle", version=version, build="cpu")
        assert len(pack.active(surface, Form()).rules) == active
    (folder / "rule.toml").write_text(rule % "it_difers" + find)
    with pytest.raises(RuleError, match="did you mean 'it_differs'"):
        load_pack("paddle", tmp_path)
