import { performance } from 'node:perf_hooks'
import type { BenchCatalog } from './bench-catalog.ts'
import type { BenchSide } from './bench-side.ts'

/** Loading rate of one system. */
export interface LoadRate {
  readonly documents: number
  readonly docsPerSecond: number
}

/** Documents per request, and requests in flight: as in `loadBatches`. */
const BATCH = 500
const IN_FLIGHT = 4
/** Documents per turn. */
const TURN = 10_000
/** The first turn warms up the compilers. */
const TURNS_UNCOUNTED = 1

/**
 * Loads a catalog into several systems in turns, so that other load on the machine affects all
 * alike. A turn ends when its documents are durable on all copies and visible to searches.
 * @returns undefined if there is no system
 */
export async function loadInTurns<Name extends string>(
  catalog: BenchCatalog,
  sides: Readonly<Partial<Record<Name, BenchSide>>>,
  onProgress: (documents: number) => void = () => undefined,
): Promise<Partial<Record<Name, LoadRate>> | undefined> {
  const loads = (Object.entries(sides) as [Name, BenchSide][]).map(([name, side]) => ({
    name,
    side,
    documents: 0,
    tookMs: 0,
  }))
  if (loads.length === 0) return undefined
  let turn = 0
  for await (const lines of batchesOf(catalog.lines(), TURN)) {
    for (const load of loads) {
      const beforeMs = performance.now()
      await bulkInTurn(load.side, lines)
      await load.side.settle?.()
      if (turn < TURNS_UNCOUNTED && catalog.docCount > TURN) continue
      load.tookMs += performance.now() - beforeMs
      load.documents += lines.length
    }
    turn++
    onProgress(lines.length)
  }
  const rates = loads.map(({ name, documents, tookMs }): [Name, LoadRate] => [
    name,
    { documents, docsPerSecond: documents / (tookMs / 1_000) },
  ])
  return Object.fromEntries(rates) as Partial<Record<Name, LoadRate>>
}

/** Sends documents with some requests in flight. */
export async function bulkInTurn(
  side: Pick<BenchSide, 'bulk'>,
  lines: readonly string[],
  size = BATCH,
): Promise<void> {
  let next = 0
  const send = async (): Promise<void> => {
    while (next < lines.length) {
      const batch = lines.slice(next, next + size)
      next += size
      await side.bulk(batch)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, send))
}

export async function* batchesOf(
  lines: AsyncIterable<string>,
  size: number,
): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const line of lines) {
    if (batch.push(line) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
