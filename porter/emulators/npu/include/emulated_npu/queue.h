// What parts a block's unified buffer among queues and buffers, and orders the pipes by queues.
#pragma once
#include <algorithm>
#include <list>

#include "tensor.h"

namespace AscendC {

using TBufHandle = uint8_t *;
using TEventID = int8_t;
struct TQueConfig {
    bool scope = false;
};

namespace npu {

struct Buffer {
    uint32_t at, size;
    enum { free, allocated, queued, taken } state = free;
    Clocks sent;      // what whoever takes or allocates it next comes after
    int order = 0;
};

constexpr bool of_vectors(TPosition p) { return p == TPosition::VECIN || p == TPosition::VECOUT || p == TPosition::VECCALC; }

}  // namespace npu

class TQueBase {
  public:
    std::vector<npu::Buffer> buffers;
    size_t turn = 0;  // the one to be tried next
    TPosition position = TPosition::VECCALC;
};

class TPipe {
  public:
    TPipe() { Init(); }
    TPipe(const TPipe &) = delete;
    ~TPipe() {
        if (npu::block_of_thread && npu::block_of_thread->pipe == this) npu::block_of_thread->pipe = nullptr;
    }
    void Init() { npu::block().pipe = this; }
    void Destroy() { Reset(); }
    void Reset() {
        npu::block().order_all();
        npu::block().allocated = 0;
    }
    template <class Q> bool InitBuffer(Q &queue, uint8_t count, uint32_t size)
        requires std::is_base_of_v<TQueBase, Q>
    {
        queue.buffers.clear();
        queue.turn = 0;
        for (int k = 0; k < count; ++k) queue.buffers.push_back({take(size), padded(size), npu::Buffer::free, {}, 0});
        return true;
    }
    template <class B> bool InitBuffer(B &buffer, uint32_t size)
        requires(!std::is_base_of_v<TQueBase, B>)
    {
        buffer.at = take(size);
        buffer.size = padded(size);
        return true;
    }
    template <HardEvent event> TEventID AllocEventID() {
        auto &used = npu::block().events[int(event)];
        for (int id = 0; id < 8; ++id)
            if (used.insert(id).second) return id;
        ::emulated::fault("AllocEventID: all 8 events of this kind are in use, and none was released");
    }
    template <HardEvent event> void ReleaseEventID(TEventID id) { npu::block().events[int(event)].erase(id); }
    TEventID FetchEventID(HardEvent event) {
        const auto &used = npu::block().events[int(event)];
        for (int id = 0; id < 8; ++id)
            if (!used.count(id)) return id;
        ::emulated::fault("FetchEventID: all 8 events of this kind are in use");
    }
    template <HardEvent event> TEventID FetchEventID() { return FetchEventID(event); }
    template <TPosition position, class T> LocalTensor<T> GetAbsAddr(int32_t from, int32_t size) const {
        const auto at = uint32_t(from);
        return {at, at, at + size * uint32_t(sizeof(T)), position};
    }

