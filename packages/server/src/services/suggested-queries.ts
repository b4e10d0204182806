import {
  interestsOf,
  popularityOfRank,
  readQuery,
  readTyped,
  TIER,
  TIME_RANGES,
  tierOf,
  type Interest,
  type Matched,
  type SuggestionIndex,
  type TypedText,
} from '@aisle/suggestions'
import type { SearchOutcome } from '@aisle/engine'
import type { Visitor } from '@aisle/events'
import { planSearch } from '../domain/plan-search.ts'
import type { SuggestionRequest } from '../domain/suggestion-request.ts'
import { stemsOf, type SuggestionRules } from '../domain/suggestion-rules.ts'
import type { SearchView } from '../ports/search-backend.ts'
import type { StoreSuggestions } from '../ports/suggestion-source.ts'
import type { Catalog } from './catalog.ts'
import { planContext, planRequest } from './plan-context.ts'
import { partOf, type RequestPace } from './request-pace.ts'

/** Everything that suggestions for one keystroke are made of. */
export interface SuggestionScene {
  readonly catalog: Catalog
  readonly storeId: string
  readonly view: SearchView
  readonly rules: SuggestionRules
  readonly request: SuggestionRequest
  /** Undefined: nothing is known of what visitors do. */
  readonly known: StoreSuggestions | undefined
  readonly visitor: Visitor
  readonly pace: RequestPace
}

export interface QuerySuggestion {
  readonly query: string
  readonly popularity: number
}

interface Candidate extends QuerySuggestion {
  readonly tier: number
}

/** As in a search: words much rarer than the most frequent one are misspelt. */
const COMPLETION_SHARE_MIN = 0.01
/** Suggestions that are looked at for one answer; further ones are out of reach. */
const CHECKED_MAX = 2_000
/** Suggestions of which no word stands in the catalog are searched for, so many per request. */
const SEARCHES_MAX = 10
const CHECK_TIMEOUT_MS = 50
const COMPLETE_TIMEOUT_MS = 50

/** One page of suggestions, and how many there are. */
export async function suggestedQueries(
  scene: SuggestionScene,
): Promise<{ readonly suggestions: readonly QuerySuggestion[]; readonly total: number }> {
  const { request, rules, view } = scene
  const typed = readTyped(request.q, view.analyzer)
  const chars = [...request.q.trim()].length
  const isAsked =
    chars === 0
      ? request.emptyQuery
      : chars >= rules.config.min_query_length && typed.words.length > 0
  if (!isAsked || request.hitsPerPage === 0) return { suggestions: [], total: 0 }

  const from = request.page * request.hitsPerPage
  const wanted = from + request.hitsPerPage
  const gathered = await gather(scene, typed, wanted)
  const { candidates } = gathered
  let { total } = gathered
  const isAskedFor = ({ tier, popularity }: Candidate): boolean =>
    popularity > 0 && tier <= TIER.words
  if (gathered.isWhole && chars > 0 && !candidates.some(isAskedFor)) {
    const completions = await completionsOf(scene, typed, candidates)
    // Behind the names of the catalog that are meant, before those that might be.
    const exactCount = candidates.filter(({ tier }) => tier <= TIER.words).length
    candidates.splice(exactCount, 0, ...completions)
    total += completions.length
  }
  return {
    suggestions: candidates
      .slice(from, wanted)
      .map(({ query, popularity }) => ({ query, popularity })),
    total,
  }
}

