// What an aclnn call knows of its arguments: opaque to callers, plain data here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

struct aclTensor {
    std::vector<int64_t> sizes, strides, storage;
    int type = 0, format = 0;
    int64_t offset = 0;  // in elements
    void *data = nullptr;
};
struct aclScalar {
    int type;
    unsigned char bytes[16];
};
template <class T> struct aclList {
    using Value = T;
    std::vector<T> values;
};
struct aclIntArray : aclList<int64_t> {};
struct aclFloatArray : aclList<float> {};
struct aclBoolArray : aclList<bool> {};
struct aclTensorList : aclList<const aclTensor *> {};
struct aclScalarList : aclList<const aclScalar *> {};

// What the first of an operator's two functions plans, the second puts into a stream.
struct aclOpExecutor {
    std::function<int(void *workspace, uint64_t size, void *stream)> run;
};
