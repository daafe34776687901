// Action values: their losses, the panel that shows them, the choice of a player, and the program that plays as chosen.

import { $, arrows, ask, create, directions, number, sleep, store, stored } from "./common.js";
import { isOnBoard } from "./rules.js";

// The four moves of an answer of the server, with their losses against the best, and the shares of what is at stake
// that they give away. The definitions here are those of `learn2048 review`.
export function movesOf(answer) {
  const values = answer.moves.map(move => move.value).filter(value => value != null);
  const best = Math.max(...values);
  return answer.moves.map(({ direction, legal, value }) => {
    const loss = value == null ? null : best - value;
    const share = loss > 0 ? Math.min(1, loss / Math.max(best, Number.MIN_VALUE)) : 0;
    return { direction, legal, value, loss, share, level: loss == null ? "" : level(share), isBest: direction === answer.best };
  });
}

const level = share => share === 0 ? "none" : share < .01 ? "small" : share < .1 ? "medium" : "large";

// What a number of moves of a level is called.
const levelWords = {
  none: ["best move", "best moves"], small: ["small loss", "small losses"], medium: ["loss", "losses"],
  large: ["large loss", "large losses"]
};

// The length of a bar, from 0 to 1, which is the same for a share on every board. It is full where a loss is large.
export const barLength = share => Math.sqrt(Math.min(1, share / .1));

export const percent = share => `${(100 * share).toFixed(1)} %`;

// The summary of results {loss, share, mean, level}, in which some may be missing: their number, how many there are of
// each level, in words, the accuracy, and the indices of the three moves that mattered most.
export function summary(results) {
  const counts = { none: 0, small: 0, medium: 0, large: 0 }, bad = [];
  let count = 0, losses = 0, means = 0;
  results.forEach((result, index) => {
    if (!result) return;
    count += 1;
    counts[result.level] += 1;
    losses += result.loss;
    means += result.mean ?? 0;
    if (result.loss > 0) bad.push(index);
  });
  bad.sort((a, b) => results[b].share - results[a].share || a - b);
  const moments = [];
  for (const index of bad) {
    if (moments.length === 3) break;
    if (moments.every(other => Math.abs(other - index) >= 20)) moments.push(index);
  }
  const grades = Object.entries(counts).map(([level, count]) => `${number(count)} ${levelWords[level][count === 1 ? 0 : 1]}`);
  return { count, grades: grades.join(", "), accuracy: means > 0 ? 1 - losses / means : null, moments: moments.sort((a, b) => a - b) };
}

// Shows the four moves with their losses.
export class MovesPanel {
  #rows;

  constructor(element) {
    this.#rows = directions.map(direction => {
      const bar = create("div", { className: "bar" });
      const row = create("div", { className: "move" },
        create("span", { className: "direction", textContent: `${arrows[direction]} ${direction}` }),
        create("div", { className: "track", ariaHidden: "true" }, bar), create("span", { className: "value" }));
      return row;
    });
    element.append(...this.#rows);
  }

  // Shows an answer of the server; nothing for null. `played` marks a move.
  show(answer, played) {
    const moves = answer ? movesOf(answer) : [];
    this.#rows.forEach((row, index) => {
      const move = moves[index];
      row.className = `move ${move?.level ?? ""}`;
      row.classList.toggle("best", move?.isBest === true);
      row.classList.toggle("played", played === directions[index]);
      row.querySelector(".bar").style.width = move?.loss ? `${Math.max(3, 100 * barLength(move.share))}%` : "0";
      row.querySelector(".value").textContent =
        !move ? "" : !move.legal ? "not legal" : move.loss == null ? (move.isBest ? "best" : "–")
        : move.isBest ? "best" : move.loss === 0 ? "as good" : `−${answer.isFromTable ? percent(move.loss) : number(move.loss)}`;
      row.title = move?.loss ? `gives away ${percent(move.share)} of what is at stake` : "";
    });
  }
}

// The player that is chosen until somebody chooses.
const usualPlayer = "learned:depth=3";

// The choice of a player: one of a list, or any other. It is kept under the name of the choice.
export class PlayerChoice {
  #name;
  #select;
  #field;
  #message;
  #names = new Map();   // PLAYER text -> label
  #value;
  #choices = 0;   // how often somebody has chosen, so that late answers about earlier choices are known as such
  #requiresPoints;
  #size;
  onchange = () => {};

