import type { Analyzer, Schema, SearchPlan } from '@aisle/engine'
import { ALL_TERMS_DOCS_MIN, demandOf, findSlots } from '@aisle/engine/rescoring'
import { fieldSalience } from '@aisle/server/domain'
import { evidenceFeature, formerFeature } from '../opensearch/product-terms.ts'
import { ClusterCatalog, type LikelyCounts } from './cluster-catalog.ts'
import type { Facts } from './facts.ts'
import type { SearchPlace } from './search-place.ts'
import { demandCount, type PlannedWords } from './word-query.ts'
import { idCount } from './word-questions.ts'

interface PlannedStore {
  readonly place: SearchPlace
  readonly schema: Schema
  readonly analyzer: Analyzer
  readonly hasEvidence: boolean
}

/**
 * Finds what the words of a plan stand for, and what a match must have. Use it within `Facts`: each
 * run has its own catalog, because a catalog caches what it reads.
 */
export function plannedWords(
  asked: SearchPlan,
  { place, schema, analyzer, ...store }: PlannedStore,
  facts: Facts,
): PlannedWords {
  const plan = withoutAbsentIds(asked, place, facts)
  const catalog = new ClusterCatalog(facts, place, analyzer, likelyCounts(plan, analyzer))
  const slots = findSlots(plan, { catalog, analyzer })
  const allSearched = schema.fields.every(
    ({ searchable }, field) => !searchable || plan.fieldWeights[field]! > 0,
  )
  const { weights } = fieldSalience(schema)
  const isUsual = plan.fieldWeights.every((weight, field) => weight === weights[field])
  const hasEvidence = store.hasEvidence && isUsual
  const featureOf = store.hasEvidence
    ? evidenceFeature
    : (stem: string) => formerFeature(place.scope, stem)
  const words = { plan, slots, place, analyzer, catalog, allSearched, hasEvidence, featureOf }
  // A single known word is demanded in either case.
  const isAlone = slots.filter(({ known }) => known).length === 1
  const demand = demandOf(plan, slots, catalog, (all) =>
    isAlone ? ALL_TERMS_DOCS_MIN : facts.get(demandCount(words, all)),
  )
  return { ...words, demand }
}

/**
 * What is assumed of words that were not typed: none has two joined, and some have the end of one.
 */
function likelyCounts({ slots }: SearchPlan, analyzer: Analyzer): LikelyCounts {
  const likely = new Map<string, number>()
  for (const { splits } of slots)
    for (const { right } of splits) likely.set(analyzer.stem(right), 1)
  for (const { joined } of slots) for (const { stem } of joined) likely.set(stem, 0)
  for (const { stem } of slots) likely.delete(stem)
  return likely
}

/**
 * A query may be the id of a document. Most are not, and then need no search for pinned documents,
 * and no exception for them in the main one.
 */
function withoutAbsentIds(plan: SearchPlan, place: SearchPlace, facts: Facts): SearchPlan {
  const { byId = [], others = [] } = Object.groupBy(plan.pins, (pin) =>
    pin.byId === true ? 'byId' : 'others',
  )
  if (byId.length === 0) return plan
  const count = facts.get(
    idCount(
      place,
      byId.map(({ id }) => id),
    ),
  )
  return count === 0 ? { ...plan, pins: others } : plan
}
