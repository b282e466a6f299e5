// Stacks that wait: a switch from one to another in a dozen instructions, or by ucontext.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__x86_64__) && !defined(EMULATED_UCONTEXT)
// Saves what a called function must keep, and the stack in `*from`; goes on where `to` was saved.
extern "C" void emulated_switch(void **from, void *to);
__asm__(R"(
    .text
    .p2align 4
    .hidden emulated_switch
    .globl emulated_switch
    .type emulated_switch, @function
emulated_switch:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size emulated_switch, .-emulated_switch
)");
struct Context {
    void *stack = nullptr;
    void begin(char *low, char *top, void (*entry)()) {
        (void)low;
        auto **frame = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(15));
        *--frame = nullptr;  // entry never returns; its stack is aligned as after a call
        *--frame = reinterpret_cast<void *>(entry);
        for (int k = 0; k < 6; ++k) *--frame = nullptr;
        stack = frame;
    }
    void go(Context &to) { emulated_switch(&stack, to.stack); }
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
