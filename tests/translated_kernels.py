"""Runs CUDA kernels and their translations on the same numbers, and compares all that they wrote.

    python -m tests.translated_kernels FILE.cu...

Of each file the kernels that are translated are run, with what of constants and functions for the
device is beside them, by the emulations of CUDA and of an NPU. Pointers get as many numbers as any
index may need; whole numbers among the parameters are all the same.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from porter.emulators.cuda import emulate as emulate_cuda
from porter.emulators.cuda.toolkit import runtime
from porter.emulators.npu import toolkit
from porter.emulators.npu.kernels import emulate as emulate_npu
from porter.languages.cpp import Unit, parse
from porter.targets.torch_npu.translate.kernels import Kernel, kernels
from porter.targets.torch_npu.translate.prelude import HELPERS, ROW_HELPERS
from porter.targets.torch_npu.translate.syntax import FLOATING, HALVES, is_integer, plain

MEMORY = 1 << 16  # numbers behind each pointer
SIZES = (1, 7, 33, 64, 130)  # what whole numbers are
BLOCKS, THREADS = 5, (256, 64)
TOLERANCE = {"float": 2e-5, "half": 4e-3}

_SAME = """\
#include <algorithm>
#include <cmath>
#include <cfloat>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>
static FILE *out;
static uint32_t seed;
static float number() {
    seed = seed * 1664525u + 1013904223u;
    return float(seed >> 8) / float(1 << 23) * 2.0f - 2.0f;
}
"""
_CUDA = """\
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
using half_ = __half;
template <class T> T *memory(bool index) {
    T *data;
    cudaMalloc(&data, MEMORY * sizeof(T));
    for (int k = 0; k < MEMORY; ++k) data[k] = index ? T(3 * k % 48) : T(number());
    return data;
}
template <class T> void written(T *data) {
    cudaDeviceSynchronize();
    std::vector<float> all;
    for (int k = 0; k < MEMORY; ++k) all.push_back(float(data[k]));
    fwrite(all.data(), 4, MEMORY, out);
    cudaFree(data);
}
"""
_NPU = """\
#include "kernel_operator.h"
extern "C" {
int aclrtMalloc(void **, size_t, int);
int aclrtFree(void *);
int aclrtSynchronizeStream(void *);
int aclGetDeviceCapability(uint32_t, int, int64_t *);
}
constexpr int ACL_SUCCESS = 0, ACL_DEVICE_INFO_VECTOR_CORE_NUM = 101;
namespace c10 { struct Half; struct BFloat16; }
namespace c10_npu {
struct Stream { void *stream(bool) { return nullptr; } };
inline Stream getCurrentNPUStream() { return {}; }
inline int current_device() { return 0; }
}
namespace at_npu { namespace native {
struct OpCommand { template <class F> static void RunOpApiV2(const char *, F f) { f(); } };
} }
#define TORCH_CHECK(condition, ...) \\
    if (!(condition)) { std::printf("refused: %s\\n", #condition); std::exit(3); }
using half_ = half;
template <class T> T *memory(bool index) {
    void *data;
    aclrtMalloc(&data, MEMORY * sizeof(T), 0);
    T *all = static_cast<T *>(data);
    for (int k = 0; k < MEMORY; ++k) all[k] = index ? T(3 * k % 48) : T(number());
    return all;
}
template <class T> void written(T *data) {
    if (aclrtSynchronizeStream(nullptr) != 0) std::exit(4);
    std::vector<float> all;
    for (int k = 0; k < MEMORY; ++k) all.push_back(float(data[k]));
    fwrite(all.data(), 4, MEMORY, out);
    aclrtFree(data);
}
"""


@dataclass(frozen=True, slots=True)
class Difference:
    kernel: str
    type: str
    case: str
    text: str


def compare(path: Path, work: Path, home: Path) -> tuple[list[str], list[Difference]]:
    """Which kernels were run, by which types, and where the two differ."""
    unit = parse(path.read_bytes(), path.name)
    found = [kernel for kernel in kernels(unit) if kernel.text]
    runs = [
        (kernel, type)
        for kernel in found
        for type in (("float", "half") if any(not t.type for t in kernel.templates) else ("float",))
    ]
    ran = [f"{kernel.name} {type}" for kernel, type in runs]
    results: list[np.ndarray] = []
    texts = _programs(unit, runs)
    for name, text, build in (("cuda", texts[0], _build_cuda), ("npu", texts[1], _build_npu)):
        folder = work / name
        folder.mkdir(parents=True)
        program = build(folder, text, home)
        if isinstance(program, str):
            return ran, [Difference("", name, "does not compile", program[:3000])]
        done = subprocess.run([program, folder / "out"], capture_output=True, text=True)
        said = done.stdout + done.stderr
        if done.returncode or said:
            return ran, [Difference("", name, f"exit {done.returncode}", said[-3000:])]
        results.append(np.fromfile(folder / "out", np.float32))
    assert results[0].size == results[1].size
    return ran, list(_differences(runs, *results))


def _differences(
    runs: Sequence[tuple[Kernel, str]], cuda: np.ndarray, npu: np.ndarray
) -> Iterator[Difference]:
    at = 0
    for kernel, type in runs:
        for case in _cases(kernel):
            for pointer in (p for p in kernel.parameters if p.pointer):
                a, b = cuda[at : at + MEMORY], npu[at : at + MEMORY]
                at += MEMORY
                near = np.isclose(b, a, rtol=TOLERANCE[type], atol=TOLERANCE[type], equal_nan=True)
                for place in np.flatnonzero(~near)[:1]:
                    where = f"{case} {pointer.name}[{place}]"
                    text = f"{b[place]:.9g}, not {a[place]:.9g} ({(~near).sum()} differ)"
                    yield Difference(kernel.name, type, where, text)


def _cases(kernel: Kernel) -> list[tuple[int, int]]:
    """What whole numbers are, and how many threads a block has."""
    threads = list(THREADS)
    if "block_.x == " in kernel.launch:  # where it is not as many as a template says
        sizes = (256, 32, 64, 128, 512, 1024)
        threads = [t for t in sizes if f"block_.x == {t}" in kernel.launch][:1] or threads
    return [(n, t) for n in SIZES for t in threads]


def _programs(unit: Unit, runs: Sequence[tuple[Kernel, str]]) -> tuple[str, str]:
    found = list(dict.fromkeys(kernel for kernel, _ in runs))
    beside = "".join(_beside(unit))
    own = "\n".join(_text(unit, kernel.start, kernel.end) for kernel in found)
    functions = _called(unit, own)
    cuda = f"{_SAME}{_CUDA}{beside}{functions}\n{own}\n{_main(runs, False)}"
    npu = f"{_SAME}{_NPU}{HELPERS}{ROW_HELPERS}{beside}"
    npu += "\n".join(f"{k.text}\n{k.launch}" for k in found) + _main(runs, True)
    return cuda.replace("MEMORY", str(MEMORY)), npu.replace("MEMORY", str(MEMORY))


def _called(unit: Unit, text: str) -> str:
    """The functions for the device that kernels call, and what those do, in the file's order."""
    code = unit.code
    own = {
        _text(unit, code.tokens[f.head].start, code.tokens[f.closing].end): f.name
        for f in code.functions
        if any(t.text == "__device__" for t in code.tokens[f.head : f.opening])
    }
    needed: set[str] = set()
    while True:
        words = set(re.findall(r"\w+", text + " ".join(needed)))
        more = {body for body, name in own.items() if name in words}
        if more == needed:
            return "\n".join(body for body in own if body in needed)
        needed = more


def _text(unit: Unit, start: int, end: int) -> str:
    return unit.data[start:end].decode()


def _beside(unit: Unit) -> Iterator[str]:
    """Constants and macros of the file."""
    code = unit.code
    lines = unit.data.decode().splitlines()
    for at in unit.places("#define"):
        first = unit.position(unit.tokens[at].start)[0] - 1
        if lines[first].endswith("\\") or "(" in lines[first].split()[1]:
            continue
        yield lines[first] + "\n"
    for at in code.places("constexpr", "const"):
        if code.function_at(at) is None and code.tokens[at - 1].text in (";", "}", "{", "static"):
            end = at
            while code.tokens[end].text not in (";", "{", "("):
                end += 1
            if code.tokens[end].text == ";":
                yield _text(unit, code.tokens[at].start, code.tokens[end].end) + "\n"


def _main(runs: Sequence[tuple[Kernel, str]], npu: bool) -> str:
    lines = ["int main(int, char **given) {", '    out = fopen(given[1], "wb");']
    for kernel, type in runs:
        for n, threads in _cases(kernel):
            lines += ["    {", "    seed = 7;", *_run(kernel, type, n, threads, npu), "    }"]
    return "\n".join([*lines, "    fclose(out);", "    return 0;", "}", ""])


def _run(kernel: Kernel, type: str, n: int, threads: int, npu: bool) -> Iterator[str]:
    own = "half_" if type == "half" else type
    names = {t.name: own for t in kernel.templates if not t.type}
    arguments = []
    for p in kernel.parameters:
        kind = plain(p.type)
        kind = "half_" if kind in HALVES else names.get(kind, kind)
        if p.pointer:
            index = "true" if is_integer(kind) else "false"
            yield f"    {kind} *{p.name} = memory<{kind}>({index});"
            arguments.append(p.name)
        elif kind == "bool":
            arguments.append("true")
        elif is_integer(kind):
            arguments.append(f"{kind.split()[-1]}({n})")
        else:
            floating = kind in FLOATING or kind in names.values()
            arguments.append(f"{kind}(0.125f)" if floating else "0.125f")
    values = [
        own if not t.type else "true" if t.type == "bool" else str(threads)
        for t in kernel.templates
    ]
    spelt = f"<{', '.join(values)}>" if values else ""
    given = ", ".join(arguments)
    if npu:
        grid = f"npu_launch::Dim({BLOCKS}), npu_launch::Dim({threads})"
        yield f"    launch_{kernel.name}{spelt}({grid}, {given});"
    else:
        yield f"    {kernel.name}{spelt}<<<{BLOCKS}, {threads}, 16384>>>({given});"
    for p in kernel.parameters:
        if p.pointer:
            yield f"    written({p.name});"


def _build_cuda(folder: Path, text: str, home: Path) -> Path | str:
    source = folder / "a.cu"
    source.write_text(text)
    done = emulate_cuda([source], [], folder / "made", cccl=None)
    runtime(folder)
    linked = ("-lcudart", f"-L{folder}/lib64", f"-Wl,-rpath,{folder}/lib64")
    command = ("g++", "-std=c++17", "-O1", "-w", *done.flags, done.sources[0])
    return _compiled(folder, [*command, "-o", folder / "program", *linked])


def _build_npu(folder: Path, text: str, home: Path) -> Path | str:
    source = folder / "a.asc"
    source.write_text(text)
    libraries = toolkit(home) / "lib64"
    made = emulate_npu([source], [folder], folder / "made")
    linked = (f"-L{libraries}", "-lascendcl", f"-Wl,-rpath,{libraries}")
    command = ("g++", "-O1", "-w", *made.flags, *made.sources)
    return _compiled(folder, [*command, "-o", folder / "program", *linked])


def _compiled(folder: Path, command: Sequence[object]) -> Path | str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return folder / "program" if done.returncode == 0 else done.stderr[:3000]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    home = Path(os.environ["PORTER_HOME"])
    bad = 0
    for path in parser.parse_args().files:
        with tempfile.TemporaryDirectory() as folder:
            ran, wrong = compare(path, Path(folder), home)
        sys.stdout.write(f"{path}: {', '.join(ran) or 'nothing'}\n")
        for each in wrong:
            sys.stdout.write(f"  WRONG {each.kernel} {each.type} {each.case} {each.text}\n")
        bad += len(wrong)
    return bad != 0


if __name__ == "__main__":
    raise SystemExit(main())
