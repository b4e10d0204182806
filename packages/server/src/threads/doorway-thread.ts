import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { readPendingParts, readStartProgress } from '../adapters/embedded/start-progress.ts'
import { createServer } from '../http/node-http.ts'
import type { DoorwayThreadData } from './doorway.ts'
import { checkPortIsFree } from './port-check.ts'
import { STARTING_FILES, STARTING_HEADERS, startingPage } from './starting-page.ts'

/**
 * The thread of the doorway (see there). It imports nothing that is slow to load: no framework, no
 * contract; a test checks its answers against the contract. It sends one message, the port that it
 * listens on, and receives one, to close, so it needs no calls through a port.
 */
const { host, port, progress } = workerData as DoorwayThreadData
const control = parentPort!

const RETRY_AFTER_SECONDS = '1'
/**
 * Idle time after which a connection is closed. The client knows it, so it sends no request at that
 * moment.
 */
const IDLE_MAX_MS = 2_000
/** Once serving threads listen, connections that have begun here are accepted within this time. */
const LINGER_MS = 500
/** After that, open connections may send requests and get responses for this time. */
const CLOSE_MAX_MS = 10_000
let isClosing = false

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').split('?', 1)[0]
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A client that is still sending could not read the answer if the connection were cut.
  request.resume()
  if (isRead && path === '/livez') return sendJson(response, 200, { status: 'ok' })
  if (isRead && isStartingFile(path)) {
    const { type, body } = STARTING_FILES[path]
    return send(response, 200, type, body)
  }
  response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  const counts = readStartProgress(progress)
  if (isRead && path === '/health') {
    const { printed, others } = readPendingParts(progress)
    const starting = ['documents', ...printed, ...others]
    const body = { status: 'starting', starting, progress: counts }
    return sendJson(response, 503, body)
  }
  response.setHeader('vary', 'accept')
  if (isRead && (request.headers.accept ?? '').includes('text/html')) {
    for (const [name, value] of Object.entries(STARTING_HEADERS)) response.setHeader(name, value)
    return send(response, 503, 'html', startingPage(counts.documents))
  }
  const { done, total } = counts.documents
  const request_id = randomUUID()
  response.setHeader('x-request-id', request_id)
  const error = `The service is starting: ${done} of ${total} documents are searchable`
  sendJson(response, 503, { error, code: 'unavailable', status: 503, request_id })
}

function isStartingFile(path = ''): path is keyof typeof STARTING_FILES {
  return Object.hasOwn(STARTING_FILES, path)
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, status, 'json', JSON.stringify(body))
}

const CONTENT_TYPES = {
  json: 'application/json',
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
}

function send(
  response: ServerResponse,
  status: number,
  type: keyof typeof CONTENT_TYPES,
  body: string,
): void {
  response
    .writeHead(status, {
      'content-type': `${CONTENT_TYPES[type]}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      ...(isClosing ? { connection: 'close' } : {}),
    })
    .end(body)
}

const server = createServer({ requireHostHeader: false, keepAliveTimeout: IDLE_MAX_MS }, answer)
await checkPortIsFree(host, port)
await listen()
const address = server.address()
control.postMessage(typeof address === 'object' ? (address?.port ?? port) : port)
control.once('message', () => {
  isClosing = true
  setTimeout(() => {
    // The `close` of the HTTP server would cut connections whose first request is still on its way.
    Server.prototype.close.call(server, () => control.close())
    setTimeout(() => server.closeAllConnections(), CLOSE_MAX_MS).unref()
  }, LINGER_MS)
})

/**
 * Serving threads will share the port (SO_REUSEPORT), and while two sockets share it, the kernel
 * gives connections to either: those that it holds for one that closes are reset. It prefers a
 * socket of the address's own family, though. So an IPv4 address is listened on as an IPv6 one
 * (`::ffff:127.0.0.1`), and as soon as the first thread listens, no more connections arrive here.
 * Where that is impossible (another system, no IPv6, an IPv6 address), one may be reset at the
 * moment of closing.
 */
async function listen(): Promise<void> {
  const { address, family } = await lookup(host)
  if (family === 4) {
    try {
      return await bind(`::ffff:${address}`)
    } catch {
      // Falls back to the address as given.
    }
  }
  await bind(host)
}

function bind(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: address, port, reusePort: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
