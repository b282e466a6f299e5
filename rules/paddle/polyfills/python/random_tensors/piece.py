import paddle

from .dense_tensors import _dense, _sized
from .generators import _random

rand, randn = _random(_sized(paddle.rand)), _random(_sized(paddle.randn))
rand_like, randn_like = _random(_dense(paddle.rand_like)), _random(_dense(paddle.randn_like))
randperm, bernoulli = _random(_dense(paddle.randperm)), _random(paddle.bernoulli)
multinomial = _random(paddle.multinomial)
