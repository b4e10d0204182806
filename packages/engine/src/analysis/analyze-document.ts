import type { IndexDocument } from '../schema/document.ts'
import { type FieldValue, type Schema, fieldValue } from '../schema/schema.ts'
import type { Analyzer, Token } from './analyzer.ts'
import { fieldAnalyzer } from './field-analyzer.ts'

/** Array elements start at multiples of this position, so that no two elements look adjacent. */
export const ELEMENT_STRIDE = 4096

/** The searchable content of one field of a document. */
export interface FieldTokens {
  /** Field ordinal. */
  readonly field: number
  /** Field length: tokens of all elements without the joined ones. */
  readonly length: number
  /**
   * By element: its tokens, the position of its first token, and the number of positions it covers.
   */
  readonly elements: readonly {
    readonly start: number
    readonly covered: number
    readonly tokens: readonly Token[]
  }[]
}

/** The searchable fields of a document that have at least one element, by field ordinal. */
export function analyzeDocument(
  schema: Schema,
  analyzer: Analyzer,
  document: IndexDocument,
): FieldTokens[] {
  const fields: FieldTokens[] = []
  schema.fields.forEach((field, ordinal) => {
    if (!field.searchable) return
    const value = fieldValue(document.values, ordinal)
    if (value === undefined) return
    const elements: { start: number; covered: number; tokens: readonly Token[] }[] = []
    const own = fieldAnalyzer(analyzer, field)
    let length = 0
    let start = 0
    for (const text of textsOf(value)) {
      const tokens = own.analyze(text)
      let covered = 0
      for (const token of tokens) {
        if (token.kind !== 'joined') length++
        covered = Math.max(covered, token.position + token.span)
      }
      elements.push({ start, covered, tokens })
      start += ELEMENT_STRIDE * (Math.floor(covered / ELEMENT_STRIDE) + 1)
    }
    fields.push({ field: ordinal, length, elements })
  })
  return fields
}

/** The elements of a value as text: numbers in shortest decimal form. */
export function textsOf(value: FieldValue): string[] {
  const elements = Array.isArray(value) ? value : [value]
  return elements.map((element) => (Object.is(element, -0) ? '0' : String(element)))
}
