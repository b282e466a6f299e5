// The emulated CUDA device as a custom device of Paddle: memory, streams and events are the
// runtime's. Operators fall back to the CPU's by Paddle's own rule, which copies their tensors; the
// few that have no such fallback are here.
#include <cuda_runtime_api.h>

#include <cstring>

#include "paddle/phi/backends/custom/custom_context.h"
#include "paddle/phi/backends/device_ext.h"
#include "paddle/phi/core/compat/convert_utils.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_registry.h"

#define EMULATED_EXPORT __attribute__((visibility("default")))

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

namespace emulated {

using phi::DenseTensor;
using Numbers = std::vector<int64_t>;

struct View {
    char *data;
    Numbers strides;
};

View view(const DenseTensor &tensor, Numbers strides) {
    return {static_cast<char *>(const_cast<void *>(tensor.data())), std::move(strides)};
}

// Elements in the order of the sizes that both have; `to` may be contiguous with other sizes.
void copy_elements(const View &to, const View &from, const Numbers &sizes, int64_t bytes, size_t k = 0, int64_t at = 0,
                   int64_t of = 0) {
    if (k == sizes.size()) {
        std::memcpy(to.data + at * bytes, from.data + of * bytes, size_t(bytes));
        return;
    }
    for (int64_t n = 0; n < sizes[k]; ++n)
        copy_elements(to, from, sizes, bytes, k + 1, at + n * to.strides[k], of + n * from.strides[k]);
}

template <typename T, typename Context>
void contiguous(const Context &context, const DenseTensor &x, DenseTensor *out) {
    phi::DenseTensorMeta meta = x.meta();
    meta.strides = phi::DenseTensorMeta::calc_strides(meta.dims);
    meta.offset = 0;
    out->set_meta(meta);
    context.Alloc(out, x.dtype());
    if (x.numel() == 0) return;
    emulated_wait(*emulated_process_stream());
    copy_elements(view(*out, phi::vectorize(meta.strides)), view(x, phi::vectorize(x.strides())),
                  phi::vectorize(x.dims()), int64_t(phi::SizeOf(x.dtype())));
}

template <typename T, typename Context>
void strided_copy(const Context &, const DenseTensor &x, const Numbers &sizes, const Numbers &strides, int64_t offset,
                  DenseTensor *out) {
    phi::DenseTensorMeta meta = x.meta();
    meta.dims = phi::make_ddim(sizes);
    meta.strides = phi::make_ddim(strides);
    meta.offset = size_t(offset);
    out->set_meta(meta);
    if (x.numel() == 0) return;
    PADDLE_ENFORCE_EQ(x.numel(), out->numel(), common::errors::InvalidArgument("strided_copy between other sizes"));
    emulated_wait(*emulated_process_stream());
    copy_elements(view(*out, strides), view(x, phi::vectorize(x.strides())), sizes,
                  int64_t(phi::SizeOf(x.dtype())));
}

}  // namespace emulated

// In place of Paddle's own of these names, which this library's callers find first, since it is loaded
// before Paddle's libraries. By Paddle's, an operator that falls back to the CPU gives a tensor that it
// changes in place other memory, so that views and pointers to the old see nothing of the change.
namespace paddle::experimental {

phi::DenseTensor TransDataPlace(const phi::DenseTensor &tensor, phi::Place place);

// Tensors without elements too, which Paddle leaves on the CPU.
EMULATED_EXPORT void TransDataBackend(const phi::DenseTensor *tensor, Backend backend, phi::DenseTensor *out) {
    if (tensor && tensor->has_allocation()) *out = TransDataPlace(*tensor, phi::TransToPhiPlace(backend));
}

// What an operator writes to in place of a tensor with memory; Paddle does so for strided ones only.
EMULATED_EXPORT phi::DenseTensor *ProcessStrideBackup(phi::DenseTensor **tensor) {
    phi::DenseTensor *own = *tensor;
    if (!own || !own->initialized()) return nullptr;
    if (own->meta().is_contiguous() && own->place().GetType() != phi::AllocationType::CUSTOM) return nullptr;
    *tensor = new phi::DenseTensor();
    return own;
}

EMULATED_EXPORT void TransStride(phi::DeviceContext *, phi::DenseTensor *from, phi::DenseTensor *to) {
    if (!to) return;
    emulated_wait(*emulated_process_stream());
    if (from->dtype() == to->dtype() && from->dims() == to->dims()) {
        emulated::copy_elements(emulated::view(*to, phi::vectorize(to->strides())),
                                emulated::view(*from, phi::vectorize(from->strides())), phi::vectorize(to->dims()),
                                int64_t(phi::SizeOf(to->dtype())));
    } else {  // another size or type, for which the old memory cannot be used
        PADDLE_ENFORCE_EQ(to->meta().is_contiguous(), true,
                          common::errors::InvalidArgument("a strided tensor cannot change its type or size in place"));
        *to = from->place() == to->place() ? *from : TransDataPlace(*from, to->place());
    }
    delete from;
}

}  // namespace paddle::experimental

#define EMULATED_TYPES                                                                                         \
    bool, uint8_t, int8_t, int16_t, int, int64_t, float, double, phi::dtype::float16, phi::dtype::bfloat16,    \
        phi::dtype::complex<float>, phi::dtype::complex<double>
PD_REGISTER_PLUGIN_KERNEL(contiguous, emulated, ALL_LAYOUT, emulated::contiguous, EMULATED_TYPES) {}
PD_REGISTER_PLUGIN_KERNEL(strided_copy, emulated, ALL_LAYOUT, emulated::strided_copy, EMULATED_TYPES) {}
