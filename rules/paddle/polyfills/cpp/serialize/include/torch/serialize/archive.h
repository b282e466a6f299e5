#pragma once

#include <c10/core/Device.h>
#include <porter_compat/archive.h>

#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace torch::serialize {

// Values by name, to be saved.
class OutputArchive {
 public:
  void write(const std::string& key, const IValue& value) { values_[key] = value; }
  void write(const std::string& key, const at::Tensor& tensor, bool = false) {
    values_[key] = IValue(tensor);
  }
  // The values of another archive, below a name.
  void write(const std::string& key, const OutputArchive& inner) {
    for (const auto& [name, value] : inner.values_) values_[key + "." + name] = value;
  }
  void save_to(std::ostream& stream) {
    compat_detail::put<int64_t>(stream, values_.size());
    for (const auto& [key, value] : values_) {
      compat_detail::put_text(stream, key);
      compat_detail::put_value(stream, value);
    }
  }
  void save_to(const std::string& path) {
    std::ofstream stream(path, std::ios::binary);
    save_to(stream);
  }

 private:
  std::map<std::string, IValue> values_;
};

// What an OutputArchive saved, under Paddle too.
class InputArchive {
 public:
  void load_from(std::istream& stream, std::optional<c10::Device> = std::nullopt) {
    values_.clear();
    for (auto count = compat_detail::take<int64_t>(stream); count > 0; --count) {
      const auto key = compat_detail::take_text(stream);
      values_[key] = compat_detail::take_value(stream);
    }
  }
  void load_from(const std::string& path, std::optional<c10::Device> = std::nullopt) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot open " + path);
    load_from(stream);
  }
  bool try_read(const std::string& key, IValue& value) {
    const auto found = values_.find(key);
    if (found == values_.end()) return false;
    value = found->second;
    return true;
  }
  void read(const std::string& key, IValue& value) {
    if (!try_read(key, value)) throw std::runtime_error("No such serialized value '" + key + "'");
  }
  void read(const std::string& key, at::Tensor& tensor, bool = false) {
    IValue value;
    read(key, value);
    tensor = value.to_tensor();
  }
  // What is below a name; an archive without values is not told from none.
  void read(const std::string& key, InputArchive& inner) {
    const auto start = key + ".";
    inner.values_.clear();
    for (const auto& [name, value] : values_) {
      if (name.rfind(start, 0) == 0) inner.values_[name.substr(start.size())] = value;
    }
  }
  std::vector<std::string> keys() {
    std::vector<std::string> found;
    for (const auto& item : values_) found.push_back(item.first);
    return found;
  }

 private:
  std::map<std::string, IValue> values_;
};

}  // namespace torch::serialize
