import { isWithin, type Range } from '../index/string-list.ts'
import type { SuggestionIndex } from '../index/suggestion-index.ts'
import { liftOf, type Interest } from '../profile/alignment.ts'
import { guardedCounts, nameRank, UNTYPED_SESSIONS_MIN, type Guards } from './guarded-counts.ts'
import { taggedCounts, type RankCounts } from './tagged-counts.ts'
import { byRank, topEntries, type Ranked } from './top-entries.ts'
import type { TypedText } from './typed-text.ts'
import { exactWords, hasEvery, infixWords, nearWords, type WordChoice } from './word-choices.ts'

/** If fewer suggestions start with the text, those with the words elsewhere are added. */
const BEGINNING_MAX = 100
/** If fewer suggestions match exactly, those with typos and parts of words are added. */
const EXACT_FEW = 3
/** Maximum of sets of tags, and of guards, with cached counts: 4 MB each with 200,000 queries. */
const COUNTS_MAX = 8
/** Number of top entries that personalization considers. */
const LIFTED_AMONG = 100

export interface MatchRequest extends Guards {
  readonly typed: TypedText
  /** Index in WINDOWS. */
  readonly window: number
  /** Minimum of suggestions to return, if that many exist. */
  readonly depth: number
  readonly tags: readonly string[]
  readonly allTags: boolean
  /** Only suggestions that begin with the typed text. */
  readonly beginningOnly: boolean
  /** Tolerate typos. */
  readonly typos: boolean
  /** If any, suggestions that fit them rank higher. */
  readonly interests: readonly Interest[]
  /** Absent: all. Names of the catalog are always suggested. */
  readonly allowed?: ReadonlySet<number> | undefined
}

/** The ways in which a suggestion matches the typed text, best first. */
export const TIER = {
  /** It starts with the text. */
  beginning: 0,
  /** It has the words (the last one as a prefix) anywhere and in any order. */
  words: 1,
  /** It has the words, with typos. */
  mistyped: 2,
  /** A word of it contains a typed one. */
  infix: 3,
} as const

export interface Found extends Ranked {
  readonly tier: number
}

export interface Matched {
  /** Best first. */
  readonly found: readonly Found[]
  /** Number of all matches. */
  readonly total: number
  /** Whether `found` contains all matches. */
  readonly isWhole: boolean
}

/** Finds the suggestions for a typed text in one index. Not reentrant. */
export class SuggestionMatcher {
  readonly index: SuggestionIndex
  /** Number of the last call that saw an entry. */
  readonly #seenBy: Uint32Array
  #call = 0
  readonly #tagged = new Map<string, RankCounts>()
  readonly #guarded = new Map<string, RankCounts>()

  constructor(index: SuggestionIndex) {
    this.index = index
    this.#seenBy = new Uint32Array(index.length)
  }

  match(asked: MatchRequest): Matched {
    const { index } = this
    const { typed, depth } = asked
    const isUntyped = typed.words.length === 0
    const minSessions = Math.max(asked.minSessions, UNTYPED_SESSIONS_MIN)
    const request = isUntyped ? { ...asked, minSessions } : asked
    const ranks = ranksOf(this.#guardedCounts(request, isUntyped), request)
    const ranges = beginningRanges(index, typed)
    const taken = Math.max(depth, request.interests.length > 0 ? LIFTED_AMONG : 0)
    const begun = ranks.top(ranges, taken)
    let total = ranks.count(ranges)
    const found: Found[] = []
    const add = (tier: number, entries: readonly Ranked[]): void => {
      for (const { entry, rank } of entries) found.push({ entry, rank, tier })
    }
    const isBegun = (entry: number): boolean => isWithin(ranges, entry)
    add(TIER.beginning, this.#lift(begun, request, ranks.of, isBegun))
    if (request.beginningOnly || isUntyped || total >= BEGINNING_MAX) {
      return { found, total, isWhole: begun.length === total }
    }
    const call = ++this.#call
    const exact = exactWords(index, typed)
    const elsewhere = this.#collect(exact, ranks.of, call, (entry) => !isBegun(entry))
    add(
      TIER.words,
      this.#lift(elsewhere, request, ranks.of, () => false),
    )
    total += elsewhere.length
    if (total >= EXACT_FEW)
      return { found, total, isWhole: begun.length + elsewhere.length === total }

    this.#markSeen(ranges, call)
    if (request.typos) {
      const near = nearWords(index, typed, exact)
      const mistyped = near === undefined ? [] : this.#collect(near, ranks.of, call, () => true)
      add(TIER.mistyped, mistyped)
      total += mistyped.length
    }
    const inside = infixWords(index, typed, exact)
    const infix = inside === undefined ? [] : this.#collect(inside, ranks.of, call, () => true)
    add(TIER.infix, infix)
    return { found, total: total + infix.length, isWhole: true }
  }

  /** If the request has tags, only searches with them count. */
  #counts({ window, tags, allTags }: MatchRequest): RankCounts {
    if (tags.length === 0) return this.index.windows[window]!
    return kept(this.#tagged, JSON.stringify([window, allTags, tags]), () =>
      taggedCounts(this.index, window, tags, allTags),
    )
  }

  #guardedCounts(request: MatchRequest, isUntyped: boolean): RankCounts {
    const { minPopularity, minSessions, minNetworks, window, tags, allTags } = request
    if (minPopularity <= 0 && minSessions <= 1 && minNetworks <= 1) return this.#counts(request)
    const guards = [minPopularity, minSessions, minNetworks, isUntyped]
    return kept(this.#guarded, JSON.stringify([window, allTags, tags, guards]), () =>
      guardedCounts(this.#counts(request), request, isUntyped ? this.index.folded : undefined),
    )
  }

  /** Entries that this call has not seen, with a word for each typed one; fewest mistakes first. */
  #collect(
    choices: readonly WordChoice[],
    rankOf: (entry: number) => number,
    call: number,
    isWanted: (entry: number) => boolean,
  ): Ranked[] {
    const { index } = this
    const found: (Ranked & { readonly mistakes: number })[] = []
    const driver = choices.toSorted((a, b) => a.postingCount - b.postingCount)[0]
    if (driver === undefined || driver.postingCount === 0) return []
    driver.forEachWord((word) => {
      for (const entry of index.postings.of(word)) {
        if (this.#seenBy[entry] === call) continue
        const mistakes = hasEvery(index, entry, choices)
        if (mistakes < 0) continue
        this.#seenBy[entry] = call
        if (!isWanted(entry)) continue
        const rank = rankOf(entry)
        if (rank > 0) found.push({ entry, rank, mistakes })
      }
    })
    return found.sort((a, b) => a.mistakes - b.mistakes || byRank(a, b))
  }

  #markSeen(ranges: readonly Range[], call: number): void {
    for (const { low, high } of ranges) this.#seenBy.fill(call, low, high)
  }

