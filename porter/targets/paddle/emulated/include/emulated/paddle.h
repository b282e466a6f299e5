// What CUDA builds of Paddle have of a GPU, as far as extensions use it, over the emulated runtime.
#pragma once
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <array>

#include "emulated/place.h"
#include "paddle/phi/core/device_context.h"
#include "paddle/phi/core/enforce.h"
#include "paddle/phi/core/stream.h"

using gpuStream_t = cudaStream_t;
using gpuEvent_t = cudaEvent_t;
using gpuError_t = cudaError_t;
using gpuDeviceProp = cudaDeviceProp;

#define PADDLE_ENFORCE_GPU_SUCCESS(CALL)                                                                  \
    do {                                                                                                  \
        const cudaError_t emulated_error = (CALL);                                                        \
        if (emulated_error != cudaSuccess)                                                                \
            PADDLE_THROW(::common::errors::External("CUDA error(%d), %s.", int(emulated_error),           \
                                                    cudaGetErrorString(emulated_error)));                 \
    } while (0)

// Paddle's loops of a kernel's threads, of gpu_helper.h.
#define CUDA_KERNEL_LOOP_TYPE(i, num, index_type)                                                         \
    int64_t __index__ = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;                      \
    int64_t __stride__ = static_cast<int64_t>(blockDim.x) * gridDim.x;                                    \
    for (index_type i = __index__; __index__ < (num); __index__ += __stride__, i = __index__)
#define CUDA_KERNEL_LOOP(i, num) CUDA_KERNEL_LOOP_TYPE(i, num, int)

namespace phi::backends::gpu {
inline int GetGPUDeviceCount() { return 1; }
inline int GetCurrentDeviceId() { return 0; }
inline void SetDeviceId(int device) { PADDLE_ENFORCE_GPU_SUCCESS(cudaSetDevice(device)); }
inline void GpuStreamSync(gpuStream_t stream) { PADDLE_ENFORCE_GPU_SUCCESS(cudaStreamSynchronize(stream)); }
inline void GpuDeviceSync() { PADDLE_ENFORCE_GPU_SUCCESS(cudaDeviceSynchronize()); }
inline const gpuDeviceProp &GetDeviceProperties(int device) {
    static gpuDeviceProp properties;
    PADDLE_ENFORCE_GPU_SUCCESS(cudaGetDeviceProperties(&properties, device));
    return properties;
}
inline int GetGPUComputeCapability(int device) {
    return GetDeviceProperties(device).major * 10 + GetDeviceProperties(device).minor;
}
inline int GetGPUMultiProcessors(int device) { return GetDeviceProperties(device).multiProcessorCount; }
inline int GetGPUMaxThreadsPerBlock(int device) { return GetDeviceProperties(device).maxThreadsPerBlock; }
struct GPUDeviceGuard {
    explicit GPUDeviceGuard(int device) { SetDeviceId(device); }
};
}  // namespace phi::backends::gpu

namespace paddle::platform {
using phi::backends::gpu::GetCurrentDeviceId;
using phi::backends::gpu::GetDeviceProperties;
using phi::backends::gpu::GetGPUDeviceCount;
using phi::backends::gpu::SetDeviceId;
class CUDADeviceGuard {
  public:
    CUDADeviceGuard() = default;
    explicit CUDADeviceGuard(int device) { SetDeviceIndex(device); }
    explicit CUDADeviceGuard(const phi::Place &place) { SetDevice(place); }
    void SetDeviceIndex(int device) { SetDeviceId(device); }
    void SetDevice(const phi::Place &place) { SetDeviceIndex(place.GetDeviceId()); }
};
}  // namespace paddle::platform

namespace phi {
class CUDAStream {
  public:
    CUDAStream(const Place &place, const Stream &stream) : place_(place), stream_(stream) {}
    gpuStream_t raw_stream() const { return reinterpret_cast<gpuStream_t>(stream_.id()); }
    StreamId id() const { return stream_.id(); }
    Place place() const { return place_; }
    bool Query() const { return cudaStreamQuery(raw_stream()) == cudaSuccess; }
    void Synchronize() const { backends::gpu::GpuStreamSync(raw_stream()); }

  private:
    Place place_;
    Stream stream_;
};

// Of the whole process, as Paddle has it.
inline CUDAStream *&emulated_current_stream() {
    static CUDAStream first(GPUPlace(0), Stream(reinterpret_cast<StreamId>(emulated_first_stream())));
    static CUDAStream *current = &first;
    return current;
}

// To be reached by static_cast from what Paddle's pool has for a place; it has no data of its own.
class GPUContext : public DeviceContext {
  public:
    gpuStream_t stream() const { return emulated_current_stream()->raw_stream(); }
    void SetCUDAStream(CUDAStream *stream, bool clear = true) {
        emulated_current_stream() = stream;
        *emulated_process_stream() = stream->raw_stream();
    }
    cublasHandle_t cublas_handle() const { return lacks<cublasHandle_t>("cuBLAS"); }
    cublasLtHandle_t cublaslt_handle() const { return lacks<cublasLtHandle_t>("cuBLASLt"); }
    cusparseHandle_t cusparse_handle() const { return lacks<cusparseHandle_t>("cuSPARSE"); }
    cusolverDnHandle_t cusolver_dn_handle() const { return lacks<cusolverDnHandle_t>("cuSOLVER"); }

  private:
    template <class Handle>
    static Handle lacks(const char *what) {
        PADDLE_THROW(::common::errors::Unimplemented("%s: not emulated", what));
    }
};

namespace dynload {
template <class Handle>
int cublasSetStream_v2(Handle, gpuStream_t) { return 0; }
template <class Handle>
int cusparseSetStream(Handle, gpuStream_t) { return 0; }
template <class Handle>
int cusolverDnSetStream(Handle, gpuStream_t) { return 0; }
}  // namespace dynload
}  // namespace phi

namespace paddle::memory {
inline void RecordStream(const std::shared_ptr<phi::Allocation> &, gpuStream_t) {}
}  // namespace paddle::memory

namespace paddle {
inline phi::CUDAStream *GetCurrentCUDAStream(const phi::Place &) { return phi::emulated_current_stream(); }
}  // namespace paddle
