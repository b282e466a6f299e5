#pragma once

#define C10_AS_INTARRAYREF_SLOW(a) (a)

#define C10_AS_INTARRAYREF_SLOW_ALLOC(a) (a)

namespace c10 {

// A SymInt is an int64_t here.
inline IntArrayRef asIntArrayRefSlow(SymIntArrayRef sizes, const char*, int64_t) { return sizes; }

inline IntArrayRef asIntArrayRefUnchecked(SymIntArrayRef sizes) { return sizes; }

inline std::optional<IntArrayRef> asIntArrayRefSlowOpt(SymIntArrayRef sizes) { return sizes; }

inline SymIntArrayRef fromIntArrayRef(IntArrayRef sizes) { return sizes; }

inline SymIntArrayRef fromIntArrayRefSlow(IntArrayRef sizes) { return sizes; }

inline SymIntArrayRef fromIntArrayRefUnchecked(IntArrayRef sizes) { return sizes; }

}  // namespace c10
