// Streams and events. What is put into a stream is done at the call; with PORTER_EMULATED_LATE=1 it
// is done when somebody has to wait for it and not before, as late as a GPU may: who reads without
// waiting, or waits for another stream, reads what is not written yet.
#include "../include/cuda_runtime_api.h"

#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "internal.h"

using emulated::Work;

struct CUstream_st {
    unsigned flags;
    int priority;
    std::deque<Work> waiting;
};

namespace {

struct Record {
    bool done;
    std::chrono::steady_clock::time_point when;
};

}  // namespace

struct CUevent_st {
    unsigned flags;
    CUstream_st *stream;  // of the last record
    std::shared_ptr<Record> record;
};

namespace emulated {
namespace {

const bool late = [] {
    const char *said = std::getenv("PORTER_EMULATED_LATE");
    return said && *said && *said != '0';
}();
std::recursive_mutex lock;  // held while work is done: who waits for it must not pass by
CUstream_st legacy{}, per_thread{};
std::set<CUstream_st *> streams{&legacy, &per_thread};
std::vector<Work> when_idle;

CUstream_st &stream_of(cudaStream_t s) {
    if (s == cudaStreamPerThread) return per_thread;
    return s == nullptr || s == cudaStreamLegacy ? legacy : *s;
}

bool blocking(const CUstream_st &s) { return &s != &legacy && !(s.flags & cudaStreamNonBlocking); }

void first_of(CUstream_st &s) {
    const Work work = std::move(s.waiting.front());
    s.waiting.pop_front();
    work();
}

void drain(CUstream_st &s) {
    while (!s.waiting.empty()) first_of(s);
}

// The legacy default stream and those that block wait for each other.
void in_turn(CUstream_st &s) {
    if (blocking(s)) return drain(legacy);
    if (&s != &legacy) return;
    for (CUstream_st *other : streams)
        if (blocking(*other)) drain(*other);
}

// Until what was recorded is done; a stream that is gone has done all.
void wait_for(CUstream_st *stream, const std::shared_ptr<Record> &record) {
    while (record && !record->done && streams.count(stream) && !stream->waiting.empty()) first_of(*stream);
}

void forget_idle() {
    for (const CUstream_st *s : streams)
        if (!s->waiting.empty()) return;
    std::vector<Work> all;
    all.swap(when_idle);
    for (const Work &work : all) work();
}

}  // namespace

bool streams_are_late() { return late; }

void put(cudaStream_t s, Work work) {
    if (!late) return work();
    std::lock_guard<std::recursive_mutex> held(lock);
    CUstream_st &stream = stream_of(s);
    in_turn(stream);
    stream.waiting.push_back(std::move(work));
}

void wait_for_stream(cudaStream_t s) {
    if (!late) return;
    std::lock_guard<std::recursive_mutex> held(lock);
    drain(stream_of(s));
    forget_idle();
}

void wait_for_all() {
    if (!late) return;
    std::lock_guard<std::recursive_mutex> held(lock);
    for (CUstream_st *s : streams) drain(*s);
    forget_idle();
}

void forget_work() {
    std::lock_guard<std::recursive_mutex> held(lock);
    for (CUstream_st *s : streams) s->waiting.clear();
    forget_idle();
}

}  // namespace emulated

using namespace emulated;

static cudaError_t known(const void *handle) {
    return handle ? sticky_error() : cudaErrorInvalidResourceHandle;
}

extern "C" {

void emulated_wait(cudaStream_t s) {
    put(s, [] {});
    wait_for_stream(s);
}

// The stream that a framework's own operators are on until it is told another. If streams are late
// it is not the default one: who takes that one instead is to be seen.
cudaStream_t emulated_first_stream() {
    static cudaStream_t first = [] {
        cudaStream_t made = nullptr;
        if (late) cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
        return made;
    }();
    return first;
}
cudaStream_t *emulated_process_stream() {
    static cudaStream_t current = emulated_first_stream();
    return &current;
}

// Memory of a framework is given back when nothing is waiting that may use it.
void emulated_when_idle(void (*call)(void *), void *data) {
    if (!late) return call(data);
    std::lock_guard<std::recursive_mutex> held(lock);
    when_idle.push_back([=] { call(data); });
    forget_idle();
}

cudaError_t cudaDeviceSynchronize() {
    wait_for_all();
    return checked_memory();
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) {
    std::lock_guard<std::recursive_mutex> held(lock);
    *s = new CUstream_st{flags, priority, {}};
    streams.insert(*s);
    return answer(cudaSuccess);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned f) { return cudaStreamCreateWithPriority(s, f, 0); }
cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithPriority(s, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
    std::lock_guard<std::recursive_mutex> held(lock);
    if (!s || s == cudaStreamLegacy || s == cudaStreamPerThread) return answer(cudaErrorInvalidResourceHandle);
    drain(*s);
    streams.erase(s);
    delete s;
    return answer(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
    wait_for_stream(s);
    return checked_memory();
}
// Who asks again and again is to see an end of it.
cudaError_t cudaStreamQuery(cudaStream_t s) {
    wait_for_stream(s);
    return answer(cudaSuccess);
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *p) { return *p = stream_of(s).priority, answer(cudaSuccess); }
cudaError_t cudaStreamGetDevice(cudaStream_t, int *device) { return *device = 0, answer(cudaSuccess); }
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *f) { return *f = stream_of(s).flags, answer(cudaSuccess); }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *status) {
    return *status = cudaStreamCaptureStatusNone, answer(cudaSuccess);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) { return answer(cudaSuccess); }
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
    if (const cudaError_t error = known(e)) return answer(error);
    put(s, [stream = e->stream, record = e->record] { wait_for(stream, record); });
    return answer(cudaSuccess);
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call, void *data, unsigned) {
    put(s, [=] { call(s, sticky_error(), data); });
    return answer(cudaSuccess);
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t call, void *data) {
    put(s, [=] {
        if (sticky_error() == cudaSuccess) call(data);
    });
    return answer(cudaSuccess);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags) {
    *e = new CUevent_st{flags, nullptr, nullptr};
    return answer(cudaSuccess);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
    if (!e) return answer(cudaErrorInvalidResourceHandle);
    delete e;
    return answer(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
    if (const cudaError_t error = known(e)) return answer(error);
    e->stream = &stream_of(s);
    e->record = std::make_shared<Record>();
    put(s, [record = e->record] {
        record->when = std::chrono::steady_clock::now();
        record->done = true;
    });
    return answer(cudaSuccess);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) { return cudaEventRecord(e, s); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t) { return answer(cudaErrorNotSupported); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t) { return answer(cudaErrorNotSupported); }
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
    if (const cudaError_t error = known(e)) return answer(error);
    std::lock_guard<std::recursive_mutex> held(lock);
    wait_for(e->stream, e->record);
    return checked_memory();
}
cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    if (!from || !to || !from->record || !to->record || ((from->flags | to->flags) & cudaEventDisableTiming))
        return answer(cudaErrorInvalidResourceHandle);
    if (!from->record->done || !to->record->done) return answer(cudaErrorNotReady);
    *ms = std::chrono::duration<float, std::milli>(to->record->when - from->record->when).count();
    return answer(cudaSuccess);
}

}  // extern "C"
