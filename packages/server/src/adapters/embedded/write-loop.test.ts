import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TURN_MAX_MS, WRITE_QUEUE_MAX_MS } from '@aisle/contract'
import type { DocumentOperation, Operation } from './operation.ts'
import { WriteLoop, type OpenGroup } from './write-loop.ts'

/** A loop on which each operation is a separate group, committed when the test says so. */
function loopOf(decide: (operations: readonly DocumentOperation[]) => void = () => undefined) {
  const clock = { nowMs: 0 }
  const commits: (() => void)[] = []
  const answers: string[] = []
  const fail = (error: unknown): never => {
    throw error
  }
  const begin = (): OpenGroup => {
    const group: DocumentOperation[] = []
    return {
      decide: (operations) => {
        group.push(...operations)
        decide(operations)
        return true
      },
      close: () => ({
        commit: () => new Promise((resolve) => commits.push(resolve)),
        finish: () => group.forEach(({ settle }) => settle.resolve('done')),
        abandon: (error) => group.forEach(({ settle }) => settle.reject(error)),
      }),
    }
  }
  const loop = new WriteLoop(begin, fail, () => clock.nowMs)
  const add = (name: string, kind: 'delete' | 'exclusive' = 'delete', store = 'shop'): void => {
    const settle = {
      resolve: () => void answers.push(`${name} done`),
      reject: (error: unknown) => void answers.push(`${name}: ${(error as Error).message}`),
    }
    const operation: Operation =
      kind === 'exclusive'
        ? { kind, run: () => Promise.resolve(), settle }
        : ({ kind, storeId: store, id: name, settle } satisfies DocumentOperation)
    loop.add(store, operation)
  }
  const commit = async (): Promise<void> => {
    while (commits.length === 0) await new Promise((resolve) => setImmediate(resolve))
    commits.shift()!()
  }
  /** Resolves when the first operation is on its way to the disk, and no other is decided. */
  const committing = async (): Promise<void> => {
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { loop, clock, answers, add, commit, committing }
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

  test('deciding a large group leaves turns of the event loop to others', async () => {
    const sizes: number[] = []
    const { loop, commit } = loopOf((operations) => {
      for (const one of operations) if (one.kind === 'write') sizes.push(one.writes.length)
      for (const beganMs = performance.now(); performance.now() - beganMs <= TURN_MAX_MS;);
    })
    let turns = 0
    let isOver = false
    const others = (async () => {
      for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve))
    })()
    const write = { id: 'one', action: 'upsert', json: Buffer.from('{}') } as const
    const written = new Promise((resolve, reject) => {
      const settle = { resolve, reject }
      const writes = Array.from({ length: 300 }, () => write)
      loop.add('shop', { kind: 'write', storeId: 'shop', writes, settle })
    })
    await commit()
    await written
    isOver = true
    await others
    assert.equal(Math.max(...sizes), 32)
    assert.ok(turns >= sizes.length, `${turns} turns, ${sizes.length} parts`)
  })

  test('a store that begins to write during a commit is in the next one', async () => {
    let decided = 0
    const { loop, answers, add, commit, committing } = loopOf(({ length }) => (decided += length))
    // Two full commits: the second one is decided when the first begins.
    for (let i = 0; i < 2_000; i++) add(`a${i}`)
    while (decided < 2_000) await new Promise((resolve) => setImmediate(resolve))
    add('b', 'delete', 'other')
    await commit()
    await commit()
    await committing()
    assert.equal(answers.at(-1), 'b done')
    await loop.drained()
  })

  test('a write that has waited too long is refused and never decided', async () => {
    const { loop, clock, answers, add, commit, committing } = loopOf()
    add('first')
    await committing()
    add('late')
    add('own', 'exclusive')
    add('behind')
    clock.nowMs = WRITE_QUEUE_MAX_MS + 1
    add('new')
    await commit()
    await commit()
    await loop.drained()
    const refusal = 'Cannot write now: the write has waited too long. Try again'
    assert.deepEqual(answers, [
      'first done',
      `late: ${refusal}`,
      'own done',
      `behind: ${refusal}`,
      'new done',
    ])
  })

  test('what has waited just long enough is done', async () => {
    const { loop, clock, answers, add, commit, committing } = loopOf()
    add('first')
    await committing()
    add('second')
    clock.nowMs = WRITE_QUEUE_MAX_MS
    await commit()
    await commit()
    await loop.drained()
    assert.deepEqual(answers, ['first done', 'second done'])
  })
})
