// Errors are logged where they are reported: see alog_pub.h.
#pragma once
#define REPORT_INNER_ERR_MSG(code, ...) ((void)(code))
#define REPORT_INNER_ERROR(code, ...) ((void)(code))
#define REPORT_CALL_ERROR(code, ...) ((void)(code))
