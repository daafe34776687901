// Reviewing a game: its boards, the loss of every move, and the expected final score.

import { $, arrows, ask, create, draw, labelStep, number, short, soon } from "./common.js";
import { MovesPanel, PlayerChoice, levelWords, movesOf, summary } from "./analysis.js";
import { BoardView } from "./board.js";
import { playFrom, playedGame } from "./play.js";
import { readGame, scoresOf } from "./rules.js";

let size, board, panel, choice;
let game = null;   // {boards, moves, scores, seed, firstNumber}: `moves[i]` leads from `boards[i]` to the next
let results = [];   // {answer, best, loss, mean, expected} of the move with the same index; missing until it is known
let worst = [];   // the indices of the worst moves
let place = 0;   // the index of the board that is shown
let analysis = null;   // the AbortController of the requests under way

// Which requests are under way at once, so that the server always has one to answer.
const requestsAtOnce = 4;

// Games.

export function reviewCurrent() {
  const played = playedGame();
  if (!played.moves.length) throw new Error("The current game has no moves yet. Play some, or review another game.");
  open(played);
}

function reviewPasted() {
  open({ ...readGame($("pasted").value, size), firstNumber: 0 });
}

async function reviewRecorded() {
  const player = $("recordedPlayer").value;
  const { boards, moves, seed } = await ask(`/api/games/${$("recordedGame").value}`, { player });
  open({ boards, moves, scores: scoresOf(boards, moves, size), seed, firstNumber: 0 });
}

function open(opened) {
  $("sourceMessage").textContent = "";
  game = opened;
  $("place").max = game.boards.length - 1;
  analyse();
  go(0);
}

// Analyses.

// The indices of all moves: every 64th first, then those between, so that the curve fills in.
function* order(count) {
  for (let step = 64; step >= 1; step /= 2) {
    for (let index = 0; index < count; index += step) {
      if (step === 64 || index % (2 * step) !== 0) yield index;
    }
  }
}

function analyse() {
  stopAnalysis();
  results = Array(game.moves.length);
  worst = [];
  resume();
}

// Asks for the analyses that are missing.
async function resume() {
  const mine = new AbortController();
  analysis = mine;
  drawSoon();
  const indices = order(game.moves.length);
  const asked = new Set();
  const next = () => {
    // The board that is shown comes first.
    if (place < game.moves.length && !results[place] && !asked.has(place)) return place;
    for (;;) {
      const { value: index, done } = indices.next();
      if (done) return undefined;
      if (!results[index] && !asked.has(index)) return index;
    }
  };
  const work = async () => {
    for (let index = next(); index !== undefined && !mine.signal.aborted; index = next()) {
      asked.add(index);
      const answer = await ask("/api/analyze", { board: game.boards[index], player: choice.value }, mine.signal);
      if (mine.signal.aborted) return;
      results[index] = result(answer, index);
      noteWorst(index);
      drawSoon();
    }
  };
  try {
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    if (analysis === mine) analysis = null;
  } catch (error) {
    if (mine.signal.aborted) return;
    stopAnalysis();
    $("sourceMessage").textContent = error.message;
  }
  drawSoon();
}

function stopAnalysis() {
  analysis?.abort();
  analysis = null;
  drawSoon();
}

// What a review says about a move.
function result(answer, index) {
  const moves = movesOf(answer, game.scores[index]).filter(move => move.loss != null);
  const played = moves.find(move => move.direction === game.moves[index]);
  const best = Math.max(...moves.map(move => move.value));
  const mean = moves.length === 1 ? null : moves.reduce((sum, move) => sum + move.loss, 0) / moves.length;
  return { answer, best: answer.best, loss: played.loss, mean, expected: game.scores[index] + best, level: played.level };
}

function noteWorst(index) {
  if (!(results[index].loss > 0)) return;
  worst.push(index);
  worst.sort((a, b) => results[b].loss - results[a].loss || a - b);
  worst.length = Math.min(worst.length, 10);
}

// Showing.

const moveNumber = index => game.firstNumber + index + 1;

function go(index) {
  if (!game) return;
  place = Math.max(0, Math.min(game.boards.length - 1, index));
  drawPlace();
  drawCursor();
}

