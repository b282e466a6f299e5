// The emulated NPU as Paddle's custom device `npu`: memory, streams and events are the ACL runtime's, and
// a stream of Paddle's is one of the runtime's, as in the vendor's plugin. Operators fall back to the
// CPU's by Paddle's own rule, which copies their tensors; they are counted.
#include <dlfcn.h>

#include <cstring>

#include "paddle/phi/backends/custom/custom_context.h"
#include "paddle/phi/backends/device_ext.h"
#include "paddle/phi/core/kernel_factory.h"

#define EMULATED_EXPORT __attribute__((visibility("default")))

extern "C" {  // of the runtime, as far as it is needed
int aclInit(const char *);
int aclrtSetDevice(int32_t);
int aclrtSynchronizeDevice();
int aclrtMalloc(void **, size_t, int);
int aclrtFree(void *);
int aclrtMallocHost(void **, size_t);
int aclrtFreeHost(void *);
int aclrtMemcpy(void *, size_t, const void *, size_t, int);
int aclrtMemcpyAsync(void *, size_t, const void *, size_t, int, void *);
int aclrtGetMemInfo(int, size_t *, size_t *);
int aclrtCreateStream(void **);
int aclrtDestroyStream(void *);
int aclrtSynchronizeStream(void *);
int aclrtCreateEvent(void **);
int aclrtDestroyEvent(void *);
int aclrtRecordEvent(void *, void *);
int aclrtSynchronizeEvent(void *);
int aclrtStreamWaitEvent(void *, void *);
void emulated_ascend_count(const char *kind, const char *name);
}

// A fault stays, and shows where something waits for it.
static void emulated_settle() { aclrtSynchronizeDevice(); }

#include "operators.h"

namespace {

enum Kind { to_device = 1, to_host, within };  // of copies

C_Status said(int error) { return error ? C_FAILED : C_SUCCESS; }
void *raw(C_Stream stream) { return reinterpret_cast<void *>(stream); }
void *raw(C_Event event) { return reinterpret_cast<void *>(event); }

C_Status begin() { return said(aclInit(nullptr)); }
C_Status nothing() { return C_SUCCESS; }
C_Status no_work(const C_Device) { return C_SUCCESS; }
C_Status set_device(const C_Device device) { return said(aclrtSetDevice(device->id)); }
C_Status get_device(const C_Device device) { return device->id = 0, C_SUCCESS; }
C_Status count(size_t *devices) { return *devices = 1, C_SUCCESS; }
C_Status list(size_t *devices) { return *devices = 0, C_SUCCESS; }
C_Status synchronize(const C_Device) { return said(aclrtSynchronizeDevice()); }

template <Kind kind> C_Status copy(const C_Device, void *to, const void *from, size_t bytes) {
    return said(aclrtMemcpy(to, bytes, from, bytes, kind));
}
template <Kind kind> C_Status copy_on(const C_Device, C_Stream stream, void *to, const void *from, size_t bytes) {
    return said(aclrtMemcpyAsync(to, bytes, from, bytes, kind, raw(stream)));
}
C_Status allocate(const C_Device, void **p, size_t bytes) { return said(aclrtMalloc(p, bytes, 0)); }
C_Status release(const C_Device, void *p, size_t) { return said(aclrtFree(p)); }
C_Status allocate_host(const C_Device, void **p, size_t bytes) { return said(aclrtMallocHost(p, bytes)); }
C_Status release_host(const C_Device, void *p, size_t) { return said(aclrtFreeHost(p)); }
C_Status memory(const C_Device, size_t *total, size_t *free) { return said(aclrtGetMemInfo(1, free, total)); }
C_Status smallest(const C_Device, size_t *bytes) { return *bytes = 512, C_SUCCESS; }

C_Status create(const C_Device, C_Stream *stream) { return said(aclrtCreateStream(reinterpret_cast<void **>(stream))); }
C_Status destroy(const C_Device, C_Stream stream) { return said(aclrtDestroyStream(raw(stream))); }
C_Status synchronize_stream(const C_Device, C_Stream stream) { return said(aclrtSynchronizeStream(raw(stream))); }
C_Status create_event(const C_Device, C_Event *event) { return said(aclrtCreateEvent(reinterpret_cast<void **>(event))); }
C_Status destroy_event(const C_Device, C_Event event) { return said(aclrtDestroyEvent(raw(event))); }
C_Status record(const C_Device, C_Stream stream, C_Event event) { return said(aclrtRecordEvent(raw(event), raw(stream))); }
C_Status synchronize_event(const C_Device, C_Event event) { return said(aclrtSynchronizeEvent(raw(event))); }
C_Status wait(const C_Device, C_Stream stream, C_Event event) { return said(aclrtStreamWaitEvent(raw(stream), raw(event))); }

char type[] = "npu", sub_type[] = "emulated";

}  // namespace

extern "C" EMULATED_EXPORT void InitPlugin(CustomRuntimeParams *params) {
    PADDLE_CUSTOM_RUNTIME_CHECK_VERSION(params);
    params->device_type = type;
    params->sub_device_type = sub_type;
    auto *is = params->interface;
    std::memset(static_cast<void *>(is), 0, sizeof(C_DeviceInterface));
    is->initialize = begin;
    is->finalize = nothing;
    is->init_device = is->deinit_device = no_work;
    is->set_device = set_device;
    is->get_device = get_device;
    is->get_device_count = count;
    is->get_device_list = list;
    is->synchronize_device = synchronize;
    is->create_stream = create;
    is->destroy_stream = destroy;
    is->synchronize_stream = synchronize_stream;
    is->create_event = create_event;
    is->destroy_event = destroy_event;
    is->record_event = record;
    is->synchronize_event = synchronize_event;
    is->stream_wait_event = wait;
    is->memory_copy_h2d = copy<to_device>;
    is->memory_copy_d2h = copy<to_host>;
    is->memory_copy_d2d = copy<within>;
    is->async_memory_copy_h2d = copy_on<to_device>;
    is->async_memory_copy_d2h = copy_on<to_host>;
    is->async_memory_copy_d2d = copy_on<within>;
    is->device_memory_allocate = allocate;
    is->device_memory_deallocate = release;
    is->host_memory_allocate = is->unified_memory_allocate = allocate_host;
    is->host_memory_deallocate = is->unified_memory_deallocate = release_host;
    is->device_memory_stats = memory;
    is->device_min_chunk_size = smallest;
}

EMULATED_KERNELS(npu)

// Paddle's own, which this library's callers find first, and which it calls: it says what falls back.
EMULATED_EXPORT phi::KernelResult phi::KernelFactory::SelectKernelOrThrowError(const std::string &name,
                                                                               const KernelKey &key,
                                                                               bool strided) const {
    using Select = KernelResult (*)(const KernelFactory *, const std::string &, const KernelKey &, bool);
    static const auto select = reinterpret_cast<Select>(dlsym(
        RTLD_NEXT,
        "_ZNK3phi13KernelFactory24SelectKernelOrThrowErrorERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEERKNS_"
        "9KernelKeyEb"));
    const KernelResult found = select(this, name, key, strided);
    if (found.has_fallback_cpu) emulated_ascend_count("cpu", name.c_str());
    return found;
}
