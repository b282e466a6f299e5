// Thrust's own header, whose device is the host here; and the policies of its CUDA device, which
// are those of the host, which wait for the stream they are given.
#pragma once
#include_next <thrust/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda {
struct in_order : thrust::cpp::execution_policy<in_order> {
    template <class Stream>
    in_order on(Stream stream) const {
        emulated_wait(stream);
        return {};
    }
    template <class Allocator>
    in_order operator()(Allocator &&) const {
        return {};
    }
};
static constexpr in_order par{}, par_nosync{};
}  // namespace cuda
THRUST_NAMESPACE_END