function drawPlace() {
  const found = results[place], direction = game.moves[place];
  board.show(game.boards[place]);
  board.hint(found?.best);
  panel.show(found?.answer, game.scores[place], direction);
  $("place").value = place;
  $("reviewScore").textContent = number(game.scores[place]);
  $("reviewMove").textContent = `${number(place)} of ${number(game.moves.length)}`;
  $("place").setAttribute("aria-valuetext", `board after move ${game.firstNumber + place}`);
  const verdict = !found ? "analysing …"
    : found.best === direction ? "the best move"
    : found.loss === 0 ? `as good as ${arrows[found.best]} ${found.best}`
    : `best ${arrows[found.best]} ${found.best}, loss ${number(found.loss)}`;
  $("reviewMessage").textContent = direction === undefined ? "The last board."
    : `Move ${number(moveNumber(place))}: played ${arrows[direction]} ${direction}, ${verdict}.`;
  $("first").disabled = $("previous").disabled = place === 0;
  $("following").disabled = $("last").disabled = place === game.boards.length - 1;
  $("playFromHere").disabled = false;
}

function drawResults() {
  if (!game) return;
  const { count, total, accuracy } = summary(results);
  const isDone = count === game.moves.length;
  const accuracyText = accuracy === null ? "–" : `${(100 * accuracy).toFixed(1)} %`;
  document.querySelectorAll(".accuracyText").forEach(element => { element.textContent = accuracyText; });
  $("losses").textContent = count === 0 ? "" : `Final score ${number(game.scores.at(-1))} in ${number(game.moves.length)} moves; `
    + `total loss ${number(total)} points, ${number(total / count)} per move${isDone ? "" : ", so far"}.`;
  $("progress").max = game.moves.length;
  $("progress").value = count;
  $("progressText").textContent = `${number(count)} of ${number(game.moves.length)} moves analysed by ${choice.label}`;
  $("cancel").hidden = isDone;
  $("cancel").textContent = analysis ? "Stop" : "Continue";
  drawWorst();
  drawPlace();
  drawCurve();
}
// Not with every answer, because long games have many.
const drawSoon = soon(drawResults, 60);

function drawWorst() {
  const texts = worst.map(index => `Move ${number(moveNumber(index))}: ${arrows[game.moves[index]]} instead of `
    + `${arrows[results[index].best]}, −${number(results[index].loss)}`);
  const known = [...$("worst").querySelectorAll("button")];
  if (known.length === texts.length && known.every((button, place) => button.textContent === texts[place])) return;
  const focused = known.indexOf(document.activeElement);
  $("worst").replaceChildren(...worst.map((index, place) => {
    const { level, best } = results[index];
    const button = create("button", { className: `plain ${level}`, textContent: texts[place] });
    button.ariaLabel = `Move ${moveNumber(index)}: ${game.moves[index]} instead of ${best}, ${levelWords[level]} of ${number(results[index].loss)}`;
    button.onclick = () => go(index);
    return create("li", {}, button);
  }));
  $("worst").querySelectorAll("button")[focused]?.focus();
  if (!worst.length) $("worst").append(create("li", { className: "faint", textContent: "none yet" }));
}

// The curve of the expected final score, with bars of losses below.

let scale = null;   // {x, width}: from an index to its place

function drawCurve() {
  const curve = $("curve"), width = curve.clientWidth, height = 220;
  curve.replaceChildren();
  scale = null;
  const known = results.flatMap((result, index) => result ? [{ index, ...result }] : []);
  if (!width || !known.length) return;
  curve.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const left = 56, right = width - 10, bottom = 150, count = game.moves.length;
  const x = index => left + (right - left) * (count > 1 ? index / (count - 1) : .5);
  scale = { x, left, right, count };
  // For each pixel, the mean of the values and the largest loss.
  const columns = new Map();
  for (const { index, expected, loss, level } of known) {
    const key = Math.round(x(index));
    const column = columns.get(key) ?? { sum: 0, count: 0, loss: 0, level: "none" };
    column.sum += expected;
    column.count += 1;
    if (loss > column.loss) Object.assign(column, { loss, level });
    columns.set(key, column);
  }
  const points = [...columns].sort((a, b) => a[0] - b[0]);
  const values = points.map(([, column]) => column.sum / column.count);
  const low = Math.min(...values), high = Math.max(...values), margin = Math.max(.06 * (high - low), .002 * Math.abs(high), 1);
  const y = value => bottom - (value - low + margin) / (high - low + 2 * margin) * (bottom - 8);
  const step = labelStep(high - low + 2 * margin, 4);
  for (let value = Math.ceil((low - margin) / step) * step; value <= high + margin; value += step) {
    draw(curve, "line", { class: "axis", x1: left, x2: right, y1: y(value), y2: y(value) });
    draw(curve, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(Number(value.toPrecision(6))));
  }
  for (let step = Math.max(1, labelStep(count, width / 110)), index = step; index <= count; index += step) {
    draw(curve, "text", { x: x(index - 1), y: height - 4, "text-anchor": "middle" }, short(game.firstNumber + index));
  }
  draw(curve, "polyline", {
    class: "expected", points: points.map(([place], index) => `${place},${y(values[index]).toFixed(1)}`).join(" ")
  });
  const largest = Math.max(...points.map(([, column]) => column.loss)) || 1;
  draw(curve, "line", { class: "axis", x1: left, x2: right, y1: bottom + 44, y2: bottom + 44 });
  draw(curve, "text", { x: left - 6, y: bottom + 44, "text-anchor": "end" }, "loss");
  for (const [place, { loss, level }] of points) {
    if (loss === 0) continue;
    const length = Math.max(1.5, 34 * Math.sqrt(loss / largest));
    draw(curve, "rect", { class: `loss ${level}`, x: place - .75, width: 1.5, y: bottom + 44 - length, height: length });
  }
  for (const index of worst) {
    const { expected, loss, level } = results[index];
    const marker = draw(curve, "circle", { class: `marker ${level}`, cx: x(index), cy: y(Math.min(high, Math.max(low, expected))), r: 4.5 });
    draw(marker, "title", {}, `Move ${moveNumber(index)}: loss ${number(loss)}`);
  }
  draw(curve, "line", { class: "cursor", y1: 4, y2: bottom + 46 });
  drawCursor();
}

