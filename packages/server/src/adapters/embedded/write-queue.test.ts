import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import fc from 'fast-check'
import type { DocumentOperation, ExclusiveOperation } from './operation.ts'
import { sizeOf } from './split-operation.ts'
import { WriteQueue } from './write-queue.ts'

const DISK_FULL = new ApiError('disk_reserve', 'The disk is full')

suite('operations that wait for the writer', () => {
  test('a store that writes alone has commits as large as it can fill', () => {
    const queue = new WriteQueue()
    for (let i = 0; i < 3; i++) queue.add('a', bulk('a', 500).operation, 0)
    assert.equal(entries(group(queue)).length, 1_000)
    assert.equal(entries(group(queue)).length, 500)
    assert.equal(queue.length, 0)
  })

  test('no commit is so large that the first write of another store waits for long', async () => {
    const queue = new WriteQueue()
    const [long, changes] = [bulk('a', 500, 'long', 'write', 2_048), bulk('a', 700, 'c', 'change')]
    queue.add('a', long.operation, 0)
    queue.add('a', changes.operation, 0)
    const groups = drain(queue)
    assert.deepEqual(
      groups.map((group) => entries(group).length),
      [256, 244 + 12, 256, 256, 176],
    )
    groups.flat().forEach(succeed)
    assert.equal(((await long.answer) as unknown[]).length, 500)
    assert.equal(((await changes.answer) as unknown[]).length, 700)
  })

  test('while another store writes too, each has a small share of every commit', async () => {
    const queue = new WriteQueue()
    const large = bulk('a', 500)
    queue.add('a', large.operation, 0)
    queue.add('b', bulk('b', 1).operation, 0)
    const groups = drain(queue)
    assert.deepEqual(countsByStore(groups[0]!), { a: 32, b: 1 })
    assert.equal(groups.length, Math.ceil(500 / 32))
    groups.flat().forEach(succeed)
    assert.deepEqual(await large.answer, outcomesOf('a', 500))
  })

  test('a commit ends as soon as another store begins to write', () => {
    const queue = new WriteQueue()
    queue.add('a', bulk('a', 500).operation, 0)
    const parts = queue.takeGroup(() => 0)
    assert.equal(entries(parts.next().value!).length, 32)
    assert.equal(entries(parts.next().value!).length, 32)
    queue.add('b', bulk('b', 1).operation, 0)
    assert.equal(parts.next().done, true)
    assert.deepEqual(countsByStore(group(queue)), { a: 32, b: 1 })
  })

  test('a store that begins to write later has a share of the group that waits for the disk', () => {
    const queue = new WriteQueue()
    queue.add('a', bulk('a', 500).operation, 0)
    queue.add('b', bulk('b', 1).operation, 0)
    assert.deepEqual(countsByStore(group(queue)), { a: 32, b: 1 })
    for (const store of ['a', 'b', 'c']) queue.add(store, bulk(store, 40).operation, 0)
    queue.add('d', alone(), 0)
    assert.deepEqual(countsByStore(queue.takeNewcomers()), { c: 32 })
    assert.deepEqual(queue.takeNewcomers(), [])
    assert.deepEqual(countsByStore(group(queue)), { a: 32, b: 32, c: 8 })
  })

  test('when the other has not written for a while, commits are large again', () => {
    const queue = new WriteQueue()
    queue.add('a', bulk('a', 1).operation, 0)
    queue.add('b', bulk('b', 500).operation, 0)
    drain(queue)
    queue.add('b', bulk('b', 500).operation, 10_001)
    assert.equal(entries(group(queue, 10_001)).length, 500)
  })

  test('what is to be done alone waits for its turn, and documents that keep coming do not go before it', () => {
    const queue = new WriteQueue()
    queue.add('a', bulk('a', 200).operation, 0)
    queue.add('b', alone(), 0)
    assert.equal(queue.takeExclusive(), undefined)
    assert.equal(entries(group(queue)).length, 200)
    queue.add('a', bulk('a', 200).operation, 0)
    assert.deepEqual(group(queue), [])
    assert.equal(queue.takeExclusive()?.kind, 'exclusive')
    assert.equal(entries(group(queue)).length, 200)
  })

  test('what one store has to do alone again and again lets others write in between', () => {
    const queue = new WriteQueue()
    for (let i = 0; i < 5; i++) queue.add('a', alone(), 0)
    queue.add('b', bulk('b', 1).operation, 0)
    assert.ok(queue.takeExclusive())
    assert.equal(queue.takeExclusive(), undefined)
    assert.equal(entries(group(queue)).length, 1)
  })

  test('of an operation in parts, entries that were not written are failed ones', async () => {
    const queue = new WriteQueue()
    const large = bulk('a', 100)
    queue.add('b', bulk('b', 1).operation, 0)
    queue.add('a', large.operation, 0)
    const [first, ...others] = drain(queue)
    // The youngest group fails first.
    for (const { settle } of others.toReversed().flat()) settle.reject(DISK_FULL)
    first!.forEach(succeed)
    const outcomes = (await large.answer) as { status: string; id: string; code?: string }[]
    assert.deepEqual(outcomes.slice(0, 32), outcomesOf('a', 32))
    assert.deepEqual(
      outcomes.slice(32).map(({ status, code }) => [status, code]),
      Array.from({ length: 68 }, () => ['failed', 'disk_reserve']),
    )
    assert.equal(outcomes.at(-1)!.id, 'a99')
  })

  test('when no part was written, the operation fails', async () => {
    const queue = new WriteQueue()
    const large = bulk('a', 100)
    queue.add('b', bulk('b', 1).operation, 0)
    queue.add('a', large.operation, 0)
    for (const { settle } of drain(queue).flat()) settle.reject(DISK_FULL)
    await assert.rejects(large.answer, DISK_FULL)
  })

  test('what is begun is never late', () => {
    const queue = new WriteQueue()
    queue.add('b', bulk('b', 1).operation, 0)
    queue.add('a', bulk('a', 100).operation, 0)
    group(queue)
    queue.add('c', bulk('c', 1).operation, 0)
    assert.deepEqual(countsByStore(queue.takeLate(1)), { c: 1 })
    assert.equal(queue.length, 1)
  })

  test('whatever comes: every entry once, those of a store in order, shares bounded', async () => {
    const arrival = fc.record({
      store: fc.constantFrom('a', 'b', 'c'),
      count: fc.integer({ min: 1, max: 300 }),
      kind: fc.constantFrom('write', 'change', 'exclusive'),
      isTakenAfter: fc.boolean(),
      joins: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 20 }), async (arrivals) => {
        const queue = new WriteQueue()
        const groups: DocumentOperation[][] = []
        const answers: Promise<unknown>[] = []
        const given = new Map<string, string[]>()
        let exclusives = 0
        const take = (): void => {
          if (queue.takeExclusive() !== undefined) exclusives++
          else groups.push(group(queue))
        }
        const join = (): void => {
          const before = Object.keys(countsByStore(groups.at(-1) ?? []))
          if (before.length === 0) return
          const newcomers = queue.takeNewcomers()
          groups.push(newcomers)
          const counts = Object.entries(countsByStore(newcomers))
          for (const [store, count] of counts) assert.ok(count <= 32 && !before.includes(store))
        }
        for (const [i, { store, count, kind, isTakenAfter, joins }] of arrivals.entries()) {
          if (kind === 'exclusive') queue.add(store, alone(), 0)
          else {
            const { operation, answer } = bulk(store, count, `${store}${i}-`, kind)
            queue.add(store, operation, 0)
            answers.push(answer)
            const ids = given.get(store) ?? []
            given.set(store, [...ids, ...entries([operation])])
          }
          if (joins) join()
          if (isTakenAfter) take()
        }
        while (queue.length > 0) take()
        const isShared = given.size > 1
        for (const group of groups) {
          group.forEach(succeed)
          const counts = Object.values(countsByStore(group))
          if (isShared && counts.length > 1) assert.ok(counts.every((count) => count <= 32))
        }
        for (const [store, ids] of given) {
          const own = groups.flat().filter(({ storeId }) => storeId === store)
          assert.deepEqual(entries(own), ids)
        }
        assert.equal(exclusives, arrivals.filter(({ kind }) => kind === 'exclusive').length)
        const ids = (await Promise.all(answers)).flatMap((outcomes) =>
          (outcomes as { id: string }[]).map(({ id }) => id),
        )
        assert.deepEqual(ids.toSorted(), [...given.values()].flat().toSorted())
      }),
    )
  })
})

