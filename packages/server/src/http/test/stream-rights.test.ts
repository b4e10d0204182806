import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { mock, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { STREAM_RIGHTS_CHECK_MS } from '../stream-rights.ts'
import { ADMIN_TOKEN, createTestApp, PASSWORD, type TestApp, type TestStore } from './test-app.ts'

const TAIL = '/api/v1/stores/shop/analytics/events/tail'
const DOCUMENTS = '/api/v1/stores/shop/documents'
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const rotate = ({ call }: TestApp, graceSeconds: number) =>
  call({
    method: 'POST',
    url: '/api/v1/admin/stores/shop/keys/write/rotate',
    headers: bearer,
    body: { grace_seconds: graceSeconds },
  })

interface Listening {
  readonly testApp: TestApp
  readonly store: TestStore
  open(path: string, headers: Record<string, string>): Promise<Stream>
  /** Advances the clock to the next check of the rights. */
  tick(): void
}

interface Stream {
  readonly text: () => string
  readonly over: Promise<'ended' | 'broken'>
}

async function listen(): Promise<Listening & AsyncDisposable> {
  mock.timers.enable({ apis: ['setInterval'] })
  const testApp = await createTestApp()
  const store = await testApp.createStore('shop')
  await testApp.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = testApp.app.server.address() as AddressInfo
  const aborts: AbortController[] = []
  const ticked = Promise.withResolvers<void>()
  return {
    testApp,
    store,
    async open(path, headers) {
      const abort = new AbortController()
      aborts.push(abort)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers,
        signal: abort.signal,
      })
      assert.equal(answer.status, 200)
      const reader = answer.body!.getReader()
      let text = ''
      const read = async (): Promise<'ended' | 'broken'> => {
        for (;;) {
          const { done, value } = await reader.read()
          if (done) return 'ended'
          text += Buffer.from(value).toString()
          // A slow reader: the export must not finish before the rights are checked.
          if (text.length > 100_000) await ticked.promise
        }
      }
      return { text: () => text, over: read().catch(() => 'broken') }
    },
    tick() {
      mock.timers.tick(STREAM_RIGHTS_CHECK_MS)
      ticked.resolve()
    },
    async [Symbol.asyncDispose]() {
      for (const abort of aborts) abort.abort()
      mock.timers.reset()
      await testApp[Symbol.asyncDispose]()
    },
  }
}

/** Asserts that a live tail still shows new events. */
async function assertOpen(testApp: TestApp, { read }: TestStore, stream: Stream): Promise<void> {
  const query = `still open ${++searchCount}`
  await testApp.call({ url: `/v1/search?q=${encodeURIComponent(query)}`, headers: read })
  await until(`a live tail with "${query}"`, () => stream.text().includes(query))
}

let searchCount = 0

suite('a stream ends with the right to it', () => {
  test('a live tail when its key is replaced, at once or after the grace', async () => {
    await using listening = await listen()
    const { testApp, store, tick } = listening
    const first = await listening.open(TAIL, store.write)
    tick()
    await assertOpen(testApp, store, first)
    const { secret } = (await rotate(testApp, 60)).json()
    tick()
    await assertOpen(testApp, store, first)
    testApp.time.nowMs += 61_000
    tick()
    assert.equal(await first.over, 'ended')
    assert.match(first.text(), /event: ended/)
    const second = await listening.open(TAIL, { ...store.write, 'x-store-write-secret': secret })
    await rotate(testApp, 0)
    tick()
    assert.equal(await second.over, 'ended')
  })

  test('a live tail when the session ends, the role changes, or the store is deleted', async () => {
    await using listening = await listen()
    const { testApp, store, tick } = listening
    const { access, call, logIn } = testApp
    const losses = [
      () => access.endSessions({ login: 'ada' }),
      () => access.changeUser({ login: 'ada', rights: { role: 'editor' } }),
      () => access.changeUser({ login: 'ada', password: `${PASSWORD}!` }),
      () => access.deleteUser({ login: 'ada' }),
    ]
    for (const lose of losses) {
      const { cookie } = await logIn('ada', 'analyst')
      const stream = await listening.open(TAIL, { cookie: cookie! })
      tick()
      await assertOpen(testApp, store, stream)
      await lose()
      await access.changeUser({ login: 'ada', password: PASSWORD }).catch(() => undefined)
      tick()
      assert.equal(await stream.over, 'ended')
    }
    const stream = await listening.open(TAIL, store.write)
    await call({ method: 'DELETE', url: '/api/v1/admin/stores/shop', headers: bearer })
    tick()
    assert.equal(await stream.over, 'ended')
  })

  test('an export is broken off, so that half of it does not look whole', async () => {
    await using listening = await listen()
    const { testApp, store, tick } = listening
    await testApp.call({
      method: 'POST',
      url: '/api/v1/stores/shop/schema',
      headers: store.write,
      body: { fields: [{ name: 'title', type: 'string' }] },
    })
    for (let id = 0; id < 40; id++) {
      const body = { id: String(id), data: { title: 'y'.repeat(800_000) } }
      const made = await testApp.call({
        method: 'POST',
        url: DOCUMENTS,
        headers: store.write,
        body,
      })
      assert.equal(made.statusCode, 201, made.body)
    }
    const stream = await listening.open(DOCUMENTS, store.write)
    await rotate(testApp, 0)
    tick()
    assert.equal(await stream.over, 'broken')
  })
})
