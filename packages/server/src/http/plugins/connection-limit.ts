import type { Socket } from 'node:net'
import { ApiError, CONNECTIONS_PER_THREAD_MAX } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { isLoopback, networkOf } from '../../domain/access/network.ts'
import type { ConnectionCounts } from '../../ports/host/connection-counts.ts'

/** Connections from this machine beyond the limits, for one request each. */
const SPARE_MAX = 64

export interface ConnectionLimits {
  readonly counts: ConnectionCounts
  /** Limit per network; 0 = no limit. */
  readonly perNetworkMax: number
  /** Limit of this thread; tests use less. */
  readonly perThreadMax?: number
}

/**
 * Closes a new connection at once if its network has too many over all threads, or if this thread
 * has too many. The address is that of the peer, because a forwarded address is known only after a
 * request.
 *
 * A connection from this machine is accepted even then, for a single request, so that monitoring
 * sees the service is alive. Public routes respond, all others return 503. There are few such spare
 * connections, and a new one replaces the oldest.
 */
export function registerConnectionLimit(
  app: FastifyInstance,
  { counts, perNetworkMax, perThreadMax = CONNECTIONS_PER_THREAD_MAX }: ConnectionLimits,
): void {
  const spare = new Set<Socket>()
  let open = 0
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // Closed already.
    if (address === undefined) return
    const network = networkOf(address)
    const count = counts.enter(network)
    open++
    socket.once('close', () => {
      counts.leave(network)
      open--
      spare.delete(socket)
    })
    if (open <= perThreadMax && (perNetworkMax === 0 || count <= perNetworkMax)) return
    app.metrics.refusedConnections.inc()
    if (!isLoopback(address)) {
      socket.resetAndDestroy()
      return
    }
    for (const oldest of spare) {
      if (spare.size < SPARE_MAX) break
      spare.delete(oldest)
      oldest.destroy()
    }
    spare.add(socket)
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (spare.size === 0 || !spare.has(request.raw.socket)) return done()
    void reply.header('connection', 'close')
    const { auth } = request.routeConfig!
    if (auth === 'none' || auth === 'local') return done()
    done(
      new ApiError('unavailable', 'Too many connections from this address: close some, or wait', {
        retryAfterSeconds: 1,
      }),
    )
  })
}
