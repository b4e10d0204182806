import { MARKS_MAX_CHARS, SNIPPET_TOKEN_LIMIT_DEFAULT } from '@aisle/contract'
import { DeadlineReached, deadlineCheck, TextMarker } from '@aisle/engine'
import type { Analyzer, Marks, MatchWords } from '@aisle/engine'
import { isNamed } from '../../domain/documents/nested-fields.ts'
import { matchWords } from '../../domain/plan/match-words.ts'
import {
  afterSpace,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACKET,
  QUOTE,
  stringEnd,
} from '../../domain/json/byte-members.ts'
import { valueAtPath } from '../../domain/json/json-paths.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import type { MemberPlaces } from '../../domain/json/member-places.ts'
import { AnswerWriter } from './answer-writer.ts'
import type { ExecutedSearch } from './executed-search.ts'
import { markedFields, type MarkedField, type MarkedFields } from './marked-fields.ts'
import { showValue, wholeText, type ShownText } from './shown-text.ts'

/** A text, or a list of them, that is marked in steps: start and end of its JSON. */
interface LongText {
  readonly field: MarkedField
  readonly start: number
  readonly end: number
}

/** Such a text with its marks, as JSON; empty: without any. */
interface MarkedLong {
  readonly answer: AnswerWriter
  readonly chars: number
}

/** Texts of this many bytes are marked in steps, which last a millisecond or two. */
export const LONG_TEXT_BYTES = 64 * 1024
/** Bytes of a long list of short texts that are marked in one step. */
const LIST_STEP_BYTES = 16 * 1024
/** Starts and ends of marks written in one step. */
const RANGES_PER_STEP = 16_384

const MARKS: Marks = { before: '<mark>', after: '</mark>', escape: true }
const NO_WORDS: MatchWords = []
const WRITTEN_MARKS = writtenMarks(MARKS)
const QUOTES = Buffer.from('"')
const NO_RANGES: readonly number[] = []

/** Marks the matches of a search in the stored texts of hits. */
export class HitMarker {
  /** Whether time ran out before every hit was marked. */
  cutoff = false
  /** Whether there were more marked texts than a response may have; the rest is omitted. */
  isCut = false
  #chars = 0
  readonly #executed: ExecutedSearch
  readonly #words: MatchWords
  readonly #markers: { readonly analyzer: Analyzer; readonly marker: TextMarker }[] = []
  readonly #fields: MarkedFields
  readonly #hasHighlight: boolean
  /** The fields of `highlight`. */
  readonly #marks: Marks
  /** The same as JSON. */
  readonly #written: WrittenMarks
  readonly #checkDeadline: () => void
  /** The long texts of the next document. */
  readonly #long = new Map<MarkedField, MarkedLong>()
  readonly #longSnippets = new Map<MarkedField, string>()
  /** Places of the values of the marked fields in the document that was read last. */
  readonly #places: MemberPlaces

  constructor(executed: ExecutedSearch) {
    const { schema, analyzer, request, planned, outcome } = executed
    const { plan } = planned
    this.#executed = executed
    this.#checkDeadline = deadlineCheck(plan.deadlineMs)
    this.#words = matchWords(plan.slots, outcome.expansions, analyzer)
    this.#fields = markedFields(schema, analyzer, plan.fieldWeights, request)
    this.#places = this.#fields.places
    this.#hasHighlight = request.highlight ?? request.widget_mode !== true
    const { highlight_prefix: before, highlight_suffix: after, highlight_escape: escape } = request
    const isUsual = before === undefined && after === undefined && escape !== false
    this.#marks = isUsual
      ? MARKS
      : {
          before: before ?? MARKS.before,
          after: after ?? MARKS.after,
          escape: escape ?? MARKS.escape,
        }
    this.#written = isUsual ? WRITTEN_MARKS : writtenMarks(this.#marks)
  }

