import { setTimeout as sleep } from 'node:timers/promises'
import { HttpClient, ServerProcess, ThinClient, searchRequest } from '@aisle/testing'
import type { HttpRequest, StoreKeys } from '@aisle/testing'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { privateBytes } from './machine.ts'
import { latencyOf, measure, type Latency } from './measure.ts'
import { processMs } from './processor-time.ts'

/** The cost of many small stores in one service. */
export interface StoresReport {
  readonly stores: number
  readonly documentsPerStore: number
  /**
   * Creating a store, setting its schema and loading its documents, four at a time; by parts of the
   * total.
   */
  readonly made: readonly MakingRate[]
  /** Bytes of the process without stores. */
  readonly emptyBytes: number
  /**
   * Mean index size of a store, as reported by the service: after the load, and after a restart.
   */
  readonly indexBytes: { readonly loaded: number; readonly restarted: number }
  /** Private bytes of the process per store beyond its index, at the same moments. */
  readonly beyondIndex: { readonly loaded: number; readonly restarted: number }
  /** Process start to `/health` 200, without stores and with all of them. */
  readonly startMs: { readonly empty: number; readonly full: number }
  /** The first search of a store since the start; the same again; and while others load. */
  readonly first: Latency
  readonly warm: Latency
  readonly whileLoading: Latency
}

/** Rates of creating stores: the first ones equal the last ones if no cost accumulates. */
export interface MakingRate {
  readonly storesPerSecond: number
  /** Processor time of all threads. */
  readonly processorMsPerStore: number
}

export interface StoresOptions {
  readonly stores: number
  readonly documentsPerStore: number
  /** Stores that are searched, each with all queries. */
  readonly searched?: number
  /** Time for merges, index files and garbage collection to finish, before each weighing. */
  readonly settleMs?: number
}

const LOADS_AT_ONCE = 2
const MADE_AT_ONCE = 4
const PARTS = 5
const SETTLE_MS = 8_000

/**
 * Creates stores one after the other, each with another part of the catalog, and searches some of
 * them: after a restart, and during writes to others.
 */
export async function storesLevel(
  catalog: BenchCatalog,
  queries: readonly string[],
  { stores, documentsPerStore, searched = 200, settleMs = SETTLE_MS }: StoresOptions,
): Promise<StoresReport> {
  let server = await ServerProcess.start({ threads: 1 })
  const { dataDir } = server
  let client = clientOf(server)
  try {
    await sleep(settleMs)
    const emptyBytes = privateBytes(server.pid) ?? 0
    const parts = await partsOf(catalog, documentsPerStore)
    const keys: StoreKeys[] = []
    const make = async (numbers: Iterable<number>): Promise<void> => {
      for (const i of numbers) {
        const store = await client.createStore({ name: `Shop ${i}` })
        await client.setSchema(store, { fields: catalog.fields })
        await client.bulk(store, parts[i % parts.length]!)
        keys[i] = store
      }
    }
    const made: MakingRate[] = []
    const partCount = Math.min(PARTS, stores)
    for (let part = 0; part < partCount; part++) {
      const from = Math.floor((stores * part) / partCount)
      const to = Math.floor((stores * (part + 1)) / partCount)
      const [beforeMs, usedMs] = [performance.now(), processMs(server.pid)]
      const numbers = range(from, to)
      await Promise.all(Array.from({ length: MADE_AT_ONCE }, () => make(numbers)))
      made.push({
        storesPerSecond: ((to - from) * 1_000) / (performance.now() - beforeMs),
        processorMsPerStore: (processMs(server.pid) - usedMs) / (to - from),
      })
    }
    await sleep(settleMs)
    const weigh = async (): Promise<{ index: number; beyond: number }> => {
      const index = (await indexBytesOf(client, server)) / stores
      return { index, beyond: ((privateBytes(server.pid) ?? 0) - emptyBytes) / stores - index }
    }
    const loaded = await weigh()

    client.close()
    await server.stop({ keepData: true })
    server = await ServerProcess.start({ threads: 1, dataDir })
    client = clientOf(server)
    await sleep(settleMs)
    const restarted = await weigh()

    const some = keys.slice(0, searched)
    const once = { warmupPasses: 0, passes: 1 }
    const request = (q: string) => (store: StoreKeys) => searchRequest(store, JSON.stringify({ q }))
    const firsts = some.map(request(queries[0] ?? ''))
    const all = some.flatMap((store) => queries.map((q) => request(q)(store)))
    const search = (one: HttpRequest): Promise<void> => succeed(client.http, one)
    const first = await measure(firsts, search, once)
    const warm = await measure(all, search, once)
    const whileLoading = await searchBeside(server, all, async (turn) => {
      const i = searched + (turn % Math.max(1, stores - searched))
      await client.bulk(keys[i % stores]!, parts[(i + 1) % parts.length]!)
    })
    const full = server.startMs

    client.close()
    const bare = await ServerProcess.start({ threads: 1 })
    await bare.stop()
    return {
      stores,
      documentsPerStore,
      made,
      emptyBytes,
      indexBytes: { loaded: loaded.index, restarted: restarted.index },
      beyondIndex: { loaded: loaded.beyond, restarted: restarted.beyond },
      startMs: { empty: bare.startMs, full },
      first,
      warm,
      whileLoading,
    }
  } finally {
    client.close()
    await server.stop()
    ServerProcess.removeData(dataDir)
  }
}

