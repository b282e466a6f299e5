// Runs kernels: the threads of a block one after another, each on a stack of its own from where
// it waits for others.
#include <cxxabi.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../include/emulated/atomics.h"
#include "fibers.h"
#include "internal.h"

#define EMULATED_HOT __attribute__((always_inline)) inline

namespace emulated {

State state;
alignas(256) unsigned char dynamic_shared[most_shared + after_shared];

namespace {

enum class Waits : unsigned char { no, block, warp, left };

struct Thread {
    Fiber *fiber;
    Op *op;
    const char *file;
    unsigned line;
    Waits waits;
};

struct Warp {
    unsigned live;     // lanes that have not left
    unsigned waiting;  // lanes that wait in an Op
};

struct Block {
    bool backwards;  // its threads begin with the last, and go on from a barrier so
    unsigned eager;  // how often a warp has gone on before others
    Thread threads[most_threads];
    Warp warps[most_threads / 32];
    uint3 where[most_threads];
    unsigned short ready[most_threads];  // a ring: threads that may go on
    unsigned first_ready, ready_count;
    unsigned total, begun, left;
    bool waited;  // whether any thread has waited so far: until then nothing is counted
    unsigned arrived, sum, result;
    const char *file;  // of the barrier that the first to arrive waits in
    unsigned line;
    unsigned epoch, warp_epochs[most_threads / 32];
};

Block block;
Fibers fibers;
Fiber *running;
Context host;
const Launched *launched;
pthread_t launching;
std::recursive_mutex one_at_a_time;
std::vector<Shared> declared;
size_t static_shared;
bool faulted;
cudaError_t fault_error;
std::string fault_text;
bool allow_left = std::getenv("PORTER_EMULATED_LEFT") != nullptr;
bool both_orders = [] {
    const char *said = std::getenv("PORTER_EMULATED_ORDERS");
    return said && !std::strcmp(said, "both");
}();

EMULATED_HOT void set_current(unsigned thread) {
    state.current = thread;
    state.thread = block.where[thread];
}

EMULATED_HOT void push(unsigned thread) {
    block.threads[thread].waits = Waits::no;
    block.ready[(block.first_ready + block.ready_count++) % most_threads] =
        static_cast<unsigned short>(thread);
}

// Before those that may go on already.
EMULATED_HOT void push_first(unsigned thread) {
    block.threads[thread].waits = Waits::no;
    block.first_ready = (block.first_ready + most_threads - 1) % most_threads;
    ++block.ready_count;
    block.ready[block.first_ready] = static_cast<unsigned short>(thread);
}

// Whether other threads go on first this time: one of them may be waited for.
EMULATED_HOT bool behind() { return block.eager % 64 == 63; }

// The thread that is the k-th of its block to begin.
EMULATED_HOT unsigned in_order(unsigned k) { return block.backwards ? block.total - 1 - k : k; }

EMULATED_HOT unsigned pop() {
    const unsigned thread = block.ready[block.first_ready];
    block.first_ready = (block.first_ready + 1) % most_threads;
    --block.ready_count;
    return thread;
}

EMULATED_HOT void go_to(Fiber *next) {
    Fiber *from = running;
    running = next;
    from->context.go(next->context);
}

void fiber_main();
void stuck();

// From here on it is counted who waits and who has left: so many have already.
void count_from(unsigned left) {
    block.waited = true;
    block.begun = left + 1;
    block.left = left;
    state.plain = 0;
    for (unsigned t = 0; t < block.total; ++t)
        block.threads[t].waits = t < block.left ? Waits::left : Waits::no;
    for (unsigned w = 0; w * 32 < block.total; ++w) {
        const unsigned lanes = block.total - w * 32;
        unsigned live = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        if (block.left > w * 32) {
            const unsigned gone = block.left - w * 32;
            live = gone >= 32 ? 0 : live & (~0u << gone);
        }
        block.warps[w] = {live, 0};
    }
}

// The first thread that waits.
void begin_counting() { count_from(state.current); }

EMULATED_HOT void begin_fresh(Thread &self) {
    self.fiber = running;
    Fiber *fresh = fibers.take(fiber_main);
    set_current(in_order(block.begun++));
    go_to(fresh);
}

// The current thread waits: another one goes on, and this function returns when it may.
EMULATED_HOT void wait() {
    const unsigned self = state.current;
    Thread &thread = block.threads[self];
    thread.fiber = running;
    const bool fresh = block.begun < block.total;
    if (!block.ready_count && !fresh) stuck();
    if (block.ready_count && !(fresh && behind())) {
        const unsigned next = pop();
        set_current(next);
        if (next != self) go_to(block.threads[next].fiber);
    } else {
        begin_fresh(thread);
    }
}

void release_block(bool self_waits) {
    block.result = block.sum;
    block.sum = block.arrived = 0;
    ++block.epoch;
    for (unsigned k = 0; k < block.total; ++k) {
        const unsigned t = in_order(k);
        if (block.threads[t].waits == Waits::block && !(self_waits && t == state.current)) push(t);
    }
    if (self_waits) block.threads[state.current].waits = Waits::no;
}

std::string threads_named(unsigned first, unsigned last) {
    auto one = [](unsigned t) {
        const uint3 w = block.where[t];
        return "(" + std::to_string(w.x) + "," + std::to_string(w.y) + "," + std::to_string(w.z) + ")";
    };
    return first == last ? "thread " + one(first) : "threads " + one(first) + " to " + one(last);
}

std::string at(const char *file, unsigned line) { return std::string(file) + ":" + std::to_string(line); }

std::string what_waits(unsigned t) {
    const Thread &thread = block.threads[t];
    static const char *const names[] = {"__syncwarp", "a warp shuffle", "a warp vote",
                                        "a warp match or reduction", "__activemask"};
    switch (thread.waits) {
        case Waits::block: return "in __syncthreads at " + at(thread.file, thread.line);
        case Waits::warp: {
            char mask[16];
            std::snprintf(mask, sizeof mask, "0x%08x", thread.op->mask);
            return std::string("in ") + names[int(thread.op->kind)] + " (mask " + mask + ") at " +
                   at(thread.op->file, thread.op->line);
        }
        case Waits::left: return "left the kernel";
        case Waits::no: break;
    }
    return "running";
}

std::string who_waits_where() {
    std::string text;
    unsigned groups = 0;
    for (unsigned t = 0; t < block.total;) {
        unsigned last = t;
        const std::string what = what_waits(t);
        while (last + 1 < block.total && what_waits(last + 1) == what) ++last;
        if (++groups > 8) return text + "; and so on";
        text += (text.empty() ? "" : "; ") + threads_named(t, last) + ": " + what;
        t = last + 1;
    }
    return text;
}

[[noreturn]] void stop(cudaError_t error, const std::string &what) {
    faulted = true;
    fault_error = error;
    fault_text = what;
    Context nowhere;
    nowhere.go(host);
    std::abort();
}

[[noreturn]] void thread_fault(cudaError_t error, const std::string &what) {
    const uint3 b = state.block, t = state.thread;
    char who[160];
    std::snprintf(who, sizeof who, "block (%u,%u,%u), thread (%u,%u,%u): ", b.x, b.y, b.z, t.x, t.y, t.z);
    stop(error, who + what);
}

[[noreturn]] void divergent(const std::string &what) {
    const uint3 b = state.block;
    char who[96];
    std::snprintf(who, sizeof who, "block (%u,%u,%u): ", b.x, b.y, b.z);
    stop(cudaErrorLaunchFailure, who + what + ": " + who_waits_where());
}

bool same_place(const Op &a, const Op &b) {
    return a.line == b.line && (a.file == b.file || !std::strcmp(a.file, b.file));
}

// Lanes of a warp go on, before other warps, which need not have come as far: what is read or written
// without a barrier between is seen to be wrong.
EMULATED_HOT void release(unsigned first, unsigned lanes, bool self_waits) {
    ++block.eager;
    const bool others = behind();
    const unsigned self = self_waits ? state.current : most_threads;
    for (unsigned k = 0; k < 32; ++k) {
        const unsigned l = others == block.backwards ? 31 - k : k, t = first + l;
        if (!(lanes >> l & 1)) continue;
        if (t == self) block.threads[t].waits = Waits::no;
        else if (others) push(t);
        else push_first(t);
    }
}

void finish_active(unsigned first, unsigned lanes, bool self_waits) {
    block.warps[first / 32].waiting &= ~lanes;
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        block.threads[first + unsigned(__builtin_ctz(rest))].op->came = lanes;
    release(first, lanes, self_waits);
}

// Lanes that wait in `__activemask` at the same place as thread t.
unsigned active_with(unsigned t) {
    const unsigned first = t & ~31u;
    unsigned lanes = 0;
    for (unsigned rest = block.warps[t / 32].waiting; rest; rest &= rest - 1) {
        const unsigned l = unsigned(__builtin_ctz(rest));
        const Op &other = *block.threads[first + l].op;
        if (other.kind == Together::active && same_place(other, *block.threads[t].op)) lanes |= 1u << l;
    }
    return lanes;
}

// Values are mostly of four or eight bytes, and a call for each would cost more than the copy.
EMULATED_HOT void copy(void *to, const void *from, unsigned size) {
    if (size == 4) std::memcpy(to, from, 4);
    else if (size == 8) std::memcpy(to, from, 8);
    else std::memcpy(to, from, size);
}

// Finishes what thread t waits for with others of its warp, if all are there.
bool try_together(unsigned t, bool self_waits) {
    const unsigned first = t & ~31u;
    Warp &warp = block.warps[t / 32];
    const Op &op = *block.threads[t].op;
    const unsigned lanes = op.mask & warp.live;
    if ((warp.waiting & lanes) != lanes) return false;
    if (op.kind == Together::active) {
        if (active_with(t) != lanes) return false;
        finish_active(first, lanes, self_waits);
        return true;
    }
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const Op &other = *block.threads[first + unsigned(__builtin_ctz(rest))].op;
        if (other.kind != op.kind || other.mask != op.mask) return false;
    }
    uint64_t values[32];
    alignas(8) unsigned char shuffled[32][32];
    unsigned said = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const unsigned l = unsigned(__builtin_ctz(rest));
        const Op &one = *block.threads[first + l].op;
        if (op.kind == Together::shuffle) copy(shuffled[l], one.value, one.size);
        if (op.kind == Together::gather) std::memcpy(&values[l], one.value, sizeof values[l]);
        said |= one.predicate << l;
    }
    warp.waiting &= ~lanes;
    if (op.kind == Together::sync) ++block.warp_epochs[t / 32];
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const unsigned l = unsigned(__builtin_ctz(rest));
        Op &one = *block.threads[first + l].op;
        one.came = lanes;
        one.predicate = said;
        // The value of a lane that does not take part is undefined: all bits set, NaN for floats.
        if (op.kind == Together::shuffle) {
            if (lanes >> one.from & 1) copy(one.value, shuffled[one.from], one.size);
            else std::memset(one.value, 0xff, one.size);
        }
        if (op.kind == Together::gather) std::memcpy(one.values, values, sizeof values);
    }
    release(first, lanes, self_waits);
    return true;
}

