import { performance } from 'node:perf_hooks'
import type { SearchParameters } from '@aisle/contract'
import {
  elementType,
  escapeHtml,
  highlightText,
  type Analyzer,
  type Field,
  type MatchWords,
  type Schema,
} from '@aisle/engine'
import { matchWords } from '../domain/match-words.ts'
import { parseExact, textOf } from '../domain/json-scan.ts'
import type { StoredDocument } from '../ports/document-reader.ts'
import type { ExecutedSearch } from './present-search.ts'

const MARK = { before: '<mark>', after: '</mark>' } as const

/** Marks what a search matched in the stored texts. */
export class Highlighter {
  /** Time was up before every hit was marked. */
  cutoff = false
  readonly #analyzer: Analyzer
  readonly #words: MatchWords
  /** The searched fields. */
  readonly #names: readonly string[]
  /** Integers that a plain parse would round are among them. */
  readonly #exact: boolean
  readonly #escape: boolean
  readonly #deadlineMs: number

  constructor({ schema, analyzer, request, planned, outcome }: ExecutedSearch) {
    const { plan } = planned
    this.#analyzer = analyzer
    this.#words = matchWords(plan.slots, outcome.expansions, analyzer)
    const fields = plan.slots.length === 0 ? [] : searchedFields(schema, plan.fieldWeights)
    this.#names = fields.map((field) => field.name)
    this.#exact = fields.some((field) => elementType(field.type) === 'int64')
    this.#escape = request.highlight_escape ?? true
    this.#deadlineMs = plan.deadlineMs ?? Infinity
  }

  /** JSON of the fields that matched: whole texts with marks, lists as lists of texts. */
  highlight(stored: StoredDocument): string {
    if (this.#names.length === 0) return '{}'
    if (performance.now() > this.#deadlineMs) {
      this.cutoff = true
      return '{}'
    }
    const { json } = stored
    const text = textOf(json, 0, json.length)
    const data = (this.#exact ? parseExact(text) : JSON.parse(text)) as Record<string, unknown>
    let members = ''
    for (const name of this.#names) {
      if (!Object.hasOwn(data, name)) continue
      const marked = this.#markValue(data[name])
      if (marked === undefined) continue
      members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(marked)}`
    }
    return `{${members}}`
  }

  #markValue(value: unknown): string | string[] | undefined {
    if (value === null) return undefined
    if (!Array.isArray(value)) return this.#markText(searchedText(value))
    let hasMark = false
    const texts = value.map((element: unknown) => {
      const text = searchedText(element)
      const marked = this.#markText(text)
      if (marked !== undefined) hasMark = true
      return marked ?? (this.#escape ? escapeHtml(text) : text)
    })
    return hasMark ? texts : undefined
  }

  #markText(text: string): string | undefined {
    return highlightText(text, this.#analyzer, this.#words, { ...MARK, escape: this.#escape })
  }
}

/** Marks are on by default, and off in light answers. */
export function wantsHighlight(request: SearchParameters): boolean {
  return request.highlight ?? request.widget_mode !== true
}

function searchedFields(schema: Schema, fieldWeights: readonly number[]): Field[] {
  return schema.fields.filter((_, ordinal) => fieldWeights[ordinal]! > 0)
}

/** As it was analysed: numbers in shortest decimal form. */
function searchedText(value: unknown): string {
  return Object.is(value, -0) ? '0' : String(value)
}
