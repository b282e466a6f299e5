// What extensions use of libc10_cuda and libtorch_cuda, over the emulated runtime: devices, streams,
// the allocator, the guard, generators, hooks. One device.
#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/CachingHostAllocator.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/EmptyTensor.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/cuda/impl/CUDAGuardImpl.h>

#include <atomic>
#include <cstring>
#include <random>

namespace c10::cuda {

void c10_cuda_check_implementation(int32_t err, const char *file, const char *function, uint32_t line, bool) {
    const auto error = static_cast<cudaError_t>(err);
    if (C10_LIKELY(error == cudaSuccess)) return;
    cudaGetLastError();  // one that is not for ever is told once
    throw CUDAError({function, file, line}, std::string("CUDA error: ") + cudaGetErrorString(error));
}

std::string get_cuda_error_help(cudaError_t) noexcept { return ""; }
const char *get_cuda_check_suffix() noexcept { return ""; }
const char *get_cuda_async_error_suffix(cudaError_t) noexcept { return ""; }
std::mutex *getFreeMutex() {
    static std::mutex mutex;
    return &mutex;
}

// Devices

DeviceIndex device_count() noexcept { return 1; }
DeviceIndex device_count_ensure_non_zero() { return 1; }
DeviceIndex current_device() { return 0; }
cudaError_t GetDeviceCount(int *count) { return cudaGetDeviceCount(count); }
cudaError_t GetDevice(DeviceIndex *device) { return *device = 0, cudaSuccess; }
cudaError_t SetDevice(DeviceIndex device, bool) {
    TORCH_CHECK(device >= 0, "device id must be non-negative!", static_cast<int>(device));
    return cudaSetDevice(device);
}
void set_device(DeviceIndex device, bool force) { C10_CUDA_CHECK(SetDevice(device, force)); }
cudaError_t MaybeSetDevice(DeviceIndex device) { return SetDevice(device, false); }
DeviceIndex ExchangeDevice(DeviceIndex device) {
    if (device >= 0) set_device(device, false);
    return 0;
}
DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return ExchangeDevice(device); }
void SetTargetDevice() {}
void device_synchronize() { C10_CUDA_CHECK(cudaDeviceSynchronize()); }
void warn_or_error_on_sync() {
    const auto mode = warning_state().get_sync_debug_mode();
    TORCH_CHECK(mode != SyncDebugMode::L_ERROR, "called a synchronizing CUDA operation");
    if (mode == SyncDebugMode::L_WARN) TORCH_WARN("called a synchronizing CUDA operation");
}
bool hasPrimaryContext(DeviceIndex device) { return device == 0; }
std::optional<DeviceIndex> getDeviceIndexWithPrimaryContext() { return 0; }

// Streams: the id is the handle, 0 the default stream

namespace {
thread_local cudaStream_t current_stream = emulated_first_stream();

CUDAStream wrapped(cudaStream_t stream) {
    return CUDAStream(CUDAStream::UNCHECKED,
                      Stream(Stream::UNSAFE, Device(DeviceType::CUDA, 0), reinterpret_cast<StreamId>(stream)));
}
void check_index(DeviceIndex device) { TORCH_CHECK(device <= 0, "Device index ", int(device), " is out of range"); }
}  // namespace

cudaStream_t CUDAStream::stream() const { return reinterpret_cast<cudaStream_t>(stream_.id()); }
bool CUDAStream::query() const {
    C10_CUDA_CHECK(cudaStreamQuery(stream()));
    return true;
}
void CUDAStream::synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream())); }

CUDAStream getStreamFromPool(int priority, DeviceIndex device) {
    check_index(device);
    cudaStream_t stream = nullptr;  // never destroyed, like those of a pool
    C10_CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
    return wrapped(stream);
}
CUDAStream getStreamFromPool(bool high, DeviceIndex device) { return getStreamFromPool(high ? -1 : 0, device); }
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device) { return check_index(device), wrapped(stream); }
CUDAStream getDefaultCUDAStream(DeviceIndex device) { return check_index(device), wrapped(nullptr); }
CUDAStream getCurrentCUDAStream(DeviceIndex device) { return check_index(device), wrapped(current_stream); }
void setCurrentCUDAStream(CUDAStream stream) { current_stream = stream.stream(); }
std::ostream &operator<<(std::ostream &out, const CUDAStream &stream) { return out << stream.unwrap(); }

