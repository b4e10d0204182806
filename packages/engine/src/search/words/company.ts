import { WINDOW_BITS, WINDOW_SIZE } from '../../postings/postings-format.ts'
import type { SegmentView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'

/** Number of other words that fit into the bits of one mark. */
const OTHERS_PER_PASS = 8

/**
 * Counts the live documents with both a candidate and another query term, for all pairs. Window by
 * window, marks the documents of the other terms, then looks up those of each candidate.
 *
 * @returns the counts by candidate, then by other term
 */
export function countCompany(
  { view, checkDeadline }: SearchRun,
  candidates: readonly number[],
  others: readonly number[],
): number[][] {
  const counts = candidates.map(() => others.map(() => 0))
  const marks = new Uint8Array(WINDOW_SIZE)
  for (let first = 0; first < others.length; first += OTHERS_PER_PASS) {
    const pass = others.slice(first, first + OTHERS_PER_PASS)
    for (const segment of view.segments) {
      for (let window = 0; window < segment.reader.windowCount; window++) {
        checkDeadline()
        const marked = pass.map((group, bit) => markWindow(segment, group, window, marks, 1 << bit))
        if (!marked.includes(true)) continue
        candidates.forEach((group, c) => {
          countMarked(segment, group, window, marks, counts[c]!, first, pass.length)
        })
        marks.fill(0)
      }
    }
  }
  return counts
}

/** @returns the chunk of a group in a window, -1 if it has none */
function chunkIn({ reader }: SegmentView, group: number, window: number): number {
  const list = reader.listOf(group)
  if (list < 0) return -1
  for (let chunk = reader.listChunk[list]!; chunk < reader.listChunk[list + 1]!; chunk++) {
    if (reader.chunkWindow[chunk] === window) return chunk
  }
  return -1
}

function markWindow(
  segment: SegmentView,
  group: number,
  window: number,
  marks: Uint8Array,
  bit: number,
): boolean {
  const chunk = chunkIn(segment, group, window)
  if (chunk < 0) return false
  const { ids } = segment.reader
  const end = segment.reader.chunkEnd[chunk]!
  for (let i = segment.reader.chunkStart(chunk); i < end; i++) marks[ids[i]!]! |= bit
  return true
}

function countMarked(
  segment: SegmentView,
  group: number,
  window: number,
  marks: Uint8Array,
  counts: number[],
  first: number,
  size: number,
): void {
  const chunk = chunkIn(segment, group, window)
  if (chunk < 0) return
  const { ids } = segment.reader
  const end = segment.reader.chunkEnd[chunk]!
  const base = window << WINDOW_BITS
  for (let i = segment.reader.chunkStart(chunk); i < end; i++) {
    const mark = marks[ids[i]!]!
    if (mark === 0 || !segment.isLive(base + ids[i]!)) continue
    for (let bit = 0; bit < size; bit++) if ((mark & (1 << bit)) !== 0) counts[first + bit]!++
  }
}
