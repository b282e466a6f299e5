#pragma once

namespace at {

enum class Tag {
  pt2_compliant_tag,
  needs_fixed_stride_order,
  needs_exact_strides,
  needs_contiguous_strides,
  flexible_layout,
  core,
  inplace_view,
  pointwise,
  view_copy,
  generated,
  dynamic_output_shape,
  data_dependent_output,
  nondeterministic_seeded,
  nondeterministic_bitwise,
  maybe_aliasing_or_mutating,
  reduction,
  cudagraph_unsafe
};

}  // namespace at
