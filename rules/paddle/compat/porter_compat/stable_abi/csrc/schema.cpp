// Reads schemas: "ns::name.overload(Tensor(a!) x, int[2]? y=None, *, str z) -> (Tensor, int)".
#include "values.h"

#include <cctype>

namespace shim {

namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  bool done() {
    spaces();
    return at_ == text_.size();
  }

  bool accept(const std::string& sign) {
    spaces();
    if (text_.compare(at_, sign.size(), sign)) return false;
    at_ += sign.size();
    return true;
  }

  void expect(const std::string& sign) {
    if (!accept(sign)) refuse("'" + sign + "' was expected");
  }

  // Letters, digits, and the signs of `more`; empty if there is none.
  std::string word(const std::string& more = "_") {
    spaces();
    const size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
            more.find(text_[at_]) != std::string::npos)) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  Type type() {
    Type made;
    made.name = word("_.");
    if (made.name.empty()) refuse("a type was expected");
    alias();
    while (true) {
      if (accept("[")) {
        const std::string count = word("");
        expect("]");
        made = {Type::LIST, "", std::make_shared<Type>(made), count.empty() ? 0 : std::stoll(count)};
        alias();
      } else if (accept("?")) {
        made = {Type::OPTIONAL, "", std::make_shared<Type>(made), 0};
      } else {
        return made;
      }
    }
  }

  // What stands up to the next comma or bracket that closes the parameters.
  std::string value() {
    spaces();
    const size_t start = at_;
    int depth = 0;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char sign = text_[at_];
      if (quote) {
        quote = sign == quote ? 0 : quote;
      } else if (sign == '"' || sign == '\'') {
        quote = sign;
      } else if (sign == '(' || sign == '[') {
        ++depth;
      } else if ((sign == ')' || sign == ']') && depth) {
        --depth;
      } else if (!depth && (sign == ',' || sign == ')')) {
        break;
      }
    }
    return text_.substr(start, at_ - start);
  }

  [[noreturn]] void refuse(const std::string& why) {
    fail("expected a schema, but " + why + " at " + std::to_string(at_) + " of: " + text_);
  }

 private:
  void spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  // "(a!)", "(a -> *)": which memory is shared is of no use here.
  void alias() {
    if (at_ < text_.size() && text_[at_] == '(') at_ = text_.find(')', at_) + 1;
    if (at_ == 0) refuse("a bracket is not closed");
  }

  const std::string& text_;
  size_t at_ = 0;
};

Parameter parameter(Reader& reader, bool by_name) {
  Parameter made;
  made.type = reader.type();
  made.name = reader.word();
  if (made.name.empty()) reader.refuse("a parameter has no name");
  made.by_name = by_name;
  made.has_default = reader.accept("=");
  if (made.has_default) made.default_value = reader.value();
  return made;
}

std::vector<Parameter> parameters(Reader& reader) {
  std::vector<Parameter> found;
  bool by_name = false;
  reader.expect("(");
  if (reader.accept(")")) return found;
  do {
    if (reader.accept("*")) {
      by_name = true;
    } else {
      found.push_back(parameter(reader, by_name));
    }
  } while (reader.accept(","));
  reader.expect(")");
  return found;
}

void returns(Reader& reader, Schema& schema) {
  schema.single = !reader.accept("(");
  if (!schema.single && reader.accept(")")) return;
  do {
    schema.returns.push_back(reader.type());
    reader.word();  // a result may have a name
  } while (!schema.single && reader.accept(","));
  if (!schema.single) reader.expect(")");
}

}  // namespace

std::string Type::text() const {
  if (kind == BASE) return name;
  const std::string size = count ? std::to_string(count) : "";
  return inner->text() + (kind == OPTIONAL ? "?" : "[" + size + "]");
}

Schema parsed(const std::string& text, const std::string& space) {
  Reader reader(text);
  Schema made;
  made.name = reader.word("_:.");
  const auto colons = made.name.find("::");
  made.space = space;
  if (colons != std::string::npos) {
    if (made.name.substr(0, colons) != space) {
      fail("the namespace of " + made.name + " is not that of the library, " + space);
    }
    made.name = made.name.substr(colons + 2);
  }
  if (const auto dot = made.name.find('.'); dot != std::string::npos) {
    made.overload = made.name.substr(dot + 1);
    made.name = made.name.substr(0, dot);
  }
  if (made.name.empty()) reader.refuse("an operator has no name");
  made.parameters = parameters(reader);
  reader.expect("->");
  returns(reader, made);
  if (!reader.done()) reader.refuse("it goes on");
  const auto bracket = text.find('(');
  made.text = made.full_name() + text.substr(bracket);
  return made;
}

}  // namespace shim
