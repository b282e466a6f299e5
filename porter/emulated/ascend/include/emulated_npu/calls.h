// A call of an aclnn function: from the tensors' descriptions by the tiling function to a launch.
#pragma once
#include <algorithm>
#include <cstdlib>

#include "operators.h"

extern "C" {
int aclrtMalloc(void **, size_t, int);
int emulated_ascend_release(void *);
int aclrtLaunchHostFunc(void *stream, void (*call)(void *), void *data);
void emulated_ascend_refuse(const char *why);
}

namespace emulated {

using Launcher = void (*)(uint32_t blocks, void *stream, uint64_t key, uint8_t **tensors, uint8_t *workspace, uint8_t *tiling);

class Call {
  public:
    Call(const char *name, std::initializer_list<const aclTensor *> inputs, std::initializer_list<const aclTensor *> outputs)
        : name_(name) {
        context_.name = name;
        for (const aclTensor *each : inputs) add(each, context_.inputs);
        for (const aclTensor *each : outputs) add(each, context_.outputs);
    }
    template <class T> void attribute(T value) {
        if constexpr (std::is_same_v<T, double>) {  // a float for the tiling function
            attribute(static_cast<float>(value));
        } else {
            const auto *bytes = reinterpret_cast<const char *>(&value);
            context_.attributes.values.emplace_back(bytes, bytes + sizeof value);
        }
    }
    int plan(const std::vector<std::vector<int>> &types, const std::vector<Launcher> &launchers, uint64_t *size,
             aclOpExecutor **executor) {
        const auto form = std::find(types.begin(), types.end(), types_);
        size_t chosen = form - types.begin();
        if (form == types.end()) {
            chosen = types.size();
            for (size_t k = 0; k < types.size() && chosen == types.size(); ++k)
                if (fits(types[k])) chosen = k;
            if (chosen == types.size()) return refuse("is not defined for these types of tensors");
        }
        if (!strided_.empty()) return refuse(strided_);
        const auto found = operators().find(name_);
        if (found == operators().end() || !found->second->core.tiling) return refuse("has no tiling function");
        if (found->second->core.tiling(&context_) != ge::GRAPH_SUCCESS) return refuse("was refused by its tiling function");
        uint64_t workspace = 0;
        for (const size_t each : context_.workspaces) workspace += each;
        *size = workspace;
        const auto told = context_.data.bytes.begin();
        const std::vector<char> tiling(told, told + context_.data.size);
        *executor = new aclOpExecutor{[launch = launchers[chosen], tensors = tensors_, tiling, blocks = context_.blocks,
                                       key = context_.key](void *memory, uint64_t, void *stream) mutable {
            void *data = nullptr;
            if (const int error = aclrtMalloc(&data, tiling.size() + 1, 0)) return error;
            std::memcpy(data, tiling.data(), tiling.size());
            launch(blocks, stream, key, tensors.data(), static_cast<uint8_t *>(memory), static_cast<uint8_t *>(data));
            return aclrtLaunchHostFunc(stream, [](void *p) { emulated_ascend_release(p); }, data);
        }};
        return 0;
    }

  private:
    int refuse(const std::string &why) const {
        emulated_ascend_refuse(("aclnn" + name_ + " " + why).c_str());
        return 161002;  // of parameters, by the public table
    }
    bool fits(const std::vector<int> &row) const {
        for (size_t k = 0; k < row.size(); ++k)
            if (row[k] >= 0 && types_[k] >= 0 && row[k] != types_[k]) return false;
        return true;
    }
    void add(const aclTensor *tensor, std::vector<gert::Tensor> &to) {
        gert::Tensor made;
        tensors_.push_back(nullptr);
        types_.push_back(tensor ? tensor->type : -1);
        if (tensor) {
            made.shape.shape = gert::Shape(tensor->sizes);
            made.description.type = static_cast<ge::DataType>(tensor->type);
            const int64_t bytes = ge::GetSizeByDataType(made.description.type);
            tensors_.back() = static_cast<uint8_t *>(tensor->data) + tensor->offset * bytes;
            int64_t step = 1;
            for (size_t k = tensor->sizes.size(); k-- > 0; step *= tensor->sizes[k])
                if (tensor->sizes[k] != 1 && tensor->strides[k] != step) strided_ = "is given a tensor that is not contiguous";
        }
        to.push_back(made);
    }
    std::string name_, strided_;
    gert::TilingContext context_;
    std::vector<uint8_t *> tensors_;
    std::vector<int> types_;
};

inline int run(aclOpExecutor *executor, void *workspace, uint64_t size, void *stream) {
    const int error = executor->run(workspace, size, stream);
    delete executor;
    return error;
}

}  // namespace emulated
