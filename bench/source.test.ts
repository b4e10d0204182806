import assert from 'node:assert/strict'
import test from 'node:test'
import { sourceLevel, sourceText } from './lib/source-level.ts'

test('a source writes a made feed once, and then what has changed', async () => {
  const report = await sourceLevel(300)
  assert.deepEqual(
    [report.firstRun.written, report.sameRun.written, report.changedRun.written],
    [300, 0, 3],
  )
  assert.doesNotMatch(sourceText(report), /NaN|undefined/)
})
