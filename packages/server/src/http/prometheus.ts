import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'

/**
 * The parts of prom-client that count. The whole of it loads OpenTelemetry too, for one of its
 * default metrics: 45 ms of the start of each thread.
 */
const load = createRequire(import.meta.url)

export const Counter = load('prom-client/lib/counter') as typeof prometheus.Counter
export type Counter<Label extends string = string> = prometheus.Counter<Label>
export const Gauge = load('prom-client/lib/gauge') as typeof prometheus.Gauge
export type Gauge<Label extends string = string> = prometheus.Gauge<Label>
export const Histogram = load('prom-client/lib/histogram') as typeof prometheus.Histogram
export type Histogram<Label extends string = string> = prometheus.Histogram<Label>
export const Registry = load('prom-client/lib/registry') as typeof prometheus.Registry
export type Registry = prometheus.Registry

/** All of it, loaded when it is first asked for. */
export function wholeLibrary(): typeof prometheus {
  return load('prom-client') as typeof prometheus
}
