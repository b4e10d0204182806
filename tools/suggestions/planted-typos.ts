import { SeededRandom } from '@aisle/testing'

/** Text that visitors of a catalog type, with planted misspellings. */
export interface PlantedSet {
  /** Documents with a misspelt word in their titles. */
  readonly documents: readonly Readonly<Record<string, unknown>>[]
  /** Searches, each with its number of visitors. */
  readonly searches: readonly { readonly query: string; readonly visitors: number }[]
  readonly cases: readonly PlantedCase[]
  /** All misspellings, in the form of a suggestion. */
  readonly typos: ReadonlySet<string>
}

export interface PlantedCase {
  readonly kind: PlantedKind
  /** A prefix for which suggestions are requested. */
  readonly prefix: string
  readonly typo: string
  /** The intended text; a suggestion that contains it is good. */
  readonly meant: string
}

/** The source of a misspelling. */
export const PLANTED_KINDS = [
  'one visitor',
  'one visitor, and a few titles',
  'a few titles',
  'the first of two words',
  'the second of two words',
  'the prefix is misspelt',
  'two words joined',
] as const
export type PlantedKind = (typeof PLANTED_KINDS)[number]

export interface PlantingOptions {
  readonly titleField: string
  readonly cases: number
  readonly seed: number
  /** Misspellings that people make, by the intended word; others are generated. */
  readonly known?: ReadonlyMap<string, readonly string[]>
}

type Document = Readonly<Record<string, unknown>>

/** A word in at least this many titles is common, so that a few misspelt titles are a minority. */
const TITLES_MIN = 40
const COMMON_WORDS = 2_000
const WORD_MIN_LETTERS = 6
/** Number of titles with a misspelling of the catalog, as in real catalogs. */
const MISSPELT_TITLES = 3
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/**
 * Misspellings of common words of a catalog, in the traffic of single visitors and in a few titles.
 * The same catalog and seed give the same misspellings.
 */
export function plantTypos(documents: readonly Document[], options: PlantingOptions): PlantedSet {
  const { titleField, seed, cases: caseCount, known = new Map() } = options
  const random = new SeededRandom(seed)
  const titles = documents.map((document) => titleOf(document, titleField))
  const { counts, next } = countWords(titles)
  const common = [...counts]
    .filter(([word, count]) => count >= TITLES_MIN && word.length >= WORD_MIN_LETTERS)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, COMMON_WORDS)
    .map(([word]) => word)
  const typos = new Set<string>()
  const cases: PlantedCase[] = []
  const searches = new Map<string, number>()
  const misspelt: Document[] = []
  const chosen = random.several(common, common.length)
  for (let round = 0; cases.length < caseCount && round < 2 * chosen.length; round++) {
    const word = chosen[round % chosen.length]!
    const kind = PLANTED_KINDS[cases.length % PLANTED_KINDS.length]!
    const follower = commonest(next.get(word))
    const before = commonestBefore(next, word)
    const typo = misspell(word, counts, random, known.get(word))
    if (typo === undefined || typos.has(typo)) continue
    const made = makeCase(kind, {
      word,
      typo,
      follower,
      before,
      isWord: (text) => counts.has(text),
    })
    if (made === undefined) continue
    for (const one of made.typos) typos.add(one)
    cases.push({ kind, prefix: made.prefix, typo: made.typed, meant: made.meant })
    if (kind !== 'a few titles') searches.set(made.typed, 1)
    // Most intended texts are also searched in the correct spelling, by one or two visitors.
    const right = random.below(3)
    if (right > 0) searches.set(made.meant, Math.max(right, searches.get(made.meant) ?? 0))
    if (!kind.includes('few titles')) continue
    const holders = documents.filter((_, i) => wordsOf(titles[i]!).includes(word))
    for (const [i, holder] of random.several(holders.slice(0, 200), MISSPELT_TITLES).entries()) {
      const title = titleOf(holder, titleField).replaceAll(new RegExp(`\\b${word}\\b`, 'gi'), typo)
      misspelt.push({ ...holder, id: `planted-${cases.length}-${i}`, [titleField]: title })
    }
  }
  return {
    documents: misspelt,
    searches: [...searches].map(([query, visitors]) => ({ query, visitors })),
    cases,
    typos,
  }
}

