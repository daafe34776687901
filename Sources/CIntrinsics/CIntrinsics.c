#include "CIntrinsics.h"

const char *ci_missing_instruction_set(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) return "AVX-512F";
#endif
#if defined(__AVX512VL__)
  if (!__builtin_cpu_supports("avx512vl")) return "AVX-512VL";
#endif
#if defined(__AVX512BW__)
  if (!__builtin_cpu_supports("avx512bw")) return "AVX-512BW";
#endif
#if defined(__AVX512DQ__)
  if (!__builtin_cpu_supports("avx512dq")) return "AVX-512DQ";
#endif
#if defined(__AVX512VBMI2__)
  if (!__builtin_cpu_supports("avx512vbmi2")) return "AVX-512VBMI2";
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) return "AVX2";
#endif
#if defined(__FMA__)
  if (!__builtin_cpu_supports("fma")) return "FMA";
#endif
#if defined(__BMI2__)
  if (!__builtin_cpu_supports("bmi2")) return "BMI2";
#endif
#if defined(__BMI__)
  if (!__builtin_cpu_supports("bmi")) return "BMI1";
#endif
#if defined(__POPCNT__)
  if (!__builtin_cpu_supports("popcnt")) return "POPCNT";
#endif
#endif
  return 0;
}

// Runs before any other code of the program, so that a binary that was copied to an older machine
// reports the missing instruction set instead of crashing on an illegal instruction.
#include <unistd.h>

__attribute__((constructor)) static void refuse_unsuitable_processor(void) {
  const char *missing = ci_missing_instruction_set();
  if (missing == 0) return;
  static const char before[] = "learn2048: this binary was built for a processor with ";
  static const char after[] =
      ", which this one lacks.\nBuild it on this machine with scripts/build.\n";
  unsigned length = 0;
  while (missing[length] != 0) length++;
  ssize_t written = write(2, before, sizeof before - 1);
  written = write(2, missing, length);
  written = write(2, after, sizeof after - 1);
  (void)written;
  _exit(70);
}
