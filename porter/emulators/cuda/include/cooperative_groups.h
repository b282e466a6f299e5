// Cooperative groups of a block, of tiles of it, and of the lanes that are active together; after
// "CUDA C++ Programming Guide", Cooperative Groups. Grids and clusters that wait as a whole are
// not emulated: blocks run one after another.
#pragma once
#include "cuda_runtime.h"

namespace cooperative_groups {

struct grid_group {
    bool is_valid() const { return false; }
    [[noreturn]] void sync(EMULATED_HERE) const { emulated::refuse("a barrier of the whole grid", file, line); }
    static unsigned long long size() {
        return 1ull * gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
    }
    static unsigned long long num_threads() { return size(); }
    static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
    static unsigned long long block_rank() {
        return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
    }
    static unsigned long long thread_rank() {
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + emulated::state.current;
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return dim3(blockIdx); }
};
inline grid_group this_grid() { return {}; }

struct thread_block {
    static void sync(EMULATED_HERE) { emulated::block_barrier(0, emulated::Count::plain, file, line); }
    static unsigned thread_rank() { return emulated::state.current; }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static dim3 group_index() { return dim3(blockIdx); }
    static dim3 thread_index() { return dim3(threadIdx); }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

namespace details {

// Lanes of one warp, named by a mask; ranks count the lanes of the mask.
class lanes {
   public:
    explicit lanes(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
    unsigned thread_rank() const { return __builtin_popcount(mask_ & ((1u << emulated::lane()) - 1)); }
    unsigned size() const { return __builtin_popcount(mask_); }
    unsigned num_threads() const { return size(); }
    unsigned long long meta_group_rank() const { return meta_rank_; }
    unsigned long long meta_group_size() const { return meta_size_; }
    void sync(EMULATED_HERE) const { __syncwarp(mask_, file, line); }
    template <class T>
    T shfl(T value, int rank, EMULATED_HERE) const {
        return emulated::shuffle(mask_, value, lane_of(unsigned(rank) % size()), file, line);
    }
    template <class T>
    T shfl_up(T value, unsigned delta, EMULATED_HERE) const {
        const unsigned rank = thread_rank();
        return emulated::shuffle(mask_, value, lane_of(rank >= delta ? rank - delta : rank), file, line);
    }
    template <class T>
    T shfl_down(T value, unsigned delta, EMULATED_HERE) const {
        const unsigned rank = thread_rank();
        return emulated::shuffle(mask_, value, lane_of(rank + delta < size() ? rank + delta : rank), file, line);
    }
    template <class T>
    T shfl_xor(T value, unsigned bits, EMULATED_HERE) const {
        const unsigned rank = thread_rank(), from = rank ^ bits;
        return emulated::shuffle(mask_, value, lane_of(from < size() ? from : rank), file, line);
    }
    int any(int predicate, EMULATED_HERE) const { return __any_sync(mask_, predicate, file, line); }
    int all(int predicate, EMULATED_HERE) const { return __all_sync(mask_, predicate, file, line); }
    unsigned ballot(int predicate, EMULATED_HERE) const { return ranks(__ballot_sync(mask_, predicate, file, line)); }
    template <class T>
    unsigned match_any(T value, EMULATED_HERE) const {
        return ranks(__match_any_sync(mask_, value, file, line));
    }
    template <class T>
    unsigned match_all(T value, int &all, EMULATED_HERE) const {
        return ranks(__match_all_sync(mask_, value, &all, file, line));
    }
    unsigned mask() const { return mask_; }

   private:
    unsigned lane_of(unsigned rank) const {
        unsigned rest = mask_;
        while (rank--) rest &= rest - 1;
        return unsigned(__builtin_ctz(rest));
    }
    unsigned ranks(unsigned by_lane) const {
        unsigned result = 0, rank = 0;
        for (unsigned rest = mask_; rest; rest &= rest - 1, ++rank)
            if (by_lane >> __builtin_ctz(rest) & 1) result |= 1u << rank;
        return result;
    }
    unsigned mask_, meta_rank_, meta_size_;
};

// The lanes of a tile; the last one of a block may have fewer threads than its size.
inline lanes tile(unsigned size) {
    const unsigned first = emulated::lane() / size * size;
    const unsigned mask = (size == 32 ? ~0u : ((1u << size) - 1)) << first;
    return lanes(mask, emulated::state.current / size, (thread_block::size() + size - 1) / size);
}

}  // namespace details

// A group whose kind is known at run time only.
class thread_group {
   public:
    thread_group(thread_block) : lanes_(1), block_(true) {}
    thread_group(const details::lanes &l) : lanes_(l), block_(false) {}
    void sync(EMULATED_HERE) const { block_ ? thread_block::sync(file, line) : lanes_.sync(file, line); }
    unsigned size() const { return block_ ? thread_block::size() : lanes_.size(); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return block_ ? thread_block::thread_rank() : lanes_.thread_rank(); }

   private:
    details::lanes lanes_;
    bool block_;
};

struct coalesced_group : details::lanes {
    using lanes::lanes;
};
inline coalesced_group coalesced_threads(EMULATED_HERE) { return coalesced_group(__activemask(file, line)); }

template <unsigned Size, class Parent = void>
struct thread_block_tile : details::lanes {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "porter: tiles of more than a warp are not emulated");
    thread_block_tile() : lanes(details::tile(Size)) {}
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other) : lanes(other) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    unsigned thread_rank() const { return emulated::lane() % Size; }
};
template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
    return {};
}
template <unsigned Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return {};
}
inline thread_group tiled_partition(const thread_block &, unsigned size) { return details::tile(size); }

template <class Group>
inline void sync(const Group &group, EMULATED_HERE) {
    group.sync(file, line);
}

template <class T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

// By halves, as a GPU does for tiles: the sum of floats has that order.
template <class Group, class T, class F>
inline T reduce(const Group &group, T value, F f, EMULATED_HERE) {
    const unsigned size = group.size();
    if ((size & (size - 1)) == 0) {
        for (unsigned step = size / 2; step; step /= 2) value = f(value, group.shfl_xor(value, step, file, line));
        return value;
    }
    T result = group.shfl(value, 0, file, line);
    for (unsigned rank = 1; rank < size; ++rank) result = f(result, group.shfl(value, int(rank), file, line));
    return result;
}
template <class Group, class T, class F>
inline T inclusive_scan(const Group &group, T value, F f, EMULATED_HERE) {
    for (unsigned step = 1; step < group.size(); step *= 2) {
        const T other = group.shfl_up(value, step, file, line);
        if (group.thread_rank() >= step) value = f(other, value);
    }
    return value;
}
template <class Group, class T>
inline T inclusive_scan(const Group &group, T value, EMULATED_HERE) {
    return inclusive_scan(group, value, plus<T>(), file, line);
}
template <class Group, class T, class F>
inline T exclusive_scan(const Group &group, T value, F f, EMULATED_HERE) {
    const T before = group.shfl_up(inclusive_scan(group, value, f, file, line), 1, file, line);
    return group.thread_rank() ? before : T();
}
template <class Group, class T>
inline T exclusive_scan(const Group &group, T value, EMULATED_HERE) {
    return exclusive_scan(group, value, plus<T>(), file, line);
}

}  // namespace cooperative_groups
