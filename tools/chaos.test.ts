import assert from 'node:assert/strict'
import test from 'node:test'
import { ClusterOracle } from './chaos/cluster-oracle.ts'
import { canWatchDisks, runDiskFaults, runPowerCuts } from './chaos/disk.ts'
import { runDiskPairs } from './chaos/disk-pairs.ts'
import { KeyHistory } from './chaos/key-history.ts'
import { Journal } from './chaos/journal.ts'
import { runMutations } from './chaos/mutations.ts'
import { rewriteLines, runRewrites } from './chaos/rewrites.ts'
import { PAIR_COUNT, pairLine, runPairs } from './chaos/pairs/run.ts'
import { runRotations } from './chaos/rotations.ts'
import { runChaos } from './chaos/run.ts'
import { runSnapshots } from './chaos/snapshots.ts'
import { runSoak, soakLines } from './chaos/soak.ts'

// Two include a clean stop; campaigns have hundreds of rounds.
const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? '2')

test('the journal accepts either outcome of an interrupted call, and nothing else', () => {
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
    const report = await runChaos({ rounds: ROUNDS, seed, killAfterAnswers: [1, 100] })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.equal(report.rounds, ROUNDS)
    assert.ok(report.acknowledged >= ROUNDS)
  },
)

test('the cluster oracle accepts acknowledged writes, either outcome of others, and nothing else', () => {
  const oracle = new ClusterOracle()
  for (const id of ['a', 'b']) {
    oracle.begin(id, 1)
    assert.equal(oracle.isIdle(id), false)
    oracle.end(id, 1)
  }
  const epoch = oracle.epoch('a')
  oracle.begin('a', 2)
  oracle.unanswered('a')
  assert.notEqual(oracle.epoch('a'), epoch, 'a concurrent reader may have seen either')
  assert.deepEqual([...oracle.possible('a')], [1, 2])
  assert.deepEqual(oracle.reconcile(new Map([['a', 2]])), ['b is absent, expected 1'])
  assert.deepEqual(oracle.reconcile(new Map([['a', 1]])), ['a is 1, expected 2'])
  assert.deepEqual(
    oracle.reconcile(
      new Map([
        ['a', 1],
        ['c', 3],
      ]),
    ),
    ['c was never written'],
  )
})

test('the history of a key knows which answers are predictable', () => {
  const history = new KeyHistory('a', 0)
  assert.equal(history.judge('a', true, 1, 2), 'right')
  assert.equal(history.judge('a', false, 1, 2), 'false reject')
  history.ending(10, false)
  assert.equal(history.judge('a', false, 11, 12), 'false reject', 'it has a grace period')
  history.rotated('b', 20, 5_000)
  assert.equal(history.judge('a', false, 30, 40), 'false reject')
  assert.equal(history.judge('a', false, 4_990, 5_001), 'undecided')
  assert.equal(history.judge('a', true, 5_500, 5_501), 'undecided')
  assert.equal(history.judge('a', true, 6_001, 6_002), 'false accept')
  history.ending(7_000, true)
  assert.equal(history.judge('b', false, 6_999, 7_001), 'undecided')
  history.rotated('c', 7_010, 7_005)
  assert.equal(history.judge('b', true, 7_011, 7_012), 'false accept')
  assert.equal(history.judge('c', false, 7_009, 7_012), 'undecided')
  assert.equal(history.judge('c', true, 7_011, 7_012), 'right')
})

test('keys that are rotated while in use are accepted and refused at the right times', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await runRotations({ rotations: 30, stores: 10, seed, probePauseMs: 20 })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.equal(report.rotations, 30)
  assert.ok(report.decided > 100)
})

test('snapshots at full write speed are consistent, and contain all earlier acknowledged writes', async () => {
  const report = await runSnapshots({ snapshots: 2 })
  assert.deepEqual(report.problems, [])
  assert.equal(report.snapshots, 2)
  assert.ok(report.documents > 0)
})

test('everything at once, killed and restarted: no acknowledged write is lost', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const sizes = { documents: 400, snapshotEveryMs: 500 }
  const report = await runSoak({ seconds: 3, seed, lifeSeconds: [0.3, 0.6], sizes })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.ok(report.kills >= 2)
  for (const [name, count] of report.calls) assert.ok(count > 0, name)
  assert.match(soakLines(report).join('\n'), /\d+ kills; /)
  // A short last life on a busy machine may end before four measurements.
  if (report.held !== undefined) assert.equal(report.held.length, 4)
})

test('a rewritten catalog leaves only its live data on disk, and can be measured', async () => {
  const report = await runRewrites({ rewrites: 1, documents: 300, settleMs: 0 })
  assert.ok(report.peak.documents >= report.live.documents && report.live.documents > 0)
  assert.equal(rewriteLines(report).length, 5)
})

test('each damaged file is refused, or detected with the rest intact', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await runMutations({ mutations: 20, seed })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.equal(report.mutations, 20)
})

const disks = canWatchDisks()
  ? {}
  : { skip: 'NOT RUN: power cuts and failing disks require Linux and gcc' }

test('a power failure loses no acknowledged write, whatever the disk has kept', disks, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await runPowerCuts({ runs: 40, seed })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.ok(report.answers > 100)
})

test('when the disk fails once, nothing unsaved is acknowledged', disks, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await runDiskFaults({ runs: 4, seed })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.equal(report.runs, 4)
})

test(
  'a disk that fails for a while, and a kill or a power failure: no acknowledged write is lost',
  disks,
  async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const report = await runDiskPairs({ runs: 20, seed })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.ok(report.answers > 20)
  },
)

test('two faults at once on a service: no acknowledged write is lost, and nothing is half done', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await runPairs({ runs: PAIR_COUNT, seed })
  assert.deepEqual(report.problems, [], `seed ${seed}`)
  assert.match(pairLine(report), /7 pairs of faults/)
})
