// The runtime API: memory with guards around it, errors, the device.
#include "../include/cuda_runtime_api.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "internal.h"

namespace emulated {

#ifndef EMULATED_ARCH
#define EMULATED_ARCH 80
#endif
// "CUDA C++ Programming Guide", Technical Specifications per Compute Capability.
constexpr size_t kib = 1024;
constexpr size_t multiprocessor = EMULATED_ARCH >= 90   ? 228 * kib
                                  : EMULATED_ARCH == 80 || EMULATED_ARCH == 87 ? 164 * kib
                                  : EMULATED_ARCH >= 86 ? 100 * kib
                                                        : 64 * kib;
const Device device = {EMULATED_ARCH / 10, EMULATED_ARCH % 10, 48 * kib, 48 * kib,
                       EMULATED_ARCH >= 80 ? multiprocessor - kib : multiprocessor, multiprocessor};

namespace {

constexpr size_t guard = 256, total_memory = size_t(16) << 30;

struct Block {
    char *raw;
    size_t size;
    bool host;
};

std::mutex lock;
std::map<uintptr_t, Block> blocks;
std::map<uintptr_t, Range> memory;  // by beginning
const Range *last_found;
size_t used, asked_shared = device.shared_default;
thread_local cudaError_t last_error = cudaSuccess;
cudaError_t sticky = cudaSuccess;
std::string message;
cudaError_t message_error = cudaSuccess;

void add(uintptr_t begin, size_t size, std::string name) {
    last_found = nullptr;
    memory[begin] = {begin, begin + size, std::move(name)};
}

// Bytes written beyond an allocation, seen when it is freed and at every synchronisation.
void check(uintptr_t begin, const Block &b) {
    auto intact = [](const char *p) {
        return std::all_of(p, p + guard, [](char c) { return static_cast<unsigned char>(c) == guard_byte; });
    };
    const char *end = reinterpret_cast<char *>(begin) + b.size;
    const bool before = intact(reinterpret_cast<char *>(begin) - guard), after = intact(end);
    if (before && after) return;
    report(cudaErrorIllegalAddress,
           std::string("written ") + (after ? "before the beginning" : "past the end") + " of " +
               memory[begin].name,
           true);
}

void check_all() {
    for (const auto &[begin, b] : blocks)
        if (sticky == cudaSuccess) check(begin, b);
}

cudaError_t release(void *p) {
    if (!p) return answer(cudaSuccess);
    std::lock_guard<std::mutex> held(lock);
    const auto found = blocks.find(reinterpret_cast<uintptr_t>(p));
    if (found == blocks.end()) return answer(cudaErrorInvalidValue);
    check(found->first, found->second);
    used -= found->second.size;
    std::free(found->second.raw);
    last_found = nullptr;
    memory.erase(found->first);
    blocks.erase(found);
    return answer(cudaSuccess);
}

// Whether a copy or a fill stays within an allocation that it begins in.
bool within(const void *p, size_t bytes) {
    const Range *range = find_memory(reinterpret_cast<uintptr_t>(p));
    return !range || bytes <= range->end - reinterpret_cast<uintptr_t>(p);
}

}  // namespace

cudaError_t answer(cudaError_t error) {
    if (sticky != cudaSuccess) error = sticky;
    if (error != cudaSuccess) last_error = error;
    return error;
}

cudaError_t checked_memory() {
    std::lock_guard<std::mutex> held(lock);
    check_all();
    return answer(cudaSuccess);
}

size_t shared_limit() { return asked_shared; }
cudaError_t sticky_error() { return sticky; }
void set_last_error(cudaError_t error) { last_error = error; }

void report(cudaError_t error, const std::string &what, bool for_ever) {
    message = what;
    message_error = error;
    last_error = error;
    if (for_ever) sticky = error;
    std::fprintf(stderr, "emulated CUDA: %s\n", what.c_str());
}

const Range *find_memory(uintptr_t address) {
    if (last_found && address - last_found->begin < last_found->end - last_found->begin) return last_found;
    auto next = memory.upper_bound(address);
    if (next == memory.begin()) return nullptr;
    const Range &range = std::prev(next)->second;
    return address < range.end ? last_found = &range : nullptr;
}

std::string nearest_memory(uintptr_t address) {
    std::string text;
    size_t nearest = 1 << 20;
    for (const auto &[begin, range] : memory) {
        const bool after = address >= range.end;
        const size_t away = after ? address - range.end : range.begin - address;
        if (away >= nearest) continue;
        nearest = away;
        text = ", " + std::to_string(away) + (after ? " bytes past the end of " : " bytes before ") + range.name;
    }
    return text;
}

std::string source_line(void *pc, bool instruction) {
    Dl_info info;
    if (!dladdr(pc, &info) || !info.dli_fname) return "";
    auto offset = static_cast<char *>(pc) - static_cast<char *>(info.dli_fbase) - (instruction ? 0 : 1);
    char command[4400], line[1024], found[1024] = "";
    std::snprintf(command, sizeof command, "addr2line -e '%s' %#lx 2>/dev/null", info.dli_fname, long(offset));
    if (FILE *pipe = popen(command, "r")) {
        if (std::fgets(line, sizeof line, pipe)) std::snprintf(found, sizeof found, "%s", line);
        pclose(pipe);
    }
    std::string place = found;
    place = place.substr(0, place.find_first_of(" \n"));
    if (place.empty() || place[0] == '?') {
        char where[32];
        std::snprintf(where, sizeof where, "+%#lx", long(offset));
        place = std::string(info.dli_fname) + where;
    }
    return " at " + place;
}

}  // namespace emulated

