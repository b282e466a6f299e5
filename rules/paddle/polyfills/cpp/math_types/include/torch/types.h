#pragma once

namespace torch {

constexpr auto kComplex32 = at::kComplexHalf;

constexpr auto kComplex64 = at::kComplexFloat;

constexpr auto kComplex128 = at::kComplexDouble;

}  // namespace torch
