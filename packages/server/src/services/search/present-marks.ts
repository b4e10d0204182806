import {
  MARKS_MAX_CHARS,
  SNIPPET_TOKEN_LIMIT_DEFAULT,
  type SearchParameters,
} from '@aisle/contract'
import {
  DeadlineReached,
  deadlineCheck,
  elementType,
  escapeHtml,
  fieldAnalyzer,
  TextMarker,
  type Analyzer,
  type Field,
  type Marks,
  type Schema,
} from '@aisle/engine'
import { matchWords } from '../../domain/plan/match-words.ts'
import { isOmitted, keysOf } from '../../domain/documents/nested-fields.ts'
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
import { MemberPlaces } from '../../domain/json/member-places.ts'
import type { AnswerWriter } from './answer-writer.ts'
import type { ExecutedSearch } from './executed-search.ts'

/** How one field is shown in `highlight` or in `snippets`. */
interface MarkedField {
  readonly name: string
  /** Number of the member of the document that it is, or is in … */
  readonly place: number
  /** … and the way from there. */
  readonly path: readonly string[]
  /** `"name":` */
  readonly key: string
  /** For texts that are shown whole if they have a mark. */
  readonly whole: TextMarker | undefined
  /**
   * The JSON value of one element; undefined: the field is left out unless another element has a
   * mark.
   */
  readonly show: (text: string) => string | undefined
  /** For list elements without a mark. */
  readonly plain: (text: string) => string
}

const MARK = { before: '<mark>', after: '</mark>' } as const
const QUOTES = Buffer.from('"')
const NO_RANGES: readonly number[] = []

/** Marks the matches of a search in the stored texts of hits. */
export class HitMarker {
  /** Whether time ran out before every hit was marked. */
  cutoff = false
  /** Whether there were more marked texts than a response may have; the rest is left out. */
  isCut = false
  #chars = 0
  readonly #highlight: readonly MarkedField[] | undefined
  readonly #snippets: readonly MarkedField[] | undefined
  /** Those of `highlight`, as JSON. */
  readonly #marks: WrittenMarks
  /** Whether values may contain integers that a plain parse would round. */
  readonly #exact: boolean
  readonly #checkDeadline: () => void
  /** Where the values of the marked fields stand in the document that was read last. */
  readonly #places: MemberPlaces

