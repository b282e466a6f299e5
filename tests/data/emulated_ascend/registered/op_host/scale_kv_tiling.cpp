#include "exe_graph/runtime/tiling_parse_context.h"
#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
#include "securec.h"
#include "shared/checks.h"
#include "tiling/platform/platform_ascendc.h"
#include "toolchain/slog.h"

namespace optiling {
BEGIN_TILING_DATA_DEF(ScaleTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ScaleKV, ScaleTilingData)

struct ScaleInfo {
    uint32_t cores = 0;
};

static ge::graphStatus Tiling4Scale(gert::TilingContext *context) {
    const auto *info = static_cast<const ScaleInfo *>(context->GetCompileInfo());
    CHECK_NULL(info);
    ScaleTilingData tiling;
    char text[8];
    if (snprintf_s(text, sizeof text, sizeof text - 1, "%u", info->cores) != 2) return ge::GRAPH_FAILED;
    tiling.set_length(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
    tiling.set_factor(info->cores);
    if (tiling.get_length() % 8 != 0) {
        dlog_error(OP, "the length is %u", tiling.get_length());
        return ge::GRAPH_FAILED;
    }
    tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());
    context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
    context->SetBlockDim(1);
    return ge::GRAPH_SUCCESS;
}
static ge::graphStatus Parse4Scale(gert::TilingParseContext *context) {
    auto *info = context->GetCompiledInfo<ScaleInfo>();
    info->cores = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
    return ge::GRAPH_SUCCESS;
}
IMPL_OP_OPTILING(ScaleKV).Tiling(Tiling4Scale).TilingParse<ScaleInfo>(Parse4Scale);
}  // namespace optiling
