// Recurrent layers in Paddle's Python API.
#pragma once

#include <porter_compat/python_calls.h>

namespace at::compat_detail {

// The states after a step: of the input's and the state's part, in torch's order of gates.
inline const char* const STEP = R"py(def step(kind, given, states, w, b):
    checked(w.shape[1] == states[0].shape[-1], "a shape of weights")
    h = states[0] @ w.T + (0 if b is None else b)
    if kind == "gru":
        (r, z, n), (hr, hz, hn) = given.chunk(3, -1), h.chunk(3, -1)
        keep = F.sigmoid(z + hz)
        return [paddle.tanh(n + F.sigmoid(r + hr) * hn) * (1 - keep) + keep * states[0]]
    if kind != "lstm":
        return [(paddle.tanh if kind == "tanh" else F.relu)(given + h)]
    i, f, g, o = (given + h).chunk(4, -1)
    c = F.sigmoid(f) * states[1] + F.sigmoid(i) * paddle.tanh(g)
    return [F.sigmoid(o) * paddle.tanh(c), c]
)py";

inline const char* const CELL = R"py(def cell(kind, step, x, states, w, u, b, c):
    checked(all(s.shape[:-1] == x.shape[:-1] for s in states), "a shape of states")
    return made(step)(kind, x @ w.T + (0 if b is None else b), states, u, c)
)py";

inline const char* const LAYERS = R"py(def layers(kind, step, x, states, weights, biased, count, dropout, both, first):
    checked(x.ndim == 3 and all(s.ndim == 3 for s in states), "a sequence of batches, or its states,")
    ways, each = 2 if both else 1, 4 if biased else 2
    checked(len(weights) == ways * each * count, "the number of weights")
    checked(all(s.shape[:2] == [ways * count, x.shape[0 if first else 1]] for s in states), "a shape of states")
    x = x.transpose([1, 0, 2]) if first else x
    last = []
    for n in range(count):
        found = []
        for way in range(ways):
            w, u, *bias = weights[(n * ways + way) * each :][:each]
            b, c = bias or (None, None)
            now, outs = [s[n * ways + way] for s in states], []
            given = x @ w.T + (0 if b is None else b)
            for t in range(x.shape[0])[:: -1 if way else 1]:
                now = made(step)(kind, given[t], now, u, c)
                outs.append(now[0])
            found.append(paddle.stack(outs[:: -1 if way else 1]))
            last.append(now)
        x = paddle.concat(found, -1) if both else found[0]
        x = F.dropout(x, dropout) if dropout and n < count - 1 else x
    ends = [paddle.stack([now[k] for now in last]) for k in range(len(states))]
    return [x.transpose([1, 0, 2]) if first else x, *ends]
)py";

}  // namespace at::compat_detail
