// What descriptions of tensors and scalars are to aclnn functions: made by callers, read by kernels'
// host side. The functions of operators themselves are in packages; this library has none.
#include "../include/aclnn/emulated_meta.h"

#include <cstring>

#define API extern "C" __attribute__((visibility("default")))

using Error = int;

namespace {

size_t bytes_of(int type) {
    // By the numbers of the public table of data types.
    switch (type) {
        case 2: case 4: case 12: return 1;            // int8, uint8, bool
        case 1: case 6: case 7: case 27: return 2;    // float16, int16, uint16, bfloat16
        case 9: case 10: case 11: case 16: return 8;  // int64, uint64, double, complex64
        case 17: return 16;                           // complex128
        default: return 4;
    }
}

template <class To, class From> To *list(const From *values, uint64_t count) {
    auto *made = new To;
    made->values.assign(values, values + count);
    return made;
}

}  // namespace

API aclTensor *aclCreateTensor(const int64_t *sizes, uint64_t count, int type, const int64_t *strides, int64_t offset,
                               int format, const int64_t *storage, uint64_t storage_count, void *data) {
    auto *made = new aclTensor;
    made->sizes.assign(sizes, sizes + count);
    if (strides) {
        made->strides.assign(strides, strides + count);
    } else {
        made->strides.resize(count);
        int64_t step = 1;
        for (size_t k = count; k-- > 0; step *= sizes[k]) made->strides[k] = step;
    }
    if (storage) made->storage.assign(storage, storage + storage_count);
    made->type = type;
    made->format = format;
    made->offset = offset;
    made->data = data;
    return made;
}
API Error aclDestroyTensor(const aclTensor *t) { return delete t, 0; }
API Error aclGetViewShape(const aclTensor *t, int64_t **sizes, uint64_t *count) {
    *count = t->sizes.size();
    *sizes = new int64_t[*count + 1];  // the caller's to delete
    std::copy(t->sizes.begin(), t->sizes.end(), *sizes);
    return 0;
}
API Error aclGetViewStrides(const aclTensor *t, int64_t **strides, uint64_t *count) {
    *count = t->strides.size();
    *strides = new int64_t[*count + 1];
    std::copy(t->strides.begin(), t->strides.end(), *strides);
    return 0;
}
API Error aclGetStorageShape(const aclTensor *t, int64_t **sizes, uint64_t *count) {
    *count = t->storage.size();
    *sizes = new int64_t[*count + 1];
    std::copy(t->storage.begin(), t->storage.end(), *sizes);
    return 0;
}
API Error aclGetViewOffset(const aclTensor *t, int64_t *offset) { return *offset = t->offset, 0; }
API Error aclGetDataType(const aclTensor *t, int *type) { return *type = t->type, 0; }
API Error aclGetFormat(const aclTensor *t, int *format) { return *format = t->format, 0; }
API Error aclGetRawTensorAddr(const aclTensor *t, void **data) { return *data = t->data, 0; }
API Error aclSetRawTensorAddr(aclTensor *t, void *data) { return t->data = data, 0; }

API aclScalar *aclCreateScalar(const void *value, int type) {
    auto *made = new aclScalar{type, {}};
    std::memcpy(made->bytes, value, bytes_of(type));
    return made;
}
API Error aclDestroyScalar(const aclScalar *s) { return delete s, 0; }

API aclIntArray *aclCreateIntArray(const int64_t *v, uint64_t n) { return list<aclIntArray>(v, n); }
API aclFloatArray *aclCreateFloatArray(const float *v, uint64_t n) { return list<aclFloatArray>(v, n); }
API aclBoolArray *aclCreateBoolArray(const bool *v, uint64_t n) { return list<aclBoolArray>(v, n); }
API aclTensorList *aclCreateTensorList(const aclTensor *const *v, uint64_t n) { return list<aclTensorList>(v, n); }
API aclScalarList *aclCreateScalarList(const aclScalar *const *v, uint64_t n) { return list<aclScalarList>(v, n); }
API Error aclGetIntArraySize(const aclIntArray *a, uint64_t *n) { return *n = a->values.size(), 0; }
API Error aclGetTensorListSize(const aclTensorList *a, uint64_t *n) { return *n = a->values.size(), 0; }
API Error aclDestroyIntArray(const aclIntArray *a) { return delete a, 0; }
API Error aclDestroyFloatArray(const aclFloatArray *a) { return delete a, 0; }
API Error aclDestroyBoolArray(const aclBoolArray *a) { return delete a, 0; }
// A list owns what it lists.
API Error aclDestroyTensorList(const aclTensorList *a) {
    for (const aclTensor *each : a->values) delete each;
    return delete a, 0;
}
API Error aclDestroyScalarList(const aclScalarList *a) {
    for (const aclScalar *each : a->values) delete each;
    return delete a, 0;
}
API Error aclDestroyAclOpExecutor(aclOpExecutor *e) { return delete e, 0; }
