import type { SortKey } from '../query/plan.ts'
import { mergeSegments } from './merge-segments.ts'
import type { SortedHit, SortedSegment } from './merge-segments.ts'
import type { KeySource, SortableSegment } from './sort-keys.ts'
import { buildSortKeys, keyOf } from './sort-keys.ts'
import { TopK } from './top-k.ts'

/**
 * Keeps the k best documents of each segment by the sort keys of a plan, then puts them in one
 * order. Call `beginSegment`, `collect` for each matching document, and at last `finish`.
 */
export class SortedCollector {
  readonly #sort: readonly SortKey[]
  readonly #k: number
  readonly #fold: (text: string) => string
  readonly #segments: SortedSegment[] = []
  #current: { readonly segmentIndex: number; readonly segment: SortableSegment } | undefined
  #sources: KeySource[] = []
  /** The sources that tell documents of this segment apart, the first one apart from the others. */
  #first: KeySource | undefined
  #others: readonly KeySource[] = []
  #top = new TopK(0, 1)
  #row = new Float64Array(1)

  /**
   * @param sort text match score, descending, is appended unless it is among them
   * @param k `from + size`
   * @param context `fold` of the analyzer, by which strings are ordered
   */
  constructor(
    sort: readonly SortKey[],
    k: number,
    context: { readonly fold: (text: string) => string },
  ) {
    this.#sort = sort.some((key) => key.kind === 'textMatch')
      ? sort
      : [...sort, { kind: 'textMatch', descending: true }]
    this.#k = k
    this.#fold = context.fold
  }

  /** Segments may come in any order, each once. */
  beginSegment(segmentIndex: number, segment: SortableSegment): void {
    this.#endSegment()
    this.#current = { segmentIndex, segment }
    this.#sources = buildSortKeys(this.#sort, segment)
    const [first, ...others] = this.#sources.filter((source) => !source.isConstant)
    this.#first = first
    this.#others = others
    this.#row = new Float64Array(1 + others.length)
    this.#top = new TopK(Math.min(this.#k, segment.docKeys.length), 1 + others.length)
  }

  /** @param score text match score */
  collect(docOrd: number, score: number): void {
    const top = this.#top
    const first = keyOf(this.#first!, docOrd, score)
    if (first > top.worst) return
    const others = this.#others
    if (others.length === 0) {
      top.offer1(first, docOrd, score)
      return
    }
    const row = this.#row
    row[0] = first
    for (let i = 0; i < others.length; i++) row[i + 1] = keyOf(others[i]!, docOrd, score)
    top.offer(row, docOrd, score)
  }

  /** The hits of ranks `from .. from + size - 1`. */
  finish(from: number, size: number): SortedHit[] {
    this.#endSegment()
    return mergeSegments(this.#segments, this.#fold, from, size)
  }

  #endSegment(): void {
    if (this.#current === undefined) return
    const { segmentIndex, segment } = this.#current
    const rows = this.#top.sorted()
    if (rows.count > 0) {
      const sources = this.#sources
      this.#segments.push({ segmentIndex, docKeys: segment.docKeys, sources, rows })
    }
    this.#current = undefined
  }
}