  #markerOf({ analyzer, isSearched }: MarkedField): TextMarker {
    if (!isSearched || this.#words.length === 0) {
      return new TextMarker(this.#executed.analyzer, NO_WORDS, this.#checkDeadline)
    }
    const known = this.#markers.find((one) => one.analyzer === analyzer)
    if (known !== undefined) return known.marker
    const marker = new TextMarker(analyzer, this.#words, this.#checkDeadline)
    this.#markers.push({ analyzer, marker })
    return marker
  }

  /**
   * Marks the long texts of a document in steps, before it is read and written: a text of a
   * megabyte takes 100 ms. At the deadline it stops, as `write` will.
   *
   * @param json the caller's own, because others read documents between two steps
   */
  *prepare(json: Buffer): Generator<void, void> {
    this.#forgetLong()
    this.#places.read(json)
    const { highlight, snippets } = this.#fields
    const isMarked = this.#hasHighlight && this.#words.length > 0
    const texts = isMarked ? this.#longTexts(highlight, QUOTE, OPEN_BRACKET) : []
    const excerpts =
      this.#executed.request.include_snippets === true ? this.#longTexts(snippets, QUOTE) : []
    try {
      for (const text of texts) {
        if (this.cutoff || this.isCut) return
        const isList = json[text.start] === OPEN_BRACKET
        const marked = yield* isList ? this.#markedList(json, text) : this.#markedLong(json, text)
        if (marked !== undefined) this.#long.set(text.field, marked)
      }
      for (const { field, start, end } of excerpts) {
        if (this.cutoff || this.isCut) return
        const steps = this.#snippet(field).inSteps?.(JSON.parse(json.toString('utf8', start, end)))
        if (steps !== undefined) this.#longSnippets.set(field, yield* steps)
      }
    } catch (error) {
      if (!(error instanceof DeadlineReached)) throw error
    }
  }

  #forgetLong(): void {
    for (const { answer } of this.#long.values()) answer.discard()
    this.#long.clear()
    this.#longSnippets.clear()
  }

  /** @param firstBytes of the JSON of a value */
  #longTexts(fields: readonly MarkedField[], ...firstBytes: readonly number[]): LongText[] {
    const places = this.#places
    return fields.flatMap((field) => {
      const start = places.start(field.place)
      if (start < 0 || field.path.length > 0) return []
      if (!firstBytes.includes(places.json[start]!)) return []
      const end = places.end(field.place)
      return end - start < LONG_TEXT_BYTES ? [] : [{ field, start, end }]
    })
  }

