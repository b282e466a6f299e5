// Logs, by their newer and older names.
#pragma once
#include "../base/alog_pub.h"

#define dlog_error(module, ...) AlogRecord(module, DLOG_TYPE_DEBUG, DLOG_ERROR, __VA_ARGS__)
#define dlog_warn(module, ...) ((void)(module))
#define dlog_info(module, ...) ((void)(module))
#define dlog_debug(module, ...) ((void)(module))
