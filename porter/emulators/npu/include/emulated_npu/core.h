// A block while it runs: its unified buffer, what of it is known, and the pipes that work on it.
//
// Instructions are done at once, in the order of the program. A device has a queue for each pipe and
// keeps an order between two pipes only where the program asks for one; so for each pipe it is kept
// which instructions of the others it can rely on (a vector clock), and what reads or writes memory
// that another pipe may still be at is a fault.
#pragma once
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "launch.h"
#include "types.h"

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_MTE4, PIPE_MTE5, PIPE_V2, PIPE_FIX };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {

class TPipe;

namespace npu {

// Of the chip that is emulated, by public descriptions.
constexpr uint32_t unified_buffer = 192 * 1024;
constexpr uint32_t unit = 32;  // bytes that pipes move at least
constexpr int pipes = 4;       // scalar, vector, copy in, copy out
constexpr uint32_t never_written = 0xff;

enum Pipe { scalar, vector, copy_in, copy_out };
constexpr const char *pipe_names[] = {"the scalar unit", "the vector unit", "a copy into local memory", "a copy out of local memory"};
constexpr Pipe known(pipe_t pipe) {
    return pipe == PIPE_V ? vector : pipe == PIPE_MTE2 ? copy_in : pipe == PIPE_MTE3 ? copy_out : scalar;
}

using Clock = uint32_t;
struct Clocks {
    Clock of[pipes]{};
    void join(const Clocks &other) {
        for (int k = 0; k < pipes; ++k) of[k] = std::max(of[k], other.of[k]);
    }
};
// Who was last at one unit of the unified buffer.
struct Accesses {
    Clock written = 0;
    Pipe writer = scalar;
    Clock read[pipes]{};
};
enum class Atomic { none, add, max, min };

struct Block {
    ::emulated::Place place;
    uint32_t index = 0, count = 1;
    alignas(512) uint8_t buffer[unified_buffer];
    bool defined[unified_buffer];
    Accesses accesses[unified_buffer / unit];
    Clock now[pipes]{};      // instructions that each pipe was given
    Clocks relies[pipes]{};  // ... and those of the others that it comes after
    std::map<std::pair<int, int>, std::deque<Clocks>> flags;  // by event and number
    std::map<int, std::set<int>> events;                       // numbers in use, by event
    TPipe *pipe = nullptr;
    uint32_t allocated = 0;
    uint64_t mask[2] = {~0ull, ~0ull};
    bool counts = false;  // the mask is a number of elements
    Atomic atomic = Atomic::none;
    size_t atomic_type = 0;
    float deq_scale = 1;
    std::pair<uintptr_t, uintptr_t> seen{0, 0};  // memory of the device that was found last
    uint64_t reduced[2] = {0, 0};                // what the last reduction leaves in registers
    std::map<int, uint32_t> crossed, waited;     // flags of all blocks

    // An instruction of a pipe begins. The scalar unit gives it out: what that has waited for, all
    // have; but what that wrote itself may not be there yet.
    Clock begin(Pipe pipe) {
        inherit(relies[pipe]);
        return relies[pipe].of[pipe] = ++now[pipe];
    }
    void inherit(Clocks &clocks) const {
        Clocks others = relies[scalar];
        others.of[scalar] = 0;
        clocks.join(others);
    }
    // What comes later on `to` comes after all that `from` was given so far.
    void order(Pipe from, Pipe to) { relies[to].join(relies[from]); }
    void order_all() {
        Clocks all;
        for (int p = 0; p < pipes; ++p) all.of[p] = now[p];
        for (Clocks &each : relies) each.join(all);
    }
};

inline thread_local std::unique_ptr<Block> block_of_thread;
inline bool checks_order() {
    static const bool off = [] {
        const char *said = std::getenv("PORTER_EMULATED_NPU_ORDER");
        return said && *said == '0';
    }();
    return !off;
}
inline bool checks_definition() {
    static const bool off = [] {
        const char *said = std::getenv("PORTER_EMULATED_NPU_UNINITIALISED");
        return said && *said == '0';
    }();
    return !off;
}

inline Block &block() {
    if (!block_of_thread) throw ::emulated::Fault{"code of a kernel outside of a kernel"};
    return *block_of_thread;
}
inline std::string text(uint64_t n) { return std::to_string(n); }

// An instruction while it is done: what it may touch is checked as it is touched.
class Instruction {
  public:
    Instruction(const char *name, Pipe pipe) : b_(npu::block()), name_(name), pipe_(pipe), time_(b_.begin(pipe)) {}

    [[noreturn]] void fault(const std::string &what) const { ::emulated::fault(std::string(name_) + ": " + what); }
    const char *name() const { return name_; }
    Block &block() const { return b_; }

    // `size` bytes of the unified buffer at `at`, which belong to memory from `begin` to `end`.
    void range(uint32_t at, uint64_t size, uint32_t begin, uint32_t end, const char *what) const {
        if (at < begin || at + size > end)
            fault(std::string(what) + " of " + text(size) + " bytes at byte " + std::to_string(int64_t(at) - begin) +
                  " of local memory of " + text(end - begin) + " bytes is out of range");
    }
    void aligned(uint32_t at, const char *what) const {
        if (at % unit) fault(std::string(what) + " begins " + text(at % unit) + " bytes after a multiple of 32 bytes");
    }
    void read(uint32_t at, uint32_t size) {
        for (uint32_t k = at / unit; size && k <= (at + size - 1) / unit; ++k) {
            Accesses &a = b_.accesses[k];
            if (a.written > b_.relies[pipe_].of[a.writer] && unordered(a.writer))
                missing("reads what", a.writer, "wrote", k);
            a.read[pipe_] = time_;
        }
    }
    void written(uint32_t at, uint32_t size) {
        for (uint32_t k = at / unit; size && k <= (at + size - 1) / unit; ++k) {
            Accesses &a = b_.accesses[k];
            if (a.written > b_.relies[pipe_].of[a.writer] && unordered(a.writer))
                missing("writes over what", a.writer, "wrote", k);
            for (int p = vector; p < pipes; ++p)  // what the scalar unit reads, it waits for
                if (a.read[p] > b_.relies[pipe_].of[p] && unordered(Pipe(p)))
                    missing("writes over what", Pipe(p), "reads", k);
            a.written = time_;
            a.writer = pipe_;
        }
    }

  private:
    // Between the scalar and the vector unit the compiler adds what is missing.
    bool unordered(Pipe other) const {
        if (other == pipe_ || !checks_order()) return false;
        return !((other == scalar && pipe_ == vector) || (other == vector && pipe_ == scalar));
    }
    [[noreturn]] void missing(const char *does, Pipe other, const char *did, uint32_t index) const {
        static constexpr const char *events[] = {"S", "V", "MTE2", "MTE3"};
        fault(std::string(pipe_names[pipe_]) + " " + does + " " + pipe_names[other] + " " + did + " at byte " +
              text(index * unit) + " of the unified buffer, and nothing orders them: no EnQue and DeQue, no SetFlag " +
              "and WaitFlag of " + events[other] + "_" + events[pipe_] + ", no PipeBarrier<PIPE_ALL>");
    }

    Block &b_;
    const char *name_;
    const Pipe pipe_;
    const Clock time_;
};

// `size` bytes of memory of the device.
inline uint8_t *global(const Instruction &instruction, const void *p, uint64_t size, const char *what) {
    const auto at = reinterpret_cast<uintptr_t>(p);
    auto &[begin, end] = instruction.block().seen;
    if (!(at >= begin && at + size <= end)) {
        if (!emulated_ascend_memory(p, &begin, &end) || at + size > end) {
            char found[200];
            emulated_ascend_describe(p, found, sizeof found);
            begin = end = 0;
            instruction.fault(std::string(what) + " of " + text(size) + " bytes of global memory is out of range: it is " + found);
        }
    }
    return static_cast<uint8_t *>(const_cast<void *>(p));
}

}  // namespace npu

enum class HardEvent : uint8_t {
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V,
    MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX,
    FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX,
};

namespace npu {

constexpr std::pair<Pipe, Pipe> ends(HardEvent event) {
    switch (event) {
        case HardEvent::MTE2_V: return {copy_in, vector};
        case HardEvent::V_MTE2: return {vector, copy_in};
        case HardEvent::MTE3_V: return {copy_out, vector};
        case HardEvent::V_MTE3: return {vector, copy_out};
        case HardEvent::MTE3_MTE2: return {copy_out, copy_in};
        case HardEvent::MTE2_MTE3: return {copy_in, copy_out};
        case HardEvent::S_V: return {scalar, vector};
        case HardEvent::V_S: return {vector, scalar};
        case HardEvent::S_MTE2: return {scalar, copy_in};
        case HardEvent::MTE2_S: return {copy_in, scalar};
        case HardEvent::S_MTE3: return {scalar, copy_out};
        case HardEvent::MTE3_S: return {copy_out, scalar};
        default: return {vector, vector};
    }
}

inline void set_flag(HardEvent event, int id) {
    Block &b = block();
    const auto [from, to] = ends(event);
    Clocks sent = b.relies[from];
    b.inherit(sent);
    b.flags[{static_cast<int>(event), id}].push_back(sent);
}
inline void wait_flag(HardEvent event, int id) {
    Block &b = block();
    auto &waiting = b.flags[{static_cast<int>(event), id}];
    if (waiting.empty()) ::emulated::fault("WaitFlag of event " + text(id) + " would hang: no SetFlag went before");
    b.relies[ends(event).second].join(waiting.front());
    waiting.pop_front();
}

}  // namespace npu

template <HardEvent event> void SetFlag(int32_t id) { npu::set_flag(event, id); }
template <HardEvent event> void WaitFlag(int32_t id) { npu::wait_flag(event, id); }
template <pipe_t pipe> void PipeBarrier() {
    if (pipe == PIPE_ALL) npu::block().order_all();  // within a pipe, order is as given
}
inline int64_t GetBlockIdx() { return npu::block().index; }
inline int64_t GetBlockNum() { return npu::block().count; }
inline int64_t GetSubBlockIdx() { return 0; }
inline int64_t GetSubBlockNum() { return 1; }
inline int64_t GetTaskRation() { return 1; }
inline uint32_t GetUBSizeInBytes() { return npu::unified_buffer; }

inline void npu_sync_all() {
    npu::block().order_all();
    char why[400];
    if (!emulated_ascend_sync_all(why, sizeof why)) {
        if (std::string(why).rfind("SyncAll", 0) == 0) ::emulated::fault(why);
        throw ::emulated::Fault{""};
    }
}
template <bool isAIVOnly = true> void SyncAll() { npu_sync_all(); }
template <bool isAIVOnly = true, class A, class B> void SyncAll(const A &, const B &, int32_t = 0) { npu_sync_all(); }

}  // namespace AscendC

