import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnswerMemory, forgetAnswerMemory, SharedAnswerMemory } from './answer-memory.ts'

suite('memory of responses', () => {
  test('is one limit over all threads, with a share for each store', () => {
    const counts = createAnswerMemory(2, 7)
    const [one, two] = [0, 1].map((thread) => new SharedAnswerMemory(counts, thread, 100))
    assert.ok(one!.take('a', 30))
    assert.ok(two!.take('a', 20))
    assert.ok(!one!.take('a', 1), 'half of it is the share of a store')
    assert.ok(two!.take('b', 40))
    assert.ok(!one!.take('c', 11), 'the limit of all')
    assert.ok(one!.take('c', 10))
    two!.give('a', 20)
    assert.ok(one!.take('a', 20), 'a refusal has taken nothing')
  })

  test('one response of a store may be larger than its share, but not than the limit', () => {
    const memory = new SharedAnswerMemory(createAnswerMemory(1, 7), 0, 100)
    assert.ok(!memory.take('a', 101))
    assert.ok(memory.take('a', 90))
    assert.ok(!memory.take('a', 1))
    assert.ok(memory.take('b', 10))
  })

  test('of a thread that died is free again, that of the others is not', () => {
    const counts = createAnswerMemory(2, 7)
    const [dead, other] = [0, 1].map((thread) => new SharedAnswerMemory(counts, thread, 100))
    assert.ok(dead!.take('a', 50))
    assert.ok(other!.take('b', 50))
    forgetAnswerMemory(counts, 0)
    assert.ok(other!.take('c', 50))
    assert.ok(!other!.take('d', 1))
  })
})