  /**
   * @param isIn whether an entry that the visitor searched for belongs to these, if it is not among
   * them
   */
  #lift(
    entries: readonly Ranked[],
    { interests }: MatchRequest,
    rankOf: (entry: number) => number,
    isIn: (entry: number) => boolean,
  ): Ranked[] {
    if (interests.length === 0) return [...entries]
    const { index } = this
    const known = new Set(entries.map(({ entry }) => entry))
    const own = interests
      .map(({ stems }) => index.find([...stems].join(' ')))
      .filter((entry) => entry >= 0 && !known.has(entry) && isIn(entry) && rankOf(entry) > 0)
    return [...entries, ...own.map((entry) => ({ entry, rank: rankOf(entry) }))]
      .map(({ entry, rank }) => {
        const stems = index.stemsOf(entry).map((stem) => index.stems.get(stem))
        return { entry, rank, lifted: rank * liftOf(interests, stems) }
      })
      .sort((a, b) => b.lifted - a.lifted || byRank(a, b))
  }
}

/** Entries that start with the typed text; after a finished word, another word must follow. */
function beginningRanges({ folded }: SuggestionIndex, typed: TypedText): Range[] {
  if (typed.words.length === 0) return [{ low: 0, high: folded.length }]
  if (typed.isOpen) return folded.begunRanges(typed.folded)
  const low = folded.lowerBound(typed.folded)
  // A blank sorts before all characters of words: the text itself, then longer ones with a blank
  // after it.
  const behind = folded.lowerBound(`${typed.folded} `, low)
  return [{ low, high: folded.prefixEnd(`${typed.folded} `, behind) }]
}

interface Ranks {
  of(entry: number): number
  top(ranges: readonly Range[], count: number): Ranked[]
  count(ranges: readonly Range[]): number
}

/** @param counts guarded */
function ranksOf({ rank, blockRank, ranked }: RankCounts, request: MatchRequest): Ranks {
  const { allowed } = request
  const of = (entry: number): number => {
    const full = rank[entry]!
    return allowed === undefined || allowed.has(entry) ? full : nameRank(full, request)
  }
  return {
    of,
    top: (ranges, count) =>
      ranges
        .flatMap(({ low, high }) => topEntries(low, high, count, blockRank, of))
        .sort(byRank)
        .slice(0, count),
    count: (ranges) => {
      let total = 0
      for (const { low, high } of ranges) {
        if (allowed === undefined) total += ranked[high]! - ranked[low]!
        else for (let entry = low; entry < high; entry++) if (of(entry) > 0) total++
      }
      return total
    },
  }
}

function kept(known: Map<string, RankCounts>, name: string, make: () => RankCounts): RankCounts {
  let counts = known.get(name)
  if (counts === undefined) {
    counts = make()
    if (known.size >= COUNTS_MAX) known.clear()
    known.set(name, counts)
  }
  return counts
}
