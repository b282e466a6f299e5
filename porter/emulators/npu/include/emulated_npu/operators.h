// The host side of a custom operator package: its definition and its tiling function, as the public
// documentation describes them, and what calls them when an aclnn function is called.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../aclnn/emulated_meta.h"
#include "platform.h"

namespace ge {

// By the numbers of the public table of data types.
enum DataType {
    DT_FLOAT = 0, DT_FLOAT16 = 1, DT_INT8 = 2, DT_INT32 = 3, DT_UINT8 = 4, DT_INT16 = 6, DT_UINT16 = 7, DT_UINT32 = 8,
    DT_INT64 = 9, DT_UINT64 = 10, DT_DOUBLE = 11, DT_BOOL = 12, DT_BF16 = 27, DT_UNDEFINED = 28,
};
enum Format { FORMAT_NCHW = 0, FORMAT_NHWC = 1, FORMAT_ND = 2 };
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0, GRAPH_FAILED = 0xffffffff;

inline int GetSizeByDataType(DataType type) {
    switch (type) {
        case DT_INT8: case DT_UINT8: case DT_BOOL: return 1;
        case DT_FLOAT16: case DT_BF16: case DT_INT16: case DT_UINT16: return 2;
        case DT_INT64: case DT_UINT64: case DT_DOUBLE: return 8;
        default: return 4;
    }
}

}  // namespace ge

namespace gert {

class Shape {
  public:
    Shape() = default;
    Shape(std::initializer_list<int64_t> sizes) : sizes(sizes) {}
    explicit Shape(std::vector<int64_t> sizes) : sizes(std::move(sizes)) {}
    size_t GetDimNum() const { return sizes.size(); }
    void SetDimNum(size_t count) { sizes.resize(count); }
    int64_t GetDim(size_t k) const { return k < sizes.size() ? sizes[k] : 0; }
    void SetDim(size_t k, int64_t size) { sizes.at(k) = size; }
    void AppendDim(int64_t size) { sizes.push_back(size); }
    int64_t GetShapeSize() const {
        int64_t all = 1;
        for (const int64_t each : sizes) all *= each;
        return all;
    }
    int64_t operator[](size_t k) const { return sizes.at(k); }
    bool operator==(const Shape &) const = default;

  private:
    std::vector<int64_t> sizes;
};
struct StorageShape {
    Shape shape;
    const Shape &GetStorageShape() const { return shape; }
    const Shape &GetOriginShape() const { return shape; }
};
struct CompileTimeTensorDesc {
    ge::DataType type = ge::DT_UNDEFINED;
    ge::DataType GetDataType() const { return type; }
    ge::Format GetStorageFormat() const { return ge::FORMAT_ND; }
    ge::Format GetOriginFormat() const { return ge::FORMAT_ND; }
};
struct Tensor {
    StorageShape shape;
    CompileTimeTensorDesc description;
    int64_t GetShapeSize() const { return shape.shape.GetShapeSize(); }
    ge::DataType GetDataType() const { return description.type; }
    const Shape &GetStorageShape() const { return shape.shape; }
    const Shape &GetOriginShape() const { return shape.shape; }
};
class RuntimeAttrs {
  public:
    std::vector<std::vector<char>> values;
    template <class T> const T *GetAttrPointer(size_t k) const {
        return k < values.size() ? reinterpret_cast<const T *>(values[k].data()) : nullptr;
    }
    const int64_t *GetInt(size_t k) const { return GetAttrPointer<int64_t>(k); }
    const float *GetFloat(size_t k) const { return GetAttrPointer<float>(k); }
    const bool *GetBool(size_t k) const { return GetAttrPointer<bool>(k); }
};
class TilingData {
  public:
    std::vector<char> bytes = std::vector<char>(64 << 10);
    size_t size = 0;
    void *GetData() { return bytes.data(); }
    size_t GetCapacity() const { return bytes.size(); }
    size_t GetDataSize() const { return size; }
    void SetDataSize(size_t told) { size = told; }
};
// What a tiling function wants to know of the chip, once.
class TilingParseContext {
  public:
    std::shared_ptr<void> information;
    fe::PlatFormInfos platform;
    std::string name;
    template <class T> T *GetCompiledInfo() { return static_cast<T *>(information.get()); }
    fe::PlatFormInfos *GetPlatformInfo() { return &platform; }
    const char *GetNodeName() const { return name.c_str(); }
    const char *GetNodeType() const { return name.c_str(); }
};
class TilingContext {
  public:
    std::shared_ptr<void> information;
    const void *GetCompileInfo() const { return information.get(); }
    std::vector<Tensor> inputs, outputs;  // those given
    std::vector<int> places;              // of each input of the definition among them; -1: left out
    RuntimeAttrs attributes;
    TilingData data;
    std::vector<size_t> workspaces;
    uint32_t blocks = 1;
    uint64_t key = 0;
    fe::PlatFormInfos platform;
    std::string name;

