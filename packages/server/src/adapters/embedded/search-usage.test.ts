import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { searchUsageConformance } from '../../ports/search/search-usage.conformance.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import { replicaPorts } from './replica-ports.ts'
import { readCounter, takeSearch } from './search-counter.ts'
import { SearchUsageKeeper } from './search-usage-keeper.ts'
import { Harness } from './test/harness.ts'

searchUsageConformance('embedded engine', async () => {
  const harness = await Harness.start()
  await harness.writer.createStore({ name: 'Shop', id: 'shop' })
  return {
    usage: replicaPorts(harness.replicas[0]!).usage,
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  }
})

const NOW = Date.UTC(2026, 10, 21)
const storeMade = (createdAt: string) => ({ storeId: 'shop', createdAt }) as StoreRecord

/** Rows in memory, and how often they were written. */
function rows() {
  const values = new Map<string, unknown>()
  let writes = 0
  return {
    get: (name: string) => values.get(name),
    setAll: async (changes: ReadonlyMap<string, unknown>) => {
      writes++
      for (const [name, value] of changes) {
        if (value === undefined) values.delete(name)
        else values.set(name, value)
      }
    },
    values,
    writes: () => writes,
  }
}

suite('counts of searches', () => {
  test('threads that count at the same time lose none, and never pass the limit', async () => {
    const counter = new SearchUsageKeeper(rows()).counterOf(storeMade('a'))
    const limit = 20_000
    const worker = new URL('./test/counting-thread.ts', import.meta.url)
    const workers = [1, 2, 3].map(
      () => new Worker(worker, { workerData: { counter, nowMs: NOW, limit, tries: 10_000 } }),
    )
    const taken = await Promise.all(
      workers.map((one) => new Promise<number>((resolve) => one.once('message', resolve))),
    )
    assert.equal(
      taken.reduce((sum, count) => sum + count, 0),
      limit,
    )
    assert.equal(readCounter(counter).searches, limit)
  })

  test('counts go on after a restart, written only when they have changed', async () => {
    const kept = rows()
    const keeper = new SearchUsageKeeper(kept)
    const counter = keeper.counterOf(storeMade('a'))
    await keeper.save(() => true)
    assert.equal(kept.writes(), 0)
    for (let i = 0; i < 5; i++) takeSearch(counter, NOW, undefined)
    await keeper.save(() => true)
    await keeper.save(() => true)
    assert.equal(kept.writes(), 1)
    assert.equal(readCounter(new SearchUsageKeeper(kept).counterOf(storeMade('a'))).searches, 5)
    const another = new SearchUsageKeeper(kept).counterOf(storeMade('b'))
    assert.equal(readCounter(another).searches, 0, 'another store of that id')
  })

  test('what could not be written is written the next time', async () => {
    const kept = rows()
    let isFull = true
    const keeper = new SearchUsageKeeper({
      ...kept,
      setAll: (changes) => (isFull ? Promise.reject(new Error('full')) : kept.setAll(changes)),
    })
    takeSearch(keeper.counterOf(storeMade('a')), NOW, undefined)
    await assert.rejects(keeper.save(() => true))
    isFull = false
    await keeper.save(() => true)
    assert.equal(kept.values.size, 1)
    await keeper.save(() => false)
    assert.equal(kept.values.size, 0, 'a deleted store leaves nothing')
  })
})

test('every replica counts in the same place, also one that comes later', async () => {
  await using harness = await Harness.start()
  await harness.writer.createStore({ name: 'Shop', id: 'shop' })
  for (const replica of [...harness.replicas, harness.connect()]) {
    replica.sync()
    assert.equal(replicaPorts(replica).usage.take('shop', NOW, 3), true)
  }
  assert.equal(replicaPorts(harness.replicas[1]!).usage.take('shop', NOW, 3), false)
})
