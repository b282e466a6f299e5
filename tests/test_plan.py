"""Plans: gated edits until stable, nothing harmed, a second run empty."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from porter.migrate.plan import Migration, Tree, complete, edit, migrate
from porter.migrate.scan import Job, scan
from porter.model import Change, Delivery, FilePatch, Form, Safety, Style, Use
from porter.rules.loader import load_pack
from porter.survey.discover import discover
from porter.survey.survey import survey

SETUP = """\
import os

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="ops",
    packages=["ops"],
    ext_modules=[CppExtension("ops._C", ["csrc/ops.cpp"])],  # the extension
    cmdclass={"build_ext": BuildExtension},
)
"""
VENDORED = Form(delivery=Delivery.VENDORED)
FILES = {
    "setup.py": SETUP,
    "ops/__init__.py": "import torch\n\nfrom ops import _C\n",
    "csrc/ops.cpp": "#include <torch/extension.h>\n",
    "tests/test_ops.py": "import torch\n\n\ndef test_ops():\n    assert torch.ones(2).sum() == 2\n",
    "third_party/lib/setup.py": SETUP,
}
RULE = 'title = "t"\nmessage = "m"\nsafety = "%s"\ncatalogue = []\nuntil = "u"\n'
BREAKS = """
import ast
from porter.model import Edit, Match, Span

def check(module, facts):
    for node in module.tree.body:
        if isinstance(node, ast.Assign):
            yield Match(module.span(node), (%s,))
