/// The C interface of learn2048: environments, networks, players and reviews.
///
/// Functions return LEARN2048_OK or another status. After a failure, learn2048_text returns the reason in words; the
/// functions that "give a text" leave their result there. Both belong to the calling thread.
///
/// Objects are handles: positive numbers that are never used twice. A closed or invented handle is an error. An object
/// lives until all calls that use it have returned.
///
/// A board is 16 bytes, row by row: the exponents of its tiles, 0 for an empty cell. A move is 0 (up), 1 (down), 2 (left)
/// or 3 (right). An array is given with its number of elements, such as boards; a null pointer is an error unless
/// "or null" says otherwise. Arrays need no alignment beyond that of their type, and must not overlap.
///
/// Thread safety: any thread may call. Calls that change the same environments exclude each other with LEARN2048_BUSY.
/// A process may fork; in the child, a call uses its own thread only.
#ifndef LEARN2048C_H
#define LEARN2048C_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a function returns.
enum {
  LEARN2048_OK = 0,
  /// An argument is wrong, or the call asks for something that cannot be done.
  LEARN2048_USAGE = 1,
  /// The handle is closed, or of an object of another kind.
  LEARN2048_CLOSED = 2,
  /// Another thread uses the object.
  LEARN2048_BUSY = 3,
  /// A file is damaged, or holds what this library cannot use.
  LEARN2048_DATA = 4,
  /// A file does not exist, or may not be read.
  LEARN2048_MISSING = 5,
  /// Writing or reading a file failed.
  LEARN2048_IO = 6,
  /// Something does not fit into memory.
  LEARN2048_MEMORY = 7
};

typedef int64_t learn2048_handle;

// MARK: Library

/// Returns the text of the last failure or result of this thread, which ends with a zero byte.
///
/// It stays valid until the next call of this thread. `length`, or null, receives its bytes without the zero.
const char *learn2048_text(int64_t *length);

/// Prepares the library, and gives its version as a text.
///
/// `home` is a directory whose `Models` has the model `default`, or null.
int32_t learn2048_start(const char *home);

/// Closes an object.
int32_t learn2048_close(learn2048_handle object);

/// Makes another handle of an object, which lives until both are closed.
int32_t learn2048_share(learn2048_handle object, learn2048_handle *shared);

// MARK: Boards

/// Reads a board from a text.
///
/// Docs/Tasks/Play.md lists what is read. `board` receives 16 exponents.
int32_t learn2048_board(const char *text, uint8_t *board);

/// Computes the four moves of boards.
///
/// `size` is the number of rows: 2, 3 or 4. `afterstates` receives `4 count` boards, `rewards` `4 count` points, and
/// `legal` `4 count` bytes, 1 for a move that changes the board. A move that is not legal has the board itself and 0.
int32_t learn2048_moves(
    int32_t size, const uint8_t *boards, int64_t count, uint8_t *afterstates, int32_t *rewards, uint8_t *legal,
    int32_t threads);

// MARK: Environments

/// What environments do with a move that is not legal.
enum {
  /// Reject the step of all environments.
  LEARN2048_REFUSE = 0,
  /// Leave the board as it is.
  LEARN2048_NO_OPERATION = 1,
  /// End the episode.
  LEARN2048_END = 2
};

/// When an environment starts another episode by itself.
enum {
  LEARN2048_NO_RESET = 0,
  /// At the step after the end, whose move is ignored.
  LEARN2048_NEXT_STEP = 1,
  /// At the end itself.
  LEARN2048_SAME_STEP = 2
};

typedef struct {
  /// The number of environments, 1 to 2^24.
  int64_t count;
  /// The number of rows of a board: 2, 3 or 4.
  int32_t size;
  /// The number of tiles at the start: 1 or 2.
  int32_t start_tiles;
  double four_probability;
  int32_t illegal_moves;
  /// The reward of a move that is not legal.
  float illegal_reward;
  int32_t automatic_reset;
  /// The exponent of the tile that ends an episode when it is made, or 0 for none.
  int32_t goal_exponent;
  /// The number of threads.
  int32_t threads;
} learn2048_environment_options;

/// What environments show after a reset or a step; each pointer may be null.
typedef struct {
  /// `16 count` exponents.
  uint8_t *boards;
  /// `4 count` bytes, 1 for a legal move.
  uint8_t *legal;
  /// `count` rewards of the step, in points.
  float *rewards;
  /// `count` bytes, 1 if the step has ended the episode.
  uint8_t *terminated;
  /// `count` scores, in points: after the step and before an automatic reset.
  int32_t *scores;
  /// `16 count` exponents after the step and before an automatic reset, written where the episode has ended.
  uint8_t *final_boards;
} learn2048_view;

