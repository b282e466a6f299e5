"""A wheel for users of a target: built as a cell is, with other requirements, and tried out where
there is no torch."""

from __future__ import annotations

import ast
import email
import re
import shutil
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from email.policy import EmailPolicy
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name as _normal
from packaging.utils import parse_wheel_filename

from porter import targets
from porter.build import installed, packages, pip, requirements
from porter.build.cell import Options, cache_of, copy_tree, preparation, variables, work_tree
from porter.errors import EnvironmentFailed
from porter.host import process
from porter.host.endings import describe_ending
from porter.host.output import OnLine
from porter.languages.data import read_syntax
from porter.model import Cell, Step
from porter.targets.protocol import Environment, Framework, Target

_LIBRARY = re.compile(r"\.so(\.\d+)*$")
# Header lines stay as they were written.
_POLICY = EmailPolicy(utf8=True, mangle_from_=False, refold_source="none")
_IMPORT = """\
import importlib, os, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    print("imported", name, flush=True)
os._exit(0)  # some frameworks abort while they are torn down
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a wheel asks for: what stays, and what goes, with the reason."""

    kept: tuple[str, ...]
    removed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a wheel in an environment without torch; `problem` says what did not go well."""

    installed: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    after: str = ""  # code that a program runs before it imports them
    problem: str = ""


def build(
    root: Path,
    cell: Cell,
    environment: Environment,
    framework: Framework,
    folder: Path,
    options: Options,
    on_line: OnLine = lambda line: None,
) -> Path:
    """The wheel of a tree, built in `folder` by the environment of a cell that was built before:
    its objects are reused. Raises EnvironmentFailed where pip makes none."""
    shutil.rmtree(folder, ignore_errors=True)
    cache = cache_of(folder, root, options)
    options = replace(options, cache=cache)
    tree = copy_tree(root, work_tree(folder))
    first = preparation(tree, cell, environment, framework, options)
    place = ("--wheel-dir", str(folder / "built"))
    step = pip.step(
        environment.python,
        "wheel",
        ("wheel", "--no-build-isolation", "--no-deps", "--no-cache-dir", "-v", *place, "."),
        cwd=tree / options.subdir,
        environment=variables(tree, cell, environment, framework, options),
        timeout=options.timeout,
        failure_marks=framework.failure_marks,
        writable=(folder,),
    )
    for each in (first, step):
        if each is not None:
            carry_out(each, folder, "the wheel cannot be built", on_line)
    cache.take_over()
    return _single_wheel(folder / "built")


def carry_out(step: Step, folder: Path, doing: str, on_line: OnLine = lambda line: None) -> None:
    """Run a step of a build. Raises EnvironmentFailed, with the last line said, where it fails."""
    result = process.run(step, folder / "logs" / f"{step.name}.log", on_line)
    if not result.ok:
        said = result.tail.strip().rpartition("\n")[2] or describe_ending(result)
        raise EnvironmentFailed(f"{doing}: {said}", hint=f"see {result.log}")


def _single_wheel(folder: Path) -> Path:
    found = sorted(folder.glob("*.whl"))
    if len(found) != 1:
        raise EnvironmentFailed(f"{len(found)} wheels were made in {folder}", hint="see the log")
    return found[0]


def _metadata(data: bytes) -> email.message.Message:
    return email.message_from_bytes(data, policy=_POLICY)


def asks_for(wheel: Path) -> tuple[str, ...]:
    """All requirements in the metadata of a wheel, those of extras too."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        found = _metadata(archive.read(name))
    return tuple(map(str, found.get_all("Requires-Dist") or ()))


def replace_torch(
    asked: Sequence[str], target: Target, environment: Environment, folder: Path
) -> Asked:
    """What a wheel may ask for where a target is in the place of torch: neither a framework, nor
    what brings one into the environment; ports of others to the target. Raises NetworkError."""
    removed: dict[str, str] = {}
    kept: dict[str, str] = {}  # as written -> without its marker
    for before, text in zip(asked, requirements.replace_ported(asked, target.ported), strict=True):
        if text != before:
            removed[before] = f"its port is {text}"
        try:
            found = Requirement(text)
        except InvalidRequirement:
            kept[text] = ""  # pip will say what it makes of it
            continue
        if requirements.is_framework(_normal(found.name)):
            removed[text] = f"{target.title} replaces it"
        else:
            kept[text] = text.partition(";")[0].strip()
    wanted = [plain for plain in kept.values() if plain]
    for plain, bring in packages.find_framework_requirers(environment, wanted, folder).items():
        for text in [text for text in kept if kept[text] == plain]:
            removed[text] = f"it would install {', '.join(bring[:3])}"
            del kept[text]
    return Asked(tuple(kept), removed)


def is_native(wheel: Path) -> bool:
    """Whether a wheel has compiled code."""
    with zipfile.ZipFile(wheel) as archive:
        return any(_LIBRARY.search(name) for name in archive.namelist())


