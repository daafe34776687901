#include "CMPI.h"

#include <mpi.h>

_Bool cmpi_initialize(void) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  return provided >= MPI_THREAD_SERIALIZED;
}

void cmpi_finalize(void) { MPI_Finalize(); }

void cmpi_abort(int32_t code) { MPI_Abort(MPI_COMM_WORLD, code); }

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

void cmpi_broadcast(void *bytes, size_t count) {
  MPI_Bcast(bytes, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD);
}

void cmpi_gather_counts(int32_t count, int32_t *counts) {
  MPI_Allgather(&count, 1, MPI_INT32_T, counts, 1, MPI_INT32_T, MPI_COMM_WORLD);
}

void cmpi_gather(
  const void *bytes, int32_t count, void *gathered, const int32_t *counts, const int32_t *offsets) {
  MPI_Allgatherv(
    bytes, count, MPI_BYTE, gathered, counts, offsets, MPI_BYTE, MPI_COMM_WORLD);
}
