// Plays on an offline page with a document of the few functions that it uses. Usage: node page_check.mjs PAGE
import assert from "node:assert"
import { readFileSync, rmSync, writeFileSync } from "node:fs"

const page = readFileSync(process.argv[2], "utf8")
const [, module] = page.match(/<script type="module">\n(.*?)<\/script>/s)

class Element {
  constructor() {
    Object.assign(this, { children: [], listeners: {}, style: {}, textContent: "" })
  }
  appendChild(child) {
    this.children.push(child)
    return child
  }
  replaceChildren(...children) {
    this.children = children
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener
  }
  remove() {}
}
const elements = Object.fromEntries([...page.matchAll(/ id="(\w+)"/g)].map(([, id]) => [id, new Element()]))
elements.model.textContent = page.match(/<script id="model"[^>]*>(.*?)<\/script>/s)[1]
globalThis.document = Object.assign(new Element(), {
  getElementById: (id) => elements[id],
  createElement: () => new Element(),
})

const path = `${process.argv[2]}.mjs`
writeFileSync(path, module)
await import(path)
rmSync(path)

const tiles = () => elements.board.children.map((cell) => Number(cell.textContent))
const score = () => Number(elements.score.textContent.replace(/\D/g, ""))
assert.equal(tiles().length, 16)
assert.equal(tiles().filter((tile) => tile > 0).length, 2)
assert.ok(elements.moves.children.length >= 2)
const total = () => tiles().reduce((sum, tile) => sum + tile, 0)
for (let move = 0; move < 30; move++) {
  const before = total()
  elements.best.onclick()
  assert.ok([2, 4].includes(total() - before), "a move adds a 2 or a 4")
}
const key = Object.keys({ ArrowUp: 0, ArrowDown: 0, ArrowLeft: 0, ArrowRight: 0 }).find((name) => {
  const before = total()
  document.listeners.keydown({ key: name, preventDefault() {} })
  return total() > before
})
assert.ok(key, "an arrow key moves")
assert.ok(score() > 0)
const played = score()
elements.new.onclick()
assert.equal(score(), 0)
console.log(`30 best moves and ${key} scored ${played} points`)
