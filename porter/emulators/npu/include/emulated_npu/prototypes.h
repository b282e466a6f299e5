// What a package's definitions declare for graphs, as the header op_proto.h of a package has it.
#pragma once
#include "operators.h"

namespace emulated {

inline const char *type_name(ge::DataType type) {
    switch (type) {
        case ge::DT_FLOAT: return "DT_FLOAT";
        case ge::DT_FLOAT16: return "DT_FLOAT16";
        case ge::DT_INT8: return "DT_INT8";
        case ge::DT_INT32: return "DT_INT32";
        case ge::DT_UINT8: return "DT_UINT8";
        case ge::DT_INT16: return "DT_INT16";
        case ge::DT_UINT16: return "DT_UINT16";
        case ge::DT_UINT32: return "DT_UINT32";
        case ge::DT_INT64: return "DT_INT64";
        case ge::DT_UINT64: return "DT_UINT64";
        case ge::DT_DOUBLE: return "DT_DOUBLE";
        case ge::DT_BOOL: return "DT_BOOL";
        case ge::DT_BF16: return "DT_BF16";
        default: return "DT_UNDEFINED";
    }
}

inline std::string types_of(const ops::ParamDef &parameter) {
    if (parameter.types.empty()) return "TensorType::ALL()";
    std::vector<std::string> names;
    for (const auto each : parameter.types)
        if (std::find(names.begin(), names.end(), type_name(each)) == names.end()) names.push_back(type_name(each));
    std::string all = "TensorType({" + names[0];
    for (size_t k = 1; k < names.size(); ++k) all += ", " + names[k];
    return all + "})";
}

inline void write_prototypes(FILE *out) {
    std::fprintf(out, "#ifndef OP_PROTO_H_\n#define OP_PROTO_H_\n#include \"graph/operator_reg.h\"\n\nnamespace ge {\n");
    const std::map<std::string, const char *> kinds{{"int64_t", "Int"}, {"double", "Float"}, {"bool", "Bool"}};
    for (const auto &[name, op] : operators()) {
        std::fprintf(out, "\nREG_OP(%s)\n", name.c_str());
        for (const auto &each : op->inputs) {
            const char *prefix = each.option == ops::OPTIONAL ? "OPTIONAL_" : each.option == ops::DYNAMIC ? "DYNAMIC_" : "";
            std::fprintf(out, "    .%sINPUT(%s, %s)\n", prefix, each.name.c_str(), types_of(each).c_str());
        }
        for (const auto &each : op->outputs) {
            const char *prefix = each.option == ops::DYNAMIC ? "DYNAMIC_" : "";
            std::fprintf(out, "    .%sOUTPUT(%s, %s)\n", prefix, each.name.c_str(), types_of(each).c_str());
        }
        for (const auto &each : op->attributes) {
            const auto kind = kinds.find(each.type);
            const char *type = kind == kinds.end() ? each.type.c_str() : kind->second;
            if (each.option == ops::REQUIRED)
                std::fprintf(out, "    .REQUIRED_ATTR(%s, %s)\n", each.name.c_str(), type);
            else
                std::fprintf(out, "    .ATTR(%s, %s, %s)\n", each.name.c_str(), type, each.value.c_str());
        }
        std::fprintf(out, "    .OP_END_FACTORY_REG(%s);\n", name.c_str());
    }
    std::fprintf(out, "\n}  // namespace ge\n\n#endif\n");
}

}  // namespace emulated
