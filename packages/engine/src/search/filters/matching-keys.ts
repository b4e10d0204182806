import { andInto, hasBit, popcount } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { IndexView } from '../view/index-view.ts'
import { filterBits } from './filterable-segment.ts'

/**
 * The docKeys of all live documents that match a filter, ascending. They take 8 bytes each, so a
 * caller can keep those of a whole catalog and process them in steps.
 */
export function matchingKeys(
  view: IndexView,
  filter: FilterNode,
  resolveId: (id: string) => number | undefined,
): Float64Array {
  const run = { view, resolveId, checkDeadline: () => undefined }
  const bitsets = view.segments.map((segment) => {
    const bits = filterBits(run, segment, filter)
    if (segment.live === undefined) return bits
    const live = bits.slice()
    andInto(live, segment.live)
    return live
  })
  const keys = new Float64Array(bitsets.reduce((sum, bits) => sum + popcount(bits), 0))
  let filled = 0
  view.segments.forEach(({ reader }, i) => {
    for (let docOrd = 0; docOrd < reader.docCount; docOrd++) {
      if (hasBit(bitsets[i]!, docOrd)) keys[filled++] = reader.docKeys[docOrd]!
    }
  })
  return keys.sort()
}
