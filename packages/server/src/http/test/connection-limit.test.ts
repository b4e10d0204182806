import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { after, suite, test } from 'node:test'
import { until } from '@aisle/testing'
import {
  createConnectionCounts,
  SharedConnectionCounts,
} from '../../adapters/shared-memory/connection-counts.ts'
import { createTestApp } from './test-app.ts'

// Real sockets, some of which claim to come from elsewhere.

const PER_NETWORK = 3
const PER_THREAD = 12
/** More than are accepted beyond the limits. */
const FLOOD = 100

const memory = createConnectionCounts(2, 7)
const otherThread = new SharedConnectionCounts(memory, 1)
const testApp = await createTestApp(
  {},
  {
    connections: {
      counts: new SharedConnectionCounts(memory, 0),
      perNetworkMax: PER_NETWORK,
      perThreadMax: PER_THREAD,
    },
  },
)
after(() => testApp[Symbol.asyncDispose]())
let from: string | undefined
testApp.app.server.prependListener('connection', (socket: Socket) => {
  if (from !== undefined) Object.defineProperty(socket, 'remoteAddress', { value: from })
})
await testApp.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = testApp.app.server.address() as AddressInfo

interface Peer {
  readonly socket: Socket
  /** The response to a request; '' if the connection was cut. */
  readonly ask: (path: string) => Promise<string>
}

async function open(address: string | undefined, localAddress = '127.0.0.1'): Promise<Peer> {
  from = address
  const accepted = once(testApp.app.server, 'connection')
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  let text = ''
  let isClosed = false
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => undefined)
  socket.on('close', () => (isClosed = true))
  await accepted
  const ask = async (path: string): Promise<string> => {
    text = ''
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
    await until(`an answer of ${path}`, () => isClosed || /\r\n\r\n.+/s.test(text))
    return text
  }
  return { socket, ask }
}

async function close(peers: readonly Peer[]): Promise<void> {
  for (const { socket } of peers) socket.destroy()
  await until('no connections', async () => (await countOpen()) === 0)
}

function countOpen(): Promise<number> {
  return new Promise((resolve, reject) => {
    testApp.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

async function refused(): Promise<number> {
  const { body } = await testApp.call({ url: '/metrics' })
  return Number(/^aisle_refused_connections_total (\d+)$/m.exec(body)?.[1])
}

suite('connections of one address', () => {
  test('beyond the limit are closed at once and counted, and those of others are not', async () => {
    const before = await refused()
    const peers: Peer[] = []
    for (let i = 0; i < PER_NETWORK; i++) peers.push(await open('203.0.113.7'))
    const extra = await open('203.0.113.7')
    assert.equal(await extra.ask('/livez'), '')
    assert.equal(await refused(), before + 1)
    for (const peer of peers) assert.match(await peer.ask('/livez'), /^HTTP\/1\.1 200 /)
    const other = await open('203.0.113.8')
    assert.match(await other.ask('/livez'), /^HTTP\/1\.1 200 /)
    const gone = peers.shift()!.socket
    gone.destroy()
    await until('one connection less', async () => (await countOpen()) <= PER_NETWORK)
    const next = await open('203.0.113.7')
    assert.match(await next.ask('/livez'), /^HTTP\/1\.1 200 /, 'one has gone, so one may come')
    await close([...peers, extra, other, next])
  })

  test('count over all threads, and by /64 network', async () => {
    for (let i = 0; i < PER_NETWORK; i++) otherThread.enter('2001:db8:0:1')
    const peer = await open('2001:db8:0:1::5')
    assert.equal(await peer.ask('/livez'), '')
    const other = await open('2001:db8:0:2::5')
    assert.match(await other.ask('/livez'), /^HTTP\/1\.1 200 /)
    await close([peer, other])
  })

  test('all of them together are bounded too', async () => {
    const peers: Peer[] = []
    for (let i = 0; i < PER_THREAD; i++) peers.push(await open(`203.0.113.${i}`))
    const extra = await open('203.0.113.99')
    assert.equal(await extra.ask('/livez'), '')
    const local = await open(undefined)
    assert.match(await local.ask('/livez'), /^HTTP\/1\.1 200 /)
    await close([...peers, extra, local])
  })

  test('from this machine get one answer more each, however many there are', async () => {
    const peers: Peer[] = []
    for (let i = 0; i < FLOOD; i++) peers.push(await open(undefined, '127.0.0.2'))
    assert.ok((await countOpen()) < FLOOD)
    for (const path of ['/livez', '/health', '/metrics']) {
      const peer = await open(undefined, '127.0.0.2')
      const text = await peer.ask(path)
      assert.match(text, /^HTTP\/1\.1 200 [^]*^connection: close/im, path)
      peers.push(peer)
    }
    const search = await open(undefined, '127.0.0.2')
    const text = await search.ask('/v1/search?q=a')
    assert.match(text, /^HTTP\/1\.1 503 [^]*^retry-after: 1/im)
    assert.match(text, /"code":"unavailable"/)
    await close([...peers, search])
  })
})
