"""Entries for OpPlugin: what the generator of torch_npu's wheel takes, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.build import ascend_emulation
from porter.errors import EnvironmentFailed
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.targets.torch_npu import TARGET
from porter.targets.torch_npu.entries import Entry, examine
from tests.conftest import CACHE

ENTRIES = Path(__file__).parent / "data" / "emulated_ascend" / "entries.yaml"
PROTOTYPE = """
REG_OP(AddCustom)
    .INPUT(x, TensorType::ALL())
    .INPUT(y, TensorType::ALL())
    .OUTPUT(z, TensorType::ALL())
    .OP_END_FACTORY_REG(AddCustom);
"""
PROBLEMS = {
    "npu_fine": (),
    "npu_by_hand": (),
    "npu_size": ("size of `out`: `self` is not an argument of npu_size",),
    "npu_no_dtype": ("the generator rejects it: RuntimeError: The out's dtype  is None in",),
    "npu_old": ("no code is generated: its op_api is not for v2.13",),
    "npu_type": ("the generator rejects it: RuntimeError: unrecognized type Tensr",),
    "npu_two": ("the generator rejects it: RuntimeError: The number of result info in yaml",),
    "npu_one": ("aclnnAddCustom is called with x, out; it expects x, y, z",),
    "npu_nothing": (
        "it has no `exec`: nothing computes it",
        "the generator rejects it: RuntimeError: The Aten function npu_nothing(Tensor x)",
    ),
    "npu_not_there": (),
}
NOTES = {
    "npu_by_hand": ("its adapter is hand-written: op_api::npu_by_hand",),
    "npu_not_there": ("aclnnNotThere is not in any package of ASCEND_CUSTOM_OPP_PATH",),
}


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Entry]:
    work = tmp_path_factory.mktemp("entries")
    header = work / "vendor" / "op_proto" / "inc" / "op_proto.h"
    header.parent.mkdir(parents=True)
    header.write_text(PROTOTYPE)
    python = ascend_emulation.base(home=CACHE).python
    # Neither a stand-in nor CANN is needed to generate code: only the wheels.
    found = examine(python, ENTRIES, work, {"ASCEND_CUSTOM_OPP_PATH": str(work / "vendor")})
    return {entry.name: entry for entry in found}


@pytest.mark.real
def test_what_is_wrong_with_an_entry_is_told_at_its_line(entries: dict[str, Entry]) -> None:
    lines = ENTRIES.read_text().splitlines()
    assert list(entries) == list(PROBLEMS)
    for name, entry in entries.items():
        assert len(entry.problems) == len(PROBLEMS[name]), entry
        for said, expected in zip(entry.problems, PROBLEMS[name], strict=True):
            assert said.startswith(expected)
        assert entry.notes == NOTES.get(name, ())
        assert f"func: {name}(" in lines[entry.line - 1]
    assert entries["npu_fine"].runs == "aclnnAddCustom"


@pytest.mark.real
def test_what_is_no_yaml_of_entries_is_an_error(tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text("- a\n- b\n")
    python = ascend_emulation.base(home=CACHE).python
    with pytest.raises(EnvironmentFailed, match=r"other\.yaml has no entries"):
        examine(python, other, tmp_path / "work")


@pytest.mark.real
def test_a_build_tells_what_is_wrong_with_entries(tmp_path: Path) -> None:
    text = ENTRIES.read_text().replace(", v2.13]", "]")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "mine.yaml").write_text(text[: text.index("  - func: npu_size")])
    (tmp_path / "setup.py").write_text("import torch_npu\n")
    (tmp_path / "other.yaml").write_text("official:\ncustom:\n  - func: nothing\n")
    ascend = survey(tmp_path, discover(tmp_path)).ascend
    assert ascend is not None and ascend.entries == ("ours/mine.yaml",)
    python = ascend_emulation.base(home=CACHE).python
    found = ascend_emulation.entry_problems(TARGET, ascend, tmp_path, python, tmp_path / "work")
    assert [(d.path, d.line, d.message) for d in found] == [
        ("ours/mine.yaml", line, f"entry {name} for OpPlugin: no code is generated: {why}")
        for line, name in ((5, "npu_fine"), (12, "npu_by_hand"))
        for why in ("all_version has no v2.13",)
    ]
