import type { StoreKeys, ThinClient } from '@aisle/testing'
import { pairedBootstrap, type PairedDifference } from '../lib/bootstrap.ts'
import { mean, quantile } from '../lib/metrics.ts'
import type { JudgedSet, TypoQuery, TypoWord } from './judged-set.ts'
import { mapConcurrently, runQueries, type QueryResult } from './run-queries.ts'

/** The four figures of typo tolerance, on the judged queries that people mistyped. */
export interface TypoReport {
  readonly queries: number
  readonly asTyped: number
  readonly corrected: number
  readonly recallAsTyped: number
  readonly recallCorrected: number
  /** (as typed - BM25 as typed) / (BM25 corrected - BM25 as typed). */
  readonly gapClosed: number
  /** Misspelt words by the position of the first document with their correct form. */
  readonly words: {
    readonly reachable: number
    readonly inFirstHundred: number
    readonly found: number
    /**
     * Nothing in the catalog matches the misspelling: no inflection, no joined or split spelling.
     */
    readonly unknown: number
    readonly unknownFound: number
    /** Not in the results. */
    readonly missed: string[]
  }
  /** NDCG with typo tolerance minus without, on queries that were not mistyped. */
  readonly harm: PairedDifference
  readonly latencyMs: {
    readonly on: readonly [number, number]
    readonly off: readonly [number, number]
  }
}

/**
 * Plain BM25 over titles, without typo tolerance, on the 842 development queries (842 of 847 have a
 * good document).
 */
const BM25_AS_TYPED = 0.2164
const BM25_CORRECTED = 0.294

/**
 * Word length from which the service tolerates one and two edits, in code points (its defaults).
 */
const MIN_LENGTH = { 1: 4, 2: 7 } as const

export async function typoReport(
  client: ThinClient,
  keys: StoreKeys,
  set: JudgedSet,
  typos: { queries: readonly TypoQuery[]; words: readonly TypoWord[] },
  options: {
    parameters: Readonly<Record<string, unknown>>
    /** Results of the clean queries with typo tolerance, from the main run. */
    clean: readonly QueryResult[]
    onProgress?: (queries: number) => void
  },
): Promise<TypoReport> {
  const { parameters } = options
  const run = { parameters, goodGrade: set.goodGrade, ...progressOf(options.onProgress) }
  const byId = new Map(set.queries.map((query) => [query.id, query]))
  const variant = (pick: (typo: TypoQuery) => string) =>
    typos.queries.flatMap((typo) => {
      const query = byId.get(typo.id)
      return query === undefined ? [] : [{ ...query, text: pick(typo) }]
    })
  const asTyped = await runQueries(
    client,
    keys,
    variant((typo) => typo.raw),
    run,
  )
  const corrected = await runQueries(
    client,
    keys,
    variant((typo) => typo.corrected),
    run,
  )

  const mistyped = new Set(typos.queries.map((typo) => typo.id))
  const clean = options.clean.filter((result) => !mistyped.has(result.id))
  const cleanQueries = clean.flatMap((result) => byId.get(result.id) ?? [])
  const off = await runQueries(client, keys, cleanQueries, {
    ...run,
    parameters: { ...parameters, typo_max: 0 },
  })

  const typed = mean(asTyped.map((result) => result.ndcg))
  return {
    queries: asTyped.filter((result) => result.ndcg !== undefined).length,
    asTyped: typed,
    corrected: mean(corrected.map((result) => result.ndcg)),
    recallAsTyped: mean(asTyped.map((result) => result.recall)),
    recallCorrected: mean(corrected.map((result) => result.recall)),
    gapClosed: (typed - BM25_AS_TYPED) / (BM25_CORRECTED - BM25_AS_TYPED),
    words: await wordLevel(client, keys, set, typos.words, parameters),
    harm: pairedBootstrap(
      clean.flatMap((result, at) => difference(result.ndcg, off[at]?.ndcg) ?? []),
    ),
    latencyMs: { on: latency(clean), off: latency(off) },
  }
}

