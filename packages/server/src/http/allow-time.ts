import { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Disables the idle timeout of a connection for work that may take longer. */
export function allowTime({ raw }: FastifyRequest): void {
  // An injected request has no real socket.
  if (raw.socket instanceof Socket) raw.socket.setTimeout(0)
}
