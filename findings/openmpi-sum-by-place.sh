#!/usr/bin/env bash
# Expected: MPI_Allreduce adds each element of a vector in the same order, so equal elements have equal sums.
# Seen: with Open MPI and 3 ranks, the sum depends on the place and on the length of the message. Every element adds
# 0.3, 0.7 and 0.9: in a message of 1,000 floats all sums are equal, in one of 1,500 each third has another sum. All
# ranks and repetitions agree. With 4 ranks, and with MPICH, all sums are equal.
# Versions: Open MPI 4.1.4-3 and MPICH 4.0.2-3 of Debian 12, on one machine.
# Why it matters: whoever sums weight changes of several ranks with it gets other weights if the tables are sent in
# other pieces, or by the other library. To repeat a run, exchange the terms and add them in a fixed order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

require() { # PACKAGE VERSION
  local found
  found=$(dpkg-query --show --showformat '${Version}' "$1" 2>/dev/null) || found=none
  echo "$1 $found"
  case "$found" in "$2"*) ;; *) echo "this tests $1 $2 of Debian 12: install it with apt-get install $1"; exit 1 ;; esac
}
require openmpi-bin 4.1.4-3
require libopenmpi-dev 4.1.4-3
require mpich 4.0.2-3
require libmpich-dev 4.0.2-3
command -v gcc >/dev/null || { echo "gcc is missing"; exit 1; }

cat >"$folder/sum.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float terms[4] = {0.3f, 0.7f, 0.9f, 0.1f};

/* Prints the sums by place, and whether ranks and repetitions agree. */
static void sum(int rank, int ranks, int count) {
  size_t bytes = count * sizeof(float);
  float *x = malloc(bytes), *y = malloc(bytes), *again = malloc(bytes), *all = malloc(bytes * ranks);
  for (int i = 0; i < count; i++) x[i] = terms[rank];
  MPI_Allreduce(x, y, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  int agree = 1, everywhere;
  for (int repetition = 0; repetition < 20; repetition++) {
    MPI_Allreduce(x, again, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    agree &= memcmp(y, again, bytes) == 0;
  }
  MPI_Reduce(&agree, &everywhere, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Gather(y, count, MPI_FLOAT, all, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int other = 1; other < ranks; other++) everywhere &= memcmp(all, all + (size_t)other * count, bytes) == 0;
    printf("%d ranks, %6d floats, %s:", ranks, count, everywhere ? "repeats" : "does not repeat");
    for (int start = 0, i = 1; i <= count; i++)
      if (i == count || y[i] != y[start]) {
        printf(" %d x %.9g", i - start, y[start]);
        start = i;
      }
    printf("\n");
    fflush(stdout);
  }
  free(x), free(y), free(again), free(all);
}

int main(int argc, char **argv) {
  int rank, ranks, counts[] = {1000, 1500, 100000};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 3; i++) sum(rank, ranks, counts[i]);
  MPI_Finalize();
}
END
mpicc.openmpi -O1 -o "$folder/openmpi" "$folder/sum.c"
mpicc.mpich -O1 -o "$folder/mpich" "$folder/sum.c"
# Open MPI does not start as root without these.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
for ranks in 3 4; do
  timeout 120 mpiexec.openmpi --oversubscribe -n "$ranks" "$folder/openmpi" | sed 's/^/Open MPI, /'
  timeout 120 mpiexec.mpich -n "$ranks" "$folder/mpich" | sed 's/^/MPICH, /'
done | tee "$folder/output"

# One sum in each message, but three in the one of 1,500 floats from 3 ranks of Open MPI.
awk '
  / repeats:/ { lines++ }
  / x .* x / { split_messages++ }
  /^Open MPI, 3 ranks,   1500 floats.* 500 x .* 500 x .* 500 x / { stated++ }
  END { exit !(lines == 12 && split_messages == 1 && stated == 1) }
' "$folder/output" || { echo "this differs from the head comment"; exit 1; }
