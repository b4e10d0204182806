import { andInto, clearBit, listBits, popcount } from '../../codec/bitset.ts'
import type { PlannedMeaning } from '../../query/plan.ts'
import { insertedOf } from '../../segment/insertion-order.ts'
import { vectorMemory } from '../../vectors/vector-memory.ts'
import { filterBitsInSteps } from '../filters/filterable-segment.ts'
import { similarBits } from '../filters/similar-bits.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'
import { WINDOW_SIZE } from '../../postings/postings-format.ts'
import { allowedBy } from './find-matches.ts'
import { NO_MATCHES, type Matches } from './matches.ts'
import type { PinnedDocuments } from './pinned-documents.ts'

/** A document that only its meaning found. */
export interface SimilarDocument {
  readonly segmentIndex: number
  readonly docOrd: number
  readonly score: 0
  readonly similarity: number
}

/** The documents that no word found and whose meaning is near enough. */
export interface SimilarDocuments {
  /** By segment: those that pass the filter; undefined: none. */
  readonly found: readonly (Uint32Array | undefined)[]
  /** The same regardless of the filter, where facets leave out clauses of it. */
  readonly all: readonly (Uint32Array | undefined)[]
  readonly count: number
  /** The most similar, in order. */
  readonly best: readonly SimilarDocument[]
}

/**
 * @param matches by words; undefined: none
 * @param keepsAll whether those that fail the filter are needed too
 * @param wanted how many of the most similar
 */
export function* findSimilar(
  run: SearchRun,
  meaning: PlannedMeaning & { readonly least: number },
  matches: Matches | undefined,
  pinned: PinnedDocuments,
  keepsAll: boolean,
  wanted: number,
): Steps<SimilarDocuments> {
  const { view, plan } = run
  const allowed = allowedBy(run, pinned)
  const found: (Uint32Array | undefined)[] = []
  const all: (Uint32Array | undefined)[] = []
  const best: SimilarDocument[] = []
  let count = 0
  for (const [segmentIndex, segment] of view.segments.entries()) {
    const vectors = segment.reader.vectors(view.schema, meaning.field)
    if (vectors === undefined) continue
    const set = vectors.presence.slice()
    const own = allowed(segmentIndex)
    if (own !== undefined) andInto(set, own)
    const filter =
      plan.filter === undefined ? undefined : yield* filterBitsInSteps(run, segment, plan.filter)
    if (filter !== undefined && !keepsAll) andInto(set, filter)
    const { all: byWords } = matches === undefined ? NO_MATCHES : yield* matches.open(segmentIndex)
    for (let window = 0; window < segment.reader.windowCount; window++) {
      byWords.visit(window, withoutMatches(set))
    }
    const near = yield* similarBits(vectors, meaning, set, run)
    const both = near.slice()
    if (filter !== undefined) andInto(both, filter)
    all[segmentIndex] = near
    found[segmentIndex] = both
    count += popcount(both)
    best.push(...(yield* mostSimilar(run, segmentIndex, both, meaning, wanted)))
  }
  return { found, all, count, best: best.sort(mostSimilarFirst(run)).slice(0, wanted) }
}

function mostSimilarFirst({ view }: SearchRun) {
  const keyOf = ({ segmentIndex, docOrd }: SimilarDocument): number =>
    insertedOf(view.segments[segmentIndex]!.reader.insertions, docOrd)
  return (a: SimilarDocument, b: SimilarDocument): number =>
    b.similarity - a.similarity || keyOf(b) - keyOf(a)
}

/** Takes the documents that it visits out of a set. */
function withoutMatches(set: Uint32Array) {
  return {
    addDocs(docs: Uint32Array, count: number): void {
      for (let i = 0; i < count; i++) clearBit(set, docs[i]!)
    },
    addSet(matches: Uint32Array, window: number): void {
      const first = (window * WINDOW_SIZE) >>> 5
      for (let i = 0; i < matches.length && first + i < set.length; i++) {
        set[first + i]! &= ~matches[i]!
      }
    },
  }
}

/** Documents compared between two looks at the clock: half a millisecond. */
const COMPARED_PER_CHECK = 4_096

/** The most similar documents of one segment, in any order. */
function* mostSimilar(
  run: SearchRun,
  segmentIndex: number,
  set: Uint32Array,
  { field, vector }: PlannedMeaning,
  wanted: number,
): Steps<SimilarDocument[]> {
  const { view } = run
  const vectors = view.segments[segmentIndex]!.reader.vectors(view.schema, field)!
  const docs = new Uint32Array(COMPARED_PER_CHECK + 3)
  const rows = new Uint32Array(COMPARED_PER_CHECK)
  const similarities = new Float64Array(COMPARED_PER_CHECK)
  const bestFirst = mostSimilarFirst(run)
  let best: SimilarDocument[] = []
  let least = -Infinity
  for (let at = 0; at < set.length; at += COMPARED_PER_CHECK >>> 5) {
    yield* pause(run)
    const end = Math.min(set.length, at + (COMPARED_PER_CHECK >>> 5))
    const count = listBits(set, at, end, at << 5, docs)
    for (let i = 0; i < count; i++) rows[i] = vectors.ords[docs[i]!]! - 1
    vectorMemory.similarities(vectors, vector, rows, count, similarities)
    for (let i = 0; i < count; i++) {
      const similarity = similarities[i]!
      if (similarity >= least) best.push({ segmentIndex, docOrd: docs[i]!, score: 0, similarity })
    }
    if (best.length < 2 * wanted + COMPARED_PER_CHECK) continue
    best = best.sort(bestFirst).slice(0, wanted)
    least = best.at(-1)!.similarity
  }
  return best
}
