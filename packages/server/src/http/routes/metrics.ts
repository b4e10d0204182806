import { Type } from '@aisle/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { route } from '../operation.ts'

/** Serves metrics in the format of Prometheus. */
export function metricsRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { registry } = app.metrics
  const collectAll = dependencies.collectMetrics ?? (() => registry.metrics())
  let collecting: Promise<string> | undefined
  // Requests at the same time share one round through the threads.
  const collect = (): Promise<string> =>
    (collecting ??= collectAll().finally(() => (collecting = undefined)))
  const success = {
    status: 200,
    description: 'Prometheus text format.',
    content: { 'text/plain': Type.String() },
  }
  const send = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.header('content-type', registry.contentType).send(await collect())

  app.get(
    '/metrics',
    route('local', 'Service', {
      id: 'getMetrics',
      summary: 'Metrics of all threads, for Prometheus',
      description:
        'Responds to requests from the machine that the service runs on; all others, and requests that a proxy forwards, need the admin token.',
      success,
    }),
    send,
  )
  // This route is for people: a session of the dashboard is neither local nor has the admin token.
  app.get(
    '/api/v1/admin/metrics',
    route('admin', 'Service', {
      role: 'analyst',
      id: 'getServiceMetrics',
      summary: 'Metrics of all threads, for a session or the admin token',
      description: 'The same text as `/metrics`.',
      success,
    }),
    send,
  )
}
