// The device: what it says of itself, its errors and options.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "internal.h"

namespace ascend {
namespace {

std::mutex lock;
std::string broken;               // the fault of a kernel, while there is one
thread_local std::string recent;  // for aclGetRecentErrMsg
thread_local Error last_error;
std::map<int, std::string> compile_options{
    {0, "allow_fp32_to_fp16"}, {1, ""}, {2, "high_performance"}, {3, "normal"}, {4, "0"}, {5, ""}, {6, "disable"}};
std::map<int, int64_t> system_options;
int context;  // there is one, of which the address is known

}  // namespace

Error refuse(Error error, const std::string &why) {
    recent = "emulated NPU: " + why;
    return last_error = error;
}
void set_fault(const std::string &what) {
    std::lock_guard held(lock);
    std::fprintf(stderr, "emulated NPU: %s\n", what.c_str());
    if (broken.empty()) broken = what;
}
Error fault() {
    std::lock_guard held(lock);
    return broken.empty() ? ok : refuse(kernel_failed, broken);
}
void forget_fault() {
    std::lock_guard held(lock);
    broken.clear();
}

}  // namespace ascend

using namespace ascend;

API void emulated_ascend_fault(const char *what) { set_fault(what); }
API void emulated_ascend_refuse(const char *why) { refuse(invalid_parameter, why); }
API void emulated_ascend_forget_faults() { forget_fault(); }

API Error aclInit(const char *) { return ok; }
API Error aclFinalize() { return ok; }
API const char *aclGetRecentErrMsg() {
    static thread_local std::string said;
    said.swap(recent);
    recent.clear();
    return said.empty() ? nullptr : said.c_str();
}
API Error aclrtGetLastError(int) { return std::exchange(last_error, ok); }
API Error aclrtPeekAtLastError(int) { return last_error; }
API const char *aclrtGetSocName() { return soc; }
API Error aclrtGetVersion(int32_t *major, int32_t *minor, int32_t *patch) {
    *major = 1, *minor = 0, *patch = 0;
    return ok;
}

API Error aclrtGetDeviceCount(uint32_t *count) { return *count = 1, ok; }
API Error aclrtSetDevice(int32_t device) {
    return device == 0 ? ok : refuse(invalid_parameter, "there is device 0 only, not " + std::to_string(device));
}
API Error aclrtGetDevice(int32_t *device) { return *device = 0, ok; }
API Error aclrtResetDevice(int32_t) {
    wait_for_all();
    forget_fault();
    return ok;
}
API Error aclrtCreateContext(void **c, int32_t) { return *c = &context, ok; }
API Error aclrtDestroyContext(void *) { return ok; }
API Error aclrtGetCurrentContext(void **c) { return *c = &context, ok; }
API Error aclrtSetCurrentContext(void *c) { return c ? ok : refuse(no_context, "no context"); }
API Error aclrtGetPrimaryCtxState(int32_t, uint32_t *flags, int32_t *active) {
    if (flags) *flags = 0;
    return *active = 1, ok;
}
API Error aclrtDeviceCanAccessPeer(int32_t *can, int32_t, int32_t) { return *can = 0, ok; }
API Error aclrtDeviceEnablePeerAccess(int32_t, uint32_t) { return refuse(unsupported, "there is one device"); }
API Error aclrtDeviceGetBareTgid(int32_t *id) { return *id = 0, ok; }
API Error aclrtGetLogicDevIdByUserDevId(int32_t user, int32_t *logic) { return *logic = user, ok; }
API Error aclrtGetRunMode(int *mode) { return *mode = 1, ok; }  // on the host

// Kinds of information: cores for cubes, for vectors, in that order.
API Error aclGetDeviceCapability(uint32_t, int kind, int64_t *value) {
    *value = kind == 1 ? vector_cores : cube_cores;
    return ok;
}
// 101 and 102: cores that have a cube unit; 201: those with vectors.
API Error aclrtGetDeviceInfo(uint32_t, int kind, int64_t *value) {
    *value = kind == 201 ? vector_cores : kind == 101 || kind == 102 ? cube_cores : 0;
    return ok;
}
API Error aclrtGetDeviceResLimit(int32_t, int kind, uint32_t *value) {
    return *value = kind == 1 ? vector_cores : cube_cores, ok;
}
API Error aclrtGetStreamResLimit(void *, int kind, uint32_t *value) { return aclrtGetDeviceResLimit(0, kind, value); }
API Error aclrtGetResInCurrentThread(int kind, uint32_t *value) { return aclrtGetDeviceResLimit(0, kind, value); }
API Error aclGetCannAttributeList(const int **list, size_t *number) { return *list = nullptr, *number = 0, ok; }
API Error aclGetCannAttribute(int, int32_t *value) { return *value = 0, ok; }

API Error aclSetCompileopt(int option, const char *value) {
    std::lock_guard held(lock);
    return compile_options[option] = value ? value : "", ok;
}
API size_t aclGetCompileoptSize(int option) {
    std::lock_guard held(lock);
    return compile_options[option].size() + 1;
}
API Error aclGetCompileopt(int option, char *value, size_t room) {
    std::lock_guard held(lock);
    const std::string &said = compile_options[option];
    if (room <= said.size()) return refuse(invalid_parameter, "a compile option has no room");
    std::memcpy(value, said.c_str(), said.size() + 1);
    return ok;
}
API Error aclrtGetSysParamOpt(int option, int64_t *value) {
    std::lock_guard held(lock);
    return *value = system_options[option], ok;
}
API Error aclrtSetSysParamOpt(int option, int64_t value) {
    std::lock_guard held(lock);
    return system_options[option] = value, ok;
}
API Error aclrtCtxGetSysParamOpt(int option, int64_t *value) { return aclrtGetSysParamOpt(option, value); }
API Error aclrtCtxSetSysParamOpt(int option, int64_t value) { return aclrtSetSysParamOpt(option, value); }
API Error aclrtSetOpWaitTimeout(uint32_t) { return ok; }
API Error aclrtSetOpExecuteTimeOut(uint32_t) { return ok; }
API Error aclrtSetOpExecuteTimeOutV2(uint64_t, uint64_t *used) { return *used = 0, ok; }
API Error aclrtSetDeviceSatMode(int) { return ok; }
API Error aclrtGetDeviceSatMode(int *mode) { return *mode = 1, ok; }  // infinities and NaN, as on this chip
API Error aclrtSetStreamOverflowSwitch(void *, uint32_t) { return ok; }
API Error aclrtGetStreamOverflowSwitch(void *, uint32_t *value) { return *value = 0, ok; }

// Dumps and profiles of what a real device does: nothing to write down.
API Error aclmdlInitDump() { return ok; }
API Error aclmdlSetDump(const char *) { return ok; }
API Error aclmdlFinalizeDump() { return ok; }
API void aclAppLog(int, const char *, const char *, uint32_t, const char *, ...) {}
API int32_t MsprofRegisterCallback(uint32_t, void *) { return 0; }
API int32_t MsprofReportApi(uint32_t, const void *) { return 0; }
API int32_t MsprofReportCompactInfo(uint32_t, const void *, uint32_t) { return 0; }
API int32_t MsprofReportAdditionalInfo(uint32_t, const void *, uint32_t) { return 0; }
API uint64_t MsprofGetHashId(const char *text, size_t size) { return std::hash<std::string>()({text, size}); }
API uint64_t MsprofSysCycleTime() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
