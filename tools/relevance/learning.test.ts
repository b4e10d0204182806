import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SeededRandom } from '@aisle/testing'
import { mean } from '../lib/metrics.ts'
import { LEARNING_HARM_MAX } from './learning-run.ts'
import { learnFrom, SIMULATIONS, type RankedQuery } from './simulated-learning.ts'

/** Queries whose order knows a little of what is good. */
function judgedQueries(count: number): RankedQuery[] {
  const random = new SeededRandom(3)
  return Array.from({ length: count }, (_, i) => {
    const judgments = new Map<string, number>()
    const hits = Array.from({ length: 30 }, (_, rank) => {
      const id = `${i}-${rank}`
      judgments.set(id, Math.max(0, random.below(7) - 3 - Math.floor(rank / 10)))
      return { id, score: 10_000 - 40 * rank }
    })
    return { query: { id: String(i), text: `tent model ${i} wide`, judgments }, hits }
  })
}

const queries = judgedQueries(60)
const run = { sessions: 100, limit: 0.2, seed: 1 }
const before = learnFrom(SIMULATIONS[0]!, queries, { ...run, limit: 0 })

suite('learning from simulated visitors', () => {
  for (const simulation of SIMULATIONS.slice(0, -1)) {
    test(`${simulation.name} cost next to nothing`, () => {
      const after = mean(learnFrom(simulation, queries, run))
      assert.ok(after > mean(before) - LEARNING_HARM_MAX, `${mean(before)} ${after}`)
    })
  }

  test('clicks on what is good bring it to the top', () => {
    const after = mean(learnFrom(SIMULATIONS.at(-1)!, queries, run))
    assert.ok(after > mean(before) + 0.05, `${mean(before)} ${after}`)
  })
})
