// What a custom device of Paddle needs besides its memory and streams to run all of Paddle's operators:
// the few that do not fall back to the CPU, and how those that do give back what they changed.
// To be included once, where `emulated_settle()` waits for what the device still has to do.
#pragma once
#include <cstring>

#include "paddle/phi/core/compat/convert_utils.h"
#include "paddle/phi/core/dense_tensor.h"
#include "paddle/phi/core/kernel_registry.h"

namespace emulated {

using phi::DenseTensor;
using Numbers = std::vector<int64_t>;

struct View {
    char *data;
    Numbers strides;
};

View view(const DenseTensor &tensor, Numbers strides) {
    return {static_cast<char *>(const_cast<void *>(tensor.data())), std::move(strides)};
}

// Elements in the order of the sizes that both have; `to` may be contiguous with other sizes.
void copy_elements(const View &to, const View &from, const Numbers &sizes, int64_t bytes, size_t k = 0, int64_t at = 0,
                   int64_t of = 0) {
    if (k == sizes.size()) {
        std::memcpy(to.data + at * bytes, from.data + of * bytes, size_t(bytes));
        return;
    }
    for (int64_t n = 0; n < sizes[k]; ++n)
        copy_elements(to, from, sizes, bytes, k + 1, at + n * to.strides[k], of + n * from.strides[k]);
}

template <typename T, typename Context>
void contiguous(const Context &context, const DenseTensor &x, DenseTensor *out) {
    phi::DenseTensorMeta meta = x.meta();
    meta.strides = phi::DenseTensorMeta::calc_strides(meta.dims);
    meta.offset = 0;
    out->set_meta(meta);
    context.Alloc(out, x.dtype());
    if (x.numel() == 0) return;
    emulated_settle();
    copy_elements(view(*out, phi::vectorize(meta.strides)), view(x, phi::vectorize(x.strides())),
                  phi::vectorize(x.dims()), int64_t(phi::SizeOf(x.dtype())));
}

template <typename T, typename Context>
void strided_copy(const Context &, const DenseTensor &x, const Numbers &sizes, const Numbers &strides, int64_t offset,
                  DenseTensor *out) {
    phi::DenseTensorMeta meta = x.meta();
    meta.dims = phi::make_ddim(sizes);
    meta.strides = phi::make_ddim(strides);
    meta.offset = size_t(offset);
    out->set_meta(meta);
    if (x.numel() == 0) return;
    PADDLE_ENFORCE_EQ(x.numel(), out->numel(), common::errors::InvalidArgument("strided_copy between other sizes"));
    emulated_settle();
    copy_elements(view(*out, strides), view(x, phi::vectorize(x.strides())), sizes,
                  int64_t(phi::SizeOf(x.dtype())));
}

}  // namespace emulated

// In place of Paddle's own of these names, which this library's callers find first, since it is loaded
// before Paddle's libraries. By Paddle's, an operator that falls back to the CPU gives a tensor that it
// changes in place other memory, so that views and pointers to the old see nothing of the change.
namespace paddle::experimental {

phi::DenseTensor TransDataPlace(const phi::DenseTensor &tensor, phi::Place place);

// Tensors without elements too, which Paddle leaves on the CPU.
EMULATED_EXPORT void TransDataBackend(const phi::DenseTensor *tensor, Backend backend, phi::DenseTensor *out) {
    if (tensor && tensor->has_allocation()) *out = TransDataPlace(*tensor, phi::TransToPhiPlace(backend));
}

// What an operator writes to in place of a tensor with memory; Paddle does so for strided ones only.
EMULATED_EXPORT phi::DenseTensor *ProcessStrideBackup(phi::DenseTensor **tensor) {
    phi::DenseTensor *own = *tensor;
    if (!own || !own->initialized()) return nullptr;
    if (own->meta().is_contiguous() && own->place().GetType() != phi::AllocationType::CUSTOM) return nullptr;
    *tensor = new phi::DenseTensor();
    return own;
}

EMULATED_EXPORT void TransStride(phi::DeviceContext *, phi::DenseTensor *from, phi::DenseTensor *to) {
    if (!to) return;
    emulated_settle();
    if (from->dtype() == to->dtype() && from->dims() == to->dims()) {
        emulated::copy_elements(emulated::view(*to, phi::vectorize(to->strides())),
                                emulated::view(*from, phi::vectorize(from->strides())), phi::vectorize(to->dims()),
                                int64_t(phi::SizeOf(to->dtype())));
    } else {  // another size or type, for which the old memory cannot be used
        PADDLE_ENFORCE_EQ(to->meta().is_contiguous(), true,
                          common::errors::InvalidArgument("a strided tensor cannot change its type or size in place"));
        *to = from->place() == to->place() ? *from : TransDataPlace(*from, to->place());
    }
    delete from;
}

}  // namespace paddle::experimental

#define EMULATED_TYPES                                                                                         \
    bool, uint8_t, int8_t, int16_t, int, int64_t, float, double, phi::dtype::float16, phi::dtype::bfloat16,    \
        phi::dtype::complex<float>, phi::dtype::complex<double>
// The two kernels, for the device of a name.
#define EMULATED_KERNELS(device)                                                                       \
    PD_REGISTER_PLUGIN_KERNEL(contiguous, device, ALL_LAYOUT, emulated::contiguous, EMULATED_TYPES) {}  \
    PD_REGISTER_PLUGIN_KERNEL(strided_copy, device, ALL_LAYOUT, emulated::strided_copy, EMULATED_TYPES) {}
