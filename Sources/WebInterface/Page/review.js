// Reviewing a game: its boards, the loss of every move, and the expected final score.

import { $, Unreachable, arrows, ask, create, keyOf, number, soon, store, stored } from "./common.js";
import { MovesPanel, PlayerChoice, movesOf, percent, summary } from "./analysis.js";
import { BoardView } from "./board.js";
import { ReviewCurve } from "./chart.js";
import { playFrom, playedGame } from "./play.js";
import { scoresOf } from "./rules.js";

let size, board, panel, choice, curve;
let source = null;   // where the game is from, as in an address: ["current"], ["pasted"], or ["recorded", number, player]
let game = null;   // {boards, moves, scores, seed, firstNumber}: `moves[i]` leads from `boards[i]` to the next
let results = [];   // {answer, best, loss, share, mean, expected, level} of the move with the same index; missing until it is known
let place = 0;   // the index of the board that is shown
let analysis = null;   // the AbortController of the requests under way
let isPaused = false;   // whether somebody has stopped the analysis
let openings = 0;   // how often a game has been opened, so that a late answer does not replace a later one
let missed = null;   // what failed because the server did not answer

// Which requests are under way at once, so that the server always has one to answer.
const requestsAtOnce = 4;

// Games.

function openCurrent() {
  const played = playedGame();
  if (!played.moves.length) throw new Error("The current game has no moves yet. Play some, or review another game.");
  open(["current"], played);
}

// The text of pasted boards is kept, so that the address opens them in another tab, too.
async function openPasted() {
  const mine = ++openings, text = $("pasted").value;
  const { boards, moves, scores } = await ask("/api/played", {}, undefined, text);
  if (mine !== openings) return;
  open(["pasted"], { boards, moves, scores, firstNumber: 0 });
  store("pasted", text);
}

function openPastedBefore() {
  const text = stored("pasted");
  if (text === null) throw new Error("The address is that of boards which were pasted in another browser. Paste them here.");
  $("pasted").value = text;
  return openPasted();
}

async function openRecorded(number, player) {
  const mine = ++openings;
  const { boards, moves, seed } = await ask(`/api/games/${encodeURIComponent(number)}`, { player });
  if (mine !== openings) return;
  // The server spawns tiles as in the first game of a seed.
  open(["recorded", number, player], {
    boards, moves, scores: scoresOf(boards, moves, size), seed: number === "1" ? seed : undefined, firstNumber: 0
  });
}

// Opens the game of an address, which may be that of no game.
function openSource([kind, ...fields]) {
  if (kind === "recorded" && fields.length === 2) return openRecorded(...fields);
  if (kind === "pasted") return openPastedBefore();
  // A game that has gone on, or another one.
  if ((kind ?? "current") === "current" && playedGame().moves.length) openCurrent();
}

function open(from, opened) {
  openings += 1;
  stopAnalysis();
  $("sourceMessage").textContent = "";
  const before = game, known = results;
  source = from;
  game = opened;
  isPaused = false;
  missed = null;
  // What is known of a game that has gone on remains.
  results = game.moves.map((move, index) => before?.boards[index] === game.boards[index] && before.moves[index] === move
    && before.scores[index] === game.scores[index] ? known[index] : undefined);
  $("place").max = game.boards.length - 1;
  go(before?.boards[0] === game.boards[0] ? place : 0);
  resume();
}

// Addresses: the game, and the move or the end.

const addressOf = () => ["review", ...source, ...(place < game.moves.length ? ["move", moveNumber(place)] : ["end"])];

// Notes what is shown in the address of the page, to share it or load it again. Browsers limit how often that is possible.
// An address that somebody has just entered stays until it is shown.
let noted = null;
const noteAddress = soon(() => {
  if (!game || location.hash !== noted) return;
  const address = `#/${addressOf().map(encodeURIComponent).join("/")}`;
  if (address === noted) return;
  history.replaceState(history.state, "", address);
  noted = location.hash;
}, 400);

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
  isPaused = false;
  resume();
}

// Asks for the analyses that are missing.
async function resume() {
  stopAnalysis();
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
      drawSoon();
    }
  };
  try {
    await Promise.all(Array.from({ length: requestsAtOnce }, work));
    if (analysis === mine) analysis = null;
  } catch (error) {
    if (mine.signal.aborted) return;
    stopAnalysis();
    fail(error, resume);
  }
  drawSoon();
}

