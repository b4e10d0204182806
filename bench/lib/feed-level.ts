import type { StoreSchema } from '@aisle/contract'
import { openRows, profileSource, type Source } from '@aisle/import'
import type { SourceReader } from '@aisle/sources'
import { rowBatches } from '../../packages/sources/src/database/row-batches.ts'
import { SourceComparison } from '../../packages/server/src/adapters/sources/source-comparison.ts'
import { FEED_FIELDS, feedOf } from './made-feed.ts'

/** Reading a made feed: what an import does before it sends anything. */
export interface FeedReport {
  readonly products: number
  readonly bytes: number
  /** Processor time of a pass, in seconds. */
  readonly readSeconds: number
  readonly profileSeconds: number
  /** Read, mapped to the fields of a store, and compared with what was written before. */
  readonly compareSeconds: number
  /** What making the feed costs; the passes include it. */
  readonly makeSeconds: number
  /** Heap in use after each quarter of the feed. */
  readonly heapMegabytes: readonly number[]
  readonly residentMegabytesMax: number
}

/** Makes, reads and profiles a feed of about 2 KB per product, which is never kept. */
export async function feedLevel(products: number): Promise<FeedReport> {
  let bytes = 0
  const makeSeconds = await processorSeconds(async () => {
    for await (const piece of feedOf(products)) bytes += piece.length
  })
  const heapMegabytes: number[] = []
  let residentMax = 0
  const quarter = Math.ceil(products / 4)
  const readSeconds = await processorSeconds(async () => {
    const { all } = await openRows(sourceOf(products), { sampleRows: 1 })
    let rows = 0
    for await (const _ of all) {
      rows++
      if (rows % 1_000 === 0) residentMax = Math.max(residentMax, process.memoryUsage.rss())
      if (rows % quarter !== 0 && rows !== products) continue
      globalThis.gc?.()
      heapMegabytes.push(Math.round(process.memoryUsage().heapUsed / 1e6))
    }
    if (rows !== products) throw new Error(`${rows} of ${products} products were read`)
  })
  const profileSeconds = await processorSeconds(async () => {
    const source = { ...sourceOf(products), bytes }
    const options = { listSeparator: '|', idColumn: 'id', encoding: 'utf-8' }
    const { profile } = await profileSource(source, options)
    if (profile.rowCount !== products) throw new Error(`${profile.rowCount} were profiled`)
  })
  const before = await compared(products, [])
  const compareSeconds = await processorSeconds(async () => {
    const { changed } = await compared(products, before.parts)
    if (changed !== 0) throw new Error(`${changed} products of the same feed have changed`)
  })
  const residentMegabytesMax = Math.round(residentMax / 1e6)
  return {
    products,
    bytes,
    readSeconds,
    profileSeconds,
    compareSeconds,
    makeSeconds,
    heapMegabytes,
    residentMegabytesMax,
  }
}

export function feedText(report: FeedReport): string {
  const { products, bytes, makeSeconds, heapMegabytes, residentMegabytesMax } = report
  const rate = (seconds: number): string => {
    return `${Math.round(products / Math.max(0.001, seconds - makeSeconds)).toLocaleString('en-US')} products per second of processor time`
  }
  return `# A product feed of ${products.toLocaleString('en-US')} products, ${Math.round(bytes / 1e6)} MB

Without the time of making it (${makeSeconds.toFixed(1)} s):

- read as documents: ${rate(report.readSeconds)}
- read and profiled, as before an import: ${rate(report.profileSeconds)}
- read and compared, as a source in which nothing has changed: ${rate(report.compareSeconds)}
- heap in use after each quarter: ${heapMegabytes.join(', ')} MB; at most ${residentMegabytesMax} MB resident
`
}

/** @param known what an earlier reading returned */
async function compared(
  products: number,
  known: readonly Uint8Array[],
): Promise<{ readonly changed: number; readonly parts: readonly Uint8Array[] }> {
  const reader: SourceReader = {
    async *readAll() {
      const { all } = await openRows(sourceOf(products), { sampleRows: 1 })
      for await (const batch of rowBatches(all)) yield { kind: 'rows', ...batch }
      yield { kind: 'end', position: undefined }
    },
    async close() {},
  }
  const request = {
    connection: { kind: 'feed', url: 'https://shop.example/feed.xml' },
    secrets: {},
    owner: 'bench',
    mapping: {},
    idColumn: 'id',
    schema: { fields: FEED_FIELDS } as StoreSchema,
  } as const
  const comparison = new SourceComparison(reader, request, new AbortController().signal)
  for (const part of known) await comparison.remember(part, false)
  const parts: Uint8Array[] = []
  let changed = 0
  for (;;) {
    const batch = await comparison.next()
    if (batch.kind !== 'rows') return { changed, parts }
    changed += batch.changed.length
    parts.push(batch.part)
  }
}

async function processorSeconds(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function sourceOf(products: number): Source {
  const open: Source['open'] = () => feedOf(products)
  return { name: 'feed.xml', format: 'xml', bytes: Number.NaN, changedMs: 0, open }
}