    const StorageShape *GetInputShape(size_t k) const { return k < inputs.size() ? &inputs[k].shape : nullptr; }
    // By the definition's numbers, which those above are only as long as no optional input is left out.
    const StorageShape *GetOptionalInputShape(size_t k) const { return GetInputShape(place(k)); }
    const StorageShape *GetRequiredInputShape(size_t k) const { return GetInputShape(place(k)); }
    const Tensor *GetOptionalInputTensor(size_t k) const { return GetInputTensor(place(k)); }
    const Tensor *GetRequiredInputTensor(size_t k) const { return GetInputTensor(place(k)); }
    const CompileTimeTensorDesc *GetOptionalInputDesc(size_t k) const { return GetInputDesc(place(k)); }
    const CompileTimeTensorDesc *GetRequiredInputDesc(size_t k) const { return GetInputDesc(place(k)); }
    size_t place(size_t k) const { return k < places.size() && places[k] >= 0 ? places[k] : ~size_t(0); }
    const StorageShape *GetOutputShape(size_t k) const { return k < outputs.size() ? &outputs[k].shape : nullptr; }
    const Tensor *GetInputTensor(size_t k) const { return k < inputs.size() ? &inputs[k] : nullptr; }
    const CompileTimeTensorDesc *GetInputDesc(size_t k) const { return k < inputs.size() ? &inputs[k].description : nullptr; }
    const CompileTimeTensorDesc *GetOutputDesc(size_t k) const { return k < outputs.size() ? &outputs[k].description : nullptr; }
    const RuntimeAttrs *GetAttrs() const { return &attributes; }
    TilingData *GetRawTilingData() { return &data; }
    template <class T> T *GetTilingData() {
        data.SetDataSize(sizeof(T));
        return reinterpret_cast<T *>(data.GetData());
    }
    size_t *GetWorkspaceSizes(size_t count) {
        workspaces.resize(count);
        return workspaces.data();
    }
    ge::graphStatus SetBlockDim(uint32_t count) { return blocks = count, ge::GRAPH_SUCCESS; }
    ge::graphStatus SetTilingKey(uint64_t told) { return key = told, ge::GRAPH_SUCCESS; }
    uint64_t GetTilingKey() const { return key; }
    ge::graphStatus SetScheduleMode(uint32_t) { return ge::GRAPH_SUCCESS; }
    fe::PlatFormInfos *GetPlatformInfo() { return &platform; }
    const char *GetNodeName() const { return name.c_str(); }
    const char *GetNodeType() const { return name.c_str(); }
};
// A package is called with outputs that its caller made; graphs ask for their shapes and types.
class InferShapeContext {
  public:
    std::vector<Shape> inputs, outputs;
    RuntimeAttrs attributes;
    const RuntimeAttrs *GetAttrs() const { return &attributes; }
    const Shape *GetInputShape(size_t k) const { return k < inputs.size() ? &inputs[k] : nullptr; }
    Shape *GetOutputShape(size_t k) { return k < outputs.size() ? &outputs[k] : nullptr; }
    const char *GetNodeName() const { return ""; }
    const char *GetNodeType() const { return ""; }
};
class InferDataTypeContext {
  public:
    std::vector<ge::DataType> inputs, outputs;
    RuntimeAttrs attributes;
    const RuntimeAttrs *GetAttrs() const { return &attributes; }
    ge::DataType GetInputDataType(size_t k) const { return inputs.at(k); }
    ge::graphStatus SetOutputDataType(size_t k, ge::DataType type) { return outputs.at(k) = type, ge::GRAPH_SUCCESS; }
    const char *GetNodeName() const { return ""; }
    const char *GetNodeType() const { return ""; }
};

}  // namespace gert

