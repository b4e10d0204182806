import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { StallWatch } from './stall-watch.ts'

test('a thread that stood still says so when it goes on, in the log and in the metrics', async (t) => {
  const registry = new Registry()
  const stoodMs: number[] = []
  const watch = new StallWatch(registry, (_level, _message, detail) => {
    stoodMs.push((detail as { stoodMs: number }).stoodMs)
  })
  t.after(() => watch.stop())
  await sleep(300)
  stoodMs.length = 0
  const endMs = performance.now() + 1_600
  while (performance.now() < endMs) continue
  while (stoodMs.length === 0) await sleep(10)
  assert.ok(stoodMs[0]! >= 1_000, String(stoodMs))
  const text = await registry.metrics()
  assert.match(text, /aisle_writer_stalls_total [1-9]/)
  assert.match(text, /aisle_writer_longest_stall_seconds [1-9]/)
})
