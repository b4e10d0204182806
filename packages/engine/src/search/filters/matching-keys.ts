import { andInto, hasBit, popcount } from '../../codec/bitset.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { IndexView } from '../view/index-view.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import { filterBitsInSteps } from './filterable-segment.ts'
import { readValuesOf, wordFields } from './value-indexes.ts'

/** Documents between two looks at the clock: about a millisecond. */
const DOCUMENTS_PER_CHECK = 65_536

/**
 * The docKeys of all live documents that match a filter, ascending. They take 8 bytes each, so a
 * caller can keep those of a whole catalog and process them in steps.
 *
 * @throws DeadlineReached
 */
export function* matchingKeys(
  view: IndexView,
  filter: FilterNode,
  resolveId: (id: string) => number | undefined,
  pace: Pace,
): Steps<Float64Array> {
  const run = { view, resolveId, ...pace }
  yield* readValuesOf(view, wordFields([filter]), pace)
  const bySegment: Float64Array[] = []
  for (const segment of view.segments) {
    const bits = yield* filterBitsInSteps(run, segment, filter)
    const live = bits.slice()
    if (segment.live !== undefined) andInto(live, segment.live)
    const { docKeys, docCount } = segment.reader
    const keys = new Float64Array(popcount(live))
    let filled = 0
    for (let docOrd = 0; docOrd < docCount; docOrd++) {
      if (docOrd % DOCUMENTS_PER_CHECK === 0) yield* pause(pace)
      if (hasBit(live, docOrd)) keys[filled++] = docKeys[docOrd]!
    }
    if (filled > 0) bySegment.push(keys)
  }
  return yield* united(bySegment, pace)
}

/** @param lists each ascending. @returns all of them, ascending */
function* united(lists: readonly Float64Array[], pace: Pace): Steps<Float64Array> {
  let rest = lists
  while (rest.length > 1) {
    const pairs: Float64Array[] = []
    for (let i = 0; i < rest.length; i += 2) {
      const [a, b] = [rest[i]!, rest[i + 1]]
      pairs.push(b === undefined ? a : yield* merged(a, b, pace))
    }
    rest = pairs
  }
  return rest[0] ?? new Float64Array(0)
}

function* merged(a: Float64Array, b: Float64Array, pace: Pace): Steps<Float64Array> {
  const both = new Float64Array(a.length + b.length)
  let [i, k] = [0, 0]
  for (let at = 0; at < both.length; at++) {
    if (at % DOCUMENTS_PER_CHECK === 0) yield* pause(pace)
    both[at] = k === b.length || (i < a.length && a[i]! < b[k]!) ? a[i++]! : b[k++]!
  }
  return both
}
