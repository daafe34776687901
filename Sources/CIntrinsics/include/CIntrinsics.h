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

// The portable forms walk over the runs of ones in a mask. Nearly every mask of this package repeats
// the same sixteen bits four times, once for each bit plane; those masks move the runs of all four
// planes together and then pack the planes, in a quarter of the steps.

/// One in every sixteen bits: a 16-bit mask times this is the mask in all four planes.
#define CI_EACH_PLANE 0x0001000100010001ull

/// Where the lowest run of ones in a mask ends, from the mask with one added to that run.
static inline unsigned ci_run_end(uint64_t carried) {
  // A run that ends at bit 63 carries out and leaves zero, which has no lowest one to count to.
  return carried == 0 ? 64 : (unsigned)__builtin_ctzll(carried);
}

/// ``ci_extract_bits`` without a processor instruction for it.
static inline uint64_t ci_extract_bits_portable(uint64_t value, uint64_t mask) {
  uint64_t result = 0;
  unsigned gap = 0;  // zeros of the mask below the run
  unsigned end = 0;
  if (mask != (mask & 0xFFFF) * CI_EACH_PLANE) {
    while (mask != 0) {
      // Adding the lowest one carries through its run: the run vanishes, the other runs stay.
      uint64_t carried = mask + (mask & -mask);
      gap += (unsigned)__builtin_ctzll(mask) - end;
      end = ci_run_end(carried);
      result |= (value & mask & ~carried) >> gap;
      mask &= carried;
    }
    return result;
  }
  uint32_t plane = (uint32_t)mask & 0xFFFF;
  while (plane != 0) {
    uint32_t carried = plane + (plane & -plane);
    gap += (unsigned)__builtin_ctz(plane) - end;
    end = (unsigned)__builtin_ctz(carried);
    result |= (value & (plane & ~carried) * CI_EACH_PLANE) >> gap;
    plane &= carried;
  }
  gap += 16 - end;
  return (result & 0xFFFF) | (result & 0xFFFFull << 16) >> gap
      | (result & 0xFFFFull << 32) >> 2 * gap | (result & 0xFFFFull << 48) >> 3 * gap;
}

/// ``ci_deposit_bits`` without a processor instruction for it.
static inline uint64_t ci_deposit_bits_portable(uint64_t value, uint64_t mask) {
  uint64_t result = 0;
  unsigned gap = 0;
  unsigned end = 0;
  if (mask != (mask & 0xFFFF) * CI_EACH_PLANE) {
    while (mask != 0) {
      uint64_t carried = mask + (mask & -mask);
      gap += (unsigned)__builtin_ctzll(mask) - end;
      end = ci_run_end(carried);
      result |= (value << gap) & mask & ~carried;
      mask &= carried;
    }
    return result;
  }
  uint32_t plane = (uint32_t)mask & 0xFFFF;
  unsigned count = (unsigned)__builtin_popcount(plane);
  unsigned spread = 16 - count;
  uint64_t bits = (1ull << count) - 1;
  value = (value & bits) | (value & bits << count) << spread
      | (value & bits << 2 * count) << 2 * spread | (value & bits << 3 * count) << 3 * spread;
  while (plane != 0) {
    uint32_t carried = plane + (plane & -plane);
    gap += (unsigned)__builtin_ctz(plane) - end;
    end = (unsigned)__builtin_ctz(carried);
    result |= (value << gap) & (plane & ~carried) * CI_EACH_PLANE;
    plane &= carried;
  }
  return result;
}

/// The bits of `value` under `mask`, moved together at the low end (x86 PEXT).
static inline uint64_t ci_extract_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  return ci_extract_bits_portable(value, mask);
#endif
}

/// The low bits of `value`, spread over the bits set in `mask` (x86 PDEP).
static inline uint64_t ci_deposit_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(value, mask);
#else
  return ci_deposit_bits_portable(value, mask);
#endif
}

/// Asks for the cache line of `address` to be made this core's own, because it will soon be written.
static inline void ci_prefetch_for_writing(const float *address) {
  __builtin_prefetch(address, 1, 3);
}

// Weights are shared by threads without locks. A relaxed atomic access of an aligned float compiles to the
// same instruction as a plain one: a compiler may only neither split nor invent nor omit it.

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

/// The value itself, in such a way that a compiler does not replace the branch it is in by a
/// conditional move.
static inline long ci_keep_branch(long value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

/// Tells the processor that this is a loop that waits for another thread.
static inline void ci_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Asks for the cache line of `address`, because it will soon be read.
static inline void ci_prefetch_word(const uint64_t *address) {
  __builtin_prefetch(address, 0, 3);
}

/// A relaxed atomic load of a word that other threads may be storing.
static inline uint64_t ci_load_relaxed_word(const uint64_t *address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

/// A relaxed atomic store of a word that other threads may be reading.
static inline void ci_store_relaxed_word(uint64_t *address, uint64_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

/// The name of an instruction set that this code was compiled for and the running processor lacks,
/// or null if the program can run here.
const char *ci_missing_instruction_set(void);

#endif