namespace ops {

enum Option { IGNORE = 0, OPTIONAL, REQUIRED, DYNAMIC, VIRTUAL };

struct ParamDef {
    std::string name;
    Option option = REQUIRED;
    std::vector<ge::DataType> types;
    bool contiguous = false;  // made so before the kernel gets it
    ParamDef &ParamType(Option o) { return option = o, *this; }
    ParamDef &DataType(std::vector<ge::DataType> t) { return types = std::move(t), *this; }
    ParamDef &Format(std::vector<ge::Format>) { return *this; }
    ParamDef &FormatList(std::vector<ge::Format>) { return *this; }
    ParamDef &UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
    ParamDef &AutoContiguous() { return contiguous = true, *this; }
    ParamDef &IgnoreContiguous() { return *this; }
    ParamDef &ValueDepend(Option) { return *this; }
};
struct AttrDef {
    std::string name, type;
    Option option = REQUIRED;
    std::string value = "";  // the default, as C++ writes it
    AttrDef &AttrType(Option o) { return option = o, *this; }
    AttrDef &Int(int64_t v = 0) { return type = "int64_t", value = std::to_string(v), *this; }
    AttrDef &Float(float v = 0) { return type = "double", value = written(v), *this; }
    AttrDef &Bool(bool v = false) { return type = "bool", value = v ? "true" : "false", *this; }
    static std::string written(float v) {
        char text[32];
        return std::snprintf(text, sizeof text, "%.9g", v), text;
    }
};
struct OpAICoreConfig {
    OpAICoreConfig &DynamicCompileStaticFlag(bool) { return *this; }
    OpAICoreConfig &DynamicFormatFlag(bool) { return *this; }
    OpAICoreConfig &DynamicRankSupportFlag(bool) { return *this; }
    OpAICoreConfig &DynamicShapeSupportFlag(bool) { return *this; }
    OpAICoreConfig &NeedCheckSupportFlag(bool) { return *this; }
    OpAICoreConfig &PrecisionReduceFlag(bool) { return *this; }
    OpAICoreConfig &ExtendCfgInfo(const char *, const char *) { return *this; }
};
class OpAICoreDef {
  public:
    std::function<ge::graphStatus(gert::TilingContext *)> tiling;
    OpAICoreDef &SetTiling(ge::graphStatus (*f)(gert::TilingContext *)) { return tiling = f, *this; }
    OpAICoreDef &AddConfig(const char *) { return *this; }
    OpAICoreDef &AddConfig(const char *, OpAICoreConfig &) { return *this; }
};
class OpDef {
  public:
    explicit OpDef(const char *name) : name(name) {}
    ParamDef &Input(const char *each) { return inputs.emplace_back(ParamDef{each, REQUIRED, {}, false}); }
    ParamDef &Output(const char *each) { return outputs.emplace_back(ParamDef{each, REQUIRED, {}, false}); }
    AttrDef &Attr(const char *each) { return attributes.emplace_back(AttrDef{each, "", REQUIRED}); }
    OpDef &SetInferShape(ge::graphStatus (*f)(gert::InferShapeContext *)) { return infer_shape = f, *this; }
    OpDef &SetInferDataType(ge::graphStatus (*f)(gert::InferDataTypeContext *)) { return infer_type = f, *this; }
    OpAICoreDef &AICore() { return core; }

    std::string name;
    std::vector<ParamDef> inputs, outputs;
    std::vector<AttrDef> attributes;
    OpAICoreDef core;
    std::function<ge::graphStatus(gert::InferShapeContext *)> infer_shape;
    std::function<ge::graphStatus(gert::InferDataTypeContext *)> infer_type;
};

}  // namespace ops

namespace optiling {

// A structure of tiling data by its fields; what a kernel reads is a plain struct of the same.
struct Field {
    std::string type, name;
    size_t offset, size, count;
};
class TilingDef {
  public:
    TilingDef() = default;
    TilingDef(const TilingDef &) = delete;
    std::vector<Field> fields;
    std::vector<char> bytes;
    void SaveToBuffer(void *to, size_t room) const { std::memcpy(to, bytes.data(), std::min(room, bytes.size())); }
    size_t GetDataSize() const { return bytes.size(); }
    size_t place(const char *type, const char *name, size_t size, size_t count) {
        const size_t at = (bytes.size() + size - 1) / size * size;
        fields.push_back({type, name, at, size, count});
        bytes.resize(at + size * count);
        return at;
    }
    void finish() {  // as a struct ends: at a multiple of its widest field
        size_t widest = 1;
        for (const Field &each : fields) widest = std::max(widest, each.size);
        bytes.resize((bytes.size() + widest - 1) / widest * widest);
    }
};

}  // namespace optiling

