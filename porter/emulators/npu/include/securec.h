// Functions of memory and text that are told how much room there is; 0 is success.
#pragma once
#include <cstdarg>
#include <cstdio>
#include <cstring>

using errno_t = int;
constexpr errno_t EOK = 0;

inline errno_t memset_s(void *to, size_t room, int value, size_t count) {
    if (!to || count > room) return 34;  // ERANGE
    std::memset(to, value, count);
    return EOK;
}
inline errno_t memcpy_s(void *to, size_t room, const void *from, size_t count) {
    if (!to || !from || count > room) return 34;
    std::memcpy(to, from, count);
    return EOK;
}
inline int snprintf_s(char *to, size_t room, size_t most, const char *format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(to, room < most + 1 ? room : most + 1, format, arguments);
    va_end(arguments);
    return length >= 0 && size_t(length) < room && size_t(length) <= most ? length : -1;
}
