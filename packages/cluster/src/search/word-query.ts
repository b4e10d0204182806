import { hash } from 'node:crypto'
import {
  exactTerms,
  IMPACT_LEVELS,
  impactEvidence,
  impactTerm,
  wordTerm,
} from '../opensearch/product-terms.ts'
import {
  ALL_TERMS_DOCS_MIN,
  countedMin,
  isSignificant,
  saturate,
  slotPoints,
} from '@aisle/engine/rescoring'
import type { SlotAlternatives, WordCatalog, WordDemand } from '@aisle/engine/rescoring'
import type { Analyzer, Phrase, SearchPlan } from '@aisle/engine'
import { filterQuery } from './filter-query.ts'
import {
  allOf,
  anyOf,
  formsIn,
  inRowOf,
  rowQuery,
  searchedFields,
  stemsIn,
  withTerms,
} from './row-query.ts'
import type { Query } from './product-searches.ts'
import type { Question } from './question.ts'
import type { SearchPlace } from './search-place.ts'

/** The words of a plan, and the context for querying them on the cluster. */
export interface PlannedWords {
  readonly plan: SearchPlan
  readonly slots: readonly SlotAlternatives[]
  readonly demand: WordDemand
  readonly place: SearchPlace
  readonly analyzer: Analyzer
  readonly catalog: WordCatalog
  /** Whether every searchable field is searched, so that one term matches a word in any of them. */
  readonly allSearched: boolean
}

/** Matches the words of a plan: exactly the documents that `scoreDocument` gives points. */
export function matchingQuery(words: PlannedWords): Query {
  return words.plan.slots.length === 0 ? { match_all: {} } : demandQuery(words, words.demand)
}

/** Matches documents with all of the required words, or with one of them. */
function demandQuery(words: UndecidedWords, { slots, count }: WordDemand): Query {
  const queries = slots.map((slot) => slotQuery(words, slot, 0))
  return count === 'all' ? allOf(queries) : anyOf(queries)
}

/** Words of a plan before it is known which ones a match must have. */
export type UndecidedWords = Omit<PlannedWords, 'demand'>

/** Counts the documents in the scope of a plan that meet a demand, up to `ALL_TERMS_DOCS_MIN`. */
export function demandCount(words: UndecidedWords, demand: WordDemand): Question<number> {
  const { place, plan } = words
  const scope = plan.scope === undefined ? [] : [filterQuery(place, plan.scope)]
  const filter = [{ term: { scope: place.scope } }, demandQuery(words, demand), ...scope]
  const query = { bool: { filter } }
  return {
    key: `demand ${hash('sha256', JSON.stringify(query), 'base64')}`,
    // Answers to cheaper questions may change the demand.
    cost: 2,
    none: 0,
    // It decides which documents match, so it is never reused.
    keptMs: () => 0,
    body: () => ({ size: 0, track_total_hits: ALL_TERMS_DOCS_MIN, query }),
    matching: () => query,
    read: ({ hits }) => Math.min(hits.total?.value ?? 0, ALL_TERMS_DOCS_MIN),
  }
}

/** The conditions of a plan on every match, whatever its words. */
export function conditionQueries({ place, plan }: Pick<PlannedWords, 'place' | 'plan'>): {
  readonly filter: Query[]
  readonly must_not: Query[]
} {
  const fields = searchedFields(plan.fieldWeights)
  const holds = ({ spellings, inflected }: Phrase): Query =>
    anyOf(
      spellings.flatMap((words) =>
        fields.map((field) =>
          inRowOf(
            place.scope,
            inflected ? 'stems' : 'forms',
            field,
            words.map(({ form, stem }) => (inflected ? stem : form)),
          ),
        ),
      ),
    )
  return {
    filter: [{ term: { scope: place.scope } }, ...plan.phrases.map(holds)],
    must_not: plan.exclusions.map(holds),
  }
}

/** Matches documents that have a word by an alternative of a minimum quality. */
function slotQuery(words: UndecidedWords, slot: SlotAlternatives, qualityMin: number): Query {
  const { place, plan } = words
  const stems: string[] = []
  const forms: string[] = []
  for (const group of slot.groups) {
    if (group.qualityMin >= qualityMin) stems.push(group.stem)
    else forms.push(...formsOfQuality(words, slot, group.stem, qualityMin))
  }
  for (const [form, quality] of slot.forms) if (quality >= qualityMin) forms.push(form)
  const rows = slot.phrases.filter(({ quality }) => quality >= qualityMin)
  const hasInfixes = slot.infixForms.size > 0 && INFIX_QUALITY >= qualityMin
  const hasShort = slot.shortPrefix.forms.size > 0 && slot.shortPrefix.quality >= qualityMin
  return anyOf([
    ...groupQueries(words, [...new Set(stems)]),
    ...formQueries(words, [...new Set(forms), ...(hasInfixes ? slot.infixForms : [])]),
    ...(hasShort ? [standingIn(words, [...slot.shortPrefix.forms])] : []),
    ...rows.map(({ row }) => rowQuery(place.scope, { ...row, fieldWeights: plan.fieldWeights })),
  ])
}

/**
 * The forms of a group that are good enough, if only some are, such as a correction at the limit.
 */
function formsOfQuality(
  { catalog }: UndecidedWords,
  slot: SlotAlternatives,
  stem: string,
  qualityMin: number,
): string[] {
  const { groups } = slot
  const hasAny = groups.some((group) => group.stem === stem && group.qualityMax >= qualityMin)
  if (!hasAny) return []
  return catalog.formsOfGroup(stem).filter((form) => slot.qualityOf(form) >= qualityMin)
}

