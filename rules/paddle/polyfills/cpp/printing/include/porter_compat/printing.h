#pragma once

#include <porter_compat/recorded.h>
#include <ATen/core/TensorBase.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace at::compat_detail {

// How wide numbers are written, all of them the same way.
struct Format {
  int width = 0;
  ::std::ios::fmtflags flags = ::std::ios::fmtflags();
};

inline Format format_of(const ::std::vector<double>& values) {
  bool whole = true;
  double largest = 0, smallest = INFINITY;
  for (double v : values) {
    if (!::std::isfinite(v)) continue;
    whole = whole && v == ::std::ceil(v);
    largest = ::std::max(largest, ::std::abs(v));
    smallest = ::std::min(smallest, ::std::abs(v));
  }
  const auto digits = [](double v) { return v == 0 ? 1 : int(::std::floor(::std::log10(v))) + 1; };
  const int most = digits(largest), least = ::std::isinf(smallest) ? most : digits(smallest);
  if (whole && most <= 15) return {most + 1, ::std::ios::fmtflags()};
  if (whole || most - least > 4 || most < -4 || most > 5) return {11, ::std::ios::scientific};
  return {::std::max(most, 1) + 6, ::std::ios::fixed};
}

// The values of a tensor, a row on a line.
inline ::std::string printed(const TensorBase& x) {
  namespace pe = paddle::recorded;
  if (!x.numel()) return "";
  const auto doubles = pe::cast(x._PD_GetInner(), phi::DataType::FLOAT64);
  const auto flat = pe::copy_to(doubles, phi::CPUPlace(), true).contiguous();
  const ::std::vector<double> values(flat.data<double>(), flat.data<double>() + flat.numel());
  const auto format = format_of(values);
  const auto dims = x.dim();
  const int64_t rows = dims > 1 ? x.size(-2) : x.numel(), columns = dims > 1 ? x.size(-1) : 1;
  ::std::ostringstream out;
  if (dims) out.flags(format.flags);
  if (dims && format.flags) out << ::std::setprecision(4);
  for (int64_t i = 0; i < x.numel(); ++i) {
    if (dims > 2 && i % (rows * columns) == 0) {
      ::std::string place;
      for (int64_t d = dims - 3, rest = i / (rows * columns); d >= 0; rest /= x.size(d--))
        place = ::std::to_string(rest % x.size(d) + 1) + "," + place;
      out << (i ? "\n(" : "(") << place << ".,.) = \n";
    }
    out << (i % columns ? " " : "") << ::std::setw(dims ? format.width : 0) << values[i];
    if ((i + 1) % columns == 0) out << "\n";
  }
  return out.str();
}

}  // namespace at::compat_detail
