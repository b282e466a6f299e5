"""CUDA kernels run on the CPU: what is rewritten, what is computed, and which faults are found."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from porter.emulators.cuda import emulate
from porter.emulators.cuda.launches import Refusal
from porter.emulators.cuda.rewrite import rewrite
from porter.emulators.cuda.toolkit import runtime
from porter.languages import cpp
from tests.system import need

LATE = {"PORTER_EMULATED_LATE": "1"}
PARITY = {**LATE, "PORTER_EMULATED_ORDERS": "both"}  # as parity cases are run
UNITS = Path(__file__).parent / "data" / "emulated"


def rewritten(text: str) -> str:
    """The text as rewritten, less the line that names the file."""
    marker, _, rest = rewrite(cpp.parse(text.encode(), "a.cu")).data.decode().partition("\n")
    assert marker == '#line 1 "a.cu"'
    return rest


def launch(kernel: str, configuration: str, arguments: str, name: str | None = None) -> str:
    quoted = name or f'"{kernel}"'
    return (
        f"::emulated::prepare(::emulated::Place{{{quoted}, __FILE__, __LINE__}}, "
        f"[=](auto &...emulated_a) {{ {kernel}(emulated_a...); }}, {configuration}){arguments}"
    )


@pytest.mark.parametrize(
    ("kernel", "configuration"),
    [
        ("k", "1, 2"),
        ("k<T>", "1, 2"),
        ("k<T, N + 1>", "g, b, 0, s"),
        ("k<std::pair<A<int>, B>, 3>", "dim3(1, 2), b"),
        ("k<A<B<int>>>", "1, 2"),
        ("k<(4 > 3)>", "1, 2"),
        ("::k<T>", "1, 2"),
        ("a::b<T>::template k<U>", "1, 2"),
        ("(k<T>)", "1, 2"),
        ("table[i]", "1, 2"),
        ("choose<T>(x)", "1, 2"),
        ("this->kernel", "1, 2"),
        ("k", "divide<int>(n, 4), max(a, b), sizeof(T) * 3"),
    ],
)
def test_a_launch_is_a_call_that_evaluates_its_arguments_once(
    kernel: str, configuration: str
) -> None:
    for before in ("", "if (n > 0) ", "else ", "return ", "{ ", "x = a < b; "):
        text = f"{before}{kernel}<<<{configuration}>>>(x, y[2]);"
        assert rewritten(text) == before + launch(kernel, configuration, "(x, y[2]);")


def test_a_launch_in_a_macro_is_named_by_what_the_macro_is_given() -> None:
    text = "#define GO(f, T, ...) f##_kernel<T, 2><<<1, 2>>>(__VA_ARGS__)\n"
    name = '"" #f "_kernel<" #T ", 2>"'
    assert rewritten(text) == "#define GO(f, T, ...) " + launch(
        "f##_kernel<T, 2>", "1, 2", "(__VA_ARGS__)\n", name
    )


@pytest.mark.parametrize(
    "text",
    [
        "// k<<<1, 2>>>(x);\n",
        'const char *s = "k<<<1, 2>>>(x) __shared__ asm";\n',
        "/* extern __shared__ float s[]; */ int x;\n",
        "std::ostream &operator<<<T>(std::ostream &, T);\n",
        "int x = a << 3, y = b >> 2; std::vector<std::vector<A<int>>> z;\n",
        "__device__ __attribute__((__noinline__)) int f();\n",
        "__shared__ int everywhere;\n",
    ],
)
def test_what_is_no_launch_stays(text: str) -> None:
    assert rewritten(text) == text


def test_lines_stay_where_they_were() -> None:
    text = (UNITS / "kernels.cu").read_text()
    lines = rewritten(text).splitlines()
    assert len(lines) == len(text.splitlines())
    split = "k<A,\n  B>\n<<<1,\n 2>>>\n(x);\nextern\n__shared__ float\n s[];"
    assert rewritten("void f() {" + split + "}").count("\n") == split.count("\n")


def test_shared_memory_is_made_known_with_room_behind_it() -> None:
    text = rewritten("void f() { static __shared__ volatile T a[4], b; }")
    assert text.startswith(
        "void f() { static struct alignas(16) {   volatile T a[4], b; unsigned char"
    )
    assert re.findall(r'::emulated::shared\((\w+), .*?, (\S+ ?\S*), "(\w+)"', text) == [
        ("a", "0", "a"),
        ("b", "sizeof a_emulated.emulated_after", "b"),
    ]
    text = rewritten("void f() { __shared__ typename R<T, 4>::Storage s; }")
    assert "static auto &s = " in text
    text = rewritten("#define MAKE(T, n) static __shared__ T n[4];\n")
    assert text.startswith("#define MAKE(T, n) static struct") and text.endswith("__LINE__);\n")
    assert "} n##_emulated;" in text and ", #n, " in text
    text = rewritten("void f() { extern __shared__ __align__(16) unsigned char s[]; g(s); }")
    whole = "auto &s = reinterpret_cast<unsigned char (&)[]>(*::emulated::dynamic_shared); g(s);"
    assert text == f"void f() {{ {whole} }}"


def test_what_cannot_be_emulated_is_named_with_its_line() -> None:
    text = (
        b'__device__ int f() {\n  int x;\n  asm("mov" : "=r"(x));\n  return tex1D<int>(t, x);\n}\n'
    )
    done = rewrite(cpp.parse(text, "a.cu"))
    assert done.refused == (Refusal("a.cu", 3, "inline PTX"), Refusal("a.cu", 4, "textures"))
    host = b'int f() { int x; asm("nop"); return x; }\n'
    assert rewrite(cpp.parse(host, "a.h")).refused == (), "a host compiler's own assembly"


def test_headers_beside_a_source_are_rewritten_with_it(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "k.cuh").write_text("inline void go() { k<<<1, 2>>>(); }\n")
    (tmp_path / "near.h").write_text("#pragma once\n")
    (tmp_path / "a.cu").write_text('#include <k.cuh>\n#include "near.h"\n#include <vector>\n')
    done = emulate([tmp_path / "a.cu"], [tmp_path / "include"], tmp_path / "out")
    (source,) = done.sources
    assert source.suffixes == [".cu", ".cpp"]
    assert (source.parent / "near.h").is_file()
    header = source.parent / "include" / "k.cuh"
    assert "::emulated::prepare" in header.read_text()
    assert f"-I{header.parent}" in done.flags


# With a compiler.

CCCL = Path("/usr/local/cuda/include/cccl")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Path]:
    """A unit of ours as a program, made once."""
    need("g++")
    folder = tmp_path_factory.mktemp("emulated")
    made: dict[tuple[str, bool], Path] = {}

    def compile(name: str, checked: bool) -> Path:
        if (name, checked) not in made:
            done = emulate([UNITS / name], [], folder, checked=checked, cccl=CCCL)
            if not made:
                runtime(folder)
            program = made[name, checked] = folder / f"{name}{checked}"
            command = ("g++", "-std=c++17", "-O1", "-Wno-unknown-pragmas", *done.flags)
            linked = ("-lcudart", f"-L{folder}/lib64", f"-Wl,-rpath,{folder}/lib64")
            subprocess.run((*command, done.sources[0], "-o", program, *linked), check=True)
        return made[name, checked]

    return compile


@pytest.mark.real
@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("checked", [False, True])
def test_kernels_compute_what_plain_loops_do(
    compiled: Callable[[str, bool], Path], checked: bool, late: bool
) -> None:
    result = subprocess.run(
        [compiled("kernels.cu", checked)],
        capture_output=True,
        text=True,
        env={**os.environ, "PORTER_EMULATED_RACES": "1", **(PARITY if late else {})},
    )
    assert result.returncode == 0 and "WRONG" not in result.stdout, result.stdout + result.stderr
    assert result.stdout.count("ok ") >= 20 and result.stderr == ""


@pytest.mark.real
def test_late_streams_are_read_by_those_who_wait_for_them(
    compiled: Callable[[str, bool], Path],
) -> None:
    def read(environment: Mapping[str, str]) -> dict[str, int]:
        result = subprocess.run(
            [compiled("streams.cu", False)],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
        lines = (line.rpartition(" ") for line in result.stdout.splitlines())
        return {way: int(value) for way, _, value in lines}

    at_once, late = read({}), read(LATE)
    assert len(at_once) == 14 and set(at_once.values()) == {7}
    assert late.keys() == at_once.keys()
    assert {way for way, value in late.items() if value == 0} == {
        "another",
        "by an event before",
        "the default after one that does not block",
        "one that does not block after the default",
        "without waiting",
    }


@pytest.mark.real
def test_a_missing_barrier_shows_in_one_of_both_orders(
    compiled: Callable[[str, bool], Path],
) -> None:
    def read(orders: str) -> dict[str, int]:
        result = subprocess.run(
            [compiled("orders.cu", False)],
            capture_output=True,
            text=True,
            env={**os.environ, "PORTER_EMULATED_ORDERS": orders},
            timeout=60,
        )
        assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
        rows = [line.split() for line in result.stdout.splitlines()]
        assert all((wrong == "0") == (values == "same") for _, wrong, values in rows)
        return {name: int(wrong) for name, wrong, _ in rows}

    forwards, both = read("one"), read("both")
    right = [name for name in both if not name.startswith("wrong:")]
    assert len(right) == 6 and not any(found[name] for name in right for found in (forwards, both))
    # a warp goes on from what only its lanes wait for, so that this shows in any order
    assert forwards["wrong:summed_twice"] == both["wrong:summed_twice"] == 16
    assert forwards["wrong:told_by_the_first"] == 0 and forwards["wrong:told_by_the_last"] == 16
    assert all(n > 0 for name, n in both.items() if name.startswith("wrong:"))


@pytest.mark.real
def test_cub_and_thrust_compute_what_plain_loops_do(compiled: Callable[[str, bool], Path]) -> None:
    if not (CCCL / "thrust").is_dir():
        pytest.skip("no CCCL")
    result = subprocess.run([compiled("libraries.cu", False)], capture_output=True, text=True)
    assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
    assert result.stdout.count("ok ") == 9


LAUNCH, ADDRESS = "cudaErrorLaunchFailure", "cudaErrorIllegalAddress"
# name, the error, what is said of it; with "checked" where plain code does not find it.
FAULTS = [
    (
        "divergent",
        LAUNCH,
        r"faults.cu:9 is not reached by .*\(16,0,0\) to \(31,0,0\): left",
        "",
    ),
    ("elsewhere", LAUNCH, r"different __syncthreads: .*faults.cu:14; .*faults.cu:16", ""),
    ("lanes_missing", LAUNCH, r"wait for ever: .*\(19,0,0\): in a warp shuffle .*cu:22", ""),
    ("not_in_mask", LAUNCH, r"thread \(16,0,0\): the mask .* lacks the lane .*faults.cu:26", ""),
    ("fails", "cudaErrorAssert", r"`threadIdx.x != 3` failed at .*faults.cu:28", ""),
    ("traps", LAUNCH, r"__trap\(\) was called at .*faults.cu:32", ""),
    ("no_pointer", ADDRESS, r"faults.cu:34", ""),
    ("misaligned", "cudaErrorMisalignedAddress", r"'const struct float4' at .*:36", "checked"),
    ("divides", LAUNCH, r"thread \(2,0,0\): integer division by zero.*faults.cu:39", ""),
    ("overflows", LAUNCH, r"stack overflows", ""),
    ("writes_past", ADDRESS, r"past the end of device memory of 128 bytes", ""),
    ("shared_past", ADDRESS, r"past the end of shared memory `s`|index 32 is outside", ""),
    ("dynamic_past", ADDRESS, r"past the end of shared|at byte 128 of the 128 of shared", ""),
    ("reads_past", ADDRESS, r"thread \(31,0,0\): reads 4 bytes .* 0 bytes past .*:62", "checked"),
    ("never_written", LAUNCH, r"`s` of .*:65, byte 124, that no thread .* has written", "checked"),
    ("race", LAUNCH, r"no thread of the block has written at .*:73", "checked"),
    ("race_on_write", LAUNCH, r"has read with no barrier between", "checked"),
    ("no_race", "cudaSuccess", "", ""),
    ("host_memory", ADDRESS, r"is no memory of the device at .*:95", "checked"),
    ("ptx", "cudaErrorNotSupported", r"inline PTX cannot be emulated on a CPU at .*:98", ""),
    ("too_much_shared", "cudaErrorInvalidValue", r"together are more than 49152 bytes", ""),
    ("waits_for_ever", "cudaErrorLaunchTimeout", r"waits for ever in atomicCAS", ""),
    ("threads", "cudaErrorInvalidConfiguration", r"`fine` .*more than 1024 threads", ""),
    ("depth", "cudaErrorInvalidConfiguration", r"more than \(1024, 1024, 64\) threads", ""),
    ("grid", "cudaErrorInvalidConfiguration", r"grid \(1,65536,1\)", ""),
    ("empty", "cudaErrorInvalidConfiguration", r"an empty grid or block", ""),
    ("shared", "cudaErrorInvalidValue", r"more dynamic shared memory.*49153 bytes", ""),
    ("freed", ADDRESS, r"is no memory of the device", "checked"),
]


@pytest.mark.real
@pytest.mark.parametrize(("name", "error", "said", "needs"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_fault_is_an_error_that_names_its_place(
    compiled: Callable[[str, bool], Path], name: str, error: str, said: str, needs: str
) -> None:
    for checked in (False, True):
        result = subprocess.run(
            [compiled("faults.cu", checked), name],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PORTER_EMULATED_RACES": "1"},
        )
        launched, synchronised, later = result.stdout.split()
        if needs == "checked" and not checked:
            continue
        seen = launched if launched != "cudaSuccess" else synchronised
        assert seen == error
        assert re.search(said, result.stderr, re.DOTALL), result.stderr
        of_the_launch = error in (
            "cudaSuccess",
            "cudaErrorInvalidConfiguration",
            "cudaErrorInvalidValue",
        )
        assert later == ("cudaSuccess" if of_the_launch else error), "a kernel's error stays"


@pytest.mark.real
def test_threads_that_have_left_can_count_as_arrived(
    compiled: Callable[[str, bool], Path],
) -> None:
    environment = {**os.environ, "PORTER_EMULATED_LEFT": "1"}
    command = [compiled("faults.cu", False), "divergent"]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert set(result.stdout.split()) == {"cudaSuccess"} and result.stderr == ""


@pytest.mark.real
def test_numbers_are_rounded_as_numpy_rounds_them(
    compiled: Callable[[str, bool], Path],
) -> None:
    generator = np.random.default_rng(7)
    exponents = generator.integers(-30, 20, 20_000)
    some = (generator.standard_normal(20_000) * 2.0**exponents).astype(np.float32)
    halves = np.arange(0, 0x7C00, 7, dtype=np.uint16).view(np.float16).astype(np.float32)
    between = ((halves[1:] + halves[:-1]) / 2).astype(np.float32)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 65519, 65520, 1e-45, 3e38], np.float32)
    x = np.concatenate([some, halves, between, special])
    results = ("sum", "product", "quotient", "fma")
    names = ["half", "half_zero", "half_up", *(f"half_{name}" for name in results)]
    names += ["b16", *(f"b16_{name}" for name in results)]
    integers = ["to_int", "to_int_down", "popc", "clz", "ffs", "reversed", "high", "permuted"]
    fields = [(n, "<u2") for n in names] + [(n, "<i4") for n in integers]
    layout = np.dtype([*fields, ("rsqrt", "<f4"), ("up", "<f4")])
    result = subprocess.run([compiled("numbers.cu", False)], input=x.tobytes(), capture_output=True)
    got = np.frombuffer(result.stdout, layout)
    assert len(got) == len(x)

    def same(name: str, bits: np.ndarray, want: np.ndarray) -> None:
        both_nan = np.isnan(bits.astype(np.float64)) & np.isnan(want.astype(np.float64))
        equal = (bits == want) | both_nan
        first = int(np.argmin(equal))
        assert equal.all(), f"{name} of {x[first : first + 3]}: {bits[first]}, not {want[first]}"

    with np.errstate(all="ignore"):
        y, z = np.roll(x, -1), np.roll(x, -2)
        a, b, c = (v.astype(np.float16) for v in (x, y, z))
        wide = [v.astype(np.float64) for v in (a, b, c)]
        expected = {
            "half": a,
            "half_sum": a + b,
            "half_product": a * b,
            "half_quotient": a / b,
            "half_fma": (wide[0] * wide[1] + wide[2]).astype(np.float16),
        }
        for name, want in expected.items():
            same(name, got[name].view(np.float16), want)
        zero, up = (got[n].view(np.float16).astype(np.float32) for n in ("half_zero", "half_up"))
        finite = np.isfinite(x)
        assert (np.abs(zero) <= np.abs(x))[finite].all() and (up >= x)[finite].all()

        d, e, f = (_bfloat16(v.astype(np.float64)) for v in (x, y, z))
        expected = {"b16": d, "b16_sum": _bfloat16(d + e), "b16_product": _bfloat16(d * e)}
        expected["b16_quotient"] = _bfloat16(np.float64(np.float32(d) / np.float32(e)))
        for name, want in expected.items():
            same(name, _from_bfloat16(got[name]), want)
        fused, near = _from_bfloat16(got["b16_fma"]), _bfloat16(d * e + f)
        for i in np.flatnonzero((fused != near) & np.isfinite(near)):
            exact = Fraction(d[i]) * Fraction(e[i]) + Fraction(f[i])  # a double is too short
            assert abs(Fraction(fused[i]) - exact) < abs(Fraction(near[i]) - exact)

        bits = x.view(np.int32)
        assert (got["popc"] == [int(v).bit_count() for v in x.view(np.uint32)]).all()
        assert (got["clz"] == [32 - int(v).bit_length() for v in x.view(np.uint32)]).all()
        assert (got["ffs"] == [(int(v) & -int(v)).bit_length() for v in x.view(np.uint32)]).all()
        assert (got["high"] == (bits.astype(np.int64) * np.roll(bits, -1)) >> 32).all()
        reverse = [int(f"{int(v):032b}"[::-1], 2) for v in x.view(np.uint32)]
        assert (got["reversed"].view(np.uint32) == reverse).all()
        rounded = np.nan_to_num(np.rint(x.astype(np.float64)), nan=0)
        assert (got["to_int"] == np.clip(rounded, -(2**31), 2**31 - 1)).all()
        assert (got["up"].astype(np.float64) >= x.astype(np.float64) + y)[
            finite & np.isfinite(y)
        ].all()


def _bfloat16(x: np.ndarray) -> np.ndarray:
    """Doubles rounded once to the nearest bfloat16, ties to even, as doubles."""
    _, exponent = np.frexp(x)
    places = np.maximum(exponent - 8, -133)
    with np.errstate(all="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(x, -places)), places)
        rounded = np.where(np.abs(rounded) >= 2.0**128, np.copysign(np.inf, x), rounded)
    return np.where(np.isfinite(x), rounded, x)


def _from_bfloat16(bits: np.ndarray) -> np.ndarray:
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


@pytest.mark.long
@pytest.mark.parametrize("unit", sorted(UNITS.glob("*.cu")), ids=lambda path: path.stem)
def test_the_units_are_valid_cuda(unit: Path, tmp_path: Path) -> None:
    nvcc = need("nvcc")
    command = (nvcc, "-arch=sm_80", "-w", "-c", str(unit), "-o", str(tmp_path / "unit.o"))
    assert subprocess.run(command, capture_output=True).returncode == 0
