// A board on the page.

import { create, sleep } from "./common.js";
import { exponents, isOnBoard } from "./rules.js";

function place(element, cell) {
  element.style.setProperty("--row", Math.floor(cell / 4));
  element.style.setProperty("--column", cell % 4);
  return element;
}

// Shows boards in an element. Screen readers get its rows and cells; tiles are for the eye.
export class BoardView {
  #element;
  #size;
  #cells = new Map();   // cell -> the element with its text
  #tiles = create("div", { className: "tiles", ariaHidden: "true" });
  #shown = new Map();   // cell -> {element, exponent}
  #hasMoved = false;   // whether tiles have left their cells
  #hint = create("div", { className: "hint", ariaHidden: "true", hidden: true });
  #endAnimation = () => {};

  constructor(element, size) {
    this.#element = element;
    this.#size = size;
    element.style.setProperty("--n", size);
    for (let row = 0; row < size; row++) {
      const line = create("div", { className: "line", role: "row" });
      for (let column = 0; column < size; column++) {
        const cell = place(create("div", { className: "cell", role: "gridcell" }), 4 * row + column);
        this.#cells.set(4 * row + column, cell);
        line.append(cell);
      }
      element.append(line);
    }
    element.append(this.#tiles, this.#hint);
  }

  // Shows a board. `kinds` says which cells have a "new" or a "merged" tile.
  show(board, kinds = {}) {
    if (this.#hasMoved) {
      this.#tiles.replaceChildren();
      this.#shown.clear();
      this.#hasMoved = false;
    }
    exponents(board).forEach((exponent, cell) => {
      if (!isOnBoard(cell, this.#size)) return;
      const known = this.#shown.get(cell);
      if (known?.exponent === exponent && !kinds[cell]) return;
      known?.element.remove();
      this.#shown.delete(cell);
      this.#cells.get(cell).textContent = exponent ? String(2 ** exponent) : "empty";
      if (!exponent) return;
      const element = place(create("div", { textContent: String(2 ** exponent) }), cell);
      element.className = `tile t${exponent} digits${element.textContent.length} ${kinds[cell] ?? ""}`;
      this.#tiles.append(element);
      this.#shown.set(cell, { element, exponent });
    });
    this.hint(null);
  }

  // Slides tiles, and returns the kinds of those that the move made. A later move ends the animation.
  async slide({ slides, spawn }) {
    const arrivals = {};
    for (const { from, to } of slides) {
      arrivals[to] = (arrivals[to] ?? 0) + 1;
      const known = this.#shown.get(from);
      if (known) place(known.element, to);
    }
    this.#hasMoved = true;
    this.hint(null);
    await Promise.race([sleep(100), new Promise(resolve => { this.#endAnimation = resolve; })]);
    const merged = Object.entries(arrivals).filter(([, count]) => count > 1).map(([cell]) => [cell, "merged"]);
    return Object.fromEntries([...merged, [spawn.cell, "new"]]);
  }
  endAnimation() { this.#endAnimation(); }

  // Shows an arrow in a direction, or none.
  hint(direction) {
    this.#hint.hidden = !direction;
    this.#hint.className = `hint ${direction ?? ""}`;
  }
}
