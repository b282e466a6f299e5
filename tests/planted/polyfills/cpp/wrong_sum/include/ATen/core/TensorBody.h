#pragma once

namespace at {
// extends
class Tensor {
  // The fault: it is the mean.
  Tensor sum() const { return Tensor(paddle::experimental::mean(tensor_, {}, false)); }
};
}  // namespace at
