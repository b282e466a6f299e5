// Schemas of operators: "name.overload(Tensor x, int[2] size=1, *, float? eps=None) -> Tensor".
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace torch::compat_detail {

struct Parameter {
  std::string type, name;
  std::optional<IValue> value;
  bool keyword_only;
};

struct Schema {
  std::vector<Parameter> parameters;
  std::vector<std::string> results;
};

inline std::string stripped(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// What stands between the separators that are in no brackets or quotes.
inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> found(1);
  int depth = 0;
  char quote = 0;
  for (char c : text) {
    if (quote) {
      quote = c == quote ? 0 : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else {
      depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    }
    if (c == separator && depth == 0 && !quote) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return stripped(text).empty() ? std::vector<std::string>() : found;
}

// A type without what it says of aliases: Tensor(a!) is a Tensor.
inline std::string without_aliases(std::string type) {
  for (size_t at = 0; (at = type.find('(', at)) != std::string::npos;) {
    const auto end = type.find(')', at);
    const auto inside = type.substr(at + 1, end - at - 1);
    const bool alias = inside.size() <= 2 || inside.find("->") != std::string::npos;
    if (alias && at > 0 && end != std::string::npos) {
      type.erase(at, end - at + 1);
    } else {
      ++at;
    }
  }
  return stripped(type);
}

inline IValue literal(const std::string& text, const std::string& type) {
  if (text == "None") return IValue();
  if (text == "True" || text == "False") return IValue(text == "True");
  if (text[0] == '"' || text[0] == '\'') return IValue(text.substr(1, text.size() - 2));
  if (text[0] == '[') {
    std::vector<IValue> list;
    for (const auto& item : split(text.substr(1, text.size() - 2), ',')) {
      list.push_back(literal(stripped(item), type));
    }
    return IValue(list);
  }
  size_t used = 0;
  try {
    const double number = std::stod(text, &used);
    const bool integral = text.find_first_of(".eEni") == std::string::npos;
    if (used == text.size()) {
      return integral && type.find("float") != 0 ? IValue(static_cast<int64_t>(std::stoll(text)))
                                                 : IValue(number);
    }
  } catch (const std::invalid_argument&) {
  }
  if (type.find("int") == 0 || type.find("MemoryFormat") == 0) return IValue(0);
  return IValue(text);  // a name, of a dtype for example
}

// The number in a type like int[2], which one int is enough for; 0 for others.
inline size_t repeated(const std::string& type) {
  const auto open = type.rfind('[');
  if (open == std::string::npos || open + 1 >= type.size() || type[open + 1] == ']') return 0;
  return std::stoul(type.substr(open + 1));
}

inline Schema parsed(const std::string& text) {
  Schema schema;
  const auto open = text.find('(');
  size_t close = open;
  for (int depth = 0; close < text.size(); ++close) {
    depth += (text[close] == '(') - (text[close] == ')');
    if (depth == 0) break;
  }
  bool keyword_only = false;
  for (const auto& item : split(text.substr(open + 1, close - open - 1), ',')) {
    auto declared = stripped(item);
    if (declared == "*") {
      keyword_only = true;
      continue;
    }
    const auto sides = split(declared, '=');
    declared = stripped(sides[0]);
    const auto space = declared.find_last_of(" ");
    Parameter parameter{without_aliases(declared.substr(0, space)), declared.substr(space + 1),
                        std::nullopt, keyword_only};
    if (sides.size() > 1) {
      parameter.value = literal(stripped(sides[1]), parameter.type);
      const size_t count = repeated(parameter.type);
      if (count && !parameter.value->is_list() && !parameter.value->is_none()) {
        parameter.value = IValue(std::vector<IValue>(count, *parameter.value));
      }
    }
    schema.parameters.push_back(parameter);
  }
  const auto arrow = text.find("->", close);
  auto results = arrow == std::string::npos ? "" : stripped(text.substr(arrow + 2));
  if (!results.empty() && results[0] == '(') results = results.substr(1, results.size() - 2);
  for (const auto& result : split(results, ',')) {
    schema.results.push_back(without_aliases(stripped(result)));
  }
  return schema;
}

}  // namespace torch::compat_detail
