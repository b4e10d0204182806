import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FairSteps } from './fair-steps.ts'

suite('steps of works of several owners', () => {
  test('the owner that used the thread least goes first, however many works another has', async () => {
    const thread = new Thread()
    const busy = Array.from({ length: 4 }, () => thread.work('busy', 100, 10))
    await busy[0]
    const before = thread.nowMs
    await thread.work('quiet', 10, 10)
    // Its own 100 ms, and the step of the other that was in progress.
    assert.ok(thread.nowMs - before <= 110, `${thread.nowMs - before} ms`)
    await Promise.all(busy)
    assert.equal(thread.usedMs.get('busy'), 4_000)
  })

  test('owners with as much to do have as much of the thread', async () => {
    const thread = new Thread()
    const other = thread.work('b', 100, 10)
    await thread.work('a', 50, 10)
    assert.ok(Math.abs(thread.usedMs.get('a')! - thread.usedMs.get('b')!) <= 20)
    await other
  })

  test('who rested for long does not have the thread for as long', async () => {
    const thread = new Thread()
    await thread.work('a', 1_000, 10)
    const other = thread.work('a', 300, 10)
    await thread.work('b', 100, 10)
    assert.ok(thread.usedMs.get('a')! >= 10_000 + 200, `${thread.usedMs.get('a')}`)
    await other
  })

  test('busier owners wait a little for one that announced steps, not for long', async () => {
    const thread = new Thread()
    await thread.work('busy', 50, 10)
    {
      using _ = thread.steps.expect('quiet')
      const beforeMs = thread.nowMs
      await thread.work('busy', 1, 10)
      assert.equal(thread.nowMs - beforeMs, 20 + 10)
    }
    const beforeMs = thread.nowMs
    await thread.work('busy', 1, 10)
    assert.equal(thread.nowMs - beforeMs, 10)
  })

  test('a work that fails lets the others continue', async () => {
    const thread = new Thread()
    const failing = thread.steps.run('a', () => {
      throw new Error('broken')
    })
    const other = thread.work('b', 3, 10)
    await assert.rejects(failing, /broken/)
    await other
    assert.equal(thread.usedMs.get('b'), 30)
  })
})

/** A thread whose clock moves only while a step runs. */
class Thread {
  nowMs = 0
  readonly usedMs = new Map<string, number>()
  readonly steps = new FairSteps({
    defer: setImmediate,
    wait: (step) => {
      this.nowMs++
      setImmediate(step)
    },
    nowMs: () => this.nowMs,
  })

  work(owner: string, count: number, ms: number): Promise<void> {
    let left = count
    return this.steps.run(owner, () => {
      this.nowMs += ms
      this.usedMs.set(owner, (this.usedMs.get(owner) ?? 0) + ms)
      return --left === 0
    })
  }
}
