// The emulated CUDA device as a custom device of Paddle: memory, streams and events are the
// runtime's. Operators fall back to the CPU's by Paddle's own rule, which copies their tensors; the
// few that have no such fallback are here.
#include <cuda_runtime_api.h>

#include <cstring>

#include "paddle/phi/backends/custom/custom_context.h"
#include "paddle/phi/backends/device_ext.h"

#define EMULATED_EXPORT __attribute__((visibility("default")))

static void emulated_settle() { emulated_wait(*emulated_process_stream()); }

#include "operators.h"

namespace {

C_Status said(cudaError_t error) { return error == cudaSuccess ? C_SUCCESS : C_FAILED; }
cudaStream_t raw(C_Stream stream) { return reinterpret_cast<cudaStream_t>(stream); }
cudaEvent_t raw(C_Event event) { return reinterpret_cast<cudaEvent_t>(event); }

C_Status nothing() { return C_SUCCESS; }
C_Status no_work(const C_Device) { return C_SUCCESS; }
C_Status get_device(const C_Device device) { return device->id = 0, C_SUCCESS; }
C_Status count(size_t *devices) { return *devices = 1, C_SUCCESS; }
C_Status list(size_t *devices) { return *devices = 0, C_SUCCESS; }
C_Status synchronize(const C_Device) { return said(cudaDeviceSynchronize()); }

// On the stream that is current to extensions: Paddle's own, of its context, is another one here.
C_Status copy_on(const C_Device, C_Stream, void *to, const void *from, size_t bytes) {
    return said(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, *emulated_process_stream()));
}
C_Status copy(const C_Device device, void *to, const void *from, size_t bytes) {
    const C_Status copied = copy_on(device, nullptr, to, from, bytes);
    emulated_wait(*emulated_process_stream());
    return copied;
}
C_Status allocate(const C_Device, void **p, size_t bytes) { return said(cudaMalloc(p, bytes)); }
C_Status release(const C_Device, void *p, size_t) { return said(cudaFree(p)); }
C_Status allocate_host(const C_Device, void **p, size_t bytes) { return said(cudaMallocHost(p, bytes)); }
C_Status release_host(const C_Device, void *p, size_t) { return said(cudaFreeHost(p)); }
C_Status memory(const C_Device, size_t *total, size_t *free) { return said(cudaMemGetInfo(free, total)); }
C_Status smallest(const C_Device, size_t *bytes) { return *bytes = 256, C_SUCCESS; }

C_Status create(const C_Device, C_Stream *stream) { return said(cudaStreamCreate(reinterpret_cast<cudaStream_t *>(stream))); }
C_Status destroy(const C_Device, C_Stream stream) { return said(cudaStreamDestroy(raw(stream))); }
C_Status synchronize_stream(const C_Device, C_Stream stream) {
    emulated_wait(*emulated_process_stream());
    return said(cudaStreamSynchronize(raw(stream)));
}
C_Status create_event(const C_Device, C_Event *event) { return said(cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t *>(event), 0)); }
C_Status destroy_event(const C_Device, C_Event event) { return said(cudaEventDestroy(raw(event))); }
C_Status record(const C_Device, C_Stream stream, C_Event event) { return said(cudaEventRecord(raw(event), raw(stream))); }
C_Status synchronize_event(const C_Device, C_Event event) { return said(cudaEventSynchronize(raw(event))); }
C_Status wait(const C_Device, C_Stream stream, C_Event event) { return said(cudaStreamWaitEvent(raw(stream), raw(event), 0)); }

char type[] = "emulated", sub_type[] = "cuda";

}  // namespace

extern "C" EMULATED_EXPORT void InitPlugin(CustomRuntimeParams *params) {
    PADDLE_CUSTOM_RUNTIME_CHECK_VERSION(params);
    params->device_type = type;
    params->sub_device_type = sub_type;
    auto *is = params->interface;
    std::memset(static_cast<void *>(is), 0, sizeof(C_DeviceInterface));
    is->initialize = is->finalize = nothing;
    is->init_device = is->set_device = is->deinit_device = no_work;
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
    is->memory_copy_h2d = is->memory_copy_d2d = is->memory_copy_d2h = copy;
    is->async_memory_copy_h2d = is->async_memory_copy_d2d = is->async_memory_copy_d2h = copy_on;
    is->device_memory_allocate = allocate;
    is->device_memory_deallocate = release;
    is->host_memory_allocate = is->unified_memory_allocate = allocate_host;
    is->host_memory_deallocate = is->unified_memory_deallocate = release_host;
    is->device_memory_stats = memory;
    is->device_min_chunk_size = smallest;
}

EMULATED_KERNELS(emulated)
