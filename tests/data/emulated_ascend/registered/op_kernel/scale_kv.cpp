#include "kernel_operator.h"

using namespace AscendC;

class Scale {
  public:
    // By the name that the host's sources give it.
    __aicore__ inline void Process(GM_ADDR x, GM_ADDR y, const ScaleTilingData *tiling) {
        GlobalTensor<float> from, to;
        from.SetGlobalBuffer((__gm__ float *)x, tiling->length);
        to.SetGlobalBuffer((__gm__ float *)y, tiling->length);
        pipe.InitBuffer(in, 1, tiling->length * sizeof(float));
        pipe.InitBuffer(out, 1, tiling->length * sizeof(float));
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, from, tiling->length);
        in.EnQue(a);
        a = in.DeQue<float>();
        LocalTensor<float> b = out.AllocTensor<float>();
        Muls(b, a, tiling->factor, tiling->length);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<float>();
        DataCopy(to, b, tiling->length);
        out.FreeTensor(b);
    }

  private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
};

extern "C" __global__ __aicore__ void scale_kv(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    Scale op;
    op.Process(x, y, &tilingData);
}
