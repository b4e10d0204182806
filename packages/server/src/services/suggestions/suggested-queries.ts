import {
  popularityOfRank,
  readQuery,
  readTyped,
  TIER,
  TIME_RANGES,
  tierOf,
  type Matched,
  type SuggestionIndex,
  type TypedText,
} from '@aisle/suggestions'
import { planSearch } from '../../domain/plan/plan-search.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import { CatalogCheck } from './catalog-check.ts'
import { completeWord } from '../search/complete-word.ts'
import { planContext } from '../search/plan-context.ts'
import { partOf } from '../search/request-pace.ts'
import { interestsFor, type SuggestionScene } from './suggestion-scene.ts'

export interface QuerySuggestion {
  readonly query: string
  readonly popularity: number
}

interface Candidate extends QuerySuggestion {
  readonly tier: number
}

/** Maximum number of suggestions examined for one response. */
const CHECKED_MAX = 2_000
const COMPLETE_TIMEOUT_MS = 50

/** One page of suggestions, and the total number. */
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
    // Placed after the names of the catalog that match exactly, before those that may match.
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

/** Returns the candidates that match and may be shown, best first: `wanted` of them, or all. */
async function gather(
  scene: SuggestionScene,
  typed: TypedText,
  wanted: number,
): Promise<{ candidates: Candidate[]; total: number; isWhole: boolean }> {
  const checker = new CatalogCheck(scene)
  const pinned = await visiblePins(scene, checker, pinnedFor(scene, typed))
  const pinnedKeys = new Set(scene.rules.pinned.map(({ key }) => key))
  for (let depth = 2 * wanted + pinnedKeys.size; ; depth = CHECKED_MAX) {
    const matched = matchTraffic(scene, typed, Math.min(depth, CHECKED_MAX))
    const accepted: Candidate[] = []
    let refused = 0
    for (const { entry, tier, rank } of matched.found.slice(0, CHECKED_MAX)) {
      if (accepted.length === wanted) break
      const { index } = scene.known!.matcher
      const query = index.texts.get(entry)
      const stems = index.stemsOf(entry).map((stem) => index.stems.get(stem))
      if (
        pinnedKeys.has(stems.join(' ')) ||
        scene.rules.blocks(stems) ||
        !(await checker.knows(entry))
      ) {
        refused++
        continue
      }
      accepted.push({ query, popularity: popularityOfRank(rank), tier })
    }
    if (accepted.length === wanted || matched.isWhole || depth >= CHECKED_MAX) {
      // If not all documents are visible, candidates that were not examined must not be counted
      // either.
      const passed = scene.view.scope === undefined ? matched.total - refused : accepted.length
      return {
        candidates: merged(pinned, accepted),
        total: passed + pinned.length,
        isWhole: matched.isWhole,
      }
    }
  }
}

/** A shop may pin any text, but not every token may see its words. */
async function visiblePins(
  { view }: SuggestionScene,
  checker: CatalogCheck,
  pinned: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (view.scope === undefined) return pinned
  const visible: Candidate[] = []
  for (const one of pinned) {
    if (await checker.isVisible(stemsOf(one.query, view.analyzer))) visible.push(one)
  }
  return visible
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

/** The allow list as entries of an index; computed once per list and index. */
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

/** Manual entries only need to match the typed text. */
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

/** Inserts each manual entry before the first less popular candidate of its kind. */
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

/** Completes the last word from the catalog if nobody has searched for anything similar. */
async function completionsOf(
  scene: SuggestionScene,
  typed: TypedText,
  offered: readonly Candidate[],
): Promise<Candidate[]> {
  const { view, request, rules, pace } = scene
  const { analyzer, schema } = view
  const prefix = typed.words.at(-1)
  const isWanted = request.minPopularity === 0 && request.tags.length === 0
  if (schema === undefined || prefix === undefined || !typed.isOpen || !isWanted) return []
  const context = planContext(view, {}, partOf(pace), 0)
  const { plan } = planSearch(
    { q: '*', per_page: 0, search_timeout_ms: COMPLETE_TIMEOUT_MS },
    context,
  )
  const forms = typed.words.slice(0, -1)
  const words = forms
    .filter((form) => !analyzer.isStopword(form))
    .map((form) => [analyzer.stem(form)])
  const limit = request.hitsPerPage
  const unfinished = { before: forms.join(' '), words, prefix, limit }
  const completed = await completeWord(view, plan, unfinished, pace)
  const { before, completions } = completed
  const known = new Set(offered.map(({ query }) => stemsOf(query, analyzer).join(' ')))
  return completions.flatMap(({ form }) => {
    const query = readQuery(`${before} ${form}`, analyzer)
    if (query === undefined) return []
    if (known.has(query.key) || rules.blocks(query.key.split(' '))) return []
    known.add(query.key)
    return [{ query: query.shown, popularity: 0, tier: TIER.words }]
  })
}
