// Sorting: pairs of a score and an index in 8 bytes, greatest score first.
#pragma once
#include "reduce.h"

namespace AscendC {

template <class T> struct MrgSortSrcList {
    LocalTensor<T> src1, src2, src3, src4;
    MrgSortSrcList() = default;
    MrgSortSrcList(const LocalTensor<T> &a, const LocalTensor<T> &b, const LocalTensor<T> &c, const LocalTensor<T> &d)
        : src1(a), src2(b), src3(c), src4(d) {}
};
struct MrgSort4Info {
    uint16_t elementLengths[4]{};
    bool ifExhaustedSuspension = false;
    uint16_t validBit = 0, repeatTimes = 1;
    MrgSort4Info() = default;
    MrgSort4Info(const uint16_t lengths[4], bool suspend, uint16_t valid, uint16_t repeats)
        : ifExhaustedSuspension(suspend), validBit(valid), repeatTimes(repeats) {
        for (int k = 0; k < 4; ++k) elementLengths[k] = lengths[k];
    }
};

namespace npu {

template <class T> struct Pair {
    T score;
    uint32_t index;
    bool defined;
};
template <class T> bool before(const Pair<T> &a, const Pair<T> &b) {
    if (a.score != a.score || b.score != b.score) return a.score != a.score && b.score == b.score;
    return a.score > b.score;
}
constexpr uint32_t pair_bytes = 8;

// A list of pairs in local memory.
template <class T> class Pairs {
  public:
    Pairs(Instruction &i, const LocalTensor<T> &tensor, const char *what)
        : scores_(i, tensor, what), indices_(i, tensor.template ReinterpretCast<uint32_t>(), what) {}
    Pair<T> get(uint64_t k) {
        Pair<T> pair{{}, 0, true};
        pair.score = scores_.get(k * pair_bytes / sizeof(T), pair.defined);
        pair.index = indices_.get(k * 2 + 1, pair.defined);
        return pair;
    }
    void put(uint64_t k, const Pair<T> &pair) {
        indices_.put(k * 2, 0, pair.defined);  // beside a half there is nothing
        scores_.put(k * pair_bytes / sizeof(T), pair.score, pair.defined);
        indices_.put(k * 2 + 1, pair.index, pair.defined);
    }

  private:
    Operand<T> scores_;
    Operand<uint32_t> indices_;
};
template <class T>
std::vector<Pair<T>> pairs_of(Instruction &i, const LocalTensor<T> &a, const LocalTensor<uint32_t> &indices, uint32_t count) {
    Operand<T> scores(i, a, "the scores");
    Operand<uint32_t> numbers(i, indices, "the indices");
    std::vector<Pair<T>> pairs(count, {{}, 0, true});
    for (uint32_t k = 0; k < count; ++k) {
        pairs[k].score = scores.get(k, pairs[k].defined);
        pairs[k].index = numbers.get(k, pairs[k].defined);
    }
    return pairs;
}
// Lists one after another into one; with `suspend` until the first of them is exhausted.
template <class T> void merge(const std::vector<std::vector<Pair<T>>> &lists, bool suspend, Pairs<T> &out, uint64_t &at, uint32_t taken[4]) {
    std::vector<size_t> next(lists.size());
    for (;;) {
        int best = -1;
        for (size_t k = 0; k < lists.size(); ++k)
            if (next[k] < lists[k].size() && (best < 0 || before(lists[k][next[k]], lists[best][next[best]]))) best = int(k);
        if (best < 0) break;
        out.put(at++, lists[best][next[best]++]);
        if (suspend && next[best] == lists[best].size()) break;
    }
    for (size_t k = 0; k < 4; ++k) taken[k] = k < next.size() ? next[k] : 0;
}

}  // namespace npu

template <class T> uint32_t GetSortLen(uint32_t count) { return count * npu::pair_bytes / sizeof(T); }
template <class T> uint32_t GetSortOffset(uint32_t count) { return count * npu::pair_bytes / sizeof(T); }

template <class T> void Sort32(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint32_t> &indices, int32_t repeats) {
    npu::Instruction i("Sort32", npu::vector);
    auto pairs = npu::pairs_of(i, a, indices, repeats * 32);
    npu::Pairs<T> out(i, to, "the destination");
    for (int32_t r = 0; r < repeats; ++r) std::stable_sort(pairs.begin() + r * 32, pairs.begin() + (r + 1) * 32, npu::before<T>);
    for (size_t k = 0; k < pairs.size(); ++k) out.put(k, pairs[k]);
}
template <class T> void Concat(LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<T> &, int32_t) { to = a; }
template <class T, bool isFullSort>
void Sort(const LocalTensor<T> &to, const LocalTensor<T> &a, const LocalTensor<uint32_t> &indices, LocalTensor<T> &, int32_t repeats) {
    npu::Instruction i("Sort", npu::vector);
    auto pairs = npu::pairs_of(i, a, indices, repeats * 32);
    npu::Pairs<T> out(i, to, "the destination");
    if (isFullSort)
        std::stable_sort(pairs.begin(), pairs.end(), npu::before<T>);
    else
        for (int32_t r = 0; r < repeats; ++r) std::stable_sort(pairs.begin() + r * 32, pairs.begin() + (r + 1) * 32, npu::before<T>);
    for (size_t k = 0; k < pairs.size(); ++k) out.put(k, pairs[k]);
}
template <class T>
void Extract(const LocalTensor<T> &values, const LocalTensor<uint32_t> &indices, const LocalTensor<T> &sorted, int32_t repeats) {
    npu::Instruction i("Extract", npu::vector);
    npu::Pairs<T> in(i, sorted, "the source");
    npu::Operand<T> scores(i, values, "the values");
    npu::Operand<uint32_t> numbers(i, indices, "the indices");
    for (int32_t k = 0; k < repeats * 32; ++k) {
        const auto pair = in.get(k);
        scores.put(k, pair.score, pair.defined);
        numbers.put(k, pair.index, pair.defined);
    }
}
// With more than one repeat the four lists of each follow on those of the one before.
template <class T> void MrgSort(const LocalTensor<T> &to, const MrgSortSrcList<T> &lists, const MrgSort4Info &p) {
    npu::Instruction i("MrgSort", npu::vector);
    const LocalTensor<T> *sources[] = {&lists.src1, &lists.src2, &lists.src3, &lists.src4};
    npu::Pairs<T> out(i, to, "the destination");
    uint64_t at = 0, first = 0;
    uint32_t taken[4]{};
    for (uint32_t r = 0; r < p.repeatTimes; ++r) {
        std::vector<std::vector<npu::Pair<T>>> all;
        uint64_t whole = 0;
        for (int k = 0; k < 4; ++k)
            if (p.validBit >> k & 1) {
                all.emplace_back();
                npu::Pairs<T> in(i, *sources[k], "a source");
                for (uint32_t n = 0; n < p.elementLengths[k]; ++n) all.back().push_back(in.get(first + n));
                whole += p.elementLengths[k];
            }
        npu::merge(all, p.ifExhaustedSuspension, out, at, taken);
        first += whole;
    }
    i.block().reduced[0] = taken[0] | uint64_t(taken[1]) << 16 | uint64_t(taken[2]) << 32 | uint64_t(taken[3]) << 48;
}
template <class T, bool isExhaustedSuspension = false>
void MrgSort(const LocalTensor<T> &to, const MrgSortSrcList<T> &lists, const uint16_t lengths[4], uint32_t counts[4], uint16_t valid, int32_t repeats) {
    MrgSort(to, lists, MrgSort4Info(lengths, isExhaustedSuspension, valid, repeats));
    const uint64_t taken = npu::block().reduced[0];
    for (int k = 0; k < 4; ++k) counts[k] = taken >> (16 * k) & 0xffff;
}
inline void GetMrgSortResult(uint16_t &a, uint16_t &b, uint16_t &c, uint16_t &d) {
    const uint64_t taken = npu::block().reduced[0];
    a = taken & 0xffff, b = taken >> 16 & 0xffff, c = taken >> 32 & 0xffff, d = taken >> 48;
}

}  // namespace AscendC