function titleOf(document: Document, field: string): string {
  const title = document[field]
  return typeof title === 'string' ? title : ''
}

interface Parts {
  readonly word: string
  readonly typo: string
  readonly follower: string | undefined
  readonly before: string | undefined
  readonly isWord: (text: string) => boolean
}

/** @returns undefined if the word has no neighbours for such a case */
function makeCase(
  kind: PlantedKind,
  { word, typo, follower, before, isWord }: Parts,
): { prefix: string; typed: string; meant: string; typos: string[] } | undefined {
  const shared = sharedLength(word, typo)
  const prefix = typo.slice(0, Math.max(3, Math.min(4, shared)))
  if (kind === 'the first of two words' || kind === 'the prefix is misspelt') {
    if (follower === undefined) return undefined
    const typed = `${typo} ${follower}`
    const begun = kind === 'the prefix is misspelt' ? `${typo} ${follower.slice(0, 1)}` : prefix
    return { prefix: begun, typed, meant: `${word} ${follower}`, typos: [typo] }
  }
  if (kind === 'the second of two words') {
    if (before === undefined) return undefined
    const typed = `${before} ${typo}`
    const begun = `${before} ${typo.slice(0, 2)}`
    return { prefix: begun, typed, meant: `${before} ${word}`, typos: [typo] }
  }
  if (kind === 'two words joined') {
    if (follower === undefined || isWord(word + follower)) return undefined
    const typed = word + follower
    return { prefix: word.slice(0, 4), typed, meant: `${word} ${follower}`, typos: [typed] }
  }
  return { prefix, typed: typo, meant: word, typos: [typo] }
}

/** One edit after the third letter, like most typos; undefined: all results are words. */
function misspell(
  word: string,
  words: ReadonlyMap<string, number>,
  random: SeededRandom,
  known: readonly string[] = [],
): string | undefined {
  const isUsable = (text: string): boolean =>
    // A shortened word is a prefix, not a typo.
    !word.startsWith(text) &&
    !words.has(text) &&
    !words.has(`${text}s`) &&
    sharedLength(word, text) >= 2
  const ready = known.find(isUsable)
  if (ready !== undefined) return ready
  for (let attempt = 0; attempt < 20; attempt++) {
    const at = 3 + random.below(word.length - 4)
    const letter = LETTERS[random.below(LETTERS.length)]!
    const text = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + word[at]! + word.slice(at),
      word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
      word.slice(0, at) + letter + word.slice(at + 1),
    ][random.below(4)]!
    if (isUsable(text)) return text
  }
  return undefined
}

function sharedLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** Words consisting of letters, with the frequencies of their successors. */
function countWords(titles: readonly string[]): {
  counts: Map<string, number>
  next: Map<string, Map<string, number>>
} {
  const counts = new Map<string, number>()
  const next = new Map<string, Map<string, number>>()
  for (const title of titles) {
    const words = wordsOf(title)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [i, word] of words.entries()) {
      const follower = words[i + 1]
      if (follower === undefined || follower.length < 4 || follower === word) continue
      if (!title.toLowerCase().includes(`${word} ${follower}`)) continue
      const followers = next.get(word) ?? new Map<string, number>()
      followers.set(follower, (followers.get(follower) ?? 0) + 1)
      next.set(word, followers)
    }
  }
  return { counts, next }
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? []
}

const COMPANY_MIN = 3

function commonest(counts: ReadonlyMap<string, number> = new Map()): string | undefined {
  const [best] = [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return best !== undefined && best[1] >= COMPANY_MIN ? best[0] : undefined
}

function commonestBefore(
  next: ReadonlyMap<string, ReadonlyMap<string, number>>,
  word: string,
): string | undefined {
  const counts = new Map<string, number>()
  for (const [before, followers] of next) {
    const count = followers.get(word)
    if (count !== undefined && before.length >= 4) counts.set(before, count)
  }
  return commonest(counts)
}
