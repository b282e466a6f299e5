"""The C++ that a translated source begins with."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

NAMESPACE = "npu_launch"


HELPERS = f"""\
namespace {NAMESPACE} {{

// The type of a tensor's elements, in a kernel; void: the vector unit has none.
template <typename T> struct Element {{ using type = void; }};
template <> struct Element<float> {{ using type = float; }};
template <> struct Element<half> {{ using type = half; }};
template <> struct Element<c10::Half> {{ using type = half; }};
template <> struct Element<bfloat16_t> {{ using type = bfloat16_t; }};
template <> struct Element<c10::BFloat16> {{ using type = bfloat16_t; }};

// What dim3 is in CUDA.
struct Dim {{
    int64_t x, y, z;
    Dim(int64_t x = 1, int64_t y = 1, int64_t z = 1) : x(x), y(y), z(z) {{}}
}};
inline int64_t threads(const Dim &grid, const Dim &block) {{
    TORCH_CHECK(grid.y * grid.z * block.y * block.z == 1, "a launch in one dimension was expected");
    return grid.x * block.x;
}}

// One block for each tile, but no more than there are cores: they share the tiles.
inline uint32_t blocks(int64_t length, int64_t tile) {{
    int64_t cores = 0;
    const auto device = static_cast<uint32_t>(c10_npu::current_device());
    const auto error = aclGetDeviceCapability(device, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &cores);
    TORCH_CHECK(error == ACL_SUCCESS && cores > 0, "aclGetDeviceCapability: error ", error);
    return static_cast<uint32_t>(std::min(cores, (length + tile - 1) / tile));
}}

template <typename T> GM_ADDR address(const T *data) {{
    return reinterpret_cast<GM_ADDR>(const_cast<T *>(data));
}}

}}  // namespace {NAMESPACE}
"""


_OPERATOR_INCLUDES = (
    '#include "npu_cpp_extension.h"\n',
    '#include "torch_npu/csrc/aten/common/from_blob.h"\n',
)


OPERATOR_HELPERS = f"""
namespace {NAMESPACE} {{

// What a pointer points to as a tensor, for operators of CANN.
template <typename T> at::Tensor tensor(const T *data, int64_t length) {{
    const at::Device device(c10::DeviceType::PrivateUse1, c10_npu::current_device());
    const auto type = c10::CppTypeToScalarType<T>::value;
    const auto options = at::TensorOptions().dtype(type).device(device);
    return at_npu::native::from_blob(const_cast<T *>(data), {{length}}, options);
}}

}}  // namespace {NAMESPACE}
"""


ROW_HELPERS = f"""
namespace {NAMESPACE} {{

// The first number of what the vector unit has computed.
__aicore__ inline float first(const AscendC::LocalTensor<float> &values) {{
    AscendC::PipeBarrier<PIPE_ALL>();
    return values.GetValue(0);
}}

}}  // namespace {NAMESPACE}
"""


_INCLUDES = """\
#include <algorithm>
#include <type_traits>

#include <ATen/ATen.h>

#include "acl/acl.h"
#include "kernel_operator.h"
#include "torch_npu/csrc/core/npu/NPUFunctions.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/OpCommand.h"
"""


_REFUSE = f"""
namespace {NAMESPACE} {{
// A kernel that is not written yet.
inline void not_translated(const char *name, const char *reason) {{
    TORCH_CHECK_NOT_IMPLEMENTED(false, name, " is not translated for an NPU: ", reason);
}}
}}  // namespace {NAMESPACE}
"""


def prelude(kernels: Sequence[tuple[str, str]], left: Sequence[tuple[str, str, int]]) -> str:
    """Errors for what is left of CUDA, includes, and the helpers that the kernels use, each of
    which is its text, "" where it is not translated, and its launch."""
    refused = any(not text for text, _ in kernels)
    by_rows = any(f"{NAMESPACE}::first(" in text for text, _ in kernels)
    by_operators = any("EXEC_NPU_CMD_EXT(" in launch for _, launch in kernels)
    errors = "".join(
        f'#error "TODO(porter): line {line} of {posixpath.basename(own)}: {name} is CUDA only"\n'
        for name, own, line in left
    )
    includes = _INCLUDES
    if by_operators:
        first, core = '#include "torch_npu', '#include "torch_npu/csrc/core'
        includes = includes.replace(first, f"{_OPERATOR_INCLUDES[0]}{first}", 1)
        includes = includes.replace(core, f"{_OPERATOR_INCLUDES[1]}{core}", 1)
    helpers = HELPERS + (OPERATOR_HELPERS if by_operators else "")
    helpers += (ROW_HELPERS if by_rows else "") + (_REFUSE if refused else "")
    return f"{errors}{includes}\n{helpers}\n"
