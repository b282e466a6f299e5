// How often what was called: operators of the CPU's, and emulated kernels. PORTER_EMULATED_COUNTS names
// a file to which a process adds its own as a line of JSON when it ends.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "internal.h"

namespace ascend {
namespace {

struct Counts {
    std::mutex lock;
    std::map<std::string, std::map<std::string, long>> by_kind{{"cpu", {}}, {"kernel", {}}};

    std::string json() {
        std::lock_guard held(lock);
        std::string text = "{";
        for (const auto &[kind, names] : by_kind) {
            text += (text.size() > 1 ? ", \"" : "\"") + kind + "\": {";
            const char *comma = "";
            for (const auto &[name, count] : names) {
                std::string quoted;
                for (const char c : name) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
                text += comma + ("\"" + quoted + "\": ") + std::to_string(count);
                comma = ", ";
            }
            text += "}";
        }
        return text + "}";
    }
    ~Counts() {
        const char *path = std::getenv("PORTER_EMULATED_COUNTS");
        FILE *file = path && *path ? std::fopen(path, "a") : nullptr;
        if (!file) return;
        std::fprintf(file, "%s\n", json().c_str());
        std::fclose(file);
    }
};

Counts &counts() {
    static Counts all;
    return all;
}

}  // namespace
}  // namespace ascend

using namespace ascend;

API void emulated_ascend_count(const char *kind, const char *name) {
    Counts &all = counts();
    std::lock_guard held(all.lock);
    ++all.by_kind[kind][name];
}
// The counts as JSON, which stay where they are until the thread asks again.
API const char *emulated_ascend_counts() {
    static thread_local std::string said;
    said = counts().json();
    return said.c_str();
}
