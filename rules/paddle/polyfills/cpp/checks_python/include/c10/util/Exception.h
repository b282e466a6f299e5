#pragma once

#if __has_include(<Python.h>) && !defined(PADDLE_NO_PYTHON)
#include <pybind11/detail/common.h>
#define PORTER_PYTHON_ERRORS
#endif

namespace c10 {

#ifdef PORTER_PYTHON_ERRORS
class TypeError : public detail::ErrorLike<::pybind11::type_error> {
  using ErrorLike::ErrorLike;
};
#else
class TypeError : public Error {
  using Error::Error;
};
#endif

#ifdef PORTER_PYTHON_ERRORS
class NotImplementedError : public Error, public ::pybind11::builtin_exception {
 public:
  NotImplementedError(SourceLocation where, std::string message)
      : Error(where, message), builtin_exception(message) {}
  const char* what() const noexcept override { return Error::what(); }
  void set_error() const override { PyErr_SetString(PyExc_NotImplementedError, what()); }
};
#else
class NotImplementedError : public Error {
  using Error::Error;
};
#endif

}  // namespace c10
