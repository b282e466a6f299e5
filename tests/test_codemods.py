"""LibCST codemods of rules: the bytes of changed nodes, a crash that costs one rule on one file."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import libcst as cst
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porter.languages.edits import apply
from porter.languages.python import parse
from porter.migrate.plan import migrate
from porter.migrate.scan import Job, ScanResult, scan_bytes
from porter.model import Form, Language, Package, Plan, ProjectFacts, Role, SourceFile
from porter.rules.loader import load_pack
from porter.rules.trees import SourceText, changes, parts_of
from tests.conftest import ROOT

TOML = """
title = "t"
message = "m"
safety = "safe"
catalogue = []
until = "u"
needles = ["old"]
"""
FIND = '\n[find]\ncall = "torch.old"\n'
# Rewrites what the finder named: torch.old(a, b) to torch.new(b, a).
SWAP = """
import libcst as cst
from porter.rules.rewrite import RewriteCall


class Swap(RewriteCall):
    def rewrite(self, call, known):
        first, second = call.args
        args = (first.with_changes(value=second.value), second.with_changes(value=first.value))
        return call.with_changes(func=self.expression("torch.new"), args=args)
"""
# A command of LibCST's own, which knows nothing of porter.
RENAME = """
from libcst.codemod.commands.rename import RenameCommand


class Rename(RenameCommand):
    def __init__(self, context):
        super().__init__(context, old_name="torch.old", new_name="torch.new")
"""
COMMAND = """
import libcst as cst
from libcst.codemod import SkipFile, VisitorBasedCodemodCommand


BAD = cst.Name("class")


class Command(VisitorBasedCodemodCommand):
    def transform_module_impl(self, tree):
        {}
"""


def rule(home: Path, codemod: str, *, find: str = FIND, name: str = "swap") -> None:
    folder = home / "rules" / "paddle" / "python" / name
    folder.mkdir(parents=True)
    (folder / "rule.toml").write_text(TOML + find)
    (folder / "codemod.py").write_text(codemod)
    (folder / "README.md").write_text("# t\n")


def scanned(home: Path, data: bytes) -> ScanResult:
    facts = ProjectFacts(packages=(Package("pkg", "pkg"),))
    pack = load_pack("paddle", home / "rules")
    file = SourceFile("pkg/a.py", Language.PYTHON, Role.LIBRARY, len(data))
    return scan_bytes(Job(root=home, facts=facts, pack=pack, form=Form()), file, data)


def edited(home: Path, data: bytes) -> bytes:
    result = scanned(home, data)
    assert not result.crashes
    return apply(data, result.findings).data


def planned(home: Path, data: bytes) -> Plan:
    (home / "tree").mkdir()
    (home / "tree" / "a.py").write_bytes(data)
    pack = load_pack("paddle", home / "rules")
    job = Job(root=home / "tree", facts=ProjectFacts(), pack=pack, form=Form())
    return migrate(job, [SourceFile("a.py", Language.PYTHON, Role.LIBRARY, len(data))]).plan


ODD = """\
#  odd   spaces ,stay
import torch   # torch

@ torch.no_grad( )
def  f( x,y ) :
\tdef g():  # tabs
\t\treturn [ torch.old( x,(y) ) ,  # comment
\t\t\tx ]
\treturn g( );


\x0cclass A:
\tpass ; z = torch.old(1,   'é')
\tw = 1 \\
\t\t+ 2
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("head", ["", "\ufeff", "# -*- coding: latin-1 -*-\n"])
def test_all_but_the_changed_nodes_stays_byte_for_byte(tmp_path: Path, head: str, end: str) -> None:
    rule(tmp_path, SWAP)
    encoding = "latin-1" if "latin" in head else "utf-8"
    before = (head + ODD).replace("\n", end)
    after = before.replace("torch.old( x,(y) )", "torch.new( (y),x )")
    after = after.replace("torch.old(1,   'é')", "torch.new('é',   1)")
    assert edited(tmp_path, before.encode(encoding)) == after.encode(encoding)


def test_each_finding_has_the_edits_of_its_place(tmp_path: Path) -> None:
    rule(tmp_path, SWAP)
    text = "import torch\na = torch.old(1, 2)\nb = torch.old(3, torch.old(4, 5))\n"
    first, outer, inner = scanned(tmp_path, text.encode()).findings
    assert [f.line for f in (first, outer, inner)] == [2, 3, 3]
    assert not {*first.edits} & {*outer.edits, *inner.edits}
    assert {*inner.edits} <= {*outer.edits}, "what is inside of both"
    assert b"torch.new(torch.new(5, 4), 3)" in edited(tmp_path, text.encode())


def test_a_suppressed_place_is_not_given_to_the_codemod(tmp_path: Path) -> None:
    rule(tmp_path, SWAP)
    text = "import torch\na = torch.old(1, 2)  # porter: ignore\nb = torch.old(3, 4)\n"
    assert edited(tmp_path, text.encode()).decode() == text.replace("old(3, 4)", "new(4, 3)")


def test_a_command_of_others_works_unchanged_with_and_without_a_finder(tmp_path: Path) -> None:
    text = "from torch import old\n\n\ndef f(x):\n    return old( x )  # old\n"
    after = text.replace("import old", "import new").replace("old( x", "new( x")
    for name, find in (("with", FIND), ("without", "")):
        rule(tmp_path / name, RENAME, find=find)
        assert edited(tmp_path / name, text.encode()).decode() == after


