import type { SearchOutcome, SearchPlan } from '@aisle/engine'
import type { CatalogName } from '@aisle/suggestions'
import { quotedName } from '../expressions/text-cursor.ts'
import { fieldOrdinal } from '../documents/field-lookup.ts'
import { planSearch, type PlanContext } from '../plan/plan-search.ts'
import type { ProductCard } from '../store/product-card.ts'

/** Number of brands and categories that are suggested before the first searches. */
const NAMES_MAX = 10_000

/** The search whose facets are the brands and categories of a store; undefined if it has none. */
export function planNames(
  { brand, category }: ProductCard,
  context: PlanContext,
): SearchPlan | undefined {
  const fields = [brand, category].filter((name): name is string => {
    const ordinal = name === null ? undefined : fieldOrdinal(context.schema, name)
    return ordinal !== undefined && context.schema.fields[ordinal]!.facet
  })
  if (fields.length === 0) return undefined
  return planSearch(
    { q: '*', per_page: 0, facet_by: fields.map(quotedName), max_values: NAMES_MAX },
    context,
  ).plan
}

/** The last part of a category path (`Home > Kitchen`, `Home/Kitchen`). */
export function namesOf({ facets }: SearchOutcome): CatalogName[] {
  return facets.flatMap(({ counts }) => {
    const separators = separatorsOf(counts)
    return counts.map(({ value, count }) => ({
      text: lastPart(value, separators),
      docCount: count,
    }))
  })
}

const SEPARATORS = '>|'
/**
 * Names may contain it too: a field has paths with it if at least half of its values contain one.
 */
const COMMON_SEPARATOR = '/'

function separatorsOf(values: readonly { readonly value: string }[]): string {
  const withIt = values.filter(({ value }) => value.includes(COMMON_SEPARATOR)).length
  return 2 * withIt >= values.length ? SEPARATORS + COMMON_SEPARATOR : SEPARATORS
}

/** A loop instead of a pattern: a value may have a million blanks, and each is visited once. */
function lastPart(value: string, separators: string): string {
  let end = value.length
  for (let at = end - 1; at >= -1; at--) {
    if (at >= 0 && !separators.includes(value[at]!)) continue
    const part = value.slice(at + 1, end).trim()
    if (part !== '') return part
    end = at
  }
  return value
}