void check_left() {
    if (block.left && !allow_left)
        divergent("__syncthreads at " + at(block.file, block.line) +
                  " is not reached by all threads of the block");
}

// The current thread has left the kernel: that may be what others have waited for.
void leave() {
    const unsigned self = state.current;
    block.threads[self].waits = Waits::left;
    ++block.left;
    Warp &warp = block.warps[self / 32];
    warp.live &= ~(1u << (self & 31));
    for (unsigned rest = warp.waiting; rest; rest &= rest - 1) {
        const unsigned l = unsigned(__builtin_ctz(rest));
        if (warp.waiting >> l & 1) try_together((self & ~31u) + l, false);
    }
    if (block.arrived && block.arrived + block.left == block.total) {
        check_left();
        release_block(false);
    }
}

// Nothing can go on. Lanes that ask who is active learn it now; else the block waits for ever.
void stuck() {
    bool found = false;
    for (unsigned t = 0; t < block.total; ++t) {
        const Thread &thread = block.threads[t];
        if (thread.waits == Waits::warp && thread.op->kind == Together::active) {
            finish_active(t & ~31u, active_with(t), false);
            found = true;
        }
    }
    if (!found) divergent("the threads of the block wait for ever");
}

void fiber_main() {
    for (;;) {
        launched->threads(launched->call);
        fibers.give(running);
        if (block.waited && block.left < block.total) {
            if (!block.ready_count) stuck();
            const unsigned next = pop();
            set_current(next);
            go_to(block.threads[next].fiber);
        } else {
            running->context.go(host);
        }
    }
}

