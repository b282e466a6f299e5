// What kernels say of themselves, their tiling data, and words for the compiler.
#pragma once
#include <chrono>
#include <cstdarg>

#include "math.h"

#define KERNEL_TASK_TYPE_DEFAULT(type)
#define KERNEL_TASK_TYPE(key, type)
#define REGISTER_TILING_DEFAULT(type) using EmulatedTilingData [[maybe_unused]] = type
// Which of a kernel's forms the host's tiling function chose: who launches it says so.
inline thread_local uint64_t emulated_tiling_key = 0;
#define TILING_KEY_IS(key) (emulated_tiling_key == (key))
#define TILING_KEY_VAR emulated_tiling_key
// There are no cores for cubes.
#define ASCEND_IS_AIV (true)
#define ASCEND_IS_AIC (false)
#define ASCEND_IS_NOT_AIV (false)
#define ASCEND_IS_NOT_AIC (true)
#define REGISTER_TILING_FOR_TILINGKEY(condition, type)
#define ENABLE_PRINTF()
#define LAUNCH_BOUND(n)
#define ASCENDC_ASSERT(condition, ...) ASSERT(condition)
#define ASSERT(condition) \
    ((condition) ? void() : ::emulated::fault(std::string("`" #condition "` failed")))

// Tiling data is in global memory: a plain struct, which a kernel copies.
namespace AscendC::npu {
template <class T> T tiling_of(const void *p) {
    Instruction i("GET_TILING_DATA", scalar);
    T data;
    std::memcpy(static_cast<void *>(&data), global(i, p, sizeof(T), "a read of tiling data"), sizeof(T));
    return data;
}
}  // namespace AscendC::npu
#define GET_TILING_DATA_WITH_STRUCT(type, name, tiling) type name = AscendC::npu::tiling_of<type>(tiling)
#define GET_TILING_DATA_MEMBER(type, member, name, tiling) const auto name = AscendC::npu::tiling_of<type>(tiling).member
// Of the type that REGISTER_TILING_DEFAULT named, or EMULATED_TILING_DATA where the host side names it.
#define GET_TILING_DATA(name, tiling) GET_TILING_DATA_WITH_STRUCT(EmulatedTilingData, name, tiling)
#ifdef EMULATED_TILING_DATA
using EmulatedTilingData = EMULATED_TILING_DATA;
#endif

namespace AscendC {

enum KernelMetaType { KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIV_1_0, KERNEL_TYPE_MIX_AIC_1_0, KERNEL_TYPE_MIX_AIC_1_1, KERNEL_TYPE_MIX_AIC_1_2 };

// A workspace is the caller's own here: there is no part of the system's before it.
inline uint8_t *GetUserWorkspace(uint8_t *workspace) { return workspace; }
inline void SetSysWorkspace(uint8_t *) {}
inline uint8_t *GetSysWorkSpacePtr() { return nullptr; }

inline int64_t GetSystemCycle() { return std::chrono::steady_clock::now().time_since_epoch().count() / 20; }  // 50 MHz
inline int64_t GetProgramCounter() { return 0; }
inline void Trap() { ::emulated::fault("Trap was called"); }

inline void PRINTF(const char *format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vprintf(format, arguments);
    va_end(arguments);
}
template <class T> void DumpTensor(const LocalTensor<T> &, uint32_t, uint32_t) {}
template <class T> void DumpTensor(const GlobalTensor<T> &, uint32_t, uint32_t) {}
inline void InitSocState() {}
inline void OOMCheckAddrRange(uint8_t *, uint64_t) {}

// Several blocks one after another: a block waits for the ones before by what they wrote.
namespace npu {
template <class F> void wait_until(const char *name, F done) {
    while (!done()) {
        const int went = emulated_ascend_yield();
        if (went == 0) throw ::emulated::Fault{""};
        if (went == 2) ::emulated::fault(std::string(name) + " would hang: no other block writes what it waits for");
    }
    emulated_ascend_awaited();
}
}  // namespace npu
template <bool isAIVOnly = true> void IBSet(const GlobalTensor<int32_t> &flags, const LocalTensor<int32_t> &, int32_t block, int32_t event) {
    npu::block().order_all();
    flags.SetValue((GetBlockNum() * event + block) * 8, 1);
}
template <bool isAIVOnly = true> void IBWait(const GlobalTensor<int32_t> &flags, const LocalTensor<int32_t> &, int32_t block, int32_t event) {
    const int64_t at = (GetBlockNum() * event + block) * 8;
    npu::wait_until("IBWait", [&] { return flags.GetValue(at) == 1; });
    flags.SetValue(at, 0);
    npu::block().order_all();
}

// All blocks that a flag was set by, in mode 0; in the others cubes take part.
template <uint8_t mode, pipe_t pipe> void CrossCoreSetFlag(uint16_t flag) {
    if (mode != 0) ::emulated::fault("CrossCoreSetFlag between cores for cubes and for vectors");
    npu::block().order_all();
    npu::Block &b = npu::block();
    emulated_ascend_flag(flag, ++b.crossed[flag]);
}
template <uint8_t mode = 0, pipe_t pipe = PIPE_S> void CrossCoreWaitFlag(uint16_t flag) {
    npu::Block &b = npu::block();
    const uint32_t times = ++b.waited[flag];
    npu::wait_until("CrossCoreWaitFlag", [&] { return emulated_ascend_flag(flag, 0) >= uint64_t(times) * b.count; });
    b.order_all();
}

enum class CoreType { AIV, AIC };
constexpr CoreType AIV = CoreType::AIV, AIC = CoreType::AIC, g_coreType = CoreType::AIV;
constexpr int32_t TOTAL_UB_SIZE = npu::unified_buffer, TOTAL_VEC_LOCAL_SIZE = npu::unified_buffer;
constexpr uint32_t GetDataBlockSizeInBytes() { return npu::unit; }
constexpr uint32_t GetUbBlockSize() { return npu::unit; }
constexpr uint32_t GetVecLen() { return 256; }
namespace Std = ::std;
template <class A, class B> constexpr auto Ceil(A a, B b) { return (a + b - 1) / b; }

template <class T, class U> constexpr bool IsSameType_v = std::is_same_v<T, U>;
template <class T, class U> struct IsSameType : std::is_same<T, U> {};
template <bool condition, class T, class U> using Conditional = std::conditional<condition, T, U>;
template <class A, class B> auto AlignUp(A a, B b) { return (a + b - 1) / b * b; }
template <class A, class B> auto DivCeil(A a, B b) { return (a + b - 1) / b; }
template <class A, class B> auto CeilDivision(A a, B b) { return (a + b - 1) / b; }

}  // namespace AscendC

// What the compiler for kernels knows without a declaration.
template <class T> constexpr T min(const T a, const T b) { return b < a ? b : a; }
template <class T> constexpr T max(const T a, const T b) { return a < b ? b : a; }
using AscendC::GetTPipePtr;
constexpr bool likely(bool x) { return x; }
constexpr bool unlikely(bool x) { return x; }
