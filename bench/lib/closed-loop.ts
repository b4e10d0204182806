import { performance } from 'node:perf_hooks'
import { quantile } from '../../tools/lib/metrics.ts'
import { RawConnection } from './raw-connection.ts'

/** A closed loop: each answer triggers the next request. */
export interface ClosedLoop {
  readonly requestsPerSecond: number
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Mean bytes of an answer, including the head. */
  readonly answerBytes: number
  /** Load of this thread, 0 to 1: near 1, the figures measure the load generator itself. */
  readonly loadShare: number
}

export interface ClosedLoopOptions {
  readonly connections: number
  /** Minimum duration; the loop then continues until `requestsMin` requests were sent. */
  readonly durationMs: number
  readonly requestsMin?: number
}

/**
 * Every connection sends its next request after its answer.
 *
 * @param requests whole HTTP requests, taken in turn by all connections
 * @throws Error for an answer other than 200
 */
export async function closedLoop(
  port: number,
  requests: readonly Buffer[],
  { connections, durationMs, requestsMin = 0 }: ClosedLoopOptions,
): Promise<ClosedLoop> {
  const took: number[] = []
  const all: RawConnection<Sent>[] = []
  let next = 0
  let bytes = 0
  const startMs = performance.now()
  const busy = performance.eventLoopUtilization()
  const endMs = startMs + durationMs
  await new Promise<void>((resolve, reject) => {
    let running = connections
    const send = (connection: RawConnection<Sent>): void =>
      connection.send({ request: requests[next++ % requests.length]!, sentMs: performance.now() })
    const settle = (connection: RawConnection<Sent>, { sentMs }: Sent, status: number): void => {
      if (status !== 200) {
        reject(new Error(`A request was answered ${status}`))
        return
      }
      const nowMs = performance.now()
      took.push(nowMs - sentMs)
      bytes += connection.answerBytes
      if (nowMs < endMs || next < requestsMin) send(connection)
      else if (--running === 0) resolve()
    }
    for (let i = 0; i < connections; i++) {
      const connection = new RawConnection<Sent>(port, settle)
      all.push(connection)
      send(connection)
    }
  }).finally(() => {
    for (const connection of all) connection.close()
  })
  return {
    requestsPerSecond: took.length / ((performance.now() - startMs) / 1_000),
    requests: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    answerBytes: bytes / took.length,
    loadShare: performance.eventLoopUtilization(busy).utilization,
  }
}

interface Sent {
  readonly request: Buffer
  readonly sentMs: number
}
