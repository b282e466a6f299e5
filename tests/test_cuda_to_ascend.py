"""CUDA kernels as Ascend C: what is translated computes the same, what is not is refused."""

from __future__ import annotations

import gc
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.emulators.npu import toolkit
from porter.emulators.npu.kernels import emulate
from porter.languages.cpp import Code, parse
from porter.targets.torch_npu.translate import translate
from porter.targets.torch_npu.translate.aclnn import table
from porter.targets.torch_npu.translate.kernels import kernels
from tests.conftest import CACHE, ROOT
from tests.porting import porter
from tests.system import need
from tests.translated_kernels import compare

DATA = Path(__file__).parent / "data"
CASES = DATA / "cuda_to_ascend"


@pytest.mark.real
@pytest.mark.long
def test_what_is_translated_computes_what_the_source_does(tmp_path: Path) -> None:
    need("g++")
    source = CASES / "elementwise.cu"
    found = {k.name: k for k in kernels(parse(source.read_bytes(), source.name))}
    assert "row" in found.pop("sometimes").launch  # its bound is one of two conditions
    assert [k.reason for k in found.values() if not k.text] == []
    (tmp_path / "translated.inc").write_text("\n".join(k.text for k in found.values()))
    shutil.copy(CASES / "driver.cpp", tmp_path / "driver.asc")
    libraries = toolkit(CACHE) / "lib64"
    folders = [tmp_path, CASES, DATA / "emulated_ascend"]
    made = emulate([tmp_path / "driver.asc"], folders, tmp_path / "out")
    assert made.refused == ()
    linked = (f"-L{libraries}", "-lascendcl", f"-Wl,-rpath,{libraries}")
    program = tmp_path / "program"
    command = ("g++", "-O1", *made.flags, *made.sources, "-o", program, *linked)
    subprocess.run(command, check=True)
    result = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0 and result.stderr == "", result.stdout + result.stderr
    assert result.stdout.count("ok ") == 2 * len(found) + 3


@pytest.mark.real
@pytest.mark.long
def test_kernels_over_rows_compute_what_the_source_does(tmp_path: Path) -> None:
    need("g++")
    ran, wrong = compare(CASES / "rows.cu", tmp_path, CACHE)
    assert wrong == []
    names = ("rms_norm", "softmax", "layer_norm", "row_max")
    assert ran == [f"{name} {type}" for name in names for type in ("float", "half")]


@pytest.mark.real
@pytest.mark.long
def test_rows_of_threads_and_warps_and_planes_compute_what_the_source_does(tmp_path: Path) -> None:
    need("g++")
    ran, wrong = compare(CASES / "shapes.cu", tmp_path, CACHE)
    assert wrong == []
    names = ["softmax_naive", "norm_of_warps", "plane", "gate", "prelu", "flat", "bias_act"]
    names += ["channels", "four", "two"]
    assert list(dict.fromkeys(one.split()[0] for one in ran)) == names


