// Memory of the device is memory of the host whose bounds are known. It is NaN until it is written,
// and again when it is freed; a while later it is given back.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "internal.h"

namespace ascend {
namespace {

constexpr size_t alignment = 512, guard = 256, most_freed = size_t(64) << 20;
constexpr int never_written = 0xff, beside = 0xfd;

struct Block {
    char *raw;
    Range range;
};

std::recursive_mutex lock;
std::map<uintptr_t, Block> blocks;  // by beginning
std::deque<uintptr_t> freed;
size_t used, kept;

char *aligned(size_t size) {
    return static_cast<char *>(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
}

// Bytes that were written beyond an allocation.
void check(const Block &b) {
    const char *begin = reinterpret_cast<char *>(b.range.begin), *end = reinterpret_cast<char *>(b.range.end);
    for (const char *p : {begin - guard, end})
        if (std::any_of(p, p + guard, [](char c) { return static_cast<unsigned char>(c) != beside; }))
            set_fault(std::string("memory was written ") + (p == end ? "past the end" : "before the beginning") +
                      " of an allocation of " + std::to_string(b.range.end - b.range.begin) + " bytes");
}

void give_back(uintptr_t begin) {
    const auto found = blocks.find(begin);
    kept -= found->second.range.end - found->second.range.begin;
    std::free(found->second.raw);
    blocks.erase(found);
}

Error copy(void *to, size_t room, const void *from, size_t count) {
    if (count == 0) return ok;
    if (!to || !from) return refuse(invalid_parameter, "a copy from or to no memory");
    if (count > room)
        return refuse(invalid_parameter, "a copy of " + std::to_string(count) + " bytes to a place for " +
                                             std::to_string(room));
    for (const void *p : {static_cast<const void *>(to), from}) {
        const Range *range = find_memory(reinterpret_cast<uintptr_t>(p));
        if (range && range->freed)
            return refuse(invalid_parameter, "a copy of memory that was freed: " +
                                                 describe_memory(reinterpret_cast<uintptr_t>(p)));
        if (range && reinterpret_cast<uintptr_t>(p) + count > range->end)
            return refuse(invalid_parameter, "a copy of " + std::to_string(count) + " bytes that goes past " +
                                                 describe_memory(reinterpret_cast<uintptr_t>(p)));
    }
    std::memmove(to, from, count);
    return ok;
}

}  // namespace

const Range *find_memory(uintptr_t address) {
    std::lock_guard held(lock);
    auto after = blocks.upper_bound(address);
    if (after == blocks.begin()) return nullptr;
    const Range &range = std::prev(after)->second.range;
    return address < range.end || (address == range.begin) ? &range : nullptr;
}

std::string describe_memory(uintptr_t address) {
    std::lock_guard held(lock);
    auto after = blocks.upper_bound(address);
    if (after == blocks.begin()) return "no memory of the device";
    const Range &range = std::prev(after)->second.range;
    const size_t size = range.end - range.begin;
    if (address >= range.end + (size_t(1) << 20)) return "no memory of the device";
    return std::string(range.freed ? "memory that was freed, " : "memory of the device of ") +
           std::to_string(size) + " bytes, at byte " + std::to_string(address - range.begin);
}

}  // namespace ascend

using namespace ascend;

API Error aclrtMalloc(void **p, size_t size, int) {
    std::lock_guard held(lock);
    if (!p) return refuse(invalid_parameter, "aclrtMalloc without a place for the address");
    if (used + size > total_memory)
        return refuse(out_of_memory, "the emulated device has " + std::to_string(total_memory >> 30) + " GiB");
    char *raw = aligned(size + alignment + guard);  // all of the first part is before the memory
    if (!raw) return refuse(out_of_memory, "the host has no memory for it");
    char *begin = raw + alignment;
    std::memset(begin - guard, beside, guard);
    std::memset(begin, never_written, size);
    std::memset(begin + size, beside, guard);
    const auto at = reinterpret_cast<uintptr_t>(begin);
    blocks[at] = {raw, {at, at + size, false}};
    used += size;
    *p = begin;
    return ok;
}
API Error aclrtMallocAlign32(void **p, size_t size, int policy) { return aclrtMalloc(p, size, policy); }
API Error aclrtMallocCached(void **p, size_t size, int policy) { return aclrtMalloc(p, size, policy); }
API Error aclrtMallocWithCfg(void **p, size_t size, int policy, void *) { return aclrtMalloc(p, size, policy); }
// By what comes last in a stream, so that nothing has to be waited for.
API Error emulated_ascend_release(void *p) {
    std::lock_guard held(lock);
    const auto found = blocks.find(reinterpret_cast<uintptr_t>(p));
    if (found == blocks.end()) return refuse(invalid_parameter, "aclrtFree of what aclrtMalloc did not give");
    Block &block = found->second;
    if (block.range.freed) return refuse(invalid_parameter, "aclrtFree of memory that was freed before");
    check(block);
    const size_t size = block.range.end - block.range.begin;
    std::memset(p, never_written, size);
    block.range.freed = true;
    freed.push_back(block.range.begin);
    used -= size;
    kept += size;
    while (kept > most_freed && !freed.empty()) {
        give_back(freed.front());
        freed.pop_front();
    }
    return ok;
}
// Memory of the host that is the device's for a while, with what it holds: of a framework that has no such device.
API void emulated_ascend_adopt(void *p, size_t size) {
    std::lock_guard held(lock);
    const auto at = reinterpret_cast<uintptr_t>(p);
    Block &block = blocks[at];  // views of one tensor begin at one address
    block.range = {at, std::max(at + size, block.range.end), false};
}
API void emulated_ascend_disown(void *p) {
    wait_for_all();
    std::lock_guard held(lock);
    blocks.erase(reinterpret_cast<uintptr_t>(p));
}
API Error aclrtFree(void *p) {
    wait_for_all();  // what still waits may use it, as the documentation says
    return emulated_ascend_release(p);
}
API Error aclrtFreeWithDevSync(void *p) { return aclrtFree(p); }

API Error aclrtMallocHost(void **p, size_t size) {
    *p = aligned(std::max<size_t>(size, 1));
    return *p ? ok : refuse(out_of_memory, "the host has no memory for it");
}
API Error aclrtMallocHostWithCfg(void **p, uint64_t size, void *) { return aclrtMallocHost(p, size); }
API Error aclrtFreeHost(void *p) {
    wait_for_all();
    std::free(p);
    return ok;
}
API Error aclrtHostRegister(void *p, uint64_t, int, void **device) { return *device = p, ok; }
API Error aclrtHostUnregister(void *) { return ok; }

API Error aclrtMemcpy(void *to, size_t room, const void *from, size_t count, int) {
    wait_for_all();
    return copy(to, room, from, count);
}
API Error aclrtMemcpyAsync(void *to, size_t room, const void *from, size_t count, int, void *stream) {
    if (count > room) return copy(to, room, from, count);
    put(stream, [=] {
        if (copy(to, room, from, count)) set_fault("a copy failed");
    });
    return ok;
}
API Error aclrtMemcpyAsyncWithCondition(void *to, size_t room, const void *from, size_t count, int kind, void *stream) {
    return aclrtMemcpyAsync(to, room, from, count, kind, stream);
}
API Error aclrtMemset(void *to, size_t room, int32_t value, size_t count) {
    wait_for_all();
    if (count > room) return copy(to, room, to, count);
    std::memset(to, value, count);
    return ok;
}
API Error aclrtMemsetAsync(void *to, size_t room, int32_t value, size_t count, void *stream) {
    if (count > room) return copy(to, room, to, count);
    put(stream, [=] { std::memset(to, value, count); });
    return ok;
}
API Error aclrtGetMemInfo(int, size_t *free, size_t *total) {
    std::lock_guard held(lock);
    *free = total_memory - used;
    *total = total_memory;
    return ok;
}

// Who asks how much of a pointer is memory of the device: the kernels' side, and tests.
API bool emulated_ascend_memory(const void *p, uintptr_t *begin, uintptr_t *end) {
    std::lock_guard held(lock);
    const Range *range = find_memory(reinterpret_cast<uintptr_t>(p));
    if (!range || range->freed) return false;
    *begin = range->begin;
    *end = range->end;
    return true;
}
API void emulated_ascend_describe(const void *p, char *text, size_t room) {
    std::snprintf(text, room, "%s", describe_memory(reinterpret_cast<uintptr_t>(p)).c_str());
}

// Not there: memory by pages, shared with other processes or other devices.
#define NOT_THERE(name) \
    API Error name() { return refuse(unsupported, #name " is not emulated"); }
NOT_THERE(aclrtReserveMemAddress)
NOT_THERE(aclrtReleaseMemAddress)
NOT_THERE(aclrtMallocPhysical)
NOT_THERE(aclrtFreePhysical)
NOT_THERE(aclrtMapMem)
NOT_THERE(aclrtUnmapMem)
NOT_THERE(aclrtMemExportToShareableHandle)
NOT_THERE(aclrtMemImportFromShareableHandle)
NOT_THERE(aclrtMemSetPidToShareableHandle)
