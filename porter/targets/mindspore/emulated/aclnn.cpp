// Tensors of the host as those of the emulated NPU, and the aclnn functions of operator packages.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#define API extern "C" __attribute__((visibility("default")))

struct aclTensor;
struct aclOpExecutor;

extern "C" {
int aclrtSetDevice(int);
int aclrtMalloc(void **, size_t, int);
int aclrtFree(void *);
int aclrtMemcpy(void *, size_t, const void *, size_t, int);
int aclrtCreateStream(void **);
int aclrtSynchronizeStream(void *);
const char *aclGetRecentErrMsg();
aclTensor *aclCreateTensor(const int64_t *, uint64_t, int, const int64_t *, int64_t, int, const int64_t *, uint64_t, void *);
void emulated_ascend_adopt(void *, size_t);
void emulated_ascend_disown(void *);
int aclDestroyTensor(const aclTensor *);
int aclGetRawTensorAddr(const aclTensor *, void **);
}

namespace {

constexpr int to_device = 1, to_host = 2, format_nd = 2;

void *stream() {
    static void *const made = [] {
        void *stream = nullptr;
        aclrtSetDevice(0);
        aclrtCreateStream(&stream);
        return stream;
    }();
    return made;
}

}  // namespace

// In the packages that variables name, as CANN looks for them, then in the process.
API void *emulated_aclnn_function(const char *name) {
    const char *folders = std::getenv("ASCEND_CUSTOM_OPP_PATH");
    std::istringstream each(folders ? folders : "");
    for (std::string folder; std::getline(each, folder, ':');) {
        void *library = dlopen((folder + "/op_api/lib/libcust_opapi.so").c_str(), RTLD_NOW);
        if (void *found = library ? dlsym(library, name) : nullptr) return found;
    }
    return dlsym(RTLD_DEFAULT, name);
}

API aclTensor *emulated_aclnn_tensor(void *data, int type, int64_t bytes, const int64_t *sizes, const int64_t *strides,
                                     uint64_t count) {
    stream();
    void *memory = nullptr;
    aclrtMalloc(&memory, bytes + 1, 0);
    aclrtMemcpy(memory, bytes + 1, data, bytes, to_device);
    return aclCreateTensor(sizes, count, type, strides, 0, format_nd, sizes, count, memory);
}

API void emulated_aclnn_release(aclTensor *tensor, void *data, int64_t bytes, bool written) {
    void *memory = nullptr;
    aclGetRawTensorAddr(tensor, &memory);
    if (written) aclrtMemcpy(data, bytes, memory, bytes, to_host);
    aclrtFree(memory);
    aclDestroyTensor(tensor);
}

API void *emulated_aclnn_stream() { return stream(); }

API int emulated_aclnn_launch(void (*launch)(void *), void *runner, const std::pair<void *, size_t> *memory, size_t count) {
    stream();
    for (size_t k = 0; k < count; ++k) emulated_ascend_adopt(memory[k].first, memory[k].second);
    launch(runner);
    const int error = aclrtSynchronizeStream(stream());
    for (size_t k = 0; k < count; ++k) emulated_ascend_disown(memory[k].first);
    return error;
}

API int emulated_aclnn_run(void *function, uint64_t workspace, aclOpExecutor *executor) {
    using Run = int (*)(void *, uint64_t, aclOpExecutor *, void *);
    void *memory = nullptr;
    if (workspace) aclrtMalloc(&memory, workspace, 0);
    int error = reinterpret_cast<Run>(function)(memory, workspace, executor, stream());
    if (!error) error = aclrtSynchronizeStream(stream());
    if (memory) aclrtFree(memory);
    return error;
}

API const char *emulated_aclnn_message() {
    static thread_local std::string said;
    const char *recent = aclGetRecentErrMsg();
    said = recent ? recent : "it failed";
    return said.c_str();
}
