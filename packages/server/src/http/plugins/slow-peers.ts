import type { Socket } from 'node:net'
import { TRANSFER_MIN_BYTES_PER_SECOND } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
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
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    const { raw } = request
    if (!isArriving(raw)) return done(null, payload)
    const { socket } = raw
    let seenBytes = socket.bytesRead
    const windowMs = isJson ? patience.bodyMs : patience.bulkMs
    const timer = setInterval(() => {
      const bytes = socket.bytesRead - seenBytes
      seenBytes += bytes
      // Bytes that have arrived but are not read yet are our delay.
      if (!isArriving(raw) || raw.readableLength > 0 || bytes >= leastBytes(windowMs)) return
      note('in')
      answerBrokenConnection(TOO_SLOW, socket, request.id)
      socket.destroySoon()
    }, windowMs).unref()
    const stop = (): void => clearInterval(timer)
    payload.once('close', stop).once('end', stop)
    done(null, payload)
  })

  const readers = new AnswerReaders({ ...patience, onGivenUp: () => note('out') })
  app.server.on('connection', (socket: Socket) => readers.add(socket))
  app.addHook('onClose', () => readers.close())
}

const TOO_SLOW = Object.assign(new Error('The body is too slow'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

function leastBytes(windowMs: number): number {
  return (windowMs * TRANSFER_MIN_BYTES_PER_SECOND) / 1_000
}