FIXTURE = ROOT / "fixtures" / "npu_from_cuda" / "csrc" / "activations.cu"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def refused(body: str, before: str = "", parameters: str = "float *x, float *y, int n") -> str:
    source = f"{before}\n__global__ void k({parameters}) {{\n{body}\n}}\n"
    (kernel,) = kernels(parse(source.encode(), "k.cu"))
    assert not kernel.text or not kernel.reason
    return kernel.reason


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if (i < n) y[i] = x[2 * i];", "`x` is accessed at a place other than [i]"),
        ("if (i < n) y[i] = x[n - i];", "`x` is accessed at a place other than [i]"),
        ("if (i < n) y[i] = i;", "an element index as a value"),
        ("if (i < n) y[i] = f(x[i]);", "`f`"),
        ("if (i < n) { int v = x[i]; y[i] = v; }", "a conversion of elements to integers"),
        ("if (i < n) { float v; y[i] = v; }", "`v` is not initialized"),
        ("if (i < n) { float v = x[i]; if (v > 0) { float v = 2; y[i] = v; } }", "hides"),
        ("if (i < n) { float s = 0; for (int k = 0; k < 3; k++) s += x[i]; y[i] = s; }", "a loop"),
        ("if (i < n) { float v[2]; y[i] = v[0]; }", "the array `v`"),
        ("if (i < n) { float4 v = x[i]; }", "`x` is accessed at a place other than"),
        ("if (i < n) { float3 v = x[i]; }", "a variable of the type `float3`"),
        ("if (i < n) atomicAdd(y, x[i]);", "`atomicAdd`"),
        ("if (i < n) while (true) y[i] = x[i];", "a loop over something other"),
        ("if (i < n) while (true) f(x[i]);", "`while`"),
        ("__shared__ float s[32]; if (i < n) y[i] = x[i];", "shared memory"),
        ("if (i < n) y[i] = blockIdx.x;", "`blockIdx.x` in a place other"),
        ("if (i <= n) y[i] = x[i];", "its elements are not indexed by one thread each"),
        ("y[i] = x[i];", "its elements are not indexed by one thread each"),
        ("i += 1; if (i < n) y[i] = x[i];", "`i`, which is modified"),
        ("if (i < n) { i++; y[i] = x[i]; }", "`i`, which is modified"),
        ("for (int k = threadIdx.x; k < n; k += blockDim.x / 2) y[k] = x[k];", "its elements"),
        ("for (int k = i; k < n; k += n / 2) y[k] = x[k];", "its elements are not indexed"),
        (
            "for (int k = 0; k < n; k++) y[i * n + k] = __shfl_xor_sync(~0u, x[i * n + k], 1);",
            "its",
        ),
        ("if (i < n) { if (x[i] > 0) return; y[i] = x[i]; }", "a `return` in the middle"),
        ("if (i < n) { n; }", "a statement without an effect"),
        ("#ifdef A\nif (i < n) y[i] = 0;\n#endif", "#ifdef in its body"),
    ],
)
def test_what_is_not_elementwise_is_refused(body: str, reason: str) -> None:
    gc.disable()  # as it is while files are read: no error is to hold their tokens
    try:
        before = sum(type(each) is Code for each in gc.get_objects())
        assert reason in refused(f"{INDEX}\n{body}")
        assert sum(type(each) is Code for each in gc.get_objects()) == before
    finally:
        gc.enable()


ROW = """__shared__ float s[256];
float sum = 0.0f;
for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
s[threadIdx.x] = sum;
__syncthreads();
for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
}
for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = s[0];
"""


@pytest.mark.parametrize(
    ("now", "then", "reason"),
    [
        (
            "y[blockIdx.x * n + i] = s[0]",
            "y[blockIdx.x * n + i] = s[1]",
            "not a reduction that includes",
        ),
        ("k > 0", "k > 1", "not a reduction that"),  # two threads have half of the sum each
        ("k >>= 1", "k = k / 2 - 1", ""),
        ("sum = 0.0f", "sum = 1.0f", "`sum` does not start at 0"),
        ("float sum", "double sum", "sums of double"),
        ("sum += x", "sum = sum * 0.5f + x", "carries more than a sum"),
        ("s[threadIdx.x] += s", "s[threadIdx.x] -= s", "not a reduction that includes"),
        ("threadIdx.x + k];", "threadIdx.x + k - 1];", "not a reduction that includes"),
        ("s[threadIdx.x] = sum", "s[threadIdx.x / 2] = sum", "written by several threads"),
        ("s[threadIdx.x] = sum", "atomicAdd(s, sum)", "`atomicAdd`"),
        ("i < n; i += blockDim.x) sum", "i < n; i += 2 * blockDim.x) sum", "does not go over"),
        (
            "int i = threadIdx.x; i < n; i += blockDim.x) sum",
            "int i = 0; i < n; ++i) sum",
            "is carried from row to row",
        ),
        ("n + i] = s[0]", "n + n - i] = s[0]", "a column index in an unsupported form"),
        ("n + i] = s[0]", "n + 2 * i] = s[0]", "not a column index plus an offset"),
        ("= s[0]", "= s[0] + x[blockIdx.x * n + i / 2]", "not a column index plus"),
        ("y[blockIdx.x * n + i] = s[0]", "y[blockIdx.x] = s[0]", "at a place that is not a column"),
        ("y[blockIdx.x * n + i] = s[0]", "s[i] = x[i]", "a row kept in shared memory"),
        ("= s[0]", "= y[(blockIdx.x + 1) * n + i] + s[0]", "at several places of a row"),
        ("= s[0]", "= i", "an element index as a value"),
        ("= s[0]", "= s[0] * blockDim.x", "`blockDim.x` in a place other"),
        ("sum += x[blockIdx.x * n + i];", "{ sum += x[i]; y[i] = sum; }", "the preceding columns"),
        (
            "float sum = 0.0f;",
            "float sum = 0.0f; if (threadIdx.x > n) return;",
            "a thread index",
        ),
    ],
)
def test_what_looks_like_a_reduction_of_rows_is_refused(now: str, then: str, reason: str) -> None:
    assert refused(ROW) == ""
    assert ROW.count(now) == 1
    found = refused(ROW.replace(now, then))
    assert found and reason in found


