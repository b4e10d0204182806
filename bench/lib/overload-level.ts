import { ServerProcess, ThinClient, type StoreKeys } from '@aisle/testing'
import { loadBatches } from '../../tools/lib/bulk-load.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { residentBytes } from './machine.ts'
import { openLoop, type Stream, type StreamReport } from './open-loop.ts'
import { BENCH_FACETS } from './query-classes.ts'
import { rawSearch } from './raw-request.ts'
import { textTable } from '../../tools/lib/text-table.ts'

/**
 * The effect of more requests than can be served on a service, and of one store's flood on another
 * store.
 */
export interface OverloadReport {
  /** Maximum searches per second of one serving thread. */
  readonly peakPerSecond: number
  /** At half of the peak. */
  readonly normal: StreamReport
  /** At ten times the peak. */
  readonly overload: StreamReport
  /** Another store at a tenth of the peak: alone, and beside the flood. */
  readonly neighbourAlone: StreamReport
  readonly neighbourBeside: StreamReport
  readonly residentBefore: number
  readonly residentDuring: number
}

const OVERLOAD = 10
const LADDER_STEP = 1.4
const FIRST_PER_SECOND = 150

export async function overloadLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  options: { readonly seconds: number; readonly threads: number },
): Promise<OverloadReport> {
  const { seconds, threads } = options
  await using server = await ServerProcess.start({
    threads,
    environment: { AISLE_LOG_LEVEL: 'info' },
  })
  using client = new ThinClient(server.url, { adminToken: server.adminToken })
  const port = Number(new URL(server.url).port)
  const [requestsA, requestsB] = [
    requestsOf(await filledStore(client, catalog, 'a'), queries),
    requestsOf(await filledStore(client, catalog, 'b'), queries),
  ]
  const a = (perSecond: number): Stream => ({ name: 'a', requests: requestsA, perSecond })
  const b = (perSecond: number): Stream => ({ name: 'b', requests: requestsB, perSecond })
  const run = async (...streams: Stream[]) => await openLoop(port, streams, seconds * 1_000)

  // Compiles the code in use.
  await run(a(FIRST_PER_SECOND))
  const peakPerSecond = await peakOf((perSecond) => openLoop(port, [a(perSecond)], 2_000))
  const { a: normal } = await run(a(peakPerSecond / 2))
  const { b: neighbourAlone } = await run(b(peakPerSecond / 10))
  const residentBefore = residentBytes(server.pid) ?? 0
  let residentDuring = 0
  const watch = setInterval(() => {
    residentDuring = Math.max(residentDuring, residentBytes(server.pid) ?? 0)
  }, 250)
  const { a: overload } = await run(a(peakPerSecond * OVERLOAD))
  clearInterval(watch)
  const { b: neighbourBeside } = await run(a(peakPerSecond * OVERLOAD), b(peakPerSecond / 10))
  return {
    peakPerSecond,
    normal: normal!,
    overload: overload!,
    neighbourAlone: neighbourAlone!,
    neighbourBeside: neighbourBeside!,
    residentBefore,
    residentDuring,
  }
}

/** Raises the rate until requests are refused or answers fall behind. */
async function peakOf(
  run: (perSecond: number) => Promise<Record<string, StreamReport>>,
): Promise<number> {
  let best = 0
  for (let perSecond = FIRST_PER_SECOND; perSecond < 100_000; perSecond *= LADDER_STEP) {
    const { a } = await run(perSecond)
    best = Math.max(best, a!.admitted.perSecond)
    if (a!.admitted.perSecond < perSecond * 0.85) break
  }
  return best
}

async function filledStore(
  client: ThinClient,
  catalog: BenchCatalog,
  id: string,
): Promise<StoreKeys> {
  const keys = await client.createStore({ name: id, id })
  await client.setSchema(keys, { fields: catalog.fields })
  const { failedCount } = await loadBatches(client, keys, catalog.lines())
  if (failedCount > 0) throw new Error(`${failedCount} documents failed`)
  return keys
}

function requestsOf(keys: StoreKeys, queries: readonly string[]): Buffer[] {
  const filters = { price: { gte: 50, lte: 2_000 } }
  return queries.map((q) => rawSearch(keys, { q, filters, facet_by: BENCH_FACETS }))
}

export function overloadText(report: OverloadReport): string {
  const { overload, normal, neighbourAlone, neighbourBeside } = report
  const line = (
    name: string,
    { requests, admitted, refused, failures, clientDelayMs }: StreamReport,
  ) => [
    name,
    String(requests),
    admitted.perSecond.toFixed(0),
    admitted.p50Ms.toFixed(1),
    admitted.p99Ms.toFixed(1),
    String(refused.count),
    refused.count === 0 ? '' : refused.p50Ms.toFixed(1),
    refused.count === 0 ? '' : refused.p99Ms.toFixed(1),
    String(failures),
    clientDelayMs.toFixed(1),
  ]
  const ratio = (value: number): string => value.toFixed(2)
  return [
    textTable([
      [
        '',
        'due',
        'answered/s',
        'p50 ms',
        'p99 ms',
        'refused',
        'refusal p50',
        'p99 ms',
        'failed',
        'of the client, p99 ms',
      ],
      line('half of the peak', normal),
      line('10 times the peak', overload),
      line('neighbour alone', neighbourAlone),
      line('neighbour of a flood', neighbourBeside),
    ]),
    '',
    `peak ${report.peakPerSecond.toFixed(0)} searches/s; at ten times that ${ratio(overload.admitted.perSecond / report.peakPerSecond)} of it`,
    `p99 of the neighbour times ${ratio(neighbourBeside.admitted.p99Ms / neighbourAlone.admitted.p99Ms)}`,
    `memory ${ratio(report.residentDuring / report.residentBefore)} times its initial value (${(report.residentBefore / 1e6).toFixed(0)} MB)`,
  ].join('\n')
}
