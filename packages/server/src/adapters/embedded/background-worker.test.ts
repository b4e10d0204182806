import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { BackgroundWorker, WorkerClosedError } from './background-worker.ts'

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

  test('closing gives up what waits', async () => {
    const worker = new BackgroundWorker(ENTRY)
    const waiting = Promise.allSettled([1, 2, 3].map((n) => worker.run(n)))
    await worker.close()
    for (const outcome of await waiting) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof WorkerClosedError)
    }
  })
})