def imports(wheel: Path, other: Path) -> bool:
    """Whether Python code in a wheel imports what is in another one."""
    with zipfile.ZipFile(other) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist() if name.endswith(".py")}
    with zipfile.ZipFile(wheel) as archive:
        texts = [archive.read(name) for name in archive.namelist() if name.endswith(".py")]
    return any(top in tops for text in texts for top in _find_imports(text))


def _find_imports(text: bytes) -> set[str]:
    try:
        tree = read_syntax(text)
    except (SyntaxError, ValueError):
        return set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def version_requirement(wheel: Path) -> str:
    """A requirement on the distribution of a wheel: its version, up to the next that may break."""
    name, version, *_ = parse_wheel_filename(wheel.name)
    major, minor = version.major, version.minor
    upper = str(major + 1) if major else f"0.{minor + 1}"
    return f"{name}>={major}.{minor},<{upper}"


def set_requirements(metadata: bytes, required: Iterable[str]) -> bytes:
    """The metadata of a distribution with these requirements, and all else as it was."""
    found = _metadata(metadata)
    del found["Requires-Dist"]
    for text in required:
        found["Requires-Dist"] = text
    return found.as_bytes()


def rewrite(wheel: Path, required: Sequence[str], environment: Environment, folder: Path) -> Path:
    """The wheel with these requirements in the place of its own, in `folder`.

    The environment's `wheel` takes it apart and packs it again, with the digests of what it has
    then. Raises EnvironmentFailed where it cannot.
    """
    unpacked, packed = folder / "unpacked", folder / "wheels"
    for place in (unpacked, packed):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
    _wheel(environment, folder, "unpack", str(wheel), "--dest", str(unpacked))
    (metadata,) = unpacked.glob("*/*.dist-info/METADATA")
    metadata.write_bytes(set_requirements(metadata.read_bytes(), required))
    _wheel(environment, folder, "pack", str(metadata.parent.parent), "--dest-dir", str(packed))
    return _single_wheel(packed)


def _wheel(environment: Environment, folder: Path, command: str, *arguments: str) -> None:
    step = Step(
        name=command,
        argv=(str(environment.python), "-m", "wheel", command, *arguments),
        cwd=str(folder),
        writable=(str(folder),),
        timeout=600,
    )
    carry_out(step, folder, f"`wheel {command}` failed")


def try_out(
    wheel: Path,
    beside: Sequence[Path],
    environment: Environment,
    framework: Framework,
    folder: Path,
    on_line: OnLine = lambda line: None,
) -> Trial:
    """Install a wheel, with the wheels `beside` it, over the bare target and without an index, and
    import what it has. What else it asks for is had before. Raises NetworkError."""
    site, before = Path(environment.paths[0]), requirements.names_in(environment)
    here = {_name(each) for each in beside}
    asked = requirements.read_requirements(wheel)
    others = [text for text in asked if _normal(Requirement(text).name) not in here]
    packages.install(environment, others, folder, "requirements", on_line)
    result = packages.put(environment, (*map(str, (wheel, *beside)),), folder, "install", on_line)
    if not result.ok:
        return Trial(problem=str(pip.failure(result, "it cannot be installed without an index")))
    there = requirements.names_in(environment)
    names = _modules(site, _name(wheel))
    done = _imports(names, environment, "", folder)
    if done.problem:
        done = _imports(names, environment, framework.prelude, folder)
    brought = sorted(there & {*targets.SOURCE.distributions, *targets.SOURCE.aliases})
    problem = f"{', '.join(brought)} is there as well" if brought else done.problem
    return replace(done, installed=tuple(sorted(there - before)), problem=problem)


def _name(wheel: Path) -> str:
    return _normal(parse_wheel_filename(wheel.name)[0])


def _modules(site: Path, name: str) -> list[str]:
    """The packages of a distribution, or else its single libraries."""
    infos = installed.distributions(site)
    own = next(each for each in infos if _normal(each.partition("-")[0]) == name)
    found = installed.modules(site, installed.files(site, own))
    return [module.name for module in found if not module.path] or [m.name for m in found]


def _imports(names: Sequence[str], environment: Environment, prelude: str, folder: Path) -> Trial:
    """Import modules as a user does: at once, or after Python code that the target asks for."""
    before = f"{prelude}\nimport torch\n" if prelude else ""  # which loads what libraries need
    log = folder / f"import{'-after' * bool(prelude)}.log"
    step = Step(
        name="import",
        argv=(str(environment.python), "-W", "ignore", "-c", before + _IMPORT, *names),
        cwd=str(folder),
        environment=environment.variables(),
        timeout=600,
    )
    result = process.run(step, log)
    text = log.read_text(errors="replace")
    done = tuple(name for name in names if f"imported {name}\n" in text)
    said = result.tail.strip().rpartition("\n")[2] or f"it {describe_ending(result)}"
    problem = "" if len(done) == len(names) else f"import {names[len(done)]}: {said}"
    after = "; ".join(line for line in prelude.splitlines() if line)
    return Trial(imported=done, after=after, problem=problem)
