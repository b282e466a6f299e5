#pragma once

#include <ATen/core/Tensor.h>
#include <porter_compat/recurrent.h>

#include <tuple>

namespace at {

inline ::std::tuple<Tensor, Tensor> lstm_cell(
    const Tensor& input, TensorList hx, const Tensor& w_ih, const Tensor& w_hh,
    const ::std::optional<Tensor>& b_ih = {}, const ::std::optional<Tensor>& b_hh = {}) {
  TORCH_CHECK(hx.size() == 2, "lstm_cell expects two hidden states");
  return compat_detail::python_two(
      compat_detail::CELL, "lstm", compat_detail::STEP, input, hx, w_ih, w_hh, b_ih, b_hh);
}

inline Tensor gru_cell(
    const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
    const ::std::optional<Tensor>& b_ih = {}, const ::std::optional<Tensor>& b_hh = {}) {
  return compat_detail::python(
      compat_detail::CELL, "gru", compat_detail::STEP, input, TensorList(hx), w_ih, w_hh, b_ih, b_hh);
}

inline Tensor rnn_tanh_cell(
    const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
    const ::std::optional<Tensor>& b_ih = {}, const ::std::optional<Tensor>& b_hh = {}) {
  return compat_detail::python(
      compat_detail::CELL, "tanh", compat_detail::STEP, input, TensorList(hx), w_ih, w_hh, b_ih, b_hh);
}

inline Tensor rnn_relu_cell(
    const Tensor& input, const Tensor& hx, const Tensor& w_ih, const Tensor& w_hh,
    const ::std::optional<Tensor>& b_ih = {}, const ::std::optional<Tensor>& b_hh = {}) {
  return compat_detail::python(
      compat_detail::CELL, "relu", compat_detail::STEP, input, TensorList(hx), w_ih, w_hh, b_ih, b_hh);
}

inline ::std::tuple<Tensor, Tensor, Tensor> lstm(
    const Tensor& input, TensorList hx, TensorList params, bool has_biases, int64_t num_layers,
    double dropout, bool train, bool bidirectional, bool batch_first) {
  TORCH_CHECK(hx.size() == 2, "lstm expects two hidden states");
  return compat_detail::python_three(
      compat_detail::LAYERS, "lstm", compat_detail::STEP, input, hx, params, has_biases, num_layers,
      train ? dropout : 0.0, bidirectional, batch_first);
}

inline ::std::tuple<Tensor, Tensor> gru(
    const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,
    double dropout, bool train, bool bidirectional, bool batch_first) {
  return compat_detail::python_two(
      compat_detail::LAYERS, "gru", compat_detail::STEP, input, TensorList(hx), params, has_biases, num_layers,
      train ? dropout : 0.0, bidirectional, batch_first);
}

inline ::std::tuple<Tensor, Tensor> rnn_tanh(
    const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,
    double dropout, bool train, bool bidirectional, bool batch_first) {
  return compat_detail::python_two(
      compat_detail::LAYERS, "tanh", compat_detail::STEP, input, TensorList(hx), params, has_biases, num_layers,
      train ? dropout : 0.0, bidirectional, batch_first);
}

inline ::std::tuple<Tensor, Tensor> rnn_relu(
    const Tensor& input, const Tensor& hx, TensorList params, bool has_biases, int64_t num_layers,
    double dropout, bool train, bool bidirectional, bool batch_first) {
  return compat_detail::python_two(
      compat_detail::LAYERS, "relu", compat_detail::STEP, input, TensorList(hx), params, has_biases, num_layers,
      train ? dropout : 0.0, bidirectional, batch_first);
}

}  // namespace at