"""


def make(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def plan(
    root: Path,
    form: Form = Form(),  # noqa: B008
    gate: Safety = Safety.SAFE,
    home: Path | None = None,
    **more: object,
) -> Migration:
    discovery = discover(root)
    pack = load_pack("paddle", home).active(None, form)
    job = Job(root=root, facts=survey(root, discovery), pack=pack, form=form)
    return migrate(job, discovery.files, gate, **more)  # type: ignore[arg-type]


def write(root: Path, patches: tuple[FilePatch, ...]) -> None:
    for patch in patches:
        assert patch.after is not None
        (root / patch.path).parent.mkdir(parents=True, exist_ok=True)
        (root / patch.path).write_bytes(patch.after)


@pytest.mark.parametrize("form", [Form(*one) for one in product(Style, Delivery)])
@pytest.mark.parametrize("gate", [Safety.SAFE, Safety.REVIEW])
def test_a_second_run_over_the_result_changes_nothing(
    tmp_path: Path, form: Form, gate: Safety
) -> None:
    root = make(tmp_path, FILES)
    first = plan(root, form, gate).plan
    assert first.patches and not first.crashes
    write(root, first.patches)
    assert plan(root, form, gate).plan.patches == ()


def test_build_script_and_tests_are_patched_and_vendored_code_is_not(tmp_path: Path) -> None:
    done = plan(make(tmp_path, FILES), VENDORED).plan
    by_path = {patch.path: patch for patch in done.patches}
    assert set(by_path) == {"setup.py", "tests/conftest.py"}
    after = (by_path["setup.py"].after or b"").decode()
    assert after.index("enable_compat") < after.index("from torch")
    assert by_path["tests/conftest.py"].before is None
    assert all(change.until for patch in done.patches for change in patch.changes)


def test_a_fork_gets_four_lines_before_the_torch_import(tmp_path: Path) -> None:
    files = {**FILES, "setup.py": SETUP.replace('"ops._C", [', 'name="ops._C", sources=[')}
    done = plan(make(tmp_path, files), Form(Style.FORK, Delivery.VENDORED)).plan
    after = next(p.after for p in done.patches if p.path == "setup.py")
    added = "import paddle\n\npaddle.enable_compat()\n\n"
    assert after == files["setup.py"].replace("from torch", f"{added}from torch").encode()


def test_a_finding_below_the_gate_stays_open(tmp_path: Path) -> None:
    script = "import torch\n\nif __name__ == '__main__':\n    print(torch.ones(2))\n"
    root = make(tmp_path, {**FILES, "examples/run.py": script})
    safe, review = plan(root).plan, plan(root, gate=Safety.REVIEW).plan
    assert "examples/run.py" in {f.path for f in safe.open}
    assert "examples/run.py" in {p.path for p in review.patches}


def rule(home: Path, name: str, edit: str, safety: str = "safe") -> None:
    folder = home / "paddle" / "python" / name
    folder.mkdir(parents=True)
    (folder / "rule.py").write_text(BREAKS % edit)
    (folder / "rule.toml").write_text(RULE % safety)
    (folder / "README.md").write_text("# t\n")


@pytest.mark.parametrize(
    "edit",
    [
        'Edit(module.span(node), b"x = (")',  # does not parse
        'Edit(Span(0, module.span(node).end), b"x = 2")',  # loses a comment
        'Edit(Span(module.span(node).end, len(module.data)), b"\\n")',  # loses a statement
    ],
)
def test_an_edit_that_harms_the_rest_is_dropped_and_told(tmp_path: Path, edit: str) -> None:
    rule(tmp_path / "rules", "harmful", edit)
    text = "# torch\nx = 1\ny()  # kept\n"
    done = plan(make(tmp_path / "tree", {"a.py": text}), home=tmp_path / "rules").plan
    assert done.patches == ()
    assert [(c.path, c.where) for c in done.crashes] == [("a.py", "paddle/python/harmful")]


def test_a_harmful_rule_does_not_cost_the_others(tmp_path: Path) -> None:
    rule(tmp_path / "rules", "harmful", 'Edit(module.span(node), b"x = (")')
    rule(tmp_path / "rules", "sound", 'Edit(module.span(node.value), b"g()")')
    code = (tmp_path / "rules/paddle/python/sound/rule.py").read_text()
    fixed = code.replace("ast.Assign)", "ast.Assign) and isinstance(node.value, ast.Constant)")
    (tmp_path / "rules/paddle/python/sound/rule.py").write_text(fixed)
    done = plan(make(tmp_path / "tree", {"a.py": "x = 1\n"}), home=tmp_path / "rules").plan
    assert [p.after for p in done.patches] == [b"x = g()\n"]
    assert {c.where for c in done.crashes} == {"paddle/python/harmful"}


def test_a_rule_that_never_settles_leaves_the_file_and_is_told(tmp_path: Path) -> None:
    rule(tmp_path / "rules", "grows", 'Edit(module.end_of(node.value), b" + 1")')
    done = plan(make(tmp_path / "tree", {"a.py": "x = 1\n"}), home=tmp_path / "rules").plan
    assert done.patches == () and [c.path for c in done.crashes] == ["a.py"]


@dataclass(frozen=True)
class FakeUnit:
    patches: tuple[FilePatch, ...]


def test_the_unit_goes_on_from_the_edited_files(tmp_path: Path) -> None:
    change = Change(rule="unit", reason="r", until="u")

    def assemble(tree: Tree, uses: tuple[Use, ...]) -> FakeUnit:
        edited = tree["setup.py"]
        assert b"enable_compat" in edited and b"enable_compat" in tree["tests/conftest.py"]
        new = FilePatch(path="setup.py", before=edited, after=edited + b"#\n", changes=(change,))
        same = FilePatch(path="ops/__init__.py", before=b"", after=b"", changes=())
        return FakeUnit((new, same))

    done = plan(make(tmp_path, FILES), VENDORED, assemble=assemble).plan
    patch = next(p for p in done.patches if p.path == "setup.py")
    assert patch.before == SETUP.encode() and (patch.after or b"").endswith(b"#\n")
    assert patch.changes[-1] == change and len(patch.changes) > 1
    assert "ops/__init__.py" not in {p.path for p in done.patches}


def test_a_file_of_the_unit_that_is_there_already_is_no_new_file(tmp_path: Path) -> None:
    change = Change(rule="unit", reason="r", until="u")

    def assemble(tree: Tree, uses: tuple[Use, ...]) -> FakeUnit:
        return FakeUnit(
            tuple(
                FilePatch(path=path, before=None, after=b"text\n", changes=(change,))
                for path in ("ops/same.md", "ops/other.md")
            )
        )

    extra = {"ops/same.md": "text\n", "ops/other.md": "old\n"}  # not read by discovery
    done = plan(make(tmp_path, FILES | extra), assemble=assemble).plan
    found = {p.path: p.before for p in done.patches if p.path.endswith(".md")}
    assert found == {"ops/other.md": b"old\n"}


def test_one_scan_serves_every_unit_that_is_tried(tmp_path: Path) -> None:
    root = make(tmp_path, FILES)
    discovery = discover(root)
    pack = load_pack("paddle").active(None, Form())
    job = Job(root=root, facts=survey(root, discovery), pack=pack, form=Form())
    found = scan(job, discovery.files)
    edited = edit(job, discovery.files, Safety.SAFE, found, notebooks=False)
    for name in ("first.py", "second.py"):
        new = FilePatch(path=name, before=None, after=b"", changes=())
        done = complete(edited, lambda tree, uses, new=new: FakeUnit((new,)))  # type: ignore[misc]
        assert {p.path for p in done.plan.patches} == {p.path for p in edited.patches} | {name}
        assert done.uses == edited.uses
