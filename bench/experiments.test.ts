import assert from 'node:assert/strict'
import test from 'node:test'
import { experimentsLevel, experimentsText, SIMULATED_KINDS } from './lib/experiments-level.ts'

test('looked at daily, few experiments without a difference are decided, and most with one', () => {
  const { rows } = experimentsLevel(150, 28)
  assert.equal(rows.length, SIMULATED_KINDS.length)
  for (const { name, experiments, draft, live } of rows) {
    if (name.startsWith('A/A')) assert.ok(draft + live <= 0.05 * experiments, name)
    else assert.ok(draft >= 0.6 * experiments && live === 0, name)
  }
  assert.doesNotMatch(experimentsText({ experiments: 150, days: 28, rows }), /NaN|undefined/)
})
