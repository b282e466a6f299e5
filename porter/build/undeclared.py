"""What a project imports and requires nowhere: the distributions that have it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from packaging.utils import canonicalize_name

from porter.build.requirements import NAME, is_framework, lines_of, names_in
from porter.targets.protocol import Environment

# What torch 2.13 requires itself (its metadata on PyPI), and these require: by import name.
WITH_TORCH = {
    "filelock": "filelock",
    "fsspec": "fsspec",
    "jinja2": "jinja2",
    "markupsafe": "markupsafe",
    "mpmath": "mpmath",
    "networkx": "networkx",
    "sympy": "sympy",
    "typing_extensions": "typing-extensions",
}
# Other imports of tests and libraries, with the distribution on PyPI that has them.
_KNOWN = {
    "Crypto": "pycryptodome",
    "PIL": "pillow",
    "absl": "absl-py",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "einops": "einops",
    "expecttest": "expecttest",
    "git": "gitpython",
    "google.protobuf": "protobuf",
    "h5py": "h5py",
    "hypothesis": "hypothesis",
    "imageio": "imageio",
    "joblib": "joblib",
    "librosa": "librosa",
    "matplotlib": "matplotlib",
    "msgpack": "msgpack",
    "mypy_extensions": "mypy-extensions",
    "numba": "numba",
    "pandas": "pandas",
    "parameterized": "parameterized",
    "plyfile": "plyfile",
    "psutil": "psutil",
    "pytest_benchmark": "pytest-benchmark",
    "requests": "requests",
    "scipy": "scipy",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "soundfile": "soundfile",
    "tabulate": "tabulate",
    "toml": "toml",
    "tomli": "tomli",
    "tqdm": "tqdm",
    "trimesh": "trimesh",
    "yaml": "pyyaml",
    "zmq": "pyzmq",
}
_DISTRIBUTIONS = WITH_TORCH | _KNOWN
# Of others than torch brings at the margin: what is imported in a function or a `try` may be
# done without.
_IMPORT = re.compile(
    rf"^\s*(?:import|from)\s+({'|'.join(WITH_TORCH)})\b"
    rf"|^(?:import|from)\s+({'|'.join(map(re.escape, _KNOWN))})\b",
    re.MULTILINE,
)
_APART = {"docs", "doc", "examples", "example", "benchmarks", "benchmark", "scripts", "tools"}


def distribution(module: str) -> str:
    """The distribution that most probably has a top-level module: a known one, else its name."""
    return _DISTRIBUTIONS.get(module, module)


def remedy(modules: Iterable[str]) -> str:
    """The options that may supply modules that nothing installed has; empty for parts of packages:
    of a dotted name Python found the package, and no other distribution has the module."""
    found = {distribution(name) for name in modules if "." not in name}
    names = sorted(name for name in found if not is_framework(name))
    options = " ".join(f"--requires {name}" for name in names)
    return f"if PyPI has it: {options}; if a ported project has it: --with FOLDER" if names else ""


def find_undeclared(
    root: Path, declared: Iterable[str], environment: Environment
) -> tuple[str, ...]:
    """The distributions of what a project's packages and tests import and no requirement names,
    and that an environment lacks: of the imports that porter knows. The error of the import names
    any other."""
    named = names_in(environment) | {
        canonicalize_name(m[1]) for item in declared if (m := NAME.match(item))
    }
    files = [path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in _APART]
    own = {path.name.removesuffix(".py") for path in root.rglob("*") if path.suffix in ("", ".py")}
    texts = ("\n".join(lines_of(path)) for path in files)
    matches = (match for text in texts for match in _IMPORT.finditer(text))
    found = {match[1] or match[2] for match in matches} - own
    return tuple(sorted({_DISTRIBUTIONS[name] for name in found} - named))
