import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SpareTurns } from './spare-turns.ts'

/** An event loop whose turns are taken by hand. */
class Loop {
  nowMs = 0
  waiting = 0
  readonly begun: string[] = []
  readonly turns = new SpareTurns({
    defer: (step) => this.#steps.push(step),
    nowMs: () => this.nowMs,
    waiting: () => this.waiting,
  })
  #steps: (() => void)[] = []

  take(name: string): void {
    void this.turns.take().then(() => this.begun.push(name))
  }

  async turn(): Promise<string> {
    const steps = this.#steps
    this.#steps = []
    for (const step of steps) step()
    await Promise.resolve()
    return this.begun.splice(0).join()
  }
}

suite('spare turns', () => {
  test('each turn runs one part, in the order of requests', async () => {
    const loop = new Loop()
    for (const name of ['a', 'b', 'c']) loop.take(name)
    assert.equal(await loop.turn(), 'a')
    loop.take('a again')
    assert.deepEqual([await loop.turn(), await loop.turn()], ['b', 'c'])
    assert.deepEqual([await loop.turn(), await loop.turn()], ['a again', ''])
  })

  test('no part runs while jobs wait, for ten milliseconds', async () => {
    const loop = new Loop()
    loop.take('a')
    loop.waiting = 1
    assert.equal(await loop.turn(), '')
    loop.waiting = 0
    assert.equal(await loop.turn(), 'a')

    loop.waiting = 1
    loop.take('b')
    assert.equal(await loop.turn(), '')
    loop.nowMs = 5
    loop.take('c')
    loop.nowMs = 9
    assert.equal(await loop.turn(), '')
    loop.nowMs = 10
    assert.deepEqual([await loop.turn(), await loop.turn()], ['b', ''])
    loop.nowMs = 15
    assert.equal(await loop.turn(), 'c')
  })
})
