/** Records answered requests, for tracing across services. */
export interface RequestTracer {
  record(request: TracedRequest): void
}

/** An answered request, without queries. Times are milliseconds since 1970, with fractions. */
export interface TracedRequest {
  readonly method: string
  /** The pattern of the route, not the path. */
  readonly route: string
  readonly status: number
  readonly requestId: string
  readonly storeId: string | undefined
  /** W3C Trace Context of the caller's span, as received. */
  readonly traceparent: string | undefined
  readonly startMs: number
  readonly endMs: number
  readonly stages: readonly TracedStage[]
}

/** A part of the work: `plan`, `execute`, `present`, or `repeat` of a cached answer. */
export interface TracedStage {
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, number | boolean>>
}

/**
 * Values of the standard variables, without those that begin with `OTEL_EXPORTER_OTLP`: the
 * exporter reads these.
 */
export interface TracingOptions {
  readonly sampler: SamplerName
  /** Share of the traces to keep, for samplers by ratio. */
  readonly ratio: number
  readonly scheduleDelayMs: number
}

export const SAMPLER_NAMES = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
type SamplerName = (typeof SAMPLER_NAMES)[number]
