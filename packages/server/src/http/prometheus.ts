import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'
/*
 * Loads only the counting parts of prom-client. The whole library also loads OpenTelemetry, for one
 * of its default metrics, which adds 45 ms to the start of each thread.
 */
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'

export { Counter, Gauge, Histogram, Registry }

const load = createRequire(import.meta.url)

/** The whole library, loaded on first use. */
export function wholeLibrary(): typeof prometheus {
  return load('prom-client') as typeof prometheus
}
