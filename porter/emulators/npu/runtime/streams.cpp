// Streams and events: queues in order. What is put into a stream is done at the call; with
// PORTER_EMULATED_LATE=1 when somebody has to wait for it and not before, as late as a device may.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "internal.h"

namespace ascend {
namespace {

struct Record {
    bool done = false;
    std::chrono::steady_clock::time_point when;
};
struct Stream {
    int id;
    std::deque<Work> waiting;
};
struct Event {
    Stream *stream = nullptr;  // of the last record
    std::shared_ptr<Record> record;
};

const bool late = [] {
    const char *said = std::getenv("PORTER_EMULATED_LATE");
    return said && *said && *said != '0';
}();
std::recursive_mutex lock;  // held while work is done: who waits for it must not pass by
Stream first{0, {}};        // the device's default stream, which callers know as null
std::map<void *, std::unique_ptr<Stream>> streams;
int last_id;

Stream *find(void *handle) {
    if (!handle) return &first;
    const auto found = streams.find(handle);
    return found == streams.end() ? nullptr : found->second.get();
}

void drain(Stream &s) {
    while (!s.waiting.empty()) {
        const Work work = std::move(s.waiting.front());
        s.waiting.pop_front();
        work();
    }
}

bool there(const Stream *stream) {
    if (stream == &first) return true;
    for (const auto &[handle, s] : streams)
        if (s.get() == stream) return true;
    return false;
}

// A stream that is gone has done all.
void wait_for(Stream *stream, const std::shared_ptr<Record> &record) {
    while (record && !record->done && there(stream) && !stream->waiting.empty()) {
        const Work work = std::move(stream->waiting.front());
        stream->waiting.pop_front();
        work();
    }
}

Error known(void *stream) {
    return find(stream) ? ok : refuse(invalid_parameter, "a stream that does not exist, or no more");
}

}  // namespace

bool streams_are_late() { return late; }

void put(void *handle, Work work) {
    std::lock_guard held(lock);
    Stream *stream = find(handle);
    if (!late || !stream) return work();
    stream->waiting.push_back(std::move(work));
}
void wait_for_stream(void *handle) {
    std::lock_guard held(lock);
    if (Stream *stream = find(handle)) drain(*stream);
}
void wait_for_all() {
    if (!late) return;
    std::lock_guard held(lock);
    drain(first);
    for (const auto &[handle, stream] : streams) drain(*stream);
}

}  // namespace ascend

using namespace ascend;

API Error aclrtCreateStreamWithConfig(void **s, uint32_t, uint32_t) {
    std::lock_guard held(lock);
    auto made = std::make_unique<Stream>();
    made->id = ++last_id;
    *s = made.get();
    streams[*s] = std::move(made);
    return ok;
}
API Error aclrtCreateStream(void **s) { return aclrtCreateStreamWithConfig(s, 0, 0); }
API Error aclrtDestroyStream(void *s) {
    std::lock_guard held(lock);
    if (!s || !find(s)) return refuse(invalid_parameter, "a stream that does not exist is destroyed");
    drain(*find(s));
    streams.erase(s);
    return ok;
}
API Error aclrtDestroyStreamForce(void *s) {
    std::lock_guard held(lock);
    streams.erase(s);
    return ok;
}
API Error aclrtSynchronizeStream(void *s) {
    if (const Error error = known(s)) return error;
    wait_for_stream(s);
    return fault();
}
API Error aclrtSynchronizeStreamWithTimeout(void *s, int32_t) { return aclrtSynchronizeStream(s); }
API Error aclrtSynchronizeDevice() {
    wait_for_all();
    return fault();
}
API Error aclrtSynchronizeDeviceWithTimeout(int32_t) { return aclrtSynchronizeDevice(); }
// Who asks again and again is to see an end of it.
API Error aclrtStreamQuery(void *s, int *status) {
    wait_for_stream(s);
    return *status = 0, fault();
}
API Error aclrtStreamGetId(void *s, int32_t *id) {
    if (const Error error = known(s)) return error;
    return *id = find(s)->id, ok;
}
API Error aclrtStreamAbort(void *s) {
    std::lock_guard held(lock);
    if (Stream *stream = find(s)) stream->waiting.clear();
    return ok;
}
API Error aclrtSetStreamFailureMode(void *, uint64_t) { return ok; }
API Error aclrtSetStreamAttribute(void *, int, void *) { return ok; }
API Error aclrtGetStreamAvailableNum(uint32_t *number) { return *number = 1024, ok; }

