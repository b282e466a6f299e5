// Operators of CANN's own that translated extensions call, element by element: each is computed in
// double and rounded once. Written from their public documentation; others are not there.
#include "../include/aclnn/emulated_meta.h"

#include <dlfcn.h>

#include <cmath>
#include <cstring>

#define API extern "C" __attribute__((visibility("default")))

namespace {

constexpr int ok = 0, invalid = 161002, runtime_error = 561000;
enum { type_float = 0, type_half = 1, type_bfloat16 = 27 };

bool is_known(int type) { return type == type_float || type == type_half || type == type_bfloat16; }

// The place of an element, in elements from the beginning of the memory.
int64_t place(const aclTensor &t, int64_t number) {
    int64_t at = t.offset;
    for (size_t k = t.sizes.size(); k-- > 0; number /= t.sizes[k]) at += number % t.sizes[k] * t.strides[k];
    return at;
}

double read(const aclTensor &t, int64_t number) {
    const int64_t at = place(t, number);
    if (t.type == type_float) return static_cast<const float *>(t.data)[at];
    if (t.type == type_half) return static_cast<const _Float16 *>(t.data)[at];
    const uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t *>(t.data)[at]) << 16;
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

void write(const aclTensor &t, int64_t number, double value) {
    const int64_t at = place(t, number);
    if (t.type == type_float) {
        static_cast<float *>(t.data)[at] = static_cast<float>(value);
    } else if (t.type == type_half) {
        static_cast<_Float16 *>(t.data)[at] = static_cast<_Float16>(value);
    } else {
        const float whole = static_cast<float>(value);
        uint32_t bits;
        std::memcpy(&bits, &whole, 4);
        const bool nan = whole != whole;
        bits = nan ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
        static_cast<uint16_t *>(t.data)[at] = static_cast<uint16_t>(bits);
    }
}

double number(const aclScalar &s) {
    switch (s.type) {
        case 0: { float v; std::memcpy(&v, s.bytes, 4); return v; }
        case 3: { int32_t v; std::memcpy(&v, s.bytes, 4); return v; }
        case 9: { int64_t v; std::memcpy(&v, s.bytes, 8); return static_cast<double>(v); }
        case 11: { double v; std::memcpy(&v, s.bytes, 8); return v; }
        case 12: return s.bytes[0];
        default: return NAN;
    }
}

struct Work {
    std::vector<aclTensor> given;
    aclTensor out;
    std::function<double(const double *)> value;
};

void compute(void *data) {
    const auto *work = static_cast<Work *>(data);
    int64_t count = 1;
    for (const int64_t size : work->out.sizes) count *= size;
    for (int64_t k = 0; k < count; ++k) {
        double values[2] = {};
        for (size_t n = 0; n < work->given.size(); ++n) values[n] = read(work->given[n], k);
        write(work->out, k, work->value(values));
    }
    delete work;
}

int plan(const std::vector<const aclTensor *> &given, aclTensor *out, std::function<double(const double *)> value,
         uint64_t *size, aclOpExecutor **executor) {
    Work work{{}, {}, std::move(value)};
    if (!out || !size || !executor || !is_known(out->type)) return invalid;
    work.out = *out;
    for (const aclTensor *each : given) {
        if (!each || each->sizes != out->sizes || each->type != out->type) return invalid;
        work.given.push_back(*each);
    }
    *size = 0;
    *executor = new aclOpExecutor{[work](void *, uint64_t, void *stream) {
        using Put = void (*)(void *, void (*)(void *), void *);
        static const auto put = [] {
            void *runtime = dlopen("libascendcl.so", RTLD_LAZY | RTLD_NOLOAD);
            return runtime ? reinterpret_cast<Put>(dlsym(runtime, "emulated_ascend_put")) : nullptr;
        }();
        if (!put) return runtime_error;
        put(stream, compute, new Work(work));
        return ok;
    }};
    return ok;
}

int run(aclOpExecutor *executor, void *workspace, uint64_t size, void *stream) {
    const int error = executor ? executor->run(workspace, size, stream) : invalid;
    delete executor;
    return error;
}

}  // namespace

#define RUN(name)                                                                                     \
    API int aclnn##name(void *workspace, uint64_t size, aclOpExecutor *executor, void *stream) {      \
        return run(executor, workspace, size, stream);                                                \
    }
#define OF_ONE(name, expression)                                                                      \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *size,      \
                                          aclOpExecutor **executor) {                                 \
        return plan({self}, out, [](const double *v) -> double {                                      \
            const double x = v[0];                                                                    \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)
#define OF_TWO(name, expression)                                                                      \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, const aclTensor *other,              \
                                          aclTensor *out, uint64_t *size, aclOpExecutor **executor) { \
        return plan({self, other}, out, [](const double *v) -> double {                               \
            const double x = v[0], y = v[1];                                                          \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)
#define WITH_ALPHA(name, expression)                                                                  \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, const aclTensor *other,              \
                                          const aclScalar *alpha, aclTensor *out, uint64_t *size,     \
                                          aclOpExecutor **executor) {                                 \
        if (!alpha) return invalid;                                                                   \
        const double a = number(*alpha);                                                              \
        return plan({self, other}, out, [a](const double *v) -> double {                              \
            const double x = v[0], y = v[1];                                                          \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)

WITH_ALPHA(Add, x + a * y)
WITH_ALPHA(Sub, x - a * y)
OF_TWO(Mul, x * y)
OF_TWO(Div, x / y)
OF_ONE(Neg, -x)
OF_ONE(Abs, std::fabs(x))
OF_ONE(Relu, x < 0 ? 0 : x)
OF_ONE(Reciprocal, 1 / x)
OF_ONE(Sqrt, std::sqrt(x))
OF_ONE(Rsqrt, 1 / std::sqrt(x))
OF_ONE(Exp, std::exp(x))
OF_ONE(Log, std::log(x))
OF_ONE(Erf, std::erf(x))
OF_ONE(Tanh, std::tanh(x))
OF_ONE(Sigmoid, 1 / (1 + std::exp(-x)))
OF_ONE(Silu, x / (1 + std::exp(-x)))