  constructor(executed: ExecutedSearch) {
    const { schema, analyzer, request, planned, outcome } = executed
    const { plan } = planned
    this.#checkDeadline = deadlineCheck(plan.deadlineMs)
    const words = matchWords(plan.slots, outcome.expansions, analyzer)
    const markers = new Map<Analyzer, TextMarker>()
    const markerOf = (name: string): TextMarker => {
      const field = schema.fields.find((field) => field.name === name)
      const own = fieldAnalyzer(analyzer, field ?? {})
      let marker = markers.get(own)
      if (marker === undefined) {
        marker = new TextMarker(own, words, this.#checkDeadline)
        markers.set(own, marker)
      }
      return marker
    }
    const isSearched = (name: string): boolean => {
      const ordinal = schema.fields.findIndex((field) => field.name === name)
      return words.length > 0 && plan.fieldWeights[ordinal]! > 0
    }
    const omitted = request.omit_fields ?? []
    const isShown = ({ name }: { readonly name: string }): boolean =>
      !isOmitted(name, omitted, schema)
    const members: string[] = []
    const shown: string[] = []
    const markedField = (field: Field, marker: TextMarker, marks: Marks): MarkedField => {
      const [member, ...path] = keysOf(field, schema)
      shown.push(field.name)
      return wholeText(field, { place: members.push(member!) - 1, path }, marker, marks)
    }
    const marks = {
      before: request.highlight_prefix ?? MARK.before,
      after: request.highlight_suffix ?? MARK.after,
      escape: request.highlight_escape ?? true,
    }
    this.#marks = writtenMarks(marks)
    if (request.highlight ?? request.widget_mode !== true) {
      this.#highlight = schema.fields
        .filter(isShown)
        .filter(({ name }) => isSearched(name))
        .map((field) => markedField(field, markerOf(field.name), marks))
    }
    if (request.include_snippets === true) {
      const unmarked = new TextMarker(analyzer, [], this.#checkDeadline)
      this.#snippets = snippetFields(
        request,
        schema.fields.filter(isShown),
        {
          ...marks,
          before: request.snippet_prefix ?? marks.before,
          after: request.snippet_suffix ?? marks.after,
        },
        (name) => (isSearched(name) ? markerOf(name) : unmarked),
        markedField,
      )
    }
    this.#places = new MemberPlaces(members)
    this.#exact = schema.fields.some(
      ({ name, type }) => elementType(type) === 'int64' && shown.includes(name),
    )
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
   * @param heads what stands before the objects
   */
  write(answer: AnswerWriter, heads: { readonly highlight: string; readonly snippets: string }) {
    if (this.#highlight !== undefined) this.#show(this.#highlight, heads.highlight, answer)
    if (this.#snippets !== undefined) this.#show(this.#snippets, heads.snippets, answer)
  }

  #show(fields: readonly MarkedField[], head: string, answer: AnswerWriter): void {
    if (this.cutoff || this.isCut) return answer.text(`${head}{}`)
    answer.text(head)
    let before = '{'
    for (const field of fields) {
      const length = answer.length
      let chars = 0
      try {
        chars = this.#writeField(field, before, answer)
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

  /** @returns characters of the value; 0: nothing of the field is shown */
  #writeField(field: MarkedField, before: string, answer: AnswerWriter): number {
    const places = this.#places
    const start = places.start(field.place)
    if (start < 0) return 0
    this.#checkDeadline()
    const { json } = places
    const end = places.end(field.place)
    const { whole } = field
    const isText = json[start] === QUOTE
    if (isText && field.path.length > 0) return 0
    if (isText && whole !== undefined) {
      const ranges = whole.marksInJson(json, start + 1, end - 1)
      if (ranges === undefined) return 0
      answer.text(before + field.key)
      return this.#writeText(answer, start, end, ranges)
    }
    if (json[start] === OPEN_BRACKET && whole !== undefined && field.path.length === 0) {
      const { length } = answer
      answer.text(before + field.key)
      const chars = this.#writeTexts(answer, start, whole)
      if (chars !== undefined) return chars
      answer.cut(length)
    }
    const value = this.#shown(field, json.toString('utf8', start, end))
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
  #writeText(answer: AnswerWriter, start: number, end: number, ranges: readonly number[]): number {
    const { before, after } = this.#marks
    let at = start + 1
    let chars = 2
    answer.bytes(QUOTES)
    for (let i = 0; i < ranges.length; i += 2) {
      chars += this.#writePart(answer, at, ranges[i]!)
      answer.bytes(before)
      at = ranges[i + 1]!
      chars += this.#writePart(answer, ranges[i]!, at)
      answer.bytes(after)
    }
    chars += this.#writePart(answer, at, end - 1)
    answer.bytes(QUOTES)
    return chars + (ranges.length >> 1) * this.#marks.chars
  }

  #writePart(answer: AnswerWriter, from: number, to: number): number {
    const { json } = this.#places
    if (this.#marks.escape) return answer.html(json, from, to)
    answer.bytes(json.subarray(from, to))
    return json.toString('utf8', from, to).length
  }

  /**
   * A list of texts, if one has a mark.
   *
   * @returns characters written, 0 if nothing is to be shown; undefined: not all are texts
   */
  #writeTexts(answer: AnswerWriter, start: number, marker: TextMarker): number | undefined {
    const { json } = this.#places
    let hasMarks = false
    let chars = 1
    let at = afterSpace(json, start + 1)
    answer.text('[')
    while (json[at] === QUOTE) {
      const end = stringEnd(json, at)
      const ranges = marker.marksInJson(json, at + 1, end - 1)
      if (ranges !== undefined) hasMarks = true
      chars += 1 + this.#writeText(answer, at, end, ranges ?? NO_RANGES)
      at = afterSpace(json, end)
      if (json[at] !== COMMA) break
      answer.text(',')
      at = afterSpace(json, at + 1)
    }
    if (json[at] !== CLOSE_BRACKET) return undefined
    answer.text(']')
    return hasMarks ? chars : 0
  }

  /** @returns undefined: nothing of the field is shown */
  #shown(field: MarkedField, json: string): string | undefined {
    const value: unknown = this.#exact ? parseExact(json) : JSON.parse(json)
    return showValue(field, valueAtPath(value, field.path))
  }
}

interface WrittenMarks {
  readonly before: Buffer
  readonly after: Buffer
  /** Characters of both. */
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

/** For `highlight`: whole texts with a mark. */
function wholeText(
  { name }: Field,
  where: Pick<MarkedField, 'place' | 'path'>,
  marker: TextMarker,
  marks: Marks,
): MarkedField {
  const escape = marks.escape ? escapeHtml : (text: string): string => text
  return {
    name,
    ...where,
    key: `${JSON.stringify(name)}:`,
    whole: marker,
    show: (text) => {
      const marked = marker.mark(text, marks)
      return marked === undefined ? undefined : JSON.stringify(marked)
    },
    plain: (text) => JSON.stringify(escape(text)),
  }
}

/** For `snippets`: excerpts of the snippet fields, and the full snippet fields whole. */
function snippetFields(
  request: SearchParameters,
  fields: Schema['fields'],
  marks: Marks,
  markerOf: (name: string) => TextMarker,
  markedField: (field: Field, marker: TextMarker, marks: Marks) => MarkedField,
): MarkedField[] {
  const asked = request.snippet_fields ?? []
  const whole = new Set(request.full_snippet_fields)
  const limit = request.snippet_token_limit ?? SNIPPET_TOKEN_LIMIT_DEFAULT
  return fields
    .filter(({ name, searchable }) => {
      const isCut = asked.length === 0 ? searchable : asked.includes(name)
      return isCut || whole.has(name)
    })
    .map((shown) => {
      const { name } = shown
      const marker = markerOf(name)
      const field = markedField(shown, marker, marks)
      const show = whole.has(name)
        ? (text: string) => field.show(text) ?? field.plain(text)
        : (text: string) => JSON.stringify(marker.snippet(text, limit, marks))
      return { ...field, show, whole: undefined }
    })
}

function showValue(field: MarkedField, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (!Array.isArray(value)) return field.show(searchedText(value))
  let isShown = false
  const elements = value.map((element: unknown) => {
    const text = searchedText(element)
    const shown = field.show(text)
    if (shown !== undefined) isShown = true
    return shown ?? field.plain(text)
  })
  return isShown ? `[${elements.join(',')}]` : undefined
}

/** As analysed: numbers in shortest decimal form. */
function searchedText(value: unknown): string {
  return Object.is(value, -0) ? '0' : String(value)
}
