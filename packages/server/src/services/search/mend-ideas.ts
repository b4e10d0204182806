import {
  SYNONYM_MAX_CHARS,
  type FacetMap,
  type Mend,
  type MendSource,
  type PutRuleRequest,
} from '@aisle/contract'
import { elementType } from '@aisle/engine'
import { replacedWords, type MissedSearchRow } from '@aisle/event-log'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import { productCard } from '../../domain/store/product-card.ts'
import { stemsOf } from '../../domain/suggestions/suggestion-rules.ts'
import { areReplaceable, isSynonymOf, pairKey } from '../../domain/words/replaceable-phrases.ts'
import type { SearchView } from '../../ports/search/search-backend.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { rejectedSynonyms } from '../store/decide-synonym.ts'
import { currentSettings } from '../store/store-settings.ts'
import type { MissedPorts } from './missed-searches.ts'
import { querySets } from './query-sets.ts'
import type { RequestPace } from './request-pace.ts'
import { takeText } from './answer-writer.ts'
import { search } from './search.ts'
import { spellQuery } from './spell-queries.ts'
import { suggestSynonymsFor } from './synonym-suggestions.ts'
import { synonymsByMeaning } from './synonyms-by-meaning.ts'

/** A mend that may help; whether it finds anything is not known yet. */
export interface MendIdea {
  readonly mend: Mend
  readonly source: MendSource
  /** Visitors whose searches suggest it. */
  readonly visitors?: number
  /** Of its words, to the model. */
  readonly similarity?: number
}

/** Fields whose values are compared with the query, and values of each. */
const CATEGORY_FIELDS_MAX = 5
const CATEGORY_VALUES_MAX = 100
/** Rules whose redirects are read for the form of the shop's addresses. */
const REDIRECTS_READ_MAX = 500

/**
 * What may mend a missed search, the best evidence first: docs/missed-searches.md, section 2.
 *
 * @param row undefined: the query is not missed
 * @throws ApiError
 */
export async function mendIdeas(
  ports: MissedPorts,
  storeId: string,
  view: SearchView,
  query: string,
  row: MissedSearchRow | undefined,
  pace: RequestPace,
): Promise<MendIdea[]> {
  const evident = await suggestSynonymsFor(ports, storeId, query, pace)
  const typed = row === undefined ? [] : ofNextQueries(view, query, row)
  const meant = (await spellQuery(view, query, pace.startMs + pace.timeoutMaxMs))?.meant
  const values = await valuesEqual(ports, storeId, view, [query, meant ?? query], pace)
  const nearest = await synonymsByMeaning(ports, storeId, view, query, pace)
  const documents = [...(row?.documentIds ?? [])]
  return withoutRepeats([
    ...evident.map(({ from, to, both_ways, visitors }) => ({
      mend: { kind: 'synonym', from, to, ...(both_ways ? { both_ways } : {}) } as const,
      source: 'visitors' as const,
      visitors,
    })),
    ...typed,
    ...(meant === undefined
      ? []
      : [{ mend: { kind: 'replace_query', to: meant } as const, source: 'spelling' as const }]),
    ...redirectsTo(view, values),
    ...values.equal.map(({ field, value }) => ({
      mend: { kind: 'category', field, value } as const,
      source: 'catalog' as const,
    })),
    ...(documents.length === 0
      ? []
      : [{ mend: { kind: 'pin', documents } as const, source: 'visitors' as const }]),
    ...nearest.map(({ from, to, similarity }) => ({
      mend: { kind: 'synonym', from, to } as const,
      source: 'meaning' as const,
      similarity,
    })),
  ])
}

/** Synonyms, or another query where the words are not synonyms, from what visitors typed next. */
function ofNextQueries(view: SearchView, query: string, row: MissedSearchRow): MendIdea[] {
  const { analyzer, resources } = view
  const rejected = new Set(
    rejectedSynonyms(resources).map(({ from, to }) => pairKey(from, to, analyzer)),
  )
  const { synonyms } = querySets(view, {})
  return row.next.flatMap(({ query: next, visitors, visitorsClicked }): MendIdea[] => {
    if (visitorsClicked === 0) return []
    const { from, to } = replacedWords(query, next) ?? { from: query, to: next }
    const isShort = Math.max(from.length, to.length) <= SYNONYM_MAX_CHARS
    if (isShort && areReplaceable(from, to, analyzer)) {
      const isKnown = isSynonymOf(from, to, synonyms, analyzer)
      if (isKnown || rejected.has(pairKey(from, to, analyzer))) return []
      return [{ mend: { kind: 'synonym', from, to }, source: 'visitors', visitors }]
    }
    return next.length > SYNONYM_MAX_CHARS
      ? []
      : [{ mend: { kind: 'replace_query', to: next }, source: 'visitors', visitors }]
  })
}

