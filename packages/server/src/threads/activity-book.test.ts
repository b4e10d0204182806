import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { REFUSALS_KEPT_MAX, SLOW_SEARCHES_KEPT_MAX, type SlowSearch } from '@aisle/contract'
import { ActivityBook } from './activity-book.ts'

const AT = Date.UTC(2026, 0, 1)

function slowAt(second: number): SlowSearch {
  const at = new Date(AT + second * 1_000).toISOString()
  return { at, store_id: 'shop', kind: 'search', took_ms: 300, found: 1, cut_off: false, q: 'tent' }
}

suite('the activity of the service', () => {
  test('the newest slow searches are kept, no matter which thread reports them first', async () => {
    const book = new ActivityBook({ now: () => AT }, () => [])
    await book.note({ slow: [slowAt(2), slowAt(4)], refusals: [] })
    await book.note({ slow: [slowAt(3)], refusals: [] })
    const times = async () => (await book.read()).slow_searches.map(({ at }) => at.slice(17, 19))
    assert.deepEqual(await times(), ['04', '03', '02'])
    const many = Array.from({ length: 2 * SLOW_SEARCHES_KEPT_MAX }, () => slowAt(5))
    await book.note({ slow: many, refusals: [] })
    assert.equal((await times()).length, SLOW_SEARCHES_KEPT_MAX)
  })

  test('refusals are counted by reason and store; the oldest of too many go', async () => {
    let nowMs = AT
    const book = new ActivityBook({ now: () => nowMs }, () => [])
    const note = (storeId: string, count: number) =>
      book.note({ slow: [], refusals: [{ reason: 'rate_limited', storeId, count }] })
    await note('a', 2)
    await note('', 1)
    nowMs += 1_000
    await note('a', 3)
    assert.deepEqual((await book.read()).refusals, [
      {
        reason: 'rate_limited',
        status: 429,
        store_id: 'a',
        count: 5,
        last_at: '2026-01-01T00:00:01.000Z',
      },
      { reason: 'rate_limited', status: 429, count: 1, last_at: '2026-01-01T00:00:00.000Z' },
    ])
    for (let i = 0; i < REFUSALS_KEPT_MAX; i++) await note(`s${i}`, 1)
    const { refusals } = await book.read()
    assert.equal(refusals.length, REFUSALS_KEPT_MAX)
    assert.ok(!refusals.some(({ store_id }) => store_id === 'a'))
  })

  test('a job waits, runs and is gone', async () => {
    const book = new ActivityBook({ now: () => AT }, () => [])
    const jobs = async () => (await book.read()).jobs.map(({ kind, state }) => [kind, state])
    const merge = book.add('merge', 'shop')
    const snapshot = book.add('snapshot')
    snapshot.started()
    assert.deepEqual(await jobs(), [
      ['snapshot', 'running'],
      ['merge', 'waiting'],
    ])
    merge.ended()
    merge.started()
    snapshot.ended()
    assert.deepEqual(await jobs(), [])
  })

  test('a thread is as busy as its event loop was since the last look', async () => {
    const book = new ActivityBook({ now: () => AT }, () => [{ name: 'main', performance }])
    await setImmediate()
    await book.read()
    const endMs = performance.now() + 50
    while (performance.now() < endMs);
    const [main] = (await book.read()).threads
    assert.equal(main!.name, 'main')
    assert.ok(main!.busy > 0.5, String(main!.busy))
  })
})