function bulk(
  storeId: string,
  count: number,
  prefix = storeId,
  kind: 'write' | 'change' = 'write',
  bytes = 2,
): { operation: DocumentOperation; answer: Promise<unknown> } {
  const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
  const settle = { resolve, reject }
  const ids = Array.from({ length: count }, (_, i) => `${prefix}${i}`)
  const operation: DocumentOperation =
    kind === 'write'
      ? {
          kind,
          storeId,
          writes: ids.map((id) => ({ id, action: 'upsert', json: Buffer.alloc(bytes, '{}') })),
          settle,
        }
      : {
          kind,
          storeId,
          versions: ids.map((id, docKey) => ({ id, docKey })),
          change: { kind: 'delete' },
          settle,
        }
  answer.catch(() => undefined)
  return { operation, answer }
}

function alone(): ExclusiveOperation {
  const settle = { resolve: () => undefined, reject: () => undefined }
  return { kind: 'exclusive', run: () => Promise.resolve(), settle }
}

/** All parts of the next group. */
function group(queue: WriteQueue, nowMs = 0): DocumentOperation[] {
  return [...queue.takeGroup(() => nowMs)].flat()
}

function drain(queue: WriteQueue): DocumentOperation[][] {
  const groups: DocumentOperation[][] = []
  while (queue.length > 0) groups.push(group(queue))
  return groups
}

function succeed(operation: DocumentOperation): void {
  operation.settle.resolve(entries([operation]).map((id) => ({ status: 'created', id })))
}

function entries(group: readonly DocumentOperation[]): string[] {
  return group.flatMap((operation) => {
    if (operation.kind === 'delete') return [operation.id]
    const list = operation.kind === 'write' ? operation.writes : operation.versions
    return list.map(({ id }) => id!)
  })
}

function countsByStore(group: readonly DocumentOperation[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const operation of group) {
    counts[operation.storeId] = (counts[operation.storeId] ?? 0) + sizeOf(operation).writes
  }
  return counts
}

function outcomesOf(prefix: string, count: number): { status: string; id: string }[] {
  return Array.from({ length: count }, (_, i) => ({ status: 'created', id: `${prefix}${i}` }))
}
