import type { Analyzer } from '../analysis/analyzer.ts'
import { UNIT_FORMS } from '../analysis/units.ts'
import { mayBeginOtherwise } from '../query/beginnings.ts'

/** What a search matched, for highlighting in any field of any document, by query term. */
export type MatchWords = readonly MatchTerm[]

/** A query term with all its alternatives. */
export interface MatchTerm {
  /** Marks every form with one of these stems. */
  readonly stems: readonly string[]
  /** Stems of words to mark only side by side, in this order: halves, synonyms of several words. */
  readonly sequences: readonly (readonly string[])[]
  /** Marks this prefix in forms that have it. */
  readonly prefix: string | undefined
  /** Marks the first occurrence in forms that contain one of these. */
  readonly infixes: readonly string[]
  /**
   * A stopword (the, for): marked only next to another marked word, unless all words are stopwords.
   */
  readonly isLittle: boolean
  /** Weight of the word; snippets prefer the heaviest. */
  readonly weight: number
}

/** Terms are bits of a mask. */
const MATCH_TERMS_MAX = 31

/** Inverted match words: from parts of a text to the matched terms. */
export interface MatchTable {
  /** Mask of terms by stem. */
  readonly stems: ReadonlyMap<string, number>
  /** Places of a stem in sequences. */
  readonly places: ReadonlyMap<string, readonly SequencePlace[]>
  readonly sequences: readonly {
    readonly length: number
    /** Number of its first place among the places of all sequences. */
    readonly firstPlace: number
    readonly terms: number
  }[]
  /** Number of places of all sequences. */
  readonly placeCount: number
  readonly prefixes: readonly { readonly text: string; readonly terms: number }[]
  readonly infixes: readonly { readonly text: string; readonly terms: number }[]
  /** First two letters of possible matches: most tokens begin differently. See `mayBegin`. */
  readonly beginnings: readonly number[]
  /** Their third letters, by `beginningNumber`; no restriction after a match of one letter. */
  readonly thirds: readonly number[]
  /** Whether a unit of measure or a size may match: they have one form for all spellings. */
  readonly mayBeUnit: boolean
  /** Terms to mark anywhere. */
  readonly marking: number
  /** By term. */
  readonly weights: readonly number[]
}

/** A place in a sequence. */
export interface SequencePlace {
  /** Index in `sequences`. */
  readonly sequence: number
  /** 0 is the first word. */
  readonly place: number
}

