#pragma once

#include <porter_compat/layers.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/common.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace torch::nn::late {

template <typename T>
struct RNNOptions {
  using nonlinearity_t = ::torch::compat_detail::Word;
  RNNOptions(int64_t input_size, int64_t hidden_size) :
      input_size_(input_size), hidden_size_(hidden_size) {}
  TORCH_ARG(int64_t, input_size);
  TORCH_ARG(int64_t, hidden_size);
  TORCH_ARG(int64_t, num_layers) = 1;
  TORCH_ARG(nonlinearity_t, nonlinearity) = torch::kTanh;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(bool, batch_first) = false;
  TORCH_ARG(double, dropout) = 0;
  TORCH_ARG(bool, bidirectional) = false;
};

template <typename T>
struct GRUOptions {
  GRUOptions(int64_t input_size, int64_t hidden_size) :
      input_size_(input_size), hidden_size_(hidden_size) {}
  TORCH_ARG(int64_t, input_size);
  TORCH_ARG(int64_t, hidden_size);
  TORCH_ARG(int64_t, num_layers) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(bool, batch_first) = false;
  TORCH_ARG(double, dropout) = 0;
  TORCH_ARG(bool, bidirectional) = false;
};

template <typename T>
struct RNNCellOptions {
  using nonlinearity_t = ::torch::compat_detail::Word;
  RNNCellOptions(int64_t input_size, int64_t hidden_size) :
      input_size_(input_size), hidden_size_(hidden_size) {}
  TORCH_ARG(int64_t, input_size);
  TORCH_ARG(int64_t, hidden_size);
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(nonlinearity_t, nonlinearity) = torch::kTanh;
};

template <typename T>
struct LSTMCellOptions {
  LSTMCellOptions(int64_t input_size, int64_t hidden_size) :
      input_size_(input_size), hidden_size_(hidden_size) {}
  TORCH_ARG(int64_t, input_size);
  TORCH_ARG(int64_t, hidden_size);
  TORCH_ARG(bool, bias) = true;
};

// The weights of layers, each with `gates` rows for an element of the state.
template <typename Derived, typename Options, int gates>
struct RecurrentLayer : Cloneable<Derived> {
  RecurrentLayer(int64_t input_size, int64_t hidden_size) :
      RecurrentLayer(Options(input_size, hidden_size)) {}
  explicit RecurrentLayer(const Options& options_) : options(options_) { RecurrentLayer::reset(); }

  void reset() override {
    names_.clear();
    const auto ways = options.bidirectional() ? 2 : 1, hidden = int(options.hidden_size());
    for (int64_t layer = 0; layer < options.num_layers(); ++layer) {
      for (int way = 0; way < ways; ++way) {
        const auto end = "_l" + std::to_string(layer) + (way ? "_reverse" : "");
        const auto add = [&](const std::string& name, std::vector<int64_t> sizes) {
          names_.push_back(name + end);
          this->register_parameter(names_.back(), at::empty(sizes));
        };
        add("weight_ih", {gates * hidden, layer ? hidden * ways : options.input_size()});
        add("weight_hh", {gates * hidden, hidden});
        if (!options.bias()) continue;
        add("bias_ih", {gates * hidden});
        add("bias_hh", {gates * hidden});
      }
    }
    reset_parameters();
  }
  void reset_parameters() {
    const auto bound = 1 / std::sqrt(options.hidden_size());
    for (const auto& weight : all_weights()) init::uniform_(weight, -bound, bound);
  }
  void flatten_parameters() {}
  std::vector<Tensor> all_weights() const {
    std::vector<Tensor> found;
    for (const auto& name : names_) found.push_back(this->parameters_[name]);
    return found;
  }
  void print(std::ostream& stream, const char* name) const {
    stream << std::boolalpha << "torch::nn::" << name << "(input_size=" << options.input_size()
           << ", hidden_size=" << options.hidden_size() << ", num_layers=" << options.num_layers()
           << ", bias=" << options.bias() << ", batch_first=" << options.batch_first()
           << ", dropout=" << options.dropout() << ", bidirectional=" << options.bidirectional()
           << ")";
  }
  // The state that was given, or zeros.
  Tensor state(const Tensor& input, const Tensor& given) const {
    TORCH_CHECK(input.dim() == 3, "input must have 3 dimensions, got ", input.dim());
    TORCH_CHECK(
        input.size(-1) == options.input_size(), "input.size(-1) must be equal to input_size. "
        "Expected ", options.input_size(), ", got ", input.size(-1));
    const auto count = options.num_layers() * (options.bidirectional() ? 2 : 1);
    const std::vector<int64_t> sizes{
        count, input.size(options.batch_first() ? 0 : 1), options.hidden_size()};
    if (!given.defined()) return at::zeros(sizes, input.options());
    TORCH_CHECK(
        given.sizes() == at::IntArrayRef(sizes), "Expected hidden size ", at::IntArrayRef(sizes),
        ", got ", given.sizes());
    return given;
  }

