// Every load and store of a kernel, when it is compiled with -fsanitize=kernel-address: GCC then
// calls the functions below. They tell accesses outside of memory, of shared memory that nobody
// has written in this block and, when asked, data races within a block.
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../include/emulated/core.h"
#include "internal.h"

namespace emulated {

namespace {

// Who came to a byte of shared memory, and between which barriers.
struct Access {
    unsigned block = 0, warp = 0;
    unsigned short thread = 0;
    bool atomic = false;
};
struct Byte {
    Access write, reads[2];
    bool written = false;
};

std::vector<Byte> shadow;
size_t shadow_used;
Shared dynamic_variable;
std::vector<std::pair<uintptr_t, uintptr_t>> modules;

bool races() {
    static const bool asked = [] {
        const char *value = std::getenv("PORTER_EMULATED_RACES");
        return value && *value && *value != '0';
    }();
    return asked;
}

void find_modules() {
    modules.clear();
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *) {
            for (int k = 0; k < info->dlpi_phnum; ++k)
                if (info->dlpi_phdr[k].p_type == PT_LOAD) {
                    const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
                    modules.emplace_back(begin, begin + info->dlpi_phdr[k].p_memsz);
                }
            return 0;
        },
        nullptr);
}

// Constants, and variables at namespace scope.
bool in_module(uintptr_t address) {
    auto known = [&] {
        for (const auto &[begin, end] : modules)
            if (address - begin < end - begin) return true;
        return false;
    };
    if (known()) return true;
    find_modules();
    return known();
}

// Whether two threads' accesses are without a barrier between them.
bool concurrent(const Access &a, const Access &b) {
    if (a.block != b.block || a.thread == b.thread || (a.atomic && b.atomic)) return false;
    return a.thread / 32 != b.thread / 32 || a.warp == b.warp;
}

std::string hex(uintptr_t address) {
    char text[24];
    std::snprintf(text, sizeof text, "%#lx", static_cast<unsigned long>(address));
    return text;
}

std::string what(bool write, size_t size) {
    return (write ? "writes " : "reads ") + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

std::string named(const Shared &s) {
    std::string text = std::string("shared memory `") + s.name + "`";
    if (s.file) text += std::string(" of ") + s.file + ":" + std::to_string(s.line);
    return text;
}

void check_shared(const Shared &s, uintptr_t address, size_t size, bool write, void *pc) {
    const size_t first = address - reinterpret_cast<uintptr_t>(s.begin);
    if (first >= s.size || size > s.size - first)
        fault_at(cudaErrorIllegalAddress,
                 what(write, size) + " at byte " + std::to_string(first) + " of the " + std::to_string(s.size) +
                     " of " + named(s),
                 pc);
    const Access now{block_epoch(), warp_epoch(), static_cast<unsigned short>(state.current), state.atomically};
    Byte *bytes = &shadow[s.shadow + first];
    for (size_t k = 0; k < size; ++k) {
        Byte &byte = bytes[k];
        if (!write && !byte.written)
            fault_at(cudaErrorLaunchFailure,
                     what(write, size) + " of " + named(s) + ", byte " + std::to_string(first + k) +
                         ", that no thread of the block has written",
                     pc);
        if (races()) {
            const Access *other = byte.written && concurrent(byte.write, now) ? &byte.write : nullptr;
            if (write)
                for (const Access &read : byte.reads)
                    if (read.block && concurrent(read, now)) other = &read;
            if (other)
                fault_at(cudaErrorLaunchFailure,
                         what(write, size) + " of " + named(s) + ", byte " + std::to_string(first + k) + ", that " +
                             thread_name(other->thread) + (other == &byte.write ? " has written" : " has read") +
                             " with no barrier between",
                         pc);
            if (!write) {
                Access *reads = byte.reads;
                if (reads[0].block != now.block || reads[0].thread == now.thread) reads[0] = now;
                else reads[1] = now;
            }
        }
        if (write) {
            byte.written = true;
            byte.write = now;
        }
    }
}

void check(uintptr_t address, size_t size, bool write, void *pc) {
    if (!state.running || state.unchecked || on_stack(address)) return;
    if (address - reinterpret_cast<uintptr_t>(&state) < sizeof state) return;
    for (const Shared &s : shared_variables())
        if (address - reinterpret_cast<uintptr_t>(s.begin) < s.size + s.after)
            return check_shared(s, address, size, write, pc);
    const size_t dynamic = address - reinterpret_cast<uintptr_t>(dynamic_shared);
    if (dynamic < most_shared + after_shared) return check_shared(dynamic_variable, address, size, write, pc);
    if (const Range *range = find_memory(address)) {
        if (size <= range->end - address) return;
    } else if (in_call(address) || in_module(address)) {
        return;
    }
    fault_at(cudaErrorIllegalAddress,
             what(write, size) + " at " + hex(address) + nearest_memory(address) + ", which is no memory of the device",
             pc);
}

}  // namespace