API Error aclrtCreateEventExWithFlag(void **e, uint32_t) { return *e = new Event, ok; }
API Error aclrtCreateEventWithFlag(void **e, uint32_t flag) { return aclrtCreateEventExWithFlag(e, flag); }
API Error aclrtCreateEvent(void **e) { return aclrtCreateEventExWithFlag(e, 0); }
API Error aclrtDestroyEvent(void *e) {
    if (!e) return refuse(invalid_event, "no event");
    delete static_cast<Event *>(e);
    return ok;
}
API Error aclrtRecordEvent(void *e, void *s) {
    std::lock_guard held(lock);
    if (!e) return refuse(invalid_event, "no event");
    if (const Error error = known(s)) return error;
    auto *event = static_cast<Event *>(e);
    event->stream = find(s);
    event->record = std::make_shared<Record>();
    put(s, [record = event->record] {
        record->when = std::chrono::steady_clock::now();
        record->done = true;
    });
    return ok;
}
API Error aclrtResetEvent(void *e, void *s) {
    std::lock_guard held(lock);
    auto *event = static_cast<Event *>(e);
    if (event->record && event->stream != find(s)) wait_for(event->stream, event->record);
    event->record.reset();
    return ok;
}
API Error aclrtStreamWaitEvent(void *s, void *e) {
    std::lock_guard held(lock);
    if (!e) return refuse(invalid_event, "no event");
    if (const Error error = known(s)) return error;
    const auto *event = static_cast<Event *>(e);
    put(s, [stream = event->stream, record = event->record] { wait_for(stream, record); });
    return ok;
}
API Error aclrtStreamWaitEventWithTimeout(void *s, void *e, int32_t) { return aclrtStreamWaitEvent(s, e); }
API Error aclrtSynchronizeEvent(void *e) {
    std::lock_guard held(lock);
    if (!e) return refuse(invalid_event, "no event");
    wait_for(static_cast<Event *>(e)->stream, static_cast<Event *>(e)->record);
    return fault();
}
API Error aclrtSynchronizeEventWithTimeout(void *e, int32_t) { return aclrtSynchronizeEvent(e); }
API Error aclrtQueryEventStatus(void *e, int *status) {  // 1: complete
    aclrtSynchronizeEvent(e);
    return *status = 1, ok;
}
API Error aclrtQueryEventWaitStatus(void *e, int *status) {  // 0: complete
    aclrtSynchronizeEvent(e);
    return *status = 0, ok;
}
API Error aclrtQueryEvent(void *e, int *status) {
    aclrtSynchronizeEvent(e);
    return *status = 0, ok;
}
API Error aclrtEventElapsedTime(float *ms, void *from, void *to) {
    for (void *e : {from, to}) {
        if (!e || !static_cast<Event *>(e)->record) return refuse(invalid_event, "an event that was not recorded");
        aclrtSynchronizeEvent(e);
    }
    const auto passed = static_cast<Event *>(to)->record->when - static_cast<Event *>(from)->record->when;
    *ms = std::chrono::duration<float, std::milli>(passed).count();
    return ok;
}
API Error aclrtEventGetTimestamp(void *e, uint64_t *microseconds) {
    aclrtSynchronizeEvent(e);
    const auto *event = static_cast<Event *>(e);
    if (!event->record) return refuse(invalid_event, "an event that was not recorded");
    const auto passed = event->record->when.time_since_epoch();
    *microseconds = std::chrono::duration_cast<std::chrono::microseconds>(passed).count();
    return ok;
}

// Functions of the host in a stream: on the real device a thread that says aclrtProcessReport calls them.
API Error aclrtLaunchCallback(void (*call)(void *), void *data, int, void *s) {
    put(s, [=] { call(data); });
    return ok;
}
API Error aclrtLaunchHostFunc(void *s, void (*call)(void *), void *data) { return aclrtLaunchCallback(call, data, 1, s); }
API Error aclrtSubscribeReport(uint64_t, void *) { return ok; }
API Error aclrtUnSubscribeReport(uint64_t, void *) { return ok; }
API Error aclrtProcessReport(int32_t) { return ok; }

// No graph is ever captured; who begins to is told. Of `unsupported` a framework would only warn.
API Error aclmdlRICaptureGetInfo(void *, int *status, void **graph) {
    *status = 0;
    if (graph) *graph = nullptr;
    return ok;
}
API Error aclmdlRICaptureBegin(void *, int) { return refuse(internal_error, "graph capture is not emulated: it needs an NPU"); }

API void emulated_ascend_wait(void *s) { wait_for_stream(s); }
API void emulated_ascend_put(void *s, void (*call)(void *), void *data) {
    put(s, [=] { call(data); });
}
API bool emulated_ascend_late() { return late; }
