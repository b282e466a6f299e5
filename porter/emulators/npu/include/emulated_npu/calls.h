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

// A tensor that is copied to be contiguous, in the stream, before the kernel.
struct Strided {
    const uint8_t *from = nullptr;
    int64_t bytes = 0;
    std::vector<int64_t> sizes, strides;

    int queue(uint8_t *&to, void *stream) const {
        int64_t count = 1;
        for (const int64_t each : sizes) count *= each;
        void *made = nullptr;
        if (const int error = aclrtMalloc(&made, count * bytes + 1, 0)) return error;
        to = static_cast<uint8_t *>(made);
        auto *work = new std::function<void()>([self = *this, to, count] {
            for (int64_t k = 0; k < count; ++k) {
                int64_t left = k, at = 0;
                for (size_t d = self.sizes.size(); d-- > 0; left /= self.sizes[d]) at += left % self.sizes[d] * self.strides[d];
                std::memcpy(to + k * self.bytes, self.from + at * self.bytes, self.bytes);
            }
        });
        return aclrtLaunchHostFunc(
            stream,
            [](void *p) {
                const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()> *>(p));
                (*owned)();
            },
            work);
    }
};

class Call {
  public:
    Call(const char *name, std::initializer_list<const aclTensor *> inputs, std::initializer_list<const aclTensor *> outputs)
        : name_(name) {
        context_.name = name;
        const auto found = operators().find(name_);
        const ops::OpDef *known = found == operators().end() ? nullptr : found->second.get();
        for (const aclTensor *each : inputs) {
            if (known) look(each, known->inputs.at(context_.places.size()));
            context_.places.push_back(each ? static_cast<int>(context_.inputs.size()) : -1);
            place(each, context_.inputs);
        }
        for (size_t k = 0; k < outputs.size(); ++k) {
            if (known) look(outputs.begin()[k], known->outputs.at(k));
            place(outputs.begin()[k], context_.outputs);
        }
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
        if (!missing_.empty()) return refuse("is given no tensor for " + missing_);
        const auto form = std::find(types.begin(), types.end(), types_);
        size_t chosen = form - types.begin();
        if (form == types.end()) {
            chosen = types.size();
            for (size_t k = 0; k < types.size() && chosen == types.size(); ++k)
                if (fits(types[k])) chosen = k;
            if (chosen == types.size()) return refuse("is not defined for these types of tensors");
        }
        const auto found = operators().find(name_);
        for (const auto &[k, copy] : strided_)
            if (found == operators().end() || k >= found->second->inputs.size() || !found->second->inputs[k].contiguous)
                return refuse("is given a tensor that is not contiguous");
        if (found == operators().end() || !has_tiling(*found->second)) return refuse("has no tiling function");
        if (tile(*found->second, context_) != ge::GRAPH_SUCCESS) return refuse("was refused by its tiling function");
        uint64_t workspace = 0;
        for (const size_t each : context_.workspaces) workspace += each;
        *size = workspace;
        const auto told = context_.data.bytes.begin();
        const std::vector<char> tiling(told, told + context_.data.size);
        *executor = new aclOpExecutor{[launch = launchers[chosen], tensors = tensors_, strided = strided_, tiling, blocks = context_.blocks,
                                       key = context_.key](void *memory, uint64_t, void *stream) mutable {
            void *data = nullptr;
            if (const int error = aclrtMalloc(&data, tiling.size() + 1, 0)) return error;
            std::memcpy(data, tiling.data(), tiling.size());
            for (const auto &[k, copy] : strided)
                if (const int error = copy.queue(tensors[k], stream)) return error;
            launch(blocks, stream, key, tensors.data(), static_cast<uint8_t *>(memory), static_cast<uint8_t *>(data));
            for (const auto &[k, copy] : strided) aclrtLaunchHostFunc(stream, [](void *p) { emulated_ascend_release(p); }, tensors[k]);
            return aclrtLaunchHostFunc(stream, [](void *p) { emulated_ascend_release(p); }, data);
        }};
        return 0;
    }

  private:
    std::string missing_;  // the first tensor that is needed and not given

    void look(const aclTensor *tensor, const ops::ParamDef &parameter) {
        if (!tensor && missing_.empty() && parameter.option == ops::REQUIRED) missing_ = parameter.name;
    }
    // A tensor that is left out has a null address, and is none of those that the context lists.
    void place(const aclTensor *tensor, std::vector<gert::Tensor> &to) {
        if (tensor) return add(tensor, to);
        tensors_.push_back(nullptr);
        types_.push_back(-1);
    }
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
            const bool empty = std::count(tensor->sizes.begin(), tensor->sizes.end(), 0) > 0;  // strides mean nothing
            for (size_t k = tensor->sizes.size(); !empty && k-- > 0; step *= tensor->sizes[k])
                if (tensor->sizes[k] != 1 && tensor->strides[k] != step)
                    strided_[tensors_.size() - 1] = {tensors_.back(), bytes, tensor->sizes, tensor->strides};
        }
        to.push_back(made);
    }
    std::string name_;
    std::map<size_t, Strided> strided_;  // by their places among the parameters
    gert::TilingContext context_;
    std::vector<uint8_t *> tensors_;
    std::vector<int> types_;
};

inline int run(aclOpExecutor *executor, void *workspace, uint64_t size, void *stream) {
    if (!executor) {  // of a call that was refused: not all callers look at what the first function gives
        emulated_ascend_refuse("an aclnn function is called without an executor: its GetWorkspaceSize failed");
        return 161001;  // a null pointer, by the public table
    }
    const int error = executor->run(workspace, size, stream);
    delete executor;
    return error;
}

}  // namespace emulated
