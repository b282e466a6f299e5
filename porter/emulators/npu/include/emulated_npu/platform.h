// What the host asks of a chip; nothing of the graph engine's, whose headers frameworks have.
#pragma once
#include <cstdint>

namespace fe {
struct PlatFormInfos {};
}  // namespace fe

namespace platform_ascendc {

enum class SocVersion { ASCEND910 = 0, ASCEND910B, ASCEND310P, ASCEND910_93, ASCEND310B, ASCEND950 };
enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM };
class PlatformAscendC {
  public:
    explicit PlatformAscendC(const fe::PlatFormInfos *) {}
    uint32_t GetCoreNum() const { return 48; }
    uint32_t GetCoreNumAiv() const { return 48; }
    uint32_t GetCoreNumAic() const { return 24; }
    void GetCoreMemSize(CoreMemType type, uint64_t &size) const { size = type == CoreMemType::UB ? 192 * 1024 : 0; }
    uint32_t GetLibApiWorkSpaceSize() const { return 0; }
    SocVersion GetSocVersion() const { return SocVersion::ASCEND910B; }
};

// What a host that launches kernels itself asks instead of a context.
class PlatformAscendCManager {
  public:
    static PlatformAscendC *GetInstance() {
        static PlatformAscendC platform(nullptr);
        return &platform;
    }
    static PlatformAscendC *GetInstance(const char *) { return GetInstance(); }
};

}  // namespace platform_ascendc
