import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PAUSED_PER_STORE_MAX, PAUSED_PER_THREAD_MAX } from '@aisle/contract'
import fc from 'fast-check'
import { FairQueue, WAITING_MAX } from './fair-queue.ts'

/**
 * Serves until `untilMs`, each flow as often as it has jobs.
 * @returns milliseconds that each flow was served
 */
function serve(queue: FairQueue<number>, untilMs: number): Map<string, number> {
  const served = new Map<string, number>()
  for (let nowMs = 0; nowMs < untilMs;) {
    const next = queue.take(0)
    if (next === undefined) break
    queue.done(next.flow, { costMs: next.job })
    nowMs += next.job
    served.set(next.flow, (served.get(next.flow) ?? 0) + next.job)
  }
  return served
}

suite('a fair queue', () => {
  test('serves a flow in the order of arrival, and reports how long a job has waited', () => {
    const queue = new FairQueue<string>()
    for (const [i, job] of ['a', 'b', 'c'].entries()) assert.ok(queue.add('shop', job, i, 100))
    const taken = [queue.take(0), queue.take(0), queue.take(0), queue.take(0)]
    assert.deepEqual(
      taken.map((one) => one && [one.job, one.sinceMs]),
      [['a', 0], ['b', 1], ['c', 2], undefined],
    )
    assert.equal(queue.length, 0)
  })

  test('flows that always have work get the same time, for any cost of their jobs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 5 }),
        (costs) => {
          const queue = new FairQueue<number>()
          for (const [i, costMs] of costs.entries()) {
            for (let n = 0; n < 300 / costMs + 2; n++) queue.add(`flow ${i}`, costMs, 0, Infinity)
          }
          const served = [...serve(queue, 200).values()]
          assert.equal(served.length, costs.length)
          // Nobody is further ahead than one job of each of the two.
          assert.ok(Math.max(...served) - Math.min(...served) <= 2 * Math.max(...costs))
        },
      ),
    )
  })

  test('a rested flow goes first for a short time, then takes turns', () => {
    const queue = new FairQueue<number>()
    for (let i = 0; i < 200; i++) queue.add('flood', 5, 0, Infinity)
    serve(queue, 200)
    for (let i = 0; i < 100; i++) queue.add('late', 5, 0, Infinity)
    assert.deepEqual([...serve(queue, 50)], [['late', 50]])
    const served = serve(queue, 200)
    assert.ok(Math.abs(served.get('late')! - served.get('flood')!) <= 10)
  })

  test('a job that would wait too long is rejected, that of another flow is not', () => {
    const queue = new FairQueue<number>()
    let admitted = 0
    while (queue.add('flood', 1, 0, 50)) admitted++
    assert.equal(admitted, 51, 'jobs of a millisecond, as long as nothing else is known')
    assert.equal(queue.admits('flood', 50), false)
    assert.equal(queue.admits('other', 50), true)
    queue.take(0)
    queue.done('flood', { costMs: 1 })
    assert.equal(queue.admits('flood', 50), true)
  })

  test('a job is expected to wait as much longer than the jobs before it take as others did', () => {
    const queue = new FairQueue<number>()
    let nowMs = 0
    for (let i = 0; i < 100; i++) queue.add('shop', 1, nowMs, Infinity)
    for (let i = 0; i < 90; i++) {
      nowMs += 2
      queue.take(nowMs)
      queue.done('shop', { costMs: 1 })
    }
    assert.ok(Math.abs(queue.expectedWaitMs('shop') - 20) < 0.5)
  })

  test('the number of jobs is limited for any number of flows', () => {
    const queue = new FairQueue<number>()
    for (let i = 0; i < 2 * WAITING_MAX; i++) queue.add(String(i), 1, 0, 1_000)
    assert.equal(queue.length, WAITING_MAX)
  })

  test('a flow that may wait for long does not fill the queue: others are admitted', () => {
    const queue = new FairQueue<number>()
    for (let i = 0; i < 2 * WAITING_MAX; i++) queue.add('write flood', 1, 0, Infinity)
    assert.equal(queue.admits('write flood', Infinity), false)
    assert.ok(queue.length >= WAITING_MAX / 2)
    assert.equal(queue.admits('read neighbour', 0), true)
  })

  test('a flow begins no further job while several rest, and continues the oldest', () => {
    const queue = new FairQueue<string>()
    for (let i = 0; i < 10; i++) queue.add('shop', `job ${i}`, 0, Infinity)
    const begun = new Set<string>()
    for (let turn = 0; turn < 40; turn++) {
      const { job } = queue.take(0)!
      begun.add(job)
      queue.resume('shop', job, 0)
      queue.done('shop', { costMs: 1, isPaused: true })
    }
    assert.equal(begun.size, PAUSED_PER_STORE_MAX)
  })

  test('short jobs of a flow and a long one take turns', () => {
    const queue = new FairQueue<string>()
    queue.resume('shop', 'long', 0)
    for (let i = 0; i < 5; i++) queue.add('shop', `short ${i}`, 0, Infinity)
    const taken: string[] = []
    for (let turn = 0; turn < 6; turn++) {
      const { job } = queue.take(0)!
      taken.push(job)
      if (job === 'long') queue.resume('shop', job, 0)
      queue.done('shop', { costMs: 1 })
    }
    assert.deepEqual(taken, ['long', 'short 0', 'long', 'short 1', 'long', 'short 2'])
  })

  test('with many jobs that rest, none begins in any flow until one has ended', () => {
    const queue = new FairQueue<string>()
    for (let i = 0; i < PAUSED_PER_THREAD_MAX; i++) queue.resume(`shop ${i}`, 'rest', 0)
    queue.add('other', 'first', 0, Infinity)
    const turn = (isLast: boolean): string => {
      const { flow, job } = queue.take(0)!
      if (!isLast) queue.resume(flow, job, 0)
      queue.done(flow, { costMs: 1 })
      return job
    }
    const before = Array.from({ length: 3 * PAUSED_PER_THREAD_MAX }, () => turn(false))
    assert.ok(!before.includes('first'))
    turn(true)
    assert.equal(turn(true), 'first', 'it has waited longest')
  })

  test('a job of many turns costs what all of them do, as soon as that is more than usual', () => {
    const queue = new FairQueue<string>()
    queue.add('shop', 'long', 0, Infinity)
    queue.take(0)
    for (let turn = 1; turn <= 30; turn++) {
      queue.done('shop', { costMs: 10, jobMs: 10 * turn, isPaused: true })
      queue.resume('shop', 'long', 0)
      queue.take(0)
    }
    for (let i = 0; i < 5; i++) queue.add('shop', 'next', 0, Infinity)
    assert.ok(queue.expectedWaitMs('shop') > 5 * 100, `${queue.expectedWaitMs('shop')} ms`)
  })
})
