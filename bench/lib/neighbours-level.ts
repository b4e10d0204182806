import { PAGE_RATE_LIMIT_DEFAULT_PER_SECOND, RATE_LIMIT_DEFAULT_PER_SECOND } from '@aisle/contract'
import { ServerProcess, ThinClient } from '@aisle/testing'
import { createEventStore } from '../../tools/events/event-store.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import { BusyProcessors } from './busy-processors.ts'
import { demoBenchCatalog, demoQueryLists } from './demo-bench-catalog.ts'
import {
  ATTACK_FIELDS,
  attackLines,
  attackRequests,
  neighbourRequests,
  type Requests,
} from './neighbours-load.ts'
import { floodRequests, floodRows, type FloodRow } from './neighbours-floods.ts'
import {
  HEAVY_FIELDS,
  heavyLines,
  heavyRows,
  heavySearches,
  type HeavyRow,
} from './neighbours-searches.ts'
import { fillWithValues, valueRows } from './neighbours-values.ts'
import { openLoop, type Outcome, type Stream, type StreamReport } from './open-loop.ts'

/**
 * Latency of each kind of request of one store, alone and while another store does its worst on
 * every shared thread.
 */
export interface NeighboursReport {
  readonly seconds: number
  readonly alone: Readonly<Record<string, StreamReport>>
  readonly beside: Readonly<Record<string, StreamReport>>
  readonly attack: Readonly<Record<string, StreamReport>>
  /** Each kind of its requests beside the same kind of the other store, and nothing else. */
  readonly sameKind: Readonly<Record<string, StreamReport>>
  /** Its searches while one address sends one kind of request on a hundred connections. */
  readonly floods: Readonly<Record<string, FloodRow>>
  /** Its searches beside one kind of heavy search of another store. */
  readonly heavy: Readonly<Record<string, HeavyRow>>
  /**
   * Its searches while as many other threads spin as requests are served by: what heavy searches
   * cost it because they occupy processors, even if it never waited for a turn.
   */
  readonly spinning: StreamReport
}

export interface NeighboursOptions {
  /** Duration of each phase: alone, beside the other store, beside each flood. */
  readonly seconds: number
  readonly threads: number
  /** Documents of the attacking store. */
  readonly attackDocuments?: number
  /** Documents of the store with heavy searches. */
  readonly heavyDocuments?: number
  /** Documents of a store with a value per document. */
  readonly valueDocuments?: number
}

/**
 * Requests per second of the neighbour, and of the attack. A phase of ten seconds has enough of the
 * first three for a p99; of reports and bulks, a store that behaves sends fewer.
 */
const NEIGHBOUR = { search: 40, suggestions: 20, events: 20, reports: 1, bulk: 2 } as const
const ATTACK = { search: 20, events: 20, reports: 10, bulk: 2 } as const
/** Kinds whose work is done by a thread of all stores, after the serving threads. */
const SAME_KIND = ['reports', 'bulk'] as const
const BULK = 500
/** With fewer answers than this, a p99 is one of the two slowest: chance, not a figure. */
const P99_ANSWERS_MIN = 200

export async function neighboursLevel(options: NeighboursOptions): Promise<NeighboursReport> {
  const { seconds, threads, attackDocuments = 12_000 } = options
  const { heavyDocuments = 20_000, valueDocuments = 100_000 } = options
  await using server = await ServerProcess.start({
    threads,
    // The limits of an installation, and its demo shop.
    environment: {
      AISLE_LOG_LEVEL: 'warn',
      AISLE_DEMO: 'true',
      AISLE_RATE_LIMIT: String(RATE_LIMIT_DEFAULT_PER_SECOND),
      AISLE_PAGE_RATE_LIMIT: String(PAGE_RATE_LIMIT_DEFAULT_PER_SECOND),
    },
  })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const [neighbour, attacker] = [
    await createEventStore(server, 'neighbour'),
    await createEventStore(server, 'attacker'),
  ]
  const catalog = demoBenchCatalog()
  const lines = await Array.fromAsync(catalog.lines())
  await client.setSchema(neighbour, { fields: catalog.fields })
  await client.bulk(neighbour, lines)
  await client.setSchema(attacker, { fields: ATTACK_FIELDS })
  const attackDocs = attackLines(attackDocuments)
  for (let i = 0; i < attackDocs.length; i += BULK) {
    await client.bulk(attacker, attackDocs.slice(i, i + BULK))
  }
  const heavy = await createEventStore(server, 'heavy')
  await client.setSchema(heavy, { fields: HEAVY_FIELDS })
  const heavyDocs = heavyLines(heavyDocuments)
  for (let i = 0; i < heavyDocs.length; i += BULK) {
    await client.bulk(heavy, heavyDocs.slice(i, i + BULK))
  }
  const port = Number(new URL(server.url).port)
  const own = streams(
    'neighbour',
    neighbourRequests(neighbour, demoQueryLists().mix, lines),
    NEIGHBOUR,
  )
  const attack = streams(
    'attack',
    attackRequests(attacker, attackDocs, seconds * ATTACK.events * 2),
    ATTACK,
  )
  // Compiles the code in use, and creates the first report.
  await openLoop(port, own, 1_000)
  const alone = await openLoop(port, own, seconds * 1_000)
  // Before the attack, whose merges and reports go on for a while.
  const search = { requests: own[0]!.requests, perSecond: NEIGHBOUR.search }
  const spinning = await besideSpinning(port, { name: 'search', ...search }, options)
  const floods = await floodRows(port, search, floodRequests(neighbour), seconds)
  const searches = await heavyRows(port, search, heavySearches(heavy), seconds)
  const values = await createEventStore(server, 'values')
  await fillWithValues(client, values, valueDocuments)
  const byValues = await valueRows(port, search, values, seconds)
  const both = await openLoop(port, [...own, ...attack], seconds * 1_000)
  const sameKind = await besideSameKind(port, own, attack, seconds)
  return {
    seconds,
    sameKind,
    floods,
    alone: kindsOf('neighbour', alone),
    beside: kindsOf('neighbour', both),
    attack: kindsOf('attack', both),
    heavy: { ...searches, ...byValues },
    spinning,
  }
}

