"""What is fuzzed: a function of bytes for each reader of what porter did not write.

A target returns, or raises one of `EXPECTED`; whatever else it raises is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from porter.errors import PorterError
from porter.languages import cython
from porter.languages.python import Unreadable
from porter.model import Language
from tests.fuzz import readers, samples

EXPECTED = (PorterError, Unreadable)
ROOT = Path(__file__).resolve().parents[2]
SEEDS = 30  # files that a target begins with, of all that it could


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, and where its seeds are: glob patterns from the root of porter's repository."""

    run: Callable[[bytes], object]
    seeds: tuple[str, ...] = ()
    texts: tuple[bytes, ...] = ()  # seeds that are in no file


CPP_SEEDS = ("fixtures/**/*.cpp", "fixtures/**/*.cu", "fixtures/**/*.h")
TOML_SEEDS = ("pyproject.toml", "fixtures/**/pyproject.toml")
TARGETS: dict[str, Target] = {
    "python": Target(readers.read_python, ("fixtures/**/*.py", "tests/data/*.py"), samples.NESTED),
    "notebook": Target(readers.read_notebook, texts=(samples.NOTEBOOK,)),
    "cython": Target(lambda data: cython.parse(data, "a.pyx"), texts=(samples.CYTHON,)),
    "cpp": Target(readers.read_cpp, CPP_SEEDS),
    "cmake": Target(readers.read_cmake, ("fixtures/**/CMakeLists.txt",)),
    "toml": Target(readers.read_toml, TOML_SEEDS),
    "residue": Target(readers.read_residue, ("fixtures/**/*.py", *CPP_SEEDS), samples.NESTED),
    "migrate python": Target(
        readers.migrated("pkg/a.py", Language.PYTHON),
        ("fixtures/**/*.py", "tests/data/*.py"),
        samples.NESTED,
    ),
    "migrate setup.py": Target(
        readers.migrated("setup.py", Language.PYTHON), ("fixtures/**/setup.py",)
    ),
    "migrate c++": Target(readers.migrated("csrc/a.cu", Language.CPP), CPP_SEEDS),
    "migrate cmake": Target(
        readers.migrated("CMakeLists.txt", Language.CMAKE), ("fixtures/**/CMakeLists.txt",)
    ),
    "migrate toml": Target(readers.migrated("pyproject.toml", Language.TOML), TOML_SEEDS),
    "migrate notebook": Target(
        readers.migrated("a.ipynb", Language.NOTEBOOK), texts=(samples.NOTEBOOK,)
    ),
    "setup.py": Target(readers.surveyed("setup.py"), ("fixtures/**/setup.py",), samples.NESTED),
    "setup.cfg": Target(readers.surveyed("setup.cfg"), texts=(b"[options]\nsetup_requires = a\n",)),
    "pyproject.toml": Target(readers.surveyed("pyproject.toml"), TOML_SEEDS),
    ".gitmodules": Target(
        readers.read_submodules, texts=(b'[submodule "a"]\n\tpath = a\n\turl = u\n',)
    ),
    "clone": Target(readers.read_git, texts=(samples.CLONE,)),
    "metadata": Target(readers.read_metadata, TOML_SEEDS),
    "packaging": Target(readers.read_packaging, ("fixtures/**/setup.py",)),
    "documents": Target(readers.read_documents, ("README.md", "docs/tutorial/*.md")),
    "ascend definitions": Target(readers.read_ascend, ("fixtures/**/*.yaml",), (samples.SCHEMA,)),
    "ascend operators": Target(readers.recognise_ascend, ("fixtures/ascend_*/**/*.cpp",)),
    "cuda emulation": Target(readers.rewrite_cuda, ("fixtures/**/*.cu",)),
    "compiler output": Target(readers.read_diagnostics, texts=(samples.LOG,)),
    "library": Target(readers.read_library, texts=(samples.LIBRARY, samples.LINKED)),
    "wheel": Target(readers.read_wheel, texts=(samples.LINKED, samples.WHEEL)),
    "compile commands": Target(readers.read_units, texts=(samples.UNIT,)),
    "described extensions": Target(readers.read_extensions, texts=(samples.EXTENSIONS,)),
    "test events": Target(readers.read_recording, texts=(samples.EVENTS,)),
    "record": Target(readers.read_record, texts=(b'{"id": "a", "source": {"written": "a"}}',)),
    "parity cases": Target(readers.read_cases, ("fixtures/**/porter.parity.toml",)),
    "choice of cases": Target(readers.read_choice, texts=(b"softmax and not (float16 or x)",)),
    "goldens": Target(
        readers.read_goldens,
        texts=(
            b'{"environment": {"framework": "t", "version": "1"}, "device": "cpu", "files": {}}',
        ),
    ),
    "answers": Target(readers.read_answer, texts=(samples.ANSWER,)),
    "recorded calls": Target(readers.read_calls, texts=(samples.CALL,)),
    "trace": Target(readers.read_trace, texts=(samples.TRACED,)),
    "signatures": Target(
        readers.read_signature, texts=(samples.SCHEMA, b"(arg0: torch.Tensor, x: int = 1) -> int")
    ),
    "rule": Target(readers.read_rule, texts=(samples.RULE,)),
    "rule table": Target(readers.read_rule_table, texts=(samples.TABLE,)),
    "index page": Target(readers.read_index, texts=(samples.PAGE, samples.PAGE_JSON)),
    "sdist": Target(readers.read_sdist, ("tests/fuzz/seeds/sdist/*",)),
}


def seeds(target: Target) -> list[bytes]:
    """Return the distinct seeds of a target, without very large ones."""
    paths = sorted(path for pattern in target.seeds for path in ROOT.glob(pattern))
    found = [path.read_bytes() for path in paths if path.is_file()]
    small = dict.fromkeys(data for data in found if len(data) < 10_000)
    return [*target.texts, *[*small][:: 1 + len(small) // SEEDS]]
