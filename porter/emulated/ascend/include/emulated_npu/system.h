// What kernels say of themselves, their tiling data, and words for the compiler.
#pragma once
#include <chrono>
#include <cstdarg>

#include "math.h"

#define KERNEL_TASK_TYPE_DEFAULT(type)
#define KERNEL_TASK_TYPE(key, type)
#define REGISTER_TILING_DEFAULT(type)
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
#define GET_TILING_DATA_WITH_STRUCT(type, name, tiling) const type name = AscendC::npu::tiling_of<type>(tiling)
#define GET_TILING_DATA_MEMBER(type, member, name, tiling) const auto name = AscendC::npu::tiling_of<type>(tiling).member
#define GET_TILING_DATA(name, tiling) GET_TILING_DATA_WITH_STRUCT(EmulatedTilingData, name, tiling)

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
    for (int turns = 0; !done(); ++turns) {
        if (turns > 100000) ::emulated::fault(std::string(name) + " would hang: no other block writes what it waits for");
        if (!emulated_ascend_yield()) throw ::emulated::Fault{""};
    }
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

template <class T, class U> constexpr bool IsSameType_v = std::is_same_v<T, U>;
template <class T, class U> struct IsSameType : std::is_same<T, U> {};
template <bool condition, class T, class U> using Conditional = std::conditional<condition, T, U>;
template <class A, class B> auto AlignUp(A a, B b) { return (a + b - 1) / b * b; }
template <class A, class B> auto DivCeil(A a, B b) { return (a + b - 1) / b; }
template <class A, class B> auto CeilDivision(A a, B b) { return (a + b - 1) / b; }

}  // namespace AscendC

