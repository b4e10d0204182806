import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runEventChaos } from '../chaos/events.ts'

// Goal: no acknowledged event is lost and none counts twice, with repetitions in any order; reports
// and suggestions are the same whether they grew with the log or were rebuilt. For a longer run:
// `npm run chaos -- --events 1000000`.

const EVENTS = Number(process.env['CHAOS_EVENTS'] ?? 4_000)

test(
  'kill -9 while events come in, some of them again and out of order',
  { timeout: 600_000 },
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const report = await runEventChaos({
      events: EVENTS,
      seed,
      killAfterEvents: [300, 1_500],
      killsMax: 2,
    })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.ok(report.kills > 0)
    assert.equal(report.acknowledged, EVENTS)
    assert.ok(report.sent > EVENTS * 1.2)
  },
)