def test_a_comment_keeps_a_command_of_others_from_the_file(tmp_path: Path) -> None:
    text = b"import torch\na = torch.old(1)  # porter: ignore\nb = torch.old(2)\n"
    for name, find in (("with", FIND), ("without", "")):
        rule(tmp_path / name, RENAME, find=find)
        assert edited(tmp_path / name, text) == text


def test_a_codemod_that_skips_a_file_finds_nothing(tmp_path: Path) -> None:
    for name, find in (("with", FIND), ("without", "")):
        rule(tmp_path / name, COMMAND.format("raise SkipFile('no')"), find=find)
        result = scanned(tmp_path / name, b"import torch\ntorch.old(1, 2)\n")
        assert result == ScanResult()


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("raise ValueError('broken codemod')", "broken codemod"),
        ("return tree.with_changes(body=cst.parse_module('x = \\'\u20ac\\'').body)", "latin-1"),
    ],
)
def test_what_a_codemod_raises_costs_its_rule_and_is_told(
    tmp_path: Path, does: str, said: str
) -> None:
    rule(tmp_path, COMMAND.format(does))
    rule(tmp_path, SWAP, name="other")
    result = scanned(tmp_path, b"# coding: latin-1\nimport torch\ntorch.old(1, 2)\n")
    assert [f.rule for f in result.findings] == ["paddle/python/other"]
    assert [(c.path, c.where) for c in result.crashes] == [("pkg/a.py", "paddle/python/swap")]
    assert said in result.crashes[0].error


def test_a_codemod_that_cannot_be_loaded_costs_its_rule(tmp_path: Path) -> None:
    rule(tmp_path, "import libcst\n")
    (crash,) = scanned(tmp_path, b"import torch\ntorch.old(1, 2)\n").crashes
    assert crash.where == "paddle/python/swap" and "one codemod class" in crash.error


@pytest.mark.parametrize(
    "does",
    [
        "return tree.with_changes(body=(*tree.body, *cst.parse_module('x = 1').body))",  # grows
        "return tree.with_changes(body=(*tree.body, cst.SimpleStatementLine([cst.Expr(BAD)])))",
    ],
)
def test_a_codemod_that_never_settles_or_does_harm_costs_its_rule(
    tmp_path: Path, does: str
) -> None:
    rule(tmp_path, COMMAND.format(does), find="")
    rule(tmp_path, SWAP, name="other")
    plan = planned(tmp_path, b"# old\nimport torch\ny = torch.old(1, 2)\n")
    assert {crash.where for crash in plan.crashes} == {"paddle/python/swap"}
    assert [patch.after for patch in plan.patches] == [
        b"# old\nimport torch\ny = torch.new(2, 1)\n"
    ]


def test_codemods_are_told_what_file_and_project_it_is(tmp_path: Path) -> None:
    told = "assert (self.context.filename, self.context.full_module_name, "
    told += "self.context.full_package_name) == ('pkg/a.py', 'pkg.a', 'pkg')\n"
    told += "        assert self.context.scratch['porter.facts'].packages[0].name == 'pkg'\n"
    rule(tmp_path, COMMAND.format(f"{told}        return tree"))
    result = scanned(tmp_path, b"import torch\ntorch.old(1, 2)\n")
    assert not result.crashes
    assert [f.edits for f in result.findings] == [()], "found, and left as it is"


def test_nothing_loads_libcst_before_there_is_something_to_rewrite() -> None:
    code = (
        "import sys, porter.cli.app, porter.migrate.scan\n"
        "from porter.rules.loader import load_pack\n"
        "from porter.rules.examples import examples, find\n"
        "rules = {r.folder.name: r for r in load_pack('paddle').rules}\n"
        "rule = rules['pow_of_a_number']\n"
        "kept = [e for e in examples(rule) if e.is_untouched]\n"
        "assert kept and not any(find(rule, e.before, e) for e in kept)\n"
        "assert 'libcst' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_every_codemod_loads() -> None:
    from porter.rules.codemods import load_codemod

    paths = sorted((ROOT / "rules").glob("*/python/*/codemod.py"))
    assert len(paths) > 20
    for path in paths:
        assert load_codemod(path).DESCRIPTION, path


PIECES = st.sampled_from(
    [
        "x = f( 1 ,2)\n",
        "# only\n",
        "\n",
        "def f(a, b=1):\n    '''text'''\n    return a  # end\n",
        "if x:\n\ty = [\n\t\t1,  # one\n\t]\nelse :\n\tpass\n",
        "class A(B): z = 1; w = 2\n",
        "with a as b, c: pass\n",
        "try:\n    import q\nexcept E:\n    q = None\n    # tail\n",
        '\x0cg(*args, **{\'k\': """a\n\x0cb"""})\n',
        "é = 'ü' \\\n    f'{x}'\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(PIECES, max_size=5),
    st.lists(PIECES, max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_the_edits_between_any_two_trees_give_the_second(
    first: list[str], second: list[str], end: str, cut: bool
) -> None:
    texts = ["".join(part).replace("\n", end) for part in (first, second)]
    texts = [text.removesuffix(end) for text in texts] if cut else texts
    module = parse(texts[0].encode(), "a.py")
    source = SourceText(module)
    new = cst.parse_module(SourceText(parse(texts[1].encode(), "b.py")).text)
    old = cst.parse_module(source.text)
    found = changes(old, new, parts_of(old))
    assert all(left[1] <= right[0] for left, right in pairwise(found))
    text, at = "", 0
    for start, stop, put in found:
        text, at = text + source.text[at:start] + put, stop
    assert text + source.text[at:] == new.code
