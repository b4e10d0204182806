import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { quantile } from '../../tools/lib/metrics.ts'
import type { OpenLoopData, Taken } from './open-loop-thread.ts'

/** An open loop: requests are sent at a fixed rate, independent of answers. */
export interface Stream {
  readonly name: string
  /** Whole HTTP requests, taken in turn. */
  readonly requests: readonly Buffer[]
  readonly perSecond: number
}

export interface StreamReport {
  /** Number of requests that were due. */
  readonly requests: number
  readonly admitted: Outcome
  /** 429 and 503. */
  readonly refused: Outcome
  /** Other statuses, broken connections, and unanswered requests. */
  readonly failures: number
  /** p99 of the delay of the client's own event loop, a part of all the latencies above. */
  readonly clientDelayMs: number
}

export interface Outcome {
  readonly count: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/**
 * Sends streams of requests, each request at its time (Poisson arrivals): in an open loop a slow
 * server does not slow down its clients. Latency is measured from when a request was due, not from
 * when it could be sent ("coordinated omission": Tene, "How NOT to Measure Latency", 2015).
 *
 * Each stream has its own thread and connections, so that it does not wait for what another one
 * sends.
 */
export async function openLoop(
  port: number,
  streams: readonly Stream[],
  durationMs: number,
): Promise<Record<string, StreamReport>> {
  const reports = await Promise.all(
    streams.map(async ({ name, requests, perSecond }) => {
      const workerData: OpenLoopData = { port, requests, perSecond, durationMs }
      const worker = new Worker(new URL('./open-loop-thread.ts', import.meta.url), { workerData })
      const [taken] = (await once(worker, 'message')) as [Taken]
      await worker.terminate()
      return [name, reportOf(taken, durationMs)] as const
    }),
  )
  return Object.fromEntries(reports)
}

function reportOf(
  { due, admittedMs, refusedMs, clientDelayMs }: Taken,
  durationMs: number,
): StreamReport {
  const outcome = (latencies: readonly number[]): Outcome => ({
    count: latencies.length,
    perSecond: latencies.length / (durationMs / 1_000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
  })
  return {
    requests: due,
    admitted: outcome(admittedMs),
    refused: outcome(refusedMs),
    failures: due - admittedMs.length - refusedMs.length,
    clientDelayMs,
  }
}
