"""Scanning: what a rule raises costs that rule on that file; processes give the same result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.languages.read import Document
from porter.migrate.scan import Job, scan
from porter.model import Form, Package, ProjectFacts, Role, SourceFile, Use
from porter.rules.loader import load_pack
from porter.survey.discover import language
from porter.uses.reexports import package_of

RULES = {
    "raises": "def check(module, facts):\n    raise ValueError('broken rule')\n    yield\n",
    "loops": "def check(module, facts):\n    return check(module, facts)\n",
    "finds": (
        "from porter.model import Match\n\n\n"
        "def check(module, facts):\n"
        "    for name in module.names:\n"
        "        yield Match(module.span(name.node), name=name.qualified)\n"
    ),
}
TOML = 'title = "t"\nmessage = "m"\nsafety = "safe"\ncatalogue = []\nuntil = "u"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, code in RULES.items():
        folder = tmp_path / "rules" / "paddle" / "python" / name
        folder.mkdir(parents=True)
        (folder / "rule.py").write_text(code)
        (folder / "rule.toml").write_text(TOML)
        (folder / "README.md").write_text("# t\n")
    return tmp_path / "rules"


def tree(root: Path, files: dict[str, str], role: Role = Role.LIBRARY) -> list[SourceFile]:
    found = []
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        kind = language(path)
        assert kind is not None
        found.append(SourceFile(path, kind, role, len(text)))
    return found


def job(root: Path, home: Path, look_up: object = None) -> Job:
    pack = load_pack("paddle", home)
    return Job(root=root, facts=ProjectFacts(), pack=pack, form=Form(), look_up=look_up)  # type: ignore[arg-type]


def one_use(document: Document, file: SourceFile) -> list[Use]:
    return [Use("torch", file.language, file.path, 1, 1, file.role)]


def bad_look_up(document: Document, file: SourceFile) -> list[Use]:
    raise KeyError("surface")


TEXT = "import torch\n\nx = torch.ones(2)\n"


def test_a_rule_that_raises_is_told_and_the_others_go_on(tmp_path: Path, home: Path) -> None:
    result = scan(job(tmp_path, home), tree(tmp_path, {"a.py": TEXT, "b.py": TEXT}), jobs=1)
    assert [f.path for f in result.findings] == ["a.py", "b.py"]
    assert {(c.path, c.where.rpartition("/")[2]) for c in result.crashes} == {
        (path, rule) for path in ("a.py", "b.py") for rule in ("raises", "loops")
    }
    assert "broken rule" in {c.where: c.error for c in result.crashes}["paddle/python/raises"]


def test_places_count_from_one_in_bytes(tmp_path: Path, home: Path) -> None:
    files = tree(tmp_path, {"a.py": "import torch\n\né = 'é', torch.ones(2)\n"})
    (finding,) = scan(job(tmp_path, home), files, jobs=1).findings
    assert (finding.line, finding.column) == (3, 12)
    assert finding.name == "torch.ones"


def test_a_comment_suppresses_a_rule_on_its_line(tmp_path: Path, home: Path) -> None:
    text = (
        "import torch\n"
        "a = torch.a  # porter: ignore\n"
        "b = torch.b  # porter: ignore[finds]\n"
        "c = torch.c  # porter: ignore[paddle/python/finds, other]\n"
        "d = torch.d  # porter: ignore[other]\n"
        "e = '# porter: ignore', torch.e\n"
    )
    result = scan(job(tmp_path, home), tree(tmp_path, {"a.py": text}), jobs=1)
    assert [f.name for f in result.findings] == ["torch.d", "torch.e"]


def test_vendored_files_are_not_read(tmp_path: Path, home: Path) -> None:
    files = tree(tmp_path, {"third_party/a.py": TEXT, "third_party/b.py": "("}, Role.VENDORED)
    result = scan(job(tmp_path, home), files, jobs=1)
    assert result.findings == () and result.skipped == ()


def test_a_file_that_cannot_be_parsed_is_skipped_with_the_reason(
    tmp_path: Path, home: Path
) -> None:
    files = tree(tmp_path, {"a.py": "import torch\ndef (:\n", "gone.py": TEXT})
    (tmp_path / "gone.py").unlink()
    result = scan(job(tmp_path, home), files, jobs=1)
    assert [s.path for s in result.skipped] == ["a.py", "gone.py"]
    assert "line 2" in result.skipped[0].reason


def test_names_in_use_come_from_the_same_parse(tmp_path: Path, home: Path) -> None:
    files = tree(tmp_path, {"a.py": TEXT, "b.py": "x = 1\n"})
    result = scan(job(tmp_path, home, one_use), files, jobs=1)
    assert [use.path for use in result.uses] == ["a.py"], "a file without torch is not looked up"


def test_a_look_up_that_raises_costs_no_finding(tmp_path: Path, home: Path) -> None:
    result = scan(job(tmp_path, home, bad_look_up), tree(tmp_path, {"a.py": TEXT}), jobs=1)
    assert result.findings and "surface" in {c.where for c in result.crashes}


def test_processes_give_what_one_gives_and_tell_how_far_they_are(
    tmp_path: Path, home: Path
) -> None:
    filler = "# " + "x" * 900_000 + "\n"
    files = tree(tmp_path, {f"{n}.py": TEXT + filler for n in range(3)})
    told: list[tuple[int, int]] = []
    work = job(tmp_path, home, one_use)
    pooled = scan(work, files, jobs=2, progress=lambda done, total: told.append((done, total)))
    assert pooled == scan(work, files, jobs=1)
    assert told[-1] == (3, 3)


def test_the_package_of_a_file_follows_from_the_packages_of_the_repository() -> None:
    facts = ProjectFacts(packages=(Package("ops", "src/ops"), Package("ops.nn", "src/ops/nn")))
    assert package_of("src/ops/nn/deep/a.py", facts.packages) == "ops.nn.deep"
    assert package_of("src/opsy/a.py", facts.packages) == "src.opsy"
    assert package_of("setup.py", facts.packages) == ""


def test_a_script_reaches_torch_through_a_file_beside_it(tmp_path: Path) -> None:
    script = "import plain\nimport model as fast\nimport torch\n\nfast.run(torch, plain)\n"
    files = {"bench/run.py": script, "bench/plain.py": "import os\n", "bench/model.py": TEXT}
    pack = load_pack("paddle")
    rules = tuple(rule for rule in pack.rules if rule.id.endswith("/torch_in_entry_script"))
    job = Job(root=tmp_path, facts=ProjectFacts(), pack=replace(pack, rules=rules), form=Form())
    (finding,) = scan(job, tree(tmp_path, files, Role.ENTRY), jobs=1).findings
    assert (finding.path, finding.line) == ("bench/run.py", 2)
    assert "imports model, of this repository" in finding.message


STUB = "import torch\n\nKIND = torch.old\n\n\ndef f(x: torch.Tensor = torch.old) -> None: ...\n"


def test_a_stub_follows_what_its_module_becomes_and_asks_for_nothing(
    tmp_path: Path, home: Path
) -> None:
    folder = home / "paddle" / "python" / "renamed"
    folder.mkdir()
    (folder / "README.md").write_text("# t\n")
    (folder / "rule.toml").write_text(
        f'{TOML}\n[find]\nname = "torch.old"\nreplace = "torch.new"\n'
    )
    files = tree(tmp_path / "repo", {"pkg/m.py": STUB, "pkg/m.pyi": STUB})
    result = scan(job(tmp_path / "repo", home, one_use), files, jobs=1)
    edits = {
        path: [f.edits for f in result.findings if f.path == path and f.edits]
        for path in ("pkg/m.py", "pkg/m.pyi")
    }
    assert len(edits["pkg/m.py"]) == 2
    assert edits["pkg/m.py"] == edits["pkg/m.pyi"]
    assert {use.path for use in result.uses} == {"pkg/m.py"}, "nothing runs a stub"