// Shows why something failed. If the server did not answer, it is done again when it does.
function fail(error, action) {
  $("sourceMessage").textContent = error.message;
  missed = error instanceof Unreachable ? action : null;
}

function stopAnalysis() {
  analysis?.abort();
  analysis = null;
  drawSoon();
}

// What a review says about a move.
function result(answer, index) {
  const moves = movesOf(answer).filter(move => move.loss != null);
  const played = moves.find(move => move.direction === game.moves[index]);
  const best = Math.max(...moves.map(move => move.value));
  const mean = moves.length === 1 ? null : moves.reduce((sum, move) => sum + move.loss, 0) / moves.length;
  const { loss, share, level } = played;
  return { answer, best: answer.best, loss, share, mean, expected: game.scores[index] + best, level };
}

// Showing.

const moveNumber = index => game.firstNumber + index + 1;

function go(index) {
  if (!game) return;
  place = Math.max(0, Math.min(game.boards.length - 1, index));
  drawPlace();
  curve.mark(place);
  noteAddress();
}

// The moves with more than a small loss.
const isMistake = index => ["medium", "large"].includes(results[index]?.level);

function goToMistake(step) {
  for (let index = place + step; index >= 0 && index < game.moves.length; index += step) if (isMistake(index)) return go(index);
}

function drawPlace() {
  const found = results[place], direction = game.moves[place];
  board.show(game.boards[place]);
  board.hint(found?.best);
  panel.show(found?.answer, direction);
  $("place").value = place;
  $("reviewScore").textContent = number(game.scores[place]);
  const isLast = direction === undefined;
  $("reviewMove").textContent = `${isLast ? "–" : number(moveNumber(place))} of ${number(moveNumber(game.moves.length) - 1)}`;
  $("place").setAttribute("aria-valuetext", isLast ? "last board" : `board before move ${moveNumber(place)}`);
  const verdict = !found ? "analysing …"
    : found.best === direction ? "the best move"
    : found.loss === 0 ? `as good as ${arrows[found.best]} ${found.best}`
    : `best ${arrows[found.best]} ${found.best}, loss ${number(found.loss)}, ${percent(found.share)} of the points to come`;
  $("reviewMessage").textContent = isLast ? "The last board."
    : `Move ${number(moveNumber(place))}: played ${arrows[direction]} ${direction}, ${verdict}.`;
  $("first").disabled = $("previous").disabled = place === 0;
  $("following").disabled = $("last").disabled = place === game.boards.length - 1;
  $("playFromHere").disabled = false;
}

function drawResults() {
  if (!game) return;
  const { count, grades, accuracy, moments } = summary(results);
  const isDone = count === game.moves.length;
  const accuracyText = accuracy === null ? "–" : `${(100 * accuracy).toFixed(1)} %`;
  document.querySelectorAll(".accuracyText").forEach(element => { element.textContent = accuracyText; });
  $("losses").textContent = count === 0 ? "" : `Final score ${number(game.scores.at(-1))} in ${number(game.moves.length)} moves`
    + `${isDone ? "" : ", so far"}: ${grades}.`;
  $("curveTitle").textContent = `Final score that ${choice.label}, would reach`;
  $("progress").max = game.moves.length;
  $("progress").value = count;
  $("progressText").textContent = `${number(count)} of ${number(game.moves.length)} moves analysed by ${choice.label}`;
  $("cancel").hidden = isDone;
  $("cancel").textContent = analysis ? "Stop" : "Continue";
  drawMoments(moments);
  drawPlace();
  curve.show(game, results, moments);
  curve.mark(place);
}
// Not with every answer, because long games have many.
const drawSoon = soon(drawResults, 60);

function drawMoments(moments) {
  const texts = moments.map(index => `Move ${number(moveNumber(index))}: ${arrows[game.moves[index]]} instead of `
    + `${arrows[results[index].best]}, ${percent(results[index].share)} lost`);
  const known = [...$("moments").querySelectorAll("button")];
  if (known.length === texts.length && known.every((button, place) => button.textContent === texts[place])) return;
  const focused = known.indexOf(document.activeElement);
  $("moments").replaceChildren(...moments.map((index, place) => {
    const { level, best, share } = results[index];
    const button = create("button", { className: `plain ${level}`, textContent: texts[place] });
    button.ariaLabel = `Move ${moveNumber(index)}: ${game.moves[index]} instead of ${best}, gave away ${percent(share)}`;
    button.onclick = () => go(index);
    return create("li", {}, button);
  }));
  $("moments").querySelectorAll("button")[focused]?.focus();
  if (!moments.length) $("moments").append(create("li", { className: "faint", textContent: "none yet" }));
}