using namespace emulated;

extern "C" {

cudaError_t cudaGetLastError() {
    const cudaError_t error = last_error;
    last_error = sticky;
    return error;
}
cudaError_t cudaPeekAtLastError() { return last_error; }

const char *cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define EMULATED_NAME(name, value, text) \
    case name: return #name;
        EMULATED_ERRORS(EMULATED_NAME)
    }
    return "unrecognized error code";
}

// With what is known of the last error of its kind: callers put it into exceptions.
const char *cudaGetErrorString(cudaError_t error) {
    thread_local std::string text;
    text = "unrecognized error code";
    switch (error) {
#define EMULATED_TEXT(name, value, words) \
    case name: text = words; break;
        EMULATED_ERRORS(EMULATED_TEXT)
    }
    if (error != cudaSuccess && error == message_error)
        text += " (emulated: " + message + ")";
    return text.c_str();
}

const char *emulated_last_message() { return message.c_str(); }
void emulated_forget_errors() {
    wait_for_all();
    std::lock_guard<std::mutex> held(lock);
    sticky = last_error = message_error = cudaSuccess;
    message.clear();
}

cudaError_t cudaGetDevice(int *d) { return *d = 0, answer(cudaSuccess); }
cudaError_t cudaSetDevice(int d) { return answer(d == 0 ? cudaSuccess : cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceCount(int *n) { return *n = 1, answer(cudaSuccess); }
cudaError_t cudaDeviceReset() {
    forget_work();
    std::lock_guard<std::mutex> held(lock);
    for (const auto &[begin, b] : blocks) {
        memory.erase(begin);
        std::free(b.raw);
    }
    blocks.clear();
    last_found = nullptr;
    used = 0;
    sticky = last_error = cudaSuccess;
    message.clear();
    message_error = cudaSuccess;
    asked_shared = device.shared_default;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int d) {
    if (d != 0) return answer(cudaErrorInvalidDevice);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
        case cudaDevAttrMaxBlockDimX: *value = 1024; break;
        case cudaDevAttrMaxBlockDimY: *value = 1024; break;
        case cudaDevAttrMaxBlockDimZ: *value = 64; break;
        case cudaDevAttrMaxGridDimX: *value = 0x7fffffff; break;
        case cudaDevAttrMaxGridDimY: *value = 65535; break;
        case cudaDevAttrMaxGridDimZ: *value = 65535; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = int(device.shared_default); break;
        case cudaDevAttrTotalConstantMemory: *value = 65536; break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrMaxRegistersPerBlock: *value = 65536; break;
        case cudaDevAttrClockRate: *value = 1000000; break;
        case cudaDevAttrMultiProcessorCount: *value = 4; break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = device.major == 7 ? 1024 : 2048; break;
        case cudaDevAttrComputeCapabilityMajor: *value = device.major; break;
        case cudaDevAttrComputeCapabilityMinor: *value = device.minor; break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = int(device.shared_multiprocessor); break;
        case cudaDevAttrMaxRegistersPerMultiprocessor: *value = 65536; break;
        case cudaDevAttrManagedMemory: *value = 1; break;
        case cudaDevAttrConcurrentManagedAccess: *value = 1; break;
        case cudaDevAttrCooperativeLaunch: *value = 0; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = int(device.shared_optin); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = device.major == 7 ? 16 : 32; break;
        case cudaDevAttrReservedSharedMemoryPerBlock: *value = device.major == 7 ? 0 : 1024; break;
        case cudaDevAttrMemoryPoolsSupported: *value = 0; break;
        default: return answer(cudaErrorInvalidValue);
    }
    return answer(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int d) {
    if (d != 0) return answer(cudaErrorInvalidDevice);
    auto get = [](cudaDeviceAttr attribute) {
        int value = 0;
        cudaDeviceGetAttribute(&value, attribute, 0);
        return value;
    };
    *p = {};
    std::snprintf(p->name, sizeof p->name, "emulated on the CPU (sm_%d%d)", device.major, device.minor);
    p->totalGlobalMem = total_memory;
    p->sharedMemPerBlock = device.shared_default;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = 32;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = device.major;
    p->minor = device.minor;
    p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    p->canMapHostMemory = p->managedMemory = p->concurrentManagedAccess = p->unifiedAddressing = 1;
    p->l2CacheSize = 4 << 20;
    p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->sharedMemPerMultiprocessor = device.shared_multiprocessor;
    p->sharedMemPerBlockOptin = device.shared_optin;
    p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->reservedSharedMemPerBlock = size_t(get(cudaDevAttrReservedSharedMemoryPerBlock));
    return answer(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return answer(cudaSuccess); }
cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : size_t(8) << 20;
    return answer(cudaSuccess);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return answer(cudaSuccess); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return answer(cudaSuccess); }
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) { return *can = 0, answer(cudaSuccess); }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return answer(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return answer(cudaSuccess);
}
cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDA_VERSION, answer(cudaSuccess); }
cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, answer(cudaSuccess); }
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
    *total = total_memory;
    *free = total_memory - std::min(used, total_memory);
    return answer(cudaSuccess);
}

