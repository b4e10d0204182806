import { count } from '../../tools/lib/progress.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { EngineReport } from './engine-level.ts'
import type { HttpReport, Throughput } from './http-level.ts'
import type { Machine } from './machine.ts'
import type { Latency } from './measure.ts'
import { pathText, type PathReport } from './path-level.ts'
import { QUERY_CLASSES, type ClassGoal, type QueryClassName } from './query-classes.ts'
import type { RivalReport } from '../rivals/rival.ts'
import type { SqliteReport } from './sqlite-level.ts'

/** All measurements of one run. The JSON output is this object. */
export interface BenchReport {
  readonly machine: Machine
  readonly catalog: { readonly name: string; readonly docCount: number }
  readonly engine?: EngineReport
  readonly http?: HttpReport
  readonly sqlite?: SqliteReport
  readonly rivals?: readonly RivalReport[]
  readonly path?: PathReport
}

/** Smaller sections are left out of the report. */
const SECTION_BYTES_MIN = 0.1

/** Goals of other figures than latencies of a class, for 1M documents on one core. */
const MUST = {
  docsPerSecond: 15_000,
  bytesPerDocument: 450,
  coldStartMs: 2_000,
  requestsPerSecond: 1_700,
  requestsPerSecondWithFacets: 700,
  loadingRatio: 3,
  writeToVisibleMs: 50,
} as const

