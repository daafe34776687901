#ifndef CMPI_H
#define CMPI_H

#include <stddef.h>
#include <stdint.h>

// The few functions of MPI that learn2048 needs. Much of mpi.h is macros, which Swift cannot import. Errors end
// the job with a message of MPI.

/// Connects this process to its job, for calls from one thread at a time.
///
/// Returns false if the library does not support that.
_Bool cmpi_initialize(void);

/// Leaves the job. All ranks call it.
void cmpi_finalize(void);

/// Ends all processes of the job with this exit code.
void cmpi_abort(int32_t code);

/// The number of this process, counted from 0.
int32_t cmpi_rank(void);

/// The number of processes.
int32_t cmpi_size(void);

/// Copies `count` bytes of rank 0, at most 2^31 - 1, to the same number of bytes of all others.
void cmpi_broadcast(void *bytes, size_t count);

/// Sends the number of bytes of this rank to all ranks. `counts` has room for one number per rank.
void cmpi_gather_counts(int32_t count, int32_t *counts);

/// Sends `count` bytes to all ranks, and receives those of each rank at its offset.
void cmpi_gather(
  const void *bytes, int32_t count, void *gathered, const int32_t *counts, const int32_t *offsets);

#endif
