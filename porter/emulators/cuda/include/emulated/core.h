// A kernel's threads on the CPU: who runs now, launches, barriers, and how a fault ends a kernel.
//
// One kernel runs at a time in a process, block after block, a block's threads one after another.
// A thread that waits keeps its stack, a fiber; the next goes on with another one (runtime.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "../driver_types.h"
#include "../host_defines.h"
#include "../vector_types.h"

#define EMULATED_PUBLIC __attribute__((visibility("default")))
// Where a function of ours was called: default arguments are evaluated at the call.
#define EMULATED_HERE const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()

namespace emulated {

#ifdef __SANITIZE_ADDRESS__
constexpr bool checked = true;
#else
constexpr bool checked = false;
#endif

struct Place {
    const char *kernel, *file;
    unsigned line;
};

struct State {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
    unsigned plain;    // threads that can begin on this stack, since none waits so far
    unsigned current;  // the thread's number in its block
    unsigned serial;   // the block's number, counted over all launches
    bool running;
    bool atomically;   // whether an atomic function is at work
    bool unchecked;    // whether a function of ours is, which uses memory of the host
};
extern EMULATED_PUBLIC State state;
extern EMULATED_PUBLIC unsigned char dynamic_shared[];

struct Launched {
    Place place;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    void (*threads)(void *);
    void *call;
    size_t call_size;
    void *(*copy)(const void *);  // of the call, which a late stream needs
    void (*drop)(void *);
    bool checked;  // whether every load and store is
};

struct Unchecked {
    Unchecked() { state.unchecked = true; }
    ~Unchecked() { state.unchecked = false; }
};

EMULATED_PUBLIC void launch(const Launched &);
EMULATED_PUBLIC bool next_thread();
EMULATED_PUBLIC void declare_shared(void *, size_t, size_t after, const char *name, const char *file,
                                    unsigned line);
// Ends the kernel, whose launch then has this error; outside of a kernel, ends the process.
[[noreturn]] EMULATED_PUBLIC void fault(cudaError_t, const char *what, EMULATED_HERE);
// Ends the kernel since `what` cannot be emulated.
[[noreturn]] EMULATED_PUBLIC void refuse(const char *what, EMULATED_HERE);

enum class Count { plain, count, all, any };
EMULATED_PUBLIC int block_barrier(int predicate, Count, const char *file, unsigned line);

// What the lanes of a warp do together. All named lanes that have not left the kernel must come.
enum class Together : unsigned char { sync, shuffle, vote, gather, active };
struct Op {
    Together kind;
    unsigned mask;
    unsigned from;      // shuffle: lane whose value this one gets
    unsigned size;      // shuffle: bytes of the value
    void *value;        // shuffle: own value, then that of `from`; gather: own 64 bits
    uint64_t *values;   // gather: room for the values of 32 lanes
    unsigned predicate; // vote: 0 or 1; afterwards the lanes that said 1
    unsigned came;      // afterwards: the lanes that took part
    const char *file;
    unsigned line;
};
EMULATED_PUBLIC void together(Op &);

inline unsigned lane() { return state.current & 31u; }

inline bool next() {
    if (state.plain == 0) return next_thread();
    --state.plain;
    ++state.current;
    if (++state.thread.x == state.block_dim.x) {
        state.thread.x = 0;
        if (++state.thread.y == state.block_dim.y) {
            state.thread.y = 0;
            ++state.thread.z;
        }
    }
    return true;
}

// `kernel<<<grid, block, shared, stream>>>(arguments)` is written as
// `prepare(place, [=](auto &...a) { kernel(a...); }, grid, block, shared, stream)(arguments)`:
// the arguments are evaluated once, and a kernel's template parameters deduced as ever.
template <class Kernel>
struct Launch {
    Place place;
    Kernel kernel;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    template <class... A>
    void operator()(A... arguments) {
        struct Call {
            Kernel kernel;
            std::tuple<A...> arguments;
        } call{kernel, std::tuple<A...>(std::move(arguments)...)};
        launch({place, grid, block, shared, stream,
                [](void *p) {
                    auto &c = *static_cast<Call *>(p);
                    do std::apply(c.kernel, c.arguments);
                    while (next());
                },
                &call, sizeof call, [](const void *p) -> void * { return new Call(*static_cast<const Call *>(p)); },
                [](void *p) { delete static_cast<Call *>(p); }, checked});
    }
};

template <class Kernel>
inline Launch<Kernel> prepare(Place place, Kernel kernel, dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = nullptr) {
    return {place, kernel, grid, block, shared, stream};
}

// Makes a `__shared__` variable known to the block that runs: its value is undefined then.
template <class T>
inline void shared(T &variable, unsigned &seen, size_t after, const char *name, EMULATED_HERE) {
    if (seen == state.serial) return;
    seen = state.serial;
    declare_shared(const_cast<void *>(static_cast<const volatile void *>(&variable)), sizeof variable,
                   after, name, file, line);
}

}  // namespace emulated

static constexpr const uint3 &threadIdx = emulated::state.thread;
static constexpr const uint3 &blockIdx = emulated::state.block;
static constexpr const dim3 &blockDim = emulated::state.block_dim;
static constexpr const dim3 &gridDim = emulated::state.grid_dim;
static constexpr int warpSize = 32;

// `asm volatile(...)` is written as this.
#define EMULATED_ASM(...) ::emulated::refuse("inline PTX")

// `assert` in a kernel ends the kernel; elsewhere the process, as ever.
#define __assert_fail emulated_assert_fail
extern "C" [[noreturn]] EMULATED_PUBLIC void emulated_assert_fail(const char *, const char *, unsigned,
                                                                  const char *) noexcept;

inline void __syncthreads(EMULATED_HERE) {
    emulated::block_barrier(0, emulated::Count::plain, file, line);
}
inline int __syncthreads_count(int predicate, EMULATED_HERE) {
    return emulated::block_barrier(predicate, emulated::Count::count, file, line);
}
inline int __syncthreads_and(int predicate, EMULATED_HERE) {
    return emulated::block_barrier(predicate, emulated::Count::all, file, line);
}
inline int __syncthreads_or(int predicate, EMULATED_HERE) {
    return emulated::block_barrier(predicate, emulated::Count::any, file, line);
}
[[noreturn]] inline void __trap(EMULATED_HERE) {
    emulated::fault(cudaErrorLaunchFailure, "__trap() was called", file, line);
}
inline void __brkpt() {}
// One thread at a time: what one has written, the next sees.
inline void __threadfence() { __asm__ volatile("" ::: "memory"); }
inline void __threadfence_block() { __asm__ volatile("" ::: "memory"); }
inline void __threadfence_system() { __asm__ volatile("" ::: "memory"); }
