// Stacks that wait: a switch from one to another in a dozen instructions, or by ucontext.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__x86_64__) && !defined(EMULATED_UCONTEXT)
struct Context {
    void *stack = nullptr;
    void begin(char *, char *top, void (*entry)()) {
        auto **frame = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(15));
        *--frame = nullptr;  // entry never returns; its stack is aligned as after a call
        *--frame = reinterpret_cast<void *>(entry);
        stack = frame;
    }
    // Inline, and left by a jump: calls and returns that do not pair would all be mispredicted.
    // The compiler saves what it needs of the registers that are named as changed.
    __attribute__((always_inline)) void go(Context &to) {
        void **from = &stack;
        void *next = to.stack;
        __asm__ volatile(
            "leaq -128(%%rsp), %%rsp\n\t"  // what a function may keep below its stack
            "pushq %%rbp\n\t"
            "pushq %%rbx\n\t"
            "leaq 1f(%%rip), %%rax\n\t"
            "pushq %%rax\n\t"
            "movq %%rsp, (%%rdi)\n\t"
            "movq %%rsi, %%rsp\n\t"
            "popq %%rax\n\t"
            "jmp *%%rax\n"
            "1:\n\t"
            "popq %%rbx\n\t"
            "popq %%rbp\n\t"
            "leaq 128(%%rsp), %%rsp"
            : "+D"(from), "+S"(next)
            :
            : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
              "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
              "xmm13", "xmm14", "xmm15", "memory", "cc");
    }
};
#else
#include <ucontext.h>
struct Context {
    ucontext_t context;
    void begin(char *low, char *top, void (*entry)()) {
        getcontext(&context);
        context.uc_stack.ss_sp = low;
        context.uc_stack.ss_size = size_t(top - low);
        context.uc_link = nullptr;
        makecontext(&context, entry, 0);
    }
    void go(Context &to) { swapcontext(&context, &to.context); }
};
#endif

struct Fiber {
    Context context;
    Fiber *next = nullptr;
};

// At most as many as a block has threads; a page below each stack ends what overruns it.
class Fibers {
   public:
    static constexpr size_t count = 1025, bytes = size_t(256) << 10, page = 4096;

    Fiber *take(void (*entry)()) {
        if (free_) {
            Fiber *fiber = free_;
            free_ = fiber->next;
            return fiber;
        }
        if (!base_) map();
        Fiber *fiber = &all_[used_];
        char *low = base_ + used_ * bytes;
        // Stacks begin at different places of a page, or all would share the same cache lines.
        fiber->context.begin(low + page, low + bytes - (used_ * 192) % page, entry);
        ++used_;
        return fiber;
    }
    void give(Fiber *fiber) {
        fiber->next = free_;
        free_ = fiber;
    }
    // After a fault: whatever was on the stacks is forgotten.
    void reset() {
        used_ = 0;
        free_ = nullptr;
    }
    bool holds(uintptr_t address) const {
        return address - reinterpret_cast<uintptr_t>(base_) < count * bytes;
    }

   private:
    void map() {
        void *got = mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (got == MAP_FAILED) throw std::bad_alloc();
        base_ = static_cast<char *>(got);
        for (size_t k = 0; k < count; ++k) mprotect(base_ + k * bytes, page, PROT_NONE);
    }
    char *base_ = nullptr;
    Fiber all_[count];
    size_t used_ = 0;
    Fiber *free_ = nullptr;
};
