// Operators by their names (`aclop`), and binaries of kernels: what a real device compiles or loads. There
// is nothing here to run them; descriptions are kept, and the operator is refused by its name.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "internal.h"

using namespace ascend;

namespace {

struct Description {
    int type, format;
    std::vector<int64_t> dims;
};
struct Buffer {
    void *data;
    size_t size;
};
int attributes;

}  // namespace

API void *aclCreateTensorDesc(int type, int count, const int64_t *dims, int format) {
    return new Description{type, format, {dims, dims + count}};
}
API void aclDestroyTensorDesc(const void *d) { delete static_cast<const Description *>(d); }
API Error aclSetTensorFormat(void *d, int format) { return static_cast<Description *>(d)->format = format, ok; }
API Error aclSetTensorShape(void *d, int count, const int64_t *dims) {
    static_cast<Description *>(d)->dims.assign(dims, dims + count);
    return ok;
}
API void aclSetTensorDescName(void *, const char *) {}
API Error aclSetTensorPlaceMent(void *, int) { return ok; }
API int aclGetTensorDescType(const void *d) { return static_cast<const Description *>(d)->type; }
API int aclGetTensorDescFormat(const void *d) { return static_cast<const Description *>(d)->format; }
API size_t aclGetTensorDescNumDims(const void *d) { return static_cast<const Description *>(d)->dims.size(); }
API Error aclGetTensorDescDimV2(const void *d, size_t index, int64_t *size) {
    const auto &dims = static_cast<const Description *>(d)->dims;
    if (index >= dims.size()) return refuse(invalid_parameter, "no such dimension");
    return *size = dims[index], ok;
}
API void *aclCreateDataBuffer(void *data, size_t size) { return new Buffer{data, size}; }
API Error aclDestroyDataBuffer(const void *b) { return delete static_cast<const Buffer *>(b), ok; }

API void *aclopCreateAttr() { return &attributes; }
API void aclopDestroyAttr(const void *) {}
API Error aclopSetAttrBool(void *, const char *, uint8_t) { return ok; }
API Error aclopSetAttrInt(void *, const char *, int64_t) { return ok; }
API Error aclopSetAttrFloat(void *, const char *, float) { return ok; }
API Error aclopSetAttrString(void *, const char *, const char *) { return ok; }
API Error aclopSetAttrDataType(void *, const char *, int) { return ok; }
API Error aclopSetAttrListBool(void *, const char *, int, const uint8_t *) { return ok; }
API Error aclopSetAttrListInt(void *, const char *, int, const int64_t *) { return ok; }
API Error aclopSetAttrListFloat(void *, const char *, int, const float *) { return ok; }
API Error aclopSetAttrListListInt(void *, const char *, int, const int *, const int64_t *const *) { return ok; }
// A fault, too: callers that have it done by a thread of theirs may not hear of the error.
API Error aclopCompileAndExecute(const char *name, ...) {
    const std::string why = std::string("operator ") + name + " has no emulated kernel";
    set_fault(why);
    return refuse(no_such_operator, why);
}

#define NOT_THERE(name) \
    API Error name() { return refuse(unsupported, #name ": binaries of kernels are not emulated"); }
NOT_THERE(aclrtBinaryLoadFromData)
NOT_THERE(aclrtBinaryGetFunction)
NOT_THERE(aclrtGetFunctionAddr)
NOT_THERE(rtDevBinaryRegister)
NOT_THERE(rtFunctionRegister)
NOT_THERE(rtGetC2cCtrlAddr)
NOT_THERE(rtKernelLaunch)
