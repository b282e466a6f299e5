// Operators of CANN's own that translated extensions and tutorials call, element by element: each is
// computed in more bits than its types have and rounded. Written from their public documentation;
// others are not there.
#include "../include/aclnn/emulated_meta.h"

#include <dlfcn.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#define API extern "C" __attribute__((visibility("default")))

namespace {

constexpr int ok = 0, invalid = 161002, runtime_error = 561000;

// By the numbers of the public table of data types.
template <class F> bool of_type(int type, F &&use) {
    switch (type) {
        case 0: return use(float()), true;
        case 1: return use(_Float16()), true;
        case 2: return use(int8_t()), true;
        case 3: return use(int32_t()), true;
        case 4: return use(uint8_t()), true;
        case 6: return use(int16_t()), true;
        case 9: return use(int64_t()), true;
        case 11: return use(double()), true;
        default: return false;
    }
}
constexpr int type_bfloat16 = 27;

// The place of an element of `sizes`, which the tensor is broadcast to, in elements from the
// beginning of the memory.
int64_t place(const aclTensor &t, const std::vector<int64_t> &sizes, int64_t number) {
    int64_t at = t.offset;
    const size_t more = sizes.size() - t.sizes.size();
    for (size_t k = sizes.size(); k-- > 0; number /= sizes[k])
        if (k >= more && t.sizes[k - more] != 1) at += number % sizes[k] * t.strides[k - more];
    return at;
}

// Values are long double here: it holds every int64.
using Value = long double;

Value read(const aclTensor &t, int64_t at) {
    Value value = NAN;
    if (t.type == type_bfloat16) {
        const uint32_t bits = static_cast<uint32_t>(static_cast<const uint16_t *>(t.data)[at]) << 16;
        float whole;
        std::memcpy(&whole, &bits, 4);
        return whole;
    }
    of_type(t.type, [&](auto kind) { value = static_cast<const decltype(kind) *>(t.data)[at]; });
    return value;
}

void write(const aclTensor &t, int64_t at, Value value) {
    if (t.type == type_bfloat16) {
        const float whole = static_cast<float>(value);
        uint32_t bits;
        std::memcpy(&bits, &whole, 4);
        const bool nan = whole != whole;
        bits = nan ? (bits >> 16) | 0x40 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
        static_cast<uint16_t *>(t.data)[at] = static_cast<uint16_t>(bits);
        return;
    }
    of_type(t.type, [&](auto kind) {
        using T = decltype(kind);
        // An integer of fewer bits than int64 keeps its low ones.
        if constexpr (std::is_integral_v<T>) static_cast<T *>(t.data)[at] = static_cast<T>(static_cast<int64_t>(value));
        else static_cast<T *>(t.data)[at] = static_cast<T>(static_cast<double>(value));
    });
}

bool is_known(int type) {
    return type == type_bfloat16 || of_type(type, [](auto) {});
}
bool is_whole(int type) { return type == 2 || type == 3 || type == 4 || type == 6 || type == 9; }

bool broadcasts(const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    if (from.size() > to.size()) return false;
    const size_t more = to.size() - from.size();
    for (size_t k = 0; k < from.size(); ++k)
        if (from[k] != to[k + more] && from[k] != 1) return false;
    return true;
}

Value number(const aclScalar &s) {
    if (s.type == 12) return s.bytes[0];
    Value value = NAN;
    of_type(s.type, [&](auto kind) {
        std::memcpy(&kind, s.bytes, sizeof kind);
        value = kind;
    });
    return value;
}

struct Work {
    std::vector<aclTensor> given;
    aclTensor out;
    std::function<Value(const Value *)> value;
};

void compute(void *data) {
    const auto *work = static_cast<Work *>(data);
    int64_t count = 1;
    for (const int64_t size : work->out.sizes) count *= size;
    for (int64_t k = 0; k < count; ++k) {
        Value values[2] = {};
        for (size_t n = 0; n < work->given.size(); ++n)
            values[n] = read(work->given[n], place(work->given[n], work->out.sizes, k));
        write(work->out, place(work->out, work->out.sizes, k), work->value(values));
    }
    delete work;
}

// `whole`: the operator is there for integers, too.
int plan(const std::vector<const aclTensor *> &given, aclTensor *out, bool whole,
         std::function<Value(const Value *)> value, uint64_t *size, aclOpExecutor **executor) {
    Work work{{}, {}, std::move(value)};
    if (!out || !size || !executor || !is_known(out->type)) return invalid;
    work.out = *out;
    for (const aclTensor *each : given) {
        if (!each || !is_known(each->type) || !broadcasts(each->sizes, out->sizes)) return invalid;
        if (is_whole(out->type) && !(whole && is_whole(each->type))) return invalid;
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
#define OF_ONE(name, whole, expression)                                                               \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, aclTensor *out, uint64_t *size,      \
                                          aclOpExecutor **executor) {                                 \
        return plan({self}, out, whole, [](const Value *v) -> Value {                                 \
            const Value x = v[0];                                                                     \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)
#define OF_TWO(name, whole, expression)                                                               \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, const aclTensor *other,              \
                                          aclTensor *out, uint64_t *size, aclOpExecutor **executor) { \
        return plan({self, other}, out, whole, [](const Value *v) -> Value {                          \
            const Value x = v[0], y = v[1];                                                           \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)
#define WITH_ALPHA(name, expression)                                                                  \
    API int aclnn##name##GetWorkspaceSize(const aclTensor *self, const aclTensor *other,              \
                                          const aclScalar *alpha, aclTensor *out, uint64_t *size,     \
                                          aclOpExecutor **executor) {                                 \
        if (!alpha) return invalid;                                                                   \
        const Value a = number(*alpha);                                                               \
        return plan({self, other}, out, true, [a](const Value *v) -> Value {                          \
            const Value x = v[0], y = v[1];                                                           \
            return expression;                                                                        \
        }, size, executor);                                                                           \
    }                                                                                                 \
    RUN(name)                                                                                         \
    API int aclnnInplace##name##GetWorkspaceSize(aclTensor *self, const aclTensor *other,             \
                                                 const aclScalar *alpha, uint64_t *size,              \
                                                 aclOpExecutor **executor) {                          \
        return aclnn##name##GetWorkspaceSize(self, other, alpha, self, size, executor);               \
    }                                                                                                 \
    RUN(Inplace##name)
#define IN_PLACE(name)                                                                                \
    API int aclnnInplace##name##GetWorkspaceSize(aclTensor *self, const aclTensor *other,             \
                                                 uint64_t *size, aclOpExecutor **executor) {          \
        return aclnn##name##GetWorkspaceSize(self, other, self, size, executor);                      \
    }                                                                                                 \
    RUN(Inplace##name)

namespace {
Value sigmoid(Value x) { return 1 / (1 + std::exp(-x)); }
// Of FastGelu: x times a sigmoid, 1.702 in its public formula.
Value fast(Value x) { return sigmoid(Value(1.702) * x); }
}  // namespace

WITH_ALPHA(Add, x + a * y)
WITH_ALPHA(Sub, x - a * y)
OF_TWO(Mul, true, x * y)
OF_TWO(Div, false, x / y)
IN_PLACE(Mul)
IN_PLACE(Div)
OF_TWO(Maximum, true, x != x || x > y ? x : y)
OF_TWO(Minimum, true, x != x || x < y ? x : y)
OF_ONE(Neg, true, -x)
OF_ONE(Abs, true, std::fabs(x))
OF_ONE(Relu, true, x < 0 ? 0 : x)
OF_ONE(Reciprocal, false, 1 / x)
OF_ONE(Sqrt, false, std::sqrt(x))
OF_ONE(Rsqrt, false, 1 / std::sqrt(x))
OF_ONE(Exp, false, std::exp(x))
OF_ONE(Log, false, std::log(x))
OF_ONE(Erf, false, std::erf(x))
OF_ONE(Sin, false, std::sin(x))
OF_ONE(Cos, false, std::cos(x))
OF_ONE(Tanh, false, std::tanh(x))
OF_ONE(Sigmoid, false, sigmoid(x))
OF_ONE(Silu, false, x * sigmoid(x))
OF_ONE(FastGelu, false, x * fast(x))
OF_TWO(FastGeluBackward, false, x * (fast(y) + Value(1.702) * y * fast(y) * (1 - fast(y))))
