// Tells the thread sanitizer about Swift's Mutex.
//
// A Mutex for which no thread waits is locked and unlocked by inlined code, which the sanitizer sees. Otherwise
// functions of the library do it, which were not compiled with the sanitizer: it would report accesses that the
// mutex orders as races. These definitions take the place of the library's, call them, and state the order.

#if __has_feature(thread_sanitizer) && defined(__linux__)

// For RTLD_NEXT.
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

METHOD void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
METHOD void unlock_slowly(SELF) __asm__(UNLOCK);

METHOD void lock_slowly(uint32_t thread, SELF) {
  METHOD void (*lock)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, self);
  __tsan_acquire(self);
}

METHOD void unlock_slowly(SELF) {
  METHOD void (*unlock)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(self);
  unlock(self);
}

#endif
