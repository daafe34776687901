// Action values: their losses, the panel that shows them, and the choice of a player.

import { $, arrows, ask, create, directions, number } from "./common.js";
import { isOnBoard } from "./rules.js";

// The four moves of an answer of the server, with their losses against the best.
export function movesOf(answer, score = 0) {
  const values = answer.moves.map(move => move.value).filter(value => value != null);
  const best = Math.max(...values);
  const scale = Math.abs(answer.valuesArePoints ? score + best : best) || 1;
  return answer.moves.map(({ direction, legal, value }) => {
    const loss = value == null ? null : best - value;
    return { direction, legal, value, loss, level: level(loss, scale), isBest: direction === answer.best };
  });
}

// How bad a loss is, against the expected final score.
function level(loss, scale) {
  if (loss == null) return "";
  return loss === 0 ? "none" : loss < .001 * scale ? "small" : loss < .01 * scale ? "medium" : "large";
}
export const levelWords = { none: "best", small: "small loss", medium: "loss", large: "large loss" };

// The sums of a review: {total, accuracy, ...} of results {loss, mean}, in which some may be missing. The definition
// is that of `learn2048 review`.
export function summary(results) {
  let count = 0, total = 0, means = 0;
  for (const result of results) {
    if (!result) continue;
    count += 1;
    total += result.loss;
    means += result.mean ?? 0;
  }
  return { count, total, accuracy: means > 0 ? 1 - total / means : null };
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
  show(answer, score, played) {
    const moves = answer ? movesOf(answer, score) : [];
    const largest = Math.max(...moves.map(move => move.loss ?? 0)) || 1;
    this.#rows.forEach((row, index) => {
      const move = moves[index];
      row.className = `move ${move?.level ?? ""}`;
      row.classList.toggle("best", move?.isBest === true);
      row.classList.toggle("played", played === directions[index]);
      row.querySelector(".bar").style.width = move?.loss ? `${Math.max(3, 100 * move.loss / largest)}%` : "0";
      row.querySelector(".value").textContent =
        !move ? "" : !move.legal ? "not legal" : move.loss == null ? (move.isBest ? "best" : "–")
        : move.isBest ? "best" : move.loss === 0 ? "as good" : `−${number(move.loss)}`;
    });
  }
}

// The choice of a player: one of a list, or any other.
export class PlayerChoice {
  #select;
  #field;
  #message;
  #names = new Map();   // PLAYER text -> label
  #value;
  #requiresPoints;
  #size;
  onchange = () => {};

  constructor(name, players, size, { requiresPoints = false, value }) {
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
    this.onchange();
  }

  // Asks the server whether it allows the player, with a board that has no move, so that no search begins.
  async #enter(text) {
    if (text === "") return;
    if (text === this.#value) return this.#showHint();
    try {
      const board = [...Array(16).keys()].map(cell => isOnBoard(cell, this.#size) ? 1 + (cell + (cell >> 2)) % 2 : 0);
      const answer = await ask("/api/analyze", { board: board.join(""), player: text });
      if (this.#requiresPoints && !answer.valuesArePoints) {
        throw new Error(`The values of ${text} are not points. Choose learned, or montecarlo without an evaluator.`);
      }
      this.#showHint();
      this.#choose(text);
    } catch (error) {
      this.#message.textContent = error.message;
      this.#message.classList.add("wrong");
    }
  }
}
