import type { FacetCounts, FacetValueDisplay, SearchResponse } from '@aisle/contract'

type Counts = FacetCounts[number]['counts']

/**
 * The facets of an answer as `facet_display` says: in its order, without hidden ones, each with the
 * values to show. Without `facet_display`, as they are.
 */
export function arrangedFacets({
  facet_counts: all = [],
  facet_display: display,
}: Pick<SearchResponse, 'facet_counts' | 'facet_display'>): FacetCounts {
  if (display === undefined) return all
  const byField = new Map(all.map((facet) => [facet.field, facet]))
  return display.order.flatMap((field) => {
    const facet = byField.get(field)
    if (facet === undefined) return []
    return { ...facet, counts: arrangedValues(facet.counts, display.facets[field]) }
  })
}

/**
 * The values of a facet to show: pinned ones first, the others in their order, without hidden ones,
 * up to the limit. Counts do not change, and a value that the answer does not have is not shown.
 */
export function arrangedValues<Value extends Pick<Counts[number], 'value' | 'count'>>(
  counts: readonly Value[],
  { sort, pin = [], hide = [], limit }: FacetValueDisplay = {},
): Value[] {
  const byValue = new Map(counts.map((one) => [one.value, one]))
  const pinned = pin.flatMap((value) => byValue.get(value) ?? [])
  const placed = new Set([...pin, ...hide])
  const rest = sort === 'pinned' ? [] : counts.filter(({ value }) => !placed.has(value))
  const compare = sort === undefined || sort === 'pinned' ? undefined : COMPARE[sort]
  const sorted = compare === undefined ? rest : rest.toSorted(compare)
  return [...pinned, ...sorted].slice(0, limit)
}

/** Sizes and other numbers in texts are in the order of numbers. */
const COMPARE = {
  count: (a: { count: number }, b: { count: number }) => b.count - a.count,
  alpha: (a: { value: string }, b: { value: string }) =>
    a.value.localeCompare(b.value, undefined, { numeric: true }),
}
