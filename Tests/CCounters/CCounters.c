// For RTLD_NEXT.
#define _GNU_SOURCE

#include "CCounters.h"

#include <stddef.h>

#if defined(__linux__)
#include <features.h>
#endif

// Sanitizers replace the allocator themselves.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

#if defined(__GLIBC__) && !IS_SANITIZED

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>

static _Thread_local int64_t allocations;
static _Thread_local int64_t reference_operations;

// The allocator: a program's own definitions take the place of the library's, for its shared libraries
// too. They pass everything on to the library's own under its other names.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocations++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *result = memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *block = result;
  return 0;
}

// Reference counting: in the same way, for the calls of compiled Swift code. What the runtime calls on
// its own behalf is not seen. On other processors these functions keep more registers than C's do.
#if defined(__x86_64__)

#define FORWARD(name, result, parameters, arguments)                    \
  result name parameters {                                             \
    static result(*_Atomic own) parameters;                            \
    if (own == NULL) own = (result(*) parameters)dlsym(RTLD_NEXT, #name); \
    reference_operations++;                                            \
    return own arguments;                                              \
  }

FORWARD(swift_retain, void *, (void *object), (object))
FORWARD(swift_retain_n, void *, (void *object, uint32_t count), (object, count))
FORWARD(swift_release, void, (void *object), (object))
FORWARD(swift_release_n, void, (void *object, uint32_t count), (object, count))

#endif

bool cc_can_count(void) { return true; }

int64_t cc_allocations(void) { return allocations; }

int64_t cc_reference_operations(void) { return reference_operations; }

#else

bool cc_can_count(void) { return false; }
int64_t cc_allocations(void) { return 0; }
int64_t cc_reference_operations(void) { return 0; }

#endif
