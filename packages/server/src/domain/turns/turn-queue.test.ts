import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { TurnQueue } from './turn-queue.ts'

/** Works that end when they are told to. */
class Works {
  readonly begun: string[] = []
  readonly #ends = new Map<string, () => void>()
  readonly queue: TurnQueue

  constructor(lanes: number, perKey: number) {
    this.queue = new TurnQueue({ lanes, perKey })
  }

  add(name: string): Promise<void> {
    return this.queue.run(name[0]!, this.#work(name))
  }

  addAlone(name: string): Promise<void> {
    return this.queue.runAlone(this.#work(name))
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!()
    await new Promise((resolve) => setImmediate(resolve))
  }

  #work(name: string): () => Promise<void> {
    return () => {
      this.begun.push(name)
      return new Promise((resolve) => this.#ends.set(name, resolve))
    }
  }
}

suite('turn queue', () => {
  test('keys take turns, even if one has much to do', async () => {
    const works = new Works(1, 1)
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void works.add(name)
    const order = ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']
    for (const name of order) await works.end(name)
    assert.deepEqual(works.begun, order)
  })

  test('a key uses only its own lanes, and another one runs beside it', async () => {
    const works = new Works(3, 2)
    for (const name of ['a1', 'a2', 'a3', 'a4']) void works.add(name)
    assert.deepEqual(works.begun, ['a1', 'a2'])
    void works.add('b1')
    assert.deepEqual(works.begun, ['a1', 'a2', 'b1'])
    assert.deepEqual([works.queue.lengthOf('a'), works.queue.lengthOf('b')], [4, 1])
    await works.end('a2')
    assert.deepEqual(works.begun, ['a1', 'a2', 'b1', 'a3'])
  })

  test('a key is left out while it waits with nothing in progress', async () => {
    const works = new Works(2, 1)
    for (const name of ['a1', 'a2', 'b1']) void works.add(name)
    assert.equal(works.queue.isAnyLeftOut, false)
    void works.add('c1')
    assert.equal(works.queue.isAnyLeftOut, true)
    await works.end('a1')
    await works.end('b1')
    assert.deepEqual(works.begun, ['a1', 'b1', 'c1', 'a2'])
    assert.equal(works.queue.isAnyLeftOut, false)
  })

  test('exclusive work waits for work in progress, and goes before waiting work', async () => {
    const works = new Works(2, 1)
    for (const name of ['a1', 'a2', 'b1']) void works.add(name)
    void works.addAlone('x')
    await works.end('a1')
    assert.deepEqual(works.begun, ['a1', 'b1'])
    await works.end('b1')
    assert.deepEqual(works.begun, ['a1', 'b1', 'x'])
    void works.add('c1')
    assert.deepEqual(works.begun, ['a1', 'b1', 'x'])
    await works.end('x')
    assert.deepEqual(works.begun, ['a1', 'b1', 'x', 'a2', 'c1'])
  })

  test('failing work rejects, and the next one continues', async () => {
    const queue = new TurnQueue({ lanes: 1, perKey: 1 })
    const failing = queue.run('a', () => Promise.reject(new Error('on purpose')))
    const next = queue.run('a', () => Promise.resolve(2))
    await assert.rejects(failing, /on purpose/)
    assert.equal(await next, 2)
    assert.equal(queue.lengthOf('a'), 0)
  })
})
