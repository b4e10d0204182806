import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { READ_WAIT_LATE_MS, READ_WAIT_MAX_MS } from '@aisle/contract'
import { SeededRandom } from '@aisle/testing'
import { FairQueue } from './fair-queue.ts'

// Goal: the promises under overload, on a thread whose time is counted instead of measured. Method:
// simulate the turns of an event loop: read (or refuse) everything that has arrived, then run one
// job.

/** Cost of reading and admitting a request, and of rejecting one. */
const READ_MS = 0.08
const REFUSE_MS = 0.05

interface Load {
  readonly name: string
  readonly perSecond: number
  readonly costMs: number
}

interface Played {
  readonly admittedMs: number[]
  readonly refusedMs: number[]
}

/**
 * @param slowdown how many times as long the clock runs as the processor, which others use too
 * @returns by flow, the duration of its requests
 */
function play(loads: readonly Load[], seconds: number, slowdown = 1): Record<string, Played> {
  const random = new SeededRandom(5)
  const gap = (): number => -Math.log(1 - random.next())
  const nextMs = loads.map(({ perSecond }) => (gap() * 1_000) / perSecond)
  const played = Object.fromEntries(
    loads.map(({ name }) => [name, { admittedMs: [], refusedMs: [] } as Played]),
  )
  const queue = new FairQueue<{ readonly dueMs: number; readonly costMs: number }>()
  let nowMs = 0
  while (nowMs < seconds * 1_000) {
    const turnMs = nowMs
    for (const [i, { name, perSecond, costMs }] of loads.entries()) {
      for (; nextMs[i]! <= turnMs; nextMs[i]! += (gap() * 1_000) / perSecond) {
        const dueMs = nextMs[i]!
        // Jobs differ: most cost half, some three times as much.
        const job = { dueMs, costMs: costMs * (random.chance(0.2) ? 3 : 0.5) }
        const isAdmitted = queue.add(name, job, nowMs, READ_WAIT_MAX_MS)
        nowMs += (isAdmitted ? READ_MS : REFUSE_MS) * slowdown
        if (isAdmitted) continue
        played[name]!.refusedMs.push(nowMs - dueMs)
      }
    }
    const next = queue.take(nowMs)
    if (next === undefined) {
      nowMs = Math.max(nowMs, Math.min(...nextMs))
      continue
    }
    const { flow, job, sinceMs } = next
    const took = played[flow]!
    if (nowMs - sinceMs > READ_WAIT_LATE_MS) {
      took.refusedMs.push(nowMs - job.dueMs)
      continue
    }
    nowMs += job.costMs * slowdown
    queue.done(flow, { costMs: job.costMs })
    took.admittedMs.push(nowMs - job.dueMs)
  }
  return played
}

function p99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
}

suite('a thread under ten times its load', () => {
  for (const costMs of [1, 2, 10]) {
    const peak = 1_000 / costMs
    const flood = { name: 'flood', perSecond: 10 * peak, costMs }
    const neighbour = { name: 'neighbour', perSecond: peak / 10, costMs }

    test(`with searches of ${costMs} ms: admitted searches are answered in time, others are rejected immediately`, () => {
      const { flood: took } = play([flood], 20)
      assert.ok(p99(took!.admittedMs) <= 300, `p99 ${p99(took!.admittedMs)}`)
      assert.ok(p99(took!.refusedMs) <= 100, `refusals ${p99(took!.refusedMs)}`)
      const refusalsMs = 10 * peak * (READ_MS + REFUSE_MS)
      const goodput = took!.admittedMs.length / 20 / peak
      assert.ok(goodput > 0.85 * Math.max(0, 1 - refusalsMs / 1_000), `${goodput} of the peak`)
    })

    test(`with searches of ${costMs} ms: another store is not affected`, () => {
      const alone = play([neighbour], 60)['neighbour']!
      const beside = play([neighbour, flood], 60)['neighbour']!
      assert.deepEqual(beside.refusedMs, [])
      // In the worst case a search that takes three times as long begins just before, and the
      // thread also has to read.
      const limitMs = 1.5 * p99(alone.admittedMs) + 2 * 3 * costMs
      assert.ok(p99(beside.admittedMs) <= limitMs, `${p99(beside.admittedMs)} of ${limitMs}`)
    })
  }

  test('beside others that use its processor: what is refused is refused immediately', () => {
    const flood = { name: 'flood', perSecond: 3_000, costMs: 2 }
    const { flood: took } = play([flood], 20, 2)
    assert.ok(p99(took!.admittedMs) <= 300, `p99 ${p99(took!.admittedMs)}`)
    assert.ok(p99(took!.refusedMs) <= 20, `refusals ${p99(took!.refusedMs)}`)
  })
})