  constructor(name, players, size, { requiresPoints = false } = {}) {
    const value = stored(name) ?? usualPlayer;
    this.#name = name;
    this.#select = $(`${name}Select`);
    this.#field = $(`${name}Field`);
    this.#message = $(`${name}Message`);
    this.#requiresPoints = requiresPoints;
    this.#size = size;
    for (const { player, label, valuesArePoints } of players) {
      if (requiresPoints && !valuesArePoints) continue;
      this.#names.set(player, label);
      this.#select.append(new Option(label, player));
    }
    this.#select.append(new Option("Another player …", "other"));
    this.#select.onchange = () => {
      this.#choices += 1;
      const isOther = this.#select.value === "other";
      this.#showField(isOther);
      if (isOther) return this.#field.focus();
      this.#choose(this.#select.value);
    };
    this.#field.onchange = () => this.#enter(this.#field.value.trim());
    this.#field.onkeydown = event => { if (event.key === "Enter") this.#field.blur(); };
    this.#value = value;
    if (this.#names.has(value)) {
      this.#select.value = value;
    } else {
      this.#select.value = "other";
      this.#field.value = value;
    }
    this.#showField(!this.#names.has(value));
  }

  get value() { return this.#value; }
  get label() { return this.#names.get(this.#value) ?? this.#value; }

  #showField(isShown) {
    this.#field.hidden = !isShown;
    this.#message.hidden = !isShown;
    if (isShown && this.#message.textContent === "") this.#message.textContent = this.#message.dataset.hint;
  }

  #showHint() {
    this.#message.textContent = this.#message.dataset.hint;
    this.#message.classList.remove("wrong");
  }

  #choose(value) {
    this.#value = value;
    store(this.#name, value);
    this.onchange();
  }

  // Asks the server whether it allows the player, with a board that has no move, so that no search begins.
  async #enter(text) {
    const mine = ++this.#choices;
    if (text === "") return;
    if (text === this.#value) return this.#showHint();
    try {
      const board = [...Array(16).keys()].map(cell => isOnBoard(cell, this.#size) ? 1 + (cell + (cell >> 2)) % 2 : 0);
      const answer = await ask("/api/analyze", { board: board.join(""), player: text });
      if (mine !== this.#choices) return;
      if (this.#requiresPoints && !answer.valuesArePoints) {
        throw new Error(`The values of ${text} are not points. Choose learned, or montecarlo without an evaluator.`);
      }
      this.#showHint();
      this.#choose(text);
    } catch (error) {
      if (mine !== this.#choices) return;
      this.#message.textContent = `${error.message} ${this.#message.dataset.still}: ${this.label}.`;
      this.#message.classList.add("wrong");
    }
  }
}

// The program that plays: it evaluates the moves of the board, and plays on.
export class Program {
  #choice;
  #table;
  #search = null;   // {entry, player, controller, promise, answer}: the last search for the board of an entry of the game
  #run = null;   // the AbortController of the requests while it plays on
  #lastMove = null;   // {player, answer} of the move that it has made while playing on
  onstop = () => {};

  // `table` is the game: {now, after(direction, effect), settled(), play(entry, direction, effect), pace()}.
  constructor(choice, table) {
    this.#choice = choice;
    this.#table = table;
  }

  get isRunning() { return this.#run !== null; }

  // The action values of the board, or of the last move while it plays on; null until they are known.
  get known() {
    const known = this.isRunning ? this.#lastMove : this.#search;
    return known?.player === this.#choice.value ? known.answer : null;
  }

  // Ends the search for a board that is no longer shown, so that it does not delay the next one.
  forget() {
    this.#search?.controller.abort();
    this.#search = null;
  }

  // Searches for the action values of the board. Returns null if the board or the choice changes before they are known.
  async evaluate() {
    const entry = this.#table.now, player = this.#choice.value;
    if (entry.isOver) return null;
    if (this.#search?.entry !== entry || this.#search.player !== player) {
      this.forget();
      const controller = new AbortController();
      const promise = ask("/api/analyze", { board: entry.board, player }, controller.signal);
      this.#search = { entry, player, controller, promise, answer: null };
    }
    const mine = this.#search;
    try {
      mine.answer = await mine.promise;
    } catch (error) {
      if (mine.controller.signal.aborted) return null;
      if (this.#search === mine) this.#search = null;
      throw error;
    }
    return this.#search === mine ? mine.answer : null;
  }

  // Plays on until the game is over, or it is stopped or begun again. One request makes a move, and the next one is
  // under way while the move is shown.
  async run() {
    this.forget();
    this.#run?.abort();
    const mine = new AbortController(), player = this.#choice.value, table = this.#table;
    this.#run = mine;
    this.#lastMove = null;
    const request = ({ board, seed, moves }) => {
      const answer = ask("/api/analyze", { board, player, seed, moves }, mine.signal);
      answer.catch(() => {});   // It may never be awaited.
      return { board, answer };
    };
    try {
      // A change that was asked for before comes first.
      await table.settled();
      let next = null;
      while (this.#run === mine && !table.now.isOver) {
        const start = performance.now();
        if (next?.board !== table.now.board) next = request(table.now);
        const answer = await next.answer;
        if (this.#run !== mine || !answer.best) break;
        const entry = table.now;
        if (next.board !== entry.board) continue;
        const following = table.after(answer.best, answer.next);
        next = following.isOver ? null : request(following);
        await table.play(entry, answer.best, answer.next);
        this.#lastMove = { player, answer };
        const rest = table.pace() - (performance.now() - start);
        if (rest > 0) await sleep(rest);
      }
    } catch (error) {
      if (!mine.signal.aborted) throw error;
    } finally {
      if (this.#run === mine) this.stop();
    }
  }

  stop() {
    if (!this.#run) return;
    this.#run.abort();
    this.#run = null;
    this.onstop();
  }
}