// Keys and buttons.

export function pressed(event) {
  const actions = {
    ArrowLeft: () => go(place - 1), ArrowRight: () => go(place + 1), Home: () => go(0),
    End: () => go(game.boards.length - 1), n: () => goToMistake(1), p: () => goToMistake(-1)
  };
  const action = actions[keyOf(event)];
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
  location.hash = "#/play";
}

async function attempt(action) {
  $("sourceMessage").textContent = "";
  try { await action(); } catch (error) { fail(error, () => attempt(action)); }
}

// Offers the recorded games of the server by number. The list has the scores of the first ones.
const listed = 5_000;
let offered = "";   // the answer with the games that are offered
async function offerGames() {
  const answer = await ask("/api/games"), { players, games } = answer, text = JSON.stringify(answer);
  let { list } = answer;
  if (text === offered) return;
  $("recorded").hidden = games === 0;
  while (list.length < Math.min(games, listed)) list = list.concat((await ask("/api/games", { after: list.at(-1).game })).list);
  $("recordedPlayer").replaceChildren(...players.map(player => new Option(player, player)));
  Object.assign($("recordedGame"), { max: games, placeholder: `1 to ${games}` });
  const show = () => {
    const place = players.indexOf($("recordedPlayer").value);
    $("recordedGames").replaceChildren(...list.map(({ game, scores }) => new Option(`${number(scores[place])} points`, game)));
  };
  $("recordedPlayer").onchange = show;
  show();
  offered = text;
}

function openChosen() {
  const field = $("recordedGame");
  if (!/^[1-9]\d*$/.test(field.value)) throw new Error(`Enter the number of a recorded game, from ${field.placeholder}.`);
  return openRecorded(field.value, $("recordedPlayer").value);
}

// The view has been opened with what follows its name in the address.
export async function shown(address) {
  noted = location.hash;
  offerGames().catch(() => {});   // They are offered when the server answers again.
  const end = address.findIndex((field, index) => index > 0 && (field === "move" || field === "end"));
  const wanted = end < 0 ? address : address.slice(0, end);
  const isOther = wanted.length > 0 && wanted.join() !== source?.join();
  await attempt(async () => {
    if (isOther || !source || source[0] === "current") await openSource(wanted); else if (!isPaused) resume();
    if (!game || end < 0 || wanted.join() !== source.join()) return;
    go(address[end] === "end" ? game.moves.length : Number(address[end + 1]) - 1 - game.firstNumber || 0);
  });
  noteAddress();
  drawSoon();
}

// Another view has been opened: the server need not search for this one.
export function left() { stopAnalysis(); }

// The server is there, and may not have been before: does what it could not do then.
export function serverAnswers(wasMissing) {
  const action = missed;
  missed = null;
  if (wasMissing || action) offerGames().catch(() => {});
  if (!action || $("review").hidden) return;
  $("sourceMessage").textContent = "";
  action();
}

export function begin(server) {
  size = server.boardSize;
  board = new BoardView($("reviewBoard"), size);
  panel = new MovesPanel($("reviewValues"));
  choice = new PlayerChoice("reviewer", server.players, size, { requiresPoints: true });
  choice.onchange = () => { if (game) analyse(); };
  $("first").onclick = () => go(0);
  $("previous").onclick = () => go(place - 1);
  $("following").onclick = () => go(place + 1);
  $("last").onclick = () => go(game.boards.length - 1);
  $("place").oninput = () => go(Number($("place").value));
  $("playFromHere").onclick = () => attempt(playFromHere);
  for (const id of ["first", "previous", "following", "last", "playFromHere"]) $(id).disabled = true;
  $("reviewCurrent").onclick = () => attempt(openCurrent);
  $("reviewPasted").onclick = () => attempt(openPasted);
  $("reviewRecorded").onclick = () => attempt(openChosen);
  $("recordedGame").onkeydown = event => { if (event.key === "Enter") attempt(openChosen); };
  $("cancel").onclick = () => {
    isPaused = analysis !== null;
    if (isPaused) stopAnalysis(); else resume();
  };
  curve = new ReviewCurve($("curve"));
  curve.onchoice = go;
  addEventListener("resize", () => { if (game && !$("review").hidden) drawSoon(); });
}
