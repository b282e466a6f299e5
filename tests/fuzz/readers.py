"""Readers of bytes that porter did not write, each as a function of bytes that ends or raises."""

from __future__ import annotations

import atexit
import contextlib
import io
import math
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path

from porter import targets
from porter.ascend import definitions, recognise, schemas
from porter.build import cmake_units, diagnostics, extensions, requirements
from porter.emulators.cuda.rewrite import rewrite
from porter.errors import PorterError
from porter.host import elf
from porter.languages import cmake, cpp, notebook, python, toml
from porter.languages.data import read_table
from porter.migrate.plan import _follow
from porter.migrate.scan import Job
from porter.model import (
    Delivery,
    Device,
    Form,
    Language,
    ProjectFacts,
    Role,
    Safety,
    SourceFile,
    Span,
    Style,
    Surface,
)
from porter.parity import answers, cases, choice, goldens, inputs, signatures, trace, written
from porter.residue import residue
from porter.rules.loader import load_pack, load_rule, load_table
from porter.run import store
from porter.sources import package_index, repository, sdist, view
from porter.suite import detect, recording
from porter.surface.load import load, load_torch
from porter.survey import roles
from porter.survey.discover import discover
from porter.survey.survey import survey
from porter.unit import packaging
from porter.uses import documents
from tests.hostile.differential import watched


class Finding(Exception):
    """A reader gave something that cannot be."""


