import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { scoreOf } from '../query/explanation.ts'
import type { FacetOutcome, SearchOutcome, SearchPlan } from '../query/plan.ts'
import { formulaProblems } from './naive-formula.ts'

/** Anything that executes plans. */
export interface Searcher {
  search(plan: SearchPlan): SearchOutcome
}

/**
 * Fails unless both give the same answer to a plan: found, hits with their scores and order, facets
 * and expansions. Only sums of floats may differ in their last digits, which depend on the order of
 * addition.
 */
export function assertAgreement(naive: Searcher, other: Searcher, plan: SearchPlan): void {
  assertSameOutcome(naive.search(plan), other.search(plan), plan)
}

/** `assertAgreement` for existing outcomes. */
export function assertSameOutcome(
  expected: SearchOutcome,
  actual: SearchOutcome,
  plan: SearchPlan,
): void {
  const differences: string[] = []
  const compare = (what: string, wanted: unknown, received: unknown) => {
    if (isDeepEqual(wanted, received)) return
    differences.push(`${what}\n  naive: ${show(wanted)}\n  other: ${show(received)}`)
  }
  compare('cutoff', expected.cutoff, actual.cutoff)
  compare('number of slots', expected.expansions.length, actual.expansions.length)
  expected.expansions.forEach((expansion, i) => {
    compare(`expansion of slot ${i} "${plan.slots[i]?.form}"`, expansion, actual.expansions[i])
  })
  compare('matched terms', expected.matchedTerms, actual.matchedTerms)
  compare('found', expected.found, actual.found)
  compare('found by meaning', expected.foundByMeaning, actual.foundByMeaning)
  compare('number of hits', expected.hits.length, actual.hits.length)
  expected.hits.forEach((hit, rank) => compare(`hit ${rank}`, hit, actual.hits[rank]))
  compare('groups', expected.groups, actual.groups)
  for (const { docKey, textMatchScore, explanation } of actual.hits) {
    if (explanation === undefined) continue
    compare(`sum of the explanation of ${docKey}`, textMatchScore, scoreOf(explanation))
    for (const { what, wanted, received } of formulaProblems(explanation, plan)) {
      compare(`${what} in the explanation of ${docKey}, by docs/ranking.md`, wanted, received)
    }
  }
  compare('number of facets', expected.facets.length, actual.facets.length)
  expected.facets.forEach((facet, i) => {
    const found = actual.facets[i]
    const title = `facet ${i} of field ${facet.field}`
    compare(title, { ...facet, stats: undefined }, found && { ...found, stats: undefined })
    if (!haveSameStats(facet.stats, found?.stats)) {
      compare(`${title}, stats`, facet.stats, found?.stats)
    }
  })
  if (differences.length === 0) return

  const shown = differences.slice(0, DIFFERENCES_SHOWN_MAX).join('\n')
  const more = differences.length - DIFFERENCES_SHOWN_MAX
  assert.fail(
    `${differences.length} differences\n${shown}${more > 0 ? `\n… and ${more} more` : ''}\nplan: ${show(plan)}`,
  )
}

const DIFFERENCES_SHOWN_MAX = 8

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(b, a)
    return true
  } catch {
    return false
  }
}

/** min and max must be equal; sum and avg may differ by a billionth of the largest value. */
function haveSameStats(a: FacetOutcome['stats'], b: FacetOutcome['stats']): boolean {
  if (a === undefined || b === undefined) return a === b
  if (typeof a.sum === 'bigint' || typeof b.sum === 'bigint') return isDeepEqual(a, b)
  if (!Object.is(a.min, b.min) || !Object.is(a.max, b.max)) return false
  const tolerance = 1e-9 * Math.max(Math.abs(Number(a.min)), Math.abs(Number(a.max)))
  return Math.abs(a.avg - b.avg) <= tolerance && Math.abs(a.sum - b.sum) <= tolerance
}

function show(value: unknown): string {
  return inspect(value, { depth: 12, breakLength: 100, maxArrayLength: 40 })
}