  *#markedLong(json: Buffer, { field, start, end }: LongText): Generator<void, MarkedLong> {
    const answer = new AnswerWriter(this.#executed.pace.hold, 2 * (end - start))
    const ranges = yield* this.#markerOf(field).marksInSteps(json, start + 1, end - 1)
    if (ranges === undefined) return { answer, chars: 0 }
    answer.bytes(QUOTES)
    let chars = 2
    for (let from = 0; from < ranges.length; from += RANGES_PER_STEP) {
      chars += this.#writeRanges(answer, json, start, ranges, from, from + RANGES_PER_STEP)
      // The rest would be left out, too.
      if (this.#chars + chars > MARKS_MAX_CHARS) return { answer, chars }
      yield
    }
    chars += this.#writePart(answer, json, ranges.at(-1)!, end - 1)
    answer.bytes(QUOTES)
    return { answer, chars }
  }

  /** @returns undefined: not all elements are texts */
  *#markedList(
    json: Buffer,
    { field, start, end }: LongText,
  ): Generator<void, MarkedLong | undefined> {
    const answer = new AnswerWriter(this.#executed.pace.hold, 2 * (end - start))
    const chars = yield* this.#writeTexts(answer, json, start, this.#markerOf(field))
    if (chars === undefined) answer.discard()
    else if (chars === 0) answer.cut(0)
    return chars === undefined ? undefined : { answer, chars }
  }

  /** Reads the next document. */
  read(json: Uint8Array): void {
    this.#places.read(json)
  }

  /** Whether the document has a member `id`. */
  get hasId(): boolean {
    return this.#places.hasId
  }

  /**
   * Writes the marks of the document that was read last, as far as they are requested. If time runs
   * out, further hits come without marks.
   *
   * @param heads texts before the objects
   */
  write(answer: AnswerWriter, heads: { readonly highlight: string; readonly snippets: string }) {
    const { highlight, snippets } = this.#fields
    if (this.#hasHighlight) {
      this.#show(this.#words.length === 0 ? [] : highlight, heads.highlight, answer, true)
    }
    if (this.#executed.request.include_snippets === true) {
      this.#show(snippets, heads.snippets, answer, false)
    }
    if (this.#long.size + this.#longSnippets.size > 0) this.#forgetLong()
  }

  #show(
    fields: readonly MarkedField[],
    head: string,
    answer: AnswerWriter,
    isHighlight: boolean,
  ): void {
    if (this.cutoff || this.isCut) return answer.text(`${head}{}`)
    answer.text(head)
    let before = '{'
    for (const field of fields) {
      const length = answer.length
      let chars = 0
      try {
        chars = this.#writeField(field, before, answer, isHighlight)
      } catch (error) {
        if (!(error instanceof DeadlineReached)) throw error
        this.cutoff = true
      }
      this.#chars += chars
      if (this.#chars > MARKS_MAX_CHARS) this.isCut = true
      if (chars === 0 || this.isCut) answer.cut(length)
      else before = ','
      if (this.isCut || this.cutoff) break
    }
    answer.text(before === '{' ? '{}' : '}')
  }

  /** @returns characters of the value; 0 if nothing of the field is shown */
  #writeField(
    field: MarkedField,
    before: string,
    answer: AnswerWriter,
    isHighlight: boolean,
  ): number {
    const places = this.#places
    const start = places.start(field.place)
    if (start < 0) return 0
    this.#checkDeadline()
    const { json } = places
    const end = places.end(field.place)
    const whole = isHighlight ? this.#markerOf(field) : undefined
    const isText = json[start] === QUOTE
    if (isText && field.path.length > 0) return 0
    const long = isHighlight ? this.#long.get(field) : this.#longSnippets.get(field)
    if (long !== undefined) {
      const written = typeof long === 'string' ? Buffer.from(long) : long.answer.written()
      if (written.length === 0) return 0
      answer.text(before + field.key)
      answer.bytes(written)
      return typeof long === 'string' ? long.length : long.chars
    }
    if (isText && whole !== undefined) {
      const ranges = whole.marksInJson(json, start + 1, end - 1)
      if (ranges === undefined) return 0
      answer.text(before + field.key)
      return this.#writeText(answer, json, start, end, ranges)
    }
    if (json[start] === OPEN_BRACKET && whole !== undefined && field.path.length === 0) {
      const { length } = answer
      answer.text(before + field.key)
      const chars = atOnce(this.#writeTexts(answer, json, start, whole))
      if (chars !== undefined) return chars
      answer.cut(length)
    }
    const text = isHighlight ? this.#highlighted(field) : this.#snippet(field)
    const parsed = this.#parse(json.toString('utf8', start, end))
    const value = showValue(text, valueAtPath(parsed, field.path))
    if (value === undefined) return 0
    answer.text(before + field.key + value)
    return value.length
  }

  /**
   * A text with its marks.
   *
   * @param start of its JSON
   * @param ranges as of `TextMarker.marksInJson`
   * @returns characters written
   */
  #writeText(
    answer: AnswerWriter,
    json: Buffer,
    start: number,
    end: number,
    ranges: readonly number[],
  ): number {
    const { length } = ranges
    answer.bytes(QUOTES)
    let chars = 2 + this.#writeRanges(answer, json, start, ranges, 0, length)
    chars += this.#writePart(answer, json, length === 0 ? start + 1 : ranges[length - 1]!, end - 1)
    answer.bytes(QUOTES)
    return chars
  }

  /** A text up to the end of some of its marks: `ranges[from .. to)`, or as many as there are. */
  #writeRanges(
    answer: AnswerWriter,
    json: Buffer,
    start: number,
    ranges: readonly number[],
    from: number,
    to: number,
  ): number {
    const { before, after, chars: ofMarks } = this.#written
    let at = from === 0 ? start + 1 : ranges[from - 1]!
    let chars = 0
    const end = Math.min(to, ranges.length)
    for (let i = from; i < end; i += 2) {
      chars += this.#writePart(answer, json, at, ranges[i]!)
      answer.bytes(before)
      at = ranges[i + 1]!
      chars += this.#writePart(answer, json, ranges[i]!, at)
      answer.bytes(after)
    }
    return chars + ((end - from) >> 1) * ofMarks
  }

