import type { Socket } from 'node:net'
import { TRANSFER_MIN_BYTES_PER_SECOND } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { answerBrokenConnection } from './errors.ts'
import type { Patience } from './patience.ts'
import { isArriving } from './unread-body.ts'

/** Number of checks within the time limit of an answer. */
const LOOKS = 6

/**
 * Ends connections that hold something of ours and hardly move: a body that trickles in, an answer that nobody fetches. Within its
 * window each has to move a minimum of bytes; time in which we are the slow ones does not count.
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
      // What is there and not yet looked at is our delay.
      if (!isArriving(raw) || raw.readableLength > 0 || bytes >= leastBytes(windowMs)) return
      note('in')
      answerBrokenConnection(TOO_SLOW, socket, request.id)
      socket.destroySoon()
    }, windowMs).unref()
    const stop = (): void => clearInterval(timer)
    payload.once('close', stop).once('end', stop)
    done(null, payload)
  })

  const readers = new Map<Socket, { takenBytes: number; sinceMs: number }>()
  app.server.on('connection', (socket: Socket) => {
    readers.set(socket, { takenBytes: 0, sinceMs: performance.now() })
    socket.once('close', () => readers.delete(socket))
  })
  const looking = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, reader] of readers) {
      const takenBytes = socket.bytesWritten - socket.writableLength
      const isQuick = takenBytes - reader.takenBytes >= leastBytes(patience.answerMs)
      if (socket.writableLength === 0 || isQuick) {
        reader.takenBytes = takenBytes
        reader.sinceMs = nowMs
      } else if (nowMs - reader.sinceMs >= patience.answerMs) {
        note('out')
        socket.destroy()
      }
    }
  }, patience.answerMs / LOOKS).unref()
  app.addHook('onClose', () => clearInterval(looking))
}

const TOO_SLOW = Object.assign(new Error('The body is too slow'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

function leastBytes(windowMs: number): number {
  return (windowMs * TRANSFER_MIN_BYTES_PER_SECOND) / 1_000
}
