import { fieldTerm, formTerms, joinedStemTerm } from '../opensearch/product-terms.ts'
import { JOINED_LAYERS } from '../opensearch/product-index.ts'
import type { WordRow } from '@aisle/engine/rescoring'
import type { Query } from './product-searches.ts'

/** The prefix of names in the mapping: those of documents, or of their elements. */
export type At = '' | 'elements.'

/** Matches documents that meet any of the queries; none if the list is empty. */
export function anyOf(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!
  if (queries.length === 0) return { match_none: {} }
  return { bool: { should: queries, minimum_should_match: 1 } }
}

/** Matches documents that meet all of the queries. */
export function allOf(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!
  return { bool: { filter: queries } }
}

export function noneOf(queries: readonly Query[]): Query {
  return { bool: { must_not: queries } }
}

/** Matches documents with one of these terms. */
export function withTerms(field: string, terms: readonly string[]): Query {
  return terms.length === 1 ? { term: { [field]: terms[0] } } : { terms: { [field]: terms } }
}

/**
 * Matches documents with a word like one of these, in Lucene's syntax for regular expressions.
 *
 * @param beginning of all words of the place
 * @param patterns for what follows it; a word may continue after that
 */
export function wordsLike(beginning: string, patterns: readonly string[]) {
  const rest = patterns.length === 1 ? patterns[0]! : `(${patterns.join('|')})`
  return { regexp: { words: { value: `${beginning}${rest}.*` } } }
}

/** Ordinals of the fields that a plan searches. */
export function searchedFields(fieldWeights: readonly number[]): number[] {
  return fieldWeights.flatMap((weight, field) => (weight > 0 ? [field] : []))
}

/** Matches documents with a form of one of these stems in one of these fields. */
export function stemsIn(scope: string, fields: readonly number[], stems: readonly string[]): Query {
  const terms = fields.flatMap((field) => stems.map((stem) => fieldTerm(scope, field, stem)))
  const others = fields.flatMap((field) => stems.map((stem) => joinedStemTerm(scope, field, stem)))
  return anyOf([
    withTerms('row0', terms),
    withTerms('stemRow0', terms),
    withTerms('joined', [...terms, ...others]),
  ])
}

/** Matches documents with one of these forms in one of these fields. */
export function formsIn(
  scope: string,
  fields: readonly number[],
  forms: readonly string[],
  at: At = '',
): Query {
  const terms = fields.flatMap((field) => forms.flatMap((form) => formTerms(scope, field, form)))
  return anyOf([withTerms(`${at}row0`, terms), withTerms(`${at}joined`, terms)])
}

/** Matches documents with a form in a field that begins with a prefix. */
export function formPrefixIn(scope: string, field: number, prefix: string, at: At): Query {
  return anyOf(
    ['row0', 'joined'].flatMap((name) =>
      formTerms(scope, field, prefix).map((value) => ({ prefix: { [at + name]: { value } } })),
    ),
  )
}

/** Matches documents that have words in a row, as `holdsRow` of the engine defines it. */
export function rowQuery(scope: string, { stems, fieldWeights, without }: WordRow): Query {
  const fields = searchedFields(fieldWeights)
  const inRow = anyOf(fields.map((field) => inRowOf(scope, 'stems', field, stems)))
  if (without === undefined) return inRow
  return { bool: { filter: [inRow], must_not: [stemsIn(scope, fields, [without])] } }
}

/** Matches words side by side in a field. */
export function inRowOf(
  scope: string,
  kind: 'forms' | 'stems',
  field: number,
  words: readonly string[],
): Query {
  const isForms = kind === 'forms'
  if (words.length === 1) return (isForms ? formsIn : stemsIn)(scope, [field], words)
  const places = words.map((word) =>
    isForms
      ? atPlace(['row'], formTerms(scope, field, word), '')
      : atPlace(['row', 'stemRow'], [fieldTerm(scope, field, word)], ''),
  )
  return { span_near: { clauses: places, slop: 0, in_order: true } }
}

/** Positions between two values of an array: words within this distance are in the same value. */
const NEAR_MAX = 4_094

/** Matches forms in one value of a field, in any order. */
export function inOneValue(scope: string, field: number, forms: readonly string[], at: At): Query {
  const places = forms.map((form) => atPlace(['row'], formTerms(scope, field, form), at))
  return { span_near: { clauses: places, slop: NEAR_MAX, in_order: false } }
}

const LAYERS = Array.from({ length: JOINED_LAYERS + 1 }, (_, layer) => layer)

/** Matches a word at its position, plain or joined: all rows have the same positions. */
function atPlace(rows: readonly ('row' | 'stemRow')[], terms: readonly string[], at: At): Query {
  const field = `${at}row0`
  const clauses = LAYERS.flatMap((layer) =>
    rows.flatMap((row) => {
      const name = `${at}${row}${layer}`
      return terms.map((term): Query => {
        const query = { span_term: { [name]: term } }
        return name === field ? query : { field_masking_span: { field, query } }
      })
    }),
  )
  return { span_or: { clauses } }
}
