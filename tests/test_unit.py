"""The vendored unit: pieces load or say why not, are chosen by use, and are hooked in once."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from porter.errors import RuleError
from porter.host.home import rules_home
from porter.model import (
    Delivery,
    Extension,
    Form,
    Language,
    Missing,
    Package,
    ProjectFacts,
    Role,
    SourceFile,
    State,
    Surface,
    Symbol,
    Use,
)
from porter.surface.facts import parse
from porter.surface.load import load
from porter.targets.paddle import PROXY
from porter.unit import (
    Plane,
    UnitPlan,
    assemble,
    find_offers,
    find_shown_by,
    hooks,
    packaging,
    pieces,
)
from porter.unit.compose import names_of_others
from porter.uses import lookup

PIECES = pieces(rules_home() / "paddle" / "polyfills")
LACKING = Symbol(kind="class", state=State.MISSING)
SURFACE = Surface(
    package="paddle",
    version="3.3.1",
    build="cpu",
    python={
        "torch.inference_mode": LACKING,
        "torch.equal": Symbol(kind="function", state=State.DIFFERENT),
        "torch.testing.assert_close": LACKING,
        "torch.no_grad": Symbol(kind="class"),
    },
)
GUARD = b"""import importlib.util
import os

if os.getenv("PORTER_FRAMEWORK") == "paddle" or (
    importlib.util.find_spec("torch") is None and importlib.util.find_spec("paddle")
):
    import paddle

    paddle.enable_compat()

"""
VENDORED = Form(delivery=Delivery.VENDORED)
SETUP = (
    GUARD
    + b"""from setuptools import setup

