import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { quantile } from '../../tools/lib/metrics.ts'

/** Requests that come at a rate of their own, however fast they are answered. */
export interface Stream {
  readonly name: string
  /** Whole HTTP requests, taken in turn. */
  readonly requests: readonly Buffer[]
  readonly perSecond: number
}

export interface StreamReport {
  /** That were due. */
  readonly requests: number
  readonly admitted: Outcome
  /** 429 and 503. */
  readonly refused: Outcome
  /** Other statuses, broken connections, and what was never answered. */
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
/** After the last request was due, for so long answers are waited for. */
const PATIENCE_MS = 5_000

const LAST_CHUNK = '\r\n0\r\n\r\n'

interface Pending {
  readonly stream: number
  readonly dueMs: number
  readonly request: Buffer
}

/**
 * Sends streams of requests, each request at its time (Poisson arrivals): in an open loop a slow
 * server does not make its clients ask less. What a request took is counted from when it was due,
 * not from when it could be sent ("coordinated omission": Tene, "How NOT to Measure Latency",
 * 2015). One request at a time per connection; more connections are opened as they are needed.
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
  const idle: Connection[] = []
  const backlog: Pending[] = []
  const all = new Set<Connection>()
  let unanswered = 0

  const settle = (connection: Connection, { stream, dueMs }: Pending, status: number): void => {
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
  const open = (): Connection => {
    const connection = new Connection(port, settle)
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

/** Of an exponential distribution with mean 1. */
function gap(random: () => number): number {
  return -Math.log(1 - random())
}

/** A kept-alive connection that reads as little of an answer as tells where it ends. */
class Connection {
  readonly #socket: Socket
  readonly #settle: (connection: Connection, pending: Pending, status: number) => void
  #pending: Pending | undefined
  #head = ''
  /** The last characters of what has arrived of the answer. */
  #tail = ''
  #status = 0
  #bodyLeft = 0
  /** Broken, or the server said that it closes it: it is not used again. */
  isOver = false

  constructor(
    port: number,
    settle: (connection: Connection, pending: Pending, status: number) => void,
  ) {
    this.#settle = settle
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => this.#fail())
    this.#socket.on('close', () => this.#fail())
  }

  send(pending: Pending): void {
    this.#pending = pending
    this.#socket.write(pending.request)
  }

  close(): void {
    this.#pending = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#tail = (this.#tail + chunk.toString('latin1')).slice(-LAST_CHUNK.length)
    if (this.#status !== 0) {
      this.#bodyLeft -= chunk.length
    } else {
      this.#head += chunk.toString('latin1')
      const end = this.#head.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#head.slice(0, end + 2)
      this.#status = Number(head.slice(9, 12))
      this.isOver = /\r\nconnection: *close\r\n/i.test(head)
      const isChunked = /\r\ntransfer-encoding: *chunked\r\n/i.test(head)
      const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1] ?? '0'
      this.#bodyLeft = isChunked ? Infinity : Number(length) - (this.#head.length - end - 4)
    }
    // Nothing follows an answer, since nothing more was asked.
    const isWhole = this.#bodyLeft === Infinity ? this.#tail === LAST_CHUNK : this.#bodyLeft <= 0
    if (!isWhole) return
    const status = this.#status
    this.#head = ''
    this.#tail = ''
    this.#status = 0
    this.#finish(status)
  }

  #fail(): void {
    this.isOver = true
    this.#finish(0)
  }

  #finish(status: number): void {
    const pending = this.#pending
    this.#pending = undefined
    if (pending !== undefined) this.#settle(this, pending, status)
  }
}
