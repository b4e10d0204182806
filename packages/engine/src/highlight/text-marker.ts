import type { Analyzer } from '../analysis/analyzer.ts'
import { escapeHtml } from './escape-html.ts'
import { findMatches, findMatchesInSteps, JsonMatchFinder, type Match } from './find-matches.ts'
import { GraphemeBorders } from './grapheme-borders.ts'
import { buildMatchTable, type MatchTable, type MatchWords } from './match-words.ts'
import type { Range } from './original-range.ts'
import { bestStretch, windowAround } from './snippet-window.ts'

/** The text around a match, and whether everything else is escaped for HTML. */
export interface Marks {
  readonly before: string
  readonly after: string
  readonly escape: boolean
}

/** Replaces omitted text in a snippet. */
const ELLIPSIS = '…'

/**
 * Maximum UTF-16 code units of a snippet per token of its limit: texts with few words (rows of
 * symbols, one word of a megabyte) are cut between characters.
 */
export const SNIPPET_LENGTH_PER_TOKEN_MAX = 32

/**
 * Marks the matches of one search in texts. Matches that overlap or touch share one mark; a mark
 * never begins or ends within a grapheme. Without the marks the result is the text, optionally
 * escaped.
 *
 * Thread safety: none needed; a marker serves one search.
 */
export class TextMarker {
  readonly #analyzer: Analyzer
  readonly #table: MatchTable
  readonly #checkDeadline: () => void
  /** Created for the first stored text. */
  #inJson: JsonMatchFinder | undefined

  /** @param checkDeadline throws at the deadline; called now and then while reading a text */
  constructor(analyzer: Analyzer, words: MatchWords, checkDeadline: () => void = () => undefined) {
    this.#analyzer = analyzer
    this.#table = buildMatchTable(words, analyzer)
    this.#checkDeadline = checkDeadline
  }

  /** The whole text with its matches marked; undefined if there are none. */
  mark(text: string, marks: Marks): string | undefined {
    const matches = this.#matchesIn(text)
    if (matches.length === 0) return undefined
    return write(text, { start: 0, end: text.length }, marksOf(text, matches), marks)
  }

  /**
   * The marks of a stored text in its JSON: start and end of each, in bytes, ascending and
   * disjoint; undefined if there are none.
   *
   * @param json has the text between the quotes of a JSON string, from `start` to `end`
   */
  marksInJson(json: Buffer, start: number, end: number): readonly number[] | undefined {
    return rangesOf(this.#jsonFinder().find(json, start, end))
  }

  /** The same in steps, for a long text. */
  *marksInSteps(
    json: Buffer,
    start: number,
    end: number,
  ): Generator<void, readonly number[] | undefined> {
    // Another text may be marked between two steps.
    const finder = this.#newFinder()
    finder.begin()
    for (let from = start; from < end;) {
      from = finder.readPart(json, from, end)
      yield
    }
    const matches = finder.finish()
    yield
    return rangesOf(matches)
  }

  #jsonFinder(): JsonMatchFinder {
    return (this.#inJson ??= this.#newFinder())
  }

  #newFinder(): JsonMatchFinder {
    return new JsonMatchFinder(this.#analyzer, this.#table, this.#checkDeadline)
  }

  /**
   * The window of the text, at most `tokenLimit` tokens, that shows the matches best
   * (`bestStretch`), or the start of the text without matches. `ELLIPSIS` replaces omitted text.
   */
  snippet(text: string, tokenLimit: number, marks: Marks): string {
    const words = new WordBorders()
    const matches = this.#matchesIn(text, words.add)
    return this.#cutOut(text, matches, words, tokenLimit, marks)
  }

  /** The same in steps, for a long text. */
  *snippetInSteps(text: string, tokenLimit: number, marks: Marks): Generator<void, string> {
    const words = new WordBorders()
    const [analyzer, table] = [this.#analyzer, this.#table]
    const find = findMatchesInSteps(text, analyzer, table, this.#checkDeadline, words.add)
    const matches = yield* find
    yield
    return this.#cutOut(text, matches, words, tokenLimit, marks)
  }

  #cutOut(
    text: string,
    matches: readonly Match[],
    { starts, ends }: WordBorders,
    tokenLimit: number,
    marks: Marks,
  ): string {
    const stretch = bestStretch(matches, this.#table.weights, tokenLimit) ?? { from: 0, to: 0 }
    const window = windowAround(stretch, starts.length, tokenLimit)
    const shown = shortened(
      text,
      {
        start: window.from === 0 ? 0 : starts[window.from]!,
        end: window.to === starts.length ? text.length : ends[window.to - 1]!,
      },
      starts[stretch.from] ?? 0,
      tokenLimit * SNIPPET_LENGTH_PER_TOKEN_MAX,
    )
    const shownMatches = matches.filter(({ start, end }) => end > shown.start && start < shown.end)
    const excerpt = write(text, shown, marksOf(text, shownMatches), marks)
    return (shown.start > 0 ? ELLIPSIS : '') + excerpt + (shown.end < text.length ? ELLIPSIS : '')
  }

  #matchesIn(text: string, visitWord?: (start: number, end: number) => void): readonly Match[] {
    return findMatches(text, this.#analyzer, this.#table, this.#checkDeadline, visitWord)
  }
}

/** Where the words of a text begin and end, in order. */
class WordBorders {
  readonly starts: number[] = []
  readonly ends: number[] = []
  readonly add = (start: number, end: number): void => {
    this.starts.push(start)
    this.ends.push(end)
  }
}

/** Start and end of each mark, from matches in JSON. */
function rangesOf(matches: readonly Match[]): number[] | undefined {
  if (matches.length === 0) return undefined
  const ranges: number[] = []
  let last = -1
  for (const match of matches) {
    if (match.start > last) ranges.push(match.start, match.end)
    else if (match.end > last) ranges[ranges.length - 1] = match.end
    last = Math.max(last, match.end)
  }
  return ranges
}

/** Ranges to mark: ascending, disjoint, on grapheme borders. */
function marksOf(text: string, matches: readonly Match[]): Range[] {
  const borders = new GraphemeBorders(text)
  const ranges: { start: number; end: number }[] = []
  for (const match of matches) {
    const start = borders.before(match.start)
    const end = borders.behind(match.end)
    const last = ranges.at(-1)
    if (last === undefined || start > last.end) ranges.push({ start, end })
    else if (end > last.end) last.end = end
  }
  return ranges
}

/**
 * Moves the range to grapheme borders and within the maximum length of a snippet.
 *
 * @param anchor must stay in it
 */
function shortened(text: string, { start, end }: Range, anchor: number, lengthMax: number): Range {
  const borders = new GraphemeBorders(text)
  if (end - start <= lengthMax) return { start: borders.before(start), end: borders.behind(end) }
  const from = Math.max(start, Math.min(anchor - (lengthMax >> 1), end - lengthMax))
  const to = borders.before(from + lengthMax)
  return { start: borders.before(from), end: to > from ? to : borders.behind(from + lengthMax) }
}

/** A part of the text with its marks, which are clipped to it. */
function write(text: string, shown: Range, ranges: readonly Range[], marks: Marks): string {
  const written = marks.escape ? escapeHtml : (part: string): string => part
  let result = ''
  let at = shown.start
  for (const range of ranges) {
    const start = Math.max(range.start, shown.start)
    const end = Math.min(range.end, shown.end)
    if (start >= end) continue
    result += written(text.slice(at, start))
    result += marks.before + written(text.slice(start, end)) + marks.after
    at = end
  }
  return result + written(text.slice(at, shown.end))
}