/** Page size for scanning all results of a misspelt word. */
const PAGE_SIZE = 250

/**
 * The words that the service promises to correct: the typo is not a word of the catalog, the
 * correct form is one, and the edits are within the defaults. Each is searched alone; it is found
 * if a document with the correct form is among the results. The best of several corrections is a
 * matter of taste (barbque: barbeque or barbecue?), so the first hundred are only counted. Some
 * misspellings are words nevertheless, by their inflections ("fasting") or as two words: those that
 * are not words are counted separately.
 */
async function wordLevel(
  client: ThinClient,
  keys: StoreKeys,
  set: JudgedSet,
  words: readonly TypoWord[],
  parameters: Readonly<Record<string, unknown>>,
): Promise<TypoReport['words']> {
  const documentsByWord = await wordIndex(set.lines())
  const reachable = reachableWords(words, (word) => documentsByWord.has(word))
  const ranks = await mapConcurrently(reachable, 2, async ({ misspelling, correct }) => {
    const wanted = documentsByWord.get(correct)
    for (let page = 1; ; page++) {
      const { found, hits } = await client.search(keys, {
        return_fields: ['id'],
        highlight: false,
        ...parameters,
        q: misspelling,
        per_page: PAGE_SIZE,
        page,
      })
      const at = hits.findIndex((hit) => wanted?.has(hit.id))
      if (at >= 0) return (page - 1) * PAGE_SIZE + at
      if (page * PAGE_SIZE >= found || hits.length === 0) return Infinity
    }
  })
  const unknown = await mapConcurrently(reachable, 2, async ({ misspelling }) => {
    const asTyped = { q: misspelling, typo_max: 0, prefix_mode: 'off', per_page: 0 }
    return (await client.search(keys, { ...parameters, ...asTyped })).found === 0
  })
  return {
    reachable: reachable.length,
    unknown: unknown.filter(Boolean).length,
    unknownFound: ranks.filter((rank, at) => unknown[at] && rank < Infinity).length,
    inFirstHundred: ranks.filter((rank) => rank < 100).length,
    found: ranks.filter((rank) => rank < Infinity).length,
    missed: reachable.flatMap(({ misspelling, correct }, at) =>
      ranks[at] === Infinity ? [`${misspelling} (${correct})`] : [],
    ),
  }
}

export function reachableWords(
  words: readonly TypoWord[],
  isCatalogWord: (word: string) => boolean,
): TypoWord[] {
  return words.filter(({ misspelling, correct, distance }) => {
    const length = [...misspelling].length
    const within =
      (distance === 1 && length >= MIN_LENGTH[1]) || (distance === 2 && length >= MIN_LENGTH[2])
    return within && isCatalogWord(correct) && !isCatalogWord(misspelling)
  })
}

/** Documents by the words of their text, lower case, runs of ASCII letters and digits. */
async function wordIndex(lines: AsyncIterable<string>): Promise<Map<string, Set<string>>> {
  const index = new Map<string, Set<string>>()
  for await (const line of lines) {
    const product = JSON.parse(line) as { id: string; title?: string; brand?: string }
    const text = `${product.title ?? ''} ${product.brand ?? ''}`.toLowerCase()
    for (const [word] of text.matchAll(/[a-z0-9]+/g)) {
      const documents = index.get(word) ?? new Set<string>()
      index.set(word, documents)
      documents.add(product.id)
    }
  }
  return index
}

function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b
}

function latency(results: readonly QueryResult[]): [number, number] {
  const took = results.map((result) => result.tookMs)
  return [quantile(took, 0.5), quantile(took, 0.99)]
}

function progressOf(onProgress: ((queries: number) => void) | undefined): {
  onProgress?: (queries: number) => void
} {
  return onProgress === undefined ? {} : { onProgress }
}
