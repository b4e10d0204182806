import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { ANSWER_FREE_BYTES, ApiError } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerMemory } from '../../ports/host/answer-memory.ts'
import { isPublic } from '../route-table.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reserves memory for a part of a response before it is allocated; it is returned when the
     * reader has taken everything or the connection is closed.
     *
     * @throws ApiError unread_answers
     */
    holdAnswer(request: FastifyRequest, reply: FastifyReply, bytes: number): void
  }
}

/** The memory that a response occupies. */
interface Held {
  readonly storeId: string
  bytes: number
}

/**
 * Limits the memory of responses that wait for their readers. Searches reserve it while they write,
 * before they allocate; other responses when they are complete. Small ones are free, and so are
 * files, which all of their readers share.
 */
export function registerAnswerMemory(app: FastifyInstance, memory: AnswerMemory | undefined): void {
  const byResponse = new WeakMap<ServerResponse, Held>()
  const bySocket = new WeakMap<Socket, Set<Held>>()

  const release = (held: Held): void => {
    memory?.give(held.storeId, held.bytes)
    held.bytes = 0
  }
  /** A response that waits behind others of its connection is not told when that is closed. */
  const heldBy = (socket: Socket): Set<Held> => {
    let all = bySocket.get(socket)
    if (all === undefined) {
      const holding = new Set<Held>()
      bySocket.set(socket, holding)
      socket.once('close', () => holding.forEach(release))
      all = holding
    }
    return all
  }
  const heldFor = ({ storeId }: FastifyRequest, { raw }: FastifyReply): Held => {
    const known = byResponse.get(raw)
    if (known !== undefined) return known
    const held = { storeId, bytes: 0 }
    byResponse.set(raw, held)
    const { socket } = raw.req
    // Tests also inject requests, which have no connection.
    const others = socket instanceof Socket ? heldBy(socket) : undefined
    others?.add(held)
    const over = (): void => {
      others?.delete(held)
      release(held)
    }
    raw.once('finish', over)
    raw.once('close', over)
    return held
  }
  const hold = (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
    if (memory === undefined) return
    // Nobody would read it, and nothing would return the memory.
    const isGone = reply.raw.closed || reply.raw.req.socket.destroyed
    if (isGone || !memory.take(request.storeId, bytes)) {
      app.metrics.unreadAnswers.inc({ store: app.metrics.storeLabel(request.storeId) })
      throw tooManyUnread()
    }
    heldFor(request, reply).bytes += bytes
  }
  app.decorate('holdAnswer', hold)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isSmall(payload) || isPublic(request)) return done(null, payload)
    // As bytes, large text is allocated once, here and not in the heap.
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : (payload as Buffer)
    const missingBytes = bytes.length - (byResponse.get(reply.raw)?.bytes ?? 0)
    try {
      if (missingBytes > 0) hold(request, reply, missingBytes)
    } catch (error) {
      return done(error as Error)
    }
    done(null, bytes)
  })
}

/** Whether a response is small, or a stream, which is read as it is sent. */
function isSmall(payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return true
  return payload.length <= ANSWER_FREE_BYTES
}

function tooManyUnread(): ApiError {
  return new ApiError(
    'unread_answers',
    'Too many large responses are still unread: finish reading them, or request less at a time',
    { retryAfterSeconds: 1 },
  )
}
