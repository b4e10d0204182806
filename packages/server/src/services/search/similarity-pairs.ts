import {
  ApiError,
  SIMILARITY_PAIRS_DEFAULT,
  SIMILARITY_PAIRS_MAX_MS,
  SIMILARITY_QUERIES_MAX,
  type SimilarityPair,
  type SimilarityPairList,
  type SimilarityPairParameters,
} from '@aisle/contract'
import type { CountsByReport } from '@aisle/event-log'
import { semanticSettings } from '../../domain/store/semantic-settings.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import { spreadOver } from '../../domain/values/spread.ts'
import { EmbedderUnavailable } from '../../ports/search/embedder.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { ownerOf } from '../events/reports.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import {
  dot,
  nearestKeys,
  readProducts,
  servingModel,
  type ReadProduct,
  type ServingModel,
} from './nearest-products.ts'
import { planRequest } from './plan-context.ts'
import { deadlineOf, type RequestPace } from './request-pace.ts'
import { asEmbedded } from './semantic-search.ts'

const DAY_MS = 86_400_000
/** Searches of these days. */
const QUERIES_DAYS = 30
/** With fewer queries, titles of products are compared too. */
const QUERIES_MIN = 10
/** Products from here on in the order of similarity; from each place, the first that fits. */
const PLACES = [0, 4, 12, 35, 100, 240]
const PLACE_PRODUCTS = 5
/** Parts of the range of similarities that have equally many pairs, as far as there are any. */
const RANGE_PARTS = 12
/** Texts in one call of the embedder: visitors' queries wait for it. */
const TEXTS_TOGETHER = 16

type PairPorts = Pick<
  ServicePorts,
  'registry' | 'backend' | 'reader' | 'reports' | 'embedders' | 'queryVectors' | 'clock'
>

/**
 * Pairs of a query and a product without any word of it, from near to far, for a person who decides
 * which are right: docs/semantic.md, "Calibration".
 *
 * @throws ApiError semantic_not_configured, unavailable
 */
export async function similarityPairs(
  ports: PairPorts,
  storeId: string,
  { limit = SIMILARITY_PAIRS_DEFAULT }: SimilarityPairParameters,
  pace: RequestPace,
): Promise<SimilarityPairList> {
  const view = openView(ports, storeId, pace)
  const { semantic } = semanticSettings(view.resources)
  if (semantic === undefined) {
    throw new ApiError('semantic_not_configured', 'The store has no setting `semantic`.')
  }
  const queries = await frequentQueries(ports, storeId)
  const startMs = performance.now()
  const own = { ...pace, startMs, timeoutMaxMs: SIMILARITY_PAIRS_MAX_MS }
  // The rest is for the texts of the products.
  const finding = { ...own, timeoutMaxMs: SIMILARITY_PAIRS_MAX_MS / 2 }
  const model = servingModel(ports, view)
  if (model === undefined) return { embedder: semantic.embedder, pairs: [] }
  const titles = queries.length < QUERIES_MIN ? await newestTexts(ports, storeId, view, model) : []
  const found: Found[] = []
  for (const query of [...queries, ...titles].slice(0, SIMILARITY_QUERIES_MAX)) {
    if (performance.now() >= deadlineOf(finding)) break
    found.push(...(await pairsOf(ports, storeId, view, model, query, finding)))
  }
  const pairs = await compared(model, found, own)
  const isLate = pairs.length === 0 && performance.now() >= deadlineOf(finding)
  if (isLate) throw new ApiError('unavailable', 'The embedder does not answer in time. Try again.')
  const shown = spreadOver(pairs, ({ similarity }) => similarity, limit, RANGE_PARTS)
  return { embedder: semantic.embedder, pairs: shown }
}

/** A pair that is not compared yet. */
interface Found {
  readonly query: string
  readonly vector: Float32Array
  readonly product: ReadProduct
}

