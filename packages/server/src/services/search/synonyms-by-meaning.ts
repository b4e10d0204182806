import {
  MEANT_SYNONYM_MIN_SIMILARITY,
  MEANT_SYNONYM_PHRASES_MAX,
  MEANT_SYNONYM_PRODUCTS,
  MEANT_SYNONYM_WORDS_MAX,
  MEANT_SYNONYMS_MAX,
  SYNONYM_MAX_CHARS,
} from '@aisle/contract'
import { queryVector, spaceField, type VectorSpace } from '@aisle/engine'
import { embeddedText } from '../../domain/documents/embedded-text.ts'
import { toIndexDocument } from '../../domain/documents/indexed-document.ts'
import {
  commonPhrases,
  nearestPhrases,
  phrasesOf,
  type Phrase,
} from '../../domain/words/phrases.ts'
import { areReplaceable, isSynonymOf, pairKey } from '../../domain/words/replaceable-phrases.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { rejectedSynonyms } from '../store/decide-synonym.ts'
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
  const space = view.schema?.spaces?.[0]
  const embedder = space && ports.embedders.get(space.embedder)
  if (space === undefined || embedder?.fingerprint !== space.fingerprint) return []
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
    const texts = await nearestTexts(ports, storeId, view, space, vector, pace)
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
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat()
}

/**
 * Words of a query that few products have, and pairs of others that few have side by side; the
 * rarest first.
 */
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
  const rare = new Set(counted.map(({ phrase }) => phrase.key))
  return counted
    .filter(({ phrase: { stems } }) => stems.length === 1 || !stems.every((one) => rare.has(one)))
    .toSorted((a, b) => a.count - b.count || a.phrase.stems.length - b.phrase.stems.length)
    .slice(0, MEANT_SYNONYM_PHRASES_MAX)
    .map(({ phrase }) => phrase)
}

/** A word is rare in a catalog up to the greater of these. */
const RARE_MIN = 10
const RARE_SHARE = 0.005

/** What the model has read of the products nearest to a vector. */
async function nearestTexts(
  { reader }: MeaningPorts,
  storeId: string,
  view: SearchView,
  space: VectorSpace,
  vector: Float32Array,
  pace: RequestPace,
): Promise<string[]> {
  const { schema = NO_SCHEMA } = view
  await pace.rest()
  const request = { q: '*', per_page: MEANT_SYNONYM_PRODUCTS, group_by: [] }
  const { plan } = planRequest(view, request, partOf(pace), 0)
  const field = spaceField(space)
  const { hits } = await view.search({
    ...plan,
    pins: [],
    sort: [{ kind: 'similarity', field, vector: queryVector(vector, 'cosine'), descending: true }],
  })
  const keys = hits.map(({ docKey }) => docKey)
  const documentOf = await reader.fetch(storeId, keys, view.content)
  return keys.flatMap((docKey) => {
    const document = documentOf(docKey)
    if (document === undefined) return []
    const { values } = toIndexDocument(document, schema)
    return [embeddedText(values, schema, space.fields)]
  })
}

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

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
