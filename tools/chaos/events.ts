import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { REPORT_NAMES } from '@aisle/contract'
import { ServerProcess, ThinClient, seededRandom } from '@aisle/testing'
import { createEventStore, logEntries, type EventStore } from '../events/event-store.ts'
import { ReportStore } from '../events/report-store.ts'
import { EventHistory, QUERIES } from './event-history.ts'
import { EventQueue, sendEvents } from './event-senders.ts'

export interface EventChaosOptions {
  /** A multiple of five. */
  readonly events: number
  readonly seed: number
  readonly threads?: number
  /** Maximum number; by default, until everything is sent. */
  readonly killsMax?: number
  /** Events acknowledged between two kills: a time may end after the last event of a fast run. */
  readonly killAfterEvents: readonly [number, number]
  readonly onProgress?: (report: EventChaosReport) => void
}

export interface EventChaosReport {
  kills: number
  /** Sent events, including repetitions. */
  sent: number
  acknowledged: number
  /** Duration of sending, including restarts. */
  seconds: number
  /** Longest time from the start of the process to the first 200 of `/health`. */
  startMsMax: number
  /** Checked steps with their durations. */
  readonly steps: { readonly name: string; readonly seconds: number }[]
  readonly problems: string[]
}

const DAY_MS = 86_400_000
/** Results derived from the log must catch up within this time, plus this per event. */
const PATIENCE_MS = 30_000
const PATIENCE_PER_EVENT_MS = 0.2
const POLL_MS = 250
/** The last bursts of the log end after this time, and suggestions are derived from them. */
const SETTLED_MS = 8_000

/**
 * Sends a history with known figures: some events repeatedly, all out of order, with kills in
 * between. Then the log must have each event once, and derived results must have the known figures:
 * as they grew, rebuilt by command, and after their files were removed or damaged.
 */
export async function runEventChaos(options: EventChaosOptions): Promise<EventChaosReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'aisle-events-'))
  const report: EventChaosReport = {
    kills: 0,
    sent: 0,
    acknowledged: 0,
    seconds: 0,
    startMsMax: 0,
    steps: [],
    problems: [],
  }
  const run = new EventChaos(dataDir, options, report)
  try {
    await run.run()
  } finally {
    await run.close()
    if (report.problems.length === 0) rmSync(dataDir, { recursive: true, force: true })
    else report.problems.push(`data folder kept: ${dataDir}`)
  }
  return report
}

class EventChaos {
  readonly #dataDir: string
  readonly #options: EventChaosOptions
  readonly #report: EventChaosReport
  readonly #history: EventHistory
  #server: ServerProcess | undefined

  constructor(dataDir: string, options: EventChaosOptions, report: EventChaosReport) {
    this.#dataDir = dataDir
    this.#options = options
    this.#report = report
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    this.#history = new EventHistory(options.events, today)
  }

