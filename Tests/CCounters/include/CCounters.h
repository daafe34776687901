/// Counts what a thread asks of the allocator and of Swift's reference counting, for tests.
#ifndef LEARN2048_CCOUNTERS_H
#define LEARN2048_CCOUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build can count: it takes glibc, whose allocator a program may replace, and no sanitizer, because
/// sanitizers do so.
bool cc_can_count(void);

/// The blocks that the calling thread has allocated since it started.
int64_t cc_allocations(void);

/// The retains and releases that Swift code has made on the calling thread since it started; 0 where
/// they cannot be counted.
int64_t cc_reference_operations(void);

#endif
