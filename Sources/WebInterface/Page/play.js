// Playing: the game on the page, its keys and buttons, and the program that helps.

import { $, Unreachable, ask, copy, keyOf, number, restore, soon, store, stored } from "./common.js";
import { MovesPanel, PlayerChoice, Program, percent } from "./analysis.js";
import { BoardView } from "./board.js";
import { Game } from "./game.js";
import { exponents, isOnBoard, isOver, largestExponent, slide, writeGame } from "./rules.js";

let game, board, panel, choice, program;
let wantsHint = false;   // whether an arrow shows the best move of this board
let isTyped = false;   // whether the field holds what somebody typed, and not the board

// What changes the board is done in turn, so that none begins on a board that another is about to change. One that
// waits ends the animation of the one before.
let changes = Promise.resolve();
let waiting = 0;
let batch = {};   // of those that wait; another one drops them
function inTurn(change) {
  waiting += 1;
  board.endAnimation();
  const mine = batch;
  const result = changes.then(() => mine === batch ? change() : undefined).finally(() => { waiting -= 1; });
  // Nothing is done on a board that somebody did not expect.
  changes = result.catch(dropWaiting);
  return result;
}
function dropWaiting() { batch = {}; }
// Whether more wait than the quickest player is ahead of a server that answers.
const isBusy = () => waiting > 2;

// Showing the game.

function say(text) { $("message").textContent = text; }
// For screen readers.
function speak(text) { $("spoken").textContent = text; }

let shownScore = null;
function drawNumbers() {
  const { seed, board: text, score, moves, isOver } = game.now;
  if (shownScore !== null && score > shownScore && !program.isRunning) riseGain(score - shownScore);
  shownScore = score;
  $("score").textContent = number(score);
  drawScoreLabel();
  $("best").textContent = number(game.bestScore);
  $("moves").textContent = number(moves);
  $("seed").textContent = seed;
  $("undo").disabled = !game.canUndo;
  $("step").disabled = $("hint").disabled = isOver || program.isRunning;
  $("run").disabled = isOver;
  $("run").textContent = program.isRunning ? "Stop" : "Autoplay";
  if (!isTyped) $("text").value = text;
  drawOverlay();
}

function drawScoreLabel() {
  const { isOwn } = game.now;
  $("scoreLabel").textContent = isOwn ? "score" : "score with help";
  $("scoreLabel").title = isOwn ? "" : "does not count as your best: a player or its values helped, or the board was set";
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
  const isWon = game.isWon && !program.isRunning;
  const isFocused = $("overlay").contains(document.activeElement);
  $("overlay").hidden = !isOver && !isWon;
  if (isFocused && $("overlay").hidden) $("board").focus({ preventScroll: true });
  $("keepGoing").hidden = !isWon;
  $("reviewGame").hidden = !isOver || game.now.move === null;
  const title = isOver ? (largestExponent(text) >= 11 ? `Game over at ${2 ** largestExponent(text)}` : "Game over") : "You win!";
  if ($("overlayTitle").textContent !== title) $("overlayTitle").textContent = title;
  say(isOver ? `The game is over: ${number(game.now.score)} points.` : isWon ? "You made 2048." : program.isRunning ? `Playing: ${choice.label}.` : "");
}

const drawSoon = soon(() => {
  board.show(game.now.board);
  drawNumbers();
});

// Shows another board, with its action values.
function changed(kinds = {}) {
  program.forget();
  wantsHint = false;
  if (program.isRunning && pace() < 100) return drawSoon();
  board.show(game.now.board, kinds);
  drawNumbers();
  if (!program.isRunning) showValues();
}

// Says so if the server takes long to answer.
async function patiently(answer) {
  const notice = setTimeout(() => say("Waiting for the server …"), 1_000);
  try { return await answer; } finally { clearTimeout(notice); }
}

// Reads the board aloud.
function speakBoard() {
  const tiles = exponents(game.now.board).map(exponent => exponent ? 2 ** exponent : "empty");
  const rows = [0, 1, 2, 3].map(row => tiles.filter((tile, cell) => cell >> 2 === row && isOnBoard(cell, game.size)).join(", "));
  speak(rows.filter(row => row).map((row, index) => `row ${index + 1}: ${row}`).join("; "));
}

// The moves of the game.

const isQuiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pace = () => Number($("pace").value);

// Plays a move of the person, or of the program, whose effect may be known.
async function play(direction, { isPersons = true, effect } = {}) {
  const before = game.now, { seed, moves, isOver } = before;
  if (isOver || (game.isWon && !program.isRunning) || !slide(before.board, direction, game.size)) return;
  const step = effect ?? await patiently(ask("/api/move", { board: before.board, direction, seed, moves }));
  // Another tab may have continued the game.
  if (game.now !== before) return;
  const isSlow = !isQuiet() && (program.isRunning ? pace() >= 100 : waiting === 1);
  game.add(game.after(direction, step, isPersons));
  changed(isSlow ? await board.slide(step) : {});
  if (program.isRunning) return;
  const { cell, exponent } = step.spawn;
  speak(`${direction}, ${step.reward} points; `
    + `new ${2 ** exponent} in row ${Math.floor(cell / 4) + 1}, column ${cell % 4 + 1}`);
}

// Plays a move of the program on the board of an entry, if that is still shown.
const playFor = (entry, direction, effect) => inTurn(() => game.now === entry ? play(direction, { isPersons: false, effect }) : undefined);

function startNewGame() {
  program.stop();
  if (isBusy()) return;
  return inTurn(async () => {
    game.begin(await patiently(ask("/api/game")));
    isTyped = false;
    shownScore = null;
    $("boardMessage").textContent = "";
    changed();
    say(`New game.${game.canUndo ? " Undo brings the last one back." : ""}`);
  });
}

