// Launches. `k<<<blocks, nullptr, stream>>>(x)` was rewritten as a call of `emulated::prepare`.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

extern "C" {
void emulated_ascend_launch(const char *kernel, uint32_t count, void (*body)(void *, uint32_t), void (*end)(void *),
                            void *data, void *stream);
bool emulated_ascend_sync_all(char *why, size_t room);
int emulated_ascend_yield();
void emulated_ascend_awaited();
uint64_t emulated_ascend_flag(uint16_t id, uint32_t set);
void emulated_ascend_failed(const char *why);
void emulated_ascend_fault(const char *what);
void emulated_ascend_where(char *text, size_t room);
bool emulated_ascend_memory(const void *p, uintptr_t *begin, uintptr_t *end);
void emulated_ascend_describe(const void *p, char *text, size_t room);
}

namespace emulated {

struct Place {
    const char *kernel, *file;
    int line;
};
// Ends a block. The text says what, and where in the user's code.
struct Fault {
    std::string text;
};
[[noreturn]] inline void fault(const std::string &what) {
    char where[4300];
    emulated_ascend_where(where, sizeof where);
    throw Fault{what + where};
}

void begin_block(const Place &, uint32_t index, uint32_t count);
void end_block();

template <class F> void run_block(const Place &place, uint32_t index, uint32_t count, F &&call) {
    try {
        begin_block(place, index, count);
        call();
    } catch (const Fault &fault) {
        if (!fault.text.empty()) {  // empty: another block's
            const std::string said = "kernel `" + std::string(place.kernel) + "` launched at " + place.file + ":" +
                                     std::to_string(place.line) + ": block " + std::to_string(index) + ": " + fault.text;
            emulated_ascend_fault(said.c_str());
            emulated_ascend_failed(said.c_str());
        }
    }
    end_block();
}

template <class F> struct Prepared {
    Place place;
    F call;
    uint32_t count;
    void *stream;

    template <class... A> void operator()(A... arguments) const {
        struct Work {
            Place place;
            F call;
            uint32_t count;
            std::tuple<A...> arguments;
        };
        auto *work = new Work{place, call, count, {arguments...}};
        const auto body = [](void *data, uint32_t index) {
            auto *w = static_cast<Work *>(data);
            auto own = w->arguments;  // a block may change what it was given
            run_block(w->place, index, w->count, [&] { std::apply(w->call, own); });
        };
        emulated_ascend_launch(place.kernel, count, body, [](void *data) { delete static_cast<Work *>(data); }, work,
                               stream);
    }
};

// The stream as callers have it: an aclrtStream, or what converts to one.
template <class F, class L2, class Stream>
Prepared<F> prepare(Place place, F call, uint32_t count, L2, const Stream &stream) {
    void *handle;
    if constexpr (std::is_same_v<Stream, std::nullptr_t>) {
        handle = nullptr;
    } else {
        handle = stream;
    }
    return {place, call, count, handle};
}
template <class F> Prepared<F> prepare(Place place, F call, uint32_t count) { return {place, call, count, nullptr}; }

}  // namespace emulated
