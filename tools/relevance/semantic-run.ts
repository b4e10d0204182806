import { setTimeout as sleep } from 'node:timers/promises'
import type { StoreEmbedding } from '@aisle/contract'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { pairedBootstrap, type PairedDifference } from '../lib/bootstrap.ts'
import { mean, quantile } from '../lib/metrics.ts'
import { Progress } from '../lib/progress.ts'
import { textTable } from '../lib/text-table.ts'
import { runQueries, type QueryResult, type RunOptions } from './run-queries.ts'
import type { JudgedQuery } from './judged-set.ts'

/** Searches by words and meaning beside the same by words alone, in one store. */
export interface SemanticReport {
  readonly name: string
  readonly queries: number
  /** Products a second, on the machine as it was. */
  readonly embeddedPerSecond: number
  readonly ndcg: Compared
  /** NDCG@10 of the judged documents only: new ones that nobody judged do not count as wrong. */
  readonly condensed: Compared
  readonly recall: Compared
  /** Grades of the first five, as a share of the best possible. */
  readonly firstFive: Compared
  /** Queries whose first hit is good, by words and by both. */
  readonly goodFirst: readonly [number, number]
  /** Milliseconds of an answer at the median, by words and by both, with cached vectors. */
  readonly medianMs: readonly [number, number]
  /** Answers that had no vector in time. */
  readonly skipped: number
}

interface Compared {
  readonly words: number
  readonly both: number
  readonly difference: PairedDifference
  /** How many queries have a higher figure with both, and a lower one. */
  readonly better: number
  readonly worse: number
}

/** The setting `semantic` that is measured; `embedder` among it. */
export type SemanticSetting = Readonly<Record<string, unknown>>

const LOOK_MS = 500
const START_MAX_MS = 30_000

/**
 * Embeds the documents of a loaded store, then runs each query by words and by both.
 *
 * @param options parameters of every search
 */
export async function measureSemantic(
  client: ThinClient,
  keys: StoreKeys,
  name: string,
  queries: readonly JudgedQuery[],
  semantic: SemanticSetting,
  options: RunOptions,
): Promise<SemanticReport> {
  await client.setSettings(keys, { semantic })
  const embeddedPerSecond = await embedded(client, keys, name)
  const run = (mode: 'off' | 'on'): Promise<QueryResult[]> =>
    runQueries(client, keys, queries, {
      ...options,
      parameters: { ...options.parameters, semantic: mode, cache_results: false },
    })
  const byWords = await run('off')
  // The first time fills the cache of query vectors, however long it takes; the second measures.
  await run('on')
  const byBoth = await run('on')
  const countGoodFirst = (results: readonly QueryResult[]): number =>
    results.filter(({ ranked: [first = ''] }, i) => {
      return (queries[i]!.judgments.get(first) ?? 0) >= options.goodGrade
    }).length
  return {
    name,
    queries: queries.length,
    embeddedPerSecond,
    ndcg: compared(byWords, byBoth, ({ ndcg }) => ndcg),
    condensed: compared(byWords, byBoth, ({ condensed }) => condensed),
    recall: compared(byWords, byBoth, ({ recall }) => recall),
    firstFive: compared(byWords, byBoth, ({ firstFive }) => firstFive),
    goodFirst: [countGoodFirst(byWords), countGoodFirst(byBoth)],
    medianMs: [medianMs(byWords), medianMs(byBoth)],
    skipped: byBoth.filter(({ semantic }) => semantic === 'skipped').length,
  }
}

export function semanticText(reports: readonly SemanticReport[]): string {
  const figures = ({ words, both, difference }: Compared): string[] => [
    words.toFixed(4),
    both.toFixed(4),
    `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})`,
  ]
  return textTable([
    ['set', 'queries', 'figure', 'words', 'both', 'difference'],
    ...reports.flatMap((one) => [
      [one.name, String(one.queries), 'NDCG@10', ...figures(one.ndcg)],
      ['', '', 'queries better', '', String(one.ndcg.better), ''],
      ['', '', 'queries worse', '', String(one.ndcg.worse), ''],
      ['', '', 'of the judged', ...figures(one.condensed)],
      ['', '', 'recall@100', ...figures(one.recall)],
      ['', '', 'first five', ...figures(one.firstFive)],
      ['', '', 'good first hit', ...one.goodFirst.map(String), ''],
      ['', '', 'ms (median)', ...one.medianMs.map((ms) => ms.toFixed(1)), ''],
      ['', '', 'skipped', '', String(one.skipped), ''],
      ['', '', 'embedded/s', '', one.embeddedPerSecond.toFixed(0), ''],
    ]),
  ])
}

/** Waits until all documents have a vector. @returns products per second */
export async function embedded(client: ThinClient, keys: StoreKeys, name: string): Promise<number> {
  const startMs = performance.now()
  let progress: Progress | undefined
  let shown = 0
  for (;;) {
    const { embedding } = (await client.store(keys).settings()) as { embedding?: StoreEmbedding }
    if (embedding === undefined) {
      // The setting has not reached the writer yet.
      if (performance.now() - startMs > START_MAX_MS) throw new Error('The store embeds nothing')
      await sleep(LOOK_MS)
      continue
    }
    const { documents_done: done, documents_total: total, state, problem } = embedding
    progress ??= new Progress(`embedding ${name}`, total)
    progress.advance(done - shown)
    shown = done
    if (state === 'ready') {
      progress.finish()
      return done / ((performance.now() - startMs) / 1_000)
    }
    if (problem !== undefined) console.error(problem)
    await sleep(LOOK_MS)
  }
}

function compared(
  byWords: readonly QueryResult[],
  byBoth: readonly QueryResult[],
  of: (result: QueryResult) => number | undefined,
): Compared {
  const pairs = byWords.flatMap((one, i) => {
    const [words, both] = [of(one), of(byBoth[i]!)]
    return words === undefined || both === undefined ? [] : [{ words, both }]
  })
  return {
    words: mean(pairs.map(({ words }) => words)),
    both: mean(pairs.map(({ both }) => both)),
    difference: pairedBootstrap(pairs.map(({ words, both }) => both - words)),
    better: pairs.filter(({ words, both }) => both > words).length,
    worse: pairs.filter(({ words, both }) => both < words).length,
  }
}

function medianMs(results: readonly QueryResult[]): number {
  return quantile(
    results.map(({ tookMs }) => tookMs),
    0.5,
  )
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`
}