setup(name="ops", packages=["ops"])
"""
)
FACTS = ProjectFacts(
    builds=("setuptools",),
    build_scripts=("setup.py",),
    extensions=(Extension("ops._C", "CUDAExtension", (), "setup.py", 12),),
    registration=("pybind11",),
    packages=(Package("ops", "ops"),),
)


def tree(**changed: bytes) -> dict[str, bytes]:
    names = {"setup": "setup.py", "init": "ops/__init__.py", "conftest": "tests/conftest.py"}
    files = {"setup.py": SETUP, "ops/__init__.py": b"import torch\n", "tests/conftest.py": GUARD}
    return files | {names[key]: data for key, data in changed.items()}


def use(name: str, path: str = "ops/a.py", role: Role = Role.LIBRARY) -> Use:
    return Use(name, Language.PYTHON, path, 1, 1, role)


def plan(
    *uses: Use,
    files: dict[str, bytes] | None = None,
    facts: ProjectFacts = FACTS,
    surface: Surface = SURFACE,
    shown: tuple[str, ...] = (),
) -> UnitPlan:
    files = tree() if files is None else files
    result = assemble(files, facts, uses, surface, VENDORED, PIECES, shown=shown)
    after = files | {p.path: p.after for p in result.patches if p.after is not None}
    again = assemble(after, facts, uses, surface, VENDORED, PIECES)
    assert again.patches == (), "a second run changes nothing"
    assert again.answers == result.answers
    for path, data in after.items():
        if path.endswith(".py"):
            ast.parse(data)
    return result


def written(result: UnitPlan) -> dict[str, bytes]:
    return {p.path: p.after for p in result.patches if p.after is not None}


@pytest.mark.parametrize(
    ("imports", "name", "chosen"),
    [
        (b"import torch\n", "linear", True),
        (b"import torch\nfrom torch import nn\n", "pad", True),
        (b"import torch\nimport torch.nn as nn\n", "linear", False),
        (b"from torch.nn import functional as F\n", "pad", False),
        (b"import torch\n", "relu", False),
    ],
)
def test_functions_that_paddle_s_proxy_gives_only_where_torch_nn_is_imported(
    imports: bytes, name: str, chosen: bool
) -> None:
    made = plan(
        use(f"torch.nn.functional.{name}"), use("torch.equal"), files=tree() | {"ops/a.py": imports}
    )
    names = written(made)["ops/_porter_compat.py"]
    assert (b"# torch.nn.functional reached from torch: " in names) == chosen


@pytest.mark.parametrize(
    ("forms", "chosen"),
    [(("3 by position",), True), (("2 by position", "training="), False), ((), True)],
)
def test_a_function_whose_arguments_paddle_orders_otherwise_is_ours_where_that_matters(
    forms: tuple[str, ...], chosen: bool
) -> None:
    name = "torch.nn.functional.dropout"
    uses = [use(name), *(use(f"{name}({form})") for form in forms), use("torch.equal")]
    files = tree() | {"ops/a.py": b"import torch.nn.functional as F\n"}
    made = plan(*uses, files=files, surface=load("paddle", "3.3.1"))
    assert (b"def dropout" in written(made)["ops/_porter_compat.py"]) == chosen


@pytest.mark.parametrize(
    ("call", "chosen"),
    [
        ("torch.full((2,), 3)", True),
        ("torch.full((2,), n, device=device)", True),
        ("torch.full(size=(2,), fill_value=-1)", True),
        ("torch.full((2,), 3.0)", False),
        ("torch.full((2,), -float('inf'))", False),
        ("torch.full((2,), 3, dtype=torch.int32)", False),
        ("torch.full((2,), True)", False),
        ("torch.full((2,), 0.0, layout=torch.strided)", True),
    ],
)
def test_full_is_ours_where_it_may_be_given_a_whole_number(call: str, chosen: bool) -> None:
    source = f"import torch\n\n\ndef made(n, device='cpu'):\n    return {call}\n".encode()
    file = SourceFile("ops/a.py", Language.PYTHON, Role.LIBRARY, len(source))
    uses = [*lookup.uses([(file, source)]), use("torch.equal")]
    made = plan(*uses, files=tree() | {"ops/a.py": source}, surface=load("paddle", "3.3.1"))
    assert (b"def full(" in written(made)["ops/_porter_compat.py"]) == chosen


# ------------------------------------------------------------------- loading


def test_every_shipped_piece_has_code_and_a_condition_for_its_removal() -> None:
    assert len(PIECES) >= 9
    for piece in PIECES:
        assert piece.files and piece.until and piece.why, piece.id


def folder(tmp_path: Path, text: str, piece: str = "python/one") -> Path:
    place = tmp_path / piece
    place.mkdir(parents=True)
    (place / "polyfill.toml").write_text(text)
    (place / "piece.py").write_text("one = 1\n")
    return tmp_path


GOOD = 'title = "t"\nwhy = "w"\nuntil = "u"\nprovides = ["torch.one"]\n'


def test_a_misspelt_key_is_an_error_with_file_and_key(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"one.polyfill\.toml.*untill.*until"):
        pieces(folder(tmp_path, GOOD + 'untill = "x"\n'))


def test_a_need_that_is_no_piece_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="python/two"):
        pieces(folder(tmp_path, GOOD + 'needs = ["python/two"]\n'))


def test_an_unknown_condition_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"when.*sometimes"):
        pieces(folder(tmp_path, GOOD + 'when = "sometimes"\n'))


def test_a_pattern_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"shown_by.*\(open"):
        pieces(folder(tmp_path, GOOD + 'shown_by = ["(open"]\n'))


def test_a_piece_without_code_is_an_error(tmp_path: Path) -> None:
    (folder(tmp_path, GOOD) / "python" / "one" / "piece.py").unlink()
    with pytest.raises(RuleError, match=r"piece\.py"):
        pieces(tmp_path)


def test_two_pieces_cannot_declare_the_same(tmp_path: Path) -> None:
    for name in ("cpp/one", "cpp/two"):
        folder(tmp_path, GOOD, name)
        header = tmp_path / name / "include" / "a.h"
        header.parent.mkdir()
        header.write_text("#pragma once\nnamespace at { inline int f(int a) { return a; } }\n")
    with pytest.raises(RuleError, match=r"at::f"):
        pieces(tmp_path)


def test_a_python_piece_defines_what_it_registers() -> None:
    for piece in PIECES:
        if "python/overrides" in piece.needs:
            body = ast.parse(piece.files[0][1]).body
            names = {n.name for n in body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
            assigned = [n for n in body if isinstance(n, ast.Assign | ast.AnnAssign)]
            stored = [n for statement in assigned for n in ast.walk(statement)]
            names |= {
                n.id for n in stored if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
            calls = [n.value for n in body if isinstance(n, ast.Expr)]  # _methods(clamp_=...)
            keywords = [k for n in calls if isinstance(n, ast.Call) for k in n.keywords]
            names |= {k.arg for k in keywords if k.arg}
            computed = any(k.arg is None for k in keywords)  # _methods(**{...})
            for name in names_of_others(piece) if computed else piece.provides:
                assert {name.rpartition(".")[2], "_".join(name.split(".")[-2:])} & names, name


# ------------------------------------------------------------------ choosing


def test_a_repository_that_uses_nothing_missing_gets_no_unit() -> None:
    assert plan(use("torch.no_grad")).patches == ()


def test_only_pieces_in_use_are_written() -> None:
    result = plan(use("torch.inference_mode"))
    unit = written(result)["ops/_porter_compat.py"]
    assert b"class inference_mode" in unit and b"assert_close" not in unit
    assert result.answers == {"torch.inference_mode": "python/inference_mode"}


def test_a_word_in_the_sources_makes_a_piece_needed_that_goes_on_from_a_chosen_one() -> None:
    word = {"ops/more.py": b"op.register_autograd(backward)\n"}
    for name, files, comes in (
        ("torch.library.custom_op", {}, False),
        ("torch.library.custom_op", word, True),
        ("torch.inference_mode", word, False),
    ):
        unit = written(plan(use(name), files=tree() | files))["ops/_porter_compat.py"]
        assert (b'"torch.library.register_autograd"' in unit) is comes
        assert (b"class CustomOpDef" in unit) is (name == "torch.library.custom_op")


def test_a_module_that_is_a_piece_is_answered_by_its_own_name_too() -> None:
    module = "torch.testing._internal.common_utils"
    found = plan(use(f"{module}.TestCase")).answers
    assert found[module] == found[f"{module}.TestCase"] == "python/internal_test_case"


def test_a_namespace_is_answered_by_what_there_is_in_it() -> None:
    space, source = "torch::nn::functional", "ops/csrc/a.cpp"
    uses = [
        Use(name, Language.CPP, source, 1, 1, Role.LIBRARY) for name in (space, f"{space}::one_hot")
    ]
    files = tree() | {source: b"auto f(at::Tensor x) { return torch::nn::functional::one_hot(x); }"}
    answers = assemble(files, FACTS, uses, SURFACE, VENDORED, PIECES).answers
    assert answers[space] == answers[f"{space}::one_hot"] == "cpp/nn_functional"


def test_a_module_that_a_piece_makes_is_answered() -> None:
    found = plan(use("torch.backends"), use("torch.backends.mps.is_available")).answers
    assert found["torch.backends"] == found["torch.backends.mps.is_available"] == "python/backends"
    assert "torch.backends" not in plan(use("torch.backends"), use("torch.inference_mode")).answers


def test_a_name_that_the_target_has_needs_no_piece() -> None:
    newer = Surface(
        package="paddle",
        version="4.0",
        build="cpu",
        python={
            "torch.inference_mode": Symbol(kind="class"),
            "torch.equal": Symbol(kind="function"),
        },
    )
    assert plan(use("torch.inference_mode"), use("torch.equal"), surface=newer).patches == ()


def test_a_keyword_that_the_target_rejects_makes_a_piece_needed() -> None:
    def surface(*facts: str) -> Surface:
        std = Symbol(kind="function", facts=tuple(map(parse, facts)))
        names = {"torch.std": std, "torch.Tensor.std": std}
        return Surface(package="paddle", version="3.3.1", build="cpu", python=names)

    lacking = surface("keyword dim: not accepted")
    assert plan(use("torch.std"), use("torch.std(dim=)"), surface=lacking).answers
    assert plan(use("torch.std"), use("torch.std(dim=)"), surface=surface()).patches == ()


def test_what_pieces_could_answer_is_known_before_there_is_a_unit() -> None:
    def lacks(name: str, language: Language = Language.PYTHON) -> Missing:
        return Missing(name=name, language=language, uses=1, state=State.MISSING)

    names = ("torch.inference_mode", "torch.equal", "torch.export", "torch.optim")
    found = find_offers(PIECES, [lacks(name) for name in names], SURFACE)
    of_optim = {p.id for p in PIECES if any(n.startswith("torch.optim.") for n in p.provides)}
    assert found.pop((Language.PYTHON, "torch.optim")) in of_optim, "a module, by what is in it"
    assert found == {
        (Language.PYTHON, "torch.inference_mode"): "python/inference_mode",
        (Language.PYTHON, "torch.equal"): "python/equal_of_tensors",
    }
    assert find_offers(PIECES, [lacks("torch.equal", Language.CPP)], SURFACE) == {}


def test_an_operator_in_place_chooses_the_piece_that_makes_it_one() -> None:
    result = plan(use("torch.Tensor.__imul__"))
    assert b"_AUGMENTED" in written(result)["ops/_porter_compat.py"]
    assert result.answers["torch.Tensor.__imul__"] == "python/augmented_assignment"


@pytest.mark.parametrize(
    ("body", "chosen"), [("x & 15", True), ("1 | x.to(torch.int32)", True), ("n & 15", False)]
)
def test_a_bitwise_operator_with_a_number_chooses_the_piece_that_takes_it(
    body: str, chosen: bool
) -> None:
    source = f"import torch\n\n\ndef low(x: torch.Tensor, n: int):\n    return {body}\n".encode()
    file = SourceFile("ops/a.py", Language.PYTHON, Role.LIBRARY, len(source))
    uses = [*lookup.uses([(file, source)]), use("torch.equal")]
    made = plan(*uses, files=tree() | {"ops/a.py": source}, surface=load("paddle", "3.3.1"))
    assert (b"def _bitwise(" in written(made)["ops/_porter_compat.py"]) == chosen


def test_vendored_code_and_build_scripts_choose_nothing() -> None:
    assert plan(use("torch.inference_mode", role=Role.VENDORED)).patches == ()
    pure = replace(FACTS, extensions=())
    assert plan(use("torch.inference_mode", role=Role.BUILD), facts=pure).patches == ()


def test_a_build_of_extensions_gets_the_names_that_its_script_asks_for() -> None:
    result = plan(use("torch.__config__.parallel_info", "setup.py", Role.BUILD))
    files = written(result)
    assert b"def parallel_info" in files["ops/_porter_compat/names.py"]
    assert b'"names.py"' in files["ops/_porter_compat/enable.py"]
    assert "ops/__init__.py" not in files, "the package does not ask for it"


def extensions(*found: Extension, registration: tuple[str, ...] = ("pybind11",)) -> ProjectFacts:
    return ProjectFacts(
        builds=("setuptools",),
        build_scripts=("setup.py",),
        extensions=found,
        registration=registration,
        packages=(Package("ops", "ops"),),
    )


def test_one_extension_for_the_gpu_needs_no_builder() -> None:
    assert plan().patches == ()


@pytest.mark.parametrize(
    "facts",
    [
        extensions(
            Extension("ops._A", "CUDAExtension", (), "setup.py", 12),
            Extension("ops._B", "CUDAExtension", (), "setup.py", 13),
        ),
        extensions(Extension("", "CUDAExtension", (), "setup.py", 12, repeated=True)),
        extensions(Extension("", "CUDAExtension", (), "setup.py", 12, positional=True)),
    ],
    ids=["two", "in a loop", "by position"],
)
def test_extensions_beyond_paddle_need_the_builder_and_nothing_else(facts: ProjectFacts) -> None:
    result = plan(facts=facts)
    assert set(written(result)) == {
        "MANIFEST.in",
        "ops/_porter_compat/README.md",
        "ops/_porter_compat/build.py",
        "ops/_porter_compat/enable.py",
        "setup.py",
    }


def test_the_guard_of_a_build_script_moves_into_the_unit() -> None:
    facts = extensions(Extension("", "CUDAExtension", (), "setup.py", 12, repeated=True))
    files = written(plan(facts=facts))
    rest = SETUP.removeprefix(GUARD)
    run = (
        b"import importlib.util\nimport runpy\n\n"
        b'if importlib.util.find_spec("paddle"):\n'
        b'    runpy.run_path("ops/_porter_compat/enable.py")\n\n'
    )
    assert files["setup.py"] == run + rest
    asked = ("PORTER_FRAMEWORK", "enable_compat()", '"build.py"')
    assert all(text.encode() in files["ops/_porter_compat/enable.py"] for text in asked)


def test_calls_with_one_name_are_alternatives_of_one_extension() -> None:
    facts = extensions(
        Extension("ops._C", "CUDAExtension", (), "setup.py", 12),
        Extension("ops._C", "CppExtension", (), "setup.py", 13),
        registration=("TORCH_LIBRARY",),
    )
    assert plan(facts=facts).patches == ()


def test_a_function_called_twice_makes_two_extensions() -> None:
    script = (
        SETUP + b"def make(name):\n    return CUDAExtension(name)\n\n\n[make('a'), make('b')]\n"
    )
    facts = extensions(Extension("", "CUDAExtension", (), "setup.py", 12))
    assert "ops/_porter_compat/build.py" in written(plan(files=tree(setup=script), facts=facts))


def test_pybind11_on_a_cpu_needs_the_caster_and_with_it_the_builder() -> None:
    facts = extensions(Extension("ops._C", "CppExtension", (), "setup.py", 12))
    names = set(written(plan(facts=facts)))
    assert "ops/_porter_compat/include/torch/extension.h" in names
    assert "ops/_porter_compat/build.py" in names
    assert "ops/_porter_compat/__init__.py" not in names


@pytest.mark.parametrize(
    ("forms", "needed"),
    [
        (("1 by position",), False),
        (("0 by position",), False),
        (("1 by position", "layout="), True),
        (("dtype=",), False),
        ((), True),  # handed on, or called with *values: nobody knows how
    ],
)
def test_a_call_in_a_form_that_the_target_takes_needs_no_piece(
    forms: tuple[str, ...], needed: bool
) -> None:
    refused = (parse("keyword layout: not accepted"),)
    zeros = Symbol(kind="function", state=State.DIFFERENT, facts=refused)
    surface = replace(SURFACE, python={"torch.zeros": zeros})
    uses = [use("torch.zeros"), *(use(f"torch.zeros({form})") for form in forms)]
    assert bool(plan(*uses, surface=surface).patches) is needed


def test_a_piece_that_goes_on_from_those_of_tests_is_with_them_too() -> None:
    """What tests asked for goes on from what the package has, and from what only the tests have."""
    in_tests = use("torch.equal", "tests/test_a.py", Role.TEST)
    asked = ("python/larger_dtypes",)
    files = written(plan(use("torch.inference_mode"), in_tests, shown=asked))
    names = files["tests/_porter_compat/names.py"]
    assert b"def _in_larger" in files["ops/_porter_compat.py"] and b"def _in_larger" in names
    enabling = files["tests/_porter_compat/enable.py"]
    assert enabling.index(b".share(unit)") < enabling.index(b'"names.py"')
    both = plan(use("torch.inference_mode"), shown=asked)
    assert "tests/_porter_compat/names.py" not in written(both)


@pytest.mark.parametrize("kind", ["Extension", "Pybind11Extension"])
def test_an_extension_that_is_not_for_torch_needs_nothing(kind: str) -> None:
    """Where only tests use torch, the build is that of any other package."""
    found = [Extension(f"ops._{n}", kind, (), "setup.py", n) for n in (12, 14)]
    facts = extensions(*found)
    in_tests = use("torch.abs", "tests/test_a.py", Role.TEST)
    assert not plan(in_tests, facts=facts).patches
    in_sources = use("at::Tensor", "csrc/op.cpp")._replace(language=Language.CPP)
    files = tree() | {"csrc/op.cpp": b"at::Tensor x;\n"}
    assert plan(in_sources, facts=facts, files=files).patches


# ------------------------------------------------------------------- hooking


def test_a_unit_with_any_python_piece_can_be_shared() -> None:
    """Packages import share() from it, and build scripts and tests call it."""
    needs = {piece.id: piece.needs for piece in PIECES}

    def reaches(id: str) -> bool:
        return id == "python/overrides" or any(reaches(need) for need in needs[id])

    alone = [p for p in PIECES if p.plane is Plane.PYTHON and (p.provides or p.shown_by)]
    assert alone and not [piece.id for piece in alone if not reaches(piece.id)]


def test_the_guard_does_nothing_where_neither_framework_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an isolated build, or in tests that take torch where it is there."""
    monkeypatch.delenv("PORTER_FRAMEWORK", raising=False)
    subprocess.run([sys.executable, "-S", "-E", "-c", GUARD], check=True)
    asked = subprocess.run(
        [sys.executable, "-S", "-E", "-c", GUARD],
        env={"PORTER_FRAMEWORK": "paddle"},
        capture_output=True,
    )
    assert b"No module named 'paddle'" in asked.stderr


