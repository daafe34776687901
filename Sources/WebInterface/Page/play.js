// Playing: the game on the page, its keys and buttons, and the player that helps.

import { $, Unreachable, ask, copy, number, sleep, soon, store, stored } from "./common.js";
import { MovesPanel, PlayerChoice } from "./analysis.js";
import { BoardView } from "./board.js";
import { Game } from "./game.js";
import { isOver, largestExponent, slide, writeGame } from "./rules.js";

let game, board, panel, choice;
let decision = null;   // {player, answer}: the action values of the player, once they are known
let generation = 0;   // grows with every change of the board, so that late answers are known as such
let isRunning = false;   // whether the player plays on
let runs = 0;   // how often it has begun to, so that one that was stopped and begun again plays once
let wantsHint = false;   // whether an arrow shows the best move of this board
let isTyped = false;   // whether the field holds what somebody typed, and not the board

// What changes the board is done in turn, so that none begins on a board that another is about to change. None is
// dropped: one that waits ends the animation of the one before.
let changes = Promise.resolve();
let waiting = 0;
function inTurn(change) {
  waiting += 1;
  board.endAnimation();
  const result = changes.then(change).finally(() => { waiting -= 1; });
  changes = result.catch(() => {});
  return result;
}

// Showing the game.

function say(text) { $("message").textContent = text; }
// For screen readers.
function speak(text) { $("spoken").textContent = text; }

let shownScore = null;
function drawNumbers() {
  const { seed, board: text, score, moves, isOver } = game.now;
  if (shownScore !== null && score > shownScore && !isRunning) riseGain(score - shownScore);
  shownScore = score;
  $("score").textContent = number(score);
  $("best").textContent = number(game.bestScore);
  $("moves").textContent = number(moves);
  $("seed").textContent = seed;
  $("undo").disabled = !game.canUndo;
  $("step").disabled = $("hint").disabled = isOver;
  $("run").disabled = isOver;
  $("run").textContent = isRunning ? "Stop" : "Play on";
  $("run").setAttribute("aria-pressed", isRunning);
  if (!isTyped) $("text").value = text;
  drawOverlay();
}

function riseGain(points) {
  const gain = $("gain");
  gain.textContent = `+${points}`;
  gain.classList.remove("rises");
  void gain.offsetWidth;   // so that the animation starts again
  gain.classList.add("rises");
}

function drawOverlay() {
  const { isOver, board: text } = game.now;
  const isWon = game.isWon && !isRunning;
  $("overlay").hidden = !isOver && !isWon;
  $("keepGoing").hidden = !isWon;
  $("reviewGame").hidden = !isOver || game.now.move === null;
  const title = isOver ? (largestExponent(text) >= 11 ? `Game over at ${2 ** largestExponent(text)}` : "Game over") : "You made 2048!";
  if ($("overlayTitle").textContent !== title) $("overlayTitle").textContent = title;
  say(isOver ? `The game is over: ${number(game.now.score)} points.` : isWon ? "You made 2048!" : isRunning ? `Playing: ${choice.label}.` : "");
}

const drawSoon = soon(() => {
  board.show(game.now.board);
  drawNumbers();
});

// Shows another board, with the action values of the player.
function changed(kinds = {}) {
  generation += 1;
  decision = null;
  wantsHint = false;
  if (isRunning && pace() < 100) return drawSoon();
  board.show(game.now.board, kinds);
  drawNumbers();
  if (!isRunning) showValues();
}

// The moves of the game.

const isQuiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pace = () => Number($("pace").value);

// Plays a move of the person, or of a player, whose effect may be known.
async function play(direction, { isPersons = true, effect } = {}) {
  const { board: before, seed, moves, isOver } = game.now;
  if (isOver || (game.isWon && !isRunning) || !slide(before, direction, game.size)) return;
  const step = effect ?? await ask("/api/move", { board: before, direction, seed, moves });
  const isSlow = !isQuiet() && (isRunning ? pace() >= 100 : waiting === 1);
  game.add(game.after(direction, step, isPersons));
  changed(isSlow ? await board.slide(step) : {});
  if (isRunning) return;
  const { cell, exponent } = step.spawn;
  speak(`${direction}, ${step.reward} points; `
    + `new ${2 ** exponent} in row ${Math.floor(cell / 4) + 1}, column ${cell % 4 + 1}`);
}

function startNewGame() {
  stop();
  return inTurn(async () => {
    game.begin(await ask("/api/game"));
    isTyped = false;
    shownScore = null;
    changed();
    speak("New game");
  });
}

