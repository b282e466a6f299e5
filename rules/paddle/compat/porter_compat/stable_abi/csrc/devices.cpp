// Devices, streams, gradients switched on and off, loops over threads.
#include "library.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace shim {

namespace {

thread_local int thread_index = -1;  // in a parallel loop

uint32_t threads_wanted() {
  if (thread_index >= 0) return 1;
  const char* text = std::getenv("OMP_NUM_THREADS");
  const int asked = text ? std::atoi(text) : 0;
  return asked > 0 ? asked : std::max(1u, std::thread::hardware_concurrency());
}

int64_t asked(const std::string& what, int64_t argument = 0) {
  if (!python().device) fail("Paddle's Python, which knows the devices, is not there");
  return python().device(what, argument);
}

// What a guard goes back to.
struct Guard {
  int64_t before;
};

struct Stream {
  int64_t device;
  void* native;
};

Guard* guard(int32_t index) {
  auto* made = new Guard{asked("current_device")};
  try {
    asked("set_device", index);
  } catch (...) {
    delete made;
    throw;
  }
  return made;
}

}  // namespace

}  // namespace shim

using shim::asked;
using shim::guarded;

EXPORT Error torch_get_num_threads(uint32_t* found) {
  return guarded([&] { *found = shim::threads_wanted(); });
}

EXPORT Error torch_get_thread_idx(uint32_t* found) {
  return guarded([&] { *found = shim::thread_index < 0 ? 0 : shim::thread_index; });
}

EXPORT Error torch_parallel_for(int64_t begin, int64_t end, int64_t grain,
                                void (*function)(int64_t, int64_t, void*), void* context) {
  return guarded([&] {
    if (grain < 0) shim::fail("the grain size must not be negative");
    if (begin >= end) return;
    const int64_t count = end - begin, least = std::max<int64_t>(grain, 1);
    const int64_t most = std::max<int64_t>(1, (count + least - 1) / least);
    const int64_t workers = std::min<int64_t>(shim::threads_wanted(), most);
    if (workers == 1) return function(begin, end, context);
    const int64_t step = (count + workers - 1) / workers;
    std::exception_ptr raised;
    std::mutex lock;
    const auto work = [&](int64_t worker) {
      const int64_t from = begin + worker * step, to = std::min(end, from + step);
      shim::thread_index = static_cast<int>(worker);
      try {
        if (from < to) function(from, to, context);
      } catch (...) {
        std::lock_guard<std::mutex> locked(lock);
        if (!raised) raised = std::current_exception();
      }
      shim::thread_index = -1;
    };
    std::vector<std::thread> others;
    for (int64_t worker = 1; worker < workers; ++worker) others.emplace_back(work, worker);
    work(0);
    for (std::thread& each : others) each.join();
    if (raised) std::rethrow_exception(raised);
  });
}

EXPORT bool aoti_torch_grad_mode_is_enabled() { return asked("grad_enabled"); }

EXPORT void aoti_torch_grad_mode_set_enabled(bool enabled) { asked("set_grad_enabled", enabled); }

EXPORT Error aoti_torch_get_current_device_index(int32_t* found) {
  return guarded([&] { *found = asked("current_device"); });
}

EXPORT Error aoti_torch_create_device_guard(int32_t index, shim::Guard** made) {
  return guarded([&] { *made = shim::guard(index); });
}

EXPORT Error aoti_torch_delete_device_guard(shim::Guard* self) {
  return guarded([&] {
    asked("set_device", self->before);
    delete self;
  });
}

EXPORT Error aoti_torch_device_guard_set_index(shim::Guard*, int32_t index) {
  return guarded([&] { asked("set_device", index); });
}

EXPORT Error aoti_torch_create_cuda_guard(int32_t index, shim::Guard** made) {
  return aoti_torch_create_device_guard(index, made);
}

EXPORT Error aoti_torch_delete_cuda_guard(shim::Guard* self) {
  return aoti_torch_delete_device_guard(self);
}

EXPORT Error aoti_torch_cuda_guard_set_index(shim::Guard* self, int32_t index) {
  return aoti_torch_device_guard_set_index(self, index);
}

EXPORT Error aoti_torch_get_current_cuda_stream(int32_t index, void** found) {
  return guarded([&] { *found = reinterpret_cast<void*>(asked("current_stream", index)); });
}

EXPORT Error aoti_torch_get_current_stream(int32_t index, shim::Stream** made) {
  return guarded([&] {
    *made = new shim::Stream{index, reinterpret_cast<void*>(asked("current_stream", index))};
  });
}

EXPORT Error aoti_torch_delete_stream(shim::Stream* self) {
  return guarded([&] { delete self; });
}

// The stream's address: torch's number of it is its own, and serves to tell streams apart.
EXPORT Error aoti_torch_stream_id(shim::Stream* self, int64_t* found) {
  return guarded([&] { *found = reinterpret_cast<int64_t>(self->native); });
}

EXPORT Error torch_stream_native_handle(shim::Stream* self, void** found) {
  return guarded([&] { *found = self->native; });
}

EXPORT Error torch_c10_cuda_check_msg(int32_t error, const char* file, const char* function,
                                      uint32_t line, bool, char** message) {
  return guarded([&] {
    *message = nullptr;
    if (error == 0) return;
    const std::string text = "CUDA error " + std::to_string(error) + " (" + function + " at " +
                             file + ":" + std::to_string(line) + ")";
    *message = strdup(text.c_str());
  });
}

EXPORT void torch_c10_cuda_free_error_msg(char* message) { std::free(message); }
