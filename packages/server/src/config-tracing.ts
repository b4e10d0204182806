import { SAMPLER_NAMES, type TracingOptions } from './ports/host/request-tracer.ts'
import { ConfigError } from './config-options.ts'

/**
 * Reads the variables of OpenTelemetry that the exporter does not read. Tracing is on if an
 * endpoint for spans is configured. Values that we do not support are rejected, because spans would
 * otherwise be missing without an explanation.
 */
export function readTracing(
  environment: Readonly<Record<string, string | undefined>>,
): TracingOptions | undefined {
  const get = (name: string): string => (environment[`OTEL_${name}`] ?? '').trim()
  const endpoint = get('EXPORTER_OTLP_TRACES_ENDPOINT') || get('EXPORTER_OTLP_ENDPOINT')
  const exporter = get('TRACES_EXPORTER') || 'otlp'
  const isOff = get('SDK_DISABLED').toLowerCase() === 'true' || exporter === 'none'
  if (endpoint === '' || isOff) return undefined
  const refuse = (name: string, expected: string): never => {
    throw new ConfigError(`OTEL_${name} must be ${expected}, received "${get(name)}"`)
  }
  if (exporter !== 'otlp') refuse('TRACES_EXPORTER', 'otlp or none')
  for (const name of ['EXPORTER_OTLP_TRACES_PROTOCOL', 'EXPORTER_OTLP_PROTOCOL']) {
    if (!['', 'http/protobuf'].includes(get(name))) refuse(name, 'http/protobuf')
  }
  if (!URL.canParse(endpoint)) {
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT must be a URL, received "${endpoint}"`)
  }
  const sampler = SAMPLER_NAMES.find((name) => name === (get('TRACES_SAMPLER') || DEFAULT_SAMPLER))
  if (sampler === undefined) return refuse('TRACES_SAMPLER', `one of ${SAMPLER_NAMES.join(', ')}`)
  const ratio = Number(get('TRACES_SAMPLER_ARG') || 1)
  if (!(ratio >= 0 && ratio <= 1)) refuse('TRACES_SAMPLER_ARG', 'a number from 0 to 1')
  const scheduleDelayMs = Number(get('BSP_SCHEDULE_DELAY') || SPANS_DELAY_MS)
  if (!(scheduleDelayMs >= 0)) refuse('BSP_SCHEDULE_DELAY', 'a number of milliseconds')
  return { sampler, ratio, scheduleDelayMs }
}

const DEFAULT_SAMPLER = 'parentbased_always_on'
const SPANS_DELAY_MS = 5_000
