import {
  countedMin,
  SATURATED_MAX,
  saturate,
  SHORT_PREFIX_EVIDENCE,
  slotPoints,
  TIER_STEP,
  WEIGHT_SPLIT,
  WEIGHT_STRONG_MIN,
} from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'
import type { GroupAlternative, PhraseAlternative, ResolvedSlot } from '../words/resolved-slot.ts'

/**
 * The lists whose documents are ranked, if words have alternatives of several qualities: the likely
 * meaning of a misspelt word fills the page, and its fifteen other candidates are only counted.
 * Lists are essential, or not, in the sense of MaxScore (see `MatchStrategy`).
 */
export interface EssentialLists {
  /** Slots reduced to their essential alternatives, without slots that have none. */
  readonly slots: readonly EssentialSlot[]
  /** An essential list, not in `slots`, of which only the best documents need to be ranked. */
  readonly long: LongList | undefined
  /** Maximum score of a document without an essential list. */
  readonly unrankedScoreMax: number
}

export interface EssentialSlot {
  /** Index among the known slots. */
  readonly index: number
  readonly slot: ResolvedSlot
}

/**
 * A list of the only word of a query: for most of its documents, nothing else adds to the score.
 */
export interface LongList {
  readonly group: number
  /** The best of its forms. */
  readonly quality: number
  readonly slotWeight: number
}

/** Alternatives of one slot with the same quality. */
interface Level {
  readonly index: number
  readonly quality: number
  readonly groups: GroupAlternative[]
  readonly phrases: PhraseAlternative[]
  isShortPrefix: boolean
  /** Approximate number of postings. */
  size: number
}

/**
 * Lists left out may score at most this share of the lists that fill the page; otherwise their
 * documents would rarely lose.
 */
const REST_SCORE_SHARE = 0.8
/** Essential lists may have one in this many postings; with more, ranking all costs hardly more. */
const ESSENTIAL_RATIO_MIN = 3
/** Lists left out must have this many times the postings that are always ranked. */
const LEFT_OUT_MIN = 8
/** Share of the documents of a long list that are ranked, roughly. */
const LONG_LIST_SHARE = 1 / 8

/** @param pageEnd the rank after the page @returns undefined if all lists count, or nearly all */
export function essentialLists(
  view: IndexView,
  known: readonly ResolvedSlot[],
  pageEnd: number,
): EssentialLists | undefined {
  const levels = known.flatMap((slot, index) => levelsOf(view, slot, index))
  const long = known.length === 1 ? longList(view, known[0]!, levels) : undefined
  if (levels.length === known.length && long === undefined) return undefined
  const scoreMaxes = new Map(levels.map((level) => [level, scoreMaxOf(known, [level])]))
  levels.sort((a, b) => scoreMaxes.get(b)! - scoreMaxes.get(a)!)
  const longSize = long === undefined ? 0 : view.terms.groupDocFreq(long.group)
  const total = levels.reduce((sum, level) => sum + level.size, 0)
  let size = 0
  let count = 0
  for (let limit = -Infinity; count < levels.length; count++) {
    const mayBeLeftOut = long === undefined || levels[count]!.quality < WEIGHT_STRONG_MIN
    if (mayBeLeftOut && scoreMaxOf(known, levels.slice(count)) <= limit) break
    size += levels[count]!.size
    if ((size - longSize) * ESSENTIAL_RATIO_MIN > total) return undefined
    if (size >= pageEnd && limit === -Infinity) {
      limit = REST_SCORE_SHARE * scoreMaxes.get(levels[count]!)!
    }
  }
  const ranked = size - longSize * (1 - LONG_LIST_SHARE)
  if (total - ranked < LEFT_OUT_MIN * view.rankAllMax) return undefined
  const rest = levels.slice(count)
  const essential = levels.slice(0, count)
  return {
    slots: known.flatMap((slot, index) => {
      const own = essential.filter((level) => level.index === index)
      return own.length === 0 ? [] : [{ index, slot: reduced(slot, own, long?.group) }]
    }),
    long,
    unrankedScoreMax:
      rest.length === 0
        ? -Infinity
        : (hasUpperTier(known, rest) ? TIER_STEP : 0) + scoreMaxOf(known, rest),
  }
}

function levelsOf({ terms }: IndexView, slot: ResolvedSlot, index: number): Level[] {
  const levels = new Map<number, Level>()
  const levelOf = (quality: number): Level => {
    let level = levels.get(quality)
    if (level === undefined) {
      level = { index, quality, groups: [], phrases: [], isShortPrefix: false, size: 0 }
      levels.set(quality, level)
    }
    return level
  }
  for (const alternative of slot.groups) {
    const level = levelOf(alternative.best)
    level.groups.push(alternative)
    level.size += terms.groupDocFreq(alternative.group)
  }
  for (const phrase of slot.phrases) {
    const level = levelOf(phrase.documents[0]?.quality ?? WEIGHT_SPLIT)
    level.phrases.push(phrase)
    for (const { docOrds } of phrase.documents) level.size += docOrds.length
  }
  if (slot.shortPrefix === undefined) return [...levels.values()]
  const { quality } = slot.shortPrefix
  const size = slot.docFreq
  return [
    ...levels.values(),
    { index, quality, groups: [], phrases: [], isShortPrefix: true, size },
  ]
}

/**
 * The longest of the strong lists of a word, if few other documents have a strong alternative:
 * those are all ranked, and the others score by this list alone, because weak alternatives do not
 * add to it.
 */
function longList(
  { terms }: IndexView,
  { weight }: ResolvedSlot,
  levels: readonly Level[],
): LongList | undefined {
  const strong = levels.flatMap(({ groups }) => groups).filter(({ isStrong }) => isStrong)
  if (strong.length === 0) return undefined
  const longest = strong.reduce((a, b) =>
    terms.groupDocFreq(b.group) > terms.groupDocFreq(a.group) ? b : a,
  )
  return { group: longest.group, quality: longest.best, slotWeight: weight }
}

/** Maximum points of a document with only these levels. */
function scoreMaxOf(known: readonly ResolvedSlot[], levels: readonly Level[]): number {
  return known.reduce((sum, { weight }, index) => {
    let quality = 0
    let saturated = saturate(SHORT_PREFIX_EVIDENCE)
    for (const level of levels) {
      if (level.index !== index) continue
      quality = Math.max(quality, level.quality)
      if (!level.isShortPrefix) saturated = SATURATED_MAX
    }
    return sum + slotPoints(weight, quality, saturated)
  }, 0)
}

/** Whether a document with only these levels can have all significant slots. */
function hasUpperTier(known: readonly ResolvedSlot[], levels: readonly Level[]): boolean {
  return known.every(
    ({ slot, hasNeighbours }, i) =>
      slot.stopword ||
      levels.some(({ index, quality }) => index === i && quality >= countedMin(hasNeighbours)),
  )
}

function reduced(
  slot: ResolvedSlot,
  levels: readonly Level[],
  without: number | undefined,
): ResolvedSlot {
  return {
    ...slot,
    groups: levels.flatMap(({ groups }) => groups).filter(({ group }) => group !== without),
    phrases: levels.flatMap(({ phrases }) => phrases),
    shortPrefix: levels.some(({ isShortPrefix }) => isShortPrefix) ? slot.shortPrefix : undefined,
  }
}
