import math

import paddle

from .layers import _made
from .sequences import PackedSequence, pack_padded_sequence, pad_packed_sequence
from .torchs_meaning import _tensor_method, _torch


def _gate(x, h, weights):
    """What a step computes of its input and state; biases are the last two, if there are any."""
    w_ih, w_hh, *biases = weights
    made = paddle.matmul(x, w_ih, transpose_y=True), paddle.matmul(h, w_hh, transpose_y=True)
    return (made[0] + biases[0], made[1] + biases[1]) if biases else made


def _rnn_step(activation):
    def step(x, state, weights, projection=None):
        return (activation(sum(_gate(x, state[0], weights))),)

    return step


def _lstm_step(x, state, weights, projection=None):
    h, c = state
    i, f, g, o = paddle.chunk(sum(_gate(x, h, weights)), 4, -1)
    sigmoid = paddle.nn.functional.sigmoid
    c = sigmoid(f) * c + sigmoid(i) * paddle.tanh(g)
    h = sigmoid(o) * paddle.tanh(c)
    return (h if projection is None else paddle.matmul(h, projection, transpose_y=True)), c


def _gru_step(x, state, weights, projection=None):
    of_input, of_state = (paddle.chunk(each, 3, -1) for each in _gate(x, state[0], weights))
    sigmoid = paddle.nn.functional.sigmoid
    r, z = (sigmoid(a + b) for a, b in zip(of_input[:2], of_state[:2]))
    n = paddle.tanh(of_input[2] + r * of_state[2])
    return (n + z * (state[0] - n),)


_STEPS = {
    "LSTM": (_lstm_step, 4, 2),  # gates, tensors of the state
    "GRU": (_gru_step, 3, 1),
    "RNN_TANH": (_rnn_step(paddle.tanh), 1, 1),
    "RNN_RELU": (_rnn_step(paddle.nn.functional.relu), 1, 1),
}


class _Recurrent(paddle.nn.Layer):
    def _add(self, name, shape, device, dtype):
        zeros = paddle.nn.initializer.Constant(0.0)  # until all are drawn
        _made(self, name, shape, zeros, device, dtype)

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        with paddle.no_grad():
            for each in self.parameters():
                _tensor_method("uniform_")(each, -bound, bound)


def _changed(layer, **defaults):
    """The settings of a layer that are no defaults, as torch shows them."""
    settings = {name: getattr(layer, name) for name in defaults}
    return "".join(f", {name}={value}" for name, value in settings.items() if value != defaults[name])


class RNNBase(_Recurrent):
    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if proj_size and (mode != "LSTM" or not 0 < proj_size < hidden_size):
            raise ValueError("proj_size is of LSTM only, and smaller than hidden_size")
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = float(dropout), bidirectional, proj_size
        gates = _STEPS[mode][1] * hidden_size
        self._names = []
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[: 1 + bidirectional]:
                width = input_size if layer == 0 else (proj_size or hidden_size) * (1 + bidirectional)
                shapes = {"weight_ih": [gates, width], "weight_hh": [gates, proj_size or hidden_size]}
                shapes |= {"bias_ih": [gates], "bias_hh": [gates]} if bias else {}
                shapes |= {"weight_hr": [proj_size, hidden_size]} if proj_size else {}
                self._names.append([f"{name}_l{layer}{suffix}" for name in shapes])
                for name, shape in zip(self._names[-1], shapes.values()):
                    self._add(name, shape, device, dtype)
        self.reset_parameters()

    @property
    def all_weights(self):
        return [[getattr(self, name) for name in names] for names in self._names]

    @property
    def _flat_weights_names(self):
        return [name for names in self._names for name in names]

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @_flat_weights.setter
    def _flat_weights(self, weights):
        for name, weight in zip(self._flat_weights_names, weights, strict=True):
            if weight is not getattr(self, name, None):
                self._parameters.pop(name, None)
                object.__setattr__(self, name, weight)  # no buffer

    def flatten_parameters(self):
        """Nothing: how the weights lie in memory is Paddle's affair."""

    def extra_repr(self):
        projection = _changed(self, proj_size=0)
        rest = _changed(self, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False)
        return f"{self.input_size}, {self.hidden_size}{projection}{rest}"

    def forward(self, input, hx=None):
        packed = input if isinstance(input, PackedSequence) else None
        lengths = order = None
        if packed is not None:
            input, lengths = pad_packed_sequence(packed._replace(sorted_indices=None, unsorted_indices=None))
            order = packed.sorted_indices
        elif input.ndim not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D")
        single = input.ndim == 2
        if single:
            input = input.unsqueeze(1)
        elif self.batch_first and packed is None:
            input = input.transpose([1, 0, 2])
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        states = self._states(input, hx, single, order)
        made, last = self._run(input, states, lengths)
        if packed is not None:
            made = pack_padded_sequence(made, lengths)._replace(
                sorted_indices=order, unsorted_indices=packed.unsorted_indices
            )
            if packed.unsorted_indices is not None:
                last = [each.index_select(packed.unsorted_indices, 1) for each in last]
        elif single:
            made, last = made.squeeze(1), [each.squeeze(1) for each in last]
        elif self.batch_first:
            made = made.transpose([1, 0, 2])
        return made, tuple(last) if self.mode == "LSTM" else last[0]

    def _states(self, input, hx, single, order):
        """The state before the first step: [layers, batch, width] each."""
        count = self.num_layers * (1 + self.bidirectional)
        widths = [self.proj_size or self.hidden_size, self.hidden_size][: _STEPS[self.mode][2]]
        if hx is None:
            return [paddle.zeros([count, input.shape[1], width], input.dtype) for width in widths]
        given = list(hx) if self.mode == "LSTM" else [hx]
        given = [each.unsqueeze(1) if single else each for each in given]
        for each, width in zip(given, widths):
            if list(each.shape) != [count, input.shape[1], width]:
                wanted = (count, input.shape[1], width)
                raise RuntimeError(f"Expected hidden size {wanted}, got {list(each.shape)}")
        return given if order is None else [each.index_select(order, 1) for each in given]

    def _run(self, input, states, lengths):
        """Outputs and last states of all layers, of [time, batch, width]."""
        weights, step, last = self.all_weights, _STEPS[self.mode][0], []
        for layer in range(self.num_layers):
            if layer and self.dropout and self.training:
                input = _torch("nn.functional.dropout")(input, self.dropout)
            sides = []
            for reverse in range(1 + self.bidirectional):
                at = layer * (1 + self.bidirectional) + reverse
                own = weights[at]
                projection = own[-1] if self.proj_size else None
                before = [each[at] for each in states]
                of_step = own[:-1] if self.proj_size else own
                outputs, after = _unrolled(step, input, before, of_step, projection, reverse, lengths)
                sides.append(outputs)
                last.append(after)
            input = sides[0] if len(sides) == 1 else paddle.concat(sides, -1)
        return input, [paddle.stack([*each]) for each in zip(*last)]


