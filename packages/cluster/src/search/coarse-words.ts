import { isDeepStrictEqual } from 'node:util'
import { exactTerms, wordTerm } from '../opensearch/product-terms.ts'
import { countedMin, isSignificant, K1, SATURATED_MAX, slotPoints } from '@aisle/engine/rescoring'
import { saturate, type SlotAlternatives } from '@aisle/engine/rescoring'
import { allOf, anyOf, rowQuery, searchedFields, stemsIn, withTerms } from './row-query.ts'
import type { Query } from './product-searches.ts'
import {
  formQueries,
  groupQueries,
  INFIX_QUALITY,
  matchingQuery,
  type PlannedWords,
  slotQuery,
  standingIn,
} from './word-query.ts'

/** Maximum points of words. Scores of the cluster are float32: integers are exact below 2^24. */
const WORD_POINTS_MAX = 2 ** 21
const TIER_POINTS = 2 ** 22
/** Points of a value that equals the query. */
const EXACT_POINTS = 2 ** 23

/**
 * Clauses that give each match a coarse score, which chooses the candidates for the second stage:
 * the tier, and about as many points as docs/ranking.md gives for each word. They do not affect
 * what matches.
 */
export function coarseClauses(words: PlannedWords): Query[] {
  const { plan, slots } = words
  if (plan.slots.length === 0) return []
  const known = slots.filter((slot) => slot.known)
  const most = known.reduce((sum, slot) => sum + fullPoints(slot), 0)
  const scale = Math.min(1, WORD_POINTS_MAX / Math.max(1, most))
  const upper = tierQuery(words)
  const tier = { constant_score: { filter: upper, boost: TIER_POINTS } }
  const exact = exactQueries(words).map((one) => ({
    constant_score: { filter: one, boost: EXACT_POINTS },
  }))
  const points = known.map((slot) => coarseWord(words, slot, fullPoints(slot) * scale))
  // What every match meets decides nothing, and would be looked up twice.
  const isEveryMatch = isDeepStrictEqual(upper, matchingQuery(words))
  if (isEveryMatch) return [...points, ...exact]
  // An exact value counts only in the upper tier.
  return [...points, exact.length === 0 ? tier : { bool: { must: [tier], should: exact } }]
}

function fullPoints({ weight }: SlotAlternatives): number {
  return slotPoints(weight, 1, SATURATED_MAX)
}

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

/** Maximum of groups of a word that are weighed one by one; others count the same. */
const GROUPS_WEIGHED_MAX = 8
/** The same of stems with forms that a prefix, a compound or a piece of a number matches. */
const STEMS_WEIGHED_MAX = 12

/**
 * The points of one word for its best alternative. A sum of several alternatives is not computed,
 * and what is rarely alike, such as words side by side, counts like a word in a title.
 *
 * @param most its points at the maximum of evidence and quality
 */
function coarseWord(words: PlannedWords, slot: SlotAlternatives, most: number): Query {
  const { plan, place, analyzer } = words
  const usual = saturate(Math.max(...plan.fieldWeights)) / SATURATED_MAX
  const alike = (queries: readonly Query[], quality: number): Query[] =>
    queries.map((filter) => ({
      constant_score: { filter, boost: pointsOf(most * quality * usual) },
    }))
  const weighed = slot.groups.slice(0, GROUPS_WEIGHED_MAX)
  const others = slot.groups.slice(GROUPS_WEIGHED_MAX)
  const byStem = [...Map.groupBy(slot.forms.keys(), (form) => analyzer.stem(form))]
  const byQuality = Map.groupBy(
    byStem.slice(STEMS_WEIGHED_MAX).flatMap(([, forms]) => forms),
    (form) => slot.forms.get(form)!,
  )
  const { shortPrefix, infixForms } = slot
  return {
    dis_max: {
      queries: [
        ...weighed.flatMap((group) => groupClauses(words, slot, group, most)),
        ...others.flatMap(({ stem, qualityMax }) => alike(groupQueries(words, [stem]), qualityMax)),
        ...byStem
          .slice(0, STEMS_WEIGHED_MAX)
          .flatMap(([stem, forms]) =>
            [...Map.groupBy(forms, (form) => slot.forms.get(form)!)].map(([quality, some]) =>
              among(evidenceQuery(words, stem, most * quality), place.scope, some),
            ),
          ),
        ...[...byQuality].flatMap(([quality, forms]) => alike(formQueries(words, forms), quality)),
        ...slot.phrases.flatMap(({ row, quality }) =>
          alike([rowQuery(place.scope, { ...row, fieldWeights: plan.fieldWeights })], quality),
        ),
        ...(shortPrefix.forms.size === 0
          ? []
          : alike([standingIn(words, [...shortPrefix.forms])], shortPrefix.quality)),
        ...alike(formQueries(words, [...infixForms]), INFIX_QUALITY),
      ],
    },
  }
}

