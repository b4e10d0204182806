import type { SearchOutcome, SearchPlan } from '@aisle/engine'
import type { CatalogName } from '@aisle/suggestions'
import { fieldOrdinal } from './field-lookup.ts'
import { planSearch, type PlanContext } from './plan-search.ts'
import type { ProductCard } from './product-card.ts'

/** Different brands and categories that are suggested before anybody asked for them. */
const NAMES_MAX = 10_000

/** The search whose facets are the brands and categories of a store; undefined when it has none. */
export function planNames(
  { brand, category }: ProductCard,
  context: PlanContext,
): SearchPlan | undefined {
  const fields = [brand, category].filter((name): name is string => {
    const ordinal = name === null ? undefined : fieldOrdinal(context.schema, name)
    return ordinal !== undefined && context.schema.fields[ordinal]!.facet
  })
  if (fields.length === 0) return undefined
  return planSearch({ q: '*', per_page: 0, facet_by: fields, max_values: NAMES_MAX }, context).plan
}

/** Of a category path (`Home > Kitchen`, `Home/Kitchen`) the last part is what is asked for. */
export function namesOf({ facets }: SearchOutcome): CatalogName[] {
  return facets.flatMap(({ counts }) =>
    counts.map(({ value, count }) => ({ text: lastPart(value), docCount: count })),
  )
}

function lastPart(value: string): string {
  return value.split(/\s*(?:>|\/|\|)\s*/).findLast((part) => part !== '') ?? value
}
