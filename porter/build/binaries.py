"""What a built library will not find when it is imported, told before the import that crashes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.build.diagnostics import plain
from porter.host import elf, process
from porter.host.demangle import demangle
from porter.host.endings import describe_ending
from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import Diagnostic, Step
from porter.targets.protocol import Environment, Framework

_WORKER = WORKERS / "find_symbols.py"
_OF_TORCH = re.compile(r"lib(?:torch|c10|caffe2)(?:_\w+)?\.so")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_CUDA = (".cu", ".cuh")
EVERY_LOADED = "*"  # instead of a needed library: whatever the framework's process has loaded
# What only a build for a GPU defines: CUDA's own libraries, and whatever names or takes theirs.
_GPU = re.compile(
    r"^(?:__)?(?:cuda|cublas|cusparse|cudnn|cufft|curand|cusolver|nccl|nvtx|nvrtc|nvml)"
    r"|^cu[A-Z]|\bCU\w+_st\b|\bcu(?:da|blas|sparse|dnn|rand|solver|fft)[A-Z]\w*\b|[gG][pP][uU]|\bcuda\b|CUDA"
)
# What the linker makes, and what each library has a copy of.
_OF_LINKER = frozenset({"_GLOBAL_OFFSET_TABLE_", "_DYNAMIC", "__dso_handle", "atexit"})
_ABI = re.compile(r"__cxx11::|\[abi:cxx11\]")
_STRING = re.compile(
    r"std::basic_string<char, std::char_traits<char>, std::allocator<char> ?>|std::string"
)


@dataclass(frozen=True, slots=True)
class _Checked:
    """One library, what its process would not find, and where that could come from instead."""

    library: elf.Library
    absent: Mapping[str, str]  # needed libraries -> what the loader says
    missing: tuple[str, ...]  # symbols


def check(
    paths: Iterable[Path], environment: Environment, framework: Framework, tree: Path, logs: Path
) -> tuple[Diagnostic, ...]:
    """Each library or symbol that a built library asks for in vain, with what would help.

    The answers are those of a process that has imported the framework and what the library needs,
    but not the library. A warning says where that could not be asked.
    """
    libraries = [library for path in paths if (library := elf.read(path))]
    if not libraries:
        return ()
    needed = {one.path: [one.find(name) for name in one.needed] for one in libraries}
    checked = _ask_framework(libraries, needed, environment, framework, logs)
    if isinstance(checked, str):
        said = f"the built libraries were not checked: {checked}"
        return (plain("ld.so", said, "warning"),)
    return tuple(_findings(checked, environment, tree, logs))


def check_objects(
    objects: Mapping[str, Sequence[Path]],
    environment: Environment,
    framework: Framework,
    tree: Path,
    logs: Path,
) -> tuple[Diagnostic, ...]:
    """The symbols that the objects of extensions ask for in vain: neither they define them, nor
    what the framework loads, nor are they known to be of a GPU. Empty where it cannot be asked."""
    names: dict[Path, str] = {}
    libraries = []
    for name, paths in objects.items():
        read = [one for path in paths if (one := elf.read(path))]
        if read:
            libraries.append(elf.together(read))
            names[libraries[-1].path] = name
    everything = {one.path: [EVERY_LOADED] for one in libraries}
    checked = (
        _ask_framework(libraries, everything, environment, framework, logs) if libraries else []
    )
    if isinstance(checked, str):
        return ()
    spelled = demangle((name for one in checked for name in one.missing), logs)
    unknown = {name for name, said in spelled.items() if not _is_given(said)}
    own = re.compile(rf"(?:{'|'.join(framework.namespaces)})::") if framework.namespaces else None
    named = {name for name in unknown if own and own.match(spelled[name])}
    of_gpu = _gpu_names(Path(environment.root) / "include") if named else frozenset()
    unknown -= {name for name in named if _stem(name) in of_gpu}
    ours = [replace(one, missing=tuple(n for n in one.missing if n in unknown)) for one in checked]
    found = _findings(ours, environment, tree, logs)
    return tuple(replace(item, path=names[Path(item.path)]) for item in found)


def _is_given(name: str) -> bool:
    return name in _OF_LINKER or bool(_GPU.search(name))


def _gpu_names(headers: Path) -> frozenset[str]:
    """The names in a framework's own headers for GPUs: its build for the CPU has no more of what
    these declare."""
    found: set[str] = set()
    for path in headers.rglob("*.h"):
        if _GPU.search(path.relative_to(headers).as_posix()):
            found.update(re.findall(r"\w+(?=\()", path.read_text(errors="replace")))
    return frozenset(found)


def _ask_framework(
    libraries: Sequence[elf.Library],
    needed: Mapping[Path, Sequence[str]],
    environment: Environment,
    framework: Framework,
    logs: Path,
) -> list[_Checked] | str:
    """What a process that has the framework does not find; or why it cannot tell."""
    asked = {
        str(one.path): {"needed": needed[one.path], "undefined": one.undefined} for one in libraries
    }
    question, answer = logs / "symbols.json", logs / "symbols-found.json"
    question.parent.mkdir(parents=True, exist_ok=True)
    question.write_text(json.dumps(asked))
    answer.unlink(missing_ok=True)
    step = Step(
        name="symbols",
        argv=(
            *(str(environment.python), "-P", str(_WORKER)),
            *(framework.prelude, str(question), str(answer)),
        ),
        cwd=str(logs),
        environment={**environment.variables(), **framework.activation},
        timeout=600,
        writable=(str(logs),),
    )
    ended = process.run(step, logs / "symbols.log")
    if not answer.is_file():
        return f"the process {describe_ending(ended)}"
    try:
        found = read_table(answer.read_text(errors="replace"))
        return [
            _Checked(one, found[str(one.path)]["absent"], tuple(found[str(one.path)]["missing"]))
            for one in libraries
        ]
    except (KeyError, TypeError, ValueError):  # the libraries may write it
        return "the process gave another answer"


def _findings(
    checked: list[_Checked], environment: Environment, tree: Path, logs: Path
) -> Iterator[Diagnostic]:
    # What a needed library would have given cannot be told where it is not found itself.
    symbols_of = {one.library.path: () if one.absent else one.missing for one in checked}
    missing = sorted({name for names in symbols_of.values() for name in names})
    given = _read_exports(environment, logs) if missing else {}
    whys = _whys(missing, given, tree, logs)
    for one in checked:
        own = one.library
        for name in own.needed:
            said = _explain_library(own, name, one.absent, environment)
            if said:
                yield _make_diagnostic(own, f"needs {name}", said, name)
        for name in symbols_of[own.path]:
            spelled, why = whys[name]
            yield _make_diagnostic(own, f"missing symbol {spelled}", why, spelled)


def _make_diagnostic(library: elf.Library, what: str, why: str, name: str) -> Diagnostic:
    said = plain("ld.so", f"{what}: {why}")
    return replace(
        said, path=str(library.path).rpartition("/site-packages/")[2], cause=said.message, name=name
    )


def _explain_library(
    own: elf.Library, name: str, absent: Mapping[str, str], environment: Environment
) -> str:
    """What is wrong with a library that is needed, and the remedy; nothing where nothing is."""
    torchs, said = _OF_TORCH.match(name), absent.get(own.find(name))
    if said is None and not (torchs and environment.proxy):
        return ""
    homes = list(Path(environment.root).rglob(name)) if environment.root else []
    if torchs and not homes:
        return (
            f"a library of torch, not of {environment.framework}: the build script links it by "
            "name; link it under torch only"
        )
    if said is None:
        return ""
    if own.find(name) != name:
        return f"found, but cannot be loaded: {said}"
    homes += [home for path in environment.paths for home in Path(path).rglob(name)][:1]
    if homes:
        return (
            f"it is in {homes[0].parent}, which is not in the library's RPATH: add the folder to "
            "runtime_library_dirs"
        )
    where = ", ".join(map(str, own.folders)) or "it has none"
    return f"neither the library's RPATH ({where}) nor the system's loader finds it"


def _read_exports(environment: Environment, logs: Path) -> dict[str, str]:
    """Symbol -> the library of the framework that exports it."""
    found: dict[str, str] = {}
    for path in sorted(Path(environment.root).rglob("*.so*")):
        library = elf.read(path)
        found |= dict.fromkeys(library.defined if library else (), path.name)
    return found


def _whys(
    missing: list[str], given: Mapping[str, str], tree: Path, logs: Path
) -> dict[str, tuple[str, str]]:
    """For each missing symbol its name as people read it, and why it is missing."""
    stems = {name: _stem(name) for name in missing}
    wanted = {f"{len(stem)}{stem}" for stem in stems.values()}
    near = [s for s in given if s.startswith("_Z") and any(stem in s for stem in wanted)]
    spelled = demangle((*missing, *near), logs)
    other = {_any_abi(spelled[name]): name for name in near}
    sources = _cuda_sources(tree)
    whys = {}
    for name in missing:
        twin = other.get(_any_abi(spelled[name]))
        home = next((path for path, words in sources.items() if stems[name] in words), "")
        if name in given:
            why = f"{given[name]} exports it, but the library is not linked against it"
        elif twin is not None:
            why = (
                f"{given[twin]} has it with the other C++ ABI: leave _GLIBCXX_USE_CXX11_ABI to "
                "the framework"
            )
        elif home:
            why = f"{home} names it, but was not compiled, as it is for a GPU"
        else:
            why = "neither a linked library nor a compiled source defines it"
        whys[name] = (spelled[name], why)
    return whys


def _stem(name: str) -> str:
    """`scale` of `_ZN2at5scaleERKNS_6TensorE`: the innermost identifier of the name itself."""
    rest = re.sub(r"^_Z(?:TV|TI|TS)?N?K?", "", name)
    stem = "" if name.startswith("_Z") else name
    while found := re.match(r"(?:St|NS)?(\d+)", rest):
        end = found.end() + int(found[1])
        stem, rest = rest[found.end() : end], rest[end:]
    return stem


def _any_abi(spelled: str) -> str:
    return _STRING.sub("std::string", _ABI.sub("", spelled))


def _cuda_sources(tree: Path) -> dict[str, frozenset[str]]:
    files = (path for path in sorted(tree.rglob("*")) if path.suffix in _CUDA and path.is_file())
    return {
        path.relative_to(tree).as_posix(): frozenset(
            _IDENTIFIER.findall(path.read_text(errors="replace"))
        )
        for path in files
    }
