// One move of eight boards at once, with bit operations on planes instead of a table. A batch of environments takes moves
// from all over the board, so that look-ups of eight boards have nothing in common.
//
// In C, because Swift 6.3 compiles operators of SIMD8 element by element, and the optimiser puts only short functions
// together again.

#include "CIntrinsics.h"

// How functions of other files would be called depends on the processor; vectors stay in this one.
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint64_t Boards __attribute__((ext_vector_type(8), aligned(8)));

/// The first cell of each row, in all planes.
#define FIRST_CELLS 0x1111111111111111ull

/// Returns the boards with rows and columns exchanged, where a mask is set.
static inline Boards transposed(Boards planes, Boards where) {
  Boards odd = (planes ^ planes >> 3) & 0x0A0A0A0A0A0A0A0Aull;
  Boards swapped = planes ^ odd ^ odd << 3;
  Boards corner = (swapped ^ swapped >> 6) & 0x00CC00CC00CC00CCull;
  return planes ^ ((planes ^ swapped ^ corner ^ corner << 6) & where);
}

/// Returns the boards mirrored left to right, where a mask is set. Those of fewer columns stay at the left.
static inline Boards mirrored(Boards planes, uint64_t unused_columns, Boards where) {
  Boards pairs = (planes >> 1 & 0x5555555555555555ull) | (planes & 0x5555555555555555ull) << 1;
  Boards lines = (pairs >> 2 & 0x3333333333333333ull) | (pairs & 0x3333333333333333ull) << 2;
  return planes ^ ((planes ^ lines >> unused_columns) & where);
}

/// Returns the cells that have a bit in any plane, in all planes.
static inline Boards in_all_planes(Boards planes) {
  Boards pairs = planes | planes >> 32 | planes << 32;
  return pairs | pairs >> 16 | pairs << 48;
}

/// Returns boards in which the cells of `gaps`, at one place of their rows, and all behind them have what the next has.
static inline Boards closed(Boards planes, Boards gaps, int place) {
  // From the place to the end of the row.
  Boards moving = (gaps << (4 - place)) - gaps;
  return (planes & ~moving) | (planes >> 1 & moving & 0x7777777777777777ull);
}

/// Returns boards in which everything behind an empty cell at a place has moved up by one.
static inline Boards filled(Boards planes, int place) {
  return closed(planes, ~in_all_planes(planes) & FIRST_CELLS << place, place);
}

/// Returns 1 where a word is not 0.
static inline Boards is_set(Boards words) { return -words >> 63; }

/// Returns the points of merges in these cells, which still have the exponents before them.
static inline Boards points_of(Boards planes, Boards merged) {
  Boards points = 0;
  // As often as the board with the most merges needs it: seldom more than twice.
  while (__builtin_reduce_or(merged) != 0) {
    Boards cell = merged & -merged;
    Boards exponents = 1;
    for (int bit = 0; bit < 4; bit++) exponents += is_set(planes >> 16 * bit & cell) << bit;
    points += is_set(cell) << exponents;
    merged &= merged - 1;
  }
  return points;
}

int ci_slide_eight(uint64_t *planes, const uint64_t *moves, uint64_t *points, int size) {
  Boards all = *(const Boards *)planes;
  Boards fifteens = all & all >> 32;
  fifteens &= fifteens >> 16 & 0xFFFF;
  if (__builtin_reduce_or(fifteens & (fifteens - 1)) != 0) return 0;
  Boards numbers = *(const Boards *)moves;
  // Turned boards slide towards the first cell of each row.
  Boards is_vertical = (numbers >> 1) - 1;
  Boards is_towards_last = -(numbers & 1);
  all = mirrored(transposed(all, is_vertical), 4 - size, is_towards_last);
  all = filled(filled(filled(all, 2), 1), 0);
  // A tile merges with an equal one behind it, unless that has merged with the one before.
  Boards equal = in_all_planes(all) & ~in_all_planes(all ^ all >> 1);
  Boards first = equal & FIRST_CELLS;
  Boards second = equal & FIRST_CELLS << 1 & ~(first << 1);
  Boards third = equal & FIRST_CELLS << 2 & ~(second << 1);
  Boards carry = (first | second | third) & 0xFFFF;
  *(Boards *)points = points_of(all, carry);
  for (int bit = 0; bit < 4; bit++) {
    Boards next = all & carry;
    all ^= carry;
    carry = next << 16;
  }
  all = closed(closed(all & ~(third << 1), second << 1, 2), first << 1, 1);
  *(Boards *)planes = transposed(mirrored(all, 4 - size, is_towards_last), is_vertical);
  return 1;
}

/// Returns in each word two masks of cells from which a tile can move: in bits 0 to 15 towards the first cell of its line,
/// and in bits 16 to 31 towards the last.
static inline Boards movable(Boards planes, Boards occupied, int distance, uint64_t pairs) {
  Boards following = occupied >> distance;
  Boards equal = occupied & ~in_all_planes(planes ^ planes >> distance);
  Boards towards_first = ((~occupied & following) | equal) & pairs;
  Boards towards_last = ((occupied & ~following) | equal) & pairs;
  return towards_first | towards_last << 16;
}

uint64_t ci_legal_moves_of_eight(const uint64_t *planes, uint16_t cells) {
  Boards all = *(const Boards *)planes;
  Boards occupied = in_all_planes(all) & 0xFFFF;
  Boards columns = movable(all, occupied, 4, cells & cells >> 4);
  Boards rows = movable(all, occupied, 1, cells & cells >> 1 & 0x7777);
  Boards moves = columns | rows << 32;
  // Sixteen bits are not 0 if the highest is set, or an addition to the others carries into it.
  Boards legal = (moves | ((moves & 0x7FFF7FFF7FFF7FFFull) + 0x7FFF7FFF7FFF7FFFull)) >> 15;
  legal &= CI_EACH_PLANE;
  // Bits 0, 16, 32 and 48 go to bits 0 to 3.
  Boards masks = (legal | legal >> 15 | legal >> 30 | legal >> 45) & 15;
  const Boards places = {0, 8, 16, 24, 32, 40, 48, 56};
  return __builtin_reduce_or(masks << places);
}