@cache
def scratch() -> Path:
    """Return the folder in which targets put files."""
    folder = Path(tempfile.mkdtemp(prefix="porter-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _put(name: str, data: bytes) -> Path:
    """Write the one file of a fresh folder."""
    folder = scratch() / "tree"
    shutil.rmtree(folder, ignore_errors=True)
    path = folder / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


# ------------------------------------------------------------------- languages


def read_python(data: bytes) -> None:
    module = python.parse(data, "pkg/a.py", "pkg")
    _ = module.names, list(module.calls()), module.imports, module.stars, module.exports
    _ = module.ignores_by_line, list(module.untold("torch"))
    for node in module.nodes:
        if hasattr(node, "lineno"):
            span = module.span(node)
            if not 0 <= span.start <= span.end <= len(data):
                raise Finding(f"{span} is not in the file")
            module.text(node)


def read_notebook(data: bytes) -> None:
    book = notebook.parse(data)
    for at in range(0, len(book.text), 1 + len(book.text) // 50):
        span = book.span(Span(at, at)) if book.cells else None
        if span is not None and not 0 <= span.start <= len(data):
            raise Finding(f"{span} is not in the file")


def read_cpp(data: bytes) -> None:
    unit = cpp.parse(data, "a.cu")
    at = 0
    for token in unit.tokens:
        if not at <= token.start < token.end <= len(data):
            raise Finding(f"{token} overlaps another")
        at = token.end
    _ = unit.includes, list(unit.full_names()), unit.code
    for opening in unit.places("(")[:50]:
        unit.arguments(opening)


def read_cmake(data: bytes) -> None:
    for command in cmake.parse(data, "CMakeLists.txt").commands:
        for argument in command.arguments:
            if not command.span.start < argument.span.start <= argument.span.end:
                raise Finding(f"{argument} is not in {command}")


def read_toml(data: bytes) -> None:
    for name in ("pyproject.toml", "requirements.txt"):
        try:
            document = toml.parse(data, name)
        except python.Unreadable:
            continue
        for requirement in document.requirements:
            document.remove(requirement)


@cache
def _surfaces() -> tuple[Surface, Surface]:
    return load("paddle", "3.3.1"), load_torch()


def read_residue(data: bytes) -> None:
    files = [
        (SourceFile(name, language, role, len(data)), data)
        for name, language, role in (
            ("a.py", Language.PYTHON, Role.LIBRARY),
            ("run.py", Language.PYTHON, Role.ENTRY),
            ("setup.py", Language.PYTHON, Role.BUILD),
            ("a.pyx", Language.CYTHON, Role.LIBRARY),
            ("a.cu", Language.CPP, Role.LIBRARY),
            ("CMakeLists.txt", Language.CMAKE, Role.BUILD),
            ("requirements.txt", Language.TOML, Role.BUILD),
        )
    ]
    residue(files, *_surfaces(), {}, keeps_torch=False)


@cache
def _job(form: Form) -> Job:
    facts = ProjectFacts()
    root = scratch() / "none"
    return Job(root=root, facts=facts, pack=load_pack("paddle").active(None, form), form=form)


def migrated(path: str, language: Language) -> Callable[[bytes], None]:
    """Follow a file through all rules to the end; what a rule raises is a finding, too."""

    def migrate(data: bytes) -> None:
        for form in (Form(*one) for one in product(Style, Delivery)):
            file = SourceFile(path, language, Role.LIBRARY, len(data))
            job = _job(form)
            with watched() as problems:
                done = _follow(job, file, data, Safety.REVIEW)
            if done.crashes:
                raise Finding("; ".join(f"{c.where}: {c.error}" for c in done.crashes))
            if done.after == data:
                continue
            again = _follow(job, file, done.after, Safety.REVIEW)
            if again.after != done.after:
                problems.append("a second run changes it")
            if problems:
                raise Finding("; ".join(problems))

    return migrate


# --------------------------------------------------------- a project and its files


def surveyed(name: str) -> Callable[[bytes], None]:
    """Look at a project of one file, in all the ways that ask it before it is built."""

    def look(data: bytes) -> None:
        root = _put(name, data).parent
        facts = survey(root, discover(root))
        detect.find(root, facts)
        detect.scripts(root, facts)
        requirements._keep_usable([*requirements._setup_requires(root)])
        requirements.test_requirements(root)
        requirements._pyproject(root)
        extensions.switches(root, (name,), Device.CPU)

    return look


def read_submodules(data: bytes) -> None:
    roles.read_submodules(_put(".gitmodules", data).parent)


def read_git(data: bytes) -> None:
    """Read a clone that somebody else made: its HEAD, `commondir` and settings, between NULs."""
    head, common, written = (*data.split(b"\0", 2), b"", b"")[:3]
    own = _put(".git/HEAD", head).parent
    (own / "objects").mkdir()
    (own / "refs").mkdir()
    if common:
        (own / "commondir").write_bytes(common)
    with contextlib.suppress(PorterError):
        seen = scratch() / "seen"
        shutil.rmtree(seen, ignore_errors=True)
        seen.mkdir()
        view._fill(seen, view.find(own.parent))
    items = (item.partition("\n") for item in repository.zero_separated(written))
    if not repository._OWN.fullmatch(view._config({key: value for key, _, value in items})):
        raise Finding("a setting of the clone's own is in force")


def read_metadata(data: bytes) -> None:
    packaging.headers_in_metadata(data, "_porter_compat")
    for package in ("pkg", ""):
        packaging.add_to_metadata(data, "pyproject.toml", package, "pkg._porter_compat")


def read_packaging(data: bytes) -> None:
    packaging.add_to_script(data, "setup.py", "pkg", "pkg._porter_compat")
    packaging.headers_in_script(data, "setup.py", "_porter_compat")


def read_documents(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for rest in (False, True):
        for block in documents.blocks(text, rest=rest):
            documents._python(block)


def read_ascend(data: bytes) -> None:
    for entry in definitions.yaml_entries(data):
        schemas.arguments(entry.schema)
    list(definitions.json_definitions(data))


def recognise_ascend(data: bytes) -> None:
    file = SourceFile("a.cpp", Language.CPP, Role.LIBRARY, len(data))
    recognise.recognise_bytes(
        [(file, data)], [("a.yaml", data), ("a.json", data)], [file], targets.npu_names()
    )


def rewrite_cuda(data: bytes) -> None:
    rewrite(cpp.parse(data, "a.cu"))


# -------------------------------------------------------- builds, tests and answers


def read_diagnostics(data: bytes) -> None:
    tree = scratch() / "sources"
    if not tree.is_dir():
        tree.mkdir()
        (tree / "a.cpp").write_text("#define M(x) x(\nint f() { return M(1); }\n" * 20)
    diagnostics.causes(diagnostics.parse(data.decode("utf-8", "replace"), tree))


def read_library(data: bytes) -> None:
    with contextlib.suppress(ValueError):  # no ELF file
        elf.parse(io.BytesIO(data), scratch() / "lib.so")


def read_wheel(data: bytes) -> None:
    """A wheel of these bytes, and a whole one whose library they are."""
    wheel = _put("ops-1.0-py3-none-any.whl", data)
    target = targets.TARGETS["paddle"]
    with contextlib.suppress(PorterError):
        target.symbols_of_wheel(wheel)
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("ops/libops.so", data)
    target.symbols_of_wheel(wheel)


def read_units(data: bytes) -> None:
    list(cmake_units._units(_put("compile_commands.json", data), scratch()))


def read_extensions(data: bytes) -> None:
    with contextlib.suppress(KeyError, TypeError, AttributeError, ValueError):  # capture says so
        extensions._plan(read_table(data.decode("utf-8", "replace")), scratch())


def read_recording(data: bytes) -> None:
    path = _put("events", data)
    recording.read(path)
    list(recording.read_notes(path))


def read_record(data: bytes) -> None:
    path = _put("record.json", data)
    store.Run(path.parent).load()


def read_cases(data: bytes) -> None:
    path = _put(cases.FILE_NAME, data)
    for case in cases.load(path)[:50]:
        for spec in cases.tensors((*case.args, *case.kwargs.values())):
            if math.prod(spec.shape) < 10_000:
                inputs.generate(spec)


def read_choice(data: bytes) -> None:
    choice.holds("softmax float16", data.decode("utf-8", "replace"))


def read_goldens(data: bytes) -> None:
    path = _put(goldens.NAME, data)
    (path.parent / goldens.CASES).write_bytes(b"")
    goldens.read(path.parent)


def read_answer(data: bytes) -> None:
    """Read one answer: of the bytes what is before the first NUL is JSON, the rest an array."""
    said, _, array = data.partition(b"\0")
    folder = _put("0.json", said).parent
    (folder / "0.npy").write_bytes(array)
    answers.load(folder, 0)


def read_calls(data: bytes) -> None:
    written.read_recorded(_put("calls", data), ("pkg",))


def read_trace(data: bytes) -> None:
    trace.read(_put(trace.TRACE, data).parent)


def read_signature(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    signatures.parameters(text)
    schemas.arguments(text)


# ---------------------------------------------------------------- rules and packages


def read_rule(data: bytes) -> None:
    path = _put("python/some/rule.toml", data)
    (path.parent / "README.md").write_text("# t\n")
    for language in (Language.PYTHON, Language.CPP, Language.CMAKE, Language.TOML):
        try:
            load_rule(path.parent, language)
        except PorterError:
            continue


def read_rule_table(data: bytes) -> None:
    list(load_table(_put("python/table.toml", data), Language.PYTHON))


def read_index(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for reader in (package_index._anchors, package_index._json_files):
        try:
            files = reader(text, "https://host/simple/a/")
        except OSError:  # what a page that cannot be read is
            continue
        if not files:
            continue
        found = list(package_index._candidates(files, "a"))
        for candidate in found:
            if "/" in candidate.filename or not candidate.url.startswith(("https:", "http:")):
                raise Finding(f"{candidate} is no file of an index")
        if found:
            package_index._choose("a", None, found, set(), [])


def read_sdist(data: bytes) -> None:
    for name in ("a-1.tar.gz", "a-1.zip"):
        archive = _put(f"archives/{name}", data)
        tree = archive.parent / "tree" / "a"
        try:
            sdist.unpack(archive, tree)
        except PorterError:
            continue
        outside = [p for p in tree.rglob("*") if not p.resolve().is_relative_to(tree.resolve())]
        if outside:
            raise Finding(f"{outside[0]} leaves the tree")
