import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { filterBits } from '../filters/filterable-segment.ts'

/** Tests which matches of the words match the filter of the plan. */
export class Admission {
  readonly #run: SearchRun
  /** Documents of the segment that match the filter; undefined without a filter. */
  bits: Uint32Array | undefined

  constructor(run: SearchRun) {
    this.#run = run
  }

  /** Whether there is no filter. */
  get admitsAll(): boolean {
    return this.#run.plan.filter === undefined
  }

  beginSegment(segment: SegmentView): void {
    const { filter } = this.#run.plan
    this.bits = filter === undefined ? undefined : filterBits(this.#run, segment, filter)
  }

  /**
   * Keeps the admitted ones of the first `count` documents, with their points.
   * @returns number of documents kept at the front
   */
  admit(docs: Uint32Array, points: Float64Array, count: number): number {
    const bits = this.bits
    if (bits === undefined) return count
    let kept = 0
    // No branches: whether a document matches a filter is unpredictable.
    for (let i = 0; i < count; i++) {
      const docOrd = docs[i]!
      docs[kept] = docOrd
      points[kept] = points[i]!
      kept += (bits[docOrd >>> 5]! >>> (docOrd & 31)) & 1
    }
    return kept
  }
}
