// An operator of ours whose tiling function stands in another file.
#include "register/op_def_registry.h"

namespace ops {
class ScaleKV : public OpDef {
  public:
    explicit ScaleKV(const char *name) : OpDef(name) {
        this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->AICore().AddConfig("ascend910b");
    }
};
OP_ADD(ScaleKV);
}  // namespace ops
