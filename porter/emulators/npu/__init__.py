"""Ascend kernels, and frameworks for NPUs, on a CPU: stand-ins for CANN's libraries and headers.

Written from public documentation and from how callers use them; nothing is of CANN's headers.
"""

from __future__ import annotations

from pathlib import Path

from porter.emulators.cuda.toolkit import (
    PLACES,
    compile_half,
    compile_library,
    find_or_make,
    program,
)
from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
INCLUDE = HERE / "include"
# Libraries that frameworks are linked with and call nothing of, as far as one device is concerned.
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
from porter.emulators.npu.bisheng import main

sys.exit(main(sys.argv[1:], Path({library!r}), sys.stdout.write, sys.stderr.write))
"""
# As build scripts read it: by the number of the device in a row, and its name.
_NPU_SMI = """#!/bin/sh
echo '| NPU   Name                | Health        |'
echo '| 0     910B1               | OK            |'
"""


def toolkit(home: Path, half: StandIn | None = None, root: Path | None = None) -> Path:
    """The folder that stands in for CANN's, made where it is not there yet: `lib64`,
    `include`, `bin`.

    `half` is a framework's half of the device, and `root` the folder of the framework's package:
    with them there is also what has the framework use the device. Raises EnvironmentFailed where
    g++ cannot make it.
    """

    def make(folder: Path) -> None:
        _make(folder)
        if half is not None and root is not None:
            compile_half(folder, "NPU half", half, root, ("-lascendcl",))

    return find_or_make(home, "ascend", HERE, (root,), half, make)


def _make(folder: Path) -> None:
    libraries = folder / "lib64"
    libraries.mkdir(parents=True)
    (folder / "include").symlink_to(INCLUDE)
    for name in ("opp", "runtime", "compiler"):  # frameworks want to see them
        (folder / name).mkdir()
    library = str(libraries / "libascendcl.so")
    program(folder, "bisheng", _BISHENG.format(**PLACES, library=library))
    program(folder, "npu-smi", _NPU_SMI)
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
