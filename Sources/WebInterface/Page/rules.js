// The rules of the game, for boards as texts of 16 exponents. The server makes the moves of a game, and reads games.

import { directions } from "./common.js";

export const exponents = board => [...board].map(digit => parseInt(digit, 36));
export const largestExponent = board => Math.max(...exponents(board));
export const isOnBoard = (cell, size) => cell % 4 < size && cell < 4 * size;
// Two tiles of 131072 do not merge.
const largest = 17;
const text = exponents => exponents.map(exponent => exponent.toString(36).toUpperCase()).join("");

// The cells of a line, from the side that tiles move towards.
function cells(line, direction, size) {
  const places = [...Array(size).keys()];
  const inOrder = direction === "left" || direction === "up" ? places : places.reverse();
  return inOrder.map(place => direction === "left" || direction === "right" ? 4 * line + place : 4 * place + line);
}

// Slides a board: the afterstate and the reward, or null if nothing changes.
export function slide(board, direction, size) {
  const before = exponents(board), after = Array(16).fill(0);
  let reward = 0;
  for (let line = 0; line < size; line++) {
    const order = cells(line, direction, size);
    let end = 0, canMerge = false;
    for (const exponent of order.map(cell => before[cell]).filter(exponent => exponent)) {
      if (canMerge && after[order[end - 1]] === exponent && exponent < largest) {
        after[order[end - 1]] += 1;
        reward += 2 ** (exponent + 1);
        canMerge = false;
      } else {
        after[order[end]] = exponent;
        end += 1;
        canMerge = true;
      }
    }
  }
  const afterstate = text(after);
  return afterstate === board ? null : { afterstate, reward };
}

export const isOver = (board, size) => directions.every(direction => !slide(board, direction, size));

// The score at each board of a game that begins with 0 points.
export function scoresOf(boards, moves, size) {
  const scores = [0];
  moves.forEach((move, index) => scores.push(scores[index] + slide(boards[index], move, size).reward));
  return scores;
}

// A game as `learn2048 replay` prints it.
export function writeGame({ boards, moves, scores }, title) {
  const lines = boards.map((board, index) => {
    const step = index === 0 ? "start" : `${moves[index - 1]} +${scores[index] - scores[index - 1]}`;
    return `${index} ${step} ${scores[index]} ${board}`;
  });
  return [`# ${title}`, ...lines, ""].join("\n");
}
