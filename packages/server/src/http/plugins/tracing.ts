import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type { RequestTracer, TracedStage } from '../../ports/host/request-tracer.ts'
import type { SearchAnswer } from '../../services/search/search.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The searches of this request. */
    answers?: readonly SearchAnswer[]
  }
}

/** Passes completed requests to the tracer, if there is one. */
export function registerTracing(app: FastifyInstance, tracer: RequestTracer | undefined): void {
  app.decorateRequest('answers')
  if (tracer === undefined) return
  app.addHook('onResponse', (request, reply, done) => {
    const endMs = performance.timeOrigin + performance.now()
    const { traceparent } = request.headers
    const stages = (request.answers ?? []).flatMap(stagesOf)
    // `elapsedTime` ends with the response; a pause before this hook makes the span end that much
    // later.
    const startMs = Math.min(endMs - reply.elapsedTime, stages[0]?.startMs ?? Infinity)
    tracer.record({
      method: request.method,
      route: request.routeConfig?.url ?? 'unmatched',
      status: reply.statusCode,
      requestId: request.id,
      storeId: request.storeId === '' ? undefined : request.storeId,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      startMs,
      endMs,
      stages,
    })
    done()
  })
}

function stagesOf({ times, found, cached, cutoff }: SearchAnswer): TracedStage[] {
  const { startMs, plannedMs, executedMs, endMs } = times
  const stage = (
    name: string,
    fromMs: number,
    toMs: number,
    attributes: TracedStage['attributes'] = {},
  ): TracedStage => ({
    name,
    startMs: performance.timeOrigin + fromMs,
    endMs: performance.timeOrigin + toMs,
    attributes,
  })
  if (cached) return [stage('repeat', startMs, endMs, { 'aisle.found': found })]
  return [
    stage('plan', startMs, plannedMs),
    stage('execute', plannedMs, executedMs, { 'aisle.found': found, 'aisle.cutoff': cutoff }),
    stage('present', executedMs, endMs),
  ]
}