namespace emulated {

inline void begin_block(const Place &place, uint32_t index, uint32_t count) {
    using namespace AscendC::npu;
    auto &own = block_of_thread;
    own = std::make_unique<Block>();
    own->place = place;
    own->index = index;
    own->count = count;
    std::memset(own->buffer, never_written, sizeof own->buffer);
    std::memset(own->defined, 0, sizeof own->defined);
}
inline void end_block() { AscendC::npu::block_of_thread.reset(); }

}  // namespace emulated

// The same by older names.
inline void pipe_barrier(pipe_t pipe) {
    if (pipe == PIPE_ALL) AscendC::npu::block().order_all();
}
namespace AscendC::npu {
inline HardEvent event_of(pipe_t from, pipe_t to) {
    for (int k = 0; k < static_cast<int>(HardEvent::MAX); ++k) {
        const auto event = static_cast<HardEvent>(k);
        if (from != to && ends(event) == std::pair{known(from), known(to)}) return event;
    }
    return HardEvent::V_V;
}
}  // namespace AscendC::npu
inline void set_flag(pipe_t from, pipe_t to, int id) { AscendC::npu::set_flag(AscendC::npu::event_of(from, to), id); }
inline void wait_flag(pipe_t from, pipe_t to, int id) { AscendC::npu::wait_flag(AscendC::npu::event_of(from, to), id); }
