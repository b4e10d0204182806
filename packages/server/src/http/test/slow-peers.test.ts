import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@aisle/testing'
import { createTestApp, type TestStore } from './test-app.ts'

// Real sockets of peers that hold resources and make hardly any progress.

const WINDOW_MS = 500
/** Longer, because a sender must be seen to move although the machine does other work. */
const BULK_MS = 1_500
/** Longer, because a fast reader must be recognised beside other work. */
const ANSWER_MS = 3_000
/** Upper bound for waiting beside other work. */
const PATIENCE_MS = 60_000
/**
 * Of a reader that is slow and yet well above the minimum: the kernel passes on room for more only
 * by the megabyte, and there must be some in each `ANSWER_MS`.
 */
const SLOW_BYTES_PER_MS = 8_000
/** More than the kernel takes of an answer that nobody reads. */
const KERNEL_BYTES_MAX = 16_000_000

const testApp = await createTestApp({
  patience: {
    headMs: WINDOW_MS,
    bodyMs: WINDOW_MS,
    bulkMs: BULK_MS,
    answerMs: ANSWER_MS,
    unreadMs: WINDOW_MS,
    // Far above what one test leaves unread: only slowness counts.
    unreadAnswersBytes: 2 ** 40,
  },
})
/** Responses may wait, but not many of them: those of one reader. */
const crowded = await createTestApp({ patience: { unreadAnswersBytes: 40_000_000 } })
after(() => crowded[Symbol.asyncDispose]())
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('slow')
const fields = [{ name: 'n', type: 'int32' }]
const write = Object.entries(store.write)
await testApp.call({
  method: 'POST',
  url: '/api/v1/stores/slow/schema',
  headers: store.write,
  body: { fields },
})
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.server.address() as AddressInfo

interface Peer {
  readonly socket: Socket
  readonly text: () => string
  readonly closed: Promise<void>
}

function open(head: string): Peer {
  const socket = connect(port, '127.0.0.1')
  socket.write(head)
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => undefined)
  return { socket, text: () => text, closed: new Promise((resolve) => socket.on('close', resolve)) }
}

/**
 * Sends a piece every now and then until the server closes the connection.
 *
 * @returns milliseconds
 */
async function trickle({ socket, closed }: Peer, piece: string, everyMs = 20): Promise<number> {
  const startMs = performance.now()
  const timer = setInterval(() => socket.write(piece), everyMs)
  await Promise.race([closed, sleep(PATIENCE_MS, undefined, { ref: false })])
  clearInterval(timer)
  return performance.now() - startMs
}

