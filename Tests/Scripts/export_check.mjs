// Prints, for each board of standard input, the best move, and the reward, value and afterstate of each direction.
// Usage: node export_check.mjs DIRECTORY
import { readFileSync } from "node:fs"

const directory = process.argv[2]
const { Model, directions, slide } = await import(`${directory}/learn2048.mjs`)
const model = await Model.read(readFileSync(`${directory}/model.bin.gz`))
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const board = [...line].map((digit) => parseInt(digit, 36))
  const parts = [directions.indexOf(model.bestMove(board)?.direction)]
  for (const direction of directions) {
    const { afterstate, reward } = slide(board, direction) ?? { afterstate: board, reward: -1 }
    const text = afterstate.map((exponent) => exponent.toString(36).toUpperCase()).join("")
    parts.push(reward, reward < 0 ? 0 : model.value(afterstate), text)
  }
  console.log(parts.join(" "))
}