def _unrolled(step, input, state, weights, projection, reverse, lengths):
    times = range(input.shape[0])
    outputs = [None] * len(times)
    lengths = None if lengths is None else lengths.to(input.place)
    for time in reversed(times) if reverse else times:
        after = step(input[time], state, weights, projection)
        output = after[0]
        if lengths is not None:  # a sequence that is over keeps its state
            runs = (lengths > time).unsqueeze(-1)
            after = [paddle.where(runs, new, old) for new, old in zip(after, state)]
            output = paddle.where(runs, output, paddle.zeros_like(output))
        state, outputs[time] = after, output
    return paddle.stack(outputs), state


class LSTM(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    def __init__(self, *args, **kwargs):
        super().__init__("GRU", *args, **kwargs)


class RNN(RNNBase):
    def __init__(self, *args, nonlinearity="tanh", **kwargs):
        args = [*args]
        if len(args) > 3:  # it stands between num_layers and bias
            nonlinearity = args.pop(3)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)


class RNNCellBase(_Recurrent):
    def extra_repr(self):
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        activation = "" if nonlinearity == "tanh" else f", nonlinearity={nonlinearity}"
        return f"{self.input_size}, {self.hidden_size}{_changed(self, bias=True)}{activation}"

    mode = "RNN_TANH"

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        gates = num_chunks * hidden_size
        shapes = {"weight_ih": [gates, input_size], "weight_hh": [gates, hidden_size]}
        shapes |= {"bias_ih": [gates], "bias_hh": [gates]} if bias else {}
        self._names = [*shapes]
        for name, shape in shapes.items():
            self._add(name, shape, device, dtype)
        if not bias:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def forward(self, input, hx=None):
        if input.ndim not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        single = input.ndim == 1
        input = input.unsqueeze(0) if single else input
        step, _, count = _STEPS[self.mode]
        if hx is None:
            state = [paddle.zeros([input.shape[0], self.hidden_size], input.dtype)] * count
        else:
            state = [each.unsqueeze(0) if single else each for each in (hx if count > 1 else [hx])]
        after = step(input, state, [getattr(self, name) for name in self._names])
        after = tuple(each.squeeze(0) for each in after) if single else tuple(after)
        return after if count > 1 else after[0]


class LSTMCell(RNNCellBase):
    mode = "LSTM"

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, _STEPS[self.mode][1], device, dtype)


class GRUCell(LSTMCell):
    mode = "GRU"


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {nonlinearity}")
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity, self.mode = nonlinearity, f"RNN_{nonlinearity.upper()}"
