/* Prints, for each board of standard input, the best move, and the reward, value and afterstate of each direction. */
#include "learn2048.h"

#include <stdio.h>
#include <string.h>

static const char digits[] = "0123456789ABCDEFGHI";

int main(int count, char **arguments) {
  learn2048_model *model = count == 2 ? learn2048_open(arguments[1]) : NULL;
  char text[64];
  if (model == NULL) {
    fputs("cannot read the model\n", stderr);
    return 1;
  }
  while (scanf("%63s", text) == 1) {
    unsigned char board[16], after[16];
    for (int cell = 0; cell < 16; cell++) board[cell] = (unsigned char)(strchr(digits, text[cell]) - digits);
    printf("%d", learn2048_best_move(model, board));
    for (int direction = 0; direction < 4; direction++) {
      const long reward = learn2048_slide(board, direction, after);
      printf(" %ld %.17g ", reward, reward < 0 ? 0 : learn2048_value(model, after));
      for (int cell = 0; cell < 16; cell++) putchar(digits[after[cell]]);
    }
    putchar('\n');
  }
  learn2048_close(model);
  return 0;
}