  async run(): Promise<void> {
    const server = await this.#start()
    const store = await createEventStore(server, 'shop')
    await fillCatalog(server, store)
    await this.#send(store)
    await this.#step('the log has every event once', () => this.#checkLog(store))

    const grown = await this.#step('reports as they grew', () => this.#checkReports(store))
    const suggested = await this.#step('suggestions as they grew', () => this.#settled(store))
    if (!JSON.stringify(suggested).includes(`"${QUERIES[0]}"`)) {
      this.#report.problems.push(`"${QUERIES[0]}" is not suggested`)
    }
    await this.#step('reports rebuilt by command', async () => {
      await reportsOf(this.#running, store).call('POST', '/rebuild')
      this.#compare('reports', await this.#reports(store), grown)
    })
    for (const [how, spoil] of SPOILERS) {
      await this.#step(`reports and suggestions after their files were ${how}`, async () => {
        await this.close()
        spoil(join(this.#dataDir, 'reports'))
        spoil(join(this.#dataDir, 'suggestions'))
        await this.#start()
        this.#compare('reports', await this.#reports(store), grown)
        this.#compare('suggestions', await this.#settled(store, suggested), suggested)
      })
    }
    await this.#step('the log is unchanged', () => this.#checkLog(store))
  }

  async close(): Promise<void> {
    await this.#server?.stop({ keepData: true })
    this.#server = undefined
  }

  get #running(): ServerProcess {
    if (this.#server === undefined) throw new Error('The server is not running')
    return this.#server
  }

  async #start(): Promise<ServerProcess> {
    this.#server = await ServerProcess.start({
      dataDir: this.#dataDir,
      threads: this.#options.threads ?? 2,
      environment: { AISLE_LOG_LEVEL: 'fatal' },
    })
    this.#report.startMsMax = Math.max(this.#report.startMsMax, this.#server.startMs)
    return this.#server
  }

  async #step<T>(name: string, check: () => Promise<T>): Promise<T> {
    const startMs = performance.now()
    const result = await check()
    this.#report.steps.push({ name, seconds: (performance.now() - startMs) / 1_000 })
    this.#options.onProgress?.(this.#report)
    return result
  }

  async #send(store: EventStore): Promise<void> {
    const { events, seed, killAfterEvents, killsMax = Infinity, onProgress } = this.#options
    const report = this.#report
    const random = seededRandom(seed)
    const queue = new EventQueue(events, random)
    const startMs = performance.now()
    while (queue.acknowledgedCount < events && report.problems.length === 0) {
      const sending = sendEvents(this.#running.url, store.writeKey, this.#history, queue)
      const [least, most] = killAfterEvents
      const done = new AbortController()
      const target = queue.acknowledgedCount + least + random() * (most - least)
      const kill = acknowledged(queue, target, done.signal)
      const first = await Promise.race(report.kills < killsMax ? [sending, kill] : [sending])
      if (first === 'kill') {
        process.kill(this.#running.pid, 'SIGKILL')
        report.kills++
      }
      done.abort()
      report.problems.push(...(await sending))
      if (first === 'kill') {
        await this.close()
        await this.#start()
      }
      report.sent = queue.sentCount
      report.acknowledged = queue.acknowledgedCount
      report.seconds = (performance.now() - startMs) / 1_000
      onProgress?.(report)
    }
  }

  /** Every event was acknowledged in the end: each must be in the log exactly once. */
  async #checkLog(store: EventStore): Promise<void> {
    const found = new Uint8Array(this.#history.eventCount)
    for (const entry of logEntries(store)) {
      if (entry.kind !== 'event' || entry.source === 'server') continue
      const number = EventHistory.numberOf(entry.messageId)
      found[number] = Math.min(255, found[number]! + 1)
    }
    const lost = found.filter((times) => times === 0).length
    const repeated = found.filter((times) => times > 1).length
    if (lost > 0) this.#report.problems.push(`${lost} acknowledged events are not in the log`)
    if (repeated > 0) this.#report.problems.push(`${repeated} events are in the log repeatedly`)
  }

  /** Compares the reports with the known figures. @returns all reports */
  async #checkReports(store: EventStore): Promise<unknown> {
    const { figures, period } = this.#history
    const reports = reportsOf(this.#running, store)
    const { totals } = await reports.report('overview', period)
    const { searches, sessions, users, clicks, orders, revenue } = totals
    const { searchesByQuery, eventsByName, ...expected } = figures
    this.#compare('overview', { searches, sessions, users, clicks, orders, revenue }, expected)
    const queries = await reports.report('top-queries', { ...period, limit: '1000' })
    this.#compare(
      'searches by query',
      Object.fromEntries(queries.rows.map((row) => [String(row.query), row.searches])),
      searchesByQuery,
    )
    const now = Date.now()
    const arrived = await reports.report('events', {
      from: new Date(now - 2 * DAY_MS).toISOString(),
      to: new Date(now + DAY_MS).toISOString(),
    })
    const accepted = arrived.rows.filter(({ verdict }) => verdict === 'accepted')
    this.#compare(
      'events by name',
      Object.fromEntries(accepted.map((row) => [row.event, row.count])),
      eventsByName,
    )
    return await this.#reports(store)
  }

  async #reports(store: EventStore): Promise<unknown> {
    const reports = reportsOf(this.#running, store)
    const made: Record<string, unknown> = {}
    for (const name of REPORT_NAMES) made[name] = await reports.report(name, this.#history.period)
    return made
  }

  /** Suggestions once they have caught up: as expected, or unchanged for a while. */
  async #settled(store: EventStore, expected?: unknown): Promise<unknown> {
    const patienceMs = PATIENCE_MS + this.#history.eventCount * PATIENCE_PER_EVENT_MS
    const untilMs = performance.now() + patienceMs
    for (let last: unknown; ;) {
      const answers = await suggestionsOf(this.#running, store)
      if (expected !== undefined && isDeepStrictEqual(answers, expected)) return answers
      const isSettled = expected === undefined && isDeepStrictEqual(answers, last)
      if (isSettled || performance.now() > untilMs) return answers
      last = answers
      await sleep(expected === undefined ? SETTLED_MS : POLL_MS)
    }
  }

  #compare(what: string, found: unknown, expected: unknown): void {
    if (isDeepStrictEqual(found, expected)) return
    const show = (value: unknown): string => JSON.stringify(value).slice(0, 400)
    this.#report.problems.push(`${what}: ${show(found)} instead of ${show(expected)}`)
  }
}

type Spoil = (folder: string) => void

function ofFiles(spoilFile: (path: string) => void): Spoil {
  return (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile()) spoilFile(join(folder, entry.name))
    }
  }
}

const SPOILERS: readonly (readonly [string, Spoil])[] = [
  ['damaged', ofFiles((path) => writeFileSync(path, 'damaged'))],
  ['removed', ofFiles((path) => rmSync(path))],
]

function reportsOf(server: ServerProcess, store: EventStore): ReportStore {
  return ReportStore.of(server, store)
}

/** Products that the queries find: queries without results are never suggested. */
async function fillCatalog(server: ServerProcess, store: EventStore): Promise<void> {
  const client = new ThinClient(server.url, { adminToken: server.adminToken })
  await client.setSchema(store, {
    fields: [{ name: 'title', type: 'string', searchable: true }],
  })
  const documents = QUERIES.map((title, i) => JSON.stringify({ id: `product-${i}`, title }))
  await client.bulk(store, documents)
  client.close()
}

/** The suggestions for the prefixes of all queries, with their popularity. */
async function suggestionsOf(
  server: ServerProcess,
  store: EventStore,
): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {}
  const typed = [
    '',
    ...new Set(QUERIES.flatMap((query) => [query.slice(0, 2), query.slice(0, -2)])),
  ]
  for (const q of typed) {
    const url = `${server.url}/v1/suggestions/queries?${new URLSearchParams({ q }).toString()}`
    const answer = await fetch(url, {
      headers: { 'x-storeid': store.id, 'x-storesecret': store.readSecret },
    })
    const body: unknown = await answer.json()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(body)}`)
    answers[q] = withoutTimes(body)
  }
  return answers
}

/** An answer without its duration. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    /(_ms|TimeMS|request_id)$/.test(key) ? undefined : inner,
  )
}

/** Waits until `count` events are acknowledged, or for the signal. */
async function acknowledged(
  queue: EventQueue,
  count: number,
  signal: AbortSignal,
): Promise<'kill'> {
  while (queue.acknowledgedCount < count && !signal.aborted) await sleep(1)
  return 'kill'
}
