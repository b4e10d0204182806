import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startParts, type PartTable } from './parts.ts'

interface Parts {
  readonly log: string[]
  readonly first: { readonly sum: () => number }
  readonly second: number
}

const table: PartTable<Parts, 'log'> = {
  first: {
    start: (parts) => ({ sum: () => 1 + parts.second }),
    stop: (_, { log }) => log.push('first stopped'),
  },
  second: {
    start: async ({ log }) => log.push('second started'),
    stop: async (second, { log }) => {
      log.push(`second stopped, which was ${second}`)
      throw new Error('cannot stop')
    },
  },
}

suite('parts of a process', () => {
  test('they start in the order of their rows and stop in the reverse one, even if a stop fails', async () => {
    const log: string[] = []
    const { parts, stack } = await startParts({ log }, table)
    assert.equal(parts.first.sum(), 2)
    await assert.rejects(stack.disposeAsync(), /cannot stop/)
    assert.deepEqual(log, ['second started', 'second stopped, which was 1', 'first stopped'])
  })

  test('one that needs a part of a row below is refused by name', async () => {
    const early: typeof table = {
      ...table,
      first: { start: ({ second }) => ({ sum: () => second }) },
    }
    await assert.rejects(startParts({ log: [] }, early), /"second" is not started yet/)
  })
})
