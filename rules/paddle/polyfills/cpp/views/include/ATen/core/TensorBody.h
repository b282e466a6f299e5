#pragma once
#include <porter_compat/recorded.h>
#include <porter_compat/strides.h>

namespace at {
// extends
class Tensor {
  int64_t storage_offset() const {
    return compat_detail::byte_offset(tensor_) / element_size();
  }
  Tensor as_strided(at::IntArrayRef size, at::IntArrayRef stride,
                    ::std::optional<int64_t> storage_offset = ::std::nullopt) const {
    int64_t first = storage_offset.value_or(this->storage_offset()), last = first;
    compat_detail::check(size.size() == stride.size() && first >= 0,
                         "as_strided: one stride for each size, and no negative offset");
    int64_t count = compat_detail::product(size.vec());
    for (size_t d = 0; d < size.size(); ++d) {
      compat_detail::check(size[d] >= 0 && stride[d] >= 0, "as_strided: negative size or stride");
      last += (size[d] - 1) * stride[d];
    }
    auto bytes = static_cast<const phi::DenseTensor&>(*tensor_.impl()).capacity();
    compat_detail::check(count == 0 || (last + 1) * element_size() <= int64_t(bytes),
                         "as_strided: out of bounds for the storage");
    return compat_detail::recorded_view(tensor_, size.vec(), stride.vec(), first - this->storage_offset());
  }
  const Tensor& as_strided_(at::IntArrayRef size, at::IntArrayRef stride,
                            ::std::optional<int64_t> storage_offset = ::std::nullopt) const {
    return _PD_become(as_strided(size, stride, storage_offset));
  }
  // This very tensor from now on shows what `other` shows.
  const Tensor& _PD_become(const Tensor& other) const {
    compat_detail::show_as(tensor_, other._PD_GetInner());
    if (compat_detail::is_recorded(tensor_, other._PD_GetInner())) {
      compat_detail::go_on_from(tensor_, other._PD_GetInner());
    }
    return *this;
  }
  Tensor select(int64_t dim, int64_t index) const {
    compat_detail::check_index(this->dim() > 0, "select() cannot be applied to a 0-dim tensor.");
    dim = compat_detail::wrapped(dim, this->dim());
    int64_t length = size(dim), step = stride(dim);
    compat_detail::check_index(-length <= index && index < length, "select(): index out of range");
    if (index < 0) index += length;
    if (compat_detail::is_recorded_view(tensor_)) {
      return paddle::recorded::slice(tensor_, {dim}, {index}, {index + 1}, {1}, {dim});
    }
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    sizes.erase(sizes.begin() + dim);
    strides.erase(strides.begin() + dim);
    return compat_detail::view(tensor_, sizes, strides, index * step);
  }
  // instead of the one with: paddle::experimental::slice(tensor_, /*axes=*/{0}
  Tensor operator[](int64_t index) const { return select(0, index); }
  Tensor slice(int64_t dim = 0, ::std::optional<int64_t> start = ::std::nullopt,
               ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) const {
    compat_detail::check_index(this->dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
    dim = compat_detail::wrapped(dim, this->dim());
    compat_detail::check(step > 0, "slice step must be positive");
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    int64_t length = sizes[dim];
    auto within = [&](int64_t at) {
      return std::min(std::max<int64_t>(at < 0 ? at + length : at, 0), length);
    };
    int64_t first = within(start.value_or(0)), last = within(end.value_or(length));
    sizes[dim] = last > first ? (last - first + step - 1) / step : 0;
    if (compat_detail::is_recorded_view(tensor_)) {
      return paddle::recorded::strided_slice(tensor_, {static_cast<int>(dim)}, {first},
                                             {::std::max(first, last)}, {step});
    }
    int64_t offset = first * strides[dim];
    strides[dim] *= step;
    return compat_detail::view(tensor_, sizes, strides, offset);
  }
  // instead of the one with: end.has_value() ? IntArrayRef(end.value())._PD_ToPaddleIntArray()
  Tensor slice(int64_t dim = 0, ::std::optional<int64_t> start = ::std::nullopt,
               ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) {
    return static_cast<const Tensor&>(*this).slice(dim, start, end, step);
  }
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const {
    compat_detail::check(this->dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
    int64_t size = this->size(compat_detail::wrapped(dim, this->dim()));
    compat_detail::check(length >= 0, "narrow(): length must be non-negative.");
    compat_detail::check_index(-size <= start && start <= size, "narrow(): start out of range");
    if (start < 0) start += size;
    compat_detail::check(start + length <= size, "narrow(): start + length exceeds the size");
    return slice(dim, start, start + length);
  }
  Tensor narrow(int64_t dim, const Tensor& start, int64_t length) const {
    compat_detail::check(start.dim() == 0 && !start._PD_GetInner().is_gpu() &&
                             start.scalar_type() == at::kLong,
                         "start must be an 0-dim integral Tensor.");
    return narrow(dim, *start.data_ptr<int64_t>(), length);
  }
  ::std::vector<Tensor> split_with_sizes(at::IntArrayRef split_sizes, int64_t dim = 0) const {
    compat_detail::check(this->dim() != 0, "split expects at least a 1-dimensional tensor");
    ::std::vector<Tensor> result;
    int64_t at = 0;
    for (int64_t length : split_sizes) {
      compat_detail::check(length >= 0, "split_with_sizes expects non-negative sizes");
      result.push_back(slice(dim, at, at + length));
      at += length;
    }
    compat_detail::check(at == size(compat_detail::wrapped(dim, this->dim())),
                         "split_with_sizes expects sizes that sum up to the size");
    return result;
  }
  ::std::vector<Tensor> split(int64_t split_size, int64_t dim = 0) const {
    compat_detail::check(this->dim() != 0, "split expects at least a 1-dimensional tensor");
    int64_t length = size(compat_detail::wrapped(dim, this->dim()));
    compat_detail::check(split_size > 0 || (split_size == 0 && length == 0),
                         "split expects a positive split_size");
    ::std::vector<Tensor> result;
    for (int64_t at = 0; at < length || result.empty(); at += split_size) {
      result.push_back(slice(dim, at, std::min(at + split_size, length)));
    }
    return result;
  }
  ::std::vector<Tensor> split(at::IntArrayRef split_size, int64_t dim = 0) const {
    return split_with_sizes(split_size, dim);
  }
  ::std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const {
    compat_detail::check(this->dim() > 0, "chunk expects at least a 1-dimensional tensor");
    compat_detail::check(chunks > 0, "chunk expects `chunks` to be greater than 0");
    int64_t length = size(compat_detail::wrapped(dim, this->dim()));
    if (length == 0) return split_with_sizes(compat_detail::Sizes(chunks, 0), dim);
    return split((length + chunks - 1) / chunks, dim);
  }
  ::std::vector<Tensor> tensor_split(at::IntArrayRef indices, int64_t dim = 0) const {
    compat_detail::check(this->dim() > 0, "tensor_split expects at least a 1-dimensional tensor");
    ::std::vector<Tensor> result;
    int64_t at = 0;
    for (int64_t next : indices) {
      result.push_back(slice(dim, at, next));
      at = next;
    }
    result.push_back(slice(dim, at));
    return result;
  }
  ::std::vector<Tensor> tensor_split(int64_t sections, int64_t dim = 0) const {
    compat_detail::check(this->dim() > 0, "tensor_split expects at least a 1-dimensional tensor");
    compat_detail::check(sections > 0, "number of sections must be larger than 0");
    int64_t length = size(compat_detail::wrapped(dim, this->dim()));
    compat_detail::Sizes ends;
    for (int64_t i = 1, at = 0; i < sections; ++i) {
      at += length / sections + (i <= length % sections);
      ends.push_back(at);
    }
    return tensor_split(at::IntArrayRef(ends), dim);
  }
  // As many parts as a number says, or cut at several.
  ::std::vector<Tensor> tensor_split(const Tensor& tensor_indices_or_sections, int64_t dim = 0) const {
    const Tensor given = tensor_indices_or_sections.contiguous();
    compat_detail::check(given.is_cpu() && given.scalar_type() == at::kLong && given.dim() < 2,
                         "tensor_split expects a number or a list of numbers of int64 on the CPU");
    const auto* numbers = given.data_ptr<int64_t>();
    return given.dim() ? tensor_split(at::IntArrayRef(numbers, given.numel()), dim) : tensor_split(*numbers, dim);
  }
  ::std::vector<Tensor> unbind(int64_t dim = 0) const {
    ::std::vector<Tensor> result;
    dim = compat_detail::wrapped(dim, this->dim());
    compat_detail::check_index(this->dim() > 0, "unbind: a 0-dim tensor has no dimension");
    for (int64_t i = 0; i < size(dim); ++i) result.push_back(select(dim, i));
    return result;
  }
  // instead of the one with: std::swap(perm[dim0], perm[dim1]);
  Tensor transpose(int64_t dim0, int64_t dim1) const {
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    dim0 = compat_detail::wrapped(dim0, dim());
    dim1 = compat_detail::wrapped(dim1, dim());
    if (dim() > 0) {
      std::swap(sizes[dim0], sizes[dim1]);
      std::swap(strides[dim0], strides[dim1]);
    }
    if (compat_detail::is_recorded_view(tensor_)) {
      compat_detail::Sizes order(dim());
      ::std::iota(order.begin(), order.end(), 0);
      if (dim() > 0) ::std::swap(order[dim0], order[dim1]);
      return compat_detail::permuted(tensor_, order);
    }
    return compat_detail::view(tensor_, sizes, strides);
  }
  const Tensor& transpose_(int64_t dim0, int64_t dim1) const {
    return _PD_become(transpose(dim0, dim1));
  }
  Tensor swapaxes(int64_t axis0, int64_t axis1) const { return transpose(axis0, axis1); }
  Tensor swapdims(int64_t dim0, int64_t dim1) const { return transpose(dim0, dim1); }
  Tensor t() const {
    compat_detail::check(dim() <= 2, "t() expects a tensor with <= 2 dimensions");
    return dim() < 2 ? transpose(0, 0) : transpose(0, 1);
  }
  Tensor& t_() const { return const_cast<Tensor&>(_PD_become(t())); }
  Tensor numpy_T() const {
    compat_detail::Sizes order;
    for (int64_t d = dim(); d-- > 0;) order.push_back(d);
    return compat_detail::permuted(tensor_, order);
  }
  Tensor mT() const {
    compat_detail::check(dim() != 1, "tensor.mT is only supported on matrices");
    return dim() == 0 ? *this : transpose(-2, -1);
  }
  // instead of the one with: perm[i] = static_cast<int>(dims[i]);
  Tensor permute(at::IntArrayRef dims) const {
    compat_detail::check(int64_t(dims.size()) == dim(), "permute: one entry for each dimension");
    compat_detail::Sizes order;
    for (int64_t d : dims) {
      d = compat_detail::wrapped(d, dim());
      compat_detail::check(std::count(order.begin(), order.end(), d) == 0,
                           "permute(): duplicate dims are not allowed.");
      order.push_back(d);
    }
    return compat_detail::permuted(tensor_, order);
  }
  Tensor movedim(at::IntArrayRef source, at::IntArrayRef destination) const {
    compat_detail::check(source.size() == destination.size(),
                         "movedim: as many sources as destinations");
    compat_detail::Sizes order(dim(), -1), moved(dim(), 0);
    for (size_t i = 0; i < source.size(); ++i) {
      int64_t from = compat_detail::wrapped(source[i], dim());
      int64_t to = compat_detail::wrapped(destination[i], dim());
      if (dim() == 0) continue;
      compat_detail::check(!moved[from] && order[to] == -1, "movedim: repeated dim");
      order[to] = from;
      moved[from] = 1;
    }
    int64_t next = 0;
    for (int64_t& d : order) {
      if (d != -1) continue;
      while (moved[next]) ++next;
      d = next++;
    }
    return compat_detail::permuted(tensor_, order);
  }
  Tensor movedim(int64_t source, int64_t destination) const {
    return movedim(at::IntArrayRef(source), at::IntArrayRef(destination));
  }
  Tensor moveaxis(int64_t source, int64_t destination) const {
    return movedim(source, destination);
  }
  Tensor moveaxis(at::IntArrayRef source, at::IntArrayRef destination) const {
    return movedim(source, destination);
  }
  Tensor expand(at::IntArrayRef size, bool implicit = false) const {
    return compat_detail::expanded(tensor_, size.vec());
  }
  Tensor expand_as(const Tensor& other) const { return expand(other.sizes()); }
  Tensor broadcast_to(at::IntArrayRef size) const { return expand(size); }
  // instead of the one with: paddle::experimental::view_shape(tensor_, size.vec())
  Tensor view(at::IntArrayRef size) const {
    auto sizes = compat_detail::inferred(size.vec(), numel());
    auto strides = compat_detail::view_strides(this->sizes().vec(), this->strides().vec(), sizes);
    compat_detail::check(strides.has_value(),
                         "view size is not compatible with input tensor's size and stride");
    return compat_detail::resized(tensor_, sizes, *strides);
  }
  // instead of the one with: paddle::experimental::view_dtype(
  Tensor view(at::ScalarType dtype) const {
    auto type = compat::_PD_AtenScalarTypeToPhiDataType(dtype);
    const auto result = compat_detail::view_as_type(tensor_, type);
    const bool parts = at::isComplexType(dtype) != at::isComplexType(scalar_type());
    if (parts && compat_detail::is_recorded_view(tensor_)) {
      auto sizes = this->sizes().vec();
      if (at::isComplexType(dtype)) sizes.back() /= 2, sizes.push_back(2);
      auto other = at::isComplexType(dtype)
          ? paddle::recorded::as_complex(paddle::recorded::reshape(tensor_, sizes))
          : paddle::recorded::as_real(tensor_);
      compat_detail::go_on_from(result, paddle::recorded::reshape(other, result.shape()));
    }
    return result;
  }
  Tensor view_as(const Tensor& other) const { return view(other.sizes()); }
  // instead of the one with: paddle::experimental::reshape(tensor_, shape._PD_ToPaddleIntArray())
  Tensor reshape(at::IntArrayRef shape) const {
    return compat_detail::reshaped(tensor_, shape.vec());
  }
  Tensor reshape_as(const Tensor& other) const { return reshape(other.sizes()); }
  Tensor ravel() const {
    return compat_detail::reshaped(compat_detail::contiguous(tensor_), {-1});
  }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const {
    start_dim = compat_detail::wrapped(start_dim, dim());
    end_dim = compat_detail::wrapped(end_dim, dim());
    compat_detail::check(start_dim <= end_dim, "flatten() has start_dim after end_dim");
    auto sizes = this->sizes().vec();
    if (dim() == 0) return reshape({1});
    if (start_dim == end_dim) return *this;
    auto first = sizes.begin() + start_dim, last = sizes.begin() + end_dim + 1;
    *first = compat_detail::product({first, last});
    sizes.erase(first + 1, last);
    return reshape(sizes);
  }
  Tensor unflatten(int64_t dim, at::IntArrayRef sizes) const {
    dim = compat_detail::wrapped(dim, this->dim());
    compat_detail::check_index(this->dim() > 0, "unflatten: a 0-dim tensor has no dimension");
    compat_detail::check(!sizes.empty(), "unflatten: sizes must be non-empty");
    auto part = compat_detail::inferred(sizes.vec(), size(dim)), all = this->sizes().vec();
    all.insert(all.erase(all.begin() + dim), part.begin(), part.end());
    return view(all);
  }
  // instead of the one with: paddle::experimental::squeeze(tensor_, dim._PD_ToPaddleIntArray())
  Tensor squeeze(at::IntArrayRef dim) const {
    compat_detail::Sizes sizes, strides, drop;
    for (int64_t d : dim) {
      d = compat_detail::wrapped(d, this->dim());
      compat_detail::check(std::count(drop.begin(), drop.end(), d) == 0, "squeeze: repeated dim");
      drop.push_back(d);
    }
    for (int64_t d = 0; d < this->dim(); ++d) {
      if (size(d) == 1 && std::count(drop.begin(), drop.end(), d)) continue;
      sizes.push_back(size(d));
      strides.push_back(stride(d));
    }
    return compat_detail::resized(tensor_, sizes, strides);
  }
  Tensor squeeze(int64_t dim) const { return squeeze(at::IntArrayRef(dim)); }
  Tensor squeeze() const {
    compat_detail::Sizes all;
    for (int64_t d = 0; d < dim(); ++d) all.push_back(d);
    return squeeze(at::IntArrayRef(all));
  }
  Tensor& squeeze_() const { return const_cast<Tensor&>(_PD_become(squeeze())); }
  Tensor& squeeze_(int64_t dim) const { return const_cast<Tensor&>(_PD_become(squeeze(dim))); }
  Tensor& squeeze_(at::IntArrayRef dim) const {
    return const_cast<Tensor&>(_PD_become(squeeze(dim)));
  }
  // instead of the one with: paddle::experimental::unsqueeze(tensor_, {dim})
  Tensor unsqueeze(int64_t dim) const {
    dim = compat_detail::wrapped(dim, this->dim() + 1);
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    int64_t step = dim < this->dim() ? sizes[dim] * strides[dim] : 1;
    sizes.insert(sizes.begin() + dim, 1);
    strides.insert(strides.begin() + dim, step);
    return compat_detail::resized(tensor_, sizes, strides);
  }
  Tensor& unsqueeze_(int64_t dim) const { return const_cast<Tensor&>(_PD_become(unsqueeze(dim))); }
  Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const {
    dim1 = compat_detail::wrapped(dim1, dim());
    dim2 = compat_detail::wrapped(dim2, dim());
    compat_detail::check(dim1 != dim2, "diagonal dimensions cannot be identical");
    int64_t row = std::max<int64_t>(-offset, 0), column = std::max<int64_t>(offset, 0);
    int64_t length = std::max<int64_t>(std::min(size(dim1) - row, size(dim2) - column), 0);
    int64_t step = stride(dim1) + stride(dim2);
    int64_t first = length ? row * stride(dim1) + column * stride(dim2) : 0;
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    for (int64_t d : {std::max(dim1, dim2), std::min(dim1, dim2)}) {
      sizes.erase(sizes.begin() + d);
      strides.erase(strides.begin() + d);
    }
    sizes.push_back(length);
    strides.push_back(step);
    return compat_detail::recorded_view(tensor_, sizes, strides, first);
  }
  Tensor unfold(int64_t dimension, int64_t size, int64_t step) const {
    dimension = compat_detail::wrapped(dimension, dim());
    auto sizes = this->sizes().vec(), strides = this->strides().vec();
    int64_t length = dim() ? sizes[dimension] : 1, inner = dim() ? strides[dimension] : 1;
    compat_detail::check(0 <= size && size <= length && step > 0,
                         "unfold: size must be within the dimension, step positive");
    sizes.push_back(size);
    strides.push_back(inner);
    if (dim()) {
      sizes[dimension] = (length - size) / step + 1;
      strides[dimension] *= step;
    }
    return compat_detail::recorded_view(tensor_, sizes, strides);
  }
  Tensor repeat(at::IntArrayRef repeats) const {
    int64_t added = int64_t(repeats.size()) - dim();
    compat_detail::check(added >= 0, "repeat: fewer repeats than dimensions");
    compat_detail::Sizes from, to, sizes;
    for (size_t d = 0; d < repeats.size(); ++d) {
      int64_t size = int64_t(d) < added ? 1 : this->size(d - added);
      compat_detail::check(repeats[d] >= 0, "repeat: negative repeats");
      if (repeats[d] != 1) from.push_back(1), to.push_back(repeats[d]);  // Paddle has 9 dimensions
      if (size != 1) from.push_back(size), to.push_back(size);
      sizes.push_back(repeats[d] * size);
    }
    auto all = compat_detail::expanded(compat_detail::reshaped(tensor_, from), to);
    auto strides = compat_detail::contiguous_strides(sizes);
    if (compat_detail::is_recorded(tensor_)) return compat_detail::reshaped(all, sizes);
    Tensor result(compat_detail::allocated(sizes, strides, tensor_.dtype(), tensor_.place()));
    compat_detail::copy_into(result.view(to)._PD_GetInner(), all);
    return result;
  }
  Tensor tile(at::IntArrayRef dims) const {
    compat_detail::Sizes repeats(std::max<int64_t>(dim() - int64_t(dims.size()), 0), 1);
    repeats.insert(repeats.end(), dims.begin(), dims.end());
    return repeat(repeats);
  }
  Tensor alias() const { return view(sizes()); }
  Tensor detach() const {
    return compat_detail::view(tensor_, sizes().vec(), strides().vec());
  }
  const Tensor& swapaxes_(int64_t axis0, int64_t axis1) const { return transpose_(axis0, axis1); }
  const Tensor& swapdims_(int64_t dim0, int64_t dim1) const { return transpose_(dim0, dim1); }
  Tensor adjoint() const {
    compat_detail::check(dim() != 1, "tensor.adjoint() is only supported on matrices");
    return is_complex() ? Tensor(paddle::recorded::conj(mT().tensor_)) : mT();
  }
  Tensor mH() const { return adjoint(); }
  Tensor matrix_H() const {
    compat_detail::check(dim() == 0 || dim() == 2, "tensor.H is only supported on matrices");
    return adjoint();
  }
  ::std::vector<Tensor> unsafe_split(int64_t split_size, int64_t dim = 0) const {
    return split(split_size, dim);
  }
  ::std::vector<Tensor> unsafe_split_with_sizes(at::IntArrayRef split_sizes, int64_t dim = 0) const {
    return split_with_sizes(split_sizes, dim);
  }
  ::std::vector<Tensor> unsafe_chunk(int64_t chunks, int64_t dim = 0) const {
    return chunk(chunks, dim);
  }
  // In parts of one size along a dimension of `least` dimensions, or before each index.
  ::std::vector<Tensor> _PD_parts(int64_t least, int64_t dim, int64_t sections) const {
    compat_detail::check(this->dim() >= least, "the tensor has too few dimensions to be split");
    compat_detail::check(sections > 0 && size(dim) % sections == 0, "no even number of sections");
    return tensor_split(sections, dim);
  }
  ::std::vector<Tensor> _PD_parts(int64_t least, int64_t dim, at::IntArrayRef indices) const {
    compat_detail::check(this->dim() >= least, "the tensor has too few dimensions to be split");
    return tensor_split(indices, dim);
  }
  ::std::vector<Tensor> hsplit(int64_t sections) const { return _PD_parts(1, dim() > 1, sections); }
  ::std::vector<Tensor> hsplit(at::IntArrayRef indices) const {
    return _PD_parts(1, dim() > 1, indices);
  }
  ::std::vector<Tensor> vsplit(int64_t sections) const { return _PD_parts(2, 0, sections); }
  ::std::vector<Tensor> vsplit(at::IntArrayRef indices) const { return _PD_parts(2, 0, indices); }
  ::std::vector<Tensor> dsplit(int64_t sections) const { return _PD_parts(3, 2, sections); }
  ::std::vector<Tensor> dsplit(at::IntArrayRef indices) const { return _PD_parts(3, 2, indices); }
  // A copy in which a part is another tensor.
  Tensor _PD_with(const Tensor& part, const Tensor& src) const {
    compat_detail::check(part.sizes() == src.sizes(), "src has not the shape of the part");
    compat_detail::copy_into(part.tensor_, src.tensor_);
    return *this;
  }
  Tensor select_scatter(const Tensor& src, int64_t dim, int64_t index) const {
    const Tensor all = clone();
    return all._PD_with(all.select(dim, index), src);
  }
  Tensor slice_scatter(const Tensor& src, int64_t dim = 0,
                       ::std::optional<int64_t> start = ::std::nullopt,
                       ::std::optional<int64_t> end = ::std::nullopt, int64_t step = 1) const {
    const Tensor all = clone();
    return all._PD_with(all.slice(dim, start, end, step), src);
  }
  Tensor diagonal_scatter(const Tensor& src, int64_t offset = 0, int64_t dim1 = 0,
                          int64_t dim2 = 1) const {
    const Tensor all = clone();
    return all._PD_with(all.diagonal(offset, dim1, dim2), src);
  }
  Tensor as_strided_scatter(const Tensor& src, at::IntArrayRef size, at::IntArrayRef stride,
                            ::std::optional<int64_t> storage_offset = ::std::nullopt) const {
    const Tensor all = clone();
    return all._PD_with(all.as_strided(size, stride, storage_offset), src);
  }
  // Of tall matrices with `wrap` also below, after a row left out.
  Tensor& fill_diagonal_(const at::Scalar& fill_value, bool wrap = false) const {
    compat_detail::check(dim() >= 2, "dimensions must larger than 1");
    int64_t length = size(0), step = 0;
    for (int64_t d = 0; d < dim(); ++d) {
      compat_detail::check(dim() == 2 || size(d) == size(0), "all dimensions of equal length");
      length = std::min(length, size(d));
      step += stride(d);
    }
    Tensor(compat_detail::recorded_view(tensor_, {length}, {step})).fill_(fill_value);
    for (int64_t row = size(1) + 1; wrap && dim() == 2 && row < size(0); row += size(1) + 1) {
      slice(0, row).diagonal().fill_(fill_value);
    }
    return const_cast<Tensor&>(*this);
  }
};
}  // namespace at