def test_changes_say_which_piece_and_until_when() -> None:
    for patch in plan(use("torch.inference_mode")).patches:
        assert all(c.rule.startswith("polyfills/") and c.until for c in patch.changes)
        assert patch.changes


PACKAGES = {
    "empty": (b"", b"import sys\n\n@"),
    "docstring only": (b'"""Ops."""\n', b'"""Ops."""\n\nimport sys\n\n@'),
    "plain": (b"import torch\n", b"import sys\n\n@\nimport torch\n"),
    "standard library first": (
        b"import os\nimport typing\n\nimport torch\n",
        b"import os\nimport sys\nimport typing\n\n@\nimport torch\n",
    ),
    "future": (
        b"from __future__ import annotations\nfrom . import a\n",
        b"from __future__ import annotations\n\nimport sys\n\n@\nfrom . import a\n",
    ),
    "sys is there": (b"import sys\nimport torch\n", b"import sys\n\n@\nimport torch\n"),
    "sys comes late": (
        b"import torch\nimport sys\n",
        b"import sys\n\n@\nimport torch\nimport sys\n",
    ),
    "version first": (
        b'__version__ = "1"\nfrom .a import b  # noqa\n',
        b'__version__ = "1"\n\nimport sys\n\n@\nfrom .a import b  # noqa\n',
    ),
    "in a try": (
        b"try:\n    import torch\nexcept ImportError:\n    torch = None\n",
        b"import sys\n\n@\ntry:\n    import torch\nexcept ImportError:\n    torch = None\n",
    ),
    "decorated": (b"@a\ndef f(): ...\n", b"import sys\n\n@\n@a\ndef f(): ...\n"),
    "no last newline": (b"import os", b"import os\nimport sys\n\n@"),
    "windows": (
        b"import os\r\nimport torch\r\n",
        b"import os\r\nimport sys\r\n\r\n@\r\nimport torch\r\n",
    ),
    "byte order mark": (
        b"\xef\xbb\xbfimport torch\n",
        b"\xef\xbb\xbfimport sys\n\n@\nimport torch\n",
    ),
}
IMPORTING = (
    b'if hasattr(sys.modules.get("paddle"), "enable_compat"):\n'
    b"    from . import _porter_compat  # noqa: F401\n"
)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_imports_its_unit_before_torch(name: str) -> None:
    before, expected = PACKAGES[name]
    line = IMPORTING.replace(b"\n", b"\r\n") if b"\r" in before else IMPORTING
    marker = b"@\r\n" if b"\r" in before else b"@\n"
    after = hooks.hook_package(before, "ops/__init__.py", PROXY)
    wanted = (
        expected[:-1] + line
        if expected.endswith(b"@")
        else expected.replace(marker, line + marker[1:], 1)
    )
    assert after == wanted
    assert hooks.hook_package(after, "ops/__init__.py", PROXY) == after


