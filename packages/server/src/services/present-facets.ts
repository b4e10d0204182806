import { elementType, type FacetOutcome, type Schema } from '@aisle/engine'

/** By field: values with counts, or for numbers their range. The shape of `/v1/filters`. */
export function presentFacetMap(schema: Schema, facets: readonly FacetOutcome[]): string {
  const parts = new Map<string, string>()
  for (const facet of facets) {
    const { name, type } = schema.fields[facet.field]!
    const element = elementType(type)
    const isNumber = element !== 'string' && element !== 'bool'
    parts.set(name, isNumber ? presentRange(facet.stats) : JSON.stringify(facet.counts))
  }
  return `{${[...parts].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** The list form: every facet in the order it was asked for, numbers with their counts too. */
export function presentFacetCounts(schema: Schema, facets: readonly FacetOutcome[]): string {
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

/** Template text prints a number as JSON does, and a bigint with all its digits. */
function presentRange(stats: FacetOutcome['stats']): string {
  return stats === undefined ? '{"min":null,"max":null}' : `{"min":${stats.min},"max":${stats.max}}`
}
