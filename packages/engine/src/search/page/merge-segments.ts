import { compareByCodePoint } from '../../codec/code-point-order.ts'
import type { KeySource } from './sort-keys.ts'
import { keyOf } from './sort-keys.ts'
import type { SortedRows } from './top-k.ts'

/** The best documents of one segment, in order. */
export interface SortedSegment {
  readonly segmentIndex: number
  /** One per sort key; the same keys for all segments. The last one is by insertion. */
  readonly sources: readonly KeySource[]
  readonly rows: SortedRows
}

/** A document of the page, in sort order. */
export interface SortedHit {
  readonly segmentIndex: number
  readonly docOrd: number
  readonly score: number
}

/**
 * Merges the sorted documents of several segments. Compares fields by value, because ranks are
 * comparable only within a segment.
 *
 * @returns ranks `from .. from + size - 1`
 */
export function mergeSegments(
  segments: readonly SortedSegment[],
  fold: (text: string) => string,
  from: number,
  size: number,
): SortedHit[] {
  const hits: SortedHit[] = []
  if (segments.length === 1) {
    const { rows } = segments[0]!
    for (let at = from; at < rows.count && hits.length < size; at++) {
      hits.push(hitAt(segments[0]!, at))
    }
    return hits
  }
  const heads = segments.map((segment) => new Head(segment, fold))
  for (let rank = 0; rank < from + size && heads.length > 0; rank++) {
    let best = 0
    for (let i = 1; i < heads.length; i++) {
      if (compareHeads(heads[i]!, heads[best]!) < 0) best = i
    }
    const head = heads[best]!
    if (rank >= from) hits.push(hitAt(head.segment, head.at))
    if (!head.advance()) heads.splice(best, 1)
  }
  return hits
}

function hitAt({ segmentIndex, rows }: SortedSegment, at: number): SortedHit {
  return { segmentIndex, docOrd: rows.docOrds[at]!, score: rows.scores[at]! }
}

/** A text and its folded form, which is its first sort key. */
interface SortText {
  readonly folded: string
  readonly text: string
}

/** The best remaining document of a segment. */
class Head {
  readonly segment: SortedSegment
  at = 0
  docOrd: number
  readonly #fold: (text: string) => string
  /** Keys of the document, smaller is better; for a field, only whether it has a value. */
  readonly keys: Float64Array
  readonly #values: (number | bigint | SortText | undefined)[]

  constructor(segment: SortedSegment, fold: (text: string) => string) {
    this.segment = segment
    this.#fold = fold
    this.keys = new Float64Array(segment.sources.length)
    this.#values = segment.sources.map(() => undefined)
    this.docOrd = segment.rows.docOrds[0]!
    this.#load()
  }

  /** @returns false past the last document */
  advance(): boolean {
    this.at++
    if (this.at >= this.segment.rows.count) return false
    this.docOrd = this.segment.rows.docOrds[this.at]!
    this.#load()
    return true
  }

  /** The document's value for a field key; looked up on first use. The value must exist. */
  value(i: number): number | bigint | SortText {
    let value = this.#values[i]
    if (value === undefined) {
      const column = this.segment.sources[i]!.column!
      const rank = Math.abs(this.keys[i]!) - 1
      if (column.type === 'string') {
        const text = column.text(rank)
        value = { folded: this.#fold(text), text }
      } else value = column.numeric(rank)
      this.#values[i] = value
    }
    return value
  }

  #load(): void {
    const { sources, rows } = this.segment
    const score = rows.scores[this.at]!
    for (let i = 0; i < sources.length; i++) {
      this.keys[i] = keyOf(sources[i]!, this.docOrd, score)
      this.#values[i] = undefined
    }
  }
}

/** @returns a negative number if `a` comes first */
function compareHeads(a: Head, b: Head): number {
  const { sources } = a.segment
  for (let i = 0; i < sources.length; i++) {
    const left = a.keys[i]!
    const right = b.keys[i]!
    const order =
      sources[i]!.key.kind === 'field' && Number.isFinite(left) && Number.isFinite(right)
        ? sources[i]!.sign * compareValues(a.value(i), b.value(i))
        : left < right
          ? -1
          : left > right
            ? 1
            : 0
    if (order !== 0) return order
  }
  return 0
}

function compareValues(a: number | bigint | SortText, b: number | bigint | SortText): number {
  if (typeof a === 'object' && typeof b === 'object') {
    return compareByCodePoint(a.folded, b.folded) || compareByCodePoint(a.text, b.text)
  }
  return a < b ? -1 : a > b ? 1 : 0
}
