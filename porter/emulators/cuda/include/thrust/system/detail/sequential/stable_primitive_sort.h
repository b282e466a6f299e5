// In place of Thrust's own: its radix sort on the host puts negative integers last (NVIDIA/cccl
// issue 4919, CCCL 3.0), so numbers are sorted by merging like everything else.
#pragma once
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/system/detail/sequential/execution_policy.h>
#include <thrust/system/detail/sequential/stable_merge_sort.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

template <class Policy, class It>
void stable_primitive_sort(sequential::execution_policy<Policy> &policy, It first, It last) {
    sequential::stable_merge_sort(policy, first, last, thrust::less<typename thrust::iterator_traits<It>::value_type>());
}
template <class Policy, class It, class Values>
void stable_primitive_sort_by_key(sequential::execution_policy<Policy> &policy, It first, It last, Values values) {
    sequential::stable_merge_sort_by_key(policy, first, last, values,
                                         thrust::less<typename thrust::iterator_traits<It>::value_type>());
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
