import paddle

from .computing import _computed, _float_of, _in_floats, _is_equal, _of_itself, _writing
from .methods import Tensor_relu
from .pointwise import (
    absolute,
    addcdiv,
    addcmul,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    clamp_max,
    clamp_min,
    conj_physical,
    erfc,
    exp2,
    fix,
    float_power,
    fmod,
    igamma,
    igammac,
    mvlgamma,
    xlogy,
)

Tensor_atan2_ = _writing(lambda *values: _in_floats(paddle.atan2, *values))
deg2rad_ = _writing(lambda x: _float_of(paddle.deg2rad, x))
Tensor_erf_ = _writing(lambda x: _float_of(paddle.erf, x))
Tensor_expm1_ = _writing(lambda x: _float_of(paddle.expm1, x))
rad2deg_ = _writing(lambda x: _float_of(paddle.rad2deg, x))
Tensor_eq_ = _writing(lambda *values: _computed(_is_equal, *values))
Tensor_ge_ = _writing(lambda *values: _computed(paddle.greater_equal, *values))
Tensor_gt_ = _writing(lambda *values: _computed(paddle.greater_than, *values))
Tensor_heaviside_ = _writing(lambda *values: _computed(paddle.heaviside, *values))
Tensor_le_ = _writing(lambda *values: _computed(paddle.less_equal, *values))
Tensor_lt_ = _writing(lambda *values: _computed(paddle.less_than, *values))
Tensor_ne_ = _writing(lambda *values: _computed(lambda x, y: ~_is_equal(x, y), *values))
negative_ = _writing(lambda x: _of_itself(paddle.neg, x))
Tensor_nextafter_ = _writing(lambda *values: _computed(paddle.nextafter, *values))
relu_ = _writing(Tensor_relu)
Tensor_sgn_ = _writing(lambda x: _of_itself(paddle.sgn, x))
Tensor_sign_ = _writing(lambda x: x if x.dtype == paddle.bool else _of_itself(paddle.sign, x))
Tensor_greater_ = Tensor_gt_
Tensor_addcdiv_ = _writing(addcdiv)
Tensor_addcmul_ = _writing(addcmul)
Tensor_arctan2_ = _writing(arctan2)
Tensor_fmod_ = _writing(fmod)
Tensor_mvlgamma_ = _writing(mvlgamma)
Tensor_absolute_ = _writing(absolute)
arccos_ = _writing(arccos)
arccosh_ = _writing(arccosh)
arcsin_ = _writing(arcsin)
arcsinh_ = _writing(arcsinh)
arctan_ = _writing(arctan)
arctanh_ = _writing(arctanh)
clamp_min_ = _writing(clamp_min)
clamp_max_ = _writing(clamp_max)
conj_physical_ = _writing(conj_physical)
erfc_ = _writing(erfc)
exp2_ = _writing(exp2)
fix_ = _writing(fix)
xlogy_ = _writing(xlogy)
torch_ceil_ = paddle.Tensor.ceil_
torch_clamp_ = paddle.Tensor.clamp_
torch_clip_ = paddle.Tensor.clip_
torch_detach_ = paddle.Tensor.detach_
torch_exp_ = paddle.Tensor.exp_
torch_fill_ = paddle.Tensor.fill_
torch_floor_ = paddle.Tensor.floor_
torch_reciprocal_ = paddle.Tensor.reciprocal_
torch_round_ = paddle.Tensor.round_
torch_rsqrt_ = paddle.Tensor.rsqrt_
torch_sigmoid_ = paddle.Tensor.sigmoid_
torch_sqrt_ = paddle.Tensor.sqrt_
torch_zero_ = paddle.Tensor.zero_
Tensor_igamma_ = _writing(igamma)
Tensor_igammac_ = _writing(igammac)


def Tensor_float_power_(self, exponent):
    made = float_power(self.clone(), exponent)
    if made.dtype != self.dtype:
        wanted = str(made.dtype).rpartition(".")[2]
        raise RuntimeError(f"the operation's result requires dtype {wanted}, which the base given to float_power_ has not")
    return _writing(lambda own: made)(self)