void check_guard(const unsigned char *guard, size_t size, const char *name, const char *file, unsigned line) {
    for (size_t k = 0; k < size; ++k)
        if (guard[k] != guard_byte) {
            faulted = true;
            fault_error = cudaErrorIllegalAddress;
            const uint3 b = state.block;
            fault_text = "block (" + std::to_string(b.x) + "," + std::to_string(b.y) + "," +
                         std::to_string(b.z) + "): written " + std::to_string(k) +
                         " bytes past the end of shared memory `" + name + "`" +
                         (file ? " of " + at(file, line) : "");
            return;
        }
}

void run_block() {
    block.total = block.begun = state.block_dim.x * state.block_dim.y * state.block_dim.z;
    block.left = block.arrived = block.sum = block.first_ready = block.ready_count = 0;
    block.waited = false;
    ++state.serial;
    ++block.epoch;
    state.plain = block.total - 1;
    set_current(in_order(0));
    if (block.backwards) count_from(0);
    const size_t dynamic = launched->shared;
    if (dynamic) {
        std::memset(dynamic_shared, 0xff, dynamic);
        std::memset(dynamic_shared + dynamic, guard_byte, after_shared);
    }
    declared.clear();
    static_shared = 0;
    if (launched->checked) forget_shared(dynamic);
    running = fibers.take(fiber_main);
    host.go(running->context);
    if (faulted) return;
    for (const Shared &s : declared)
        if (!faulted) check_guard(s.begin + s.size, s.after, s.name, s.file, s.line);
    if (dynamic && !faulted)
        check_guard(dynamic_shared + dynamic, after_shared, "extern __shared__", nullptr, 0);
}