def test_a_module_of_a_namespace_and_one_alone_import_the_unit_beside_them() -> None:
    for depth, line in ((2, b"from .. import _porter_compat"), (0, b"import _porter_compat")):
        after = hooks.hook_package(b"import torch\n", "ops/deep/a.py", PROXY, depth=depth)
        assert b"\n    " + line + b"  # noqa: F401\n" in after
        assert hooks.hook_package(after, "ops/deep/a.py", PROXY, depth=depth) == after


def test_an_init_that_a_build_script_runs_by_itself_imports_its_unit_as_a_package_only() -> None:
    after = hooks.hook_package(b'__version__ = "1"\n', "ops/__init__.py", PROXY, run=True)
    alone: dict[str, object] = {}
    exec(after, alone)
    assert alone["__version__"] == "1" and b"if __package__ and " in after


def test_a_build_script_in_fork_style_runs_the_builder_after_enabling() -> None:
    before = b"import os\n\nimport paddle\n\npaddle.enable_compat()\n\nimport torch\n"
    after = hooks.hook_build_script(before, "setup.py", PROXY, "ops/_porter_compat", ["build.py"])
    assert after == (
        b"import os\nimport runpy\n\nimport paddle\n\npaddle.enable_compat()\n"
        b'runpy.run_path("ops/_porter_compat/build.py")\n\nimport torch\n'
    )