/** Matches documents that have a form of these stems in a searched field. */
function groupQueries(
  { place, plan, allSearched }: UndecidedWords,
  stems: readonly string[],
): Query[] {
  if (stems.length === 0) return []
  if (allSearched) {
    return [
      withTerms(
        'groups',
        stems.map((stem) => wordTerm(place.scope, stem)),
      ),
    ]
  }
  const fields = searchedFields(plan.fieldWeights)
  return fields.length === 0 ? [] : [stemsIn(place.scope, fields, stems)]
}

/** Matches documents that have one of these forms, and a form of its stem in a searched field. */
function formQueries(words: UndecidedWords, forms: readonly string[]): Query[] {
  if (forms.length === 0) return []
  const { place, analyzer, allSearched } = words
  const holding = (some: readonly string[]): Query =>
    withTerms(
      'words',
      some.map((form) => wordTerm(place.scope, form)),
    )
  if (allSearched) return [holding(forms)]
  const byStem = Map.groupBy(forms, (form) => analyzer.stem(form))
  return [...byStem].map(([stem, some]) =>
    allOf([holding(some), anyOf(groupQueries(words, [stem]))]),
  )
}

/** Matches documents that have one of these forms in a searched field. */
function standingIn({ place, plan, allSearched }: UndecidedWords, forms: readonly string[]): Query {
  if (allSearched) {
    return withTerms(
      'words',
      forms.map((form) => wordTerm(place.scope, form)),
    )
  }
  const fields = searchedFields(plan.fieldWeights)
  if (fields.length === 0) return { match_none: {} }
  return formsIn(place.scope, fields, forms)
}

/** Quality of a form that contains a word. */
const INFIX_QUALITY = 0.1

/** Maximum points of words. Scores of the cluster are float32: integers are exact below 2^24. */
const WORD_POINTS_MAX = 2 ** 21
const TIER_POINTS = 2 ** 22
/** Points of a value that equals the query. */
const EXACT_POINTS = 2 ** 23
/** Steps to which the points of a word are rounded; each step is a clause. */
const STEPS_OF_WORD = 12
/** Maximum of groups of a word whose impacts are looked up; others count by their quality alone. */
const GROUPS_WEIGHED_MAX = 8

/**
 * Clauses that give each match a coarse score, which chooses the candidates for the second stage:
 * the tier, and about as many points as docs/ranking.md gives for each word in its best field. They
 * do not affect what matches.
 */
export function coarseClauses(words: PlannedWords): Query[] {
  const { plan, slots } = words
  if (plan.slots.length === 0) return []
  const known = slots.filter((slot) => slot.known)
  const most = known.reduce((sum, slot) => sum + slotPoints(slot.weight, 1, FULL_MATCH), 0)
  const scale = Math.min(1, WORD_POINTS_MAX / Math.max(1, most))
  const upper = tierQuery(words)
  const tier = { constant_score: { filter: upper, boost: TIER_POINTS } }
  const exact = exactQueries(words).map((one) => ({
    constant_score: { filter: one, boost: EXACT_POINTS },
  }))
  return [
    ...known.map((slot) => coarseWord(words, slot, scale)),
    // An exact value counts only in the upper tier.
    exact.length === 0 ? tier : { bool: { must: [tier], should: exact } },
  ]
}

const FULL_MATCH = saturate(Number.MAX_SAFE_INTEGER)

/** Matches documents of the upper tier: those with every significant word, well enough. */
function tierQuery(words: PlannedWords): Query {
  const significant = words.slots.filter((slot) => isSignificant(slot))
  if (significant.length === 0) return { match_all: {} }
  return allOf(significant.map((slot) => slotQuery(words, slot, countedMin(slot.hasNeighbours))))
}

/** Matches documents with a value that equals the query, or appears to. */
function exactQueries({ plan, place }: PlannedWords): Query[] {
  if (plan.exactValue.length === 0) return []
  const fields = searchedFields(plan.fieldWeights).filter((field) => plan.exactValueFields[field])
  if (fields.length === 0) return []
  return [
    withTerms(
      'exact',
      fields.flatMap((field) => exactTerms(place.scope, field, plan.exactValue)),
    ),
  ]
}

/** The points of one word for its best alternative in its best field, in steps. */
function coarseWord(words: PlannedWords, slot: SlotAlternatives, scale: number): Query {
  const { plan, place } = words
  const most = slotPoints(slot.weight, 1, FULL_MATCH)
  const byStep = new Map<number, string[]>()
  for (const { stem, qualityMax } of slot.groups.slice(0, GROUPS_WEIGHED_MAX)) {
    for (const field of searchedFields(plan.fieldWeights)) {
      for (let level = 0; level < IMPACT_LEVELS; level++) {
        const evidence = plan.fieldWeights[field]! * impactEvidence(level)
        const points = slotPoints(slot.weight, qualityMax, saturate(evidence))
        const step = Math.max(1, Math.round((points / most) * STEPS_OF_WORD))
        const terms = byStep.get(step) ?? []
        terms.push(impactTerm(place.scope, field, level, stem))
        byStep.set(step, terms)
      }
    }
  }
  const pointsOf = (step: number) => Math.max(1, Math.round((step / STEPS_OF_WORD) * most * scale))
  const clauses = [...byStep].map(([step, terms]) => ({
    constant_score: { filter: withTerms('impacts', terms), boost: pointsOf(step) },
  }))
  const rest = { constant_score: { filter: slotQuery(words, slot, 0), boost: 1 } }
  return { dis_max: { queries: [...clauses, rest] } }
}
