import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Registry } from './prometheus.ts'
import { createSourceMetrics, type SourceMetrics } from './source-metrics.ts'

function metrics(namesStores: boolean): {
  readonly registry: Registry
  readonly it: SourceMetrics
} {
  const registry = new Registry()
  const storeLabel = (id: string): string => (namesStores ? id : 'all')
  return {
    registry,
    it: createSourceMetrics(registry, { now: () => 100_000, namesStores, storeLabel }),
  }
}

const states = (count: number): Parameters<SourceMetrics['setStates']>[0] =>
  Array.from({ length: count }, (_, i) => ({
    storeId: `s${i}`,
    name: 'feed',
    goodAtMs: 100_000 - i * 1_000,
    readAtMs: i % 2 === 0 ? 95_000 : undefined,
  }))

const linesOf = async (registry: Registry, name: string): Promise<string[]> =>
  (await registry.getSingleMetricAsString(name)).split('\n').filter((line) => !/^#|^$/.test(line))

suite('metrics of sources', () => {
  test('the first sources have separate figures, and the worst of the others is shown', async () => {
    const { registry, it } = metrics(true)
    it.setStates(states(150))
    const ages = await linesOf(registry, 'aisle_source_good_age_seconds')
    assert.equal(ages.length, 101)
    assert.equal(ages[3], 'aisle_source_good_age_seconds{store="s3",source="feed"} 3')
    assert.equal(ages.at(-1), 'aisle_source_good_age_seconds{store="other",source="other"} 149')
    const lags = await linesOf(registry, 'aisle_source_follow_lag_seconds')
    assert.equal(lags.length, 51)
    it.setStates(states(1))
    assert.equal((await linesOf(registry, 'aisle_source_good_age_seconds')).length, 1)
  })

  test('no store is named unless the operator wants it', async () => {
    const { registry, it } = metrics(false)
    assert.deepEqual(await linesOf(registry, 'aisle_source_good_age_seconds'), [])
    it.setStates(states(3))
    it.addChanges('s1', { changed: 2, deleted: 1, refused: 0 })
    it.addFollowError('s1')
    const all = await registry.metrics()
    assert.match(all, /good_age_seconds\{store="all",source="all"\} 2\n/)
    assert.match(all, /follow_lag_seconds\{store="all",source="all"\} 5\n/)
    assert.match(all, /follow_documents_total\{store="all",result="changed"\} 2\n/)
    assert.match(all, /follow_errors_total\{store="all"\} 1\n/)
    assert.doesNotMatch(all, /s1|feed/)
  })
})
