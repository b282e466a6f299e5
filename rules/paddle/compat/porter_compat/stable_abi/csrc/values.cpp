// Values that libraries hand over: strings, lists, what is behind a pointer.
#include "values.h"

#include <cstring>

namespace shim {

namespace {

using List = std::vector<StableValue>;

template <typename T>
T read(StableValue value) {
  T found;
  std::memcpy(static_cast<void*>(&found), &value, sizeof(T));
  return found;
}

template <typename T>
StableValue written(const T& value) {
  StableValue made = 0;
  std::memcpy(&made, static_cast<const void*>(&value), sizeof(T));
  return made;
}

bool is_code(const std::string& name) {
  return name == "ScalarType" || name == "Layout" || name == "MemoryFormat";
}

bool is_integer(const std::string& name) { return name == "int" || name == "SymInt"; }

[[noreturn]] void refuse(const Type& type) {
  throw NotImplemented("torch's stable ABI has no value of the type " + type.text());
}

}  // namespace

Sizes Value::ints() const {
  Sizes found;
  for (const Value& each : as<std::vector<Value>>()) found.push_back(each.as<int64_t>());
  return found;
}

Value taken(StableValue value, const Type& type) {
  if (type.kind == Type::OPTIONAL) {
    std::unique_ptr<StableValue> inner(read<StableValue*>(value));
    return inner ? taken(*inner, *type.inner) : Value();
  }
  if (type.kind == Type::LIST) {
    std::unique_ptr<List> items(read<List*>(value));
    std::vector<Value> found;
    for (StableValue each : *items) found.push_back(taken(each, *type.inner));
    return {found};
  }
  if (type.name == "Tensor") {
    std::unique_ptr<Tensor> tensor(read<Handle>(value));
    return tensor ? Value{*tensor} : Value{Tensor()};
  }
  if (type.name == "str") {
    std::unique_ptr<std::string> text(read<std::string*>(value));
    return {*text};
  }
  if (is_integer(type.name)) return {read<int64_t>(value)};
  if (type.name == "float") return {read<double>(value)};
  if (type.name == "bool" || type.name == "SymBool") return {read<bool>(value)};
  if (is_code(type.name)) return {Code{read<int32_t>(value)}};
  if (type.name == "Device") {
    return {Device{static_cast<int32_t>(value >> 32), static_cast<int32_t>(value & 0xffffffff)}};
  }
  refuse(type);
}

StableValue given(const Value& value, const Type& type) {
  if (type.kind == Type::OPTIONAL) {
    StableValue* inner = value.none() ? nullptr : new StableValue(given(value, *type.inner));
    return written(inner);
  }
  if (type.kind == Type::LIST) {
    auto items = std::make_unique<List>();
    for (const Value& each : value.as<std::vector<Value>>()) {
      items->push_back(given(each, *type.inner));
    }
    return written(items.release());
  }
  if (type.name == "Tensor") {
    return written(new Tensor(value.none() ? Tensor() : value.as<Tensor>()));
  }
  if (type.name == "str") return written(new std::string(value.as<std::string>()));
  if (is_integer(type.name)) return written(value.as<int64_t>());
  if (type.name == "float") return written(value.as<double>());
  if (type.name == "bool" || type.name == "SymBool") return written(value.as<bool>());
  if (is_code(type.name)) return written(value.as<Code>().number);
  if (type.name == "Device") {
    const auto device = value.as<Device>();
    return static_cast<uint64_t>(static_cast<uint32_t>(device.type)) << 32 |
           static_cast<uint32_t>(device.index);
  }
  refuse(type);
}

}  // namespace shim

using shim::guarded;
using List = std::vector<StableValue>;

EXPORT Error torch_new_list_reserve_size(size_t size, List** made) {
  return guarded([&] {
    auto list = std::make_unique<List>();
    list->reserve(size);
    *made = list.release();
  });
}

EXPORT Error torch_list_size(List* list, size_t* size) {
  return guarded([&] { *size = list->size(); });
}

EXPORT Error torch_list_get_item(List* list, size_t index, StableValue* found) {
  return guarded([&] { *found = list->at(index); });
}

EXPORT Error torch_list_set_item(List* list, size_t index, StableValue value) {
  return guarded([&] { list->at(index) = value; });
}

EXPORT Error torch_list_push_back(List* list, StableValue value) {
  return guarded([&] { list->push_back(value); });
}

EXPORT Error torch_delete_list(List* list) {
  return guarded([&] { delete list; });
}

EXPORT Error torch_new_string_handle(const char* data, size_t length, std::string** made) {
  return guarded([&] { *made = new std::string(data, length); });
}

EXPORT Error torch_delete_string(std::string* text) {
  return guarded([&] { delete text; });
}

EXPORT Error torch_string_length(std::string* text, size_t* length) {
  return guarded([&] { *length = text->length(); });
}

EXPORT Error torch_string_c_str(std::string* text, const char** data) {
  return guarded([&] { *data = text->c_str(); });
}

EXPORT Error torch_new_stable_ivalue(StableValue** made) {
  return guarded([&] { *made = new StableValue(0); });
}

EXPORT Error torch_delete_stable_ivalue(StableValue* value) {
  return guarded([&] {
    if (!value) shim::fail("there is no value to delete");
    delete value;
  });
}
