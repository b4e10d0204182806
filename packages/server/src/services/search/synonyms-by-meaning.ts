import {
  MEANT_SYNONYM_MIN_SIMILARITY,
  MEANT_SYNONYM_PHRASES_MAX,
  MEANT_SYNONYM_PRODUCTS,
  MEANT_SYNONYM_WORDS_MAX,
  MEANT_SYNONYMS_MAX,
  SYNONYM_MAX_CHARS,
} from '@aisle/contract'
import type { VectorSpace } from '@aisle/engine'
import {
  commonPhrases,
  nearestPhrases,
  phrasesOf,
  type Phrase,
} from '../../domain/words/phrases.ts'
import { areReplaceable, isSynonymOf, pairKey } from '../../domain/words/replaceable-phrases.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { rejectedSynonyms } from '../store/decide-synonym.ts'
import { dot, nearestKeys, readProducts, servingModel } from './nearest-products.ts'
import { planRequest } from './plan-context.ts'
import { querySets } from './query-sets.ts'
import { deadlineOf, partOf, type RequestPace } from './request-pace.ts'
import { SynonymCatalogCheck } from './synonym-catalog-check.ts'

/** A word of a query with one of the catalog that means about the same to the model. */
export interface MeantSynonym {
  readonly from: string
  readonly to: string
  readonly similarity: number
}

/** Words whose vectors are waited for at the same time, so that visitors' queries are too. */
const ASKED_TOGETHER = 8

type MeaningPorts = Pick<ServicePorts, 'reader' | 'embedders' | 'queryVectors' | 'clock'>

/**
 * The words of the catalog that are nearest to words of a query which few products have. Candidates
 * are the words of the products that are nearest to the word, so that no vocabulary needs vectors.
 * Definition: docs/missed-searches.md, section 2.
 *
 * @returns the nearest of each word first; none if the store does not search by meaning, or the
 *   model does not answer in time
 */
export async function synonymsByMeaning(
  ports: MeaningPorts,
  storeId: string,
  view: SearchView,
  query: string,
  pace: RequestPace,
): Promise<MeantSynonym[]> {
  const { space } = servingModel(ports, view) ?? {}
  if (space === undefined) return []
  const words = new WordVectors(ports, storeId, space, pace)
  const check = new SynonymCatalogCheck(view, pace)
  const rejected = new Set(
    rejectedSynonyms(view.resources).map(({ from, to }) => pairKey(from, to, view.analyzer)),
  )
  const { synonyms } = querySets(view, {})
  const lists: MeantSynonym[][] = []
  for (const { text: from } of await rarePhrases(view, query, pace)) {
    const vector = await words.of(from)
    if (vector === undefined) continue
    const keys = await nearestKeys(view, space, vector, MEANT_SYNONYM_PRODUCTS, pace)
    const products = await readProducts(ports, storeId, view, space, keys)
    const texts = products.map(({ text }) => text)
    const candidates = commonPhrases(texts, view.analyzer, MEANT_SYNONYM_WORDS_MAX)
    const vectors = await words.all(candidates.map(({ text }) => text))
    const similarityOf = (text: string): number | undefined => {
      const other = vectors.get(text)
      return other && dot(vector, other)
    }
    const list: MeantSynonym[] = []
    const near = nearestPhrases(candidates, similarityOf, MEANT_SYNONYM_MIN_SIMILARITY)
    for (const { text: to, similarity } of near) {
      if (list.length === MEANT_SYNONYMS_MAX) break
      if (to.length > SYNONYM_MAX_CHARS || !areReplaceable(from, to, view.analyzer)) continue
      if (isSynonymOf(from, to, synonyms, view.analyzer)) continue
      if (rejected.has(pairKey(from, to, view.analyzer))) continue
      if ((await check.allows(from, to)) === true) list.push({ from, to, similarity })
    }
    lists.push(list)
  }
  const own = lists.map((list, i) =>
    list.filter(({ to, similarity }) =>
      lists.every((others, k) => k === i || !others.some(isNearer(to, similarity))),
    ),
  )
  const longest = Math.max(0, ...own.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => own.flatMap((list) => list[i] ?? [])).flat()
}

/** A word of the catalog is proposed for the word or pair of the query that it is nearest to. */
function isNearer(to: string, similarity: number): (other: MeantSynonym) => boolean {
  return (other) => other.to === to && other.similarity > similarity
}

/** Words of a query that few products have, and pairs that few have side by side, rarest first. */
async function rarePhrases(
  view: SearchView,
  query: string,
  pace: RequestPace,
): Promise<readonly Phrase[]> {
  const most = Math.max(RARE_MIN, (await view.docCount()) * RARE_SHARE)
  const phrases = new Map(phrasesOf(query, view.analyzer).map((phrase) => [phrase.key, phrase]))
  const counted: { readonly phrase: Phrase; readonly count: number }[] = []
  for (const phrase of phrases.values()) {
    if (pace.isDue()) await pace.rest()
    const request = {
      q: `"${phrase.text}"`,
      per_page: 0,
      group_by: [],
      synonym_sets: [],
      stopword_sets: [],
    }
    const { plan } = planRequest(view, request, partOf(pace), 0)
    const { found } = await view.search({ ...plan, pins: [] })
    if (found <= most) counted.push({ phrase, count: found })
  }
  return counted
    .toSorted((a, b) => a.count - b.count || a.phrase.stems.length - b.phrase.stems.length)
    .slice(0, MEANT_SYNONYM_PHRASES_MAX)
    .map(({ phrase }) => phrase)
}

/** A word is rare in a catalog up to the greater of these. */
const RARE_MIN = 10
const RARE_SHARE = 0.005

/** Vectors of words, as those of queries: cached, and in turns with visitors' queries. */
class WordVectors {
  readonly #ports: MeaningPorts
  readonly #storeId: string
  readonly #space: VectorSpace
  readonly #pace: RequestPace

  constructor(ports: MeaningPorts, storeId: string, space: VectorSpace, pace: RequestPace) {
    this.#ports = ports
    this.#storeId = storeId
    this.#space = space
    this.#pace = pace
  }

  async of(text: string): Promise<Float32Array | undefined> {
    return (await this.all([text])).get(text)
  }

  /** Those that are there before the time of the request is over. */
  async all(texts: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const { queryVectors } = this.#ports
    const { embedder, dimensions } = this.#space
    const known = new Map<string, Float32Array>()
    const asked = texts.values()
    const next = async (): Promise<void> => {
      for (const text of asked) {
        const budgetMs = deadlineOf(this.#pace) - performance.now()
        if (budgetMs <= 0) return
        const request = { storeId: this.#storeId, embedder, text, budgetMs }
        const answer = await queryVectors.ask(request)
        if (answer.kind === 'vector' && answer.vector.length === dimensions) {
          known.set(text, answer.vector)
        }
      }
    }
    await Promise.all(Array.from({ length: ASKED_TOGETHER }, next))
    return known
  }
}
