import { scanText, type Analyzer, type TokenSink } from '../analysis/analyzer.ts'
import { partEnd, PART_LENGTH } from '../analysis/text-parts.ts'
import { typedLength } from '../query/beginnings.ts'
import { GraphemeBorders } from './grapheme-borders.ts'
import { KnownWords } from './known-words.ts'
import { findLikelyWords, type StretchSink } from './likely-words.ts'
import { mayBegin, type MatchTable } from './match-words.ts'
import { originalRange } from './original-range.ts'
import { partEndInJson } from './json-parts.ts'

/** A part of a text that matched: a token, or the typed part of it. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Mask of the matched terms. */
  readonly terms: number
  /** Token positions that it covers, as [position, end). */
  readonly position: number
  readonly positionEnd: number
}

/** Tokens processed between two checks of the clock. */
const TOKENS_PER_CHECK = 4096

/**
 * Finds the parts of a text to mark, in time linear in its length.
 *
 * @param visitWord called with the position of every token that is not a joined spelling
 * @param checkDeadline throws at the deadline
 * @returns matches by start; they may overlap
 */
export function findMatches(
  text: string,
  analyzer: Analyzer,
  table: MatchTable,
  checkDeadline: () => void,
  visitWord?: (start: number, end: number) => void,
): readonly Match[] {
  const finder = new MatchFinder(analyzer, table, checkDeadline, visitWord)
  finder.read(text)
  return finder.finish()
}

/** The same in steps, for a long text. */
export function* findMatchesInSteps(
  text: string,
  analyzer: Analyzer,
  table: MatchTable,
  checkDeadline: () => void,
  visitWord?: (start: number, end: number) => void,
): Generator<void, readonly Match[]> {
  const finder = new MatchFinder(analyzer, table, checkDeadline, visitWord)
  for (let from = 0; from < text.length; yield) from = finder.readPart(text, from)
  return finder.finish()
}

/**
 * The same for stored texts, one after another, without making strings of them. Matches begin and
 * end on grapheme borders, and their positions only show which ones are adjacent.
 */
export class JsonMatchFinder {
  readonly #finder: MatchFinder

  constructor(analyzer: Analyzer, table: MatchTable, checkDeadline: () => void) {
    this.#finder = new MatchFinder(analyzer, table, checkDeadline, undefined)
  }

  /**
   * @param json has the text between the quotes of a JSON string, from `start` to `end`
   * @returns valid until the next call
   */
  find(json: Buffer, start: number, end: number): readonly Match[] {
    this.begin()
    for (let from = start; from < end; from = this.readPart(json, from, end));
    return this.finish()
  }

  /** Begins a text that is read part by part; nothing else may be found meanwhile. */
  begin(): void {
    this.#finder.begin()
  }

  /** @returns where the next part begins; `end` after the last */
  readPart(json: Buffer, from: number, end: number): number {
    const to = partEndInJson(json, from, end)
    this.#finder.readJson(json, from, to)
    return to
  }

  finish(): readonly Match[] {
    return this.#finder.finish()
  }
}

/** A token that may be a word of a sequence, if the others are next to it. */
interface Candidate {
  readonly sequence: number
  readonly place: number
  readonly match: Match
}

const NO_MATCHES: readonly Match[] = []
const NO_BYTES = Buffer.alloc(0)

/** One per thread: a thread almost always reads the texts of one search at a time. */
const knownWords = new KnownWords()

/**
 * Receives the tokens of a text part by part. A page has a thousand, and nearly all begin unlike
 * any query term: those cause no allocation. (With an object for each, marks took two thirds of
 * presenting a page.)
 */
class MatchFinder implements TokenSink, StretchSink {
  readonly #analyzer: Analyzer
  readonly #table: MatchTable
  readonly #checkDeadline: () => void
  readonly #visitWord: ((start: number, end: number) => void) | undefined
  readonly #matches: Match[] = []
  readonly #candidates: Candidate[] = []
  /** The current part, and its offset in the text. */
  #part = ''
  #offset = 0
  /** The stored text that contains the parts. */
  #json: Buffer = NO_BYTES
  /**
   * In the current part: position of its first token in the text, and of the token after its last.
   */
  #position = 0
  #nextPosition = 0
  #untilCheck = TOKENS_PER_CHECK