/** What matches and may be offered, best first: `wanted` of them or all. */
async function gather(
  scene: SuggestionScene,
  typed: TypedText,
  wanted: number,
): Promise<{ candidates: Candidate[]; total: number; isWhole: boolean }> {
  const pinned = pinnedFor(scene, typed)
  const pinnedKeys = new Set(scene.rules.pinned.map(({ key }) => key))
  const checker = new CatalogCheck(scene)
  const window = TIME_RANGES.indexOf(scene.request.timeRange)
  const isUntyped = typed.words.length === 0
  for (let depth = 2 * wanted + pinnedKeys.size; ; depth = CHECKED_MAX) {
    const matched = matchTraffic(scene, typed, Math.min(depth, CHECKED_MAX))
    const accepted: Candidate[] = []
    let refused = 0
    for (const { entry, tier, rank } of matched.found.slice(0, CHECKED_MAX)) {
      if (accepted.length === wanted) break
      const { matcher } = scene.known!
      const { index } = matcher
      const query = index.texts.get(entry)
      const stems = index.stemsOf(entry).map((stem) => index.stems.get(stem))
      const forms = Array.from(index.entryWords.of(entry), (word) => index.words.get(word))
      const unknown = await checker.unknownWords(query, forms, stems)
      if (
        unknown === undefined ||
        pinnedKeys.has(stems.join(' ')) ||
        scene.rules.blocks(stems) ||
        (unknown.length > 0 && matcher.isMisspelling(entry, unknown, window)) ||
        (isUntyped && unknown.length > 0 && !(await checker.knowsWordsOf(query)))
      ) {
        refused++
        continue
      }
      accepted.push({ query, popularity: popularityOfRank(rank), tier })
    }
    if (accepted.length === wanted || matched.isWhole || depth >= CHECKED_MAX) {
      return {
        candidates: merged(pinned, accepted),
        total: matched.total - refused + pinned.length,
        isWhole: matched.isWhole,
      }
    }
  }
}

const NOTHING: Matched = { found: [], total: 0, isWhole: true }

function matchTraffic(scene: SuggestionScene, typed: TypedText, depth: number): Matched {
  const { known, request, rules } = scene
  if (known === undefined) return NOTHING
  const { index } = known.matcher
  const { config, allowed } = rules
  return known.matcher.match({
    typed,
    window: TIME_RANGES.indexOf(request.timeRange),
    depth,
    minPopularity: request.minPopularity,
    minSessions: config.min_sessions,
    minNetworks: config.min_networks,
    tags: request.tags,
    allTags: request.allTags,
    beginningOnly: request.beginningOnly,
    typos: config.typo_tolerance_enabled,
    interests: interestsFor(scene),
    allowed: allowed === undefined ? undefined : allowedEntries(allowed, index),
  })
}

/** The allow list as entries of an index; found once per list and index. */
function allowedEntries(keys: ReadonlySet<string>, index: SuggestionIndex): ReadonlySet<number> {
  let byIndex = allowedByList.get(keys)
  if (byIndex === undefined) allowedByList.set(keys, (byIndex = new WeakMap()))
  let entries = byIndex.get(index)
  if (entries === undefined) {
    entries = new Set([...keys].map((key) => index.find(key)))
    byIndex.set(index, entries)
  }
  return entries
}

const allowedByList = new WeakMap<
  ReadonlySet<string>,
  WeakMap<SuggestionIndex, ReadonlySet<number>>
>()

/** What the visitor of the identity headers was looking for lately. */
export function interestsFor({ known, rules, visitor, catalog }: SuggestionScene): Interest[] {
  if (known === undefined || !rules.config.personalization_enabled) return []
  return interestsOf(known.profiles.of(visitor), catalog.clock.now())
}

/** Manual entries: they obey what was typed, and nothing else. */
function pinnedFor({ rules, request }: SuggestionScene, typed: TypedText): Candidate[] {
  return rules.pinned
    .flatMap((pinned) => {
      const { popularity, shown } = pinned
      if (popularity < request.minPopularity) return []
      const tier = tierOf(typed, pinned)?.tier
      if (tier === undefined || (request.beginningOnly && tier > TIER.beginning)) return []
      if (tier === TIER.mistyped && !rules.config.typo_tolerance_enabled) return []
      return [{ query: shown, popularity, tier }]
    })
    .toSorted((a, b) => a.tier - b.tier || b.popularity - a.popularity)
}