def test_the_guard_is_found_by_what_it_does() -> None:
    other = (
        b'import os\nimport runpy\n\nif os.environ.get("X"):\n'
        b"\timport paddle as p\n\tp.enable_compat()  # now\n"
    )
    after = hooks.hook_build_script(other, "setup.py", PROXY, "u", ["a.py", "b.py"])
    assert after == other + b'\trunpy.run_path("u/a.py")\n\trunpy.run_path("u/b.py")\n'


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            b"import os\n\n@\nprint(os.sep)\n",
            b"import importlib.util\nimport os\nimport runpy\n\n@\nprint(os.sep)\n",
        ),
        (
            b"import os.path\n\n@\nos.sep\n",
            b"import importlib.util\nimport os.path\nimport runpy\n\n@\nos.sep\n",
        ),
        (
            b"import importlib.util\nfrom os import sep\n\n@\nsep\n",
            b"import importlib.util\nimport runpy\nfrom os import sep\n\n@\nsep\n",
        ),
        (
            b"from setuptools import a\n\n@\na()\n",
            b"import importlib.util\nimport runpy\n\nfrom setuptools import a\n\n@\na()\n",
        ),
        (
            b"import os\nimport importlib.util\n\n@\nimportlib.util.f()\n",
            b"import importlib.util\nimport runpy\n\n@\nimportlib.util.f()\n",
        ),
        (
            b"import os\r\n\r\n@\r\nimport torch\r\n",
            b"import importlib.util\r\nimport runpy\r\n\r\n@\r\nimport torch\r\n",
        ),
    ],
    ids=["os in use", "os.path", "sections", "no section", "importlib in use", "windows"],
)
def test_imports_go_with_the_guard_unless_they_are_in_use(before: bytes, expected: bytes) -> None:
    end = b"\r\n" if b"\r" in before else b"\n"
    guard = GUARD.split(b"\n\n", 1)[1].rstrip().replace(b"\n", end)
    after = hooks.hook_build_script(
        before.replace(b"@", guard), "setup.py", PROXY, "_porter_compat", ["build.py"]
    )
    lines = (
        b'if importlib.util.find_spec("paddle"):',
        b'    runpy.run_path("_porter_compat/enable.py")',
    )
    assert after == expected.replace(b"@", end.join(lines))


