import { ApiError, type TokenScope } from '@aisle/contract'
import type {
  CompletionOutcome,
  CompletionRequest,
  FilterNode,
  SearchOutcome,
  SearchPlan,
  SlotExpansion,
} from '@aisle/engine'
import { allOf, asOneCondition, NOTHING } from '../../domain/expressions/filter-nodes.ts'
import { planRequestFilter } from '../../domain/plan/plan-search.ts'
import { conditionsOf } from '../../domain/query/alternative-queries.ts'
import type { DateContext } from '../../domain/values/date-literal.ts'
import { movingDatesWith } from '../../domain/expressions/collections.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { Turns } from '../../ports/search/turns.ts'
import { NO_SCHEMA } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { storeCollections } from '../store-collections.ts'
import { planRequest } from './plan-context.ts'
import { soloPace } from './request-pace.ts'

/**
 * Maximum number of corrections of one search that are looked up in the visible documents; others
 * are dropped.
 */
const CORRECTIONS_CHECKED_MAX = 64
/** A cluster answers such a look-up in about 10 ms, an overloaded one in about 100 ms. */
const CHECK_TIMEOUT_MS = 500

/**
 * Returns the ports of a request with a scoped token. Services read a store only through a view, so
 * the view applies the filter of the token, and no parameter can bypass it.
 */
export function scopedPorts<Ports extends Pick<ServicePorts, 'backend' | 'clock'>>(
  ports: Ports,
  scope: TokenScope | undefined,
): Ports {
  const filter = scope?.filter_by
  if (filter === undefined) return ports
  const view = (storeId: string, turns?: Turns): SearchView | undefined => {
    const whole = ports.backend.view(storeId, turns)
    return whole === undefined ? undefined : new ScopedView(whole, filter, ports.clock.now())
  }
  return { ...ports, backend: { view } }
}

/**
 * The part of a store that passes a filter (docs/tokens.md): documents, counts, completions, and
 * words that corrections may use. The weight of a word, and whether it is known, still come from
 * all documents.
 */
class ScopedView implements SearchView {
  readonly schema: SearchView['schema']
  readonly analyzer: SearchView['analyzer']
  readonly resources: SearchView['resources']
  readonly version: number
  readonly content: string
  readonly scope: string
  readonly askVersion?: () => Promise<number>
  readonly repeatVersion?: (key: string) => Promise<number | undefined>
  readonly #whole: SearchView
  readonly #filter: FilterNode

  /** @throws ApiError forbidden if the filter does not suit the schema */
  constructor(whole: SearchView, filter: string, nowMs: number) {
    // A time zone of the request must not change what is visible with the token.
    const dates = { nowMs, timeZone: 'UTC' }
    this.schema = whole.schema
    this.analyzer = whole.analyzer
    this.resources = whole.resources
    this.version = whole.version
    this.content = whole.content
    const collections = storeCollections(whole.resources)
    this.scope = [filter, ...movingDatesWith(collections, [filter], dates)].join('\n')
    if (whole.askVersion !== undefined) this.askVersion = () => whole.askVersion!()
    if (whole.repeatVersion !== undefined) this.repeatVersion = (key) => whole.repeatVersion!(key)
    this.#whole = whole
    this.#filter = whole.schema === undefined ? NOTHING : visibleTo(whole, filter, dates)
  }

  async docCount(): Promise<number> {
    if (this.schema === undefined) return 0
    return (await this.complete(this.#plainPlan(), { words: [], limit: 1 })).docCount
  }

  async search(plan: SearchPlan): Promise<SearchOutcome> {
    const scoped = this.#narrow(plan)
    // The numbers of an explanation come from all documents.
    const outcome = await this.#whole.search({ ...scoped, explain: false })
    return { ...outcome, expansions: await this.#visible(scoped, outcome.expansions) }
  }

  async complete(plan: SearchPlan, request: CompletionRequest): Promise<CompletionOutcome> {
    return await this.#whole.complete(this.#narrow(plan), request)
  }

  async holds(stems: readonly string[]): Promise<boolean[]> {
    const plan = this.#plainPlan()
    const held: boolean[] = []
    for (const stem of stems) held.push(await this.#holdsAll(plan, [[stem]]))
    return held
  }

  async matchingKeys(filter: FilterNode, deadlineMs?: number): Promise<Float64Array> {
    return await this.#whole.matchingKeys(allOf([this.#filter, filter]), deadlineMs)
  }

  #narrow(plan: SearchPlan): SearchPlan {
    const nodes = plan.filter === undefined ? [this.#filter] : [this.#filter, plan.filter]
    return { ...plan, filter: allOf(nodes), scope: this.#filter }
  }

  /** Returns the expansions of the words, without corrections that no visible document contains. */
  async #visible(
    plan: SearchPlan,
    expansions: readonly SlotExpansion[],
  ): Promise<readonly SlotExpansion[]> {
    let left = CORRECTIONS_CHECKED_MAX
    const isVisible = async (text: string): Promise<boolean> =>
      left-- > 0 && (await this.#holdsAll(plan, conditionsOf(text, this.analyzer)))
    const visible: SlotExpansion[] = []
    for (const expansion of expansions) {
      const corrections = await filtered(expansion.corrections, isVisible)
      const unlikely = await filtered(expansion.unlikely, isVisible)
      const respelt = await filtered(expansion.respelt, isVisible)
      const splits = await filtered(expansion.splits, (split) =>
        isVisible(`${split.left} ${split.right}`),
      )
      visible.push({ ...expansion, corrections, unlikely, respelt, splits })
    }
    return visible
  }

  async #holdsAll(plan: SearchPlan, words: CompletionRequest['words']): Promise<boolean> {
    if (words.length === 0 || this.schema === undefined) return false
    const narrowed = { ...plan, phrases: [], exclusions: [], filter: this.#filter }
    return (await this.#whole.complete(narrowed, { words, limit: 1, countMax: 1 })).docCount > 0
  }

  /** All searchable fields, no words. */
  #plainPlan(): SearchPlan {
    const request = { q: '*', per_page: 0, search_timeout_ms: CHECK_TIMEOUT_MS }
    return planRequest(this.#whole, request, soloPace(), 0).plan
  }
}

/** Parses the filter of a token into a tree. */
function visibleTo(view: SearchView, filter: string, dates: DateContext): FilterNode {
  const { schema = NO_SCHEMA, analyzer } = view
  try {
    const collections = storeCollections(view.resources)
    const node = planRequestFilter({ filter_by: filter }, { schema, analyzer, dates, collections })
    return node === undefined ? NOTHING : asOneCondition(node)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('forbidden', `The filter of the token cannot be used: ${error.message}`)
  }
}

async function filtered<T>(
  all: readonly T[],
  isKept: (one: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const kept: T[] = []
  for (const one of all) if (await isKept(one)) kept.push(one)
  return kept
}