/// Creates environments, which take moves after a reset.
int32_t learn2048_environments_open(
    const learn2048_environment_options *options, learn2048_handle *environments);

/// Starts episodes.
///
/// `selected`, or null for all environments, has `count` bytes; 0 leaves an environment as it is. With `seeds`, or null,
/// the episodes of an environment begin again with the first of its seed. Without it, its next episode begins. `boards`,
/// or null, are boards to start from.
int32_t learn2048_environments_reset(
    learn2048_handle environments, int64_t count, const uint8_t *selected, const uint64_t *seeds, const uint8_t *boards,
    const learn2048_view *view);

/// Plays a move in every environment. If it fails, no environment has changed.
int32_t learn2048_environments_step(
    learn2048_handle environments, int64_t count, const int64_t *moves, const learn2048_view *view);

/// Draws a legal move for every environment, which depends on the seed, the episode and the number of moves; 0 after the
/// end of an episode.
int32_t learn2048_environments_sample(learn2048_handle environments, int64_t count, int64_t *moves);

// MARK: Networks

/// Loads the network of a MODEL text, such as `default`, a run, or the path of a weight file.
int32_t learn2048_network_load(const char *model, learn2048_handle *network);

/// Creates a network whose weights are 0. `configuration` is that of a training run, of which the keys `game` and
/// `network` count.
int32_t learn2048_network_create(const char *configuration, learn2048_handle *network);

/// Gives a JSON text: the patterns, the size of the board, the stages, the tables and the number of weights. An index of a
/// table has, for bit `k` of the exponent in listed cell `c`, bit `k n + places[c]`, with the number `n` of cells.
int32_t learn2048_network_describe(learn2048_handle network);

/// Writes a weight file. Updates wait until it is written, with LEARN2048_BUSY.
int32_t learn2048_network_save(learn2048_handle network, const char *path);

/// Computes the values of afterstates, in points.
int32_t learn2048_network_values(
    learn2048_handle network, const uint8_t *boards, int64_t count, float *values, int32_t threads);

/// Moves the value of each afterstate by a share of its error, in points.
///
/// `method` is an update rule of training, such as `td` or `tc`. With one thread, the result does not depend on anything
/// else; with several, an update that another thread overtakes is lost.
int32_t learn2048_network_update(
    learn2048_handle network, const uint8_t *boards, const float *errors, int64_t count, double learning_rate,
    const char *method, int32_t threads);

/// Gives the address and the number of the weights, which stay in place until the network is closed.
int32_t learn2048_network_weights(learn2048_handle network, float **weights, int64_t *count);

// MARK: Players

/// Makes a player of a PLAYER text, such as `learned:depth=3`, and gives its canonical text.
///
/// `network` is that of a player which names no model, or 0 for the model `default`.
int32_t learn2048_player_open(const char *text, learn2048_handle network, learn2048_handle *player);

/// Computes the action values of boards, as `learn2048 analyze` does.
///
/// `values` receives `4 count` values in the player's unit, NaN for a move that is not legal or has none. `best` receives
/// `count` moves, -1 without a legal one.
int32_t learn2048_player_moves(
    learn2048_handle player, const uint8_t *boards, int64_t count, double *values, int8_t *best, int32_t threads);

typedef struct {
  int64_t score;
  int64_t moves;
  int32_t largest_exponent;
  /// The rules: the number of rows, and the probability of a 4.
  int32_t size;
  double four_probability;
} learn2048_game;

/// Plays game number `game`, from 0, of a seed as `learn2048 evaluate` does, and gives the record of the game: bytes,
/// which may be zero.
int32_t learn2048_player_play(learn2048_handle player, uint64_t seed, int64_t game, learn2048_game *result);

/// Replays a record.
///
/// `boards` receives the board before each move and the last one, `moves` and `rewards` the moves and their points.
/// `capacity` is the number of moves that fit; without them, only `result` is written.
int32_t learn2048_game_replay(
    const uint8_t *record, int64_t length, int32_t size, double four_probability, uint8_t *boards, int64_t *moves,
    int32_t *rewards, int64_t capacity, learn2048_game *result);

/// Reviews a recorded game, and gives the document of `learn2048 review --json` as a text.
int32_t learn2048_player_review(
    learn2048_handle player, const uint8_t *record, int64_t length, int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
