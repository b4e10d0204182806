import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { WRITE_QUEUE_MAX_MS } from '@aisle/contract'
import type { DocumentOperation, Operation } from './operation.ts'
import { WriteLoop } from './write-loop.ts'

/** A loop on which each operation is a separate group, committed when the test says so. */
function loopOf() {
  const clock = { nowMs: 0 }
  const commits: (() => void)[] = []
  const answers: string[] = []
  const loop = new WriteLoop(
    (operations) => ({
      commit: () => new Promise((resolve) => commits.push(resolve)),
      finish: () => operations.forEach(({ settle }) => settle.resolve('done')),
      abandon: (error) => operations.forEach(({ settle }) => settle.reject(error)),
    }),
    (error) => {
      throw error
    },
    () => clock.nowMs,
  )
  const add = (name: string, kind: 'delete' | 'exclusive' = 'delete'): void => {
    const settle = {
      resolve: () => void answers.push(`${name} done`),
      reject: (error: unknown) => void answers.push(`${name}: ${(error as Error).message}`),
    }
    const operation: Operation =
      kind === 'exclusive'
        ? { kind, run: () => Promise.resolve(), settle }
        : ({ kind, storeId: 'shop', id: name, settle } satisfies DocumentOperation)
    loop.add('shop', operation)
  }
  const commit = async (): Promise<void> => {
    while (commits.length === 0) await new Promise((resolve) => setImmediate(resolve))
    commits.shift()!()
  }
  return { loop, clock, answers, add, commit }
}

suite('the loop of the writer', () => {
  test('work in many parts leaves turns of the event loop to others', async () => {
    const { loop } = loopOf()
    let turns = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
    })()
    const part = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const settle = { resolve, reject }
        loop.add('shop', { kind: 'exclusive', run: () => Promise.resolve(), settle })
      })
    for (let i = 0; i < 20; i++) await part()
    isOver = true
    await others
    assert.ok(turns >= 19, `${turns} turns`)
  })

  test('a write that has waited too long is refused and never decided', async () => {
    const { loop, clock, answers, add, commit } = loopOf()
    add('first')
    await new Promise((resolve) => setImmediate(resolve))
    add('late')
    add('own', 'exclusive')
    add('behind')
    clock.nowMs = WRITE_QUEUE_MAX_MS + 1
    add('new')
    await commit()
    await commit()
    await loop.drained()
    const refusal = 'Cannot write now: the write has waited too long'
    assert.deepEqual(answers, [
      'first done',
      `late: ${refusal}`,
      'own done',
      `behind: ${refusal}`,
      'new done',
    ])
  })

  test('what has waited just long enough is done', async () => {
    const { loop, clock, answers, add, commit } = loopOf()
    add('first')
    await new Promise((resolve) => setImmediate(resolve))
    add('second')
    clock.nowMs = WRITE_QUEUE_MAX_MS
    await commit()
    await commit()
    await loop.drained()
    assert.deepEqual(answers, ['first done', 'second done'])
  })
})
