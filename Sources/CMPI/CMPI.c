#include "CMPI.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/// The communicators by their numbers.
static MPI_Comm communicators[8];
static int32_t communicator_count;

/// The last beat to each rank.
static MPI_Request *beat_requests;
static uint8_t *beats;

/// Waits until an operation is complete, without taking the processor from threads that play.
///
/// MPI libraries wait in a loop. Rounds take some tens of microseconds, which this spins for; after that it sleeps.
static void wait_for(MPI_Request *request) {
  const struct timespec pause = {0, 20000};
  for (int checks = 0;; checks++) {
    int is_complete = 0;
    MPI_Test(request, &is_complete, MPI_STATUS_IGNORE);
    if (is_complete) return;
    if (checks < 100) sched_yield();
    else nanosleep(&pause, NULL);
  }
}

_Bool cmpi_initialize(void) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  communicators[0] = MPI_COMM_WORLD;
  communicator_count = 1;
  int32_t size = cmpi_size();
  beats = calloc((size_t)size, sizeof *beats);
  beat_requests = malloc((size_t)size * sizeof *beat_requests);
  if (!beats || !beat_requests) return 0;
  for (int32_t rank = 0; rank < size; rank++) beat_requests[rank] = MPI_REQUEST_NULL;
  return provided >= MPI_THREAD_MULTIPLE;
}

void cmpi_finalize(void) {
  MPI_Waitall(cmpi_size(), beat_requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
}

void cmpi_abort(int32_t code) { MPI_Abort(MPI_COMM_WORLD, code); }

int32_t cmpi_duplicate(int32_t communicator) {
  int32_t number = communicator_count++;
  if (number == sizeof communicators / sizeof *communicators) abort();
  MPI_Comm_dup(communicators[communicator], &communicators[number]);
  return number;
}

int32_t cmpi_rank(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int32_t cmpi_size(void) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void cmpi_broadcast(int32_t communicator, void *bytes, size_t count) {
  MPI_Request request;
  MPI_Ibcast(bytes, (int)count, MPI_BYTE, 0, communicators[communicator], &request);
  wait_for(&request);
}

void cmpi_gather_counts(int32_t communicator, int32_t count, int32_t *counts) {
  MPI_Request request;
  MPI_Iallgather(&count, 1, MPI_INT32_T, counts, 1, MPI_INT32_T, communicators[communicator], &request);
  wait_for(&request);
}

void cmpi_gather(
  int32_t communicator, const void *bytes, int32_t count, void *gathered, const int32_t *counts,
  const int32_t *offsets) {
  MPI_Request request;
  MPI_Iallgatherv(
    bytes, count, MPI_BYTE, gathered, counts, offsets, MPI_BYTE, communicators[communicator], &request);
  wait_for(&request);
}

void cmpi_exchange_counts(int32_t communicator, const int32_t *counts, int32_t *received_counts) {
  MPI_Request request;
  MPI_Ialltoall(counts, 1, MPI_INT32_T, received_counts, 1, MPI_INT32_T, communicators[communicator], &request);
  wait_for(&request);
}

void cmpi_exchange(
  int32_t communicator, const void *bytes, const int32_t *counts, const int32_t *offsets, void *received,
  const int32_t *received_counts, const int32_t *received_offsets) {
  MPI_Request request;
  MPI_Ialltoallv(
    bytes, counts, offsets, MPI_BYTE, received, received_counts, received_offsets, MPI_BYTE,
    communicators[communicator], &request);
  wait_for(&request);
}

_Bool cmpi_send_beat(int32_t communicator, uint8_t beat, int32_t rank) {
  int has_left = 0;
  MPI_Test(&beat_requests[rank], &has_left, MPI_STATUS_IGNORE);
  if (!has_left) return 0;
  beats[rank] = beat;
  MPI_Isend(&beats[rank], 1, MPI_BYTE, rank, 0, communicators[communicator], &beat_requests[rank]);
  return 1;
}

int32_t cmpi_take_beat(int32_t communicator, int32_t rank) {
  int is_here = 0;
  MPI_Iprobe(rank, 0, communicators[communicator], &is_here, MPI_STATUS_IGNORE);
  if (!is_here) return -1;
  uint8_t beat = 0;
  MPI_Recv(&beat, 1, MPI_BYTE, rank, 0, communicators[communicator], MPI_STATUS_IGNORE);
  return beat;
}