/** Renders the report as Markdown, for a terminal and for a page in `bench/results/`. */
export function reportText(report: BenchReport): string {
  const { machine, catalog } = report
  const parts = [
    machineText(machine, catalog),
    ...(report.path === undefined ? [] : [pathText(report.path)]),
    ...(hasLatencies(report) ? latencyParts(report) : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The catalog, commit, date and machine, in a sentence. */
export function machineText(
  machine: Machine,
  catalog: { readonly name: string; readonly docCount: number },
): string {
  return (
    `${count(catalog.docCount)} documents of ${catalog.name}; commit ${machine.commit}${machine.dirty ? ' with changes' : ''}, ` +
    `${machine.date}; ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}, load ${machine.load}.`
  )
}

function hasLatencies({ engine, http, sqlite, rivals }: BenchReport): boolean {
  return [engine, http, sqlite, rivals].some((level) => level !== undefined)
}

function latencyParts(report: BenchReport): string[] {
  return [
    'Latencies are p50 / p99 in ms after two warm-up passes. "best": each query by the best of its passes; "all": every run. ' +
      'Goals are for 1M documents on one core.',
    `## Latency\n\n${latencyTable(report)}`,
    ...(report.rivals === undefined ? [] : [rivalsPart(report)]),
    `## Other figures\n\n${otherTable(report)}`,
    ...(report.engine === undefined ? [] : [sectionsPart(report.engine)]),
  ]
}

function latencyTable({ engine, http, sqlite }: BenchReport): string {
  const names = Object.keys(QUERY_CLASSES) as QueryClassName[]
  const rows = names
    .filter((name) => [engine, http, sqlite].some((level) => level?.classes[name] !== undefined))
    .map((name) => {
      const goal: ClassGoal = QUERY_CLASSES[name]
      const measured = engine?.classes[name]
      return [
        goal.title,
        best(measured),
        pair(goal.must),
        verdict(measured, goal.must),
        all(measured),
        ...(engine?.without === undefined ? [] : [best(engine.without.classes[name])]),
        best(http?.classes[name]),
        all(http?.classes[name]),
        best(sqlite?.classes[name]),
      ]
    })
  const heading = [
    'class',
    'engine best',
    'must',
    'met',
    'engine all',
    ...(engine?.without === undefined ? [] : [`best without ${engine.without.parts.join(', ')}`]),
    'HTTP best',
    'HTTP all',
    'SQLite FTS5 best',
  ]
  return textTable([heading, ...rows])
}

/** Rivals of this run, one after the other on one machine, as multiples of Aisle. */
function rivalsPart({ engine, http, sqlite, rivals = [] }: BenchReport): string {
  const others: readonly Omit<RivalReport, 'failed'>[] = [
    ...(sqlite === undefined ? [] : [{ title: 'SQLite FTS5, in process', ...sqlite }]),
    ...rivals.filter(({ failed }) => failed === undefined),
  ]
  const withHttp = http !== undefined && others.some(({ overHttp }) => overHttp)
  const rows = (Object.keys(QUERY_CLASSES) as QueryClassName[])
    .filter((name) => others.some(({ classes }) => classes[name] !== undefined))
    .map((name) => {
      const ours = engine?.classes[name]
      const oursOverHttp = http?.classes[name]
      const cells = others.map(
        ({ overHttp, classes }) =>
          best(classes[name]) + ratio(classes[name], overHttp ? (oursOverHttp ?? ours) : ours),
      )
      const httpCells = withHttp ? [best(oursOverHttp)] : []
      return [QUERY_CLASSES[name].title, best(ours), ...httpCells, ...cells]
    })
  const documents = others.map(({ docsPerSecond }) => cell(docsPerSecond))
  const bytes = others.map((other) => cell(other.bytesPerDocument))
  const overHttp = withHttp ? ['Aisle, over HTTP'] : []
  const none = overHttp.map(() => '')
  const rates = others.map(({ requestsPerSecond }) => cell(requestsPerSecond))
  const ownRate = overHttp.map(() => cell(http?.throughput.requestsPerSecond))
  const table = textTable([
    ['class', 'Aisle, in process', ...overHttp, ...others.map(({ title }) => title)],
    ...rows,
    [
      'documents indexed per second of processor',
      cell(engine?.docsPerSecond),
      ...none,
      ...documents,
    ],
    [
      'bytes per document (of a server: with the document)',
      cell(engine?.bytesPerDocument),
      ...none,
      ...bytes,
    ],
    ['requests/s of the mix, 16 connections', '', ...ownRate, ...rates],
  ])
  const failures = rivals
    .filter(({ failed }) => failed !== undefined)
    .map(({ title, failed }) => `- ${title}: ${failed}`)
  return [
    '## Rivals in the same run',
    'Top ten and exact count of the same queries on the same documents, each in a separate process; best p50 / p99 in ms at one connection, ' +
      'with documents and highlights over HTTP, ' +
      'in brackets as a multiple of Aisle (over HTTP for rivals over HTTP, if both were measured). ' +
      'Unsupported classes of a rival are empty.',
    table,
    ...(failures.length === 0 ? [] : [failures.join('\n')]),
  ].join('\n\n')
}

/** The bytes of the index by section. */
function sectionsPart({ sections }: EngineReport): string {
  const rows = sections
    .filter(([, bytes]) => bytes >= SECTION_BYTES_MIN)
    .map(([name, bytes]) => [name, bytes.toFixed(1)])
  return `## Bytes by section\n\n${textTable([['section', 'bytes per document'], ...rows])}`
}

function cell(value: number | undefined): string {
  return value === undefined ? '' : count(value)
}

function ratio(theirs: Latency | undefined, ours: Latency | undefined): string {
  if (theirs === undefined || ours === undefined) return ''
  const times = (a: number, b: number): string => (a / b < 10 ? (a / b).toFixed(1) : count(a / b))
  const tail = times(theirs.bestP99, ours.bestP99)
  return ` (${times(theirs.bestP50, ours.bestP50)}x / ${tail}x)`
}

function otherTable({ engine, http, sqlite }: BenchReport): string {
  const rows: string[][] = []
  const row = (name: string, value: string, must = '', met = ''): void => {
    rows.push([name, value, must, met])
  }
  if (engine !== undefined) {
    row('engine', engine.name)
    const { docsPerSecond } = engine
    row(
      'engine: index of text and columns, documents/s, one thread',
      docsPerSecond === undefined ? 'kept from an earlier run' : count(docsPerSecond),
    )
    row(
      'engine: bytes of index per document',
      count(engine.bytesPerDocument),
      `<= ${MUST.bytesPerDocument}`,
      yes(engine.bytesPerDocument <= MUST.bytesPerDocument),
    )
    row('engine: segments', String(engine.segmentCount))
    if (engine.coldStartMs !== undefined) {
      row(
        'engine: open from files, ms',
        count(engine.coldStartMs),
        `<= ${MUST.coldStartMs}`,
        yes(engine.coldStartMs <= MUST.coldStartMs),
      )
    }
  }
  if (http !== undefined) for (const cells of httpRows(http)) rows.push(cells)
  if (sqlite !== undefined) {
    row('SQLite FTS5: documents/s, in memory', count(sqlite.docsPerSecond))
    row('SQLite FTS5: bytes per document', count(sqlite.bytesPerDocument))
  }
  return textTable([['figure', 'measured', 'must', 'met'], ...rows])
}

function httpRows(http: HttpReport): string[][] {
  const { throughput, throughputWithFacets, duringLoad, writeToVisible } = http
  const rate = ({ requestsPerSecond, connections, latency }: Throughput): string =>
    `${count(requestsPerSecond)} (${connections} connections, ${all(latency)} ms)`
  return [
    [
      'HTTP: bulk, durable and searchable, documents/s',
      count(http.docsPerSecond),
      `>= ${count(MUST.docsPerSecond)}`,
      yes(http.docsPerSecond >= MUST.docsPerSecond),
    ],
    [
      'HTTP: requests/s, real 2-4-word mix, 10 documents, highlights, one thread',
      rate(throughput),
      `>= ${count(MUST.requestsPerSecond)}`,
      yes(throughput.requestsPerSecond >= MUST.requestsPerSecond),
    ],
    [
      'HTTP: the same with a price range and 3 facets',
      rate(throughputWithFacets),
      `>= ${count(MUST.requestsPerSecondWithFacets)}`,
      yes(throughputWithFacets.requestsPerSecond >= MUST.requestsPerSecondWithFacets),
    ],
    [
      'HTTP: search p99 while loading, against idle',
      `${duringLoad.ratio.toFixed(1)}x (${ms(duringLoad.loading.p99)} against ${ms(duringLoad.idle.p99)} ms, ${duringLoad.loading.queries} searches)`,
      `<= ${MUST.loadingRatio}x`,
      // A p99 of fewer runs is meaningless.
      duringLoad.loading.queries < 100 ? '' : yes(duringLoad.ratio <= MUST.loadingRatio),
    ],
    [
      'HTTP: write sent to found by search, p50 / p99, ms',
      all(writeToVisible),
      `p99 <= ${MUST.writeToVisibleMs}`,
      yes(writeToVisible.p99 <= MUST.writeToVisibleMs),
    ],
    [
      'HTTP: process start to /health 200, ms',
      count(http.coldStartMs),
      `<= ${count(MUST.coldStartMs)}`,
      yes(http.coldStartMs <= MUST.coldStartMs),
    ],
    ...(http.residentBytesPerDocument === undefined
      ? []
      : [
          [
            'HTTP: resident memory of the process per document, bytes',
            count(http.residentBytesPerDocument),
            '',
            '',
          ],
        ]),
  ]
}

function best(latency: Latency | undefined): string {
  return latency === undefined ? '' : `${ms(latency.bestP50)} / ${ms(latency.bestP99)}`
}

function all(latency: Latency | undefined): string {
  return latency === undefined ? '' : `${ms(latency.p50)} / ${ms(latency.p99)}`
}

function pair(values: readonly [p50: number, p99?: number] | undefined): string {
  return values === undefined ? '' : values.join(' / ')
}

/** By how much a goal is missed matters more than that it is. */
function verdict(latency: Latency | undefined, must: ClassGoal['must']): string {
  if (latency === undefined || must === undefined) return ''
  const [p50, p99 = Infinity] = must
  const factor = Math.max(latency.bestP50 / p50, latency.bestP99 / p99)
  return factor <= 1 ? 'yes' : `no, ${factor.toFixed(1)}x`
}

function yes(met: boolean): string {
  return met ? 'yes' : 'no'
}

/** Milliseconds with the significant digits. */
function ms(value: number): string {
  return value < 1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(1)
}
