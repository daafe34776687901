/* Plays 2048 with a model that learn2048 has trained. scripts/export/model writes the model.
 *
 * A board is 16 exponents, row by row: 0 is an empty cell, 1 is the tile 2, 11 is 2048. An afterstate is a board
 * after a slide and before the new tile. Any number of threads may use a model at the same time.
 */
#ifndef LEARN2048_H
#define LEARN2048_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct learn2048_model learn2048_model;

enum { LEARN2048_UP, LEARN2048_DOWN, LEARN2048_LEFT, LEARN2048_RIGHT };

/* Reads model.bin. Returns NULL if the file cannot be read, is not a model or does not fit into memory. */
learn2048_model *learn2048_open(const char *path);

/* Frees a model. */
void learn2048_close(learn2048_model *model);

/* Returns the value of an afterstate: the points expected from it on. */
double learn2048_value(const learn2048_model *model, const unsigned char afterstate[16]);

/* Returns the direction with the largest sum of reward and value, or -1 if no move is legal. */
int learn2048_best_move(const learn2048_model *model, const unsigned char board[16]);

/* Slides a board. Returns the reward in points, or -1 if the slide changes nothing and is not a legal move. Two tiles of
 * 131072 do not merge. */
long learn2048_slide(const unsigned char board[16], int direction, unsigned char afterstate[16]);

#ifdef __cplusplus
}
#endif

#endif