// Memory: each tensor its own allocation, so that the checker knows where it ends

namespace CUDACachingAllocator {
namespace {

void freed(void *p) { cudaFree(p); }
void deleted(void *p) { emulated_when_idle(&freed, p); }

struct Emulated final : CUDAAllocator {
    bool on = true;

    void *raw_alloc(size_t bytes) override {
        void *p = nullptr;
        if (bytes) C10_CUDA_CHECK(cudaMalloc(&p, bytes));
        return p;
    }
    void *raw_alloc_with_stream(size_t bytes, cudaStream_t) override { return raw_alloc(bytes); }
    void raw_delete(void *p) override { deleted(p); }
    DataPtr allocate(size_t bytes) override {
        void *p = raw_alloc(bytes);
        return {p, p, &deleted, Device(DeviceType::CUDA, 0)};
    }
    DeleterFnPtr raw_deleter() const override { return &deleted; }
    void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }

    std::string name() override { return "emulated"; }
    void init(int) override {}
    bool initialized() override { return true; }
    void enable(bool value) override { on = value; }
    bool isEnabled() const override { return on; }
    double getMemoryFraction(DeviceIndex) override { return 1; }
    void setMemoryFraction(double, DeviceIndex) override {}
    void emptyCache(MempoolId_t) override {}
    std::vector<StreamSegmentSize> getExpandableSegmentSizes(DeviceIndex) override { return {}; }
    void cacheInfo(DeviceIndex, size_t *largest) override { *largest = 0; }
    void recordStream(const DataPtr &, CUDAStream) override {}
    void enablePeerAccess(DeviceIndex, DeviceIndex) override {}
    cudaError_t memcpyAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t stream, bool) override {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
    }
    CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex) override {
        size_t free = 0, total = 0;
        C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
        CachingDeviceAllocator::DeviceStats stats;
        stats.allocated_bytes[0].current = stats.reserved_bytes[0].current = int64_t(total - free);
        return stats;
    }
    void resetAccumulatedStats(DeviceIndex) override {}
    void resetPeakStats(DeviceIndex) override {}
    void attachOutOfMemoryObserver(OutOfMemoryObserver) override {}
    void attachOomRejectionObserver(OomRejectionObserver) override {}
    void attachAllocatorTraceTracker(AllocatorTraceTracker) override {}

    [[noreturn]] static void lacks(const char *what) { TORCH_CHECK_NOT_IMPLEMENTED(false, what, ": not emulated"); }
    void *getBaseAllocation(void *, size_t *) override { lacks("base allocations"); }
    SnapshotInfo snapshot(MempoolId_t, bool) override { lacks("snapshots of memory"); }
    void beginAllocateToPool(DeviceIndex, MempoolId_t, std::function<bool(cudaStream_t)>) override { lacks("memory pools"); }
    void endAllocateToPool(DeviceIndex, MempoolId_t) override { lacks("memory pools"); }
    void releasePool(DeviceIndex, MempoolId_t) override { lacks("memory pools"); }
    ShareableHandle shareIpcHandle(void *) override { lacks("shared handles"); }
    std::shared_ptr<void> getIpcDevPtr(std::string) override { lacks("shared handles"); }
    void recordHistory(bool, CreateContextFn, size_t, RecordContext, bool, const std::vector<std::string> &) override {
        lacks("histories of memory");
    }
    std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex, MempoolId_t) override { lacks("checkpoints"); }
    CheckpointDelta setCheckpointPoolState(DeviceIndex, std::shared_ptr<AllocatorState>) override { lacks("checkpoints"); }
};

Emulated emulated;
}  // namespace

std::atomic<CUDAAllocator *> allocator{&emulated};

}  // namespace CUDACachingAllocator

namespace {
struct Registered {
    Registered() { SetAllocator(DeviceType::CUDA, CUDACachingAllocator::get()); }
} registered;
}  // namespace

namespace impl {
C10_REGISTER_GUARD_IMPL(CUDA, CUDAGuardImpl)
}

}  // namespace c10::cuda

