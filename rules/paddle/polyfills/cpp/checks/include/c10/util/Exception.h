#pragma once
#include <c10/macros/Macros.h>
#include <c10/util/StringUtil.h>

#include <cstdint>
#include <iostream>
#include <stdexcept>

namespace c10 {

struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};

inline std::ostream& operator<<(std::ostream& out, const SourceLocation& where) {
  return out << where.function << " at " << where.file << ":" << where.line;
}

// What TORCH_CHECK throws: a RuntimeError in Python.
class Error : public std::exception {
 public:
  Error(SourceLocation where, std::string message)
      : Error(std::move(message), std::string("Exception raised from ") + where.function + " at " +
                                      where.file + ":" + std::to_string(where.line)) {}
  explicit Error(std::string message, std::string backtrace = "", const void* caller = nullptr)
      : message_(std::move(message)), backtrace_(std::move(backtrace)), caller_(caller) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_, backtrace_;
  const void* caller_ = nullptr;
};

// extends
class Error {
  void add_context(const std::string& context) { message_ += "\n  " + context; }
  const std::string& msg() const { return message_; }
  const std::string& backtrace() const { return backtrace_; }
  const void* caller() const noexcept { return caller_; }
  const char* what_without_backtrace() const noexcept { return message_.c_str(); }
};

namespace detail {

// An error that is also the standard exception of which pybind11 makes the right one in Python.
// Its two std::exception are on purpose: what catches those to wrap them lets this one through.
template <typename Standard>
class ErrorLike : public Error, public Standard {
 public:
  ErrorLike(SourceLocation where, std::string message) : Error(where, message), Standard(message) {}
  const char* what() const noexcept override { return Error::what(); }
};

}  // namespace detail

class IndexError : public detail::ErrorLike<std::out_of_range> {
  using ErrorLike::ErrorLike;
};

class ValueError : public detail::ErrorLike<std::invalid_argument> {
  using ErrorLike::ErrorLike;
};

class LinAlgError : public Error {
  using Error::Error;
};

class OutOfMemoryError : public Error {
  using Error::Error;
};

class EnforceFiniteError : public Error {
  using Error::Error;
};

class OnnxfiBackendSystemError : public Error {
  using Error::Error;
};

class DistError : public Error {
  using Error::Error;
};

class DistBackendError : public DistError {
  using DistError::DistError;
};

class DistStoreError : public DistError {
  using DistError::DistError;
};

class DistNetworkError : public DistError {
  using DistError::DistError;
};

class AcceleratorError : public Error {
  using Error::Error;
};

namespace detail {

template <typename E, typename... Parts>
[[noreturn]] void fail(SourceLocation where, const char* otherwise, const Parts&... parts) {
  throw E(where, sizeof...(parts) ? ::c10::str(parts...) : std::string(otherwise));
}

template <typename... Parts>
void warn(SourceLocation where, const Parts&... parts) {
  std::cerr << "[W " << where.file << ":" << where.line << "] Warning: " << ::c10::str(parts...)
            << " (function " << where.function << ")\n";
}

// Collects a message and throws it at the end of the statement.
struct Fatal {
  SourceLocation where;
  std::ostringstream out;
  std::ostream& stream() {
    return out << "[F " << where.file << ":" << where.line << "] ";
  }
  ~Fatal() noexcept(false) { throw Error(where, out.str()); }
};

}  // namespace detail

}  // namespace c10

#define PORTER_HERE ::c10::SourceLocation{__func__, __FILE__, static_cast<uint32_t>(__LINE__)}

