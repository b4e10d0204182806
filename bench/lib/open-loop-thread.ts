import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { RawConnection } from './raw-connection.ts'

export interface OpenLoopData {
  readonly port: number
  readonly requests: readonly Uint8Array[]
  readonly perSecond: number
  readonly durationMs: number
}

export interface Taken {
  /** Number of requests that were due. */
  readonly due: number
  /** Latency of each answer with a status of 2xx. */
  readonly admittedMs: readonly number[]
  /** That of each 429 and 503. */
  readonly refusedMs: readonly number[]
  readonly clientDelayMs: number
}

interface Pending {
  readonly dueMs: number
  readonly request: Buffer
}

const CONNECTIONS_MAX = 4_000
const TICK_MS = 1
/** Waits this long for answers after the last request was due. */
const PATIENCE_MS = 5_000

const { port, perSecond, durationMs, ...data } = workerData as OpenLoopData
const requests = data.requests.map((bytes) => Buffer.from(bytes))
const admittedMs: number[] = []
const refusedMs: number[] = []
let due = 0
/** One request at a time per connection; more are opened as needed. */
const all = new Set<RawConnection<Pending>>()
const idle: RawConnection<Pending>[] = []
const backlog: Pending[] = []
let unanswered = 0

function settle(connection: RawConnection<Pending>, { dueMs }: Pending, status: number): void {
  unanswered--
  const tookMs = performance.now() - dueMs
  if (status >= 200 && status < 300) admittedMs.push(tookMs)
  else if (status === 429 || status === 503) refusedMs.push(tookMs)
  const next = backlog.shift()
  if (connection.isOver) {
    all.delete(connection)
    connection.close()
    if (next !== undefined) open().send(next)
  } else if (next === undefined) idle.push(connection)
  else connection.send(next)
}

function open(): RawConnection<Pending> {
  const connection = new RawConnection(port, settle)
  all.add(connection)
  return connection
}

function send(pending: Pending): void {
  unanswered++
  let connection = idle.pop()
  while (connection?.isOver === true) {
    all.delete(connection)
    connection = idle.pop()
  }
  if (connection === undefined && all.size >= CONNECTIONS_MAX) backlog.push(pending)
  else (connection ?? open()).send(pending)
}

/** Exponentially distributed. */
function gapMs(): number {
  return (-Math.log(1 - Math.random()) * 1_000) / perSecond
}

const startMs = performance.now()
const endMs = startMs + durationMs
let nextMs = startMs + gapMs()
const delay = monitorEventLoopDelay({ resolution: TICK_MS })
delay.enable()

function tick(): void {
  const nowMs = performance.now()
  while (nextMs <= nowMs && nextMs < endMs) {
    send({ dueMs: nextMs, request: requests[due++ % requests.length]! })
    nextMs += gapMs()
  }
  const isOver = nowMs >= endMs && (unanswered === 0 || nowMs >= endMs + PATIENCE_MS)
  if (!isOver) {
    setTimeout(tick, TICK_MS)
    return
  }
  for (const connection of all) connection.close()
  const clientDelayMs = delay.percentile(99) / 1e6
  const taken: Taken = { due, admittedMs, refusedMs, clientDelayMs }
  parentPort!.postMessage(taken)
}
tick()
