import { quantile } from '../../tools/lib/metrics.ts'

/** Latencies of the queries of a class, in milliseconds. */
export interface Latency {
  readonly queries: number
  /** Over the queries, each by the best of its passes: the cost of the work. */
  readonly bestP50: number
  readonly bestP99: number
  /** Over every single run: what a client sees, including the machine's noise. */
  readonly p50: number
  readonly p99: number
  readonly meanMs: number
}

export interface MeasureOptions {
  readonly warmupPasses?: number
  readonly passes?: number
  /** No new pass starts after this. At least one is measured. */
  readonly limitMs?: number
}

/**
 * Runs a list of queries several times: first unmeasured passes that warm up the compiler and the
 * caches, then measured ones.
 */
export async function measure<Query>(
  queries: readonly Query[],
  run: (query: Query) => unknown,
  options: MeasureOptions = {},
): Promise<Latency> {
  const { best, all } = await measurePasses(queries, run, options)
  return latencyOfPasses(best, all)
}

/** Like `measure`, but returns the milliseconds: the best of each query, and all runs. */
export async function measurePasses<Query>(
  queries: readonly Query[],
  run: (query: Query) => unknown,
  options: MeasureOptions = {},
): Promise<{ best: number[]; all: number[] }> {
  const { warmupPasses = 2, passes = 5, limitMs = 60_000 } = options
  const startMs = performance.now()
  for (let pass = 0; pass < warmupPasses; pass++) {
    for (const query of queries) await run(query)
    if (performance.now() - startMs > limitMs) break
  }
  const best = new Array<number>(queries.length).fill(Infinity)
  const all: number[] = []
  for (let pass = 0; pass < passes; pass++) {
    for (const [at, query] of queries.entries()) {
      const beforeMs = performance.now()
      const result = run(query)
      // Awaits only promises; a plain result must not pay for a turn of the event loop.
      if (result instanceof Promise) await result
      const tookMs = performance.now() - beforeMs
      all.push(tookMs)
      if (tookMs < (best[at] ?? 0)) best[at] = tookMs
    }
    if (performance.now() - startMs > limitMs) break
  }
  return { best, all }
}

/** Figures of passes timed elsewhere: the best of each query, and all runs. */
export function latencyOfPasses(best: readonly number[], all: readonly number[]): Latency {
  return { ...summary(best), ...plain(all) }
}

/** Figures of runs timed elsewhere. */
export function latencyOf(tookMs: readonly number[]): Latency {
  return latencyOfPasses(tookMs, tookMs)
}

function summary(best: readonly number[]): Pick<Latency, 'queries' | 'bestP50' | 'bestP99'> {
  return { queries: best.length, bestP50: quantile(best, 0.5), bestP99: quantile(best, 0.99) }
}

function plain(all: readonly number[]): Pick<Latency, 'p50' | 'p99' | 'meanMs'> {
  return {
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    meanMs: all.reduce((sum, value) => sum + value, 0) / all.length,
  }
}
