// What the parts of the runtime know of each other.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../include/driver_types.h"

namespace emulated {

constexpr unsigned most_threads = 1024;
constexpr size_t most_shared = 227u << 10, after_shared = 64;
constexpr unsigned char guard_byte = 0xfd;

struct Shared {
    unsigned char *begin;
    size_t size, after;
    const char *name, *file;
    unsigned line;
    size_t shadow;  // where its bytes are in the record of accesses
};

// The limits of the device that is emulated.
struct Device {
    int major, minor;
    size_t shared_static, shared_default, shared_optin, shared_multiprocessor;
};
extern const Device device;
size_t shared_limit();  // dynamic shared memory that a launch may ask for

// An error of a launch: kept for cudaGetLastError, printed, and for ever if it is a kernel's.
void report(cudaError_t, const std::string &what, bool sticky);
cudaError_t sticky_error();
cudaError_t answer(cudaError_t);   // what an API function returns
cudaError_t checked_memory();      // ... after a synchronisation
void set_last_error(cudaError_t);

// " at file:line", as addr2line knows it, of an instruction or of a call's return address.
std::string source_line(void *pc, bool instruction);
[[noreturn]] void fault_at(cudaError_t, const std::string &what, void *pc);

struct Range {
    uintptr_t begin, end;
    std::string name;
};
const Range *find_memory(uintptr_t);  // memory of the device, or nullptr
std::string nearest_memory(uintptr_t);

// What streams do, in their order: at the call, or late.
using Work = std::function<void()>;
bool streams_are_late();
void put(cudaStream_t, Work);
void wait_for_stream(cudaStream_t);
void wait_for_all();
void forget_work();

// For the record of accesses.
unsigned block_epoch();
unsigned warp_epoch();
bool on_stack(uintptr_t);
bool in_call(uintptr_t);
const std::vector<Shared> &shared_variables();
std::string thread_name(unsigned);
void forget_shared(size_t dynamic);
void know_shared(Shared &);

}  // namespace emulated
