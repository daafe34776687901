#ifndef CMPI_H
#define CMPI_H

#include <stddef.h>
#include <stdint.h>

// The few functions of MPI that learn2048 needs. Much of mpi.h is macros, which Swift cannot import. Errors end
// the job with a message of MPI. A communicator is a number, 0 for that of all processes.

/// Connects this process to its job, for calls from several threads at once.
///
/// Returns false if the library does not support that.
_Bool cmpi_initialize(void);

/// Leaves the job. All ranks call it.
void cmpi_finalize(void);

/// Ends all processes of the job with this exit code.
void cmpi_abort(int32_t code);

/// Returns a communicator of the same ranks, whose messages meet no others. All ranks call it; a job has room for a few.
int32_t cmpi_duplicate(int32_t communicator);

/// The number of this process, counted from 0.
int32_t cmpi_rank(void);

/// The number of processes.
int32_t cmpi_size(void);

/// Copies `count` bytes of rank 0, at most 2^31 - 1, to the same number of bytes of all others.
void cmpi_broadcast(int32_t communicator, void *bytes, size_t count);

/// Sends the number of bytes of this rank to all ranks. `counts` has room for one number per rank.
void cmpi_gather_counts(int32_t communicator, int32_t count, int32_t *counts);

/// Sends `count` bytes to all ranks, and receives those of each rank at its offset.
void cmpi_gather(
  int32_t communicator, const void *bytes, int32_t count, void *gathered, const int32_t *counts,
  const int32_t *offsets);

/// Sends each rank the number with its index, and receives one from each of them.
void cmpi_exchange_counts(int32_t communicator, const int32_t *counts, int32_t *received_counts);

/// Sends each rank the bytes at its offset, and receives those of each rank at its offset.
void cmpi_exchange(
  int32_t communicator, const void *bytes, const int32_t *counts, const int32_t *offsets, void *received,
  const int32_t *received_counts, const int32_t *received_offsets);

/// Sends a byte to a rank without waiting for it. Returns false, and sends nothing, if the byte before it has not left.
_Bool cmpi_send_beat(int32_t communicator, uint8_t beat, int32_t rank);

/// Returns the next byte that a rank has sent in this way, or -1 without waiting for one.
int32_t cmpi_take_beat(int32_t communicator, int32_t rank);

#endif
