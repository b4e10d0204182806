import { REPORT_NAMES } from '@aisle/contract'
import { SeededRandom, sendEvents, ServerProcess, ThinClient } from '@aisle/testing'
import { createEventStore } from '../../tools/events/event-store.ts'
import { ReportStore } from '../../tools/events/report-store.ts'
import { textTable } from '../../tools/lib/text-table.ts'

/** How long the reports of a store with a long history take. */
export interface ReportsReport {
  readonly events: number
  /** Sending them, all durable. */
  readonly sentSeconds: number
  readonly rows: readonly ReportTime[]
}

export interface ReportTime {
  readonly name: string
  /** Asked for the first time, and the median of three more; milliseconds. */
  readonly firstMs: number
  readonly againMs: number
}

const PRODUCTS = 10_000
/** Words of the catalog, and as many that it does not have. */
const WORDS = 2_000
const QUERIES = 50_000
const DAYS = 28
const DAY_MS = 86_400_000
const SENT_AT_ONCE = 20_000
/** Four of ten visits type a word that the catalog lacks. */
const MISSES = 0.4

/**
 * Visits of four weeks: searches by Zipf's law, 40 % of them for words that no product has; some of
 * their visitors type another query and click.
 *
 * @param events how many, at least
 */
export async function reportsLevel(events: number): Promise<ReportsReport> {
  await using server = await ServerProcess.start({
    threads: 1,
    environment: { AISLE_LOG_LEVEL: 'warn' },
  })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const store = await createEventStore(server, 'bench')
  const fields = [{ name: 'title', type: 'string', searchable: true }]
  await client.setSchema(store, { mode: 'replace', fields })
  const random = new SeededRandom(1)
  const products = Array.from({ length: PRODUCTS }, (_, i) => ({
    id: `p${i}`,
    title: `${word(random.below(WORDS))} ${word(random.below(WORDS))} ${word(i % WORDS)}`,
  }))
  await client.store(store).importDocuments(products)
  const sentMs = performance.now()
  let sent = 0
  for (let visit = 0; sent < events;) {
    const batch: object[] = []
    while (batch.length < SENT_AT_ONCE && sent + batch.length < events) {
      batch.push(...eventsOf(visit++, random))
    }
    sent += await sendEvents(server.url, store.writeKey, batch)
  }
  const sentSeconds = (performance.now() - sentMs) / 1_000
  const reports = ReportStore.of(server, store)
  // Reads the log to its end.
  await reports.report('overview')
  const rows: ReportTime[] = []
  for (const name of REPORT_NAMES) rows.push(await timed(name, () => reports.report(name)))
  const calls = client.store(store)
  rows.push(await timed('queue of missed searches', () => calls.missedSearches({})))
  const { searches } = await calls.missedSearches({ limit: 3 })
  for (const { query } of searches) {
    rows.push(await timed(`mends of one (${query})`, () => calls.mends(query)))
  }
  return { events: sent, sentSeconds, rows }
}

export function reportsText({ events, sentSeconds, rows }: ReportsReport): string {
  return [
    `${events.toLocaleString('en-US')} events of ${DAYS} days, sent in ${sentSeconds.toFixed(0)} s`,
    textTable([
      ['report', 'first, ms', 'again, ms'],
      ...rows.map(({ name, firstMs, againMs }) => [name, firstMs.toFixed(0), againMs.toFixed(0)]),
    ]),
  ].join('\n')
}

async function timed(name: string, ask: () => Promise<unknown>): Promise<ReportTime> {
  const once = async (): Promise<number> => {
    const startMs = performance.now()
    await ask()
    return performance.now() - startMs
  }
  const firstMs = await once()
  const [, againMs = 0] = [await once(), await once(), await once()].toSorted((a, b) => a - b)
  return { name, firstMs, againMs }
}

/** A search, in some visits another one, and in most of those a click. */
function eventsOf(visit: number, random: SeededRandom): object[] {
  const atMs = Date.now() - random.next() * DAYS * DAY_MS
  const visitor = `v${visit >> 1}`
  const event = (name: string, ms: number, properties: object): object => ({
    type: 'track',
    event: name,
    messageId: `${visit}-${ms}`,
    anonymousId: visitor,
    timestamp: new Date(atMs + ms).toISOString(),
    properties: { session_id: `s${visit}`, ...properties },
  })
  // Zipf's law: the rank is uniform in its logarithm.
  const rank = Math.floor(QUERIES ** random.next())
  const known = `${word(rank % WORDS)} ${word((rank * 7) % WORDS)}`
  const isMiss = random.next() < MISSES
  const query = isMiss ? `un${word(rank % WORDS)} ${rank}` : known
  const all = [event('Search Submitted', 0, { query, num_found: isMiss ? 0 : 20 })]
  const types = isMiss && random.next() < 0.5
  if (types) all.push(event('Search Submitted', 15_000, { query: known, num_found: 20 }))
  if (types || (!isMiss && random.next() < 0.4)) {
    const click = { query: known, object_id: `p${rank % PRODUCTS}`, position: 1 + (visit % 9) }
    all.push(event('Object Clicked', 25_000, click))
  }
  return all
}

/** A pronounceable word for each number. */
function word(index: number): string {
  let rest = index + 400
  let text = ''
  while (rest > 0) {
    text += 'bdfgklmnprstvz'[rest % 14]! + 'aeiou'[Math.floor(rest / 14) % 5]!
    rest = Math.floor(rest / 70)
  }
  return text
}