namespace at {

// Generators: Philox's seed and offset, as kernels take them

CUDAGeneratorImpl::CUDAGeneratorImpl(DeviceIndex device)
    : CUDAGeneratorImpl(device, c10::make_intrusive<CUDAGeneratorState>()) {}
CUDAGeneratorImpl::CUDAGeneratorImpl(DeviceIndex device, c10::intrusive_ptr<CUDAGeneratorState> state)
    : c10::GeneratorImpl{Device(DeviceType::CUDA, device), DispatchKeySet(c10::DispatchKey::CUDA)},
      state_(std::move(state)) {}
c10::intrusive_ptr<CUDAGeneratorState> CUDAGeneratorState::clone() {
    return c10::make_intrusive<CUDAGeneratorState>(seed_, philox_offset_per_thread_);
}
void CUDAGeneratorState::increase(uint64_t increment) { philox_offset_per_thread_ += (increment + 3) / 4 * 4; }
void CUDAGeneratorImpl::set_current_seed(uint64_t seed) {
    state_->seed_ = seed;
    state_->philox_offset_per_thread_ = 0;
}
void CUDAGeneratorImpl::set_offset(uint64_t offset) { state_->philox_offset_per_thread_ = offset; }
uint64_t CUDAGeneratorImpl::get_offset() const { return state_->philox_offset_per_thread_; }
uint64_t CUDAGeneratorImpl::current_seed() const { return state_->seed_; }
uint64_t CUDAGeneratorImpl::seed() {
    std::random_device device;
    set_current_seed((uint64_t(device()) << 32) | device());
    return current_seed();
}
void CUDAGeneratorImpl::set_state(const c10::TensorImpl &state) {
    TORCH_CHECK(state.numel() == 16, "RNG state is wrong size");
    std::memcpy(&state_->seed_, state.data(), 8);
    std::memcpy(&state_->philox_offset_per_thread_, static_cast<const char *>(state.data()) + 8, 8);
}
c10::intrusive_ptr<c10::TensorImpl> CUDAGeneratorImpl::get_state() const {
    auto state = detail::empty_cpu({16}, kByte);
    std::memcpy(state.mutable_data_ptr(), &state_->seed_, 8);
    std::memcpy(static_cast<char *>(state.mutable_data_ptr()) + 8, &state_->philox_offset_per_thread_, 8);
    return state.getIntrusivePtr();
}
void CUDAGeneratorImpl::graphsafe_set_state(const c10::intrusive_ptr<GeneratorImpl> &other) {
    state_ = static_cast<CUDAGeneratorImpl *>(other.get())->state_;
}
c10::intrusive_ptr<c10::GeneratorImpl> CUDAGeneratorImpl::graphsafe_get_state() const {
    return c10::make_intrusive<CUDAGeneratorImpl>(device().index(), state_);
}
void CUDAGeneratorImpl::set_philox_offset_per_thread(uint64_t offset) { state_->philox_offset_per_thread_ = offset; }
uint64_t CUDAGeneratorImpl::philox_offset_per_thread() const { return state_->philox_offset_per_thread_; }
PhiloxCudaState CUDAGeneratorImpl::philox_cuda_state(uint64_t increment) {
    const uint64_t offset = state_->philox_offset_per_thread_;
    state_->increase(increment);
    return PhiloxCudaState(state_->seed_, offset);
}
std::pair<uint64_t, uint64_t> CUDAGeneratorImpl::philox_engine_inputs(uint64_t increment) {
    const uint64_t offset = state_->philox_offset_per_thread_;
    state_->increase(increment);
    return {state_->seed_, offset};
}
c10::DeviceType CUDAGeneratorImpl::device_type() { return DeviceType::CUDA; }
std::shared_ptr<CUDAGeneratorImpl> CUDAGeneratorImpl::clone() const {
    return std::shared_ptr<CUDAGeneratorImpl>(clone_impl());
}
CUDAGeneratorImpl *CUDAGeneratorImpl::clone_impl() const {
    return new CUDAGeneratorImpl(device().index(), state_->clone());
}

namespace cuda::detail {
Generator createCUDAGenerator(DeviceIndex) { return make_generator<CUDAGeneratorImpl>(0); }
const Generator &getDefaultCUDAGenerator(DeviceIndex) {
    static const Generator generator = [] {
        auto made = createCUDAGenerator(0);
        made.seed();
        return made;
    }();
    return generator;
}
}  // namespace cuda::detail

// Properties, handles

namespace cuda {
cudaDeviceProp *getDeviceProperties(c10::DeviceIndex device) {
    TORCH_CHECK(device == 0, "device=", int(device), ", num_gpus=1");
    static cudaDeviceProp properties = [] {
        cudaDeviceProp p;
        C10_CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
        return p;
    }();
    return &properties;
}
cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(0); }
int warp_size() { return getCurrentDeviceProperties()->warpSize; }
bool canDeviceAccessPeer(c10::DeviceIndex, c10::DeviceIndex) { return false; }
c10::Allocator *getCUDADeviceAllocator() { return c10::cuda::CUDACachingAllocator::get(); }
cublasHandle_t getCurrentCUDABlasHandle(bool) { TORCH_CHECK_NOT_IMPLEMENTED(false, "cuBLAS: not emulated"); }
cublasLtHandle_t getCurrentCUDABlasLtHandle() { TORCH_CHECK_NOT_IMPLEMENTED(false, "cuBLASLt: not emulated"); }
cusparseHandle_t getCurrentCUDASparseHandle() { TORCH_CHECK_NOT_IMPLEMENTED(false, "cuSPARSE: not emulated"); }
cusolverDnHandle_t getCurrentCUDASolverDnHandle() { TORCH_CHECK_NOT_IMPLEMENTED(false, "cuSOLVER: not emulated"); }
}  // namespace cuda

