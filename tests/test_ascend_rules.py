"""What is wrong in code for Ascend NPUs is found, and mended where that is mechanical."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.ascend.kernels import constants, element_types, evaluate
from porter.ascend.schemas import arguments
from porter.languages.cpp import parse
from porter.languages.edits import apply
from porter.migrate.scan import Job, scan
from porter.model import Finding, Form
from porter.rules.loader import load_pack
from porter.survey.discover import discover
from porter.survey.survey import survey
from tests.conftest import ROOT
from tests.porting import porter

FIXTURES = ROOT / "fixtures"
FIXTURE = FIXTURES / "ascend_wrong"
PASSES = 5


def findings(root: Path) -> tuple[Finding, ...]:
    found = discover(root)
    facts = survey(root, found)
    job = Job(root=root, facts=facts, pack=load_pack("ascend"), form=Form())
    result = scan(job, found.files, jobs=1)
    assert not result.crashes and not result.skipped
    return result.findings


def listed(found: tuple[Finding, ...]) -> list[str]:
    return [f"{f.path}:{f.line} {f.rule.rpartition('/')[2]}" for f in found]


def mended(root: Path) -> tuple[Finding, ...]:
    """What is left when every edit was made, until nothing changes."""
    for _ in range(PASSES):
        found = findings(root)
        by_path: dict[str, list[Finding]] = {}
        for finding in found:
            if finding.edits:
                by_path.setdefault(finding.path, []).append(finding)
        if not by_path:
            return found
        for path, some in by_path.items():
            file = root / path
            file.write_bytes(apply(file.read_bytes(), some).data)
    raise AssertionError("the edits do not come to an end")


@pytest.mark.parametrize("name", sorted(path.stem for path in FIXTURES.glob("ascend_*.findings")))
def test_every_defect_of_a_fixture_is_found_and_nothing_else(name: str) -> None:
    expected = (FIXTURES / f"{name}.findings").read_text().splitlines()
    assert sorted(listed(findings(FIXTURES / name))) == sorted(expected)


def test_what_is_mechanical_is_mended_and_the_rest_stays_named(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(FIXTURE, tree, ignore=shutil.ignore_patterns("__pycache__"))
    left = mended(tree)
    expected = FIXTURE.with_name("ascend_wrong.left").read_text().splitlines()
    assert sorted(listed(left)) == sorted(expected)
    source = "".join(path.read_text() for path in (tree / "csrc").iterdir())
    for wrong in (
        "is_npu()",
        "npu_functions.h",
        "::NPU",
        "apply_tensor(x)",
        "EXEC_NPU_CMD(",
        "[&]",
    ):
        assert wrong not in source
    assert source.count('#include "npu_cpp_extension.h"') == 1
    assert "[](const at::Tensor& x) { return GeluFunction::apply(x); }" in source
    assert "meta_outputs=None" in (tree / "gelu_wrong" / "graph.py").read_text()
    compile((tree / "setup.py").read_text(), "setup.py", "exec")


def test_migrate_writes_that_and_a_small_patch_by_hand_answers_the_rest(
    own_home: Path, tmp_path: Path
) -> None:
    arguments = ("-t", "torch_npu", "--review", "--no-compiler")
    _, document = porter(own_home, "migrate", str(FIXTURE), *arguments)
    expected = FIXTURE.with_name("ascend_wrong.left").read_text().splitlines()
    left = [f"{f['path']}:{f['line']} {f['rule'].rpartition('/')[2]}" for f in document["open"]]
    assert sorted(left) == expected and document["residue"] == []
    told = Path(document["patch"]["path"])
    assert told.read_text() == FIXTURE.with_name("ascend_wrong.patch").read_text()
    tree = tmp_path / "tree"
    shutil.copytree(FIXTURE, tree, ignore=shutil.ignore_patterns("__pycache__"))
    alone = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}  # no repository around it
    for patch in (told, FIXTURE.with_name("ascend_wrong.byhand.patch")):
        subprocess.run(["git", "apply", str(patch)], cwd=tree, check=True, env=alone)
    assert listed(findings(tree)) == []


def test_kernels_without_torch_are_named_with_what_is_wrong(own_home: Path, tmp_path: Path) -> None:
    shutil.copytree(FIXTURE / "op_host", tmp_path / "op_host")
    shutil.copytree(FIXTURE / "op_kernel", tmp_path / "op_kernel")
    code, document = porter(own_home, "analyze", str(tmp_path), "-t", "torch_npu")
    assert code == 0 and document["repository"]["uses_torch"] is False
    (operator,) = document["ascend"]["operators"]
    assert operator["name"] == "gelu_custom" and operator["routes"] == ["not bound to torch"]
    assert "coarse_tanh" in {f["rule"].rpartition("/")[2] for f in document["ascend"]["findings"]}
    _, document = porter(own_home, "migrate", str(tmp_path), "-t", "torch_npu", "--no-compiler")
    assert "SetGlobalBuffer" in Path(document["patch"]["path"]).read_text()
    assert "coarse_tanh" in {f["rule"].rpartition("/")[2] for f in document["open"]}


def test_a_header_of_the_repository_itself_is_there(tmp_path: Path) -> None:
    (tmp_path / "csrc").mkdir()
    source = b'#include "op_plugin/own.h"\n#include "op_plugin/none.h"\nvoid f() { aclnn(); }\n'
    (tmp_path / "csrc" / "a.cpp").write_bytes(source + b"void g() { EXEC_NPU_CMD_EXT(aclnnA); }\n")
    (tmp_path / "include" / "op_plugin").mkdir(parents=True)
    (tmp_path / "include" / "op_plugin" / "own.h").write_bytes(b"int aclnn();\n")
    assert listed(findings(tmp_path)) == ["csrc/a.cpp:2 header_not_in_torch_npu"]


def test_a_macro_that_a_header_of_the_repository_defines_is_its_own(tmp_path: Path) -> None:
    source = b'#include "own.h"\nvoid f() { EXEC_NPU_CMD(aclnnA, x); }\n'
    (tmp_path / "a.cpp").write_bytes(source)
    assert listed(findings(tmp_path)) == ["a.cpp:2 macro_of_hidden_symbol"]
    (tmp_path / "own.h").write_bytes(b"#define EXEC_NPU_CMD(aclnn_api, ...) run(#aclnn_api)\n")
    assert listed(findings(tmp_path)) == []


def test_what_is_compiled_into_torch_npu_may_use_what_it_hides(tmp_path: Path) -> None:
    folder = tmp_path / "op_plugin" / "utils"
    folder.mkdir(parents=True)
    (folder / "op_api_common.h").write_bytes(b"void aclnn();\n")
    source = b"at::Tensor f() { return at_npu::native::OpPreparation::apply_tensor(x); }\n"
    (tmp_path / "op_plugin" / "a.cpp").write_bytes(source)
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "a.cpp").write_bytes(source + b"void g() { EXEC_NPU_CMD_EXT(aclnnA); }\n")
    assert listed(findings(tmp_path)) == ["csrc/a.cpp:1 symbol_hidden_in_torch_npu"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("256", 256),
        ("TILE * sizeof(half)", 512),
        ("(TILE + 2) / 3 - 1", 85),
        ("0x20u", 32),
        ("TILE * n", None),
        ("TILE / 0", None),
        ("sizeof(T)", None),
        ("f(TILE)", None),
    ],
)
def test_sizes_are_known_or_not(text: str, value: int | None) -> None:
    unit = parse(f"constexpr int TILE = 256;\nint x = {text};\n".encode(), "a.cpp")
    equals = list(unit.code.places("="))[1]
    last = len(unit.code.tokens) - 2
    assert evaluate(unit.code, equals + 1, last, constants(unit)) == value


def test_element_types_are_those_of_every_declaration() -> None:
    source = b"""
    AscendC::LocalTensor<half> a = q.AllocTensor<half>();
    auto b = buffer.Get<float>();
    GlobalTensor<int32_t> c, d;
    void f(LocalTensor<float>& e, const LocalTensor<half>& g);
    void h(LocalTensor<half>& e);
    """
    found = element_types(parse(source, "a.cpp").code)
    assert found == {
        "a": "half", "b": "float", "c": "int32_t", "d": "int32_t", "g": "half",
    }  # fmt: skip


def test_schemas_have_types_defaults_and_keywords() -> None:
    found = arguments(
        "f(Tensor(a!) x, Tensor? y=None, *, float[] k=[1, 2], str s) -> (Tensor, int)"
    )
    assert found is not None
    assert [(a.name, a.type, a.has_default, a.keyword) for a in found] == [
        ("x", "Tensor(a!)", False, False),
        ("y", "Tensor?", True, False),
        ("k", "float[]", True, True),
        ("s", "str", False, True),
    ]
    assert arguments("f") is None
    assert arguments("f() -> ()") == ()
