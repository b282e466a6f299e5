// CUDA's place, as at::Tensor and its options tell it, and the custom place that it is to Paddle.
#pragma once
#include "paddle/phi/common/place.h"

namespace emulated {
inline phi::Place seen(const phi::Place &place) {
    return place.GetType() == phi::AllocationType::CUSTOM ? phi::Place(phi::GPUPlace(place.GetDeviceId())) : place;
}
inline phi::Place held(const phi::Place &place) {
    return place.GetType() == phi::AllocationType::GPU ? phi::Place(phi::CustomPlace("emulated", place.GetDeviceId()))
                                                       : place;
}
}  // namespace emulated