  Options options;

 private:
  std::vector<std::string> names_;
};

template <typename Derived, typename Options, int gates>
struct RecurrentCell : Cloneable<Derived> {
  RecurrentCell(int64_t input_size, int64_t hidden_size) :
      RecurrentCell(Options(input_size, hidden_size)) {}
  explicit RecurrentCell(const Options& options_) : options(options_) { RecurrentCell::reset(); }

  void reset() override {
    const auto rows = gates * options.hidden_size();
    const auto add = [&](const char* name, at::IntArrayRef sizes) {
      return this->register_parameter(name, at::empty(sizes));
    };
    weight_ih = add("weight_ih", {rows, options.input_size()});
    weight_hh = add("weight_hh", {rows, options.hidden_size()});
    if (options.bias()) {
      bias_ih = add("bias_ih", {rows});
      bias_hh = add("bias_hh", {rows});
    } else {
      bias_ih = this->register_parameter("bias_ih", {}, false);
      bias_hh = this->register_parameter("bias_hh", {}, false);
    }
    reset_parameters();
  }
  void reset_parameters() {
    const auto bound = 1 / std::sqrt(options.hidden_size());
    for (const auto& weight : this->parameters()) init::uniform_(weight, -bound, bound);
  }
  void print(std::ostream& stream, const char* name, const char* nonlinearity = "") const {
    stream << "torch::nn::" << name << "(" << options.input_size() << ", "
           << options.hidden_size();
    if (!options.bias()) stream << std::boolalpha << ", bias=" << false;
    stream << nonlinearity << ")";
  }
  Tensor state(const Tensor& input, const Tensor& given) const {
    TORCH_CHECK(input.dim() == 1 || input.dim() == 2, "Expected input to be 1D or 2D");
    if (given.defined()) return given;
    auto sizes = input.sizes().vec();
    sizes.back() = options.hidden_size();
    return at::zeros(sizes, input.options());
  }

  Options options;
  Tensor weight_ih, weight_hh, bias_ih, bias_hh;
};

template <typename T>
struct RNNImpl : RecurrentLayer<RNNImpl<T>, RNNOptions<T>, 1> {
  PORTER_LATE_OF(RecurrentLayer<RNNImpl<T>, RNNOptions<T>, 1>);
  void pretty_print(Stream& stream) const override { this->print(stream, "RNN"); }
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {}) {
    const bool relu = options.nonlinearity().text == torch::kReLU.text;
    return (relu ? at::rnn_relu : at::rnn_tanh)(
        input, this->state(input, hx), this->all_weights(), options.bias(), options.num_layers(),
        options.dropout(), this->is_training(), options.bidirectional(), options.batch_first());
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};