def test_a_reduction_of_some_blocks_only_is_for_those() -> None:
    body = """float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;"""
    source = f"__global__ void k(const float *x, float *y, int n) {{ {body} }}"
    (kernel,) = kernels(parse(source.encode(), "k.cu"))
    assert "TORCH_CHECK(block_.x == 32, " in kernel.launch
    missing = ROW.replace("s[threadIdx.x] = sum;\n__syncthreads();", "s[threadIdx.x] = sum;")
    text = f"__global__ void k(const float *x, float *y, int n) {{ {missing} }}"
    (other,) = kernels(parse(text.encode(), "k.cu"))
    assert "TORCH_CHECK(block_.x == 32, " in other.launch  # one warp needs no barrier
    source = source.replace("__global__", "template <int N> __global__").replace("blockDim.x", "N")
    (kernel,) = kernels(parse(source.encode(), "k.cu"))
    assert "TORCH_CHECK(block_.x == N, " in kernel.launch and "== 32, " in kernel.launch


def test_types_that_the_vector_unit_has_not_are_refused() -> None:
    body = f"{INDEX} if (i < n) x[i] = x[i] + 1;"
    assert "the vector unit has no double" in refused(body, parameters="double *x, int n")
    assert "elements of this type" in refused(body, parameters="int *x, int n")
    assert refused(body, parameters="__half *x, int n") == ""


@pytest.mark.parametrize(
    "body",
    [
        "if (i < n) { y[i] = 0; x[i] = x[i] + 1; }",
        "if (i < n) { if (x[i] > 3) y[i] = 0; else x[i] = 1; }",
    ],
)
def test_where_the_same_memory_matters_a_launch_asks(body: str) -> None:
    check = "TORCH_CHECK(static_cast<const void *>(x) != static_cast<const void *>(y) ||"
    assert check in launch(f"{INDEX} {body}")
    apart = "float *__restrict__ x, float *y, int n"
    assert "TORCH_CHECK(static_cast" not in launch(f"{INDEX} {body}", apart)


def launch(body: str, parameters: str = "float *x, float *y, int n") -> str:
    source = f"__global__ void k({parameters}) {{\n{body}\n}}\n"
    (kernel,) = kernels(parse(source.encode(), "k.cu"))
    assert kernel.text, kernel.reason
    return kernel.launch


def test_the_same_memory_is_no_matter_where_nothing_is_read_again() -> None:
    body = f"{INDEX} if (i < n) {{ float v = x[i]; y[i] = 0; x[i] = v; }}"
    assert "TORCH_CHECK" not in launch(body)


