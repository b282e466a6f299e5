#pragma once

#include <string_view>

namespace torch::compat_detail {

// A choice that stands for a word.
struct Word {
  std::string_view text;
  constexpr operator std::string_view() const { return text; }
};

}  // namespace torch::compat_detail

namespace torch::enumtype {

struct kLinear : compat_detail::Word {
  constexpr kLinear() : Word{"linear"} {}
};

struct kConstant : compat_detail::Word {
  constexpr kConstant() : Word{"constant"} {}
};

struct kReflect : compat_detail::Word {
  constexpr kReflect() : Word{"reflect"} {}
};

struct kReplicate : compat_detail::Word {
  constexpr kReplicate() : Word{"replicate"} {}
};

struct kCircular : compat_detail::Word {
  constexpr kCircular() : Word{"circular"} {}
};

struct kNearest : compat_detail::Word {
  constexpr kNearest() : Word{"nearest"} {}
};

struct kBilinear : compat_detail::Word {
  constexpr kBilinear() : Word{"bilinear"} {}
};

struct kBicubic : compat_detail::Word {
  constexpr kBicubic() : Word{"bicubic"} {}
};

struct kTrilinear : compat_detail::Word {
  constexpr kTrilinear() : Word{"trilinear"} {}
};

struct kSum : compat_detail::Word {
  constexpr kSum() : Word{"sum"} {}
};

struct kMean : compat_detail::Word {
  constexpr kMean() : Word{"mean"} {}
};

struct kNone : compat_detail::Word {
  constexpr kNone() : Word{"none"} {}
};

struct kBatchMean : compat_detail::Word {
  constexpr kBatchMean() : Word{"batchmean"} {}
};

struct kZeros : compat_detail::Word {
  constexpr kZeros() : Word{"zeros"} {}
};

struct kBorder : compat_detail::Word {
  constexpr kBorder() : Word{"border"} {}
};

struct kReflection : compat_detail::Word {
  constexpr kReflection() : Word{"reflection"} {}
};

struct kValid : compat_detail::Word {
  constexpr kValid() : Word{"valid"} {}
};

struct kSame : compat_detail::Word {
  constexpr kSame() : Word{"same"} {}
};

struct kConv1D : compat_detail::Word {
  constexpr kConv1D() : Word{"conv1d"} {}
};

struct kConv2D : compat_detail::Word {
  constexpr kConv2D() : Word{"conv2d"} {}
};

struct kConv3D : compat_detail::Word {
  constexpr kConv3D() : Word{"conv3d"} {}
};

struct kConvTranspose1D : compat_detail::Word {
  constexpr kConvTranspose1D() : Word{"conv_transpose1d"} {}
};

struct kConvTranspose2D : compat_detail::Word {
  constexpr kConvTranspose2D() : Word{"conv_transpose2d"} {}
};

struct kConvTranspose3D : compat_detail::Word {
  constexpr kConvTranspose3D() : Word{"conv_transpose3d"} {}
};

struct kSigmoid : compat_detail::Word {
  constexpr kSigmoid() : Word{"sigmoid"} {}
};

struct kTanh : compat_detail::Word {
  constexpr kTanh() : Word{"tanh"} {}
};

struct kReLU : compat_detail::Word {
  constexpr kReLU() : Word{"relu"} {}
};

struct kLeakyReLU : compat_detail::Word {
  constexpr kLeakyReLU() : Word{"leaky_relu"} {}
};

struct kFanIn : compat_detail::Word {
  constexpr kFanIn() : Word{"fan_in"} {}
};

struct kFanOut : compat_detail::Word {
  constexpr kFanOut() : Word{"fan_out"} {}
};

}  // namespace torch::enumtype

namespace torch {

inline constexpr enumtype::kLinear kLinear;

inline constexpr enumtype::kConstant kConstant;

inline constexpr enumtype::kReflect kReflect;

inline constexpr enumtype::kReplicate kReplicate;

inline constexpr enumtype::kCircular kCircular;

inline constexpr enumtype::kNearest kNearest;

inline constexpr enumtype::kBilinear kBilinear;

inline constexpr enumtype::kBicubic kBicubic;

inline constexpr enumtype::kTrilinear kTrilinear;

inline constexpr enumtype::kSum kSum;

inline constexpr enumtype::kMean kMean;

inline constexpr enumtype::kNone kNone;

inline constexpr enumtype::kBatchMean kBatchMean;

inline constexpr enumtype::kZeros kZeros;

inline constexpr enumtype::kBorder kBorder;

inline constexpr enumtype::kReflection kReflection;

inline constexpr enumtype::kValid kValid;

inline constexpr enumtype::kSame kSame;

inline constexpr enumtype::kConv1D kConv1D;

inline constexpr enumtype::kConv2D kConv2D;

inline constexpr enumtype::kConv3D kConv3D;

inline constexpr enumtype::kConvTranspose1D kConvTranspose1D;

inline constexpr enumtype::kConvTranspose2D kConvTranspose2D;

inline constexpr enumtype::kConvTranspose3D kConvTranspose3D;

inline constexpr enumtype::kSigmoid kSigmoid;

inline constexpr enumtype::kTanh kTanh;

inline constexpr enumtype::kReLU kReLU;

inline constexpr enumtype::kLeakyReLU kLeakyReLU;

inline constexpr enumtype::kFanIn kFanIn;

inline constexpr enumtype::kFanOut kFanOut;

}  // namespace torch
