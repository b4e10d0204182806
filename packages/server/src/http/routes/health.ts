import { HealthResponse } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'

/** Reports whether the service is ready (`/health`), and whether it is alive (`/livez`). */
export function healthRoutes(app: FastifyInstance, { health }: AppDependencies): void {
  app.get(
    '/health',
    route('none', 'Service', {
      isProbe: true,
      id: 'getHealth',
      summary: 'Readiness',
      description:
        '200 once every store is searchable and the start has printed all its lines: the tokens, ' +
        'the first page, the demo shop. Before that, 503 with `starting` and `progress`. With 200, ' +
        '`starting` names the parts that are still starting in the background.',
      success: jsonAnswer(HealthResponse, 'The service is ready.'),
    }),
    (_request, reply) => {
      const { ok, starting, progress } = health()
      if (ok) return reply.send({ status: 'ok', ...(starting.length > 0 ? { starting } : {}) })
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({ status: 'starting', starting, progress })
    },
  )
  app.get(
    '/livez',
    route('none', 'Service', {
      isProbe: true,
      id: 'getLiveness',
      summary: 'Liveness',
      success: jsonAnswer(HealthResponse, 'The process responds.'),
    }),
    (_request, reply) => reply.send({ status: 'ok' }),
  )
}