@pytest.mark.parametrize(
    "data",
    [
        b"import torch\n",
        b'TEXT = "paddle.enable_compat()"\n',
        b"def f():\n    import paddle\n    paddle.enable_compat()\n",
        b"import other as paddle\n\npaddle.enable_compat()\n",
        b"import paddle; paddle.enable_compat()\n",
    ],
)
def test_a_script_that_does_not_surely_enable_the_proxy_is_left_alone(data: bytes) -> None:
    assert hooks.hook_build_script(data, "setup.py", PROXY, "u", ["b.py"]) == data


def test_a_script_that_does_not_parse_is_noted() -> None:
    facts = extensions(Extension("", "CUDAExtension", (), "setup.py", 1, repeated=True))
    result = assemble(tree(setup=b"def (:\n"), facts, (), SURFACE, VENDORED, PIECES)
    assert any("setup.py" in note for note in result.notes)


def test_the_conftest_imports_the_package_before_the_tests_import_torch() -> None:
    in_tests = use("torch.inference_mode", "tests/test_a.py", Role.TEST)
    result = plan(use("torch.inference_mode"), in_tests)
    files = written(result)
    assert b'"_porter_compat", "enable.py")' in files["tests/conftest.py"]
    enabling = files["tests/_porter_compat/enable.py"]
    assert enabling.endswith(
        b"    import ops._porter_compat\n\n    ops._porter_compat.share(unit)\n"
    )
    assert "tests/_porter_compat/names.py" not in files
    assert all(patch.changes for patch in result.patches)


def test_a_conftest_whose_tests_use_none_of_the_names_does_not_import_the_package() -> None:
    in_tests = use("torch.equal", "tests/test_a.py", Role.TEST)
    files = written(plan(use("torch.inference_mode"), in_tests))
    assert b"import ops" not in files["tests/conftest.py"]
    assert "tests/conftest.py" not in written(plan(use("torch.inference_mode")))


def test_names_that_only_tests_use_stay_out_of_the_package() -> None:
    result = plan(use("torch.testing.assert_close", "tests/test_a.py", Role.TEST))
    unit = {"tests/_porter_compat/names.py", "tests/_porter_compat/enable.py"}
    assert set(written(result)) == unit | {"tests/conftest.py"}
    conftest = written(result)["tests/conftest.py"]
    assert b'os.path.dirname(__file__), "_porter_compat", "enable.py")' in conftest
    assert b"import os\nimport runpy\n" in conftest and b"import paddle" not in conftest
    assert b"import ops" not in written(result)["tests/_porter_compat/enable.py"]


def test_a_conftest_that_enables_the_proxy_itself_runs_the_names() -> None:
    own = b"import paddle\n\npaddle.enable_compat(scope={'ops'})\n"
    asked = use("torch.testing.assert_close", "tests/test_a.py", Role.TEST)
    result = plan(asked, files=tree(conftest=own))
    assert b'"_porter_compat", "names.py")' in written(result)["tests/conftest.py"]
    assert "tests/_porter_compat/enable.py" not in written(result)


def test_tests_beside_the_build_script_share_its_unit() -> None:
    """Of a package in no folder there is one unit, and the build still finds its own part."""
    files = {"setup.py": SETUP, "conftest.py": GUARD, "test_a.py": b"import torch\n"}
    facts = extensions(Extension("ops", "CppExtension", (), "setup.py", 12, repeated=True))
    facts = replace(facts, packages=(), tests=("test_a.py",))
    asked = use("torch.testing.assert_close", "test_a.py", Role.TEST)
    after = written(plan(asked, files=files, facts=facts))
    enabling = after["_porter_compat/enable.py"]
    assert b'"build.py"' in enabling and b'"names.py"' in enabling
    assert b"enable.py" in after["setup.py"] and b"enable.py" in after["conftest.py"]
    assert b"def assert_close" in after["_porter_compat/names.py"]
    assert "_porter_compat/build.py" in after and "_porter_compat/README.md" in after