function undo() {
  stop();
  return inTurn(() => {
    if (!game.canUndo) return;
    game.undo();
    changed();
    speak(`Undone: ${number(game.now.moves)} ${game.now.moves === 1 ? "move" : "moves"}, ${number(game.now.score)} points`);
  });
}

function keepGoing() {
  game.keepGoing();
  drawNumbers();
  $("board").focus({ preventScroll: true });
}

// Continues from another board, such as one of a review.
export function playFrom({ board, score = 0, moves = 0, seed = game.now.seed }) {
  stop();
  return inTurn(() => {
    game.add({ seed, board, score, moves, move: null, isOver: isOver(board, game.size), isOwn: false });
    isTyped = false;
    shownScore = null;
    changed();
    speak("Another board");
  });
}

async function setBoard(text) {
  const { board } = await ask("/api/analyze", { board: text, player: "greedy" });
  await playFrom({ board });
}

// The game so far, for a review.
export const playedGame = () => game.played;

async function copyGame() {
  const played = game.played;
  const text = writeGame(played, `learn2048, seed ${played.seed}, ${played.moves.length} moves`);
  await copy(text);
  $("boardMessage").textContent = `The ${number(played.boards.length)} boards of this game are in the clipboard.`;
}

// The player.

let search = null;   // the analysis under way: one at a time, so that they do not pile up

// Asks for the action values of the player.
async function decide() {
  const asked = generation;
  while (search) await search.catch(() => {});
  const player = choice.value;
  if (asked !== generation || game.now.isOver) return null;
  if (decision?.player === player) return decision.answer;
  const notice = setTimeout(() => { $("asked").textContent = "thinking …"; }, 250);
  let answer;
  try {
    search = ask("/api/analyze", { board: game.now.board, player });
    answer = await search;
  } finally {
    search = null;
    clearTimeout(notice);
  }
  if (asked !== generation) return null;
  decision = { player, answer };
  drawValues();
  return answer;
}

// Plays what the player chooses.
async function step() {
  if (isRunning) return;
  await inTurn(async () => {
    if (game.isWon) return keepGoing();
    const answer = await decide();
    if (answer?.best) await play(answer.best, { isPersons: false });
  });
}

async function showHint() {
  // A move that is being shown changes the board first.
  await changes;
  if (isRunning || game.now.isOver) return;
  wantsHint = true;
  const answer = await decide();
  if (!answer?.best) return;
  drawValues();
  say(`Best move: ${answer.best} (${choice.label}).`);
}

// Lets the player play on. One request makes a move, and the next one is under way while the move is shown.
async function run() {
  isRunning = true;
  runs += 1;
  lastAnswer = null;
  const mine = runs;
  const goesOn = () => isRunning && mine === runs;
  const request = ({ board, seed, moves }) => {
    const asked = { player: choice.value, board, answer: ask("/api/analyze", { board, player: choice.value, seed, moves }) };
    asked.answer.catch(() => {});   // It may never be awaited.
    return asked;
  };
  const notice = setInterval(() => drawValues(), 100);
  drawNumbers();
  try {
    // A change that was asked for before comes first.
    await changes;
    let next = null;
    while (goesOn() && !game.now.isOver) {
      const start = performance.now();
      if (next?.board !== game.now.board || next.player !== choice.value) next = request(game.now);
      const { player } = next;
      const answer = await next.answer;
      if (!goesOn()) break;
      if (next.player !== choice.value || next.board !== game.now.board) continue;
      const following = game.after(answer.best, answer.next, false);
      next = following.isOver ? null : request(following);
      await inTurn(() => play(answer.best, { isPersons: false, effect: answer.next }));
      lastAnswer = { player, answer };
      const rest = pace() - (performance.now() - start);
      if (rest > 0) await sleep(rest);
    }
  } finally {
    clearInterval(notice);
    if (mine === runs) stop();
  }
}
let lastAnswer = null;   // of the player that plays on

function stop() {
  if (!isRunning) return;
  isRunning = false;
  board.show(game.now.board);
  drawNumbers();
  showValues();
}

function toggle() {
  if (isRunning) { stop(); } else if (!game.now.isOver) { return run(); }
}

function showValues() {
  drawValues();
  if ($("values").checked && !isRunning) decide().catch(fail);
}

function drawValues() {
  const known = isRunning ? lastAnswer : decision;
  const answer = known?.player === choice.value ? known.answer : null;
  const { score } = game.now;
  const isShown = $("values").checked;
  panel.show(isShown ? answer : null, score);
  const best = answer?.moves.find(move => move.direction === answer.best)?.value;
  $("asked").textContent = !answer || !isShown ? "" : (answer.valuesArePoints && best != null && !isRunning
    ? `Expected final score ${number(score + best)}. ` : "") + `${answer.milliseconds.toFixed(1)} ms`;
  board.hint(wantsHint && !isRunning ? answer?.best : null);
}

