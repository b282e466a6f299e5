#pragma once
#include <c10/util/Exception.h>

#include <climits>
#include <cstdlib>
#include <iostream>
#include <sstream>

namespace c10 {

// How severe messages are. Paddle has no glog in its headers, and torch's wheels none either.
constexpr int GLOG_INFO = 0, GLOG_WARNING = 1, GLOG_ERROR = 2, GLOG_FATAL = 3;

// One message, written when the statement ends. A fatal one ends the process.
class MessageLogger {
 public:
  MessageLogger(const char* file, int line, int severity) : severity_(severity) {
    text_ << '[' << "IWEF"[severity] << ' ' << file << ':' << line << "] ";
  }
  ~MessageLogger() {
    if (severity_ >= GLOG_WARNING) std::cerr << text_.str() << std::endl;
    if (severity_ >= GLOG_FATAL) std::abort();
  }
  std::ostream& stream() { return text_; }

 private:
  int severity_;
  std::ostringstream text_;
};

// Makes a stream expression void, for the other branch of `?:`.
struct LoggerVoidify {
  void operator&(const std::ostream&) const {}
};

}  // namespace c10

#ifndef CAFFE2_LOG_THRESHOLD
#define CAFFE2_LOG_THRESHOLD INT_MIN
#endif

#ifndef LOG_IF
#define LOG_IF(severity, condition)                                             \
  !((condition) && ::c10::GLOG_##severity >= CAFFE2_LOG_THRESHOLD)              \
      ? static_cast<void>(0)                                                    \
      : ::c10::LoggerVoidify() &                                                \
            ::c10::MessageLogger(__FILE__, __LINE__, ::c10::GLOG_##severity).stream()
#endif

#ifndef LOG
#define LOG(severity) LOG_IF(severity, true)
#endif

#ifndef VLOG_IS_ON
#define VLOG_IS_ON(level) (CAFFE2_LOG_THRESHOLD <= -(level))
#endif

// Made, and not written, as any message below a warning.
#ifndef VLOG
#define VLOG(level) LOG_IF(INFO, VLOG_IS_ON(level))
#endif

#ifndef VLOG_IF
#define VLOG_IF(level, condition) LOG_IF(INFO, (condition) && VLOG_IS_ON(level))
#endif

#ifndef CHECK
#define CHECK(condition) LOG_IF(FATAL, !(condition)) << "Check failed: " #condition " "
#endif

#ifdef NDEBUG
#define DCHECK(condition) CHECK(true || (condition))
#else
#define DCHECK(condition) CHECK(condition)
#endif