void on_signal(int signal, siginfo_t *info, void *context);

// While a kernel runs, its crashes are the kernel's errors.
class Signals {
   public:
    Signals() {
        stack_t own{};
        own.ss_sp = stack_;
        own.ss_size = sizeof stack_;
        sigaltstack(&own, &old_stack_);
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        for (int k = 0; k < 3; ++k) sigaction(signals[k], &action, &old[k]);
    }
    ~Signals() {
        for (int k = 0; k < 3; ++k) sigaction(signals[k], &old[k], nullptr);
        sigaltstack(&old_stack_, nullptr);
    }
    static constexpr int signals[3] = {SIGSEGV, SIGBUS, SIGFPE};
    static struct sigaction old[3];

   private:
    static char stack_[1 << 16];
    stack_t old_stack_;
};
struct sigaction Signals::old[3];
char Signals::stack_[1 << 16];

void on_signal(int signal, siginfo_t *info, void *context) {
    if (!state.running || !pthread_equal(pthread_self(), launching)) {
        for (int k = 0; k < 3; ++k)  // not ours: it comes again, to whom it would have gone
            if (Signals::signals[k] == signal) sigaction(signal, &Signals::old[k], nullptr);
        return;
    }
    void *pc = nullptr;
#if defined(__x86_64__)
    pc = reinterpret_cast<void *>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#endif
    const std::string where = pc ? source_line(pc, true) : "";
    if (signal == SIGFPE)
        thread_fault(cudaErrorLaunchFailure,
                     "integer division by zero, or a quotient that does not fit" + where);
    const auto address = reinterpret_cast<uintptr_t>(info->si_addr);
    if (fibers.holds(address)) thread_fault(cudaErrorLaunchFailure, "the thread's stack overflows" + where);
    if (info->si_code == SI_KERNEL)  // no address: what an aligned instruction says of one that is not
        thread_fault(cudaErrorMisalignedAddress, "misaligned address, or one that cannot be" + where);
    char text[64];
    std::snprintf(text, sizeof text, "no memory at %p", info->si_addr);
    thread_fault(cudaErrorIllegalAddress, text + where);
}

}  // namespace

