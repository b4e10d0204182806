import assert from 'node:assert/strict'
import test from 'node:test'
import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { KeptHistogram } from './kept-histogram.ts'

const BUCKETS = [0.01, 0.1, 1]
const OBSERVED = [
  [0.005, 'GET', '/a', '200'],
  [0.01, 'GET', '/a', '200'],
  [0.5, 'POST', '/a', '200'],
  [7, 'POST', '/b', '404'],
  [0.011, 'GET', '/a', '200'],
] as const

test('a kept histogram reports what one of prom-client reports', async () => {
  const [kept, plain] = [new Registry(), new Registry()]
  const labelNames = ['method', 'route', 'status'] as const
  const common = { name: 'seconds', help: 'Seconds', buckets: BUCKETS }
  const histogram = new KeptHistogram({ ...common, labelNames, registry: kept })
  const twin = new Histogram({ ...common, labelNames: [...labelNames], registers: [plain] })
  const bare = { name: 'waits', help: 'Waits', buckets: BUCKETS }
  const unlabelled = new KeptHistogram({ ...bare, registry: kept })
  const unlabelledTwin = new Histogram({ ...bare, registers: [plain] })
  assert.equal(await text(kept), await text(plain))
  for (const [value, method, route, status] of OBSERVED) {
    histogram.observe(value, method, route, status)
    twin.observe({ method, route, status }, value)
    unlabelled.observe(value)
    unlabelledTwin.observe(value)
  }
  assert.equal(await text(kept), await text(plain))
  const merged = async (registry: Registry): Promise<string> => {
    const json = await registry.getMetricsAsJSON()
    return await text(AggregatorRegistry.aggregate([json, json] as unknown as object[]))
  }
  assert.equal(await merged(kept), await merged(plain))
})

/** Sorts the lines, and the labels within them: their order has no meaning. */
async function text(registry: Registry): Promise<string> {
  const lines = (await registry.metrics()).split('\n')
  const sorted = lines.map((line) =>
    line.replace(/\{(.*)\}/, (_all, labels: string) => `{${labels.split(',').toSorted().join()}}`),
  )
  return sorted.toSorted().join('\n')
}
