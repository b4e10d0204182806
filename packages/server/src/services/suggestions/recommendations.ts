import { performance } from 'node:perf_hooks'
import {
  ApiError,
  RECOMMENDATIONS_DEFAULT,
  RecommendationParameters,
  type RecommendedHit,
} from '@aisle/contract'
import { parameterReader, unknownParameters } from '@aisle/contract/check'
import type { Visitor } from '@aisle/event-log'
import { TIME_RANGES, type SuggestionIndex, type TogetherKind } from '@aisle/suggestions'
import { membersNamed, shownPaths } from '../../domain/documents/nested-fields.ts'
import { textOf } from '../../domain/json/json-scan.ts'
import { spliceText, type SpliceOptions } from '../../domain/json/json-splice.ts'
import { searchWork } from '../../domain/turns/search-work.ts'
import type { StoreSuggestions } from '../../ports/suggestions/suggestion-source.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { unknownParameterWarnings } from '../parameter-warnings.ts'
import { ANY_TIME } from '../../domain/values/date-literal.ts'
import { planRequestFilter } from '../../domain/plan/plan-search.ts'
import { withOmitted } from '../store/omitted-fields.ts'
import { soloPace } from '../search/request-pace.ts'
import { countSearch } from '../search/search-quota.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { storeCollections } from '../store-collections.ts'
import { RecommendedDocuments } from './recommended-documents.ts'

/** Maximum number of products from visitors' behaviour that a filter is applied to. */
const CANDIDATES_MAX = 200
/** Number of recently viewed products that recommendations are based on; older ones count less. */
const SEEN_FOR_YOU = 8
const SEEN_FADING = 0.8

type Source = RecommendedHit['source']
type Kind = RecommendationParameters['kind']

const readParameters = parameterReader<RecommendationParameters>(RecommendationParameters)

/**
 * Products for a page without a query, as docs/recommendations.md defines them.
 *
 * @param parameters as sent
 * @returns the response as JSON text
 * @throws ApiError
 */
export async function recommendations(
  ports: Pick<ServicePorts, 'registry' | 'reader' | 'backend' | 'clock' | 'usage' | 'suggestions'>,
  storeId: string,
  visitor: Visitor,
  parameters: unknown,
  pace = soloPace(),
): Promise<string> {
  const startMs = performance.now()
  const owner = ports.registry.find(storeId)
  // Read first, because the first time takes a moment, and later reads must be current.
  const known = owner === undefined ? undefined : await ports.suggestions.of(owner)
  const view = openView(ports, storeId, pace)
  const request = withOmitted(view.resources, readParameters(parameters))
  requireIds(request)
  const { schema, analyzer } = view
  // Rejected whether or not a search runs.
  if (schema !== undefined) {
    const collections = storeCollections(view.resources)
    planRequestFilter(request, { schema, analyzer, dates: ANY_TIME, collections })
  }
  countSearch(ports, storeId, view)
  const isKnown = (name: string): boolean =>
    Object.hasOwn(RecommendationParameters.properties, name)
  pace.begin(searchWork(`${storeId} recommendations`, request, isKnown))
  const documents = new RecommendedDocuments({ ports, storeId, view, request, pace })
  const page = new Page(ports, { storeId, view }, request)
  if (schema !== undefined) await fill(page, documents, { request, visitor, known })
  const warnings = unknownParameterWarnings(unknownParameters(RecommendationParameters, request))
  const tookMs = Math.round((performance.now() - startMs) * 100) / 100
  return (
    `{"kind":"${request.kind}","hits":[${page.hits.join(',')}],"search_time_ms":${tookMs}` +
    (warnings.length === 0 ? '}' : `,"warnings":${JSON.stringify(warnings)}}`)
  )
}

/** Returns the products that a page is about. @throws ApiError missing_parameter */
function requireIds({ kind, ids }: RecommendationParameters): void {
  if ((kind !== 'related' && kind !== 'bought_together') || (ids?.length ?? 0) > 0) return
  throw new ApiError(
    'missing_parameter',
    `\`ids\` is missing: \`${kind}\` needs the id of at least one product`,
    { param: 'ids' },
  )
}

interface Asked {
  readonly request: RecommendationParameters
  readonly visitor: Visitor
  /** Undefined if nothing is known about visitors. */
  readonly known: StoreSuggestions | undefined
}

const TOGETHER: Readonly<Partial<Record<Kind, readonly [TogetherKind, Source]>>> = {
  related: ['looked', 'viewed_together'],
  bought_together: ['bought', 'bought_together'],
}

