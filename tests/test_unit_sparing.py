"""Many sites are spared an edit where a piece of the unit does the same for all of them."""

from __future__ import annotations

from pathlib import Path

from porter import residue, unit
from porter.migrate.plan import migrate
from porter.model import Delivery, Form
from porter.run.record import Analysis, RunRecord, SourceRecord
from porter.stages import analyze
from porter.stages.options import Options
from porter.surface.load import load, load_torch
from porter.survey.discover import discover
from porter.survey.survey import survey

LAUNCH = "    stub(torch.cuda.current_stream().cuda_stream)\n"
RULE = "paddle/python/cuda_stream_attribute"

VENDORED = Form(delivery=Delivery.VENDORED)


def repository(root: Path, sites: int, *, package: bool = True) -> Path:
    folder = root / "ops"
    folder.mkdir(parents=True)
    if package:
        (folder / "__init__.py").write_text("")
    (folder / "launch.py").write_text("import torch\n\n\ndef launch(stub):\n" + LAUNCH * sites)
    (root / "bench.py").write_text(
        "import torch\n\nif __name__ == '__main__':\n    stub = print\n" + LAUNCH
    )
    if package:  # else nothing is installed, and no namespace either
        (root / "pyproject.toml").write_text('[project]\nname = "ops"\nversion = "1"\n')
    return root


def ported(root: Path, form: Form = VENDORED) -> dict[str, str]:
    """The files that a migration changes or adds, as text."""
    discovery = discover(root)
    facts = survey(root, discovery)
    surface = load("paddle", "3.3.1")
    kept = RunRecord(
        id="x",
        porter_version="0",
        created=0.0,
        cwd="",
        source=SourceRecord(written=str(root), identity=str(root), kind="path"),
        analysis=Analysis(target="paddle", target_version="3.3.1", facts=facts, form=form),
    )
    found = analyze.scan_tree(kept, root, discovery, Options())
    done = migrate(
        found.job,
        discovery.files,
        assemble=lambda tree, uses: unit.assemble(
            tree, facts, uses, surface, form, found.pieces, shown=found.instead
        ),
        scanned=found.found,
    )
    assert isinstance(done.unit, unit.UnitPlan)
    left = residue.residue(
        ((f, (root / f.path).read_bytes()) for f in discovery.files if f.path != "bench.py"),
        surface, load_torch(), done.unit.answers, keeps_torch=True,
    )  # fmt: skip
    if found.instead:
        assert not [r for r in left if "cuda_stream" in r.name]
    assert not [r for r in left if r.name.startswith("torch.Tensor.__i")]
    return {p.path: (p.after or b"").decode() for p in done.plan.patches}


def test_few_sites_are_edited(tmp_path: Path) -> None:
    files = ported(repository(tmp_path, 3))
    assert files["ops/launch.py"].count("_as_parameter_") == 3
    assert not [path for path in files if "_porter_compat" in path]


def test_many_sites_are_left_to_the_unit_but_for_scripts_that_it_does_not_reach(
    tmp_path: Path,
) -> None:
    files = ported(repository(tmp_path, 30))
    assert "ops/launch.py" not in files
    assert "cuda_stream=property" in files["ops/_porter_compat.py"]
    assert "_as_parameter_" in files["bench.py"]


def test_without_a_package_that_holds_a_unit_every_site_is_edited(tmp_path: Path) -> None:
    files = ported(repository(tmp_path, 30, package=False))
    assert files["ops/launch.py"].count("_as_parameter_") == 30


def test_what_the_package_does_is_edited_in_scripts_only(tmp_path: Path) -> None:
    root = repository(tmp_path, 1)
    counted = "import torch\n\n\ndef count(x: torch.Tensor):\n    return x.nelement()\n"
    (root / "ops" / "count.py").write_text(counted)
    (root / "bench.py").write_text(f"{counted}\n\nif __name__ == '__main__':\n    print(count)\n")
    files = ported(root, Form())
    assert {*files} == {"ops/__init__.py", "bench.py"}
    assert "x.numel()" in files["bench.py"]


def test_operators_in_place_that_no_edit_is_sure_of_are_left_to_the_unit(tmp_path: Path) -> None:
    root = repository(tmp_path, 0)
    sure = "def f(x: torch.Tensor, y: torch.Tensor):\n    x += y\n"
    (root / "ops" / "launch.py").write_text(f"import torch\n\n\n{sure}")
    files = ported(root)
    assert "x.add_(y)" in files["ops/launch.py"]
    assert "_AUGMENTED" not in str(files)
    view = f"{sure}    v = y[1:]\n    v //= 2\n"
    (root / "ops" / "launch.py").write_text(f"import torch\n\n\n{view}")
    files = ported(root)
    assert "v //= 2" in files["ops/launch.py"]
    assert "_methods(**_AUGMENTED)" in files["ops/_porter_compat.py"]
    many = sure + "    x += y\n" * 10
    (root / "ops" / "launch.py").write_text(f"import torch\n\n\n{many}")
    files = ported(root)
    assert "ops/launch.py" not in files
    assert "_methods(**_AUGMENTED)" in files["ops/_porter_compat.py"]


def test_the_rules_that_pieces_stand_for_exist() -> None:
    from porter.host.home import rules_home
    from porter.rules.loader import load_pack

    rules = {rule.id for rule in load_pack("paddle").rules}
    pieces = unit.pieces(rules_home() / "paddle" / "polyfills")
    named = {rule for piece in pieces for rule in piece.instead_of}
    assert RULE in named <= rules
