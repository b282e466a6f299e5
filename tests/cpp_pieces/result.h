// What a test module of a piece is given and gives back: shared with runner.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

namespace porter_test {

struct Result {
  std::string kind;
  std::string text;
  at::Tensor tensor;
};

using Results = std::vector<Result>;
using Inputs = std::map<std::string, at::Tensor>;
using Case = void (*)(const Inputs&, Results&);

}  // namespace porter_test
