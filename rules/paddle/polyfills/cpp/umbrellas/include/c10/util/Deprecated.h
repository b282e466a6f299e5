#pragma once

#define C10_DEPRECATED [[deprecated]]

#define C10_DEPRECATED_MESSAGE(message) [[deprecated(message)]]

#define C10_DEFINE_DEPRECATED_USING(name, type) using name [[deprecated]] = type;
