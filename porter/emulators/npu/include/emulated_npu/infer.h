// What a package says of its outputs when a graph is built: asked for by who runs the graph, in words.
#pragma once
#include "operators.h"

// `given`: the number of inputs, and of each its type (-1: left out), rank and sizes; the number of
// attributes, and of each its kind (0 an integer, 1 a float by the bits of a double, 2 a boolean) and
// value. `out`: the number of outputs, and of each its type, rank and sizes. What is wrong, or null.
extern "C" __attribute__((visibility("default"))) const char *emulated_infer(const char *name, const int64_t *given,
                                                                             int64_t *out, int64_t room) {
    static thread_local std::string said;
    const auto refuse = [&](const char *why) { return said = std::string(name) + why, said.c_str(); };
    const auto found = emulated::operators().find(name);
    if (found == emulated::operators().end()) return refuse(" is not defined in its package");
    const ops::OpDef &op = *found->second;
    if (!op.infer_shape) return refuse(" has no InferShape: a graph with it cannot be built");
    if (!op.infer_type) return refuse(" has no InferDataType: a graph with it cannot be built");
    gert::InferShapeContext shapes;
    gert::InferDataTypeContext types;
    for (int64_t left = *given++; left > 0; --left) {
        types.inputs.push_back(static_cast<ge::DataType>(given[0] < 0 ? ge::DT_UNDEFINED : given[0]));
        shapes.inputs.emplace_back(std::vector<int64_t>(given + 2, given + 2 + given[1]));
        given += 2 + given[1];
    }
    for (int64_t left = *given++; left > 0; --left, given += 2) {
        std::vector<char> value(given[0] == 0 ? 8 : given[0] == 1 ? 4 : 1);
        double number;
        std::memcpy(&number, &given[1], sizeof number);
        const float single = static_cast<float>(number);
        const bool truth = given[1] != 0;
        std::memcpy(value.data(), given[0] == 0 ? static_cast<const void *>(&given[1]) : given[0] == 1 ? static_cast<const void *>(&single) : &truth,
                    value.size());
        shapes.attributes.values.push_back(value);
    }
    types.attributes = shapes.attributes;
    shapes.outputs.resize(op.outputs.size());
    types.outputs.assign(op.outputs.size(), ge::DT_UNDEFINED);
    if (op.infer_shape(&shapes) != ge::GRAPH_SUCCESS) return refuse(": InferShape fails");
    if (op.infer_type(&types) != ge::GRAPH_SUCCESS) return refuse(": InferDataType fails");
    int64_t at = 0;
    out[at++] = static_cast<int64_t>(op.outputs.size());
    for (size_t k = 0; k < op.outputs.size(); ++k) {
        const gert::Shape &shape = shapes.outputs[k];
        if (at + 2 + static_cast<int64_t>(shape.GetDimNum()) > room) return refuse(": more sizes than there is room for");
        out[at++] = types.outputs[k];
        out[at++] = static_cast<int64_t>(shape.GetDimNum());
        for (size_t d = 0; d < shape.GetDimNum(); ++d) out[at++] = shape.GetDim(d);
    }
    return nullptr;
}
