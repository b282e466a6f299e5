#pragma once
#error "porter: asynchronous copies (cooperative_groups::memcpy_async) are not emulated on a CPU"