export function storesText(report: StoresReport): string {
  const { beyondIndex, startMs, indexBytes, emptyBytes, made } = report
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(0)} KB`
  const row = (name: string, { queries, p50, p99 }: Latency): string[] => [
    name,
    String(queries),
    p50.toFixed(2),
    p99.toFixed(2),
  ]
  return [
    `${report.stores} stores of ${report.documentsPerStore} documents, one serving thread`,
    `made: ${listOf(made.map((rate) => rate.storesPerSecond))} stores/s, ${listOf(made.map((rate) => rate.processorMsPerStore))} ms of processor time a store, from the first ones to the last`,
    `index of a store: ${kb(indexBytes.loaded)} after the load, ${kb(indexBytes.restarted)} after a restart`,
    `memory beyond it: ${kb(beyondIndex.loaded)} and ${kb(beyondIndex.restarted)} (process without stores: ${(emptyBytes / 1e6).toFixed(0)} MB)`,
    `start: ${startMs.full.toFixed(0)} ms, without stores ${startMs.empty.toFixed(0)} ms`,
    textTable([
      ['search', 'requests', 'p50', 'p99 ms'],
      row('first of a store', report.first),
      row('next', report.warm),
      row('while others load', report.whileLoading),
    ]),
  ].join('\n')
}

function* range(from: number, to: number): Iterable<number> {
  for (let i = from; i < to; i++) yield i
}

function listOf(numbers: readonly number[]): string {
  return numbers.map((number) => number.toFixed(1)).join(', ')
}

/** Searches one after the other while loads of other stores run, until all were sent once. */
async function searchBeside(
  server: ServerProcess,
  requests: readonly HttpRequest[],
  load: (turn: number) => Promise<void>,
): Promise<Latency> {
  const searcher = new HttpClient(server.url, { connections: 1 })
  let isOver = false
  let turn = 0
  const loads = Array.from({ length: LOADS_AT_ONCE }, async () => {
    while (!isOver) await load(turn++)
  })
  try {
    const took: number[] = []
    for (const request of requests) {
      const beforeMs = performance.now()
      await succeed(searcher, request)
      took.push(performance.now() - beforeMs)
    }
    return latencyOf(took)
  } finally {
    isOver = true
    await Promise.all(loads)
    searcher.close()
  }
}

/** Documents of one store each, as lines. */
async function partsOf(catalog: BenchCatalog, size: number): Promise<string[][]> {
  const lines = await Array.fromAsync(catalog.lines())
  const count = Math.max(1, Math.floor(lines.length / size))
  return Array.from({ length: count }, (_, i) => lines.slice(i * size, (i + 1) * size))
}

function clientOf(server: ServerProcess): ThinClient {
  return new ThinClient(server.url, { adminToken: server.adminToken })
}

async function indexBytesOf(client: ThinClient, server: ServerProcess): Promise<number> {
  const headers = { authorization: `Bearer ${server.adminToken}` }
  const answer = await client.http.send({ method: 'GET', path: '/api/v1/admin/stores', headers })
  const { stores } = JSON.parse(answer.body.toString('utf8')) as {
    stores: { index_bytes: number }[]
  }
  return stores.reduce((sum, { index_bytes }) => sum + index_bytes, 0)
}

async function succeed(client: HttpClient, request: HttpRequest): Promise<void> {
  const { status, body } = await client.send(request)
  if (status !== 200) throw new Error(`A search answered ${status}: ${body.toString('utf8')}`)
}