let hasMissedAnswer = false;   // since the server was last there

function fail(error) {
  if (error instanceof Unreachable) hasMissedAnswer = true;
  isRunning = false;
  drawNumbers();
  drawValues();
  say(error.message);
}

// The server is there: shows what could not be shown while it was not.
export function serverAnswers() {
  if (!hasMissedAnswer) return;
  hasMissedAnswer = false;
  drawNumbers();
  showValues();
}

// Does what somebody asked for, and shows it where that fails.
function attempt(action) { Promise.resolve().then(action).catch(fail); }

// Keys, swipes and buttons.

const keys = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", w: "up", s: "down", a: "left", d: "right",
  k: "up", j: "down", h: "left", l: "right"
};

// A move of the person's: none while the player plays, and none that changes nothing.
async function personMoves(direction) {
  if (!isRunning) await inTurn(() => play(direction));
}

export function pressed(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // A focused button takes the space bar and the enter key for itself.
  if ((key === " " || key === "Enter") && event.target.matches("button, input, a")) return;
  const primary = () => game.isWon ? keepGoing() : game.now.isOver ? startNewGame() : null;
  const actions = { " ": step, "?": showHint, p: toggle, u: undo, n: startNewGame, Enter: primary };
  const action = keys[key] ? () => personMoves(keys[key]) : actions[key];
  if (!action) return;
  event.preventDefault();
  // A key that is held moves again, but does not begin game after game.
  if (event.repeat && ("np?Enter".includes(key) || (key === " " && waiting > 0))) return;
  attempt(action);
}

function listenForSwipes() {
  let touch = null;
  $("board").addEventListener("pointerdown", event => {
    if (event.isPrimary && event.button === 0) touch = { id: event.pointerId, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointercancel", () => { touch = null; });
  document.addEventListener("pointerup", event => {
    if (touch?.id !== event.pointerId) return;
    const x = event.clientX - touch.x, y = event.clientY - touch.y;
    touch = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < 20) return;
    attempt(() => personMoves(Math.abs(x) > Math.abs(y) ? (x > 0 ? "right" : "left") : y > 0 ? "down" : "up"));
  });
}

function listenForButtons(review) {
  const actions = { new: startNewGame, tryAgain: startNewGame, keepGoing, undo, hint: showHint, step, run: toggle };
  for (const [id, action] of Object.entries(actions)) $(id).onclick = () => attempt(action);
  $("reviewGame").onclick = () => attempt(review);
  // What was used with the mouse gives the keys back to the game.
  $("play").addEventListener("click", event => {
    if (event.detail > 0 && event.target.matches("button:not(#reviewGame), #values")) $("board").focus({ preventScroll: true });
  });
  $("play").addEventListener("change", event => {
    if (event.target.matches("#playerSelect, #pace") && !event.target.matches(":focus-visible") && choice.value === $("playerSelect").value) {
      $("board").focus({ preventScroll: true });
    }
  });
  $("values").onchange = showValues;
  $("pace").oninput = () => {
    $("paceText").textContent = pace() === 0 ? "full speed" : `${pace()} ms`;
    store("pace", pace());
  };
  $("text").oninput = () => { isTyped = $("text").value !== ""; $("boardMessage").textContent = ""; };
  $("text").onkeydown = event => {
    if (event.key !== "Escape") return;
    isTyped = false;
    $("boardMessage").textContent = "";
    drawNumbers();
  };
  const report = action => async event => {
    event.preventDefault();
    try {
      $("boardMessage").textContent = "";
      await action();
    } catch (error) {
      $("boardMessage").textContent = error.message;
    }
  };
  $("setBoard").onsubmit = report(async () => {
    await setBoard($("text").value.trim());
    $("board").focus({ preventScroll: true });
  });
  $("copyGame").onclick = report(copyGame);
}

// Shows the last game of this browser, or a new one. `review` opens the review of the game.
export async function begin(server, review) {
  game = new Game(server.boardSize);
  // Whoever calls this again if it fails finds everything as it was.
  const first = game.now ? null : await ask("/api/game");
  board = new BoardView($("board"), server.boardSize);
  panel = new MovesPanel($("moveValues"));
  choice = new PlayerChoice("player", server.players, server.boardSize, { value: stored("player") ?? "learned:depth=3" });
  choice.onchange = () => {
    store("player", choice.value);
    showValues();
  };
  if (stored("pace") !== null) $("pace").value = stored("pace");
  listenForSwipes();
  listenForButtons(review);
  $("pace").oninput();
  if (first) game.begin(first);
  changed();
}
