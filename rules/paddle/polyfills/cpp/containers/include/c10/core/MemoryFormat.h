#pragma once
#include <c10/util/ArrayRef.h>

#include <ostream>

namespace c10 {

inline std::ostream& operator<<(std::ostream& out, MemoryFormat format) {
  switch (format) {
    case MemoryFormat::Preserve: return out << "Preserve";
    case MemoryFormat::Contiguous: return out << "Contiguous";
    case MemoryFormat::ChannelsLast: return out << "ChannelsLast";
    default: return out << "ChannelsLast3d";
  }
}

inline MemoryFormat get_contiguous_memory_format() { return MemoryFormat::Contiguous; }

}  // namespace c10

#define LEGACY_CONTIGUOUS_MEMORY_FORMAT c10::get_contiguous_memory_format()
