// Kernels: one thread a block, of which one runs at a time, in their order; a block that waits for the
// others lets the next one go on. So runs are the same every time, and waits without an end are seen.
#include <execinfo.h>
#include <dlfcn.h>

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "internal.h"

namespace ascend {
namespace {

enum class State { ready, waits, ended };

struct Launch {
    std::mutex lock;
    std::condition_variable turn;
    std::vector<State> blocks;
    uint32_t current = 0, arrived = 0;
    uint32_t fruitless = 0;  // turns in which a block found that what it waits for is not there yet
    std::string failed;  // why no block goes on
    std::map<uint16_t, uint64_t> flags;  // how often blocks set them

    // The next block that can run; when all that are left wait for each other, they have arrived.
    void pass() {
        const auto count = static_cast<uint32_t>(blocks.size());
        for (uint32_t k = 1; k <= count; ++k) {
            const uint32_t next = (current + k) % count;
            if (blocks[next] != State::ready) continue;
            current = next;
            turn.notify_all();
            return;
        }
        uint32_t ended = 0;
        for (const State s : blocks) ended += s == State::ended;
        if (ended == count) return;
        if (ended && failed.empty())
            failed = "SyncAll would hang: " + std::to_string(count - ended) + " of " + std::to_string(count) +
                     " blocks wait, and the others have ended";
        for (State &s : blocks)
            if (s == State::waits) s = State::ready;
        arrived = 0;
        pass();
    }
};

thread_local Launch *launch;
thread_local uint32_t own_index;

}  // namespace
}  // namespace ascend

using namespace ascend;

// Runs `body` once for each block, in the stream. What it throws it has to catch itself.
API void emulated_ascend_launch(const char *kernel, uint32_t count, void (*body)(void *, uint32_t), void (*end)(void *),
                                void *data, void *stream) {
    put(stream, [=, name = std::string(kernel)] {
        if (!fault()) {
            emulated_ascend_count("kernel", name.c_str());
            Launch own;
            own.blocks.assign(count, State::ready);
            std::vector<std::thread> threads;
            for (uint32_t k = 0; k < count; ++k)
                threads.emplace_back([&own, k, body, data] {
                    launch = &own;
                    own_index = k;
                    std::unique_lock held(own.lock);
                    own.turn.wait(held, [&] { return own.current == k; });
                    if (own.failed.empty()) {
                        held.unlock();
                        body(data, k);
                        held.lock();
                    }
                    own.blocks[k] = State::ended;
                    own.fruitless = 0;
                    own.pass();
                });
            for (std::thread &each : threads) each.join();
        }
        end(data);
    });
}

// A block waits for all others; false when that has no end, or another has failed.
API bool emulated_ascend_sync_all(char *why, size_t room) {
    std::unique_lock held(launch->lock);
    launch->blocks[own_index] = State::waits;
    launch->fruitless = 0;
    launch->pass();
    launch->turn.wait(held, [&] { return launch->current == own_index && launch->blocks[own_index] == State::ready; });
    std::snprintf(why, room, "%s", launch->failed.c_str());
    return launch->failed.empty();
}

// Another block may go on first: who waits for what it writes is to see it. 0 if another has failed, 2
// if nobody goes on: each had a turn to write what it does before its own wait, and one to look again.
API int emulated_ascend_yield() {
    std::unique_lock held(launch->lock);
    if (++launch->fruitless > 2 * launch->blocks.size()) return 2;
    launch->pass();
    launch->turn.wait(held, [&] { return launch->current == own_index; });
    return launch->failed.empty();
}
// What a block waited for is there.
API void emulated_ascend_awaited() {
    std::lock_guard held(launch->lock);
    launch->fruitless = 0;
}

// How often a flag was set by any block, once more or as it is.
API uint64_t emulated_ascend_flag(uint16_t id, uint32_t set) {
    std::lock_guard held(launch->lock);
    return launch->flags[id] += set != 0;
}

API void emulated_ascend_failed(const char *why) {
    std::lock_guard held(launch->lock);
    if (launch->failed.empty()) launch->failed = why;
}

// The caller's place outside of the emulation's own headers: " at file:line", or nothing.
API void emulated_ascend_where(char *text, size_t room) {
    *text = 0;
    void *frames[64];
    const int count = backtrace(frames, 64);
    for (int k = 1; k < count; ++k) {
        Dl_info info;
        if (!dladdr(frames[k], &info) || !info.dli_fname) continue;
        const auto address = reinterpret_cast<uintptr_t>(frames[k]) - reinterpret_cast<uintptr_t>(info.dli_fbase) - 1;
        char command[4200];
        // A program that is not position independent has its addresses as they are.
        std::snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%zx 0x%zx 2>/dev/null", info.dli_fname, address,
                      address + reinterpret_cast<uintptr_t>(info.dli_fbase));
        FILE *lines = popen(command, "r");
        if (!lines) return;
        char line[4200];
        bool found = false;
        while (std::fgets(line, sizeof line, lines)) {
            line[std::strcspn(line, " \n")] = 0;
            if (found || line[0] == '?' || std::strstr(line, "/emulated_npu/") || std::strstr(line, "/bits/") ||
                std::strstr(line, "/include/c++/") || std::strstr(line, "ascend/runtime/"))
                continue;
            std::snprintf(text, room, " at %s", line);
            found = true;
        }
        pclose(lines);
        if (found) return;
    }
}
