// The rules of the game, for boards as texts of 16 exponents. The server makes the moves of a game; the page only
// finds the moves between boards.

import { directions } from "./common.js";

export const exponents = board => [...board].map(digit => parseInt(digit, 36));
export const largestExponent = board => Math.max(...exponents(board));
export const isOnBoard = (cell, size) => cell % 4 < size && cell < 4 * size;
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
      if (canMerge && after[order[end - 1]] === exponent) {
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

// The move between two boards, or null if there is none. Few boards are reached in two directions; the first counts.
function moveBetween(before, after, size, candidates = directions) {
  for (const direction of candidates) {
    const moved = slide(before, direction, size);
    if (!moved) continue;
    const changed = [...after].flatMap((digit, cell) => digit === moved.afterstate[cell] ? [] : [cell]);
    if (changed.length === 1 && moved.afterstate[changed[0]] === "0" && "12".includes(after[changed[0]])) {
      return { direction, reward: moved.reward };
    }
  }
  return null;
}

// Reads a board as the command line does.
function readBoard(line, size) {
  const words = line.split(/[\s,/]+/).filter(word => word);
  let board;
  if (words.length === 16) {
    const tiles = words.map(word => word === "." ? 0 : /^\d+$/.test(word) ? Number(word) : NaN);
    const found = tiles.map(tile => tile === 0 ? 0 : Math.log2(tile));
    if (found.some((exponent, place) => !Number.isInteger(exponent) || exponent > 17 || (exponent === 0 && tiles[place] !== 0))) return null;
    board = text(found);
  } else if (words.length === 1 && /^[0-9a-h]{16}$/i.test(words[0])) {
    board = words[0].toUpperCase();
  } else {
    return null;
  }
  return exponents(board).some((exponent, cell) => exponent && !isOnBoard(cell, size)) ? null : board;
}

const replayLine = /^\d+\s+(?:start|(up|down|left|right)\s+\+(\d+))\s+(\d+)\s+(\S+)$/;

// Reads a game from its boards, as `learn2048 review` does: {boards, moves, scores}.
export function readGame(text, size) {
  const boards = [], moves = [], scores = [];
  let isReplay = false;
  text.split(/\r\n|\r|\n/).forEach((raw, index) => {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) return;
    const found = line.match(replayLine);
    isReplay ||= found !== null;
    if (isReplay && !found && /^(score .*|([.\d]+\s+){1,3}[.\d]+)$/.test(line)) return;
    const board = readBoard(found ? found[4] : line, size);
    if (!board) throw new Error(`Line ${index + 1} is not a board of ${size}x${size} cells. Write one board per line.`);
    if (boards.length) {
      const move = moveBetween(boards.at(-1), board, size, found?.[1] ? [found[1]] : directions);
      if (!move) {
        throw new Error(`Line ${index + 1}: ${found?.[1] ? `moving ${found[1]} does not lead` : "no move leads"} from `
          + `${boards.at(-1)} to ${board}. Check that no board is missing, and that the text has only one game.`);
      }
      moves.push(move.direction);
      scores.push(scores.at(-1) + move.reward);
      if (found && (Number(found[2]) !== move.reward || Number(found[3]) !== scores.at(-1))) {
        throw new Error(`Line ${index + 1} states +${found[2]} and ${found[3]} points, but the move earns +${move.reward}, `
          + `which makes ${scores.at(-1)}. Correct the line, or leave out all but the boards.`);
      }
    } else {
      scores.push(found ? Number(found[3]) : 0);
    }
    boards.push(board);
  });
  if (!moves.length) throw new Error("There is no move. Write at least two boards, one per line.");
  return { boards, moves, scores };
}

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
