// Values of any type, in a unit of CUDA.
#include <ATen/core/ivalue.h>

#include <utility>
#include <vector>

int64_t count_and_first(const std::vector<c10::IValue>& values) {
  torch::GenericTuple tuple(values);
  return static_cast<int64_t>(tuple.size()) + tuple[0].toInt();
}

bool made_of_a_pair() { return c10::IValue(std::make_tuple(1, 2.0)).isTuple(); }