/** A group by the evidence of its stem, with more points for the forms of a higher quality. */
function groupClauses(
  words: PlannedWords,
  slot: SlotAlternatives,
  { stem, qualityOf }: SlotAlternatives['groups'][number],
  most: number,
): Query[] {
  const base = qualityOf(NO_FORM)
  const better = namedForms(slot).filter((form) => qualityOf(form) > base)
  const ofStem = better.filter((form) => words.analyzer.stem(form) === stem)
  return [
    ofStemItself(words, slot, stem, evidenceQuery(words, stem, most * base)),
    ...[...Map.groupBy(new Set(ofStem), qualityOf)].map(([quality, forms]) =>
      among(evidenceQuery(words, stem, most * quality), words.place.scope, forms),
    ),
  ]
}

/** Limits a query by evidence to documents with the stem: others may share its feature. */
function ofStemItself(
  words: PlannedWords,
  slot: SlotAlternatives,
  stem: string,
  query: Query,
): Query {
  if (!words.hasEvidence) return query
  const { count, slots } = words.demand
  const filter = groupQueries(words, [stem])
  const isEveryMatch =
    count === 'all' &&
    slots.includes(slot) &&
    isDeepStrictEqual(slotQuery(words, slot, 0), anyOf(filter))
  return isEveryMatch ? query : { bool: { must: [query], filter } }
}

/** No word: its quality is that of any other form of a group. */
const NO_FORM = '-'

/** The forms that may match a word better than others of their stems, such as its plural. */
function namedForms({ slot, expansion }: SlotAlternatives): string[] {
  const { form, stem } = slot
  return [
    form,
    stem,
    ...['s', 'es', 'e', 'y'].map((ending) => stem + ending),
    `${form}s`,
    `${form}es`,
    `${stem.replace(/y$|i$/, '')}ies`,
    ...expansion.corrections,
  ]
}

/** Points that grow with the evidence of a stem, as those of docs/ranking.md do. */
function evidenceQuery(words: PlannedWords, stem: string, most: number): Query {
  const { place, plan, hasEvidence, featureOf } = words
  const field = `evidence.${featureOf(stem)}`
  const weighed = (boost: number): Query => ({
    rank_feature: { field, saturation: { pivot: K1 }, boost },
  })
  if (hasEvidence) return weighed(pointsOf(most))
  // The evidence in one field is not known: its weight counts most.
  const searched = searchedFields(plan.fieldWeights)
  if (searched.length === 0) return { match_none: {} }
  const byWeight = Map.groupBy(searched, (one) => plan.fieldWeights[one]!)
  const inFields = [...byWeight].map(([weight, fields]) => ({
    constant_score: {
      filter: stemsIn(place.scope, fields, [stem]),
      boost: pointsOf((most * (1 - FINE_SHARE) * saturate(weight)) / SATURATED_MAX),
    },
  }))
  return {
    bool: {
      must: [{ dis_max: { queries: inFields } }],
      should: [weighed(pointsOf(most * FINE_SHARE))],
    },
  }
}

/** Share of the points that distinguish documents with a word in fields of the same weight. */
const FINE_SHARE = 1 / 8

/** Limits a query to documents with one of these forms. */
function among(query: Query, scope: string, forms: readonly string[]): Query {
  const terms = forms.map((form) => wordTerm(scope, form))
  return { bool: { must: [query], filter: [withTerms('words', terms)] } }
}

/** The cluster takes no boost of 0. */
function pointsOf(points: number): number {
  return Math.max(1, Math.round(points))
}
