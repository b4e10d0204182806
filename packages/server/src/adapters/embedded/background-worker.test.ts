import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { BackgroundWorker, ThreadEndedError, WorkerClosedError } from './background-worker.ts'

const ENTRY = new URL('../../threads/test/doubling-thread.ts', import.meta.url)

suite('background worker', () => {
  test('jobs are done in order; one that fails or kills the thread harms no other', async () => {
    const worker = new BackgroundWorker(ENTRY)
    const outcomes = await Promise.allSettled([1, 'two', 13, 4].map((n) => worker.run<number>(n)))
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected')),
      [2, 'rejected', 'rejected', 8],
    )
    assert.equal(worker.length, 0)
    await worker.close()
    await assert.rejects(worker.run(1), WorkerClosedError)
  })

  test('a job that hangs is given up, one that comes on slowly is not', async () => {
    const worker = new BackgroundWorker(ENTRY, 1_000)
    const outcomes = await Promise.allSettled([14, 15, 4].map((n) => worker.run<number>(n)))
    const [hung, ...others] = outcomes
    assert.ok(hung?.status === 'rejected' && hung.reason instanceof ThreadEndedError)
    assert.deepEqual(
      others.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected')),
      [30, 8],
    )
    await worker.close()
  })

  test('closing gives up what waits', async () => {
    const worker = new BackgroundWorker(ENTRY)
    const waiting = Promise.allSettled([1, 2, 3].map((n) => worker.run(n)))
    await worker.close()
    for (const outcome of await waiting) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof WorkerClosedError)
    }
  })
})