function undo() {
  program.stop();
  if (isBusy()) return;
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
  program.stop();
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
  if (/^0+$/.test(board)) throw new Error("The board is empty. Enter at least one tile.");
  await playFrom({ board });
  if (!game.now.isOver) say("The board is set.");
  // On a phone it is above the field.
  $("board").scrollIntoView({ block: "nearest" });
}

// Another tab has continued the game.
function takeOver() {
  program.stop();
  dropWaiting();
  shownScore = null;
  changed();
  if (!game.now.isOver) say("Another tab has continued the game. Here it is.");
}

// The game so far, for a review.
export const playedGame = () => game.played;

async function copyGame() {
  const played = game.played;
  const text = writeGame(played, `learn2048, seed ${played.seed}, ${played.moves.length} moves`);
  await copy(text);
  $("boardMessage").textContent = `The ${number(played.boards.length)} boards of this game are in the clipboard.`;
}

// The program.

// Returns the action values of the board, or null if it changes first. `isAsked` says whether somebody waits for them.
async function decide(isAsked = false) {
  const thinking = `Thinking: ${choice.label} …`;
  const notice = setTimeout(() => {
    $("asked").textContent = thinking;
    if (isAsked) say(thinking);
  }, 250);
  let answer;
  try { answer = await program.evaluate(); } finally { clearTimeout(notice); }
  if (answer) drawValues(); else if ($("message").textContent === thinking) drawOverlay();
  return answer;
}

// Plays the best move. Until it is known, the person can play.
async function step() {
  if (program.isRunning) return;
  await changes;
  if (game.isWon) return keepGoing();
  const entry = game.now, answer = await decide(true);
  if (answer?.best && !program.isRunning) await playFor(entry, answer.best);
}

async function showHint() {
  // A move that is being shown changes the board first.
  await changes;
  if (program.isRunning || game.now.isOver) return;
  wantsHint = true;
  const answer = await decide(true);
  if (!answer?.best) return;
  noteHelp();
  drawValues();
  say(`Best move: ${answer.best} (${choice.label}).`);
}

// What a person has seen of a board helps with its moves.
function noteHelp() {
  game.noteHelp();
  drawScoreLabel();
}

// Lets the program play on.
async function run() {
  const notice = setInterval(drawValues, 100);
  try {
    const running = program.run();
    drawNumbers();
    await running;
  } finally {
    clearInterval(notice);
  }
}

function stopped() {
  board.show(game.now.board);
  drawNumbers();
  showValues();
}

function toggle() {
  if (program.isRunning) { program.stop(); } else if (!game.now.isOver) { return run(); }
}

function showValues() {
  drawValues();
  if ($("values").checked && !program.isRunning) decide().catch(fail);
}

function drawValues() {
  const answer = program.known, { isRunning } = program, { score } = game.now;
  const isShown = $("values").checked;
  panel.show(isShown ? answer : null);
  const best = answer?.moves.find(move => move.direction === answer.best)?.value;
  $("asked").textContent = !isShown || best == null || isRunning ? ""
    : answer.isFromTable ? `An endgame table answers: ${percent(best)} for its goal`
    : answer.valuesArePoints ? `${choice.label}, would reach ${number(score + best)} points` : "";
  $("milliseconds").textContent = answer ? `, last answer after ${answer.milliseconds.toFixed(1)} ms` : "";
  if (answer && isShown && !isRunning && game.now.isOwn) noteHelp();
  board.hint(wantsHint && !isRunning ? answer?.best : null);
}

let hasMissedAnswer = false;   // since the server was last there

function fail(error) {
  if (error instanceof Unreachable) hasMissedAnswer = true;
  program.stop();
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

// A move of the person's: none while the program plays on, and none that changes nothing.
async function personMoves(direction) {
  if (!program.isRunning && !isBusy()) await inTurn(() => play(direction));
}

export function pressed(event) {
  const key = keyOf(event);
  // A focused button takes the space bar and the enter key for itself.
  if ((key === " " || key === "Enter") && event.target.matches("button, input, a")) return;
  const primary = () => game.isWon ? keepGoing() : game.now.isOver ? startNewGame() : null;
  const actions = { " ": step, "?": showHint, p: toggle, u: undo, n: startNewGame, b: speakBoard, Enter: primary };
  const action = keys[key] ? () => personMoves(keys[key]) : actions[key];
  if (!action) return;
  event.preventDefault();
  // A key that is held moves again, but does not begin game after game.
  if (event.repeat && ("npb?Enter".includes(key) || (key === " " && waiting > 0))) return;
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
  $("values").checked = stored("values") === "shown";
  $("values").onchange = () => {
    store("values", $("values").checked ? "shown" : "hidden");
    showValues();
  };
  // What has risen does not rise again when the view is shown again.
  $("gain").onanimationend = $("gain").onanimationcancel = () => $("gain").classList.remove("rises");
  $("pace").oninput = () => {
    $("paceText").textContent = pace() === 0 ? "full speed" : `${pace()} ms`;
    $("pace").setAttribute("aria-valuetext", $("paceText").textContent);
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
  choice = new PlayerChoice("player", server.players, server.boardSize);
  choice.onchange = () => {
    if (program.isRunning) attempt(run); else showValues();
  };
  program = new Program(choice, {
    get now() { return game.now; }, after: (direction, effect) => game.after(direction, effect, false),
    settled: () => changes, play: playFor, pace
  });
  program.onstop = stopped;
  game.ontakeover = takeOver;
  restore("pace");
  listenForSwipes();
  listenForButtons(review);
  $("pace").oninput();
  if (first) game.begin(first);
  changed();
}