namespace emulated {

inline std::map<std::string, std::unique_ptr<ops::OpDef>> &operators() {
    static std::map<std::string, std::unique_ptr<ops::OpDef>> all;
    return all;
}
struct TilingData {
    std::string type;
    std::vector<optiling::Field> fields;
};
inline std::map<std::string, TilingData> &tiling_data() {
    static std::map<std::string, TilingData> all;
    return all;
}

// What a file says of an operator apart from its definition.
struct Registered {
    std::function<ge::graphStatus(gert::TilingContext *)> tiling;
    std::function<std::shared_ptr<void>(const std::string &)> parse;
};
inline std::map<std::string, Registered> &registered() {
    static std::map<std::string, Registered> all;
    return all;
}
struct Registration {
    const char *name;
    Registration &Tiling(ge::graphStatus (*f)(gert::TilingContext *)) { return registered()[name].tiling = f, *this; }
    template <class T> Registration &TilingParse(ge::graphStatus (*f)(gert::TilingParseContext *)) {
        registered()[name].parse = [f](const std::string &of) -> std::shared_ptr<void> {
            gert::TilingParseContext context{std::make_shared<T>(), {}, of};
            return f(&context) == ge::GRAPH_SUCCESS ? context.information : nullptr;
        };
        return *this;
    }
    template <class F> Registration &InferShape(F) { return *this; }
    template <class F> Registration &InferDataType(F) { return *this; }
};

// The tiling function of a definition, or the one that is registered for it.
inline ge::graphStatus tile(const ops::OpDef &op, gert::TilingContext &context) {
    if (op.core.tiling) return op.core.tiling(&context);
    const Registered &own = registered()[op.name];
    if (own.parse) context.information = own.parse(op.name);
    return own.tiling(&context);
}
inline bool has_tiling(const ops::OpDef &op) { return op.core.tiling || registered()[op.name].tiling; }

// What a package says of itself, a line for each thing: for who writes its aclnn functions.
inline void describe_operators(FILE *out) {
    for (const auto &[name, op] : operators()) {
        std::fprintf(out, "operator %s\n", name.c_str());
        for (const auto &[kind, parameters] : {std::pair{"input", &op->inputs}, std::pair{"output", &op->outputs}})
            for (const auto &each : *parameters) {
                std::fprintf(out, "%s %s %d", kind, each.name.c_str(), each.option);
                for (const auto type : each.types) std::fprintf(out, " %d", type);
                std::fprintf(out, "\n");
            }
        for (const auto &each : op->attributes) std::fprintf(out, "attribute %s %s\n", each.name.c_str(), each.type.c_str());
        const auto &data = tiling_data()[name];
        if (!data.type.empty()) std::fprintf(out, "tiling %s\n", data.type.c_str());
        for (const auto &each : data.fields)
            std::fprintf(out, "field %s %s %zu\n", each.type.c_str(), each.name.c_str(), each.count);
    }
}

}  // namespace emulated

#define OP_ADD(type)                                                                       \
    [[maybe_unused]] static const bool emulated_added_##type = [] {                        \
        ::emulated::operators()[#type] = std::make_unique<type>(#type);                    \
        return true;                                                                       \
    }()

#define BEGIN_TILING_DATA_DEF(type)                          \
    class type : public ::optiling::TilingDef {              \
      public:                                                \
        struct EmulatedEnd {                                 \
            explicit EmulatedEnd(type *data) { data->finish(); } \
        };
#define TILING_DATA_FIELD_DEF(type, name)                                                        \
    size_t emulated_##name = place(#type, #name, sizeof(type), 1);                               \
    void set_##name(type value) { std::memcpy(bytes.data() + emulated_##name, &value, sizeof value); } \
    type get_##name() const {                                                                    \
        type value;                                                                              \
        std::memcpy(&value, bytes.data() + emulated_##name, sizeof value);                       \
        return value;                                                                            \
    }
#define TILING_DATA_FIELD_DEF_ARR(type, count, name)                                             \
    size_t emulated_##name = place(#type, #name, sizeof(type), count);                           \
    void set_##name(const type *values) { std::memcpy(bytes.data() + emulated_##name, values, sizeof(type) * (count)); } \
    type *get_##name() { return reinterpret_cast<type *>(bytes.data() + emulated_##name); }
#define END_TILING_DATA_DEF        \
    EmulatedEnd emulated_end{this}; \
    }
#define REGISTER_TILING_DATA_CLASS(op, type)                                        \
    [[maybe_unused]] static const bool emulated_tiling_##op##_##type = [] {         \
        ::emulated::tiling_data()[#op] = {#type, type().fields};                            \
        return true;                                                                \
    }();
// Inference of shapes that is registered so is for graphs, which take it from definitions here.
#define IMPL_OP(op) [[maybe_unused]] static const ::emulated::Registration emulated_registered_##op = ::emulated::Registration{#op}
#define IMPL_OP_OPTILING(op) \
    [[maybe_unused]] static const ::emulated::Registration emulated_optiling_##op = ::emulated::Registration{#op}
#define IMPL_OP_INFERSHAPE(op) \
    [[maybe_unused]] static const ::emulated::Registration emulated_infershape_##op = ::emulated::Registration{#op}
