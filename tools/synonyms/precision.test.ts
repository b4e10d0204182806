import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SYNONYM_THRESHOLDS } from '../../packages/server/src/domain/values/synonym-evidence.ts'
import { countHistory, suggestedPairs } from './counted.ts'
import { isOneField, madeHistory, USUAL_TRAFFIC } from './made-history.ts'

// Goal: a reader of the suggestions finds them right. Method: a history with known synonyms.
test('nine of ten synonyms suggested from a generated history are right, and few are missed', async () => {
  const history = madeHistory({ ...USUAL_TRAFFIC, seed: 4 })
  const counts = await countHistory(history.events)
  const pairs = suggestedPairs(counts, SYNONYM_THRESHOLDS, isOneField)
  const right = pairs.filter(({ from, to }) => history.isTrue(from, to))
  const named = pairs.map(({ from, to }) => `${from} -> ${to}`).join(', ')
  assert.ok(right.length >= 0.9 * pairs.length, named)
  assert.ok(right.length >= 0.8 * history.findable.length, named)
})
