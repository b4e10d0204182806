import { Socket } from 'node:net'
import { TRANSFER_MIN_BYTES_PER_SECOND } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AnswerReaders } from './answer-readers.ts'
import { answerBrokenConnection } from './errors.ts'
import type { Patience } from './patience.ts'
import { isArriving } from './unread-body.ts'

/**
 * Closes connections that hold resources and hardly make progress: a body that trickles in, a
 * response that nobody reads. Each has to move a minimum of bytes within its time limit; time in
 * which this thread was slow does not count. If all unread responses together are too large,
 * stalled readers are cut off at once.
 */
export function registerSlowPeers(app: FastifyInstance, patience: Patience): void {
  const note = (direction: 'in' | 'out'): void => app.metrics.slowPeers.inc({ direction })
  const bodies = new Map<FastifyRequest, ArrivingBody>()
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw } = request
    // Tests also inject requests, which have no peer.
    if (isArriving(raw) && raw.socket instanceof Socket) {
      const isJson = request.headers['content-type']?.startsWith('application/json') === true
      const windowMs = isJson ? patience.bodyMs : patience.bulkMs
      const seenBytes = raw.socket.bytesRead
      bodies.set(request, { windowMs, seenBytes, dueMs: performance.now() + windowMs })
    }
    done(null, payload)
  })
  // Nearly every body is complete by then; a streamed one is watched until its response.
  app.addHook('preHandler', (request, _reply, done) => {
    if (!isArriving(request.raw)) bodies.delete(request)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    bodies.delete(request)
    done()
  })
  const look = (): void => {
    const nowMs = performance.now()
    for (const [request, body] of bodies) {
      if (nowMs < body.dueMs) continue
      const { raw, id } = request
      if (!isArriving(raw)) {
        bodies.delete(request)
        continue
      }
      const bytes = raw.socket.bytesRead - body.seenBytes
      body.seenBytes += bytes
      body.dueMs = nowMs + body.windowMs
      // Bytes that have arrived but are not read yet are our delay.
      if (raw.readableLength > 0 || bytes >= leastBytes(body.windowMs)) continue
      bodies.delete(request)
      note('in')
      answerBrokenConnection(TOO_SLOW, raw.socket, id)
      raw.socket.destroySoon()
    }
  }
  const looking = setInterval(look, Math.min(patience.bodyMs, patience.bulkMs) / LOOKS).unref()

  const readers = new AnswerReaders({ ...patience, onGivenUp: () => note('out') })
  app.server.on('connection', (socket: Socket) => readers.add(socket))
  app.addHook('onClose', () => {
    clearInterval(looking)
    readers.close()
  })
}

/** A body that is still arriving. */
interface ArrivingBody {
  readonly windowMs: number
  /** When its current window ends, and the bytes that had arrived when it began. */
  dueMs: number
  seenBytes: number
}

/** Checks per window: a timer for each request would cost more than its body. */
const LOOKS = 10

const TOO_SLOW = Object.assign(new Error('The body arrives too slowly'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

function leastBytes(windowMs: number): number {
  return (windowMs * TRANSFER_MIN_BYTES_PER_SECOND) / 1_000
}