def test_library_and_tests_have_each_what_they_use() -> None:
    result = plan(
        use("torch.inference_mode"),
        use("torch.inference_mode", "tests/test_a.py", Role.TEST),
        use("torch.equal", "tests/test_a.py", Role.TEST),
    )
    files = written(result)
    assert b"def equal" not in files["ops/_porter_compat.py"]
    assert b"class inference_mode" not in files["tests/_porter_compat/names.py"]
    assert set(result.answers) == {"torch.inference_mode", "torch.equal"}
    assert b"    import ops" in files["tests/_porter_compat/enable.py"]


def test_a_conftest_below_another_needs_no_unit_of_its_own() -> None:
    files = tree() | {"tests/deep/conftest.py": GUARD, "benchmarks/conftest.py": GUARD}
    result = plan(use("torch.equal", "tests/test_a.py", Role.TEST), files=files)
    units = {path for path in written(result) if path.endswith("names.py")}
    folders = ("tests", "benchmarks")
    assert units == {f"{folder}/_porter_compat/names.py" for folder in folders}


def test_a_folder_is_listed_where_packages_are_and_a_module_need_not_be() -> None:
    assert "setup.py" not in written(plan(use("torch.inference_mode")))
    facts = extensions(Extension("", "CUDAExtension", (), "setup.py", 12, repeated=True))
    script = written(plan(use("torch.inference_mode"), facts=facts))["setup.py"]
    assert b'packages=["ops", "ops._porter_compat"]' in script


def test_without_a_place_to_hook_the_unit_nothing_is_written_and_a_note_says_so() -> None:
    files = {"tests/test_a.py": b"import torch\n"}
    facts = ProjectFacts(tests=("tests",))
    result = plan(use("torch.equal", "tests/test_a.py", Role.TEST), files=files, facts=facts)
    assert result.patches == () and result.answers == {} and result.notes


def test_a_build_in_a_folder_runs_the_builder_from_there() -> None:
    facts = ProjectFacts(
        builds=("setuptools",),
        build_scripts=("python/setup.py",),
        extensions=(Extension("", "CUDAExtension", (), "python/setup.py", 1, repeated=True),),
        packages=(Package("ops", "python/src/ops"),),
    )
    files = {"python/setup.py": SETUP, "python/src/ops/__init__.py": b""}
    after = written(plan(files=files, facts=facts))["python/setup.py"]
    assert b'runpy.run_path("src/ops/_porter_compat/enable.py")' in after


def test_a_build_script_without_extensions_runs_no_builder() -> None:
    files = tree() | {"demos/one/setup.py": SETUP, "tools/build_ext.py": GUARD}
    facts = ProjectFacts(
        builds=("setuptools",),
        build_scripts=("demos/one/setup.py", "setup.py", "tools/build_ext.py"),
        extensions=(Extension("", "CUDAExtension", (), "tools/build_ext.py", 1, repeated=True),),
        packages=(Package("ops", "ops"),),
    )
    hooked = {path for path, data in written(plan(files=files, facts=facts)).items()}
    assert "demos/one/setup.py" not in hooked
    assert {"setup.py", "tools/build_ext.py"} <= hooked


# ----------------------------------------------------------------- packaging

UNIT = "ops._porter_compat"


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ('packages=["ops"]', 'packages=["ops", "ops._porter_compat"]'),
        ("packages=('ops', 'ops.sub')", "packages=('ops', 'ops._porter_compat', 'ops.sub')"),
        (
            'packages=[\n    "ops",\n    "b",\n]',
            'packages=[\n    "ops",\n    "ops._porter_compat",\n    "b",\n]',
        ),
        ('packages=["ops", "ops._porter_compat"]', None),
        ("packages=find_packages()", None),
        ('packages=find_packages(include=["ops", "ops.*"])', None),
        (
            'packages=find_packages(include=["ops"])',
            'packages=find_packages(include=["ops", "ops._porter_compat"])',
        ),
        ("packages=[NAME]", 'packages=[NAME, "ops._porter_compat"]'),
        ('packages=[NAME, "ops._porter_compat"]', None),
        ('packages=["other"]', None),
        ("packages=[]", None),
        ("packages=()", None),
        ("packages=names()", 'packages=[*names(), "ops._porter_compat"]'),
        ('packages=[*names(), "ops._porter_compat"]', None),
        ("packages=find_packages() + other()", None),
        ("", None),
    ],
)
def test_a_literal_list_of_packages_gets_the_unit(listed: str, expected: str | None) -> None:
    text = "from setuptools import find_packages, setup\n\nsetup({})\n"
    before = text.format(listed).encode()
    after = packaging.add_to_script(before, "setup.py", "ops", UNIT)
    assert after == text.format(listed if expected is None else expected).encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            'setup(packages=["ops"], zip_safe=False)\n',
            'setup(packages=["ops"], package_data={"ops._u": ["include/**"]}, zip_safe=False)\n',
        ),
        (
            "setup(\n    packages=find_packages(),\n    zip_safe=False,\n)\n",
            "setup(\n    packages=find_packages(),\n"
            '    package_data={"ops._u": ["include/**"]},\n    zip_safe=False,\n)\n',
        ),
        (
            'setup(packages=["ops"], package_data={"": ["*.cpp"]})\n',
            'setup(packages=["ops"], package_data={"ops._u": ["include/**"], "": ["*.cpp"]})\n',
        ),
        (
            'setup(\n    package_data={\n        "": ["*.cpp"],\n    },\n)\n',
            'setup(\n    package_data={\n        "ops._u": ["include/**"],\n'
            '        "": ["*.cpp"],\n    },\n)\n',
        ),
        (
            "setup(package_data={**data})\n",
            'setup(package_data={"ops._u": ["include/**"], **data})\n',
        ),
        ("setup(package_data={})\n", 'setup(package_data={"ops._u": ["include/**"]})\n'),
        ("setup(**options)\n", "setup(**options)\n"),
    ],
)
def test_headers_are_installed_where_setup_says_what_is(before: str, after: str) -> None:
    imports = "from setuptools import find_packages, setup\n"
    found = packaging.headers_in_script((imports + before).encode(), "setup.py", "ops._u")
    assert found.decode() == imports + after
    assert packaging.headers_in_script(found, "setup.py", "ops._u") == found


