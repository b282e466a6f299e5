"""What a rule's codemod costs on a file, against LibCST's own codemod run in the same process."""

from __future__ import annotations

import gc
from pathlib import Path

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from porter.languages.python import parse
from porter.model import Form, ProjectFacts
from porter.rules.loader import load_pack
from tests.benchmarks.test_analyze_speed import PYTHON, seconds

FACTOR = 1.2  # of parsing, positions, one visit and the code of the same file; measured: 0.5
SITE = "\n\ndef f{n}(x: torch.Tensor) -> torch.Tensor:\n    return torch.pow({n}, x)\n"


def rewritten(data: bytes) -> None:
    """What LibCST's own tool does with a file."""
    wrapper = MetadataWrapper(cst.parse_module(data))
    wrapper.resolve(ByteSpanPositionProvider)
    assert wrapper.module.visit(cst.CSTTransformer()).code


def test_a_codemod_costs_less_than_what_libcst_alone_does(tmp_path: Path) -> None:
    text = "".join(PYTHON.format(n=n) for n in range(60))
    data = (text + "".join(SITE.format(n=n) for n in range(3))).encode()
    rules = load_pack("paddle").rules
    (rule,) = [rule for rule in rules if rule.id.endswith("/pow_of_a_number")]

    def work() -> None:
        found = [*rule.find(parse(data, "a.py"), ProjectFacts(), Form())]
        assert len(found) == 3 and all(finding.edits for finding in found)

    work()
    gc.disable()
    try:
        ratio = seconds(work) / seconds(lambda: rewritten(data))
    finally:
        gc.enable()
    assert ratio < FACTOR, ratio
