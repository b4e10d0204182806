import type { Analyzer } from '../analysis/analyzer.ts'
import type { SearchPlan, SortKey } from '../query/plan.ts'
import { withScore } from '../query/sort-order.ts'
import { type Scalar, type Schema, fieldValue, isArrayType } from '../schema/schema.ts'
import { bucketOf } from '../scoring/formula.ts'
import { shuffle } from '../scoring/shuffle.ts'
import { compareCodePoints } from '../codec/code-points.ts'
import { metersBetween, roundedMeters } from '../places/distance.ts'
import { unpackPlace } from '../places/place.ts'
import { type CandidateDocument, elementsOf } from './candidate-document.ts'
import { insertedAs } from '../schema/document.ts'
import { similarityOf } from './similarity.ts'
import { matches } from './filter.ts'
import { popularityOf } from './rules.ts'

/** A document with its text match score, ready to sort. */
export interface RankedDocument {
  readonly document: CandidateDocument
  readonly textMatchScore: number
  /** Pinned by the plan. */
  readonly pinned?: true
  readonly byId?: true
  /** Only its meaning found it. */
  readonly byMeaning?: true
}

/**
 * Orders documents, best first: by the keys of the plan, then text match score, then by
 * insertion, the last first.
 *
 * @param fullPoints see `bucketOf`
 */
export function sortDocuments(
  documents: readonly RankedDocument[],
  plan: SearchPlan,
  schema: Schema,
  analyzer: Analyzer,
  fullPoints = 0,
): RankedDocument[] {
  const keys = withScore(plan.sort)
  for (const key of keys) {
    if (key.kind === 'field' && isArrayType(schema.fields[key.field]!.type)) {
      throw new Error(`Cannot sort by field ${key.field}, it has any number of values`)
    }
  }
  return documents
    .map((ranked) => ({
      ranked,
      values: keys.map((key) => sortValue(ranked, key, plan, analyzer, fullPoints)),
    }))
    .toSorted((a, b) => {
      for (const [i, key] of keys.entries()) {
        const order = compareByKey(a.values[i], b.values[i], key)
        if (order !== 0) return order
      }
      return insertedAs(b.ranked.document) - insertedAs(a.ranked.document)
    })
    .map(({ ranked }) => ranked)
}

/** The sort value of a document: strings as a pair, folded and as written. */
type SortValue = number | bigint | boolean | readonly [folded: string, written: string] | undefined

function sortValue(
  { document, textMatchScore }: RankedDocument,
  key: SortKey,
  plan: SearchPlan,
  analyzer: Analyzer,
  fullPoints: number,
): SortValue {
  switch (key.kind) {
    case 'field': {
      const value = document.values[key.field] as Scalar | undefined
      return typeof value === 'string' ? [analyzer.fold(value), value] : value
    }
    case 'distance': {
      const places = elementsOf(fieldValue(document.values, key.field)) as bigint[]
      if (places.length === 0) return undefined
      const meters = places.map((place) => metersBetween(key.from, unpackPlace(place)))
      return roundedMeters(Math.min(...meters), key)
    }
    case 'similarity':
      return similarityOf(document, key.field, key.vector)
    case 'textMatch':
      return key.buckets === undefined
        ? textMatchScore
        : bucketOf(textMatchScore, key.buckets, fullPoints)
    case 'popularity':
      return popularityOf(plan, document).level
    case 'filter':
      return matches(document, key.filter, analyzer) ? 1 : 0
    case 'random':
      return shuffle(key.seed, document.docKey)
  }
}

/** Documents without a value stay at their end in either direction. */
function compareByKey(a: SortValue, b: SortValue, key: SortKey): number {
  if (a === undefined || b === undefined) {
    if (a === b) return 0
    const missingFirst = 'missing' in key && key.missing === 'first'
    return (a === undefined) === missingFirst ? -1 : 1
  }
  const ascending = compareSortValues(a, b)
  return key.descending ? -ascending : ascending
}

function compareSortValues(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === 'object' && typeof b === 'object') {
    return compareCodePoints(a[0], b[0]) || compareCodePoints(a[1], b[1])
  }
  return a < b ? -1 : a > b ? 1 : 0
}
