import type { Analyzer } from '../analysis/analyzer.ts'
import { fieldAnalyzer } from '../analysis/field-analyzer.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { DocumentValue, Field, FieldValue, Scalar, Schema } from '../schema/schema.ts'
import { fieldValue } from '../schema/schema.ts'
import type { StoredVector } from '../vectors/quantise.ts'
import type { WordRow } from './word-catalog.ts'

/** A document to be ranked: its values as received, and the tokens of each searchable field. */
export interface CandidateDocument {
  readonly docKey: number
  /** The docKey of its first version; absent: this is it. */
  readonly inserted?: number
  readonly id: string
  /** Fields of the schema at the time of analysis; later ones are appended. */
  readonly fields: readonly Field[]
  /** By field ordinal. Shorter than the schema if it has grown since. */
  readonly values: readonly (DocumentValue | undefined)[]
  /** See `IndexDocument.vectors`. */
  readonly vectors?: ReadonlyMap<number, ArrayLike<number>>
  /**
   * All its vectors, by the number of their field, as they are compared; absent: those of `values`
   * and `vectors`.
   */
  readonly storedVectors?: ReadonlyMap<number, StoredVector>
  /** By field ordinal; empty for a field that is not searchable or has no value. */
  readonly tokens: readonly (readonly PlacedToken[])[]
  /** If `tokens` are only those that a plan needs (`sought-words.ts`): facts about the others. */
  readonly rest?: RestOfWords
}

/** Facts about all words of a document of which only some were read. */
export interface RestOfWords {
  /** `fieldLength` by field ordinal, of all tokens; absent: 0. */
  readonly lengths: readonly number[]
  /** Whether there is a token at a position of a field. */
  isTaken(field: number, position: number): boolean
  /** Words of the tokens that were read, made on demand (`wordsOf`). */
  words?: DocumentWords
}

/** The distinct words of a document: scores need them again and again. */
export interface DocumentWords {
  /** The first token of each form, in their order. */
  readonly forms: readonly PlacedToken[]
  /**
   * By stem: `packedImpact` of the field with it, or of each field. Single numbers save memory,
   * because these are kept for thousands of documents.
   */
  readonly impacts: ReadonlyMap<string, number | readonly number[]>
}

/** A token, its stem group and its position in the field. */
export interface PlacedToken {
  readonly form: string
  readonly stem: string
  readonly position: number
  /**
   * A joined spelling of several tokens: found like a word, but not counted in the field's length.
   */
  readonly joined: boolean
}

/** Array elements start at multiples of this many positions. */
export const ELEMENT_STRIDE = 4096

/** Analyses the searchable fields of a document. */
export function analyzeCandidate(
  document: IndexDocument,
  schema: Schema,
  analyzer: Analyzer,
): CandidateDocument {
  const tokens = schema.fields.map((field, ordinal) =>
    field.searchable
      ? placeTokens(fieldValue(document.values, ordinal), fieldAnalyzer(analyzer, field))
      : [],
  )
  return { ...document, fields: schema.fields, tokens }
}

/**
 * Tokens of a field with their positions. At least one position is free between two array elements,
 * so that the end of one and the start of the next are never side by side.
 */
function placeTokens(value: FieldValue | undefined, analyzer: Analyzer): PlacedToken[] {
  const placed: PlacedToken[] = []
  let start = 0
  for (const element of elementsOf(value)) {
    let positionCount = 0
    for (const token of analyzer.analyze(textOf(element))) {
      placed.push({
        form: token.form,
        stem: analyzer.stem(token.form),
        position: start + token.position,
        joined: token.kind === 'joined',
      })
      positionCount = Math.max(positionCount, token.position + token.span)
    }
    start += ELEMENT_STRIDE * (Math.floor(positionCount / ELEMENT_STRIDE) + 1)
  }
  return placed
}

/** The values of a field: none if it is missing, one for a plain value. */
export function elementsOf(value: FieldValue | undefined): readonly Scalar[] {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

/** A value as text, for analysis and facets: -0 is "0", int64 keeps all its digits. */
export function textOf(value: Scalar): string {
  return String(value)
}

/** The distinct elements of a value, in order of first appearance. 0 and -0 are equal. */
export function distinctElements(value: FieldValue | undefined): Scalar[] {
  return [...new Set(elementsOf(value))]
}

export function tokensOf(document: CandidateDocument, field: number): readonly PlacedToken[] {
  return document.tokens[field] ?? []
}

/** Tokens of the field over all its array elements, without joined ones. */
export function fieldLength(document: CandidateDocument, field: number): number {
  if (document.rest !== undefined) return document.rest.lengths[field] ?? 0
  return tokensOf(document, field).filter((token) => !token.joined).length
}

/**
 * Whether a token of the `left` stem groups directly precedes one of the `right` groups. Only
 * positions count: a joined token has the position of its first part.
 */
export function standSideBySide(
  document: CandidateDocument,
  field: number,
  left: ReadonlySet<string>,
  right: ReadonlySet<string>,
): boolean {
  const tokens = tokensOf(document, field)
  for (const first of tokens) {
    if (!left.has(first.stem)) continue
    for (const second of tokens) {
      if (right.has(second.stem) && second.position === first.position + 1) return true
    }
  }
  return false
}

/** Whether words are side by side, in this order, in a searched field. */
export function holdsRow(
  document: CandidateDocument,
  { stems, fieldWeights, without }: WordRow,
): boolean {
  const searched = document.tokens.filter((_, field) => (fieldWeights[field] ?? 0) > 0)
  const lacks = (stem: string) => !searched.flat().some((token) => token.stem === stem)
  if (without !== undefined && !lacks(without)) return false
  return searched.some((tokens) => standInRow(tokens, stems))
}

function standInRow(tokens: readonly PlacedToken[], stems: readonly string[]): boolean {
  return tokens.some(
    (first) =>
      first.stem === stems[0] &&
      stems.every((stem, i) =>
        tokens.some((token) => token.stem === stem && token.position === first.position + i),
      ),
  )
}
