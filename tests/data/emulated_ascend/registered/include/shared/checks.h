#pragma once
#define CHECK_NULL(p) \
    if (!(p)) return ge::GRAPH_FAILED