bool next_thread() {
    if (!block.waited) return false;
    leave();
    if (block.ready_count || block.begun == block.total) return false;
    set_current(in_order(block.begun++));
    return true;
}

int block_barrier(int predicate, Count count, const char *file, unsigned line) {
    if (!state.running) fault(cudaErrorLaunchFailure, "__syncthreads outside of a kernel", file, line);
    if (!block.waited) begin_counting();
    Thread &thread = block.threads[state.current];
    thread.waits = Waits::block;
    thread.file = file;
    thread.line = line;
    if (block.arrived++ == 0) {
        block.file = file;
        block.line = line;
    } else if (line != block.line || (file != block.file && std::strcmp(file, block.file))) {
        divergent("threads of the block wait in different __syncthreads");
    }
    block.sum += predicate != 0;
    if (block.arrived + block.left == block.total) {
        check_left();
        release_block(true);
    } else {
        wait();
    }
    switch (count) {
        case Count::plain: return 0;
        case Count::count: return int(block.result);
        case Count::all: return block.result == block.total - block.left;
        case Count::any: return block.result != 0;
    }
    return 0;
}

void together(Op &op) {
    if (!state.running) fault(cudaErrorLaunchFailure, "a warp function outside of a kernel", op.file, op.line);
    if (!block.waited) begin_counting();
    Thread &thread = block.threads[state.current];
    Warp &warp = block.warps[state.current / 32];
    if (!(op.mask >> lane() & 1))
        fault(cudaErrorLaunchFailure, "the mask of a warp function lacks the lane that calls it", op.file,
              op.line);
    thread.op = &op;
    thread.waits = Waits::warp;
    warp.waiting |= 1u << lane();
    if (!try_together(state.current, true)) wait();
}

void spin(bool hopes) {
    constexpr unsigned patience = 1000, despair = 10000000;
    static unsigned turns, in_vain, serial;
    if (!state.running) return;
    if (serial != state.serial) serial = state.serial, turns = in_vain = 0;
    in_vain += hopes;
    if (++turns % patience) return;
    if (in_vain > despair) thread_fault(cudaErrorLaunchTimeout, "waits for ever in atomicCAS");
    if (!block.waited) begin_counting();
    if (!block.ready_count && block.begun == block.total) return;
    // Those that have not begun come first: one of them may hold what this one waits for.
    const unsigned self = state.current;
    push(self);
    if (block.begun < block.total) begin_fresh(block.threads[self]);
    else wait();
}

void declare_shared(void *begin, size_t size, size_t after, const char *name, const char *file, unsigned line) {
    auto *bytes = static_cast<unsigned char *>(begin);
    static_shared += size;
    if (static_shared > device.shared_static)
        thread_fault(cudaErrorInvalidValue,
                     "more than " + std::to_string(device.shared_static) + " bytes of static shared memory with `" +
                         name + "` of " + at(file, line));
    if (static_shared + launched->shared > shared_limit())
        thread_fault(cudaErrorInvalidValue, "static and dynamic shared memory together are more than " +
                                                std::to_string(shared_limit()) + " bytes");
    std::memset(bytes, 0xff, size);
    if (after) std::memset(bytes + size, guard_byte, after);
    declared.push_back({bytes, size, after, name, file, line, 0});
    if (launched->checked) know_shared(declared.back());
}

void fault(cudaError_t error, const char *what, const char *file, unsigned line) {
    const std::string text = what + (" at " + at(file, line));
    if (state.running && pthread_equal(pthread_self(), launching)) thread_fault(error, text);
    std::fprintf(stderr, "emulated CUDA: %s\n", text.c_str());
    std::abort();
}

void refuse(const char *what, const char *file, unsigned line) {
    fault(cudaErrorNotSupported, (std::string(what) + " cannot be emulated on a CPU").c_str(), file, line);
}

void fault_at(cudaError_t error, const std::string &what, void *pc) {
    thread_fault(error, what + source_line(pc, false));
}

