#pragma once
#include <c10/util/typeid.h>

namespace c10 {

inline caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType type) { return type; }

inline ScalarType typeMetaToScalarType(caffe2::TypeMeta type) { return type.toScalarType(); }

inline ScalarType typeMetaToScalarType(ScalarType type) { return type; }

}  // namespace c10
