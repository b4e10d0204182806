import type { Analyzer, Token } from '../analysis/analyzer.ts'
import { beginningBit } from './match-words.ts'
import type { MatchTable } from './match-words.ts'
import { originalRange } from './original-range.ts'
import type { Range } from './original-range.ts'
import { partEnd, PART_LENGTH } from './text-parts.ts'

/** A part of a text that matched: a token, or the typed part of it. */
export interface Match {
  readonly start: number
  readonly end: number
  /** Mask of the terms that it matched. */
  readonly terms: number
  /** Token positions that it covers: from here to before there. */
  readonly position: number
  readonly positionEnd: number
}

/** Tokens processed between two checks of the clock. */
const TOKENS_PER_CHECK = 4096

/**
 * Finds the parts of a text to mark, in time linear in its length.
 *
 * @param visitWord called with the position of every token that is not a joined spelling
 * @param checkDeadline throws when time is up
 * @returns in order of their starts; they may overlap
 */
export function findMatches(
  text: string,
  analyzer: Analyzer,
  table: MatchTable,
  checkDeadline: () => void,
  visitWord?: (start: number, end: number) => void,
): Match[] {
  const finder = new MatchFinder(analyzer, table)
  let position = 0
  let from = 0
  do {
    const to = text.length - from <= PART_LENGTH ? text.length : partEnd(text, from)
    const part = from === 0 && to === text.length ? text : text.slice(from, to)
    const tokens = analyzer.analyze(part)
    for (let i = 0; i < tokens.length; i++) {
      if (i % TOKENS_PER_CHECK === TOKENS_PER_CHECK - 1) checkDeadline()
      const token = tokens[i]!
      finder.read(part, token, position, from)
      if (token.kind !== 'joined') visitWord?.(from + token.start, from + token.end)
    }
    position += (tokens.at(-1)?.position ?? -1) + 1
    from = to
    if (from < text.length) checkDeadline()
  } while (from < text.length)
  return finder.finish()
}

/** A token that may be a word of a sequence, if the others stand beside it. */
interface Candidate {
  readonly sequence: number
  readonly place: number
  readonly match: Match
}

function matchOf(
  token: Token,
  { start, end }: Range,
  position: number,
  offset: number,
  terms: number,
): Match {
  return {
    start: start + offset,
    end: end + offset,
    terms,
    position: position + token.position,
    positionEnd: position + token.position + token.span,
  }
}

class MatchFinder {
  readonly #analyzer: Analyzer
  readonly #table: MatchTable
  readonly #matches: Match[] = []
  readonly #candidates: Candidate[] = []

  constructor(analyzer: Analyzer, table: MatchTable) {
    this.#analyzer = analyzer
    this.#table = table
  }

  /** @param position, offset of the part in the text, added to those of the token */
  read(part: string, token: Token, position: number, offset: number): void {
    const table = this.#table
    const { form } = token
    // Inner loop: nearly all tokens end here.
    const begins = (table.beginnings & beginningBit(form)) !== 0
    if (!begins && table.infixes.length === 0) return
    if (begins) {
      const stem = this.#analyzer.stem(form)
      const terms = table.stems.get(stem)
      if (terms !== undefined) this.#matches.push(matchOf(token, token, position, offset, terms))
      const places = table.places.size === 0 ? undefined : table.places.get(stem)
      if (places !== undefined) {
        const match = matchOf(token, token, position, offset, 0)
        for (const place of places) this.#candidates.push({ ...place, match })
      }
      for (const prefix of table.prefixes) {
        if (!form.startsWith(prefix.text)) continue
        const range = originalRange(part, token, 0, prefix.text.length)
        this.#matches.push(matchOf(token, range, position, offset, prefix.terms))
      }
    }
    for (const infix of table.infixes) {
      const at = form.indexOf(infix.text)
      if (at < 0) continue
      const range = originalRange(part, token, at, at + infix.text.length)
      this.#matches.push(matchOf(token, range, position, offset, infix.terms))
    }
  }

  finish(): Match[] {
    this.#takeSequences()
    const matches = this.#matches.sort((a, b) => a.start - b.start || a.end - b.end)
    return this.#withoutLoneLittleWords(matches)
  }

  /** Candidates count where every place of their sequence is taken, position by position. */
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

  /**
   * A stopword is marked only next to a word that is not one: "the" in "the tent", not in "of the".
   */
  #withoutLoneLittleWords(matches: Match[]): Match[] {
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
