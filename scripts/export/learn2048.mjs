// Plays 2048 with a model that learn2048 has trained. scripts/export/model writes the model. For browsers and Node:
//
//   import { Model } from "./learn2048.mjs"
//   const model = await Model.read(await (await fetch("model.bin.gz")).arrayBuffer())
//   const { direction } = model.bestMove([1, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
//
// A board is an array of 16 exponents, row by row: 0 is an empty cell, 1 is the tile 2, 11 is 2048. An afterstate is a
// board after a slide and before the new tile.

export const directions = ["up", "down", "left", "right"]

const magic = 0x4d383432

// MARK: Moves

/**
 * The afterstate of a slide and its reward in points, or null if the slide is not a legal move. Two tiles of 131072 do
 * not merge.
 */
export function slide(board, direction) {
  const isVertical = direction === "up" || direction === "down"
  const isReversed = direction === "down" || direction === "right"
  const afterstate = new Array(16).fill(0)
  let reward = 0
  for (let line = 0; line < 4; line++) {
    const cell = (place) => {
      const along = isReversed ? 3 - place : place
      return isVertical ? 4 * along + line : 4 * line + along
    }
    let [last, canMerge] = [-1, false]
    for (let place = 0; place < 4; place++) {
      const exponent = board[cell(place)]
      if (exponent === 0) continue
      if (canMerge && afterstate[cell(last)] === exponent && exponent < 17) {
        afterstate[cell(last)] += 1
        reward += 2 ** (exponent + 1)
        canMerge = false
      } else {
        last += 1
        afterstate[cell(last)] = exponent
        canMerge = true
      }
    }
  }
  return afterstate.some((exponent, cell) => exponent !== board[cell]) ? { afterstate, reward } : null
}

// MARK: Boards

/** For each image of the board, the cell that shows each cell. */
const imageCells = Array.from({ length: 8 }, (_, image) =>
  Array.from({ length: 16 }, (_, cell) => {
    let [row, column] = [cell >> 2, cell & 3]
    if (image & 4) [row, column] = [column, row]
    if (image & 2) row = 3 - row
    if (image & 1) column = 3 - column
    return 4 * row + column
  }),
)

/**
 * Halves the largest tiles, in place, until the largest one is below a threshold, or no tile from 64 on is missing. A
 * step halves the tiles above the largest missing one, whose exponent counts as 5 if none is missing. Returns the sum of
 * the offsets of the steps, which also depend on whether the tile above the missing one is there twice.
 */
function downgrade(exponents, threshold, offsets) {
  let sum = 0
  for (let largest = Math.max(...exponents); largest >= threshold; largest--) {
    let missing = largest - 1
    while (missing >= 6 && exponents.includes(missing)) missing--
    const isRising = missing >= 6 && exponents.filter((exponent) => exponent === missing + 1).length > 1
    sum += offsets[largest]?.[missing + (isRising ? 16 : 0)] ?? 0
    if (missing < 6) break
    for (let cell = 0; cell < exponents.length; cell++) if (exponents[cell] > missing) exponents[cell] -= 1
  }
  return sum
}

function bitCount(word) {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

// MARK: Models

/** A table: one bit per entry, 1 if its weight is not 0, and the weights that are not 0. */
class Table {
  constructor(take, cellCount) {
    const [kept, levelCount] = take(2)
    this.bits = take(Math.max(1, 16 ** cellCount / 32))
    // The different weights. Without them, the weights themselves follow.
    this.levels = levelCount > 0 ? floats(take(levelCount)) : null
    this.weights = levelCount > 0 ? take((kept + 1) >> 1) : floats(take(kept))
    // The number of weights before each word of bits.
    this.before = new Uint32Array(this.bits.length)
    let total = 0
    for (let word = 0; word < this.bits.length; word++) {
      this.before[word] = total
      total += bitCount(this.bits[word])
    }
    if (total !== kept) throw new Error("the model is damaged")
  }

  /** The weight at the exponents of the pattern's cells, 0 if the table has none. */
  weight(exponents) {
    let index = 0
    for (const exponent of exponents) index = index * 16 + exponent
    const [word, bit] = [Math.floor(index / 32), index % 32]
    const bits = this.bits[word]
    if (((bits >>> bit) & 1) === 0) return 0
    const place = this.before[word] + bitCount(bits & ((1 << bit) - 1))
    return this.levels ? this.levels[(this.weights[place >> 1] >>> (16 * (place & 1))) & 0xffff] : this.weights[place]
  }
}

function floats(words) {
  return new Float32Array(words.buffer, words.byteOffset, words.length)
}

export class Model {
  /** Reads the content of model.bin or model.bin.gz, an ArrayBuffer or a Uint8Array. */
  static async read(content) {
    let bytes = new Uint8Array(content)
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
      bytes = new Uint8Array(await new Response(stream).arrayBuffer())
    }
    return new Model(new Uint32Array(bytes.slice().buffer))
  }

  constructor(words) {
    let next = 0
    const take = (count) => {
      if (next + count > words.length) throw new Error("the model is not complete")
      next += count
      return words.subarray(next - count, next)
    }
    const [found, version, patternCount, tiles, downgrading] = take(5)
    if (found !== magic || version !== 3) throw new Error("this is not a model that scripts/export/model has written")
    this.tiles = Array.from({ length: 16 }, (_, exponent) => exponent).filter((exponent) => (tiles >> exponent) & 1)
    this.downgrading = downgrading
    // By the exponent of the largest tile: by the missing one, and after 16 of them again for pairs above it.
    this.offsets = {}
    if (downgrading > 0) for (let largest = downgrading; largest < 16; largest++) this.offsets[largest] = floats(take(32))
    this.patterns = Array.from({ length: patternCount }, () => [...take(take(1)[0])])
    this.tables = Array.from({ length: this.tiles.length + 1 }, () => this.patterns.map((cells) => new Table(take, cells.length)))
  }

  /** The value of an afterstate: the points expected from it on. */
  value(afterstate) {
    const board = [...afterstate]
    if (this.downgrading > 0) downgrade(board, 16, {})
    for (let cell = 0; cell < 16; cell++) board[cell] = Math.min(board[cell], 15)
    const stage = this.stage(board)
    let sum = this.downgrading > 0 ? downgrade(board, this.downgrading, this.offsets) : 0
    this.patterns.forEach((cells, place) => {
      for (const image of imageCells) sum += this.weight(stage, place, cells.map((cell) => board[image[cell]]))
    })
    return sum
  }

  /** The number of the stage of a board. */
  stage(exponents) {
    return this.tiles.filter((tile) => Math.max(...exponents) >= tile).length
  }

  /** The weight that a stage reads: if it has not learned it, that of the stage before. */
  weight(stage, place, exponents) {
    const found = this.tables[stage][place].weight(exponents)
    if (found !== 0 || stage === 0) return found
    return this.weight(stage - 1, place, exponents)
  }

  /** The legal moves of a board: direction, reward, afterstate, and value, the reward plus that of the afterstate. */
  moves(board) {
    return directions.flatMap((direction) => {
      const move = slide(board, direction)
      return move ? [{ direction, ...move, value: move.reward + this.value(move.afterstate) }] : []
    })
  }

  /** The move with the largest value, or null if no move is legal. */
  bestMove(board) {
    return this.moves(board).reduce((best, move) => (best && best.value >= move.value ? best : move), null)
  }
}
