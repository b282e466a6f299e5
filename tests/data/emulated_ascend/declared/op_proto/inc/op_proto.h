// An operator that is declared only: graphs with it are built, and do not run.
#include "graph/operator_reg.h"

namespace ge {
REG_OP(PickCustom)
    .INPUT(x, TensorType({DT_FLOAT16, DT_FLOAT}))
    .OPTIONAL_INPUT(bias, TensorType({DT_FLOAT16,
                                      DT_FLOAT}))  // over two lines
    .OUTPUT(y, TensorType({DT_FLOAT16, DT_FLOAT}))
    .ATTR(axes, ListInt, {0, 1})
    .REQUIRED_ATTR(keep, Bool)
    .OP_END_FACTORY_REG(PickCustom)
}  // namespace ge
