import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { readStartProgress } from '../adapters/embedded/start-progress.ts'
import type { DoorwayThreadData, FromDoorwayThread } from './doorway.ts'
import { checkPortIsFree } from './port-check.ts'

/**
 * The thread of the doorway (see there). It imports nothing that takes long to load: no framework, no contract; a
 * test holds its answers against the contract.
 */
const { host, port, progress } = workerData as DoorwayThreadData
const control = parentPort!
const tell = (message: FromDoorwayThread): void => control.postMessage(message)

const RETRY_AFTER_SECONDS = '1'
/** After closing, how long connections that are there may still ask and be answered. */
const CLOSE_MAX_MS = 1_000
let isClosing = false

function answer(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').split('?', 1)[0]
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A client that is still sending could not read the answer if the connection were cut.
  request.resume()
  if (isRead && path === '/livez') return send(response, 200, { status: 'ok' })
  response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  const counts = readStartProgress(progress)
  if (isRead && path === '/health') {
    return send(response, 503, { status: 'starting', starting: ['documents'], progress: counts })
  }
  const { done, total } = counts.documents
  const request_id = randomUUID()
  response.setHeader('x-request-id', request_id)
  const error = `The service is starting: ${done} of ${total} documents are searchable`
  send(response, 503, { error, code: 'unavailable', status: 503, request_id })
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...(isClosing ? { connection: 'close' } : {}),
    })
    .end(JSON.stringify(body))
}

const server = createServer({ requireHostHeader: false }, answer)
try {
  await checkPortIsFree(host, port)
  server.listen({ host, port, reusePort: true })
  await once(server, 'listening')
  const address = server.address()
  tell({ kind: 'listening', port: typeof address === 'object' ? (address?.port ?? port) : port })
  control.once('message', () => {
    // Right behind a poll of the event loop, which has taken all connections there were: those that the system
    // holds for us when we close would be reset.
    setImmediate(() => {
      isClosing = true
      // Not the close of HTTP, which cuts connections whose first request is still on its way.
      Server.prototype.close.call(server, () => control.close())
      setTimeout(() => server.closeAllConnections(), CLOSE_MAX_MS).unref()
    })
  })
} catch (error) {
  tell({ kind: 'failed', message: (error as Error).message })
}
