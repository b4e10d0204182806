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
import { valueAtPath } from '../../domain/json/json-paths.ts'
import { parseExact } from '../../domain/json/json-scan.ts'
import { MemberPlaces } from '../../domain/json/member-places.ts'
import type { ExecutedSearch } from './executed-search.ts'

/** The marks of a hit as JSON objects; undefined: not requested. */
export interface HitMarks {
  readonly highlight: string | undefined
  readonly snippets: string | undefined
}

/** How one field is shown in `highlight` or in `snippets`. */
interface MarkedField {
  readonly name: string
  /** Number of the member of the document that it is, or is in … */
  readonly place: number
  /** … and the way from there. */
  readonly path: readonly string[]
  /** `"name":` */
  readonly key: string
  /**
   * The JSON value of one element; undefined: the field is left out unless another element has a
   * mark.
   */
  readonly show: (text: string) => string | undefined
  /** For list elements without a mark. */
  readonly plain: (text: string) => string
}

const MARK = { before: '<mark>', after: '</mark>' } as const

/** Marks the matches of a search in the stored texts of hits. */
export class HitMarker {
  /** Whether time ran out before every hit was marked. */
  cutoff = false
  /** Whether there were more marked texts than a response may have; the rest is left out. */
  isCut = false
  #chars = 0
  readonly #highlight: readonly MarkedField[] | undefined
  readonly #snippets: readonly MarkedField[] | undefined
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
  read(text: string, json: Uint8Array): void {
    this.#places.read(text, json)
  }

  /** Whether the document has a member `id`. */
  get hasId(): boolean {
    return this.#places.hasId
  }

  /**
   * The marks of the document that was read last. If time runs out, further hits come without
   * marks.
   */
  marks(): HitMarks {
    return {
      highlight: this.#highlight && this.#show(this.#highlight),
      snippets: this.#snippets && this.#show(this.#snippets),
    }
  }

  #show(fields: readonly MarkedField[]): string {
    if (this.cutoff || this.isCut) return '{}'
    let members = ''
    try {
      for (const field of fields) {
        const value = this.#shown(field)
        if (value === undefined) continue
        this.#chars += value.length
        if (this.#chars > MARKS_MAX_CHARS) {
          this.isCut = true
          break
        }
        members += (members === '' ? '' : ',') + field.key + value
      }
    } catch (error) {
      if (!(error instanceof DeadlineReached)) throw error
      this.cutoff = true
    }
    return `{${members}}`
  }

  /** @returns undefined: nothing of the field is shown */
  #shown(field: MarkedField): string | undefined {
    const json = this.#places.json(field.place)
    if (json === undefined) return undefined
    this.#checkDeadline()
    // Nearly every value is a text without escapes.
    if (json.startsWith('"') && !json.includes('\\')) {
      return field.path.length > 0 ? undefined : field.show(json.slice(1, -1))
    }
    const value: unknown = this.#exact ? parseExact(json) : JSON.parse(json)
    return showValue(field, valueAtPath(value, field.path))
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
      return { ...field, show }
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
