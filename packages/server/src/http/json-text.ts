import type { FastifyReply } from 'fastify'

/** Sends JSON text as it is, without serialising it again. */
export function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}
