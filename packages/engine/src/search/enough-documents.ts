import { popcount } from '../codec/bitset.ts'
import { ALL_TERMS_DOCS_MIN } from '../scoring/formula.ts'
import { Admission } from './collect/admission.ts'
import type { MatchSink } from './collect/match-sink.ts'
import { sinkDocs, sinkPoints } from './collect/match-sink.ts'
import { ExactValues } from './ranking/exact-values.ts'
import { ALL_PINNED_IN } from './ranking/pinned-documents.ts'
import { strategyByKey } from './ranking/match-strategy.ts'
import { WordSets } from './ranking/word-sets.ts'
import type { SegmentView } from './view/index-view.ts'
import type { SearchRun } from './view/search-run.ts'
import type { WordDemand } from './words/matching-words.ts'
import { searchWords } from './word-search.ts'

/**
 * Whether enough documents meet a demand ("Which words must match" in docs/ranking.md), within the
 * scope of the plan but regardless of its filter, phrases, exclusions and pins. Stops as soon as
 * there are enough. Invalidates all earlier word sets.
 */
export function areEnough(run: SearchRun, demand: WordDemand): boolean {
  const { filter: _, scope, ...rest } = run.plan
  const open = { ...rest, phrases: [], exclusions: [], exactValue: [] }
  const openRun = { ...run, plan: scope === undefined ? open : { ...open, filter: scope } }
  const words = { ...demand, pointsMin: 0 }
  const sets = new WordSets(openRun)
  const strategy = strategyByKey(openRun, words)
  const exactValues = new ExactValues(openRun)
  try {
    searchWords(openRun, words, sets, exactValues, ALL_PINNED_IN, strategy, new Counter(openRun))
    return false
  } catch (error) {
    if (error instanceof Enough) return true
    throw error
  }
}

/** Stops a search that has counted to `ALL_TERMS_DOCS_MIN`. */
class Enough extends Error {}

/** Counts documents within the scope, and throws `Enough`. */
class Counter implements MatchSink {
  readonly docs = sinkDocs
  readonly points = sinkPoints
  readonly needsUnranked = false
  readonly ranksNeeded = undefined
  readonly countOnlyBelow = -Infinity
  readonly #admission: Admission
  #count = 0

  constructor(run: SearchRun) {
    this.#admission = new Admission(run)
  }

  beginSegment(_segmentIndex: number, segment: SegmentView): void {
    this.#admission.beginSegment(segment)
  }

  take(count: number): void {
    this.countOnly(this.#admission.admit(this.docs, this.points, count))
  }

  pickOf(set: Uint32Array, matches: number): Uint32Array {
    const { bits } = this.#admission
    if (bits !== undefined) for (let i = 0; i < bits.length; i++) set[i]! &= bits[i]!
    this.countOnly(bits === undefined ? matches : popcount(set))
    return NONE
  }

  countOnly(count: number): void {
    this.#count += count
    if (this.#count >= ALL_TERMS_DOCS_MIN) throw new Enough()
  }

  tighten(): void {}
  takeUnranked(): void {}
  pick(): number {
    return 0
  }
  rank(): void {}
}

const NONE = new Uint32Array()