def elementwise(value: str, head: str = "", type: str = "float") -> str:
    """How a kernel is launched."""
    given = ", ".join(f"{type} *{name}" for name in ("x", "y", "out"))
    source = f"{head} __global__ void k({given}, int n) {{ {INDEX} if (i < n) out[i] = {value}; }}"
    (kernel,) = kernels(parse(source.encode(), "k.cu"))
    assert kernel.text, kernel.reason
    return kernel.launch


@pytest.mark.parametrize(
    ("value", "call"),
    [
        ("x[i] + y[i]", "aclnnAdd, x_tensor_, y_tensor_, scalar_0_, out_tensor_"),
        ("y[i] + x[i]", "aclnnAdd, y_tensor_, x_tensor_, scalar_0_, out_tensor_"),
        ("y[i] - x[i]", "aclnnSub, y_tensor_, x_tensor_, scalar_0_, out_tensor_"),
        ("x[i] * x[i]", "aclnnMul, x_tensor_, x_tensor_, out_tensor_"),
        ("x[i] / (expf(-x[i]) + 1.f)", "aclnnSilu, x_tensor_, out_tensor_"),
        ("1 / (1 + __expf(-x[i]))", "aclnnSigmoid, x_tensor_, out_tensor_"),
        ("x[i] < 0 ? 0 : x[i]", "aclnnRelu, x_tensor_, out_tensor_"),
    ],
)
def test_a_kernel_that_is_an_operator_of_cann_is_called_so(value: str, call: str) -> None:
    assert f"EXEC_NPU_CMD_EXT({call});" in elementwise(value)


@pytest.mark.parametrize(
    "value",
    [
        "x[i] + 2 * y[i]",
        "x[i] / (1.5f + expf(-x[i]))",
        "x[i] / (1 + expf(x[i]))",
        "y[i] / (1 + expf(-x[i]))",
        "fmaxf(x[i], 0.0f)",  # of NaN it is 0
        "x[i] > 0 ? x[i] : 0",
        "x[i] * 0.5f",
        "out[i] + x[i]",  # in place
    ],
)
def test_a_kernel_that_is_nearly_an_operator_of_cann_is_launched(value: str) -> None:
    assert "EXEC_NPU_CMD_EXT" not in elementwise(value)


def test_functions_of_other_types_than_float_are_launched() -> None:
    head = "template <typename T>"
    assert "EXEC_NPU_CMD_EXT(aclnnMul, " in elementwise("x[i] * y[i]", head, "T")
    assert "EXEC_NPU_CMD_EXT" not in elementwise("T(tanhf(float(x[i])))", head, "T")


def test_each_operator_of_the_table_is_chosen_and_emulated() -> None:
    emulated = (ROOT / "porter/emulators/npu/opapi/operators.cpp").read_text()
    for operator in table():
        for source in operator.kernels():
            (kernel,) = kernels(parse(source.encode(), "k.cu"))
            assert f"EXEC_NPU_CMD_EXT({operator.name}, " in kernel.launch
        assert f"({operator.name.removeprefix('aclnn')}, " in emulated


def test_a_source_has_its_host_side_for_torch_npu() -> None:
    made = translate("csrc/activations.cu", FIXTURE.read_bytes(), lambda path: None)
    text = made.data.decode()
    assert made.left == () and "#error" not in text
    for name in ("cuda", "CUDA", "<<<blocks_of", "is_cuda", "dim3 ", "__device__"):
        assert name not in text.replace("what dim3 is", "").replace("dim3 is in CUDA", "")
    assert text.count("RunOpApiV2(") == 3 and text.count(".stream(false)") == 3
    call = "launch_gelu_forward_kernel<scalar_t>(blocks_of(n), kThreads,\n"
    assert call in text
    assert "launch_gelu_backward_kernel<scalar_t>(grid, block,\n" in text


