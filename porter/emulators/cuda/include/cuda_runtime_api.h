// The runtime API for the host, after "CUDA Runtime API". All work is done in order, at the
// call unless streams are late; a query always says that all is done.
#pragma once
#include <cstddef>
#include <cstdint>

#include "driver_types.h"
#include "emulated/version.h"
#include "library_types.h"

#ifdef __cplusplus
#define EMULATED_DEFAULT(value) = value
extern "C" {
#else
#define EMULATED_DEFAULT(value)
#endif
#pragma GCC visibility push(default)

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

cudaError_t cudaGetDevice(int *);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *, int);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t *, enum cudaLimit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaRuntimeGetVersion(int *);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);

cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                            cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind,
                              cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *, const void *);

cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned, int);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned *);
cudaError_t cudaStreamGetDevice(cudaStream_t, int *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus *);
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags EMULATED_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream EMULATED_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned flags);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
// There is no other process to share with: cudaErrorNotSupported.
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t);

// For those who hold memory that kernels may use: tensors, arenas.
void emulated_add_memory(const void *, size_t, const char *name);
void emulated_remove_memory(const void *);
// For frameworks, where streams are late (PORTER_EMULATED_LATE=1): waits for a stream as an operator
// on it does; calls when no stream has work; the stream that is current at first; the one that is
// current, where it is the whole process's.
void emulated_wait(cudaStream_t);
void emulated_when_idle(void (*call)(void *), void *);
cudaStream_t emulated_first_stream(void);
cudaStream_t *emulated_process_stream(void);
// What happened last: the kernel, the place and the reason; "" if nothing did.
const char *emulated_last_message(void);
// Errors that stay until cudaDeviceReset are gone, and memory is kept: for one that runs test after test.
void emulated_forget_errors(void);

// Typed below for C++.
cudaError_t emulated_malloc(void **, size_t, int host);
cudaError_t emulated_malloc_pitch(void **, size_t *, size_t, size_t);
cudaError_t emulated_set_shared(int attribute, int value);
cudaError_t emulated_occupancy(int *, int block, size_t shared);
cudaError_t emulated_function_attributes(struct cudaFuncAttributes *);
#pragma GCC visibility pop
#ifdef __cplusplus
}

template <class... Rest>
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, Rest...) {
    return cudaStreamIsCapturing(stream, status);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags = cudaEventDefault) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class T>
inline cudaError_t cudaMalloc(T **p, size_t bytes) {
    return emulated_malloc(reinterpret_cast<void **>(p), bytes, 0);
}
template <class T>
inline cudaError_t cudaMallocAsync(T **p, size_t bytes, cudaStream_t) {
    return cudaMalloc(p, bytes);
}
template <class T>
inline cudaError_t cudaMallocManaged(T **p, size_t bytes, unsigned = cudaMemAttachGlobal) {
    return cudaMalloc(p, bytes);
}
template <class T>
inline cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned = 0) {
    return emulated_malloc(reinterpret_cast<void **>(p), bytes, 1);
}
template <class T>
inline cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned = 0) {
    return emulated_malloc(reinterpret_cast<void **>(p), bytes, 1);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned) {
    *device = static_cast<T *>(host);
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height) {
    return emulated_malloc_pitch(reinterpret_cast<void **>(p), pitch, width, height);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    *p = const_cast<void *>(static_cast<const volatile void *>(&symbol));
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t *size, const T &) {
    *size = sizeof(T);
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cudaErrorInvalidValue;
    auto *to = reinterpret_cast<const volatile char *>(&symbol) + offset;
    return cudaMemcpy(const_cast<char *>(to), from, bytes, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset) return cudaErrorInvalidValue;
    auto *from = reinterpret_cast<const volatile char *>(&symbol) + offset;
    return cudaMemcpy(to, const_cast<const char *>(from), bytes, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
template <class F>
inline cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute attribute, int value) {
    return emulated_set_shared(attribute, value);
}
template <class F>
inline cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F) {
    return emulated_function_attributes(attributes);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int block, size_t shared) {
    return emulated_occupancy(blocks, block, shared);
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F, int block, size_t shared,
                                                                          unsigned) {
    return emulated_occupancy(blocks, block, shared);
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F, size_t = 0, int limit = 0) {
    int processors = 0, blocks = 0;
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    emulated_occupancy(&blocks, *block, 0);
    *grid = processors * blocks;
    return cudaSuccess;
}
#endif