/** Takes from one source after the other. */
async function fill(page: Page, documents: RecommendedDocuments, asked: Asked): Promise<void> {
  const { request, visitor, known } = asked
  const { kind } = request
  const ids = await documents.visible(request.ids ?? [])
  const named = async (source: Source, candidates: readonly string[]): Promise<void> => {
    if (page.isFull) return
    await page.add(source, await documents.among(page.without(candidates)))
  }
  const seen = await documents.visible(
    known?.together
      .seenBy(visitor)
      .map(({ id }) => id)
      .toReversed() ?? [],
  )
  if (kind === 'recently_viewed') return named('recently_viewed', seen)
  const together = TOGETHER[kind]
  if (together !== undefined) {
    const [pairs, source] = together
    await named(
      source,
      affine(known, pairs, ids, () => 1),
    )
    if (page.isFull) return
    const options = { otherCategory: kind === 'bought_together' }
    await page.add('similar', await documents.similar(ids, page.room, options))
    return
  }
  if (kind === 'for_you' && seen.length > 0) {
    page.exclude(seen)
    const newest = seen.slice(0, SEEN_FOR_YOU)
    await named(
      'viewed_together',
      affine(known, 'looked', newest, (age) => SEEN_FADING ** age),
    )
    if (!page.isFull) {
      // Adds the number of viewed products, which may be among them.
      const size = page.room + seen.length
      const similar = await documents.similar(newest, size, { otherCategory: false })
      await page.add('similar', similar, Math.ceil(page.room / 2))
    }
  }
  const window = known?.matcher.index.windows[TIME_RANGES.indexOf('30d')]
  if (known !== undefined && window !== undefined) {
    const { index } = known.matcher
    await named('trending', idsOf(index, window.trendingDocuments))
    await named('popular', idsOf(index, window.popularDocuments))
  }
  if (!page.isFull) await page.add('new', await documents.newest(page.room))
}

function idsOf(index: SuggestionIndex, places: Uint32Array): string[] {
  return Array.from(places, (place) => index.documents.get(place))
}

/** Returns products that go with some products, the greatest sum of affinities first. */
function affine(
  known: StoreSuggestions | undefined,
  kind: TogetherKind,
  ids: readonly string[],
  weightOf: (place: number) => number,
): string[] {
  const sums = new Map<string, number>()
  for (const [place, id] of ids.entries()) {
    for (const { id: other, affinity } of known?.together.of(kind, id) ?? []) {
      sums.set(other, (sums.get(other) ?? 0) + weightOf(place) * affinity)
    }
  }
  return [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id)
}

/** The hits so far, as JSON texts; no product twice. */
class Page {
  readonly hits: string[] = []
  readonly #ports: Pick<ServicePorts, 'reader'>
  readonly #storeId: string
  readonly #content: string
  readonly #splice: SpliceOptions
  readonly #size: number
  readonly #taken: Set<string>

  constructor(
    ports: Pick<ServicePorts, 'reader'>,
    { storeId, view }: { readonly storeId: string; readonly view: SearchView },
    { ids = [], per_page, return_fields = [], omit_fields = [] }: RecommendationParameters,
  ) {
    this.#ports = ports
    this.#storeId = storeId
    this.#content = view.content
    this.#size = per_page ?? RECOMMENDATIONS_DEFAULT
    this.#taken = new Set(ids)
    const { schema = NO_SCHEMA } = view
    const include = return_fields.length === 0 ? undefined : membersNamed(return_fields, schema)
    const exclude = omit_fields.length === 0 ? undefined : membersNamed(omit_fields, schema)
    const withId = (include === undefined || include.has('id')) && exclude?.has('id') !== true
    const paths = shownPaths(include, exclude, schema)
    this.#splice = { withId, include, exclude, paths }
  }

  get isFull(): boolean {
    return this.hits.length >= this.#size
  }

  /** Number of products to search for, so that enough are left without those already taken. */
  get room(): number {
    return this.#size - this.hits.length + this.#taken.size
  }

  exclude(ids: readonly string[]): void {
    for (const id of ids) this.#taken.add(id)
  }

  without(ids: readonly string[]): string[] {
    return ids.filter((id) => !this.#taken.has(id)).slice(0, CANDIDATES_MAX)
  }

  /** @param most maximum number of these hits */
  async add(source: Source, docKeys: readonly number[], most = Infinity): Promise<void> {
    const documentOf = await this.#ports.reader.fetch(this.#storeId, docKeys, this.#content)
    let count = 0
    for (const docKey of docKeys) {
      if (this.isFull || count >= most) return
      const document = documentOf(docKey)
      if (document === undefined || this.#taken.has(document.id)) continue
      this.#taken.add(document.id)
      count++
      const text = textOf(document.json, 0, document.json.length)
      const shown = spliceText(text, document.json, document.id, this.#splice)
      this.hits.push(
        `{"id":${JSON.stringify(document.id)},"document":${shown},"source":"${source}"}`,
      )
    }
  }
}
