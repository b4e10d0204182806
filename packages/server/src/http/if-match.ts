import { ApiError } from '@aisle/contract'
import type { FastifyRequest } from 'fastify'

/**
 * Refuses `If-Match` where a request may change many documents: ignored, it would promise what
 * nobody checks.
 *
 * @throws ApiError invalid_parameter
 */
export function refuseIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['if-match'] === undefined) return
  const message = '`If-Match` applies to one document, but this request may change many'
  throw new ApiError('invalid_parameter', message, { param: 'If-Match' })
}
