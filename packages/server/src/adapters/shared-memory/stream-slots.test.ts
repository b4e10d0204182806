import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { STREAMS_PER_STORE_MAX } from '@aisle/contract'
import { createStreamSlots, freeStreamSlots, SharedStreamSlots } from './stream-slots.ts'

suite('slots of streams', () => {
  test('are one number over all threads, of each store and kind', () => {
    const memory = createStreamSlots(7)
    const threads = [0, 1, 255].map((thread) => new SharedStreamSlots(memory, thread))
    const taken = threads.map((slots) => slots.take('tail', 'shop'))
    assert.equal(taken.filter((free) => free !== undefined).length, STREAMS_PER_STORE_MAX)
    for (const slots of threads) assert.equal(slots.take('tail', 'shop'), undefined)
    assert.ok(threads[0]!.take('export', 'shop'))
    assert.ok(threads[0]!.take('tail', 'neighbour'))
    taken[0]!()
    taken[0]!()
    assert.ok(threads[2]!.take('tail', 'shop'))
    assert.equal(threads[1]!.take('tail', 'shop'), undefined, 'what is given back twice is one')
  })

  test('of a thread that died are free', () => {
    const memory = createStreamSlots(7)
    const [dead, other] = [new SharedStreamSlots(memory, 0), new SharedStreamSlots(memory, 1)]
    dead.take('tail', 'shop')
    other.take('tail', 'shop')
    freeStreamSlots(memory, 0)
    assert.ok(other.take('tail', 'shop'))
    assert.equal(other.take('tail', 'shop'), undefined)
  })
})