  constructor(
    analyzer: Analyzer,
    table: MatchTable,
    checkDeadline: () => void,
    visitWord: ((start: number, end: number) => void) | undefined,
  ) {
    this.#analyzer = analyzer
    this.#table = table
    this.#checkDeadline = checkDeadline
    this.#visitWord = visitWord
  }

  read(text: string): void {
    let from = 0
    do from = this.readPart(text, from)
    while (from < text.length)
  }

  /** @returns where the next part begins; the length of the text after the last */
  readPart(text: string, from: number): number {
    const to = text.length - from <= PART_LENGTH ? text.length : partEnd(text, from)
    const part = from === 0 && to === text.length ? text : text.slice(from, to)
    this.#scan(part, from)
    if (to < text.length) this.#checkDeadline()
    return to
  }

  /** Forgets the previous text. */
  begin(): void {
    // Setting the length calls into V8, even for an empty list.
    if (this.#matches.length > 0) this.#matches.length = 0
    if (this.#candidates.length > 0) this.#candidates.length = 0
    this.#nextPosition = 0
  }

  /** See `JsonMatchFinder`. */
  readJson(json: Buffer, start: number, end: number): void {
    this.#json = json
    if (end - start >= PART_LENGTH) this.#checkDeadline()
    const isWholeRead = this.#table.infixes.length > 0 || this.#analyzer.hasPlainWords !== true
    if (isWholeRead || end - start > PART_LENGTH) this.likelyStretch(start, end, false)
    else findLikelyWords(json, start, end, this.#table, this)
  }

  #scan(part: string, offset: number): void {
    this.#part = part
    this.#offset = offset
    this.#position = this.#nextPosition
    scanText(this.#analyzer, part, this)
  }

  likelyStretch(from: number, to: number, isPlain: boolean): void {
    if (isPlain) {
      this.#scan(this.#json.toString('latin1', from, to), from)
      return
    }
    const written = this.#json.toString('utf8', from, to)
    const text = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
    const matchesBefore = this.#matches.length
    const candidatesBefore = this.#candidates.length
    this.read(text)
    if (this.#matches.length + this.#candidates.length === matchesBefore + candidatesBefore) return
    const borders = new GraphemeBorders(text)
    const offsets = offsetsInJson(this.#json, from, text.length)
    const inJson = (match: Match): Match => ({
      ...match,
      start: offsets[borders.before(match.start)]!,
      end: offsets[borders.behind(match.end)]!,
    })
    for (let i = matchesBefore; i < this.#matches.length; i++) {
      this.#matches[i] = inJson(this.#matches[i]!)
    }
    for (let i = candidatesBefore; i < this.#candidates.length; i++) {
      const candidate = this.#candidates[i]!
      this.#candidates[i] = { ...candidate, match: inJson(candidate.match) }
    }
  }

  likelyWord(from: number, to: number): void {
    const position = this.#nextPosition++
    const word = knownWords.match(this.#json, from, to, this.#table, this.#analyzer)
    const { terms, marked, places } = word
    if (terms === 0 && places === undefined) return
    const positionEnd = position + 1
    if (terms !== 0) {
      this.#matches.push({ start: from, end: from + marked, terms, position, positionEnd })
    }
    if (places === undefined) return
    const match = { start: from, end: to, terms: 0, position, positionEnd }
    for (const place of places) this.#candidates.push({ ...place, match })
  }

  otherWord(): void {
    this.#nextPosition++
  }

  word(
    text: string,
    from: number,
    to: number,
    _hash: number,
    position: number,
    start: number,
    end: number,
  ): void {
    // Inner loop: almost all tokens end here.
    this.#nextPosition = this.#position + position + 1
    if (--this.#untilCheck === 0) this.#check()
    if (this.#visitWord !== undefined) this.#visitWord(this.#offset + start, this.#offset + end)
    if (this.#table.infixes.length === 0 && !mayBegin(this.#table, text, from, to)) return
    this.#match(text.slice(from, to), position, 1, start, end)
  }

  token(
    form: string,
    position: number,
    span: number,
    isJoined: boolean,
    start: number,
    end: number,
  ): void {
    this.#nextPosition = this.#position + position + 1
    if (--this.#untilCheck === 0) this.#check()
    if (!isJoined) this.#visitWord?.(this.#offset + start, this.#offset + end)
    this.#match(form, position, span, start, end)
  }

  #check(): void {
    this.#untilCheck = TOKENS_PER_CHECK
    this.#checkDeadline()
  }

  #match(form: string, position: number, span: number, start: number, end: number): void {
    const { stems, places, prefixes, infixes } = this.#table
    if (mayBegin(this.#table, form, 0, form.length)) {
      const stem = this.#analyzer.stem(form)
      const terms = stems.get(stem)
      if (terms !== undefined) this.#matches.push(this.#matchOf(start, end, position, span, terms))
      const taken = places.size === 0 ? undefined : places.get(stem)
      if (taken !== undefined) {
        const match = this.#matchOf(start, end, position, span, 0)
        for (const place of taken) this.#candidates.push({ ...place, match })
      }
      for (const { text, terms: begun } of prefixes) {
        const length = typedLength(form, text, this.#analyzer)
        if (length < 0) continue
        const part = originalRange(this.#part, { form, start, end }, 0, length)
        this.#matches.push(this.#matchOf(part.start, part.end, position, span, begun))
      }
    }
    for (const { text, terms } of infixes) {
      const at = form.indexOf(text)
      if (at < 0) continue
      const part = originalRange(this.#part, { form, start, end }, at, at + text.length)
      this.#matches.push(this.#matchOf(part.start, part.end, position, span, terms))
    }
  }

  #matchOf(start: number, end: number, position: number, span: number, terms: number): Match {
    return {
      start: start + this.#offset,
      end: end + this.#offset,
      terms,
      position: this.#position + position,
      positionEnd: this.#position + position + span,
    }
  }

  finish(): readonly Match[] {
    this.#takeSequences()
    if (this.#matches.length === 0) return NO_MATCHES
    // Almost always in order: only joined spellings and sequences are found late.
    if (!areInOrder(this.#matches)) {
      this.#matches.sort((a, b) => a.start - b.start || a.end - b.end)
    }
    return this.#withoutLoneStopwords(this.#matches)
  }

  /** Takes candidates where every place of their sequence is filled, position by position. */
  #takeSequences(): void {
    if (this.#candidates.length === 0) return
    const { sequences, placeCount } = this.#table
    const taken = new Set<number>()
    // A position and a place of a sequence as one number.
    const key = ({ match, sequence, place }: Candidate, wanted: number): number =>
      (match.position + wanted - place) * placeCount + sequences[sequence]!.firstPlace + wanted
    for (const candidate of this.#candidates) taken.add(key(candidate, candidate.place))
    for (const candidate of this.#candidates) {
      const { length, terms } = sequences[candidate.sequence]!
      let place = 0
      while (place < length && taken.has(key(candidate, place))) place++
      if (place === length) this.#matches.push({ ...candidate.match, terms })
    }
  }

  /** Marks a stopword only next to another word: "the" in "the tent", not in "of the". */
  #withoutLoneStopwords(matches: Match[]): Match[] {
    const { marking } = this.#table
    if (matches.every((match) => (match.terms & marking) !== 0)) return matches
    const kept: Match[] = []
    for (let i = 0; i < matches.length;) {
      const first = i
      let terms = 0
      let positionEnd = matches[i]!.position
      while (i < matches.length && matches[i]!.position <= positionEnd) {
        terms |= matches[i]!.terms
        positionEnd = Math.max(positionEnd, matches[i]!.positionEnd)
        i++
      }
      if ((terms & marking) !== 0) kept.push(...matches.slice(first, i))
    }
    return kept
  }
}

function areInOrder(matches: readonly Match[]): boolean {
  for (let i = 1; i < matches.length; i++) {
    const [before, match] = [matches[i - 1]!, matches[i]!]
    if (before.start > match.start || (before.start === match.start && before.end > match.end)) {
      return false
    }
  }
  return true
}

const BACKSLASH = 0x5c
const LOWER_U = 0x75
const ASCII_END = 0x80
const THREE_BYTES = 0xe0
const FOUR_BYTES = 0xf0

/** The offset in the JSON of each UTF-16 code unit of a text, and of its end. */
function offsetsInJson(json: Uint8Array, from: number, length: number): Uint32Array {
  const offsets = new Uint32Array(length + 1)
  let at = from
  for (let unit = 0; unit < length; unit++) {
    offsets[unit] = at
    const byte = json[at]!
    if (byte === BACKSLASH) at += json[at + 1] === LOWER_U ? 6 : 2
    else if (byte < ASCII_END) at++
    else if (byte < THREE_BYTES) at += 2
    else if (byte < FOUR_BYTES) at += 3
    else {
      offsets[++unit] = at
      at += 4
    }
  }
  offsets[length] = at
  return offsets
}