// Hooks: what libtorch_cpu asks of CUDA

namespace {
struct Pinned final : c10::Allocator {
    static void deleted(void *p) { cudaFreeHost(p); }
    DataPtr allocate(size_t bytes) override {
        void *p = nullptr;
        if (bytes) C10_CUDA_CHECK(cudaMallocHost(&p, bytes));
        return {p, p, &deleted, Device(DeviceType::CPU)};
    }
    DeleterFnPtr raw_deleter() const override { return &deleted; }
    void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }
} pinned;
}  // namespace

namespace {
struct CUDAHooks final : CUDAHooksInterface {  // looked up by this name
    CUDAHooks(CUDAHooksArgs) {}
    void init() const override {}
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasCUDA() const override { return true; }
    bool hasCUDART() const override { return true; }
    long versionCUDART() const override { return CUDART_VERSION; }
    std::string showConfig() const override { return "emulated CUDA"; }
    bool hasPrimaryContext(DeviceIndex device) const override { return device == 0; }
    int getNumGPUs() const override { return 1; }
    DeviceIndex deviceCount() const override { return 1; }
    DeviceIndex current_device() const override { return 0; }
    DeviceIndex getCurrentDevice() const override { return 0; }
    void setCurrentDevice(DeviceIndex device) const override { c10::cuda::set_device(device); }
    DeviceIndex exchangeDevice(DeviceIndex device) const override { return c10::cuda::ExchangeDevice(device); }
    DeviceIndex maybeExchangeDevice(DeviceIndex device) const override { return c10::cuda::ExchangeDevice(device); }
    Device getDeviceFromPtr(void *) const override { return Device(DeviceType::CUDA, 0); }
    const Generator &getDefaultGenerator(DeviceIndex device) const override {
        return cuda::detail::getDefaultCUDAGenerator(device);
    }
    // The first is the default one: Python's side, which needs it, has no other way to ask.
    Generator getNewGenerator(DeviceIndex device) const override {
        static std::atomic<bool> first{true};
        if (first.exchange(false)) return cuda::detail::getDefaultCUDAGenerator(device);
        return cuda::detail::createCUDAGenerator(device);
    }
    bool isPinnedPtr(const void *p) const override {
        cudaPointerAttributes attributes;
        return cudaPointerGetAttributes(&attributes, p) == cudaSuccess && attributes.type == cudaMemoryTypeHost;
    }
    c10::Allocator *getPinnedMemoryAllocator() const override { return &pinned; }
    c10::Allocator *getCUDADeviceAllocator() const override { return cuda::getCUDADeviceAllocator(); }
    void deviceSynchronize(DeviceIndex) const override { c10::cuda::device_synchronize(); }
};
REGISTER_CUDA_HOOKS(CUDAHooks)
}  // namespace

}  // namespace at

// For Python's side

extern "C" void *emulated_current_stream() { return c10::cuda::getCurrentCUDAStream().stream(); }
extern "C" void emulated_set_stream(cudaStream_t stream) {
    c10::cuda::setCurrentCUDAStream(c10::cuda::getStreamFromExternal(stream, 0));
}
