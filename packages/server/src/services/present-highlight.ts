import { performance } from 'node:perf_hooks'
import type { SearchParameters } from '@aisle/contract'
import { elementType, escapeHtml, highlightText, type MatchWords, type Schema } from '@aisle/engine'
import { matchWords } from '../domain/match-words.ts'
import { textOf } from '../domain/json-scan.ts'
import type { StoredDocument } from '../ports/document-reader.ts'
import type { ExecutedSearch } from './present-search.ts'
import { storeAnalyzer } from './store-analyzer.ts'

const MARK = { before: '<mark>', after: '</mark>' } as const

/** Marks what a search matched in the stored texts. */
export class Highlighter {
  /** Time was up before every hit was marked. */
  cutoff = false
  readonly #words: MatchWords
  /** Searched fields of text. */
  readonly #names: readonly string[]
  readonly #escape: boolean
  readonly #deadlineMs: number

  constructor({ schema, request, planned, outcome }: ExecutedSearch) {
    const { plan } = planned
    this.#words = matchWords(plan.slots, outcome.expansions, storeAnalyzer)
    this.#names = plan.slots.length === 0 ? [] : searchedTexts(schema, plan.fieldWeights)
    this.#escape = request.highlight_escape ?? true
    this.#deadlineMs = plan.deadlineMs ?? Infinity
  }

  /** JSON of the fields that matched: whole texts with marks, lists of texts as lists. */
  highlight(stored: StoredDocument): string {
    if (this.#names.length === 0) return '{}'
    if (performance.now() > this.#deadlineMs) {
      this.cutoff = true
      return '{}'
    }
    const { json } = stored
    const data = JSON.parse(textOf(json, 0, json.length)) as Record<string, unknown>
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
    if (typeof value === 'string') return this.#markText(value)
    if (!Array.isArray(value)) return undefined
    let hasMark = false
    const texts = value.map((element: unknown) => {
      const text = typeof element === 'string' ? element : ''
      const marked = this.#markText(text)
      if (marked !== undefined) hasMark = true
      return marked ?? (this.#escape ? escapeHtml(text) : text)
    })
    return hasMark ? texts : undefined
  }

  #markText(text: string): string | undefined {
    return highlightText(text, storeAnalyzer, this.#words, { ...MARK, escape: this.#escape })
  }
}

/** Marks are on by default, and off in light answers. */
export function wantsHighlight(request: SearchParameters): boolean {
  return request.highlight ?? request.widget_mode !== true
}

function searchedTexts(schema: Schema, fieldWeights: readonly number[]): string[] {
  return schema.fields
    .filter(({ type }, ordinal) => elementType(type) === 'string' && fieldWeights[ordinal]! > 0)
    .map((field) => field.name)
}
