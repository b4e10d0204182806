import type { SpanContext, SpanOptions } from '@opentelemetry/api'
import type * as TraceSdk from '@opentelemetry/sdk-trace'
import type {
  RequestTracer,
  TracedRequest,
  TracingOptions,
} from '../../ports/host/request-tracer.ts'

/** version-traceid-parentid-flags (W3C Trace Context, 2021, section 3.2). */
const TRACEPARENT =
  /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/

/**
 * Sends spans by OTLP. The SDK is loaded only here, so it costs nothing without tracing. A
 * completed request becomes spans from times that were measured anyway, so no context is passed
 * through the code.
 *
 * @param onFailure called once when spans cannot be sent
 */
export async function createTracer(
  options: TracingOptions,
  version: string,
  onFailure: (message: string) => void,
): Promise<RequestTracer & { close(): Promise<void> }> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
    import('@opentelemetry/resources'),
  ])
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api
  let hasFailed = false
  const fail = (message: string): void => {
    if (hasFailed) return
    hasFailed = true
    onFailure(message)
  }
  api.diag.setLogger(
    { error: fail, warn: fail, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const resource = resources
    .resourceFromAttributes({ 'service.name': 'aisle', 'service.version': version })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
  const provider = new sdk.TracerProvider({
    resource,
    sampler: samplerOf(options, sdk),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: options.scheduleDelayMs,
      }),
    ],
  })
  const tracer = provider.getTracer('aisle', version)

  return {
    record(request) {
      const parent = remoteParent(request.traceparent)
      const context =
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
      const span = tracer.startSpan(
        `${request.method} ${request.route}`,
        { kind: SpanKind.SERVER, startTime: request.startMs, attributes: attributesOf(request) },
        context,
      )
      if (span.isRecording()) {
        if (request.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        const inside = trace.setSpan(context, span)
        for (const { name, startMs, endMs, attributes = {} } of request.stages) {
          const stage: SpanOptions = { startTime: startMs, attributes }
          tracer.startSpan(name, stage, inside).end(endMs)
        }
      }
      span.end(request.endMs)
    },
    close: () => provider.shutdown(),
  }
}

/** Names of OpenTelemetry's semantic conventions for HTTP, and our own. */
function attributesOf(request: TracedRequest): Record<string, string | number> {
  return {
    'http.request.method': request.method,
    'http.route': request.route,
    'http.response.status_code': request.status,
    ...(request.status >= 500 ? { 'error.type': String(request.status) } : {}),
    ...(request.storeId === undefined ? {} : { 'aisle.store': request.storeId }),
    'aisle.request_id': request.requestId,
  }
}

function remoteParent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

function samplerOf({ sampler, ratio }: TracingOptions, sdk: typeof TraceSdk): TraceSdk.Sampler {
  const byName = (name: string): TraceSdk.Sampler => {
    if (name === 'always_off') return new sdk.AlwaysOffSampler()
    return name === 'traceidratio'
      ? new sdk.TraceIdRatioBasedSampler(ratio)
      : new sdk.AlwaysOnSampler()
  }
  const [, root] = /^parentbased_(.*)$/.exec(sampler) ?? []
  return root === undefined ? byName(sampler) : new sdk.ParentBasedSampler({ root: byName(root) })
}