// Filled with set bits: NaN for floats, so that what nobody has written is seen.
cudaError_t emulated_malloc(void **p, size_t size, int host) {
    *p = nullptr;
    if (sticky != cudaSuccess) return answer(sticky);
    if (size == 0) return answer(cudaSuccess);
    std::lock_guard<std::mutex> held(lock);
    if (size > total_memory - std::min(used, total_memory)) return answer(cudaErrorMemoryAllocation);
    auto *raw = static_cast<char *>(std::aligned_alloc(guard, (size + 3 * guard - 1) / guard * guard));
    if (!raw) return answer(cudaErrorMemoryAllocation);
    std::memset(raw, guard_byte, guard);
    std::memset(raw + guard, 0xff, size);
    std::memset(raw + guard + size, guard_byte, guard);
    const auto begin = reinterpret_cast<uintptr_t>(raw + guard);
    blocks[begin] = {raw, size, host != 0};
    add(begin, size, (host ? "pinned memory of " : "device memory of ") + std::to_string(size) + " bytes");
    used += size;
    *p = raw + guard;
    return answer(cudaSuccess);
}
cudaError_t emulated_malloc_pitch(void **p, size_t *pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return emulated_malloc(p, *pitch * height, 0);
}
cudaError_t cudaFree(void *p) {
    wait_for_all();
    return release(p);
}
cudaError_t cudaFreeHost(void *p) { return cudaFree(p); }
cudaError_t cudaFreeAsync(void *p, cudaStream_t s) {
    wait_for_stream(s);
    return release(p);
}
cudaError_t cudaHostRegister(void *p, size_t size, unsigned) {
    emulated_add_memory(p, size, "registered host memory");
    return answer(cudaSuccess);
}
cudaError_t cudaHostUnregister(void *p) {
    emulated_remove_memory(p);
    return answer(cudaSuccess);
}
void emulated_add_memory(const void *p, size_t size, const char *name) {
    std::lock_guard<std::mutex> held(lock);
    add(reinterpret_cast<uintptr_t>(p), size, std::string(name) + " of " + std::to_string(size) + " bytes");
}
void emulated_remove_memory(const void *p) {
    std::lock_guard<std::mutex> held(lock);
    last_found = nullptr;
    memory.erase(reinterpret_cast<uintptr_t>(p));
}

