import assert from 'node:assert/strict'
import test from 'node:test'
import { feedLevel, feedText } from './lib/feed-level.ts'

test('a made feed is read and profiled to its end', async () => {
  const report = await feedLevel(300)
  assert.equal(report.heapMegabytes.length, 4)
  assert.ok(report.bytes > 300 * 1_500)
  assert.doesNotMatch(feedText(report), /NaN|undefined/)
})
