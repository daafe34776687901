/// The processor instructions that Swift has no spelling for, each with a portable fallback.
///
/// Every function here is `static inline`, so that it becomes an instruction in the Swift code that
/// calls it. Which branch is compiled follows the target processor: `-march=native`, as
/// `scripts/build` passes it, selects PEXT and PDEP where the machine has them.
#ifndef LEARN2048_CINTRINSICS_H
#define LEARN2048_CINTRINSICS_H

#include <stdint.h>

#if defined(__BMI2__)
#include <immintrin.h>
#endif

/// The bits of `value` under `mask`, moved together at the low end (x86 PEXT).
static inline uint64_t ci_extract_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  // One step for each run of ones in the mask: masks here have 4 to 16 runs.
  uint64_t result = 0;
  unsigned position = 0;
  while (mask != 0) {
    unsigned start = (unsigned)__builtin_ctzll(mask);
    uint64_t shifted = mask >> start;
    unsigned length = ~shifted == 0 ? 64 : (unsigned)__builtin_ctzll(~shifted);
    uint64_t run = length == 64 ? ~0ull : (1ull << length) - 1;
    result |= ((value >> start) & run) << position;
    position += length;
    mask &= ~(run << start);
  }
  return result;
#endif
}

/// The low bits of `value`, spread over the bits set in `mask` (x86 PDEP).
static inline uint64_t ci_deposit_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(value, mask);
#else
  uint64_t result = 0;
  while (mask != 0) {
    unsigned start = (unsigned)__builtin_ctzll(mask);
    uint64_t shifted = mask >> start;
    unsigned length = ~shifted == 0 ? 64 : (unsigned)__builtin_ctzll(~shifted);
    uint64_t run = length == 64 ? ~0ull : (1ull << length) - 1;
    result |= (value & run) << start;
    value = length == 64 ? 0 : value >> length;
    mask &= ~(run << start);
  }
  return result;
#endif
}

/// A relaxed atomic load of a weight that other threads may be storing.
static inline float ci_load_relaxed(const float *address) {
  float value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}

/// A relaxed atomic store of a weight that other threads may be reading.
static inline void ci_store_relaxed(float *address, float value) {
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

/// The name of an instruction set that this code was compiled for and the running processor lacks,
/// or null if the program can run here.
const char *ci_missing_instruction_set(void);

#endif