def test_headers_are_installed_where_metadata_says_what_is() -> None:
    plain = b'[tool.setuptools]\npackages = ["ops"]\n'
    table = plain + b'\n[tool.setuptools.package-data]\n"ops" = ["*.cpp"]\n'
    for before in (plain, table):
        after = packaging.headers_in_metadata(before, "ops._u")
        data = tomllib.loads(after.decode())["tool"]["setuptools"]["package-data"]
        assert data["ops._u"] == ["include/**"] and ("ops" in data) == (before is table)
        assert packaging.headers_in_metadata(after, "ops._u") == after
    other = b'[build-system]\nrequires = ["flit_core"]\n'
    assert packaging.headers_in_metadata(other, "ops._u") == other


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('[tool.setuptools]\npackages = ["ops"]  # all\n', ["ops", UNIT]),
        ("[tool.setuptools]\npackages = [\n  'ops',\n]\n", ["ops", UNIT]),
        ('[tool.setuptools]\npackages = ["ops.sub"]\n', ["ops.sub"]),
    ],
)
def test_packages_in_pyproject_get_the_unit(before: str, expected: list[str]) -> None:
    after = packaging.add_to_metadata(before.encode(), "pyproject.toml", "ops", UNIT)
    assert tomllib.loads(after.decode())["tool"]["setuptools"]["packages"] == expected
    assert packaging.add_to_metadata(after, "pyproject.toml", "ops", UNIT) == after


def test_patterns_in_pyproject_that_cover_the_unit_stay() -> None:
    text = b'[tool.setuptools.packages.find]\ninclude = ["ops*"]\n'
    assert packaging.add_to_metadata(text, "pyproject.toml", "ops", UNIT) == text
    narrow = b'[tool.setuptools.packages.find]\ninclude = ["ops"]\n'
    assert UNIT.encode() in packaging.add_to_metadata(narrow, "pyproject.toml", "ops", UNIT)


# ---------------------------------------------------------------- the module


def test_all_pieces_together_make_one_sound_module() -> None:
    every = [use(name) for p in PIECES if p.plane is Plane.PYTHON for name in p.provides]
    data = written(plan(*every))["ops/_porter_compat.py"]
    module = ast.parse(data)
    defined = [n.name for n in module.body if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    assert len(defined) == len(set(defined)), "pieces do not overwrite one another"
    assert data.count(b"import paddle\n") == 1


def test_the_builder_says_so_when_paddle_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = next(p for p in PIECES if p.id == "build/extension_builder")

    class BuildExtension:
        def _record_op_info(self) -> None: ...

    cpp_extension = SimpleNamespace(BuildExtension=BuildExtension)
    monkeypatch.setitem(sys.modules, "paddle", SimpleNamespace(__version__="9.9"))  # type: ignore[misc]
    monkeypatch.setitem(
        sys.modules,
        "paddle.utils",
        SimpleNamespace(cpp_extension=cpp_extension),  # type: ignore[misc]
    )
    with pytest.raises(RuntimeError, match=r"9\.9 has no .*_generate_python_api_file"):
        exec(compile(builder.files[0][1], "build.py", "exec"), {"__file__": "build.py"})


LOST = "TypeError: (InvalidType) Type promotion only support calculations between ..."


MIXED = ("python/mixed_functions", "python/mixed_operands")


def test_what_a_lost_test_says_asks_for_a_piece() -> None:
    assert find_shown_by(PIECES, [LOST, "AssertionError"]) == MIXED
    assert find_shown_by(PIECES, ["RuntimeError: no such kernel"]) == ()


def test_a_piece_that_tests_ask_for_acts_on_the_package_and_its_tests_and_stays() -> None:
    shown = find_shown_by(PIECES, [LOST])
    found = written(plan(use("torch.no_grad", "tests/test_ops.py", Role.TEST), shown=shown))
    units = [path for path, text in found.items() if b"def _of_two_dtypes" in text]
    assert {path.split("/")[0] for path in units} == {"ops"}
    assert b"ops._porter_compat.share(unit)" in found["tests/_porter_compat/enable.py"]


def test_no_two_pieces_define_one_name() -> None:
    """In a vendored unit all of them share a namespace."""
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for path in sorted((rules_home() / "paddle" / "polyfills" / "python").glob("*/piece.py")):
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                homes[node.name].add(path.parent.name)
            elif isinstance(node, ast.Assign):
                for name in _stored(node):
                    homes[name].add(path.parent.name)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def _stored(node: ast.Assign) -> set[str]:
    names = (one for target in node.targets for one in ast.walk(target))
    return {n.id for n in names if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
