import { quantile } from '../../tools/lib/metrics.ts'
import { RawConnection } from './raw-connection.ts'

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
}

export interface Outcome {
  readonly count: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const CONNECTIONS_MAX = 4_000
const TICK_MS = 1
/** Waits this long for answers after the last request was due. */
const PATIENCE_MS = 5_000

interface Pending {
  readonly stream: number
  readonly dueMs: number
  readonly request: Buffer
}

/**
 * Sends streams of requests, each request at its time (Poisson arrivals): in an open loop a slow
 * server does not slow down its clients. Latency is measured from when a request was due, not from
 * when it could be sent ("coordinated omission": Tene, "How NOT to Measure Latency", 2015). One
 * request at a time per connection; opens more connections as needed.
 */
export async function openLoop(
  port: number,
  streams: readonly Stream[],
  durationMs: number,
  random: () => number = Math.random,
): Promise<Record<string, StreamReport>> {
  const took = streams.map(() => ({ admitted: [] as number[], refused: [] as number[] }))
  const failures = streams.map(() => 0)
  const due = streams.map(() => 0)
  const idle: RawConnection<Pending>[] = []
  const backlog: Pending[] = []
  const all = new Set<RawConnection<Pending>>()
  let unanswered = 0

  const settle = (
    connection: RawConnection<Pending>,
    { stream, dueMs }: Pending,
    status: number,
  ): void => {
    unanswered--
    const tookMs = performance.now() - dueMs
    if (status >= 200 && status < 300) took[stream]!.admitted.push(tookMs)
    else if (status === 429 || status === 503) took[stream]!.refused.push(tookMs)
    else failures[stream]!++
    const next = backlog.shift()
    if (connection.isOver) {
      all.delete(connection)
      connection.close()
      if (next !== undefined) open().send(next)
    } else if (next === undefined) idle.push(connection)
    else connection.send(next)
  }
  const open = (): RawConnection<Pending> => {
    const connection = new RawConnection(port, settle)
    all.add(connection)
    return connection
  }
  const send = (pending: Pending): void => {
    unanswered++
    let connection = idle.pop()
    while (connection?.isOver === true) {
      all.delete(connection)
      connection = idle.pop()
    }
    if (connection === undefined && all.size >= CONNECTIONS_MAX) backlog.push(pending)
    else (connection ?? open()).send(pending)
  }

  const startMs = performance.now()
  const nextMs = streams.map(({ perSecond }) => startMs + (gap(random) * 1_000) / perSecond)
  const turns = streams.map(() => 0)
  await new Promise<void>((resolve) => {
    const tick = (): void => {
      const nowMs = performance.now()
      for (const [stream, { requests, perSecond }] of streams.entries()) {
        while (nextMs[stream]! <= nowMs && nextMs[stream]! < startMs + durationMs) {
          const request = requests[turns[stream]!++ % requests.length]!
          due[stream]!++
          send({ stream, dueMs: nextMs[stream]!, request })
          nextMs[stream]! += (gap(random) * 1_000) / perSecond
        }
      }
      const isOver = nowMs >= startMs + durationMs
      if (isOver && (unanswered === 0 || nowMs >= startMs + durationMs + PATIENCE_MS)) resolve()
      else setTimeout(tick, TICK_MS)
    }
    tick()
  })
  for (const connection of all) connection.close()

  const outcome = (latencies: readonly number[]): Outcome => ({
    count: latencies.length,
    perSecond: latencies.length / (durationMs / 1_000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
  })
  return Object.fromEntries(
    streams.map(({ name }, i) => {
      const { admitted, refused } = took[i]!
      const answered = admitted.length + refused.length
      const report: StreamReport = {
        requests: due[i]!,
        admitted: outcome(admitted),
        refused: outcome(refused),
        failures: due[i]! - answered,
      }
      return [name, report]
    }),
  )
}

/** Exponentially distributed with mean 1. */
function gap(random: () => number): number {
  return -Math.log(1 - random())
}
