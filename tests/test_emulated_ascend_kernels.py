"""Ascend C kernels run on the CPU: what they compute, which faults are found, what is refused."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.emulators.cuda.launches import Refusal
from porter.emulators.npu import toolkit
from porter.emulators.npu.kernels import emulate
from tests.conftest import CACHE
from tests.system import need

DATA = Path(__file__).parent / "data" / "emulated_ascend"


def test_launches_are_rewritten_and_what_cannot_be_emulated_is_named(tmp_path: Path) -> None:
    source = tmp_path / "k.asc"
    source.write_text(
        '#include "near.h"\n'
        "// k<<<1, nullptr, s>>>(x); Mmad\n"
        'const char *text = "k<<<1, nullptr, s>>>(x)";\n'
        "void go() { k<T><<<n, nullptr, s>>>(x); }\n"
        "void cube() { AscendC::Mmad(c, a, b, p); }\n"
    )
    (tmp_path / "near.h").write_text("AscendC::MicroAPI::RegTensor<float> r;\n")
    made = emulate([source], [], tmp_path / "out")
    assert [(Path(r.path).name, r.line, r.reason) for r in made.refused] == [
        ("k.asc", 5, "the cube unit"),
        ("near.h", 1, "vector registers (RegTensor)"),
    ]
    assert isinstance(made.refused[0], Refusal)
    _, _, comment, text, launch, _ = made.sources[0].read_text().splitlines()
    assert comment == "// k<<<1, nullptr, s>>>(x); Mmad"
    assert text == 'const char *text = "k<<<1, nullptr, s>>>(x)";'
    assert launch == (
        'void go() { ::emulated::prepare(::emulated::Place{"k<T>", __FILE__, __LINE__}, '
        "[=](auto &...emulated_a) { k<T>(emulated_a...); }, n, nullptr, s)(x); }"
    )


# With a compiler.


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A unit of ours as a program, made once."""
    need("g++")
    libraries = toolkit(CACHE) / "lib64"
    out = tmp_path_factory.mktemp("ascend")

    def compile(name: str) -> Path:
        program = out / name
        if not program.exists():
            made = emulate([DATA / f"{name}.asc"], [DATA], out)
            assert made.refused == ()
            linked = (f"-L{libraries}", "-lascendcl", f"-Wl,-rpath,{libraries}")
            command = ("g++", "-O1", *made.flags, *made.sources, "-o", program, *linked)
            subprocess.run(command, check=True)
        return program

    return compile


@pytest.mark.long
@pytest.mark.real
def test_kernels_compute_what_plain_loops_do(compiled: Callable[[str], Path]) -> None:
    result = subprocess.run([compiled("kernels")], capture_output=True, text=True)
    assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
    assert result.stdout.count("ok ") == 20


ORDER = "and nothing orders them: no EnQue and DeQue, no SetFlag and WaitFlag of"
FAULTS = {
    "not_aligned": "DataCopy: 252 bytes are no multiple of 32",
    "address_not_aligned": "the destination begins 4 bytes after a multiple of 32 bytes",
    "past_global": "a read of 256 bytes at byte 32 is out of range: SetGlobalBuffer was told 256",
    "past_allocation": "it is memory of the device of 256 bytes, at byte 32",
    "past_local": "Duplicate: a write of element 64 of the destination is out of range",
    "index_past": "SetValue: index 64 is out of range: there are 64 elements",
    "too_much": "the unified buffer is exhausted: 197376 bytes are more than its 196608",
    "never_written": "element 0 of what is copied out was never written",
    "computed_of_nothing": "was never written, or computed from what was not",
    "value_of_nothing": "GetValue: element 3 was never written",
    "no_enqueue": "DeQue would hang: the queue is empty, EnQue is missing",
    "no_free": "AllocTensor would hang: none of the queue's 1 buffers is free",
    "free_twice": "FreeTensor of a tensor that is free",
    "too_deep": "EnQue: the queue has a depth of 1, and DeQue did not come between",
    "copy_then_compute": "Exp: the vector unit reads what a copy into local memory wrote at byte 0 "
    f"of the unified buffer, {ORDER} MTE2_V",
    "compute_then_copy": "a copy out of local memory reads what the vector unit wrote at byte 256 "
    f"of the unified buffer, {ORDER} V_MTE3",
    "overwrites_what_is_copied": "the vector unit writes over what a copy out of local memory "
    f"reads at byte 256 of the unified buffer, {ORDER} MTE3_V",
    "in_over_out": "a copy into local memory writes over what the vector unit wrote",
    "scalar_then_copy": "a copy out of local memory reads what the scalar unit wrote",
    "wait_only": "WaitFlag of event 0 would hang: no SetFlag went before",
    "flag_of_other": "Adds: the vector unit reads what a copy into local memory wrote",
    "some_sync": "SyncAll would hang: 1 of 2 blocks wait, and the others have ended",
    "no_device_memory": "it is no memory of the device",
    "repeat_past": "Duplicate: a write of element 64 of the destination is out of range",
    "mask_too_wide": "a mask of 128 elements: a repeat has 1 to 64",
    "wrong_place": "Gather: place 0 is byte 258, between two elements",
    "asserts": "`n == 3` failed",
    "waits_for_none": "IBWait would hang: no other block writes what it waits for",
}


@pytest.mark.long
@pytest.mark.real
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_kernel_block_and_place(compiled: Callable[[str], Path], name: str) -> None:
    result = subprocess.run([compiled("faults"), name], capture_output=True, text=True, timeout=60)
    assert result.stdout == "507035\n" and result.stderr.count("\n") == 1
    said = rf"emulated NPU: kernel `{name}` launched at \S+/faults.asc:\d+: block 0: "
    assert re.match(said, result.stderr)
    assert FAULTS[name] in result.stderr
    line = int(re.search(r" at \S+/faults.asc:(\d+)\n$", result.stderr)[1])  # type: ignore[index]
    text = (DATA / "faults.asc").read_text().splitlines()
    in_kernel = any(f"KERNEL({name}," in each for each in text[line - 3 : line])
    assert in_kernel or line < 36, "or in one of the functions that all kernels share"


@pytest.mark.long
@pytest.mark.real
@pytest.mark.parametrize(
    "name", ["fine", "flags_are_right", "all_sync", "passes_on", "freed_of_one", "freed_of_two"]
)
def test_what_is_right_is_no_fault(compiled: Callable[[str], Path], name: str) -> None:
    result = subprocess.run([compiled("faults"), name], capture_output=True, text=True, timeout=60)
    assert result.stdout == "0\n" and result.stderr == ""


@pytest.mark.long
@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("copy_then_compute", "PORTER_EMULATED_NPU_ORDER"),
        ("computed_of_nothing", "PORTER_EMULATED_NPU_UNINITIALISED"),
    ],
)
def test_two_checks_can_be_turned_off(
    compiled: Callable[[str], Path], name: str, variable: str
) -> None:
    result = subprocess.run(
        [compiled("faults"), name],
        capture_output=True,
        text=True,
        env={**os.environ, variable: "0"},
    )
    assert result.stdout == "0\n" and result.stderr == ""