/** Inverts match words into a table for looking up tokens. */
export function buildMatchTable(
  words: MatchWords,
  analyzer: Pick<
    Analyzer,
    'stem' | 'firstLetters' | 'stemsBegin' | 'secondLetters' | 'thirdLetters'
  >,
): MatchTable {
  const terms = words.slice(0, MATCH_TERMS_MAX)
  const allLittle = terms.every((term) => term.isLittle)
  const stems = new Map<string, number>()
  const places = new Map<string, SequencePlace[]>()
  const sequences: { length: number; firstPlace: number; terms: number }[] = []
  let placeCount = 0
  const prefixes: { text: string; terms: number }[] = []
  const infixes: { text: string; terms: number }[] = []
  let marking = 0
  terms.forEach((term, number) => {
    const bit = 1 << number
    if (allLittle || !term.isLittle) marking |= bit
    for (const stem of term.stems) stems.set(stem, (stems.get(stem) ?? 0) | bit)
    for (const sequence of term.sequences) {
      sequence.forEach((stem, place) => {
        const known = places.get(stem)
        const entry = { sequence: sequences.length, place }
        if (known === undefined) places.set(stem, [entry])
        else known.push(entry)
      })
      sequences.push({ length: sequence.length, firstPlace: placeCount, terms: bit })
      placeCount += sequence.length
    }
    if (term.prefix !== undefined && term.prefix !== '') {
      prefixes.push({ text: term.prefix, terms: bit })
    }
    for (const text of term.infixes) if (text !== '') infixes.push({ text, terms: bit })
  })
  const beginnings = new Array<number>(FIRST_LETTERS).fill(0)
  const thirds = new Array<number>(BEGINNINGS).fill(0)
  const allow = (
    first: string,
    seconds: string | undefined,
    thirdLetters: string | undefined,
  ): void => {
    const row = letterNumber(first, 0)
    if (seconds === undefined) {
      beginnings[row] = ANY
      return
    }
    let letters = thirdLetters === undefined ? ANY : 0
    for (let i = 0; i < (thirdLetters ?? '').length; i++) {
      letters |= 1 << letterNumber(thirdLetters!, i)
    }
    for (let i = 0; i < seconds.length; i++) {
      const second = letterNumber(seconds, i)
      beginnings[row]! |= 1 << second
      thirds[beginningNumber(row, second)]! |= letters
    }
  }
  const ofUnits = unitStemsOf(analyzer)
  let mayBeUnit = prefixes.some(
    ({ text }) => beginsWithDigit(text) || UNIT_FORMS.some((form) => form.startsWith(text)),
  )
  const allowStem = (stem: string): void => {
    // 0.5in is also written 1/2 in.
    if (ofUnits.has(stem) || (beginsWithDigit(stem) && !isNumber(stem))) mayBeUnit = true
    const seconds = analyzer.secondLetters?.(stem)
    const third = analyzer.thirdLetters?.(stem)
    for (const first of analyzer.firstLetters?.(stem) ?? stem.charAt(0)) {
      allow(first, seconds, third)
    }
  }
  for (const stem of stems.keys()) allowStem(stem)
  for (const stem of places.keys()) allowStem(stem)
  for (const { text } of prefixes) {
    // What the last letter may become is not listed.
    const known = mayBeginOtherwise(text, analyzer) ? text.slice(0, -1) : text
    if (known.length > 0 && analyzer.stemsBegin !== true) allow(known, known[1], known[2])
    else beginnings.fill(ANY)
  }
  return {
    stems,
    places,
    sequences,
    placeCount,
    prefixes,
    infixes,
    beginnings,
    thirds,
    mayBeUnit,
    marking,
    weights: terms.map((term) => term.weight),
  }
}

function beginsWithDigit(text: string): boolean {
  const code = text.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

function isNumber(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!beginsWithDigit(text.charAt(i))) return false
  return true
}

const unitStems = new WeakMap<object, ReadonlySet<string>>()

/** The stems of all units of measure. */
function unitStemsOf(analyzer: Pick<Analyzer, 'stem'>): ReadonlySet<string> {
  let known = unitStems.get(analyzer)
  if (known === undefined) {
    known = new Set(UNIT_FORMS.map((form) => analyzer.stem(form)))
    unitStems.set(analyzer, known)
  }
  return known
}

/** Letters as numbers: a set of them may contain too many, never too few. */
const FIRST_LETTERS = 32
export const LETTER_MASK = FIRST_LETTERS - 1

/** A row with all letters. */
const ANY = -1

const BEGINNINGS = 64

/** Two letters as a number below `BEGINNINGS`; collisions are possible. */
function beginningNumber(first: number, second: number): number {
  return (first ^ (second << 1)) & (BEGINNINGS - 1)
}

/**
 * Whether a word with these three first letters, as numbers, may match, given that the first two
 * may.
 */
export function mayGoOn(
  { beginnings, thirds }: Pick<MatchTable, 'beginnings' | 'thirds'>,
  first: number,
  second: number,
  third: number,
): boolean {
  return (
    beginnings[first] === ANY || ((thirds[beginningNumber(first, second)]! >>> third) & 1) !== 0
  )
}

function letterNumber(word: string, at: number): number {
  return word.charCodeAt(at) & LETTER_MASK
}

/**
 * Whether the form, the text from `from` to `to`, may belong to a stem or a prefix of the table;
 * others need no look-up. (A stem tells how its forms begin; see `Language`.) A form of one letter
 * has 0 as its second.
 */
export function mayBegin(
  table: Pick<MatchTable, 'beginnings' | 'thirds'>,
  text: string,
  from: number,
  to: number,
): boolean {
  const first = letterNumber(text, from)
  const second = to - from > 1 ? letterNumber(text, from + 1) : 0
  if (((table.beginnings[first]! >>> second) & 1) === 0) return false
  return to - from < 3 || mayGoOn(table, first, second, letterNumber(text, from + 2))
}