/** After the events of the attack, which make its reports heavy. */
async function besideSameKind(
  port: number,
  own: readonly Stream[],
  attack: readonly Stream[],
  seconds: number,
): Promise<Record<string, StreamReport>> {
  const reports: Record<string, StreamReport> = {}
  for (const kind of SAME_KIND) {
    const both = [...own, ...attack].filter(({ name }) => name.endsWith(` ${kind}`))
    reports[kind] = (await openLoop(port, both, seconds * 1_000))[`neighbour ${kind}`]!
  }
  return reports
}

async function besideSpinning(
  port: number,
  search: Stream,
  { threads, seconds }: NeighboursOptions,
): Promise<StreamReport> {
  await using _ = await BusyProcessors.start(threads)
  const { search: report } = await openLoop(port, [search], seconds * 1_000)
  return report!
}

export function neighboursText(report: NeighboursReport): string {
  const { seconds, alone, beside, attack, sameKind, floods, heavy, spinning } = report
  const row = (kind: string, { admitted, refused, failures }: StreamReport): string[] => {
    const before = alone[kind.split(' ', 1)[0]!]!.admitted
    return [
      kind,
      before.p50Ms.toFixed(1),
      slowest(before),
      admitted.p50Ms.toFixed(1),
      slowest(admitted),
      ...times(before, admitted),
      String(refused.count),
      String(failures),
    ]
  }
  const ofAttack = Object.entries(attack).map(
    ([kind, { admitted, refused, failures }]) =>
      `${kind} ${admitted.count} answered, ${refused.count} refused, ${failures} failed`,
  )
  return [
    textTable([
      ['', 'alone p50', 'p99', 'beside p50', 'p99 ms', ...TIMES, 'refused', 'failed'],
      ...Object.entries(beside).map(([kind, report]) => row(kind, report)),
      ...Object.entries(sameKind).map(([kind, report]) => row(`${kind} beside ${kind}`, report)),
    ]),
    '',
    `the other store, ${seconds} s: ${ofAttack.join('; ')}`,
    '',
    textTable([
      ['search beside', 'p50', 'p99 ms', ...TIMES, 'refused', 'failed', 'flood/s', 'refused/s'],
      ...Object.entries(floods).map(([name, row]) => floodRow(name, alone['search']!, row)),
    ]),
    '',
    textTable([
      ['search beside', 'p50', 'p99 ms', ...TIMES, 'refused', 'failed', 'heavy p50', 'answered'],
      ...Object.entries(heavy).map(([name, row]) => heavyRow(name, alone['search']!, row)),
      [...searchCells('threads that only spin', alone['search']!, spinning), '', ''],
    ]),
  ].join('\n')
}

function floodRow(name: string, alone: StreamReport, { search, flood }: FloodRow): string[] {
  return [
    ...searchCells(name, alone, search),
    flood.answeredPerSecond.toFixed(0),
    flood.refusedPerSecond.toFixed(0),
  ]
}

function heavyRow(name: string, alone: StreamReport, { search, heavy }: HeavyRow): string[] {
  return [
    ...searchCells(name, alone, search),
    heavy.admitted.p50Ms.toFixed(0),
    `${heavy.admitted.count} of ${heavy.requests}`,
  ]
}

/** The searches of the neighbour, compared with those alone. */
function searchCells(name: string, alone: StreamReport, beside: StreamReport): string[] {
  const { admitted, refused, failures } = beside
  return [
    name,
    admitted.p50Ms.toFixed(1),
    slowest(admitted),
    ...times(alone.admitted, admitted),
    String(refused.count),
    String(failures),
  ]
}

const TIMES = ['p50 times', 'p99 times'] as const

/** How many times as long; the second is empty where there are too few answers for a p99. */
function times(alone: Outcome, beside: Outcome): [string, string] {
  const isEnough = Math.min(alone.count, beside.count) >= P99_ANSWERS_MIN
  return [
    (beside.p50Ms / alone.p50Ms).toFixed(2),
    isEnough ? (beside.p99Ms / alone.p99Ms).toFixed(2) : '',
  ]
}

/** The p99, or the maximum of a few answers. */
function slowest({ count, p99Ms, maxMs }: Outcome): string {
  return count >= P99_ANSWERS_MIN ? p99Ms.toFixed(1) : `${maxMs.toFixed(1)} (max of ${count})`
}

function streams(
  owner: string,
  requests: Readonly<Record<string, Requests>>,
  rates: Readonly<Record<string, number>>,
): Stream[] {
  return Object.entries(requests).map(([kind, own]) => ({
    name: `${owner} ${kind}`,
    requests: own,
    perSecond: rates[kind] ?? 1,
  }))
}

function kindsOf(
  owner: string,
  reports: Readonly<Record<string, StreamReport>>,
): Record<string, StreamReport> {
  return Object.fromEntries(
    Object.entries(reports)
      .filter(([name]) => name.startsWith(`${owner} `))
      .map(([name, report]) => [name.slice(owner.length + 1), report]),
  )
}
