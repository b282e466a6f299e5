// Who reads what another stream writes: prints for each way what was read, 7 if it was there.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void seven(int *out) { out[threadIdx.x] = 7; }
__global__ void copy(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }

int *device, *other, *pinned, pageable;
cudaStream_t blocking, first, second;

void begin() {
    cudaDeviceSynchronize();
    cudaMemset(device, 0, sizeof(int)), cudaMemset(other, 0, sizeof(int));
    cudaDeviceSynchronize();
    *pinned = pageable = 0;
}
void read(cudaStream_t stream) { cudaMemcpyAsync(pinned, device, sizeof(int), cudaMemcpyDeviceToHost, stream); }
void tell(const char *way, int value) { std::printf("%s %d\n", way, value); }

int main() {
    cudaMalloc(&device, sizeof(int)), cudaMalloc(&other, sizeof(int)), cudaMallocHost(&pinned, sizeof(int));
    cudaStreamCreate(&blocking);
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEvent_t event;
    cudaEventCreate(&event);

    begin(), seven<<<1, 1, 0, first>>>(device), read(first), cudaStreamSynchronize(first);
    tell("the same", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), read(second), cudaStreamSynchronize(second);
    tell("another", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), cudaEventRecord(event, first), cudaStreamWaitEvent(second, event, 0);
    read(second), cudaStreamSynchronize(second);
    tell("by an event", *pinned);
    begin(), cudaEventRecord(event, first), seven<<<1, 1, 0, first>>>(device), cudaStreamWaitEvent(second, event, 0);
    read(second), cudaStreamSynchronize(second);
    tell("by an event before", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), cudaEventRecord(event, first), cudaEventSynchronize(event);
    read(second), cudaStreamSynchronize(second);
    tell("by the host and an event", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), cudaDeviceSynchronize(), read(second), cudaStreamSynchronize(second);
    tell("by the host", *pinned);
    begin(), seven<<<1, 1, 0, blocking>>>(device), copy<<<1, 1>>>(device, other);
    cudaMemcpy(pinned, other, sizeof(int), cudaMemcpyDeviceToHost);
    tell("the default after one that blocks", *pinned);
    begin(), seven<<<1, 1>>>(device), read(blocking), cudaStreamSynchronize(blocking);
    tell("one that blocks after the default", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), cudaMemcpy(pinned, device, sizeof(int), cudaMemcpyDeviceToHost);
    tell("the default after one that does not block", *pinned);
    begin(), seven<<<1, 1>>>(device), read(second), cudaStreamSynchronize(second);
    tell("one that does not block after the default", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device);
    cudaMemcpyAsync(&pageable, device, sizeof(int), cudaMemcpyDeviceToHost, first);
    tell("to memory that is not pinned", pageable);
    begin(), seven<<<1, 1, 0, first>>>(device), read(first);
    tell("without waiting", *pinned);
    begin(), seven<<<1, 1, 0, first>>>(device), read(first);
    cudaLaunchHostFunc(first, [](void *p) { pageable = *static_cast<int *>(p); }, pinned);
    cudaStreamSynchronize(first);
    tell("a function of the host", pageable);
    begin(), seven<<<1, 1, 0, first>>>(device), read(first), cudaStreamDestroy(first);
    tell("a stream that is gone", *pinned);
    return cudaDeviceSynchronize();
}
