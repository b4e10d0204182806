import {
  REPORT_ROWS_MAX,
  SYNONYM_MAX_CHARS,
  SYNONYM_SUGGESTION_DAYS_DEFAULT,
  SYNONYM_SUGGESTIONS_DEFAULT,
  type SynonymSuggestion,
  type SynonymSuggestionList,
  type SynonymSuggestionParameters,
} from '@aisle/contract'
import type { CountsByReport, ReformulationRow } from '@aisle/event-log'
import { areReplaceable, isSynonymOf, pairKey } from '../../domain/words/replaceable-phrases.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import { isEvidence } from '../../domain/values/synonym-evidence.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { ownerOf } from '../events/reports.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { rejectedSynonyms } from '../store/decide-synonym.ts'
import { querySets } from './query-sets.ts'
import type { RequestPace } from './request-pace.ts'
import { SynonymCatalogCheck } from './synonym-catalog-check.ts'

const DAY_MS = 86_400_000

/**
 * Suggests pairs of phrases that visitors use for the same thing (docs/synonym-suggestions.md): the
 * reports count them, then the words, the sets and the catalog are checked.
 *
 * @throws ApiError as reports do
 */
export async function suggestSynonyms(
  ports: Pick<ServicePorts, 'registry' | 'backend' | 'clock' | 'reports'>,
  storeId: string,
  parameters: SynonymSuggestionParameters,
  pace: RequestPace,
): Promise<SynonymSuggestionList> {
  const { days = SYNONYM_SUGGESTION_DAYS_DEFAULT, limit = SYNONYM_SUGGESTIONS_DEFAULT } = parameters
  const counts = await countReformulations(ports, storeId, days)
  const view = openView(ports, storeId, pace)
  const rejected = rejectedSynonyms(view.resources)
  const candidates = candidatesOf(view, counts, new Set(rejected.map(keyIn(view))))
  const check = new SynonymCatalogCheck(view, pace)
  const suggestions: SynonymSuggestion[] = []
  for (const candidate of candidates) {
    if (suggestions.length >= limit) break
    const isAllowed = await check.allows(candidate.from, candidate.to)
    if (isAllowed === undefined) break
    if (isAllowed) suggestions.push(candidate)
  }
  return {
    suggestions,
    rejected: rejected
      .toSorted((a, b) => (a.rejectedAt < b.rejectedAt ? 1 : -1))
      .map(({ from, to, rejectedAt }) => ({ from, to, rejected_at: rejectedAt })),
    reports_clicks: counts.reportsClicks,
  }
}

/**
 * The same for one query: the pairs whose first phrase it holds, which a synonym would help.
 *
 * @throws ApiError as reports do
 */
export async function suggestSynonymsFor(
  ports: Pick<ServicePorts, 'registry' | 'backend' | 'clock' | 'reports'>,
  storeId: string,
  query: string,
  pace: RequestPace,
): Promise<SynonymSuggestion[]> {
  const counts = await countReformulations(ports, storeId, SYNONYM_SUGGESTION_DAYS_DEFAULT)
  const view = openView(ports, storeId, pace)
  const rejected = new Set(rejectedSynonyms(view.resources).map(keyIn(view)))
  const check = new SynonymCatalogCheck(view, pace)
  const stemsIn = (text: string): string => ` ${stemsOf(text, view.analyzer).join(' ')} `
  const stems = stemsIn(query)
  const suggestions: SynonymSuggestion[] = []
  for (const one of candidatesOf(view, counts, rejected)) {
    const isFirst = stems.includes(stemsIn(one.from))
    if (!isFirst && !(one.both_ways && stems.includes(stemsIn(one.to)))) continue
    const isAllowed = await check.allows(one.from, one.to)
    if (isAllowed === undefined) break
    if (isAllowed) suggestions.push(isFirst ? one : { ...one, from: one.to, to: one.from })
  }
  return suggestions
}

async function countReformulations(
  ports: Pick<ServicePorts, 'registry' | 'clock' | 'reports'>,
  storeId: string,
  days: number,
): Promise<CountsByReport['reformulations']> {
  const toMs = ports.clock.now()
  const counts = await ports.reports.count(ownerOf(ports, storeId), {
    report: 'reformulations',
    fromMs: toMs - days * DAY_MS,
    toMs,
    tags: [],
    needsAllTags: false,
    interval: 'day',
    orderBy: 'clicks',
    limit: REPORT_ROWS_MAX,
  })
  return counts as CountsByReport['reformulations']
}

/** Returns the pairs that counts and words suggest, each once, those of most visitors first. */
function candidatesOf(
  view: SearchView,
  { rows, totals }: CountsByReport['reformulations'],
  rejected: ReadonlySet<string>,
): SynonymSuggestion[] {
  const { analyzer, resources } = view
  const names = resources.list('synonymSet').map(({ name }) => name)
  const { synonyms } = querySets(view, { synonym_sets: names })
  const evidence = rows.filter((row) => isEvidence(row, totals.visitors))
  const directed = new Set(evidence.map(({ from, to }) => `${from}\n${to}`))
  const candidates = new Map<string, SynonymSuggestion>()
  for (const row of evidence) {
    const isMutual = directed.has(`${row.to}\n${row.from}`)
    const candidate = presented(row, isMutual)
    const { from, to } = candidate
    const key = keyIn(view)(candidate)
    if (candidates.has(key) || rejected.has(key) || Math.max(from.length, to.length) > MAX) continue
    if (!areReplaceable(row.from, row.to, analyzer)) continue
    if (isSynonymOf(from, to, synonyms, analyzer)) continue
    candidates.set(key, candidate)
  }
  return [...candidates.values()]
}

const MAX = SYNONYM_MAX_CHARS

/** Phrases with only one context are suggested with it. */
function presented(row: ReformulationRow, isMutual: boolean): SynonymSuggestion {
  const [example] = row.examples
  const { from, to } = row.contexts === 1 && example !== undefined ? example : row
  return {
    from,
    to,
    both_ways: isMutual,
    visitors: row.visitors,
    visitors_tried: row.visitorsTried,
    visitors_gave_up: row.visitorsGaveUp,
    visitors_found_few: row.visitorsFoundFew,
    clicks: row.clicks,
    corrected_clicks: row.positionSum,
    examples: row.examples.map((one) => ({ ...one })),
    documents: [...row.documentIds],
  }
}

function keyIn({ analyzer }: SearchView): (pair: { from: string; to: string }) => string {
  return ({ from, to }) => pairKey(from, to, analyzer)
}
