// What a package's host side logs: errors, to the standard error.
#pragma once
#include <cstdarg>
#include <cstdio>

enum { DLOG_DEBUG = 0, DLOG_INFO, DLOG_WARN, DLOG_ERROR, DLOG_NULL, DLOG_EVENT = 16 };
enum { DLOG_TYPE_DEBUG = 0, DLOG_TYPE_RUN };
enum { OP = 63 };
#define MSG_LENGTH 1024

inline int AlogCheckDebugLevel(int, int level) { return level == DLOG_ERROR; }
inline void AlogRecord(int, int, int, const char *format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
}
