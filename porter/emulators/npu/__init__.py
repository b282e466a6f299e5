"""Ascend kernels and torch_npu on a CPU: stand-ins for CANN's libraries and headers.

Written from public documentation and from how callers use them; nothing is of CANN's headers.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

from porter.emulators.cuda.toolkit import (
    PADDLE,
    READY,
    compile_library,
    custom_device,
    linked_with_paddle,
)
from porter.host import locks

HERE = Path(__file__).resolve().parent
INCLUDE = HERE / "include"
_DEVICE = "libemulated_npu.so"
# Libraries that torch_npu is linked with and calls nothing of, as far as one device is concerned.
_UNCALLED = ("libhccl.so", "libge_runner.so", "libgraph.so", "libacl_tdt_channel.so")
# And those that sources are linked with whose headers have all of it here.
_EMPTY = (*_UNCALLED, "libplatform.so", "libtiling_api.so")
# Where functions are looked for that are in the runtime, and in the library of tensors.
_OTHER_NAMES = {
    "libacl_op_compiler.so": "libascendcl.so",
    "libruntime.so": "libascendcl.so",
    "libnnopbase.so": "libopapi.so",
}
_BISHENG = """#!{python} -I
import sys
from pathlib import Path

sys.path.insert(0, {porter!r})
from porter.emulated.ascend.bisheng import main

sys.exit(main(sys.argv[1:], Path({library!r}), sys.stdout.write, sys.stderr.write))
"""
# As build scripts read it: by the number of the device in a row, and its name.
_NPU_SMI = """#!/bin/sh
echo '| NPU   Name                | Health        |'
echo '| 0     910B1               | OK            |'
"""


def toolkit(home: Path, site: Path | None = None) -> Path:
    """The folder that stands in for CANN's, made where it is not there yet: `lib64`,
    `include`, `bin`.

    `site` is the site-packages folder that has torch and torch_npu, or paddle: with it there is
    also what puts the CPU's operators in place of torch_npu's, or Paddle's custom device `npu`.
    Raises EnvironmentFailed where g++ cannot make it.
    """
    parts = sorted(p for p in HERE.rglob("*") if p.suffix in (".h", ".cpp", ".py"))
    parts.append(PADDLE / "operators.h")
    text = b"".join(path.read_bytes() for path in parts)
    said = f"{site}\n{sys.executable}\n{HERE}\n"  # which it has links to
    key = hashlib.sha256(said.encode() + text).hexdigest()[:12]
    folder = home / "emulated" / f"ascend-{key}"
    with locks.locked(folder):
        if not (folder / READY).exists():
            shutil.rmtree(folder, ignore_errors=True)
            _make(folder, site)
            (folder / READY).touch()
    return folder


def _make(folder: Path, site: Path | None) -> None:
    libraries = folder / "lib64"
    libraries.mkdir(parents=True)
    (folder / "include").symlink_to(INCLUDE)
    for name in ("bin", "opp", "runtime", "compiler"):  # torch_npu wants to see the last three
        (folder / name).mkdir()
    library = str(libraries / "libascendcl.so")
    bisheng = _BISHENG.format(python=sys.executable, porter=str(HERE.parents[2]), library=library)
    for name, text in (("bisheng", bisheng), ("npu-smi", _NPU_SMI)):
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    common = ("-std=c++20", "-O2", "-g1", "-fvisibility=hidden")
    for name, part in (("libascendcl.so", "runtime"), ("libopapi.so", "opapi")):
        sources = [str(path) for path in sorted((HERE / part).glob("*.cpp"))]
        flags = (*common, *sources, f"-Wl,-soname,{name}", "-lpthread", "-ldl")
        compile_library(folder, f"Ascend {part}", flags, libraries / name)
    for name in (*_EMPTY, *_OTHER_NAMES):
        linked = ("-Wl,--no-as-needed", f"-L{libraries}", f"-l:{_OTHER_NAMES.get(name, '')}")
        flags = ("-xc", "/dev/null", "-xnone", f"-Wl,-soname,{name}")
        rest = linked if name in _OTHER_NAMES else ()
        compile_library(folder, f"Ascend {name}", (*flags, *rest), libraries / name)
    if site is not None and (site / "torch_npu").is_dir():
        compile_library(
            folder, "NPU operators", _operators(site, libraries), libraries / "libemulated_npu.so"
        )
    if site is not None and (site / "paddle").is_dir():
        device = libraries / "device"  # Paddle loads every library of its folder
        device.mkdir()
        flags = (*_paddle(site / "paddle", libraries), f"-Wl,-soname,{_DEVICE}")
        compile_library(folder, "NPU for Paddle", flags, device / _DEVICE)


def _operators(site: Path, libraries: Path) -> tuple[str, ...]:
    """How the operators are compiled against the wheels."""
    torch, npu = site / "torch", site / "torch_npu"
    third_party = npu / "include" / "third_party"
    includes = [torch / "include", torch / "include/torch/csrc/api/include", npu / "include"]
    includes += [third_party / "acl" / "inc", third_party / "hccl" / "inc"]
    linked = [f"-L{libraries}", "-lascendcl", f"-L{torch / 'lib'}", "-ltorch_cpu", "-lc10"]
    linked += [f"-L{npu / 'lib'}", "-ltorch_npu", "-Wl,--allow-shlib-undefined"]
    sources = sorted(str(path) for path in (HERE / "torch").glob("*.cpp"))
    flags = ("-std=c++20", "-O1", "-g1", *(f"-isystem{folder}" for folder in includes))
    return (*flags, *sources, *linked)


def _paddle(root: Path, libraries: Path) -> tuple[str, ...]:
    """How the custom device is compiled against Paddle's wheel."""
    source = str(HERE / "paddle" / "device.cpp")
    flags = custom_device(root)
    paths = (f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lascendcl")
    return ("-O1", "-g1", *flags, source, *paths, *linked_with_paddle(root))
