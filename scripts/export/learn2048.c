/* See learn2048.h. This is C99 and needs no other library. */
#include "learn2048.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x4D383432, VERSION = 3, MOST_PATTERNS = 4096, MOST_CELLS = 8 };

typedef struct {
  const uint32_t *bits;    /* one bit per entry: whether its weight is not 0 */
  const uint32_t *levels;  /* the different weights, or NULL if the weights are not numbered */
  const uint32_t *weights; /* the weights that are not 0: two numbers to a word, or a float in each */
  uint32_t *before;        /* the number of weights before each word of bits */
} lookup_table;

typedef struct {
  uint32_t count;
  const uint32_t *cells;
} cell_pattern;

struct learn2048_model {
  uint32_t *words; /* the content of the file */
  uint32_t pattern_count, stage_count;
  uint32_t tiles;  /* a bit for the exponent of each tile with which a stage begins */
  int downgrading; /* the exponent from which boards are read downgraded; 0 for none */
  const uint32_t *offsets; /* for each largest exponent from there to 15: a float per missing one, 0 to 15, and as many for pairs */
  cell_pattern *patterns;
  lookup_table *tables; /* those of stage 0, then those of stage 1, and so on */
};

/* Reading */

typedef struct {
  const uint32_t *next;
  size_t left;
} reader;

/* Returns the next words, or NULL if there are fewer. */
static const uint32_t *take(reader *from, size_t count) {
  const uint32_t *words = from->next;
  if (count > from->left) return NULL;
  from->next += count;
  from->left -= count;
  return words;
}