def test_macros_default_arguments_and_enumerations_are_followed() -> None:
    head = """#define VALUE(p, k) ((p)[k])
enum Mode { PLAIN = 0, SQUARED };
__device__ float scaled(float v, float by = 2.0f) { return v * by; }"""
    body = f"{INDEX} if (i < n) VALUE(y, i) = mode == SQUARED ? x[i] * x[i] : scaled(VALUE(x, i));"
    assert refused(body, head, "const float *x, float *y, Mode mode, int n") == ""
    one = "int t = threadIdx.x; int i = t + blockDim.x * blockIdx.x; if (n > i) y[i] = x[i] + 1;"
    assert refused(one) == ""


def test_what_is_written_in_the_other_case_is_no_matter() -> None:
    body = f"{INDEX} if (i < n) {{ if (x[i] > 0) y[i] = x[i]; else y[i] = x[i] * 2; }}"
    assert "TORCH_CHECK" not in launch(body)
    body = f"{INDEX} if (i < n) {{ if (x[i] > 0) y[i] = 1; z[i] = x[i]; }}"
    assert launch(body, "float *x, float *y, float *z, int n").count("TORCH_CHECK") == 2


WIDE = """float4 *y4 = reinterpret_cast<float4 *>(y);
if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(x)[i], w;
    w.x = v.x * 2; w.y = v.y * 2; w.z = v.z * 2; w.w = v.w * 2;
    y4[i] = w;
}"""


@pytest.mark.parametrize(
    ("now", "then", "reason"),
    [
        ("v.y * 2", "v.y * 3", "the components of a vector are not computed alike"),
        ("v.y * 2", "v.x * 2", "the components of a vector are not computed alike"),
        ("w.y = v.y * 2; ", "", "the components of a vector are not computed alike"),
        ("y4[i] = w", "y4[i + 1] = w", "at elements other than the thread's own"),
        ("y4[i] = w", "y4[0] = w", "at elements other than the thread's own"),
        ("i < n / 4", "i <= n / 4", "no bound"),
        ("float4 *y4", "half2 h; float4 *y4", "vectors of several widths"),
        ("y4[i] = w", "i += 1; y4[i] = w", "`i`, which is modified"),
    ],
)
def test_parts_of_vectors_are_elements_where_they_are_computed_alike(
    now: str, then: str, reason: str
) -> None:
    assert "block_) * 4;" in launch(f"{INDEX} {WIDE}")
    assert WIDE.count(now) == 1
    assert reason in refused(f"{INDEX} {WIDE.replace(now, then)}")


@pytest.mark.parametrize("last", ["y[k] = x[k] * 2;", "y[k] = x[k] * 3;"])
def test_the_last_elements_are_computed_as_the_others_are(last: str) -> None:
    body = f"""{INDEX}
int step = blockDim.x * gridDim.x;
int n2 = n / 2;
for (int k = i; k < n2; k += step) {{
    float2 v = reinterpret_cast<float2 *>(x)[k];
    reinterpret_cast<float2 *>(y)[k] = make_float2(v.x * 2, v.y * 2);
}}
for (int k = n2 * 2 + i; k < n; k += step) {last}"""
    assert bool(refused(body)) == ("3" in last)


def test_headers_of_the_repository_are_part_of_the_source() -> None:
    source = b'#include "ops.cuh"\nvoid f(float *x) { twice<<<1, 32>>>(x, 3); }\n'
    near = {
        "include/ops.cuh": b"""#pragma once
__device__ float two(float x) { return 2 * x; }
__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = two(x[i]);
}
__global__ void other(int *x) { x[0] = 1; }
"""
    }
    made = translate("src/a.cu", source, near.get)
    text = made.data.decode()
    assert made.left == () and "pragma" not in text and "launch_twice(1, 32, x, 3)" in text
    assert "`other` of ops.cuh:7 is not translated" in text


