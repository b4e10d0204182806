import { setTimeout as sleep } from 'node:timers/promises'
import { eventBatch, HttpClient, ServerProcess, writeHeaders } from '@aisle/testing'
import {
  createEventStore,
  logEntries,
  stockEvent,
  type EventStore,
} from '../../tools/events/event-store.ts'
import { ReportStore } from '../../tools/events/report-store.ts'
import { residentBytes } from './machine.ts'
import { processMs } from './processor-time.ts'

/** Events over HTTP, each answered when durable on disk. */
export interface EventsReport {
  readonly eventCount: number
  /** By wall clock; the load generator shares the machine. */
  readonly eventsPerSecond: number
  /** The same for the last half: the first half includes compilation. */
  readonly warmPerSecond: number
  /** Processor time of the whole server, all threads: what one core could sustain. */
  readonly eventsPerCoreSecond: number
  /** The same for the last half. */
  readonly warmPerCoreSecond: number
  readonly answerP50Ms: number
  readonly answerP99Ms: number
  readonly residentBytes: number | undefined
  readonly storedCount: number
  /** Reading and decoding the log from its beginning. */
  readonly readPerSecond: number
  /** Building the reports of the whole log, as after an hour without them: entries per second. */
  readonly reportedPerSecond: number
  /** Searches meanwhile, and on an idle service. */
  readonly searchBusy: Latencies
  readonly searchIdle: Latencies
  /** An overview of everything, with nothing new to read. */
  readonly overviewMs: number
}

const BATCH = 100
const CONNECTIONS = 8

export async function eventsLevel(eventCount: number): Promise<EventsReport> {
  await using server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'warn' },
  })
  using http = new HttpClient(server.url, { connections: CONNECTIONS })
  const store = await createEventStore(server, 'bench')
  const batches = Array.from({ length: Math.ceil(eventCount / BATCH) }, (_, i) => {
    const batch = Array.from({ length: Math.min(BATCH, eventCount - i * BATCH) }, (_unused, j) =>
      stockEvent(`ajs-next-1763740000000-${i}-${j}-5d3c1b8e-0d0a-4a76`, store.writeKey),
    )
    const { body, ...request } = eventBatch(store.writeKey, batch)
    return { ...request, body: Buffer.from(body as string) }
  })
  const latencies: number[] = []
  const now = (): Moment => ({ cpuMs: processMs(server.pid), wallMs: performance.now() })
  const half = Math.floor(batches.length / 2)
  const start = now()
  let middle = start
  let next = 0
  const sender = async (): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) {
      if (next === half + 1) middle = now()
      const sentMs = performance.now()
      const answer = await http.send({ ...batch, headers: { 'content-type': 'text/plain' } })
      if (answer.status !== 200) throw new Error(`/v1/b answered ${answer.status}`)
      latencies.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sender))
  const end = now()
  const all = ratesOf(eventCount, start, end)
  const warm = ratesOf(eventCount - half * BATCH, middle, end)
  latencies.sort((a, b) => a - b)

  const readMs = performance.now()
  let storedCount = 0
  for (const entry of logEntries(store)) if (entry.kind === 'event') storedCount++
  const readPerSecond = (storedCount * 1_000) / (performance.now() - readMs)
  const searchIdle = await searchesDuring(server, store, sleep(1_000))
  const reports = ReportStore.of(server, store)
  const rebuild = reports.call('POST', '/rebuild')
  const searchBusy = await searchesDuring(server, store, rebuild)
  const rebuilt = (await rebuild) as { events: number; took_ms: number }
  await reports.report('overview')
  const overviewStartMs = performance.now()
  await reports.report('overview')
  return {
    reportedPerSecond: (rebuilt.events * 1_000) / rebuilt.took_ms,
    searchBusy,
    searchIdle,
    overviewMs: performance.now() - overviewStartMs,
    eventCount,
    eventsPerSecond: all.wall,
    warmPerSecond: warm.wall,
    eventsPerCoreSecond: all.cpu,
    warmPerCoreSecond: warm.cpu,
    answerP50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    answerP99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    residentBytes: residentBytes(server.pid),
    storedCount,
    readPerSecond,
  }
}

export function eventsText(report: EventsReport): string {
  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  return [
    `${whole(report.eventCount)} events of 900 bytes, batches of ${BATCH}, ${CONNECTIONS} connections, one serving thread`,
    `${whole(report.eventsPerSecond)} events/s durable (${whole(report.warmPerSecond)} in the last half); ${whole(report.eventsPerCoreSecond)} (${whole(report.warmPerCoreSecond)}) per second of processor time`,
    `answer p50 ${report.answerP50Ms.toFixed(1)} ms, p99 ${report.answerP99Ms.toFixed(1)} ms`,
    `stored ${whole(report.storedCount)}; read back ${whole(report.readPerSecond)} events/s`,
    `reports of a backlog ${whole(report.reportedPerSecond)} events/s; overview ${whole(report.overviewMs)} ms`,
    `searches at rest p50 ${report.searchIdle.p50Ms.toFixed(1)} ms, p99 ${report.searchIdle.p99Ms.toFixed(1)} ms; meanwhile p50 ${report.searchBusy.p50Ms.toFixed(1)} ms, p99 ${report.searchBusy.p99Ms.toFixed(1)} ms`,
    `resident ${whole((report.residentBytes ?? 0) / 1e6)} MB`,
  ].join('\n')
}

interface Latencies {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Searches one after another while a task runs. */
async function searchesDuring(
  server: ServerProcess,
  store: EventStore,
  work: Promise<unknown>,
): Promise<Latencies> {
  let isDone = false
  void work.then(
    () => (isDone = true),
    () => (isDone = true),
  )
  const latencies: number[] = []
  const headers = writeHeaders(store)
  while (!isDone) {
    const sentMs = performance.now()
    await (await fetch(`${server.url}/v1/search?q=tent`, { headers })).arrayBuffer()
    latencies.push(performance.now() - sentMs)
  }
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

interface Moment {
  readonly cpuMs: number
  readonly wallMs: number
}

/** Events per second between two moments: by the clock, and by the server's processor time. */
function ratesOf(events: number, from: Moment, to: Moment): { wall: number; cpu: number } {
  return {
    wall: (events * 1_000) / (to.wallMs - from.wallMs),
    cpu: (events * 1_000) / (to.cpuMs - from.cpuMs),
  }
}