// A copy from or to memory of the host that is not pinned is done when the call returns.
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
    if (sticky != cudaSuccess) return answer(sticky);
    if (unsigned(kind) > cudaMemcpyDefault) return answer(cudaErrorInvalidMemcpyDirection);
    if (bytes == 0) return answer(cudaSuccess);
    if (!to || !from || !within(to, bytes) || !within(from, bytes)) return answer(cudaErrorInvalidValue);
    put(s, [=] { std::memmove(to, from, bytes); });
    if (!find_memory(uintptr_t(to)) || !find_memory(uintptr_t(from))) wait_for_stream(s);
    return answer(cudaSuccess);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
    wait_for_stream(nullptr);
    return error;
}
cudaError_t cudaMemcpyPeer(void *to, int, const void *from, int, size_t bytes) {
    return cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
}
cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t s) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s);
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t s) {
    if (width > to_pitch || width > from_pitch) return answer(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t error = cudaMemcpyAsync(static_cast<char *>(to) + row * to_pitch,
                                                  static_cast<const char *>(from) + row * from_pitch, width, kind, s);
        if (error != cudaSuccess) return error;
    }
    return answer(cudaSuccess);
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    const cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
    wait_for_stream(nullptr);
    return error;
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t s) {
    if (sticky != cudaSuccess) return answer(sticky);
    if (bytes == 0) return answer(cudaSuccess);
    if (!p || !within(p, bytes)) return answer(cudaErrorInvalidValue);
    put(s, [=] { std::memset(p, value, bytes); });
    return answer(cudaSuccess);
}
cudaError_t cudaMemset(void *p, int value, size_t bytes) { return cudaMemsetAsync(p, value, bytes, nullptr); }
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t s) {
    if (width > pitch) return answer(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t error = cudaMemsetAsync(static_cast<char *>(p) + row * pitch, value, width, s);
        if (error != cudaSuccess) return error;
    }
    return answer(cudaSuccess);
}
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
    return cudaMemset2DAsync(p, pitch, value, width, height, nullptr);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p) {
    std::lock_guard<std::mutex> held(lock);
    const Range *range = find_memory(reinterpret_cast<uintptr_t>(p));
    const auto found = range ? blocks.find(range->begin) : blocks.end();
    const bool host = found != blocks.end() && found->second.host;
    void *pointer = const_cast<void *>(p);
    *a = {!range ? cudaMemoryTypeUnregistered : host ? cudaMemoryTypeHost : cudaMemoryTypeDevice, 0,
          range ? pointer : nullptr, !range || host ? pointer : nullptr};
    return answer(cudaSuccess);
}

// Not kept by kernel: what one has asked for, all may use.
cudaError_t emulated_set_shared(int attribute, int value) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return answer(cudaSuccess);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 || size_t(value) > device.shared_optin)
        return answer(cudaErrorInvalidValue);
    asked_shared = std::max(asked_shared, size_t(value));
    return answer(cudaSuccess);
}
// Without the limit that registers set, which only a GPU's compiler knows.
cudaError_t emulated_occupancy(int *blocks, int block, size_t shared) {
    int threads = 0, most = 0;
    if (block <= 0) return answer(cudaErrorInvalidValue);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
    *blocks = block > 1024 ? 0 : std::min(most, threads / ((block + 31) / 32 * 32));
    if (shared) *blocks = std::min(*blocks, int(device.shared_multiprocessor / (shared + 1024)));
    return answer(cudaSuccess);
}
cudaError_t emulated_function_attributes(cudaFuncAttributes *a) {
    *a = {};
    a->maxThreadsPerBlock = 1024;
    a->numRegs = 32;
    a->ptxVersion = a->binaryVersion = device.major * 10 + device.minor;
    a->maxDynamicSharedSizeBytes = int(asked_shared);
    return answer(cudaSuccess);
}

}  // extern "C"