async function frequentQueries(
  ports: Pick<ServicePorts, 'registry' | 'reports' | 'clock'>,
  storeId: string,
): Promise<string[]> {
  const toMs = ports.clock.now()
  const counts = (await ports.reports.count(ownerOf(ports, storeId), {
    report: 'top-queries',
    fromMs: toMs - QUERIES_DAYS * DAY_MS,
    toMs,
    tags: [],
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: SIMILARITY_QUERIES_MAX,
  })) as CountsByReport['top-queries']
  return counts.rows.map(({ query }) => query).filter((query) => query !== '' && query !== '*')
}

async function newestTexts(
  ports: PairPorts,
  storeId: string,
  view: SearchView,
  { space }: ServingModel,
): Promise<string[]> {
  const limit = { startMs: performance.now(), timeoutMaxMs: TITLES_MAX_MS }
  const request = { q: '*', per_page: SIMILARITY_QUERIES_MAX, group_by: [], sort_by: [] }
  const { plan } = planRequest(view, request, limit, 0)
  const { hits } = await view.search({ ...plan, pins: [], sort: [] })
  const keys = hits.map(({ docKey }) => docKey)
  const products = await readProducts(ports, storeId, view, space, keys)
  return products.map(({ text }) => text.slice(0, TITLE_MAX_CHARS)).filter((text) => text !== '')
}

const TITLES_MAX_MS = 500
const TITLE_MAX_CHARS = 100

/** Products at some distances from a query, without those that words find. */
async function pairsOf(
  ports: PairPorts,
  storeId: string,
  view: SearchView,
  { space }: ServingModel,
  query: string,
  pace: RequestPace,
): Promise<Found[]> {
  const budgetMs = deadlineOf(pace) - performance.now()
  const { embedder } = space
  const text = asEmbedded(query)
  const answer = await ports.queryVectors.ask({ storeId, embedder, text, budgetMs })
  if (answer.kind !== 'vector' || answer.vector.length !== space.dimensions) return []
  const { vector } = answer
  const keys = await nearestKeys(view, space, vector, PLACES.at(-1)! + PLACE_PRODUCTS, pace)
  const stems = new Set(stemsOf(query, view.analyzer))
  const found: Found[] = []
  for (const place of PLACES) {
    const near = keys.slice(place, place + PLACE_PRODUCTS)
    const products = await readProducts(ports, storeId, view, space, near)
    const product = products.find(
      (one) => one.text !== '' && !stemsOf(one.text, view.analyzer).some((stem) => stems.has(stem)),
    )
    if (product !== undefined) found.push({ query, vector, product })
  }
  return found
}

/** @throws ApiError unavailable */
async function compared(
  { embedder }: ServingModel,
  found: readonly Found[],
  pace: RequestPace,
): Promise<SimilarityPair[]> {
  const pairs: SimilarityPair[] = []
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineOf(pace) - performance.now())))
  // Mixed, so that a call that comes too late costs no query all of its pairs.
  const mixed = PLACES.flatMap((_, k) => found.filter((__, i) => i % PLACES.length === k))
  for (let i = 0; i < mixed.length; i += TEXTS_TOGETHER) {
    const some = mixed.slice(i, i + TEXTS_TOGETHER)
    const texts = some.map(({ product }) => product.text)
    let vectors: readonly (Float32Array | undefined)[]
    try {
      vectors = await embedder.embed(texts, 'document', signal)
    } catch (error) {
      if (signal.aborted) break
      if (!(error instanceof EmbedderUnavailable)) throw error
      throw new ApiError('unavailable', `The embedder does not answer: ${error.message}`)
    }
    await pace.rest()
    for (const [k, { query, vector, product }] of some.entries()) {
      const other = vectors[k]
      if (other === undefined) continue
      const similarity = Math.round(dot(vector, other) * 10_000) / 10_000
      pairs.push({ query, id: product.id, text: product.text.slice(0, TEXT_MAX_CHARS), similarity })
    }
  }
  return pairs
}

const TEXT_MAX_CHARS = 300