interface FieldValue {
  readonly field: string
  readonly value: string
}

interface KnownValues {
  /** Values that are the query, in any form of its words. */
  readonly equal: readonly FieldValue[]
  readonly all: readonly (FieldValue & { readonly stems: string })[]
}

/** Reads the most common values of facets, categories and brands first. */
async function valuesEqual(
  ports: MissedPorts,
  storeId: string,
  { schema = NO_SCHEMA, analyzer, resources }: SearchView,
  texts: readonly string[],
  pace: RequestPace,
): Promise<KnownValues> {
  const { card } = productCard(schema, currentSettings(resources).settings.product_card)
  const facets = schema.fields.filter(({ type, facet }) => facet && elementType(type) === 'string')
  const rank = (name: string): number => (name === card.category ? 0 : name === card.brand ? 1 : 2)
  const fields = facets
    .map(({ name }) => name)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, CATEGORY_FIELDS_MAX)
  if (fields.length === 0) return { equal: [], all: [] }
  const parameters = {
    q: '*',
    per_page: 0,
    group_by: [],
    facet_by: fields.map((name) => JSON.stringify(name)),
    max_values: CATEGORY_VALUES_MAX,
    analytics: false,
    apply_rules: false,
  }
  const trial = { nowMs: ports.clock.now() }
  const answer = await search(ports, storeId, parameters, pace, trial)
  const { facets: counted = {} } = JSON.parse(takeText(answer.json)) as { facets?: FacetMap }
  const stemsIn = (text: string): string => stemsOf(text, analyzer).join(' ')
  const all = fields.flatMap((field) => {
    const values = counted[field]
    if (!Array.isArray(values)) return []
    return values.map(({ value }) => ({ field, value, stems: stemsIn(value) }))
  })
  const wanted = new Set(texts.map(stemsIn))
  return { equal: all.filter(({ stems }) => stems !== '' && wanted.has(stems)), all }
}

/**
 * The pages of values, in the form that the redirects of the store's rules have: if one sends
 * "tents" to `/c/tents`, the page of "Stoves" is `/c/stoves`.
 */
function redirectsTo({ resources, analyzer }: SearchView, { equal, all }: KnownValues): MendIdea[] {
  if (equal.length === 0) return []
  const byStems = new Map(all.map((one) => [`${one.field}\n${one.stems}`, one]))
  const ideas: MendIdea[] = []
  for (const redirect of resources.list('rule').slice(0, REDIRECTS_READ_MAX).map(redirectOf)) {
    if (redirect === undefined) continue
    const stems = stemsOf(redirect.query, analyzer).join(' ')
    for (const { field, value } of equal) {
      const known = byStems.get(`${field}\n${stems}`)
      const end = known === undefined ? undefined : `/${slug(known.value)}`
      if (end === undefined || end === '/' || !redirect.url.endsWith(end)) continue
      const url = `${redirect.url.slice(0, -end.length)}/${slug(value)}`
      ideas.push({ mend: { kind: 'redirect', url, field, value }, source: 'catalog' })
    }
  }
  return ideas
}

const redirectOf = resourceMemo(({ json }) => {
  const { redirect, when = [] } = JSON.parse(json) as PutRuleRequest
  const query = when.find((condition) => condition.query !== undefined)?.query
  return typeof redirect === 'string' && query !== undefined ? { url: redirect, query } : undefined
})

function slug(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join('-')
}

/** Each mend once, and no other query where a synonym does the same. */
function withoutRepeats(ideas: readonly MendIdea[]): MendIdea[] {
  const seen = new Set<string>()
  return ideas.filter(({ mend }) => {
    const { kind, from, to, field, value, documents } = mend
    const key =
      kind === 'synonym' || kind === 'replace_query'
        ? `to ${kind === 'synonym' ? from : ''}\n${to}`
        : JSON.stringify([kind, field, value, documents])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