void know_shared(Shared &s) {
    s.shadow = shadow_used;
    shadow_used += s.size;
    if (shadow.size() < shadow_used) shadow.resize(shadow_used);
    std::fill(shadow.begin() + long(s.shadow), shadow.begin() + long(shadow_used), Byte{});
}

void forget_shared(size_t dynamic) {
    shadow_used = 0;
    dynamic_variable = {dynamic_shared, dynamic, after_shared, "extern __shared__", nullptr, 0, 0};
    if (dynamic) know_shared(dynamic_variable);
}

}  // namespace emulated

#define EMULATED_CALLER __builtin_return_address(0)
#define EMULATED_ACCESS(size) \
    EMULATED_PUBLIC void __asan_load##size##_noabort(uintptr_t p) { emulated::check(p, size, false, EMULATED_CALLER); } \
    EMULATED_PUBLIC void __asan_store##size##_noabort(uintptr_t p) { emulated::check(p, size, true, EMULATED_CALLER); }
extern "C" {
EMULATED_ACCESS(1)
EMULATED_ACCESS(2)
EMULATED_ACCESS(4)
EMULATED_ACCESS(8)
EMULATED_ACCESS(16)
EMULATED_PUBLIC void __asan_loadN_noabort(uintptr_t p, size_t n) { emulated::check(p, n, false, EMULATED_CALLER); }
EMULATED_PUBLIC void __asan_storeN_noabort(uintptr_t p, size_t n) { emulated::check(p, n, true, EMULATED_CALLER); }
EMULATED_PUBLIC void __asan_handle_no_return() {}
// Around the initialization of globals, which stay plain.
EMULATED_PUBLIC void __asan_before_dynamic_init(const char *) {}
EMULATED_PUBLIC void __asan_after_dynamic_init() {}

// What GCC passes for a place that it found wrong: documented by how compiler-rt reads it.
struct EmulatedPlace {
    const char *file;
    unsigned line, column;
};
struct EmulatedType {
    unsigned short kind, info;
    char name[1];
};
struct EmulatedMismatch {
    EmulatedPlace place;
    const EmulatedType *type;
    unsigned char log_alignment, kind;
};
struct EmulatedBounds {
    EmulatedPlace place;
    const EmulatedType *array, *index;
};
EMULATED_PUBLIC void __ubsan_handle_type_mismatch_v1(EmulatedMismatch *m, uintptr_t address) {
    // Null pointers are left to the access itself.
    if (!emulated::state.running || address == 0 || address % (uintptr_t(1) << m->log_alignment) == 0) return;
    const std::string text = "misaligned address " + emulated::hex(address) + " for " + m->type->name;
    emulated::fault(cudaErrorMisalignedAddress, text.c_str(), m->place.file, m->place.line);
}
EMULATED_PUBLIC void __ubsan_handle_out_of_bounds(EmulatedBounds *b, uintptr_t index) {
    if (!emulated::state.running) return;
    const std::string text = "index " + std::to_string(long(index)) + " is outside of " + b->array->name;
    emulated::fault(cudaErrorIllegalAddress, text.c_str(), b->place.file, b->place.line);
}
}