  #writePart(answer: AnswerWriter, json: Buffer, from: number, to: number): number {
    if (this.#marks.escape) return answer.html(json, from, to)
    answer.bytes(json.subarray(from, to))
    return json.toString('utf8', from, to).length
  }

  /**
   * A list of texts, if one has a mark, in steps.
   *
   * @returns characters written, 0 if nothing is to be shown; undefined: not all are texts
   */
  *#writeTexts(
    answer: AnswerWriter,
    json: Buffer,
    start: number,
    marker: TextMarker,
  ): Generator<void, number | undefined> {
    let hasMarks = false
    let chars = 1
    let at = afterSpace(json, start + 1)
    let stepStart = at
    answer.text('[')
    while (json[at] === QUOTE) {
      // The rest would be left out, too.
      if (this.#chars + chars > MARKS_MAX_CHARS) return chars
      const end = stringEnd(json, at)
      const isLong = end - at >= LONG_TEXT_BYTES
      const ranges = isLong
        ? yield* marker.marksInSteps(json, at + 1, end - 1)
        : marker.marksInJson(json, at + 1, end - 1)
      if (ranges !== undefined) hasMarks = true
      chars += 1 + this.#writeText(answer, json, at, end, ranges ?? NO_RANGES)
      at = afterSpace(json, end)
      if (at - stepStart >= LIST_STEP_BYTES) {
        stepStart = at
        yield
      }
      if (json[at] !== COMMA) break
      answer.text(',')
      at = afterSpace(json, at + 1)
    }
    if (json[at] !== CLOSE_BRACKET) return undefined
    answer.text(']')
    return hasMarks ? chars : 0
  }

  #parse(json: string): unknown {
    return this.#fields.isExact ? parseExact(json) : JSON.parse(json)
  }

  /** Renders `highlight`: whole texts with a mark. */
  #highlighted(field: MarkedField): ShownText {
    return wholeText(this.#markerOf(field), this.#marks)
  }

  /** Renders `snippets`: excerpts, or the whole text if requested. */
  #snippet(field: MarkedField): ShownText {
    const { request, schema } = this.#executed
    const marks = {
      before: request.snippet_prefix ?? this.#marks.before,
      after: request.snippet_suffix ?? this.#marks.after,
      escape: this.#marks.escape,
    }
    const marker = this.#markerOf(field)
    const text = wholeText(marker, marks)
    if (isNamed(field.name, request.full_snippet_fields ?? [], schema)) {
      return { ...text, show: (value) => text.show(value) ?? text.plain(value) }
    }
    const limit = request.snippet_token_limit ?? SNIPPET_TOKEN_LIMIT_DEFAULT
    return {
      ...text,
      show: (value) => JSON.stringify(marker.snippet(value, limit, marks)),
      *inSteps(value) {
        return JSON.stringify(yield* marker.snippetInSteps(value, limit, marks))
      },
    }
  }
}

function atOnce<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

interface WrittenMarks {
  readonly before: Buffer
  readonly after: Buffer
  /** Number of characters of both. */
  readonly chars: number
  readonly escape: boolean
}

function writtenMarks({ before, after, escape }: Marks): WrittenMarks {
  const [first, last] = [before, after].map((mark) => JSON.stringify(mark).slice(1, -1)) as [
    string,
    string,
  ]
  return {
    before: Buffer.from(first),
    after: Buffer.from(last),
    chars: first.length + last.length,
    escape,
  }
}