/** Each manual entry before the first of its kind that is less popular. */
function merged(pinned: readonly Candidate[], found: readonly Candidate[]): Candidate[] {
  const list = [...found]
  for (const one of pinned) {
    const at = list.findIndex(
      ({ tier, popularity }) =>
        tier > one.tier || (tier === one.tier && popularity < one.popularity),
    )
    list.splice(at < 0 ? list.length : at, 0, one)
  }
  return list
}

/** Whether a query finds something today, asked of the dictionary, and only in doubt of a search. */
class CatalogCheck {
  readonly #scene: SuggestionScene
  #searchesLeft = SEARCHES_MAX

  constructor(scene: SuggestionScene) {
    this.#scene = scene
  }

  /** Forms of words that no document holds; undefined when the query finds nothing. */
  async unknownWords(
    query: string,
    forms: readonly string[],
    stems: readonly string[],
  ): Promise<string[] | undefined> {
    const { view } = this.#scene
    const { analyzer } = view
    const carrying = forms.some((form) => !analyzer.isStopword(form))
      ? (form: string): boolean => !analyzer.isStopword(form)
      : (): boolean => true
    const unknown: string[] = []
    let isFound = false
    forms.forEach((form, i) => {
      if (!carrying(form)) return
      if (view.holds(stems[i]!)) isFound = true
      else unknown.push(form)
    })
    if (isFound) return unknown
    // Other spellings and synonyms may find what the words themselves do not.
    return ((await this.#search(query))?.found ?? 0) > 0 ? unknown : undefined
  }

  /** Whether each word means something here without being corrected: joined, in two words, or by a synonym. */
  async knowsWordsOf(query: string): Promise<boolean> {
    const outcome = await this.#search(query)
    return outcome?.expansions.every(({ known, splits }) => known || splits.length > 0) === true
  }

  async #search(q: string): Promise<SearchOutcome | undefined> {
    if (this.#searchesLeft-- <= 0) return undefined
    const { catalog, storeId, view, pace } = this.#scene
    if (view.schema === undefined) return undefined
    const request = { q, per_page: 0, search_timeout_ms: CHECK_TIMEOUT_MS }
    const { plan } = planRequest(catalog, storeId, view, request, partOf(pace))
    return await view.search(plan)
  }
}

/** Where nobody has searched for anything like it: the word that is being typed, completed from the catalog. */
async function completionsOf(
  scene: SuggestionScene,
  typed: TypedText,
  offered: readonly Candidate[],
): Promise<Candidate[]> {
  const { catalog, storeId, view, request, rules, pace } = scene
  const { analyzer, schema } = view
  const prefix = typed.words.at(-1)
  const isWanted = request.minPopularity === 0 && request.tags.length === 0
  if (schema === undefined || prefix === undefined || !typed.isOpen || !isWanted) return []
  const context = planContext(catalog, storeId, view, {}, partOf(pace))
  const { plan } = planSearch(
    { q: '*', per_page: 0, search_timeout_ms: COMPLETE_TIMEOUT_MS },
    context,
  )
  const before = typed.words.slice(0, -1)
  const words = before
    .filter((form) => !analyzer.isStopword(form))
    .map((form) => [analyzer.stem(form)])
  const { completions } = await view.complete(plan, { words, prefix, limit: request.hitsPerPage })
  const most = completions[0]?.docCount ?? 0
  const known = new Set(offered.map(({ query }) => stemsOf(query, analyzer).join(' ')))
  return completions.flatMap(({ form, docCount }) => {
    const query = readQuery([...before, form].join(' '), analyzer)
    if (query === undefined || docCount < most * COMPLETION_SHARE_MIN) return []
    if (known.has(query.key) || rules.blocks(query.key.split(' '))) return []
    known.add(query.key)
    return [{ query: query.shown, popularity: 0, tier: TIER.words }]
  })
}