namespace {

void run(const Launched &l, const std::string &kernel) {
    std::lock_guard<std::recursive_mutex> lock(one_at_a_time);
    Signals signals;
    launched = &l;
    launching = pthread_self();
    state.block_dim = l.block;
    state.grid_dim = l.grid;
    unsigned t = 0;
    for (unsigned z = 0; z < l.block.z; ++z)
        for (unsigned y = 0; y < l.block.y; ++y)
            for (unsigned x = 0; x < l.block.x; ++x) block.where[t++] = {x, y, z};
    // A launch begins forwards or backwards without a period that the program's calls might share.
    static std::map<std::pair<std::string, unsigned>, unsigned> launches;
    const unsigned before = both_orders ? launches[{l.place.file, l.place.line}]++ : 0;
    bool backwards = __builtin_popcount(before) & 1;
    faulted = false;
    state.running = true;
    state.atomically = state.unchecked = false;
    for (unsigned z = 0; z < l.grid.z && !faulted; ++z)
        for (unsigned y = 0; y < l.grid.y && !faulted; ++y)
            for (unsigned x = 0; x < l.grid.x && !faulted; ++x) {
                state.block = {x, y, z};
                block.backwards = backwards;
                run_block();
                backwards ^= both_orders;
            }
    state.running = false;
    if (faulted) {
        fibers.reset();
        report(fault_error, kernel + ": " + fault_text, fault_error != cudaErrorInvalidValue);
    }
}

}  // namespace

unsigned block_epoch() { return block.epoch; }
unsigned warp_epoch() { return block.warp_epochs[state.current / 32]; }
bool on_stack(uintptr_t address) { return fibers.holds(address); }
bool in_call(uintptr_t address) {
    return address - reinterpret_cast<uintptr_t>(launched->call) < launched->call_size;
}
const std::vector<Shared> &shared_variables() { return declared; }
std::string thread_name(unsigned t) { return threads_named(t, t); }

void launch(const Launched &l) {
    const char *wrong = nullptr;
    cudaError_t error = cudaErrorInvalidConfiguration;
    const uint64_t threads = uint64_t(l.block.x) * l.block.y * l.block.z;
    if (state.running && pthread_equal(pthread_self(), launching))
        refuse("a launch from within a kernel", l.place.file, l.place.line);
    if (sticky_error() != cudaSuccess) return set_last_error(sticky_error());
    if (!threads || !(l.grid.x && l.grid.y && l.grid.z)) wrong = "an empty grid or block";
    else if (threads > most_threads) wrong = "more than 1024 threads in a block";
    else if (l.block.x > 1024 || l.block.y > 1024 || l.block.z > 64)
        wrong = "a block of more than (1024, 1024, 64) threads";
    else if (l.grid.x > 0x7fffffffu || l.grid.y > 65535 || l.grid.z > 65535)
        wrong = "a grid of more than (2147483647, 65535, 65535) blocks";
    else if (l.shared > shared_limit()) {
        wrong = "more dynamic shared memory than the device has, or than was asked for";
        error = cudaErrorInvalidValue;
    }
    const std::string kernel =
        std::string("kernel `") + l.place.kernel + "` launched at " + at(l.place.file, l.place.line);
    if (wrong) {
        char size[160];
        std::snprintf(size, sizeof size, ": grid (%u,%u,%u), block (%u,%u,%u), %zu bytes of shared memory", l.grid.x,
                      l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.shared);
        return report(error, kernel + ": " + wrong + size, false);
    }
    if (!streams_are_late()) return run(l, kernel);
    const std::shared_ptr<void> kept(l.copy(l.call), l.drop);  // the caller's is gone by then
    put(l.stream, [l, kept, kernel] {
        Launched own = l;
        own.call = kept.get();
        if (sticky_error() == cudaSuccess) run(own, kernel);
    });
}

}  // namespace emulated

void emulated_assert_fail(const char *expression, const char *file, unsigned line, const char *) noexcept {
    const std::string text = std::string("assertion `") + expression + "` failed";
    emulated::fault(cudaErrorAssert, text.c_str(), file, line);
}
