// Memory and launches for the test kernels, as a host program has them.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "kernel_operator.h"

extern "C" {
int aclrtMalloc(void **, size_t, int);
int aclrtSynchronizeStream(void *);
int aclrtResetDevice(int32_t);
}

template <class T> struct Memory {
    T *data;
    size_t size;
    explicit Memory(size_t size) : size(size) { aclrtMalloc(reinterpret_cast<void **>(&data), size * sizeof(T), 0); }
    Memory(size_t size, T value) : Memory(size) {
        for (size_t k = 0; k < size; ++k) data[k] = value;
    }
    T &operator[](size_t k) { return data[k]; }
    operator uint8_t *() { return reinterpret_cast<uint8_t *>(data); }
};
