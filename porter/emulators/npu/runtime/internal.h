// What the parts of the emulated ACL runtime know of each other. The C API is written from its public
// documentation and from how callers use it; handles are opaque to callers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#define API extern "C" __attribute__((visibility("default")))

namespace ascend {

using Error = int;
// As the public table of return codes has them.
enum : Error {
    ok = 0,
    invalid_parameter = 107000,
    no_context = 107002,
    invalid_event = 107012,
    unsupported = 207000,
    out_of_memory = 207001,
    kernel_failed = 507035,
    no_such_operator = 500002,
    internal_error = 500000,
};

// The chip that is emulated: what public descriptions of it say.
constexpr const char *soc = "Ascend910B1";
constexpr int vector_cores = 48, cube_cores = 24;
constexpr size_t total_memory = size_t(16) << 30;

// Says why, for aclGetRecentErrMsg; gives the error back.
Error refuse(Error, const std::string &why);
// A kernel's fault stays: what waits for a stream has it from then on, until the device is reset.
void set_fault(const std::string &what);
Error fault();
void forget_fault();

// Memory of the device, from its allocation's beginning to its end.
struct Range {
    uintptr_t begin, end;
    bool freed;
};
const Range *find_memory(uintptr_t);
std::string describe_memory(uintptr_t);

using Work = std::function<void()>;
bool streams_are_late();
void put(void *stream, Work);
void wait_for_stream(void *stream);
void wait_for_all();

}  // namespace ascend

API void emulated_ascend_count(const char *kind, const char *name);
