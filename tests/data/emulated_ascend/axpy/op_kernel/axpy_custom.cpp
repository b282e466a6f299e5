#include "kernel_operator.h"

extern "C" __global__ __aicore__ void axpy_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace, GM_ADDR tiling) {
    using namespace AscendC;
    GET_TILING_DATA(data, tiling);
    GlobalTensor<float> from, onto, to;
    from.SetGlobalBuffer((__gm__ float *)x, data.length);
    onto.SetGlobalBuffer((__gm__ float *)y, data.length);
    to.SetGlobalBuffer((__gm__ float *)z, data.length);
    TPipe pipe;
    TBuf<TPosition::VECCALC> left, right;
    pipe.InitBuffer(left, 4096);
    pipe.InitBuffer(right, 4096);
    LocalTensor<float> a = left.Get<float>(), b = right.Get<float>();
    for (uint32_t at = 0; at < data.length; at += 1024) {
        const uint32_t count = data.length - at < 1024 ? data.length - at : 1024;
        const DataCopyExtParams whole{1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
        DataCopyPad(a, from[at], whole, DataCopyPadExtParams<float>{false, 0, 0, 0});
        DataCopyPad(b, onto[at], whole, DataCopyPadExtParams<float>{false, 0, 0, 0});
        PipeBarrier<PIPE_ALL>();
        Axpy(b, a, data.alpha, count);
        PipeBarrier<PIPE_ALL>();
        DataCopyPad(to[at], b, whole);
        PipeBarrier<PIPE_ALL>();
    }
}
