import assert from 'node:assert/strict'
import { once } from 'node:events'
import test, { suite, type TestContext } from 'node:test'
import { stays, until } from '@aisle/testing'
import { BackOff } from './back-off.ts'
import type { TestThread, TestThreadHost } from './test/shared-thread.ts'
import { ThreadHost } from './thread-host.ts'

/** A hang ends after so long; no promise: the machine may be busy. */
const HANG_MS = 1_500
const PATIENCE_MS = 60_000

class Hosted {
  readonly said: string[] = []
  readonly logged: string[] = []
  onLog: (message: string) => void = () => undefined
  replacedCount = 0
  startCount = 0
  readonly host: ThreadHost<TestThread, TestThreadHost>

  constructor(
    t: TestContext,
    {
      dies = false,
      closes = true,
      closeMaxMs = 60_000,
      ...more
    }: {
      dies?: boolean
      closes?: boolean
      closeMaxMs?: number
      startAfter?: Promise<void>
    } = {},
  ) {
    this.host = new ThreadHost({
      name: 'test',
      entry: new URL('./test/shared-thread.ts', import.meta.url),
      start: () => {
        this.startCount++
        return { workerData: { dies, closes } }
      },
      host: {
        worked: (log) => void this.said.push(`worked ${log}`),
        setAside: (log) => void this.said.push(`setAside ${log}`),
      },
      onReplaced: () => this.replacedCount++,
      log: (_level, message) => {
        this.logged.push(message)
        this.onLog(message)
      },
      ...more,
      hangMaxMs: HANG_MS,
      closeMaxMs,
    })
    // A thread that goes on would keep the run from ending.
    t.after(() => this.host.close())
  }

  work(log: string): void {
    this.host.thread.tell('thread', 'work', [log])
  }

  countOf(message: string): number {
    return this.logged.filter((line) => line === message).length
  }

  async until(isSo: () => boolean): Promise<void> {
    const what = (): string => this.logged.join('\n')
    await until(what, isSo, { timeoutMs: PATIENCE_MS })
  }
}

const REPLACED = 'A shared thread ended; replacing it'
const HANGS = 'A shared thread is not responding; terminating it'
const SET_ASIDE = 'A store that crashed a shared thread is quarantined for a while'

suite('thread host', () => {
  test('a thread that dies again and again is replaced, after longer and longer pauses', async (t) => {
    const hosted = new Hosted(t, { dies: true })
    await hosted.until(() => hosted.startCount >= 4)
    assert.equal(hosted.replacedCount, 3)
    assert.ok(hosted.countOf(REPLACED) >= 3)
    const backOff = new BackOff()
    const waits = Array.from({ length: 9 }, () => backOff.waitMs(1_000))
    assert.deepEqual(waits, [0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    assert.equal(backOff.waitMs(60_000), 0, 'one that lived long does not count')
  })

  test('closing during a pause is done at once, and nothing is started any more', async (t) => {
    const hosted = new Hosted(t, { dies: true })
    await hosted.until(() => hosted.countOf(REPLACED) >= 4)
    const { startCount } = hosted
    assert.equal(startCount, 4, 'a pause has begun')
    const port = hosted.host.connect()
    const closed = once(port, 'close')
    await hosted.host.close()
    await closed
    // Longer than the pause would have been.
    await stays(1_000, () => assert.equal(hosted.startCount, startCount))
  })

  test('one that is to start later serves those who asked before, and closes without a start', async (t) => {
    const later = Promise.withResolvers<void>()
    const hosted = new Hosted(t, { startAfter: later.promise })
    const connected = once(hosted.host.connect(), 'message')
    await stays(100, () => assert.equal(hosted.startCount, 0))
    later.resolve()
    assert.deepEqual(await connected, ['connected'])
    assert.equal(hosted.startCount, 1)

    const never = Promise.withResolvers<void>()
    const closed = new Hosted(t, { startAfter: never.promise })
    const port = once(closed.host.connect(), 'close')
    await closed.host.close()
    await port
    never.resolve()
    await stays(100, () => assert.equal(closed.startCount, 0))
  })

  test('who asks for a port during a pause gets one of the next thread', async (t) => {
    const hosted = new Hosted(t)
    hosted.work('one')
    await hosted.until(() => hosted.said.length === 1)
    const connected = new Promise<unknown>((resolve) => {
      hosted.onLog = (message) => {
        if (message !== REPLACED) return
        assert.equal(hosted.startCount, 1)
        void once(hosted.host.connect(), 'message').then(([text]) => resolve(text))
      }
    })
    hosted.work('throws')
    assert.equal(await connected, 'connected')
    assert.equal(hosted.startCount, 2)
  })

  test('a thread that does not close is ended at the deadline', async (t) => {
    const hosted = new Hosted(t, { closes: false, closeMaxMs: 200 })
    hosted.work('one')
    await hosted.until(() => hosted.said.length === 1)
    await Promise.all([hosted.host.close(), hosted.host.close()])
    assert.deepEqual(hosted.logged, ['A shared thread did not close in time; terminating it'])
    hosted.work('two')
    assert.deepEqual(hosted.said, ['worked one'])
  })

  test('a thread that hangs is ended, also while it is told to close', async (t) => {
    const hosted = new Hosted(t, { closeMaxMs: 200 })
    hosted.work('one')
    await hosted.until(() => hosted.said.length === 1)
    hosted.work('hangs')
    await hosted.host.close()
    assert.equal(hosted.startCount, 1)
  })

  test('a store over which the thread ended twice is set aside, and the others go on', async (t) => {
    const hosted = new Hosted(t)
    for (const [i, deadly] of ['hangs', 'throws', 'hangs', 'throws'].entries()) {
      hosted.work('one')
      await hosted.until(() => hosted.said.length === i + 1)
      hosted.work(deadly)
      await hosted.until(() => hosted.replacedCount === i + 1)
    }
    assert.deepEqual(
      [HANGS, SET_ASIDE, REPLACED].map((line) => hosted.countOf(line)),
      [2, 2, 4],
    )
    hosted.said.length = 0
    for (const log of ['hangs', 'one', 'throws', 'two', 'hangs']) hosted.work(log)
    await hosted.until(() => hosted.said.length === 4)
    assert.deepEqual(hosted.said, ['setAside hangs', 'worked one', 'setAside throws', 'worked two'])
  })
})