def test_checks_of_errors_go_and_waiting_stays() -> None:
    source = b"""#define CHECK(e) do { if ((e) != cudaSuccess) exit(1); } while (0)
inline void check(cudaError_t e) { if (e != cudaSuccess) throw e; }
void f(const at::Tensor &x) {
    int device = -1;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetLastError());
    check(cudaDeviceSynchronize());
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) printf("%s", cudaGetErrorString(e));
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "failed");
}
"""
    made = translate("a.cu", source, lambda path: None)
    body = made.data.decode()
    body = body[body.index("void f(") :]
    assert made.left == ()
    assert (
        body
        == """void f(const at::Tensor &x) {
    int device = -1;
    device = c10_npu::current_device();
    c10_npu::npuSynchronizeDevice();
}
"""
    )


def test_checks_of_old_types_are_of_the_tensor() -> None:
    source = b'#define CHECK(x) AT_ASSERTM(x.type().is_cuda(), "")\n'
    assert b"AT_ASSERTM(x.is_privateuseone()" in translate("a.cu", source, lambda path: None).data


def test_what_is_not_translated_is_marked_and_its_launch_raises() -> None:
    source = b"""#include <cuda_runtime.h>
template <typename T> __global__ void rows(T *x, int n);
#include "near.cuh"
template <typename T> __global__ void rows(T *x, int n) { x[threadIdx.x] = 0; }
void run(float *x, cudaStream_t stream) {
  rows<float><<<1, 32, 0, stream>>>(x, 32);
  other<<<1, 32>>>(x);
}
"""
    near = {"csrc/near.cuh": b"__device__ float f(float x) { return x; }\n"}
    made = translate("csrc/rows.cu", source, near.get)
    text = made.data.decode()
    assert "TODO(porter): `rows` of rows.cu:4 is not translated: `x` is accessed at a place" in text
    assert 'not_translated("rows", ' in text and "rows<float>" not in text
    said = [line for line in text.splitlines() if line.startswith("#error")]
    assert said == [
        '#error "TODO(porter): line 7 of rows.cu: <<< is CUDA only"',
    ]


def test_a_kernel_that_ends_too_soon_is_not_translated() -> None:
    source = b"__global__ void k(float *x, int n) { if (n) x[threadIdx.x] = n + 1 }"
    assert "`k` of k.cu:1 is not translated" in translate("k.cu", source, {}.get).data.decode()


@pytest.mark.parametrize("name", ["npu_from_cuda", "npu_rows_from_cuda"])
def test_the_patch_of_a_fixture_is_what_is_written(own_home: Path, name: str) -> None:
    fixture = str(ROOT / "fixtures" / name)
    _, document = porter(own_home, "migrate", fixture, "-t", "torch_npu")
    assert document["residue"] == [] and document["open"] == []
    told = Path(document["patch"]["path"]).read_text()
    assert told == (ROOT / "fixtures" / f"{name}.patch").read_text()


@pytest.mark.real
@pytest.mark.long
@pytest.mark.parametrize(("name", "passing"), [("npu_from_cuda", 24), ("npu_rows_from_cuda", 66)])
def test_a_fixture_passes_its_tests_on_an_emulated_npu(
    own_home: Path, name: str, passing: int
) -> None:
    """Its CUDA kernels run emulated under torch, the translated ones on the emulated NPU."""
    arguments = (str(ROOT / "fixtures" / name), "-t", "torch_npu", "-d", "emulated")
    _, document = porter(own_home, "port", *arguments)
    tests, parity = document["tests"], document["parity"]
    assert tests["source"]["passed"] == tests["target"]["passed"] == passing, document["reasons"]
    assert tests["lost"] == []
    if not (ROOT / "fixtures" / name / "porter.parity.toml").is_file():
        assert parity is None, "nothing to compare but the tests"
        return
    assert parity["failed"] == 0
    assert {case["evidence"] for case in parity["cases"]} == {"emulated"}


def test_the_translator_is_one_function_for_others() -> None:
    inner = re.compile(r"\.translate\.\w+ import|\.translate import (?!translate\b)")
    folders = (ROOT / "porter", ROOT / "rules")
    others = (p for folder in folders for p in folder.rglob("*.py") if "translate" not in p.parts)
    assert [path for path in others if inner.search(path.read_text())] == []
