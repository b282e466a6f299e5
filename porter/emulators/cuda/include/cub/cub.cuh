// CUB's primitives for warps, blocks and devices, after CUB's documentation ("CCCL: CUB"). CUB has
// no backend for the host: blocks and warps work by the shuffles and barriers of the emulation,
// devices by the standard library.
#pragma once
#include <algorithm>
#include <climits>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "../cuda_runtime.h"

#define CUB_VERSION 300000

namespace cub {

struct NullType {};
template <class K, class V>
struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    Key key;
    Value value;
    KeyValuePair() = default;
    KeyValuePair(const K &key, const V &value) : key(key), value(value) {}
    bool operator!=(const KeyValuePair &other) const { return key != other.key || value != other.value; }
};
struct Sum {
    template <class T, class U>
    auto operator()(T &&a, U &&b) const {
        return a + b;
    }
};
struct Min {
    template <class T>
    T operator()(const T &a, const T &b) const {
        return b < a ? b : a;
    }
};
struct Max {
    template <class T>
    T operator()(const T &a, const T &b) const {
        return a < b ? b : a;
    }
};
struct Equality {
    template <class T, class U>
    bool operator()(const T &a, const U &b) const {
        return a == b;
    }
};
struct Inequality {
    template <class T, class U>
    bool operator()(const T &a, const U &b) const {
        return !(a == b);
    }
};
struct ArgMax {
    template <class P>
    P operator()(const P &a, const P &b) const {
        return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <class P>
    P operator()(const P &a, const P &b) const {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

inline unsigned LaneId() { return emulated::lane(); }
inline unsigned WarpId() { return emulated::state.current / 32; }
template <class T>
constexpr T DivideAndRoundUp(T a, T b) {
    return (a + b - 1) / b;
}

namespace details {

// What is undefined by the documentation has all bits set.
template <class T>
T undefined(const T &some) {
    T value = some;
    if constexpr (std::is_trivially_copyable_v<T>) std::memset(static_cast<void *>(&value), 0xff, sizeof value);
    return value;
}

// Room for values in shared memory, without constructors.
template <class T, int n>
struct Room {
    alignas(T) unsigned char bytes[n * sizeof(T)];
    T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

inline void whole_block(int threads, const char *what, const char *file, unsigned line) {
    if (int(blockDim.x * blockDim.y * blockDim.z) != threads) emulated::fault(cudaErrorLaunchFailure, what, file, line);
}

// Sums by doubling steps among `width` lanes of a warp; the first lane's is the whole.
template <class T, class F>
T reduce_lanes(T value, F f, int width, int valid, unsigned mask, const char *file, unsigned line) {
    const int rank = int(emulated::lane()) % width;
    for (int step = 1; step < width; step *= 2) {
        const T other = emulated::shuffle(mask, value, emulated::source_down(step, width), file, line);
        if (rank + step < valid) value = f(value, other);
    }
    return value;
}
template <class T, class F>
T scan_lanes(T value, F f, int width, unsigned mask, const char *file, unsigned line) {
    const int rank = int(emulated::lane()) % width;
    for (int step = 1; step < width; step *= 2) {
        const T other = emulated::shuffle(mask, value, emulated::source_up(step, width), file, line);
        if (rank >= step) value = f(other, value);
    }
    return value;
}
inline unsigned mask_of(int width) {
    const unsigned first = emulated::lane() / unsigned(width) * unsigned(width);
    return (width == 32 ? ~0u : (1u << width) - 1) << first;
}

}  // namespace details

template <class T, int width = 32, int = 0>
class WarpReduce {
    static_assert((width & (width - 1)) == 0 && width <= 32, "porter: logical warps of this size are not emulated");

   public:
    typedef NullType TempStorage;
    WarpReduce(TempStorage &) {}
    template <class F>
    T Reduce(T value, F f, int valid = width, EMULATED_HERE) {
        value = details::reduce_lanes(value, f, width, valid, details::mask_of(width), file, line);
        return emulated::lane() % width ? details::undefined(value) : value;
    }
    T Sum(T value, int valid = width, EMULATED_HERE) { return Reduce(value, cub::Sum(), valid, file, line); }
    T Max(T value, int valid = width, EMULATED_HERE) { return Reduce(value, cub::Max(), valid, file, line); }
    T Min(T value, int valid = width, EMULATED_HERE) { return Reduce(value, cub::Min(), valid, file, line); }
};

template <class T, int width = 32, int = 0>
class WarpScan {
    static_assert((width & (width - 1)) == 0 && width <= 32, "porter: logical warps of this size are not emulated");

   public:
    typedef NullType TempStorage;
    WarpScan(TempStorage &) {}
    template <class F>
    void InclusiveScan(T in, T &out, F f, EMULATED_HERE) {
        out = details::scan_lanes(in, f, width, details::mask_of(width), file, line);
    }
    template <class F>
    void InclusiveScan(T in, T &out, F f, T &total, EMULATED_HERE) {
        InclusiveScan(in, out, f, file, line);
        total = last(out, file, line);
    }
    template <class F>
    void ExclusiveScan(T in, T &out, T first, F f, EMULATED_HERE) {
        const unsigned mask = details::mask_of(width);
        const T sum = details::scan_lanes(in, f, width, mask, file, line);
        const T before = emulated::shuffle(mask, sum, emulated::source_up(1, width), file, line);
        out = emulated::lane() % width ? f(first, before) : first;
    }
    void InclusiveSum(T in, T &out, EMULATED_HERE) { InclusiveScan(in, out, cub::Sum(), file, line); }
    void InclusiveSum(T in, T &out, T &total, EMULATED_HERE) { InclusiveScan(in, out, cub::Sum(), total, file, line); }
    void ExclusiveSum(T in, T &out, EMULATED_HERE) { ExclusiveScan(in, out, T(0), cub::Sum(), file, line); }
    void ExclusiveSum(T in, T &out, T &total, EMULATED_HERE) {
        ExclusiveSum(in, out, file, line);
        total = last(T(out + in), file, line);
    }
    T Broadcast(T value, unsigned lane, EMULATED_HERE) {
        return emulated::shuffle(details::mask_of(width), value, emulated::source_index(int(lane), width), file, line);
    }

   private:
    T last(T value, const char *file, unsigned line) { return Broadcast(value, width - 1, file, line); }
};

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
template <class T, int x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1, int = 0>
class BlockReduce {
    static constexpr int threads = x * y * z, warps = (threads + 31) / 32;

   public:
    typedef details::Room<T, warps> TempStorage;
    BlockReduce(TempStorage &room) : room_(room) {}
    // The first thread has the result.
    template <class F>
    T Reduce(T value, F f, int valid = threads, EMULATED_HERE) {
        details::whole_block(threads, "a block of another size than cub::BlockReduce was made for", file, line);
        const int thread = int(emulated::state.current), warp = thread / 32;
        const int here = std::min(threads - warp * 32, 32);
        const unsigned mask = here == 32 ? ~0u : (1u << here) - 1;
        value = details::reduce_lanes(value, f, 32, std::min(valid - warp * 32, here), mask, file, line);
        if (thread % 32 == 0) new (&room_[warp]) T(value);
        emulated::block_barrier(0, emulated::Count::plain, file, line);
        if (thread != 0) return details::undefined(value);
        for (int w = 1; w < warps && w * 32 < valid; ++w) value = f(value, room_[w]);
        return value;
    }
    template <int items, class F>
    T Reduce(T (&values)[items], F f, EMULATED_HERE) {
        T value = values[0];
        for (int i = 1; i < items; ++i) value = f(value, values[i]);
        return Reduce(value, f, threads, file, line);
    }
    T Sum(T value, int valid = threads, EMULATED_HERE) { return Reduce(value, cub::Sum(), valid, file, line); }
    template <int items>
    T Sum(T (&values)[items], EMULATED_HERE) {
        return Reduce(values, cub::Sum(), file, line);
    }

   private:
    TempStorage &room_;
};

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class T, int x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1, int = 0>
class BlockScan {
    static constexpr int threads = x * y * z, warps = (threads + 31) / 32;

   public:
    typedef details::Room<T, warps + 1> TempStorage;
    BlockScan(TempStorage &room) : room_(room) {}

    template <class F>
    void InclusiveScan(T in, T &out, F f, EMULATED_HERE) {
        T total;
        InclusiveScan(in, out, f, total, file, line);
    }
    template <class F>
    void InclusiveScan(T in, T &out, F f, T &total, EMULATED_HERE) {
        T before;
        const bool some = scan(in, before, f, total, file, line);
        out = some ? f(before, in) : in;
    }
    template <class F>
    void ExclusiveScan(T in, T &out, T first, F f, EMULATED_HERE) {
        T total;
        ExclusiveScan(in, out, first, f, total, file, line);
    }
    template <class F>
    void ExclusiveScan(T in, T &out, T first, F f, T &total, EMULATED_HERE) {
        T before;
        const bool some = scan(in, before, f, total, file, line);
        out = some ? f(first, before) : first;
    }
    void InclusiveSum(T in, T &out, EMULATED_HERE) { InclusiveScan(in, out, cub::Sum(), file, line); }
    void InclusiveSum(T in, T &out, T &total, EMULATED_HERE) { InclusiveScan(in, out, cub::Sum(), total, file, line); }
    void ExclusiveSum(T in, T &out, EMULATED_HERE) { ExclusiveScan(in, out, T(0), cub::Sum(), file, line); }
    void ExclusiveSum(T in, T &out, T &total, EMULATED_HERE) {
        ExclusiveScan(in, out, T(0), cub::Sum(), total, file, line);
    }
    // The callback is asked once, by the first warp, for what came before the block.
    template <class Prefix, std::enable_if_t<std::is_invocable_r_v<T, Prefix &, T>, int> = 0>
    void InclusiveSum(T in, T &out, Prefix &prefix, EMULATED_HERE) {
        T total;
        ExclusiveScan(in, out, T(0), cub::Sum(), total, file, line);
        out = (given(prefix, total, file, line) + out) + in;
    }
    template <class Prefix, std::enable_if_t<std::is_invocable_r_v<T, Prefix &, T>, int> = 0>
    void ExclusiveSum(T in, T &out, Prefix &prefix, EMULATED_HERE) {
        T total;
        ExclusiveScan(in, out, T(0), cub::Sum(), total, file, line);
        out = given(prefix, total, file, line) + out;
    }

    template <int items, class F>
    void InclusiveScan(T (&in)[items], T (&out)[items], F f, T &total, EMULATED_HERE) {
        T before, sum = in[0];
        for (int i = 1; i < items; ++i) sum = f(sum, in[i]);
        bool some = scan(sum, before, f, total, file, line);
        for (int i = 0; i < items; ++i, some = true) out[i] = before = some ? f(before, in[i]) : in[i];
    }
    template <int items, class F>
    void InclusiveScan(T (&in)[items], T (&out)[items], F f, EMULATED_HERE) {
        T total;
        InclusiveScan(in, out, f, total, file, line);
    }
    template <int items, class F>
    void ExclusiveScan(T (&in)[items], T (&out)[items], T first, F f, T &total, EMULATED_HERE) {
        T before, sum = in[0];
        for (int i = 1; i < items; ++i) sum = f(sum, in[i]);
        const bool some = scan(sum, before, f, total, file, line);
        T running = some ? f(first, before) : first;
        for (int i = 0; i < items; ++i) {
            const T next = f(running, in[i]);
            out[i] = running;
            running = next;
        }
    }
    template <int items>
    void InclusiveSum(T (&in)[items], T (&out)[items], EMULATED_HERE) {
        InclusiveScan(in, out, cub::Sum(), file, line);
    }
    template <int items>
    void InclusiveSum(T (&in)[items], T (&out)[items], T &total, EMULATED_HERE) {
        InclusiveScan(in, out, cub::Sum(), total, file, line);
    }
    template <int items>
    void ExclusiveSum(T (&in)[items], T (&out)[items], EMULATED_HERE) {
        T total;
        ExclusiveScan(in, out, T(0), cub::Sum(), total, file, line);
    }
    template <int items>
    void ExclusiveSum(T (&in)[items], T (&out)[items], T &total, EMULATED_HERE) {
        ExclusiveScan(in, out, T(0), cub::Sum(), total, file, line);
    }

   private:
    // What is before this thread in the block, if anything is; and the block's total.
    template <class F>
    bool scan(T in, T &before, F f, T &total, const char *file, unsigned line) {
        details::whole_block(threads, "a block of another size than cub::BlockScan was made for", file, line);
        const int thread = int(emulated::state.current), warp = thread / 32;
        const int here = std::min(threads - warp * 32, 32);
        const unsigned mask = here == 32 ? ~0u : (1u << here) - 1;
        const T sum = details::scan_lanes(in, f, 32, mask, file, line);
        before = emulated::shuffle(mask, sum, emulated::source_up(1, 32), file, line);
        if (thread % 32 == here - 1) new (&room_[warp]) T(sum);
        emulated::block_barrier(0, emulated::Count::plain, file, line);
        T earlier = room_[0];
        total = earlier;
        for (int w = 1; w < warps; ++w) {
            total = f(total, room_[w]);
            if (w < warp) earlier = total;
        }
        if (warp) before = thread % 32 ? f(earlier, before) : earlier;
        return thread != 0;
    }
    template <class Prefix>
    T given(Prefix &prefix, T total, const char *file, unsigned line) {
        if (emulated::state.current < 32) {
            const T value = prefix(total);
            if (emulated::state.current == 0) new (&room_[warps]) T(value);
        }
        emulated::block_barrier(0, emulated::Count::plain, file, line);
        return room_[warps];
    }
    TempStorage &room_;
};

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
namespace details {
template <int threads, int items, bool striped>
int place(int i) {
    const int thread = int(emulated::state.current);
    return striped ? i * threads + thread : thread * items + i;
}
}  // namespace details
template <class T, int x, int items, BlockLoadAlgorithm how = BLOCK_LOAD_DIRECT, int y = 1, int z = 1, int = 0>
struct BlockLoad {
    typedef NullType TempStorage;
    BlockLoad() {}
    BlockLoad(TempStorage &) {}
    template <class It>
    void Load(It from, T (&to)[items]) {
        Load(from, to, x * y * z * items);
    }
    template <class It>
    void Load(It from, T (&to)[items], int valid) {
        for (int i = 0; i < items; ++i) {
            const int k = details::place<x * y * z, items, how == BLOCK_LOAD_STRIPED>(i);
            if (k < valid) to[i] = from[k];
        }
    }
    template <class It, class D>
    void Load(It from, T (&to)[items], int valid, D otherwise) {
        for (int i = 0; i < items; ++i) to[i] = otherwise;
        Load(from, to, valid);
    }
};
template <class T, int x, int items, BlockStoreAlgorithm how = BLOCK_STORE_DIRECT, int y = 1, int z = 1, int = 0>
struct BlockStore {
    typedef NullType TempStorage;
    BlockStore() {}
    BlockStore(TempStorage &) {}
    template <class It>
    void Store(It to, T (&from)[items]) {
        Store(to, from, x * y * z * items);
    }
    template <class It>
    void Store(It to, T (&from)[items], int valid) {
        for (int i = 0; i < items; ++i) {
            const int k = details::place<x * y * z, items, how == BLOCK_STORE_STRIPED>(i);
            if (k < valid) to[k] = from[i];
        }
    }
};

namespace details {

// A key's bits in the order of radix sorts: negative numbers below, -0 as 0.
template <class K>
unsigned long long ordered(K key, int begin, int end) {
    unsigned long long bits = 0;
    std::memcpy(&bits, &key, sizeof key);
    const unsigned long long sign = 1ull << (sizeof key * 8 - 1);
    if constexpr (std::is_integral_v<K>) {
        if (std::is_signed_v<K>) bits ^= sign;
    } else {
        if (bits == sign) bits = 0;
        bits = bits & sign ? ~bits : bits | sign;
    }
    if (end < int(sizeof key) * 8) bits &= (1ull << end) - 1;
    else if (sizeof key < 8) bits &= (sign << 1) - 1;
    return bits >> begin;
}

// Sorted order of n keys: stable.
template <class Key, class Less>
std::vector<size_t> order(size_t n, Key key, Less less) {
    std::vector<size_t> places(n);
    std::iota(places.begin(), places.end(), size_t(0));
    std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) { return less(key(a), key(b)); });
    return places;
}
template <class K, class V>
void radix_sort(const K *keys, K *sorted, const V *values, V *moved, size_t n, int begin, int end, bool descending) {
    auto key = [&](size_t i) { return ordered(keys[i], begin, end); };
    using U = unsigned long long;
    const auto places = descending ? order(n, key, std::greater<U>()) : order(n, key, std::less<U>());
    const std::vector<K> old(keys, keys + n);
    for (size_t i = 0; i < n; ++i) sorted[i] = old[places[i]];
    if constexpr (!std::is_same_v<V, NullType>) {
        const std::vector<V> before(values, values + n);
        for (size_t i = 0; i < n; ++i) moved[i] = before[places[i]];
    }
}

// All items of a block in shared memory, sorted by its first thread.
template <class K, class V, int threads, int items>
struct Sorting {
    struct Storage {
        Room<K, threads * items> keys;
        Room<V, std::is_same_v<V, NullType> ? 1 : threads * items> values;
    };
    template <class F>
    static void run(Storage &s, K (&keys)[items], V *values, F sort, bool striped, const char *file, unsigned line) {
        whole_block(threads, "a block of another size than the sort of CUB was made for", file, line);
        constexpr bool pairs = !std::is_same_v<V, NullType>;
        const int thread = int(emulated::state.current);
        for (int i = 0; i < items; ++i) {
            s.keys[thread * items + i] = keys[i];
            if constexpr (pairs) s.values[thread * items + i] = values[i];
        }
        emulated::block_barrier(0, emulated::Count::plain, file, line);
        if (thread == 0) {
            emulated::Unchecked host_memory;
            sort(&s.keys[0], &s.values[0]);
        }
        emulated::block_barrier(0, emulated::Count::plain, file, line);
        for (int i = 0; i < items; ++i) {
            const int k = striped ? i * threads + thread : thread * items + i;
            keys[i] = s.keys[k];
            if constexpr (pairs) values[i] = s.values[k];
        }
        emulated::block_barrier(0, emulated::Count::plain, file, line);
    }
};

}  // namespace details

template <class K, int x, int items, class V = NullType, int = 4, bool = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS,
          int = 0, int y = 1, int z = 1, int = 0>
class BlockRadixSort {
    typedef details::Sorting<K, V, x * y * z, items> Sorting;
    static constexpr int all = int(sizeof(K)) * 8;

   public:
    typedef typename Sorting::Storage TempStorage;
    BlockRadixSort(TempStorage &room) : room_(room) {}
#define EMULATED_SORT(name, descending, striped) \
    void name(K(&keys)[items], int begin = 0, int end = all, EMULATED_HERE) { \
        run(keys, nullptr, begin, end, descending, striped, file, line); \
    } \
    void name(K(&keys)[items], V(&values)[items], int begin = 0, int end = all, EMULATED_HERE) { \
        run(keys, values, begin, end, descending, striped, file, line); \
    }
    EMULATED_SORT(Sort, false, false)
    EMULATED_SORT(SortDescending, true, false)
    EMULATED_SORT(SortBlockedToStriped, false, true)
    EMULATED_SORT(SortDescendingBlockedToStriped, true, true)
#undef EMULATED_SORT

   private:
    void run(K (&keys)[items], V *values, int begin, int end, bool descending, bool striped, const char *file,
             unsigned line) {
        constexpr size_t n = size_t(x) * y * z * items;
        auto sort = [&](K *k, V *v) { details::radix_sort(k, k, v, v, n, begin, end, descending); };
        Sorting::run(room_, keys, values, sort, striped, file, line);
    }
    TempStorage &room_;
};

template <class K, int x, int items, class V = NullType, int y = 1, int z = 1>
class BlockMergeSort {
    typedef details::Sorting<K, V, x * y * z, items> Sorting;

   public:
    typedef typename Sorting::Storage TempStorage;
    BlockMergeSort(TempStorage &room) : room_(room) {}
    template <class Less>
    void Sort(K (&keys)[items], Less less, EMULATED_HERE) {
        auto sort = [&](K *k, V *) { std::stable_sort(k, k + x * y * z * items, less); };
        Sorting::run(room_, keys, nullptr, sort, false, file, line);
    }
    template <class Less>
    void Sort(K (&keys)[items], V (&values)[items], Less less, EMULATED_HERE) {
        auto sort = [&](K *k, V *v) {
            constexpr size_t n = size_t(x) * y * z * items;
            const auto places = details::order(n, [&](size_t i) { return k[i]; }, less);
            const std::vector<K> old_keys(k, k + n);
            const std::vector<V> old_values(v, v + n);
            for (size_t i = 0; i < n; ++i) k[i] = old_keys[places[i]], v[i] = old_values[places[i]];
        };
        Sorting::run(room_, keys, values, sort, false, file, line);
    }
    template <class Less>
    void StableSort(K (&keys)[items], Less less, EMULATED_HERE) {
        Sort(keys, less, file, line);
    }

   private:
    TempStorage &room_;
};

// Iterators

template <class T, class Offset = ptrdiff_t>
struct CountingInputIterator {
    typedef T value_type;
    typedef Offset difference_type;
    typedef const T *pointer;
    typedef T reference;
    typedef std::random_access_iterator_tag iterator_category;
    T value;
    CountingInputIterator(T value) : value(value) {}
    T operator*() const { return value; }
    template <class N>
    T operator[](N n) const {
        return T(value + T(n));
    }
    template <class N>
    CountingInputIterator operator+(N n) const {
        return T(value + T(n));
    }
};
template <class T, class Offset = ptrdiff_t>
struct ConstantInputIterator {
    typedef T value_type;
    typedef Offset difference_type;
    typedef const T *pointer;
    typedef T reference;
    typedef std::random_access_iterator_tag iterator_category;
    T value;
    ConstantInputIterator(T value, Offset = 0) : value(value) {}
    T operator*() const { return value; }
    template <class N>
    T operator[](N) const {
        return value;
    }
    template <class N>
    ConstantInputIterator operator+(N) const {
        return *this;
    }
};
template <class T, class F, class It, class Offset = ptrdiff_t>
struct TransformInputIterator {
    typedef T value_type;
    typedef Offset difference_type;
    typedef const T *pointer;
    typedef T reference;
    typedef std::random_access_iterator_tag iterator_category;
    It from;
    F f;
    TransformInputIterator(It from, F f) : from(from), f(f) {}
    T operator*() const { return f(*from); }
    template <class N>
    T operator[](N n) const {
        return f(from[n]);
    }
    template <class N>
    TransformInputIterator operator+(N n) const {
        return {from + n, f};
    }
};
template <class T>
struct DoubleBuffer {
    T *d_buffers[2];
    int selector = 0;
    DoubleBuffer() : d_buffers{nullptr, nullptr} {}
    DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
    T *Current() { return d_buffers[selector]; }
    T *Alternate() { return d_buffers[selector ^ 1]; }
};

// The device: asked with no room, an algorithm says how much it wants; else it runs at the call.
#define EMULATED_ROOM(room, bytes) \
    if (!(room)) { \
        (bytes) = 1; \
        return cudaSuccess; \
    } \
    emulated_wait(stream);
namespace details {
template <class It>
using Value = std::remove_cv_t<std::remove_reference_t<decltype(std::declval<It>()[0])>>;
template <class It, class F, class T>
T reduce(It in, size_t begin, size_t end, F f, T value) {
    for (size_t i = begin; i < end; ++i) value = f(value, in[i]);
    return value;
}
template <class It, class F>
auto best(It in, size_t begin, size_t end, F f) {
    KeyValuePair<int, Value<It>> found(int(0), in[begin]);
    for (size_t i = begin + 1; i < end; ++i) found = f(found, KeyValuePair<int, Value<It>>(int(i - begin), in[i]));
    return found;
}
}  // namespace details

struct DeviceReduce {
    template <class In, class Out, class N, class F, class T>
    static cudaError_t Reduce(void *room, size_t &bytes, In in, Out out, N n, F f, T first,
                              cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        *out = details::reduce(in, 0, size_t(n), f, first);
        return cudaSuccess;
    }
    template <class In, class Out, class N>
    static cudaError_t Sum(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, cub::Sum(), details::Value<Out>(0), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Max(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, cub::Max(), std::numeric_limits<details::Value<In>>::lowest(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t Min(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, cub::Min(), std::numeric_limits<details::Value<In>>::max(), stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMax(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        *out = details::best(in, 0, size_t(n), cub::ArgMax());
        return cudaSuccess;
    }
    template <class In, class Out, class N>
    static cudaError_t ArgMin(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        *out = details::best(in, 0, size_t(n), cub::ArgMin());
        return cudaSuccess;
    }
};

struct DeviceSegmentedReduce {
    template <class In, class Out, class Begin, class End, class F, class T>
    static cudaError_t Reduce(void *room, size_t &bytes, In in, Out out, int n, Begin begin, End end, F f, T first,
                              cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        for (int s = 0; s < n; ++s) out[s] = details::reduce(in, size_t(begin[s]), size_t(end[s]), f, first);
        return cudaSuccess;
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Sum(void *room, size_t &bytes, In in, Out out, int n, Begin begin, End end,
                           cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, begin, end, cub::Sum(), details::Value<Out>(0), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Max(void *room, size_t &bytes, In in, Out out, int n, Begin begin, End end,
                           cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, begin, end, cub::Max(),
                      std::numeric_limits<details::Value<In>>::lowest(), stream);
    }
    template <class In, class Out, class Begin, class End>
    static cudaError_t Min(void *room, size_t &bytes, In in, Out out, int n, Begin begin, End end,
                           cudaStream_t stream = nullptr) {
        return Reduce(room, bytes, in, out, n, begin, end, cub::Min(), std::numeric_limits<details::Value<In>>::max(),
                      stream);
    }
};

struct DeviceScan {
    template <class In, class Out, class F, class N>
    static cudaError_t InclusiveScan(void *room, size_t &bytes, In in, Out out, F f, N n,
                                     cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        if (n <= 0) return cudaSuccess;
        details::Value<In> value = in[0];
        out[0] = value;
        for (size_t i = 1; i < size_t(n); ++i) out[i] = value = f(value, in[i]);
        return cudaSuccess;
    }
    template <class In, class Out, class F, class T, class N>
    static cudaError_t ExclusiveScan(void *room, size_t &bytes, In in, Out out, F f, T first, N n,
                                     cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        T value = first;
        for (size_t i = 0; i < size_t(n); ++i) {
            const T next = f(value, in[i]);  // in place, what is read goes first
            out[i] = value;
            value = next;
        }
        return cudaSuccess;
    }
    template <class In, class Out, class N>
    static cudaError_t InclusiveSum(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return InclusiveScan(room, bytes, in, out, cub::Sum(), n, stream);
    }
    template <class In, class Out, class N>
    static cudaError_t ExclusiveSum(void *room, size_t &bytes, In in, Out out, N n, cudaStream_t stream = nullptr) {
        return ExclusiveScan(room, bytes, in, out, cub::Sum(), details::Value<In>(0), n, stream);
    }
};

struct DeviceRadixSort {
#define EMULATED_SORT(suffix, descending) \
    template <class K, class N> \
    static cudaError_t SortKeys##suffix(void *room, size_t &bytes, const K *in, K *out, N n, int begin = 0, \
                                        int end = sizeof(K) * 8, cudaStream_t stream = nullptr) { \
        EMULATED_ROOM(room, bytes) \
        const NullType *none = nullptr; \
        details::radix_sort(in, out, none, (NullType *)nullptr, size_t(n), begin, end, descending); \
        return cudaSuccess; \
    } \
    template <class K, class V, class N> \
    static cudaError_t SortPairs##suffix(void *room, size_t &bytes, const K *in, K *out, const V *values, V *moved, \
                                         N n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = nullptr) { \
        EMULATED_ROOM(room, bytes) \
        details::radix_sort(in, out, values, moved, size_t(n), begin, end, descending); \
        return cudaSuccess; \
    } \
    template <class K, class N> \
    static cudaError_t SortKeys##suffix(void *room, size_t &bytes, DoubleBuffer<K> &keys, N n, int begin = 0, \
                                        int end = sizeof(K) * 8, cudaStream_t stream = nullptr) { \
        EMULATED_ROOM(room, bytes) \
        SortKeys##suffix(room, bytes, keys.Current(), keys.Alternate(), n, begin, end, stream); \
        keys.selector ^= 1; \
        return cudaSuccess; \
    } \
    template <class K, class V, class N> \
    static cudaError_t SortPairs##suffix(void *room, size_t &bytes, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, \
                                         N n, int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = nullptr) { \
        EMULATED_ROOM(room, bytes) \
        SortPairs##suffix(room, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, \
                          begin, end, stream); \
        keys.selector ^= 1; \
        values.selector ^= 1; \
        return cudaSuccess; \
    }
    EMULATED_SORT(, false)
    EMULATED_SORT(Descending, true)
#undef EMULATED_SORT
};

struct DeviceSelect {
    template <class In, class Flags, class Out, class Count, class N>
    static cudaError_t Flagged(void *room, size_t &bytes, In in, Flags flags, Out out, Count count, N n,
                               cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        size_t k = 0;
        for (size_t i = 0; i < size_t(n); ++i)
            if (flags[i]) out[k++] = in[i];
        *count = details::Value<Count>(k);
        return cudaSuccess;
    }
    template <class In, class Out, class Count, class N, class F>
    static cudaError_t If(void *room, size_t &bytes, In in, Out out, Count count, N n, F f,
                          cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        size_t k = 0;
        for (size_t i = 0; i < size_t(n); ++i)
            if (f(in[i])) out[k++] = in[i];
        *count = details::Value<Count>(k);
        return cudaSuccess;
    }
    template <class In, class Out, class Count, class N>
    static cudaError_t Unique(void *room, size_t &bytes, In in, Out out, Count count, N n,
                              cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        size_t k = 0;
        for (size_t i = 0; i < size_t(n); ++i)
            if (i == 0 || !(in[i] == in[i - 1])) out[k++] = in[i];
        *count = details::Value<Count>(k);
        return cudaSuccess;
    }
};

struct DeviceRunLengthEncode {
    template <class In, class Out, class Lengths, class Count, class N>
    static cudaError_t Encode(void *room, size_t &bytes, In in, Out out, Lengths lengths, Count count, N n,
                              cudaStream_t stream = nullptr) {
        EMULATED_ROOM(room, bytes)
        size_t k = 0;
        for (size_t i = 0; i < size_t(n); ++i) {
            if (i && in[i] == in[i - 1]) {
                ++lengths[k - 1];
            } else {
                out[k] = in[i];
                lengths[k++] = 1;
            }
        }
        *count = details::Value<Count>(k);
        return cudaSuccess;
    }
};
#undef EMULATED_ROOM

}  // namespace cub
