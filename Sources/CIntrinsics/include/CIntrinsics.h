/// What Swift cannot express: processor instructions, each with a portable fallback, and what runs when a binary is
/// loaded.
///
/// The functions are `static inline`, so each becomes an instruction in the Swift code that calls it.
/// The target processor decides which branch is compiled. `scripts/build` passes `-march=native`, which
/// selects PEXT and PDEP if the machine has them.
#ifndef LEARN2048_CINTRINSICS_H
#define LEARN2048_CINTRINSICS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__BMI2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

// The portable forms move one run of ones of the mask after the other. Nearly every mask of this
// package repeats the same sixteen bits four times, once for each bit plane. For these masks the runs
// of all four planes move together, in a quarter of the steps.

/// The lowest bit of each of the four planes. A 16-bit mask times this value is the mask in all planes.
#define CI_EACH_PLANE 0x0001000100010001ull

/// Returns the end of the lowest run of ones in a mask, given the mask plus its lowest one.
static inline unsigned ci_run_end(uint64_t carried) {
  // A run that ends at bit 63 carries out and leaves zero, for which ctz is undefined.
  return carried == 0 ? 64 : (unsigned)__builtin_ctzll(carried);
}

/// Does what ci_extract_bits does, without a special processor instruction.
static inline uint64_t ci_extract_bits_portable(uint64_t value, uint64_t mask) {
  uint64_t result = 0;
  unsigned gap = 0;  // zeros of the mask below the run
  unsigned end = 0;
  if (mask != (mask & 0xFFFF) * CI_EACH_PLANE) {
    while (mask != 0) {
      // Adding the lowest one carries through its run: that run vanishes, and the other runs stay.
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

/// Does what ci_deposit_bits does, without a special processor instruction.
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

/// Returns the bits of `value` selected by `mask`, packed at the low end (x86 PEXT).
static inline uint64_t ci_extract_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pext_u64(value, mask);
#else
  return ci_extract_bits_portable(value, mask);
#endif
}

/// Returns the low bits of `value`, spread over the bits set in `mask` (x86 PDEP).
static inline uint64_t ci_deposit_bits(uint64_t value, uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(value, mask);
#else
  return ci_deposit_bits_portable(value, mask);
#endif
}

/// Writes the numbers whose bits four planes and a high plane of sixteen bits hold, as sixteen bytes.
static inline void ci_store_bytes(uint64_t planes, uint16_t high, uint8_t *bytes) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  __m128i low = _mm_or_si128(
      _mm_maskz_set1_epi8((__mmask16)planes, 1), _mm_maskz_set1_epi8((__mmask16)(planes >> 16), 2));
  __m128i middle = _mm_or_si128(
      _mm_maskz_set1_epi8((__mmask16)(planes >> 32), 4), _mm_maskz_set1_epi8((__mmask16)(planes >> 48), 8));
  __m128i all = _mm_or_si128(_mm_or_si128(low, middle), _mm_maskz_set1_epi8(high, 16));
  _mm_storeu_si128((__m128i *)bytes, all);
#else
  for (int half = 0; half < 2; half++) {
    uint64_t word = 0;
    for (int bit = 0; bit < 5; bit++) {
      uint64_t plane = (bit < 4 ? planes >> 16 * bit : high) >> 8 * half & 0xFF;
      // Byte i keeps bit i, and an addition carries it into the highest bit of the byte.
      uint64_t own = plane * 0x0101010101010101ull & 0x8040201008040201ull;
      word |= ((own + 0x7F7F7F7F7F7F7F7Full) >> 7 & 0x0101010101010101ull) << bit;
    }
    for (int place = 0; place < 8; place++) bytes[8 * half + place] = (uint8_t)(word >> 8 * place);
  }
#endif
}

/// Returns bit `bit`, 0 to 7, of sixteen bytes as a plane of sixteen bits.
static inline uint16_t ci_plane_of_bytes(const uint8_t *bytes, int bit) {
#if defined(__SSE2__)
  __m128i all = _mm_loadu_si128((const __m128i *)bytes);
  return (uint16_t)_mm_movemask_epi8(_mm_slli_epi16(all, 7 - bit));
#else
  uint16_t plane = 0;
  for (int place = 0; place < 16; place++) plane |= (uint16_t)((bytes[place] >> bit & 1) << place);
  return plane;
#endif
}

/// Requests exclusive access to the cache line of `address`, because it will soon be written.
static inline void ci_prefetch_for_writing(const float *address) {
  __builtin_prefetch(address, 1, 3);
}

// Threads share weights without locks. An access to an aligned float is a single instruction on every processor
// that Swift supports. In loops it is volatile: the compiler must not split, invent or omit it. A relaxed atomic
// access is the same instruction, but the optimiser keeps no other value in a register across it, which takes a
// fifth to a quarter of the speed of training. Elsewhere, and under the thread sanitizer, accesses are atomic.

/// Loads a weight that other threads may be storing (relaxed atomic).
static inline float ci_load_atomic(const float *address) {
  float value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}

/// Stores a weight that other threads may be reading (relaxed atomic).
static inline void ci_store_atomic(float *address, float value) {
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CI_ATOMIC_WEIGHTS
#endif
#endif

/// Loads a weight that other threads may be storing, in a loop.
static inline float ci_load_relaxed(const float *address) {
#if defined(CI_ATOMIC_WEIGHTS)
  return ci_load_atomic(address);
#else
  return *(const volatile float *)address;
#endif
}

/// Stores a weight that other threads may be reading, in a loop.
static inline void ci_store_relaxed(float *address, float value) {
#if defined(CI_ATOMIC_WEIGHTS)
  ci_store_atomic(address, value);
#else
  *(volatile float *)address = value;
#endif
}

/// Loads a byte that other threads may be storing, in a loop.
static inline unsigned char ci_load_relaxed_byte(const unsigned char *address) {
#if defined(CI_ATOMIC_WEIGHTS)
  return __atomic_load_n(address, __ATOMIC_RELAXED);
#else
  return *(const volatile unsigned char *)address;
#endif
}

/// Stores a byte that other threads may be reading, in a loop.
static inline void ci_store_relaxed_byte(unsigned char *address, unsigned char value) {
#if defined(CI_ATOMIC_WEIGHTS)
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
#else
  *(volatile unsigned char *)address = value;
#endif
}

/// Returns `value`, and keeps the compiler from replacing the surrounding branch with a conditional
/// move.
static inline long ci_keep_branch(long value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

/// Hints to the processor that this loop waits for another thread.
static inline void ci_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Requests the cache line of `address`, because it will soon be read.
static inline void ci_prefetch(const void *address) {
  __builtin_prefetch(address, 0, 3);
}

/// Returns whether this process is the child of a fork, where work must not be shared between threads.
///
/// The locks of Swift 6.3.1 on Linux know their owner by the number of its thread. A thread that forks keeps in the child
/// the number that it had in the parent, so it can neither wait for another thread's lock nor hand over its own.
bool ci_is_forked(void);

/// Loads a word that other threads may be storing (relaxed atomic).
static inline uint64_t ci_load_relaxed_word(const uint64_t *address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

/// Stores a word that other threads may be reading (relaxed atomic).
static inline void ci_store_relaxed_word(uint64_t *address, uint64_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

/// Makes the moves of eight boards, given by planes and numbers; one that is not legal leaves its board and has no points.
///
/// Returns 0, and does nothing, if two tiles of 32768 might merge. No exponent may be above 15.
int ci_slide_eight(uint64_t *planes, const uint64_t *moves, uint64_t *points, int size);

/// Returns the masks of legal moves of eight boards: byte `i` is that of board `i`. No exponent may be above 15.
uint64_t ci_legal_moves_of_eight(const uint64_t *planes, uint16_t cells);

/// Returns the name of an instruction set that this code was compiled for but the running processor
/// lacks, or null if the processor has them all.
const char *ci_missing_instruction_set(void);

#endif