template <typename T>
struct GRUImpl : RecurrentLayer<GRUImpl<T>, GRUOptions<T>, 3> {
  PORTER_LATE_OF(RecurrentLayer<GRUImpl<T>, GRUOptions<T>, 3>);
  void pretty_print(Stream& stream) const override { this->print(stream, "GRU"); }
  std::tuple<Tensor, Tensor> forward(const Tensor& input, Tensor hx = {}) {
    return at::gru(
        input, this->state(input, hx), this->all_weights(), options.bias(), options.num_layers(),
        options.dropout(), this->is_training(), options.bidirectional(), options.batch_first());
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};

template <typename T>
struct LSTMImpl : RecurrentLayer<LSTMImpl<T>, GRUOptions<T>, 4> {
  PORTER_LATE_OF(RecurrentLayer<LSTMImpl<T>, GRUOptions<T>, 4>);
  using States = std::tuple<Tensor, Tensor>;
  void pretty_print(Stream& stream) const override { this->print(stream, "LSTM"); }
  std::tuple<Tensor, States> forward(const Tensor& input, std::optional<States> hx = {}) {
    const auto given = hx.value_or(States());
    const std::vector<Tensor> states{
        this->state(input, std::get<0>(given)), this->state(input, std::get<1>(given))};
    const auto [out, h, c] = at::lstm(
        input, states, this->all_weights(), options.bias(), options.num_layers(), options.dropout(),
        this->is_training(), options.bidirectional(), options.batch_first());
    return {out, States(h, c)};
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(std::optional<States>())})
};

template <typename T>
struct RNNCellImpl : RecurrentCell<RNNCellImpl<T>, RNNCellOptions<T>, 1> {
  PORTER_LATE_OF(RecurrentCell<RNNCellImpl<T>, RNNCellOptions<T>, 1>);
  bool is_relu() const { return options.nonlinearity().text == torch::kReLU.text; }
  void pretty_print(Stream& stream) const override {
    this->print(stream, "RNNCell", is_relu() ? ", nonlinearity=kReLU" : "");
  }
  Tensor forward(const Tensor& input, const Tensor& hx = {}) {
    return (is_relu() ? at::rnn_relu_cell : at::rnn_tanh_cell)(
        input, this->state(input, hx), this->weight_ih, this->weight_hh, this->bias_ih,
        this->bias_hh);
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};

template <typename T>
struct GRUCellImpl : RecurrentCell<GRUCellImpl<T>, LSTMCellOptions<T>, 3> {
  PORTER_LATE_OF(RecurrentCell<GRUCellImpl<T>, LSTMCellOptions<T>, 3>);
  void pretty_print(Stream& stream) const override { this->print(stream, "GRUCell"); }
  Tensor forward(const Tensor& input, const Tensor& hx = {}) {
    return at::gru_cell(
        input, this->state(input, hx), this->weight_ih, this->weight_hh, this->bias_ih,
        this->bias_hh);
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(Tensor())})
};

template <typename T>
struct LSTMCellImpl : RecurrentCell<LSTMCellImpl<T>, LSTMCellOptions<T>, 4> {
  PORTER_LATE_OF(RecurrentCell<LSTMCellImpl<T>, LSTMCellOptions<T>, 4>);
  using States = std::tuple<Tensor, Tensor>;
  void pretty_print(Stream& stream) const override { this->print(stream, "LSTMCell"); }
  States forward(const Tensor& input, std::optional<States> hx = {}) {
    const auto given = hx.value_or(States());
    const std::vector<Tensor> states{
        this->state(input, std::get<0>(given)), this->state(input, std::get<1>(given))};
    return at::lstm_cell(
        input, states, this->weight_ih, this->weight_hh, this->bias_ih,
        this->bias_hh);
  }

 protected:
  FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(std::optional<States>())})
};

}  // namespace torch::nn::late

namespace torch::nn {

using RNNOptions = late::RNNOptions<void>;

using GRUOptions = late::GRUOptions<void>;

using RNNCellOptions = late::RNNCellOptions<void>;

using LSTMCellOptions = late::LSTMCellOptions<void>;

using LSTMOptions = GRUOptions;

using GRUCellOptions = LSTMCellOptions;

PORTER_NAMED(RNN);
PORTER_NAMED(GRU);
PORTER_NAMED(LSTM);
PORTER_NAMED(RNNCell);
PORTER_NAMED(GRUCell);
PORTER_NAMED(LSTMCell);

}  // namespace torch::nn
