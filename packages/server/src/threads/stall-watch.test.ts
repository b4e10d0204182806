import assert from 'node:assert/strict'
import test from 'node:test'
import { until } from '@aisle/testing'
import { Registry } from 'prom-client'
import { StallWatch } from './stall-watch.ts'

test('a thread reports a stall when it continues, in the log and in the metrics', async (t) => {
  const registry = new Registry()
  const stoodMs: number[] = []
  const watch = new StallWatch(registry, (_level, _message, detail) => {
    stoodMs.push((detail as { stoodMs: number }).stoodMs)
  })
  t.after(() => watch.stop())
  const endMs = performance.now() + 1_600
  while (performance.now() < endMs) continue
  await until('a long stall', () => stoodMs.some((ms) => ms >= 1_000))
  const text = await registry.metrics()
  assert.match(text, /aisle_writer_stalls_total [1-9]/)
  assert.match(text, /aisle_writer_longest_stall_seconds [1-9]/)
})
