// The game with its history, which survives a reload.

import { sleep, store, stored } from "./common.js";
import { isOver, largestExponent } from "./rules.js";

// The most boards that undo remembers, so that they fit into the storage of a page.
const longest = 50_000;

// What has been on the board, of which the last is. A new game does not end the history, so undo leads back.
//
// Tabs share the storage. The game in it is the one that was played last: a tab takes it over when another has saved
// one, and never writes over a game that it has not read.
export class Game {
  // {seed, board, score, moves, move, isOver, isOwn}: `seed` is a text, because it may exceed 2^53, `move` led to the board, or is null for the first of a game. `isOwn`
  // says whether the person has made all moves, from a random start, and without having seen what a player thinks.
  #history = [];
  #size;
  #isSaving = false;
  #isKept = false;   // whether the person goes on after winning
  #isSaved = true;   // whether the storage has the game as it is
  #known = null;   // the text in the storage, as this tab has read or written it last
  // Called when another tab has continued the game.
  ontakeover = () => {};

  constructor(size) {
    this.#size = size;
    this.#known = stored(this.#key);
    this.#load();
    addEventListener("pagehide", () => this.#save());
    // A tab that is hidden takes the game over when it is shown, or before it saves.
    addEventListener("storage", event => { if (!document.hidden && event.key?.endsWith(this.#key)) this.#takeOver(); });
    addEventListener("pageshow", () => this.#takeOver());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#save(); else this.#takeOver(); });
  }

  get #key() { return `game${this.#size}`; }

  get size() { return this.#size; }
  get now() { return this.#history.at(-1); }
  get canUndo() { return this.#history.length > 1; }

  // Whether the last move made the first tile of 2048, and the person has not decided to go on.
  get isWon() {
    const before = this.#history.at(-2), now = this.now;
    return !this.#isKept && now?.move != null && before !== undefined && !now.isOver
      && largestExponent(now.board) === 11 && largestExponent(before.board) < 11;
  }
  keepGoing() {
    this.#isKept = true;
    this.#saveSoon();
  }

  // Begins with the first board of a new game.
  begin({ seed, board }) {
    this.add({ seed, board, score: 0, moves: 0, move: null, isOver: false, isOwn: true });
  }

  add(entry) {
    this.#history.push(entry);
    if (entry.isOwn && entry.score > this.bestScore) store(`ownBest${this.#size}`, this.#best = entry.score);
    if (this.#history.length > longest) this.#history.splice(0, longest / 10);
    this.#changed();
  }

  // The entry after a move of the person or of a player, whose effect is known.
  after(direction, step, isPersons) {
    const { seed, score, moves, isOwn } = this.now;
    return {
      seed, board: step.board, score: score + step.reward, moves: moves + 1, move: direction, isOver: step.isOver,
      isOwn: isOwn && isPersons
    };
  }

  // The person has seen what a player thinks of the board.
  noteHelp() {
    this.now.isOwn = false;
    this.#saveSoon();
  }

  undo() {
    this.#history.pop();
    this.#changed();
  }

  // The boards, moves and scores of the current game, as far as they are remembered.
  get played() {
    const start = Math.max(0, this.#history.findLastIndex(entry => entry.move === null));
    const entries = this.#history.slice(start);
    return {
      boards: entries.map(entry => entry.board), moves: entries.slice(1).map(entry => entry.move),
      scores: entries.map(entry => entry.score), seed: this.now.seed, firstNumber: entries[0].moves
    };
  }

  // The best score of games that the person played alone from a random start. It lasts.
  get bestScore() { return Math.max(this.#best, Number(stored(`ownBest${this.#size}`) ?? 0)); }
  #best = 0;

  #changed() {
    this.#isKept = false;
    this.#saveSoon();
  }

  async #saveSoon() {
    this.#isSaved = false;
    if (this.#isSaving) return;
    this.#isSaving = true;
    // Long histories take time to save.
    await sleep(this.#history.length > 2_000 ? 1_500 : 200);
    this.#isSaving = false;
    this.#save();
  }

  // Saves the first entry of a game as `s,SEED,FOREIGN,MOVES,SCORE,BOARD`, where FOREIGN is 1 unless it is the person's
  // own, and others as `m,SCORE,BOARD` with the first letter of the move, which is a capital for a move of a player. The head
  // is `own`, and `own,kept` if the person goes on after winning. Without `own`, it does not say whose moves these are.
  #save() {
    if (this.#isSaved || this.#takeOver()) return;
    this.#isSaved = true;
    const lines = this.#history.map((entry, index) => entry.move === null || index === 0
      ? ["s", entry.seed, Number(!entry.isOwn), entry.moves, entry.score, entry.board].join()
      : [entry.isOwn ? entry.move[0] : entry.move[0].toUpperCase(), entry.score, entry.board].join());
    store(this.#key, [this.#isKept ? "own,kept" : "own", ...lines].join("\n"));
    this.#known = stored(this.#key);
  }

  // Takes over the game if another tab has saved one since this tab read or wrote the storage; says whether it has.
  #takeOver() {
    const text = stored(this.#key);
    if (text === null || text === this.#known) return false;
    this.#known = text;
    if (!this.#load()) return false;
    this.#isSaved = true;
    this.ontakeover();
    return true;
  }

  // Reads the game in the storage, and says whether there is a valid one.
  #load() {
    const [head, ...lines] = (this.#known ?? "").split("\n");
    const isMarked = head.startsWith("own");
    const names = { u: "up", d: "down", l: "left", r: "right" };
    const history = [];
    for (const line of lines) {
      const [letter, ...fields] = line.split(",");
      const kind = letter.toLowerCase();
      const board = fields.at(-1), score = Number(fields.at(-2)), before = history.at(-1);
      const isStart = kind === "s" && fields.length === 5;
      if (!isStart && !(names[kind] && fields.length === 2 && before)) return false;
      if (!/^[0-9A-H]{16}$/.test(board) || !Number.isSafeInteger(score)) return false;
      const [seed, isOwn, moves] = isStart ? [fields[0], isMarked && fields[1] !== "1", Number(fields[2])]
        : [before.seed, before.isOwn && letter === kind, before.moves + 1];
      if (!/^\d{1,20}$/.test(seed) || !Number.isSafeInteger(moves)) return false;
      history.push({ seed, board, score, moves, move: isStart ? null : names[kind], isOver: false, isOwn });
    }
    if (!history.length) return false;
    // A board without a legal move is the last one of its game.
    history.forEach((entry, index) => {
      if ((history[index + 1]?.move ?? null) === null) entry.isOver = isOver(entry.board, this.#size);
    });
    this.#history = history;
    this.#isKept = head.endsWith("kept");
    return true;
  }
}
