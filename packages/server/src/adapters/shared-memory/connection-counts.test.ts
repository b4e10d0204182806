import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  createConnectionCounts,
  forgetConnections,
  SharedConnectionCounts,
} from './connection-counts.ts'

suite('counts of connections', () => {
  test('are one number over all threads, of each network', () => {
    const memory = createConnectionCounts(3, 7)
    const threads = [0, 1, 2].map((thread) => new SharedConnectionCounts(memory, thread))
    assert.deepEqual(
      threads.map((counts) => counts.enter('203.0.113.7')),
      [1, 2, 3],
    )
    assert.equal(threads[0]!.enter('203.0.113.8'), 1)
    threads[1]!.leave('203.0.113.7')
    assert.equal(threads[2]!.enter('203.0.113.7'), 3)
  })

  test('of a thread that died are forgotten, those of the others are not', () => {
    const memory = createConnectionCounts(2, 7)
    const [dead, other] = [
      new SharedConnectionCounts(memory, 0),
      new SharedConnectionCounts(memory, 1),
    ]
    for (let i = 0; i < 5; i++) dead.enter('203.0.113.7')
    other.enter('203.0.113.7')
    forgetConnections(memory, 0)
    assert.equal(other.enter('203.0.113.7'), 2)
  })
})
