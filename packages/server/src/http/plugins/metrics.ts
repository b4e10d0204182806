import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { AppDependencies } from '../dependencies.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { RequestLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly metrics: Metrics
    /** The metrics of this application; threads use it to add up theirs. */
    readonly metricsRegistry: Registry
  }
}

/** Counts every request, and logs it. */
export function registerMetrics(app: FastifyInstance, dependencies: AppDependencies): void {
  const { registry, version, options } = dependencies
  const metrics = createMetrics(registry, {
    version,
    processMetrics: options.processMetrics ?? true,
    namesStores: options.metricsStores ?? false,
    now: () => dependencies.clock.now(),
  })
  app.decorate('metrics', metrics)
  app.decorate('metricsRegistry', metrics.registry)
  const log = options.logger === false ? undefined : new RequestLog(app.log)
  app.addHook('onClose', (_app, done) => {
    log?.flush()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern of the route, never the path: paths contain ids, whose number has no limit.
    const route = request.routeConfig?.url ?? 'unmatched'
    const { method } = request
    const status = reply.statusCode
    const { elapsedTime } = reply
    metrics.requests.observe(elapsedTime / 1000, method, route, String(status))
    if (log !== undefined && !request.isShed) {
      const tookMs = Math.round(elapsedTime * 100) / 100
      const storeId = request.storeId === '' ? undefined : request.storeId
      const cause = request.failureCause === '' ? undefined : request.failureCause
      log.add({ reqId: request.id, method, route, status, tookMs, storeId, cause })
    }
    done()
  })
}