function drawCursor() {
  const cursor = $("curve").querySelector(".cursor");
  if (!cursor || !scale) return;
  const at = scale.x(Math.min(place, scale.count - 1));
  cursor.setAttribute("x1", at);
  cursor.setAttribute("x2", at);
}

function scrub(event) {
  if (!scale) return;
  const at = event.clientX - $("curve").getBoundingClientRect().left;
  const share = Math.max(0, Math.min(1, (at - scale.left) / (scale.right - scale.left)));
  go(Math.round(share * (scale.count - 1)));
}

// Keys and buttons.

export function pressed(event) {
  const actions = {
    ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), Home: () => go(0),
    End: () => go(game.boards.length - 1)
  };
  const action = actions[event.key];
  if (!action || !game) return;
  event.preventDefault();
  action();
}

async function playFromHere() {
  const seed = game.seed;
  await playFrom({
    board: game.boards[place], score: game.scores[place], moves: game.firstNumber + place,
    ...(seed === undefined ? {} : { seed })
  });
  location.hash = "play";
}

function attempt(action) {
  return async () => {
    $("sourceMessage").textContent = "";
    try { await action(); } catch (error) { $("sourceMessage").textContent = error.message; }
  };
}

// Offers the recorded games of the server.
async function listGames() {
  let { players, games, list } = await ask("/api/games");
  $("recorded").hidden = games === 0;
  if (games === 0) return;
  while (list.length < Math.min(games, 5_000)) list = list.concat((await ask("/api/games", { after: list.at(-1).game })).list);
  $("recordedPlayer").append(...players.map(player => new Option(player, player)));
  const show = () => {
    const place = players.indexOf($("recordedPlayer").value);
    $("recordedGame").replaceChildren(...list.map(({ game, scores }) => new Option(`${game}: ${number(scores[place])} points`, game)));
  };
  $("recordedPlayer").onchange = show;
  show();
}

// The view has been opened: without a game, it reviews the current one.
export function shown() {
  if (game) drawSoon(); else if (playedGame().moves.length) reviewCurrent();
}

export function begin(server) {
  size = server.boardSize;
  board = new BoardView($("reviewBoard"), size);
  panel = new MovesPanel($("reviewValues"));
  choice = new PlayerChoice("reviewer", server.players, size, { requiresPoints: true, value: "learned:depth=3" });
  choice.onchange = () => { if (game) analyse(); };
  $("first").onclick = () => go(0);
  $("previous").onclick = () => go(place - 1);
  $("following").onclick = () => go(place + 1);
  $("last").onclick = () => go(game.boards.length - 1);
  $("place").oninput = () => go(Number($("place").value));
  $("playFromHere").onclick = attempt(playFromHere);
  for (const id of ["first", "previous", "following", "last", "playFromHere"]) $(id).disabled = true;
  $("reviewCurrent").onclick = attempt(reviewCurrent);
  $("reviewPasted").onclick = attempt(reviewPasted);
  $("reviewRecorded").onclick = attempt(reviewRecorded);
  $("cancel").onclick = () => { if (analysis) stopAnalysis(); else resume(); };
  const curve = $("curve");
  curve.addEventListener("pointerdown", event => {
    curve.setPointerCapture(event.pointerId);
    scrub(event);
  });
  curve.addEventListener("pointermove", event => { if (event.buttons) scrub(event); });
  addEventListener("resize", () => { if (game && !$("review").hidden) drawSoon(); });
  listGames().catch(error => { $("sourceMessage").textContent = error.message; });
}