const post = (path: string, type: string, lines: readonly (readonly [string, string])[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `content-type: ${type}`,
    ...lines.map((line) => line.join(': ')),
    '\r\n',
  ].join('\r\n')

// Side by side: nearly all of their time is patience.
suite('slow senders', { concurrency: true }, () => {
  test('a connection that sends nothing is given up', async () => {
    assert.ok((await trickle(open(''), '')) < PATIENCE_MS)
  })

  test('a client that waits for its answer is not slow, however long the work takes', () => {
    assert.equal(testApp.app.server.timeout, 0)
  })

  test('a head that trickles in is given up', async () => {
    const peer = open('GET /livez HTTP/1.1\r\n')
    assert.ok((await trickle(peer, 'a')) < PATIENCE_MS)
    assert.match(peer.text(), /^HTTP\/1\.1 408 [^]*"code":"request_timeout"/)
  })

  for (const [path, lines] of [
    ['/v1/search', Object.entries(store.read)],
    ['/api/v1/stores/slow/documents/bulk', write],
    ['/v1/b', []],
  ] as const) {
    test(`a body for ${path} at a byte now and then is given up with 408`, async () => {
      const length = ['content-length', '500000'] as const
      const peer = open(post(path, 'application/json', [...lines, length]))
      assert.ok((await trickle(peer, ' ')) < PATIENCE_MS)
      assert.match(peer.text(), /^HTTP\/1\.1 408 [^]*"code":"request_timeout"/)
    })
  }

  test('a body that nobody asked for is given up too', async () => {
    for (const [path, status] of [
      ['/livez', 200],
      ['/v1/search', 401],
    ] as const) {
      const peer = open(`GET ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n`)
      assert.ok((await trickle(peer, ' ')) < PATIENCE_MS)
      assert.ok(peer.text().startsWith(`HTTP/1.1 ${status} `))
    }
  })

  test('a bulk as a stream may take its time, but has to move', async () => {
    const path = '/api/v1/stores/slow/documents/bulk'
    const chunked = ['transfer-encoding', 'chunked'] as const
    const peer = open(post(path, 'application/x-ndjson', [...write, chunked]))
    const line = `{"id":"1","n":1,"filler":"${'x'.repeat(200)}"}\n`
    const piece = `${line.length.toString(16)}\r\n${line}\r\n`
    const timer = setInterval(() => peer.socket.write(piece), BULK_MS / 30)
    await sleep(2 * BULK_MS)
    clearInterval(timer)
    assert.equal(peer.socket.destroyed, false)
    assert.ok((await trickle(peer, '1\r\n \r\n', WINDOW_MS / 5)) < PATIENCE_MS)
  })
})

suite('slow readers', () => {
  test('an answer that nobody fetches is given up, and one that is fetched slowly is not', async () => {
    const before = await slowAnswers()
    // More than the kernel buffers.
    const requests = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(150)
    const idle = open(requests)
    idle.socket.pause()
    const slow = connect(port, '127.0.0.1', () => slow.write(requests))
    slow.on('error', () => undefined)
    const startMs = performance.now()
    let readBytes = 0
    const mayRead = (): boolean => readBytes < SLOW_BYTES_PER_MS * (performance.now() - startMs)
    slow.on('data', (chunk: Buffer) => {
      readBytes += chunk.length
      if (!mayRead()) slow.pause()
    })
    const reading = setInterval(() => {
      if (mayRead()) slow.resume()
    }, WINDOW_MS / 20)
    const patience = { timeoutMs: PATIENCE_MS, pauseMs: 50 }
    await until('one is given up', async () => (await slowAnswers()) > before, patience)
    await sleep(ANSWER_MS)
    clearInterval(reading)
    assert.equal(await slowAnswers(), before + 1)
    assert.equal(slow.destroyed, false)
    // None of the response is still waiting for it.
    const lost = once(idle.socket, 'error')
    idle.socket.resume()
    assert.match(((await lost) as NodeJS.ErrnoException[])[0]!.code!, /^(?:ECONNRESET|EPIPE)$/)
    slow.destroy()
  })

  test('of many answers that nobody fetches as many go as are too much together, and none that is fetched', async () => {
    const { app } = crowded
    await app.listen({ port: 0, host: '127.0.0.1' })
    const to = (app.server.address() as AddressInfo).port
    const { read } = await largeStore(crowded)
    const head = Object.entries(read).map((line) => line.join(': '))
    const request = ['GET /v1/search?q=*&per_page=100 HTTP/1.1', 'host: x', ...head, '', ''].join(
      '\r\n',
    )
    const ask = async (): Promise<Socket> => {
      const socket = connect(to, '127.0.0.1', () => socket.write(request.repeat(3)))
      socket.on('error', () => undefined)
      await once(socket, 'readable')
      return socket
    }
    let readBytes = 0
    const reader = (await ask()).on('data', (chunk: Buffer) => (readBytes += chunk.length))
    reader.resume()
    const patience = { timeoutMs: PATIENCE_MS, pauseMs: 10 }
    // More than the kernel buffers for those that do not read.
    await until('it reads', () => readBytes > KERNEL_BYTES_MAX, patience)
    const idle: Socket[] = []
    for (let i = 0; i < 8; i++) idle.push(await ask())
    await until('six are given up', async () => (await slowAnswers(crowded)) >= 6, patience)
    // It may have received everything it requested.
    const before = readBytes
    reader.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
    await until('it continues', () => readBytes > before || reader.destroyed, patience)
    assert.equal(reader.destroyed, false)
    for (const socket of [reader, ...idle]) socket.destroy()
  })
})

/** A store with answers of nine megabytes. */
async function largeStore({ call, createStore }: typeof testApp): Promise<TestStore> {
  const { write: headers, ...large } = await createStore('large')
  const base = '/api/v1/stores/large'
  const schema = { fields: [{ name: 'text', type: 'string', searchable: false }] }
  await call({ method: 'POST', url: `${base}/schema`, headers, body: schema })
  const text = 'x'.repeat(90_000)
  const documents = Array.from({ length: 100 }, (_, i) => ({ id: `d${i}`, text }))
  await call({ method: 'POST', url: `${base}/documents/bulk`, headers, body: { documents } })
  return { ...large, write: headers }
}

async function slowAnswers({ call } = testApp): Promise<number> {
  const { body } = await call({ url: '/metrics' })
  return Number(/^aisle_slow_connections_total\{direction="out"\} (\d+)$/m.exec(body)?.[1] ?? 0)
}