  private:
    static uint32_t padded(uint32_t size) { return (size + npu::unit - 1) / npu::unit * npu::unit; }
    static uint32_t take(uint32_t size) {
        npu::Block &b = npu::block();
        const uint64_t end = uint64_t(b.allocated) + padded(size);
        if (end > npu::unified_buffer)
            ::emulated::fault("InitBuffer: the unified buffer is exhausted: " + npu::text(end) + " bytes are more than its " +
                              npu::text(npu::unified_buffer));
        return std::exchange(b.allocated, uint32_t(end));
    }
};

inline TPipe *GetTPipePtr() {
    if (!npu::block().pipe) ::emulated::fault("GetTPipePtr: there is no TPipe");
    return npu::block().pipe;
}

// A ring of buffers from a producer to a consumer, which by its positions are pipes.
template <TPosition source, TPosition destination, int32_t depth = 1, auto mask = 0> class TQueBind : public TQueBase {
  public:
    static_assert(npu::of_vectors(source) && npu::of_vectors(destination),
                  "queues of the cube unit (A1, A2, B1, B2, CO1, CO2, C1, C2) are not emulated");

    template <class T> LocalTensor<T> AllocTensor() {
        for (size_t tried = 0; tried < buffers.size(); ++tried) {
            auto &each = buffers[turn];  // in turn, so what was freed last is there for a while
            turn = (turn + 1) % buffers.size();
            if (each.state == npu::Buffer::free) {
                each.state = npu::Buffer::allocated;
                for (const npu::Pipe pipe : producers()) npu::block().relies[pipe].join(each.sent);
                // Which of several buffers comes is the queue's affair; a single one has what it had.
                if (buffers.size() > 1) std::memset(npu::block().defined + each.at, 0, each.size);
                return {each.at, each.at, each.at + each.size, source};
            }
        }
        ::emulated::fault(buffers.empty() ? "AllocTensor: the queue was not given to InitBuffer"
                                          : "AllocTensor would hang: none of the queue's " + npu::text(buffers.size()) +
                                                " buffers is free, FreeTensor is missing");
    }
    template <class T> void AllocTensor(LocalTensor<T> &tensor) { tensor = AllocTensor<T>(); }
    template <class T> bool EnQue(const LocalTensor<T> &tensor) {
        npu::Buffer &found = find(tensor.at, "EnQue");
        if (found.state == npu::Buffer::free) ::emulated::fault("EnQue of a tensor that was freed, or not allocated");
        if (found.state == npu::Buffer::queued) ::emulated::fault("EnQue of a tensor that is in the queue");
        const auto queued = std::count_if(buffers.begin(), buffers.end(), [](auto &b) { return b.state == npu::Buffer::queued; });
        if (depth > 0 && queued >= depth)
            ::emulated::fault("EnQue: the queue has a depth of " + npu::text(depth) + ", and DeQue did not come between");
        found.state = npu::Buffer::queued;
        found.order = ++given;
        found.sent = {};
        for (const npu::Pipe pipe : producers()) found.sent.join(npu::block().relies[pipe]);
        return true;
    }
    template <TPosition, TPosition, class T> bool EnQue(const LocalTensor<T> &tensor) { return EnQue(tensor); }
    template <class T> LocalTensor<T> DeQue() {
        npu::Buffer *first = nullptr;
        for (auto &each : buffers)
            if (each.state == npu::Buffer::queued && (!first || each.order < first->order)) first = &each;
        if (!first) ::emulated::fault("DeQue would hang: the queue is empty, EnQue is missing");
        first->state = npu::Buffer::taken;
        for (const npu::Pipe pipe : consumers()) npu::block().relies[pipe].join(first->sent);
        return {first->at, first->at, first->at + first->size, destination};
    }
    template <TPosition, TPosition, class T> LocalTensor<T> DeQue() { return DeQue<T>(); }
    template <class T> void DeQue(LocalTensor<T> &tensor) { tensor = DeQue<T>(); }
    template <class T> void FreeTensor(const LocalTensor<T> &tensor) {
        npu::Buffer &found = find(tensor.at, "FreeTensor");
        if (found.state == npu::Buffer::free) ::emulated::fault("FreeTensor of a tensor that is free");
        found.state = npu::Buffer::free;
        found.sent = {};
        for (const npu::Pipe pipe : consumers()) found.sent.join(npu::block().relies[pipe]);
        for (const npu::Pipe pipe : producers()) found.sent.join(npu::block().relies[pipe]);
    }
    void FreeAllEvent() {}
    bool VacantInQue() const { return !depth || GetTensorCountInQue() < depth; }
    bool HasTensorInQue() const { return GetTensorCountInQue() > 0; }
    bool HasIdleBuffer() const {
        return std::any_of(buffers.begin(), buffers.end(), [](auto &b) { return b.state == npu::Buffer::free; });
    }
    int32_t GetTensorCountInQue() const {
        return std::count_if(buffers.begin(), buffers.end(), [](auto &b) { return b.state == npu::Buffer::queued; });
    }
    template <class T> TBufHandle GetBufferHandle(const LocalTensor<T> &) const { return nullptr; }

  private:
    static std::vector<npu::Pipe> producers() {
        if (source == TPosition::VECIN) return {npu::copy_in};
        return {npu::vector, npu::scalar};
    }
    // The scalar unit too: it reads what it takes from a queue.
    static std::vector<npu::Pipe> consumers() {
        if (destination == TPosition::VECOUT) return {npu::copy_out};
        return {npu::vector, npu::scalar};
    }
    npu::Buffer &find(uint32_t at, const char *what) {
        for (auto &each : buffers)
            if (at >= each.at && at < each.at + std::max(each.size, 1u)) return each;
        ::emulated::fault(std::string(what) + " of a tensor that is not of this queue");
    }
    int given = 0;
};

template <TPosition position, int32_t depth = 1, auto mask = 0> class TQue : public TQueBind<position, position, depth, mask> {};

template <TPosition at_position = TPosition::VECCALC> class TBuf {
  public:
    template <class T> LocalTensor<T> Get(uint32_t length) const {
        check();
        LocalTensor<T> made{at, at, at + size, at_position};
        if (length * sizeof(T) > size)
            ::emulated::fault("Get of " + npu::text(length * sizeof(T)) + " bytes of a TBuf of " + npu::text(size));
        made.SetSize(length);
        return made;
    }
    template <class T> LocalTensor<T> Get() const {
        check();
        return {at, at, at + size, at_position};
    }
    template <class T> LocalTensor<T> GetWithOffset(uint32_t length, uint32_t offset) const {
        check();
        LocalTensor<T> made{at + offset, at, at + size, at_position};
        made.SetSize(length);
        return made;
    }
    template <class T> LocalTensor<T> AllocTensor() const { return Get<T>(); }
    template <class T> void FreeTensor(const LocalTensor<T> &) const {}
    template <class T> void EnQue(const LocalTensor<T> &) const {}
    template <class T> LocalTensor<T> DeQue() const { return Get<T>(); }
    uint32_t GetBufLen() const { return size; }

    uint32_t at = 0, size = 0;

  private:
    void check() const {
        if (!size) ::emulated::fault("Get of a TBuf that was not given to InitBuffer");
    }
};

}  // namespace AscendC