#define TORCH_CHECK_WITH(error_t, cond, ...)                                                \
  if (__builtin_expect(!(cond), 0)) {                                                       \
    ::c10::detail::fail<::c10::error_t>(                                                  \
        PORTER_HERE, "Expected " #cond                                                      \
        " to be true, but got false.  (Could this error message be improved?  If so, "      \
        "please report an enhancement request to PyTorch.)", ##__VA_ARGS__);                \
  }

// instead of the one with: PD_CHECK(COND, ##__VA_ARGS__);
#undef TORCH_CHECK
#define TORCH_CHECK(cond, ...) TORCH_CHECK_WITH(Error, cond, ##__VA_ARGS__)

#define TORCH_CHECK_INDEX(cond, ...) TORCH_CHECK_WITH(IndexError, cond, ##__VA_ARGS__)

#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK_WITH(ValueError, cond, ##__VA_ARGS__)

#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK_WITH(TypeError, cond, ##__VA_ARGS__)

#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) \
  TORCH_CHECK_WITH(NotImplementedError, cond, ##__VA_ARGS__)

#define TORCH_CHECK_LINALG(cond, ...) TORCH_CHECK_WITH(LinAlgError, cond, ##__VA_ARGS__)

#define TORCH_CHECK_IF_NOT_ON_CUDA(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)

#define TORCH_CHECK_ALWAYS_SHOW_CPP_STACKTRACE(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)

#define TORCH_CHECK_ARG(cond, argN, ...) \
  TORCH_CHECK(cond, "invalid argument ", argN, ": ", ##__VA_ARGS__)

// instead of the one with: PD_CHECK(COND, ##__VA_ARGS__);
#undef TORCH_INTERNAL_ASSERT
#define TORCH_INTERNAL_ASSERT(cond, ...)                                                     \
  if (__builtin_expect(!(cond), 0)) {                                                        \
    ::c10::detail::fail<::c10::Error>(                                                \
        PORTER_HERE, "", #cond " INTERNAL ASSERT FAILED at \"" __FILE__ "\":", __LINE__,     \
        ", please report a bug to PyTorch. ", ##__VA_ARGS__);                                \
  }

#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) \
  while (false) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif

#define AT_ASSERT(...)                  \
  do {                                  \
    TORCH_INTERNAL_ASSERT(__VA_ARGS__); \
  } while (false)

#define AT_ASSERTM(...)                 \
  do {                                  \
    TORCH_INTERNAL_ASSERT(__VA_ARGS__); \
  } while (false)

#define AT_CHECK(...)         \
  do {                        \
    TORCH_CHECK(__VA_ARGS__); \
  } while (false)

#define AT_ERROR(...) ::c10::detail::fail<::c10::Error>(PORTER_HERE, "", ##__VA_ARGS__)

// instead of the one with: C10ThrowImpl(err_type, msg)
#undef C10_THROW_ERROR
#define C10_THROW_ERROR(err_type, msg) throw ::c10::err_type(PORTER_HERE, msg)

#define C10_BUILD_ERROR(err_type, msg) ::c10::err_type(PORTER_HERE, msg)

#define TORCH_WARN(...) ::c10::detail::warn(PORTER_HERE, ##__VA_ARGS__)

#define TORCH_WARN_DEPRECATION(...) ::c10::detail::warn(PORTER_HERE, ##__VA_ARGS__)

#define AT_WARN(...) ::c10::detail::warn(PORTER_HERE, ##__VA_ARGS__)

#define TORCH_WARN_ONCE(...)                                            \
  [[maybe_unused]] static const bool C10_ANONYMOUS_VARIABLE(warned) = [&] { \
    ::c10::detail::warn(PORTER_HERE, ##__VA_ARGS__);             \
    return true;                                                        \
  }()

#define FATAL_IF(condition) \
  while (condition) ::c10::detail::Fatal{PORTER_HERE, {}}.stream()

// instead of the one with: PD_THROW(_result.str());
#undef TORCH_CHECK_OP
#define TORCH_CHECK_OP(val1, val2, op)                                                         \
  FATAL_IF(!((val1)op(val2))) << "Check failed: " #val1 " " #op " " #val2 " (" << (val1) << " vs. " \
                              << (val2) << "). "

#ifdef NDEBUG
#define TORCH_DCHECK_OP(val1, val2, op) while (false) TORCH_CHECK_OP(val1, val2, op)
#else
#define TORCH_DCHECK_OP(val1, val2, op) TORCH_CHECK_OP(val1, val2, op)
#endif

#define TORCH_DCHECK_EQ(val1, val2) TORCH_DCHECK_OP(val1, val2, ==)

#define TORCH_DCHECK_NE(val1, val2) TORCH_DCHECK_OP(val1, val2, !=)

#define TORCH_DCHECK_LE(val1, val2) TORCH_DCHECK_OP(val1, val2, <=)

#define TORCH_DCHECK_LT(val1, val2) TORCH_DCHECK_OP(val1, val2, <)

#define TORCH_DCHECK_GE(val1, val2) TORCH_DCHECK_OP(val1, val2, >=)

#define TORCH_DCHECK_GT(val1, val2) TORCH_DCHECK_OP(val1, val2, >)

// instead of the one with: PD_CHECK(condition, "CHECK failed : ", #condition)
#undef CHECK
#define CHECK(condition) FATAL_IF(!(condition)) << "Check failed: " #condition " "
