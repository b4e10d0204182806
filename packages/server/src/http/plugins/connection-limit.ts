import type { Socket } from 'node:net'
import { ApiError, CONNECTIONS_PER_THREAD_MAX } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { isLoopback, networkOf } from '../../domain/access/network.ts'
import type { ConnectionCounts } from '../../ports/connection-counts.ts'

/** Connections from this machine beyond the limits, each for one request. */
const SPARE_MAX = 64

export interface ConnectionLimits {
  readonly counts: ConnectionCounts
  /** Of one network; 0 = no limit. */
  readonly perNetworkMax: number
  /** Of this thread; tests have fewer. */
  readonly perThreadMax?: number
}

/**
 * Closes, as soon as it is accepted, a connection of a network that has too many, over all threads;
 * or when this thread has. The address is that of the peer, since what a proxy forwards is not
 * known before a request has come.
 *
 * One from this machine is let in all the same, for one question, so that whoever watches over the
 * service is told that it lives, whatever else holds its connections: what anybody may ask is
 * answered, the rest is 503. Such spare connections are few, and a new one takes the place of the
 * oldest.
 */
export function registerConnectionLimit(
  app: FastifyInstance,
  { counts, perNetworkMax, perThreadMax = CONNECTIONS_PER_THREAD_MAX }: ConnectionLimits,
): void {
  const spare = new Set<Socket>()
  let open = 0
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    // Gone already.
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
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    if (!spare.has(raw.socket)) return done()
    void reply.header('connection', 'close')
    const { auth } = routeOptions.config
    if (auth === 'none' || auth === 'local') return done()
    done(
      new ApiError('unavailable', 'This address has too many connections: close some, or wait', {
        retryAfterSeconds: 1,
      }),
    )
  })
}