static uint32_t bit_count(uint32_t word) {
  word -= word >> 1 & 0x55555555;
  word = (word & 0x33333333) + (word >> 2 & 0x33333333);
  return (((word + (word >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24;
}

/* Reads a file into words, whatever the byte order of this machine. */
static uint32_t *read_words(const char *path, size_t *count) {
  FILE *file = fopen(path, "rb");
  uint32_t *words = NULL;
  long length;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && length % 4 == 0 && fseek(file, 0, SEEK_SET) == 0) {
    *count = (size_t)length / 4;
    words = malloc((size_t)length);
    if (words != NULL && fread(words, 4, *count, file) != *count) {
      free(words);
      words = NULL;
    }
  }
  fclose(file);
  if (words == NULL) return NULL;
  for (size_t place = 0; place < *count; place++) {
    unsigned char bytes[4];
    memcpy(bytes, words + place, 4);
    words[place] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
  }
  return words;
}

/* Reads a table. Checks everything on which a look-up relies. */
static int read_table(reader *from, uint32_t cell_count, lookup_table *table) {
  const size_t entries = (size_t)1 << 4 * cell_count, bit_words = entries < 32 ? 1 : entries / 32;
  const uint32_t *counts = take(from, 2);
  if (counts == NULL) return 0;
  const uint32_t kept = counts[0], level_count = counts[1];
  table->bits = take(from, bit_words);
  table->levels = level_count > 0 ? take(from, level_count) : NULL;
  if (table->bits == NULL || (level_count > 0 && table->levels == NULL)) return 0;
  table->weights = take(from, level_count > 0 ? ((size_t)kept + 1) / 2 : kept);
  table->before = malloc(bit_words * sizeof *table->before);
  if (table->weights == NULL || table->before == NULL) return 0;
  uint32_t total = 0;
  for (size_t word = 0; word < bit_words; word++) {
    table->before[word] = total;
    total += bit_count(table->bits[word]);
  }
  if (total != kept) return 0;
  for (uint32_t place = 0; level_count > 0 && place < kept; place++) {
    if ((table->weights[place / 2] >> 16 * (place % 2) & 0xFFFF) >= level_count) return 0;
  }
  return 1;
}

static int read_model(learn2048_model *model, reader from) {
  const uint32_t *header = take(&from, 5);
  if (header == NULL || header[0] != MAGIC || header[1] != VERSION) return 0;
  model->pattern_count = header[2];
  model->tiles = header[3];
  if (model->pattern_count < 1 || model->pattern_count > MOST_PATTERNS) return 0;
  if (model->tiles > 0xFFFF || header[4] > 15) return 0;
  model->stage_count = bit_count(model->tiles) + 1;
  model->downgrading = (int)header[4];
  model->offsets = take(&from, model->downgrading ? 32 * (16 - (size_t)model->downgrading) : 0);
  if (model->offsets == NULL) return 0;

  model->patterns = calloc(model->pattern_count, sizeof *model->patterns);
  model->tables = calloc((size_t)model->stage_count * model->pattern_count, sizeof *model->tables);
  if (model->patterns == NULL || model->tables == NULL) return 0;
  for (uint32_t place = 0; place < model->pattern_count; place++) {
    const uint32_t *count = take(&from, 1);
    if (count == NULL || *count < 1 || *count > MOST_CELLS) return 0;
    model->patterns[place].count = *count;
    model->patterns[place].cells = take(&from, *count);
    if (model->patterns[place].cells == NULL) return 0;
    for (uint32_t cell = 0; cell < *count; cell++) {
      if (model->patterns[place].cells[cell] > 15) return 0;
    }
  }
  for (uint32_t place = 0; place < model->stage_count * model->pattern_count; place++) {
    const uint32_t cell_count = model->patterns[place % model->pattern_count].count;
    if (!read_table(&from, cell_count, &model->tables[place])) return 0;
  }
  return from.left == 0;
}

learn2048_model *learn2048_open(const char *path) {
  size_t count = 0;
  learn2048_model *model = calloc(1, sizeof *model);
  if (model == NULL) return NULL;
  model->words = read_words(path, &count);
  if (model->words == NULL || !read_model(model, (reader){model->words, count})) {
    learn2048_close(model);
    return NULL;
  }
  return model;
}

void learn2048_close(learn2048_model *model) {
  if (model == NULL) return;
  for (size_t place = 0; model->tables && place < (size_t)model->stage_count * model->pattern_count; place++) {
    free(model->tables[place].before);
  }
  free(model->tables);
  free(model->patterns);
  free(model->words);
  free(model);
}

/* Values */

/* Halves the largest tiles until the largest one is below a threshold, or no tile from 64 on is missing. A step
 * halves the tiles above the largest missing one, whose exponent counts as 5 if none is missing. Returns the sum of the
 * offsets of the steps, which also depend on whether the tile above the missing one is there twice. */
static float downgrade(const learn2048_model *model, unsigned char exponents[16], int threshold) {
  int largest = 0;
  float sum = 0;
  for (int cell = 0; cell < 16; cell++) {
    if (exponents[cell] > largest) largest = exponents[cell];
  }
  for (; largest >= threshold; largest--) {
    uint32_t present = 0, twice = 0;
    for (int cell = 0; cell < 16; cell++) {
      const uint32_t bit = (uint32_t)1 << exponents[cell];
      twice |= present & bit;
      present |= bit;
    }
    int missing = largest - 1;
    while (missing >= 6 && present >> missing & 1) missing--;
    if (largest < 16) {
      const int is_rising = missing >= 6 && twice >> (missing + 1) & 1;
      const int place = 32 * (largest - model->downgrading) + 16 * is_rising + missing;
      float offset;
      memcpy(&offset, model->offsets + place, sizeof offset);
      sum += offset;
    }
    if (missing < 6) break;
    for (int cell = 0; cell < 16; cell++) {
      if (exponents[cell] > missing) exponents[cell]--;
    }
  }
  return sum;
}

static uint32_t stage_of(const learn2048_model *model, const unsigned char exponents[16]) {
  uint32_t largest = 0;
  for (int cell = 0; cell < 16; cell++) {
    if (exponents[cell] > largest) largest = exponents[cell];
  }
  return bit_count(model->tiles & (((uint32_t)2 << largest) - 1));
}

/* The weight at the exponents of a pattern's cells, 0 if the table has none. */
static float entry(const lookup_table *table, const unsigned char *exponents, uint32_t count) {
  size_t index = 0;
  for (uint32_t cell = 0; cell < count; cell++) index = index << 4 | exponents[cell];
  const uint32_t word = table->bits[index / 32], bit = index % 32;
  if (!(word >> bit & 1)) return 0;
  const uint32_t place = table->before[index / 32] + bit_count(word & (((uint32_t)1 << bit) - 1));
  const uint32_t *found = table->weights + place;
  float weight;
  if (table->levels) found = table->levels + (table->weights[place / 2] >> 16 * (place % 2) & 0xFFFF);
  memcpy(&weight, found, sizeof weight);
  return weight;
}

/* The weight that a stage reads: if it has not learned it, that of the stage before. */
static float weight(const learn2048_model *model, uint32_t stage, uint32_t place,
                    const unsigned char *exponents) {
  const uint32_t count = model->patterns[place].count;
  for (;; stage--) {
    const float found = entry(&model->tables[stage * model->pattern_count + place], exponents, count);
    if (found != 0 || stage == 0) return found;
  }
}

/* The cell of an image that shows a cell of the board. */
static int image_cell(int image, int cell) {
  int row = cell / 4, column = cell % 4;
  if (image & 4) {
    const int other = row;
    row = column;
    column = other;
  }
  if (image & 2) row = 3 - row;
  if (image & 1) column = 3 - column;
  return 4 * row + column;
}

double learn2048_value(const learn2048_model *model, const unsigned char afterstate[16]) {
  unsigned char board[16], cells[MOST_CELLS];
  memcpy(board, afterstate, 16);
  for (int cell = 0; cell < 16; cell++) {
    if (board[cell] > 31) board[cell] = 31;
  }
  if (model->downgrading) downgrade(model, board, 16);
  for (int cell = 0; cell < 16; cell++) {
    if (board[cell] > 15) board[cell] = 15;
  }
  const uint32_t stage = stage_of(model, board);
  double sum = model->downgrading ? downgrade(model, board, model->downgrading) : 0;
  for (uint32_t place = 0; place < model->pattern_count; place++) {
    const cell_pattern *pattern = &model->patterns[place];
    for (int image = 0; image < 8; image++) {
      for (uint32_t cell = 0; cell < pattern->count; cell++) {
        cells[cell] = board[image_cell(image, (int)pattern->cells[cell])];
      }
      sum += weight(model, stage, place, cells);
    }
  }
  return sum;
}

/* Moves */

long learn2048_slide(const unsigned char board[16], int direction, unsigned char afterstate[16]) {
  const int is_vertical = direction == LEARN2048_UP || direction == LEARN2048_DOWN;
  const int is_reversed = direction == LEARN2048_DOWN || direction == LEARN2048_RIGHT;
  const int step = is_vertical ? 4 : 1, line_step = is_vertical ? 1 : 4;
  long reward = 0;
  memset(afterstate, 0, 16);
  for (int line = 0; line < 4; line++) {
    int place = -1, can_merge = 0;
    for (int cell = 0; cell < 4; cell++) {
      const int from = line * line_step + step * (is_reversed ? 3 - cell : cell);
      if (board[from] == 0) continue;
      const int last = line * line_step + step * (is_reversed ? 3 - place : place);
      if (can_merge && afterstate[last] == board[from] && board[from] < 17) {
        afterstate[last]++;
        reward += 1L << afterstate[last];
        can_merge = 0;
      } else {
        place++;
        afterstate[line * line_step + step * (is_reversed ? 3 - place : place)] = board[from];
        can_merge = 1;
      }
    }
  }
  return memcmp(board, afterstate, 16) == 0 ? -1 : reward;
}

int learn2048_best_move(const learn2048_model *model, const unsigned char board[16]) {
  int best = -1;
  double best_sum = 0;
  for (int direction = LEARN2048_UP; direction <= LEARN2048_RIGHT; direction++) {
    unsigned char afterstate[16];
    const long reward = learn2048_slide(board, direction, afterstate);
    if (reward < 0) continue;
    const double sum = (double)reward + learn2048_value(model, afterstate);
    if (best < 0 || sum > best_sum) {
      best = direction;
      best_sum = sum;
    }
  }
  return best;
}
