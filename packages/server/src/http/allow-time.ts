import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** For work that may take longer than a silent connection may stay open. */
export function allowTime({ raw }: FastifyRequest): void {
  // An injected request has no real socket.
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0)
}
