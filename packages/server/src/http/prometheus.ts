import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'
/*
 * The parts of prom-client that count. The whole of it loads OpenTelemetry too, for one of its
 * default metrics: 45 ms of the start of each thread.
 */
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'

export { Counter, Gauge, Histogram, Registry }

const load = createRequire(import.meta.url)

/** All of it, loaded when it is first asked for. */
export function wholeLibrary(): typeof prometheus {
  return load('prom-client') as typeof prometheus
}
