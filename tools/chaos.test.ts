import assert from 'node:assert/strict'
import test from 'node:test'
import { Journal } from './chaos/journal.ts'
import { runChaos } from './chaos/run.ts'

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? '25')

test('the journal accepts both ends of a call that was cut off, and nothing else', () => {
  const journal = new Journal()
  journal.intend({ changes: new Map([['a', 1]]), allOrNothing: false })
  journal.acknowledge()
  journal.intend({
    changes: new Map([
      ['a', 2],
      ['b', 3],
    ]),
    allOrNothing: true,
  })
  assert.deepEqual(journal.ids(), ['a', 'b'])
  const copy = (): Journal => {
    const other = new Journal()
    other.intend({ changes: new Map([['a', 1]]), allOrNothing: false })
    other.acknowledge()
    other.intend({
      changes: new Map([
        ['a', 2],
        ['b', 3],
      ]),
      allOrNothing: true,
    })
    return other
  }
  assert.deepEqual(copy().reconcile(new Map([['a', 1]])), [])
  assert.deepEqual(
    copy().reconcile(
      new Map([
        ['a', 2],
        ['b', 3],
      ]),
    ),
    [],
  )
  assert.equal(copy().reconcile(new Map([['a', 2]])).length, 1)
  assert.equal(copy().reconcile(new Map()).length, 1)
})

test(
  `kill -9 while writing loses nothing that was acknowledged, in ${ROUNDS} rounds`,
  { timeout: 600_000 },
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const report = await runChaos({ rounds: ROUNDS, seed, killAfterMs: [20, 300] })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.equal(report.rounds, ROUNDS)
    assert.ok(report.acknowledged > ROUNDS)
  },
)
