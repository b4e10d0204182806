import {
  DeadlineReached,
  deadlineCheck,
  elementType,
  type Analyzer,
  type FacetOutcome,
  type Schema,
  type SearchPlan,
} from '@aisle/engine'
import { FacetMarker } from '../../domain/expressions/facet-marker.ts'

/** A facet whose values may be marked for a facet query. */
export interface MarkedFacet extends FacetOutcome {
  readonly counts: readonly {
    readonly value: string
    readonly count: number
    readonly highlighted?: string
  }[]
}

/**
 * Adds `highlighted` to the values of the facet with a facet query. If time runs out, the remaining
 * values stay unmarked.
 *
 * @param isEscaped whether to escape for HTML, except the marks
 */
export function markFacets(
  plan: SearchPlan,
  facets: readonly FacetOutcome[],
  analyzer: Analyzer,
  isEscaped: boolean,
): { readonly facets: readonly MarkedFacet[]; readonly cutoff: boolean } {
  const checkDeadline = deadlineCheck(plan.deadlineMs)
  let cutoff = false
  const marked = facets.map((facet, i): MarkedFacet => {
    const { query, ranges } = plan.facets[i]!
    if (query === undefined || ranges !== undefined) return facet
    const marker = new FacetMarker(query, analyzer, isEscaped)
    const counts = facet.counts.map((one) => {
      cutoff ||= !isInTime(checkDeadline)
      return cutoff ? one : { ...one, highlighted: marker.mark(one.value) }
    })
    return { ...facet, counts }
  })
  return { facets: marked, cutoff }
}

function isInTime(checkDeadline: () => void): boolean {
  try {
    checkDeadline()
    return true
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error
    return false
  }
}

/** By field: values with counts, or for numbers their range. The format of `/v1/filters`. */
export function presentFacetMap(schema: Schema, facets: readonly MarkedFacet[]): string {
  const parts = new Map<string, string>()
  for (const facet of facets) {
    const { name, type } = schema.fields[facet.field]!
    const element = elementType(type)
    const isNumber = element !== 'string' && element !== 'bool'
    parts.set(name, isNumber ? presentRange(facet.stats) : JSON.stringify(facet.counts))
  }
  return `{${[...parts].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** The list form: facets in the requested order, with counts for numbers too. */
export function presentFacetCounts(schema: Schema, facets: readonly MarkedFacet[]): string {
  const entries = facets.map(({ field, counts, totalValues, stats }) => {
    const name = JSON.stringify(schema.fields[field]!.name)
    const numbers =
      stats === undefined
        ? ''
        : `,"stats":{"min":${stats.min},"max":${stats.max},"sum":${stats.sum},"avg":${stats.avg}}`
    const values = JSON.stringify(counts)
    return `{"field":${name},"counts":${values},"total_values":${totalValues}${numbers}}`
  })
  return `[${entries.join(',')}]`
}

/** A template literal prints a number as JSON does, and a bigint with all its digits. */
function presentRange(stats: FacetOutcome['stats']): string {
  return stats === undefined ? '{"min":null,"max":null}' : `{"min":${stats.min},"max":${stats.max}}`
}
