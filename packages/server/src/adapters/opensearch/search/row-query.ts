import { fieldTerm, JOINED_LAYERS } from '@aisle/opensearch'
import type { WordRow } from '@aisle/engine/candidates'
import type { Query } from './product-searches.ts'

type Row = 'formRow' | 'stemRow' | 'elements.formRow'

/** Documents that meet one of the queries; none when there are none. */
export function anyOf(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!
  if (queries.length === 0) return { match_none: {} }
  return { bool: { should: queries, minimum_should_match: 1 } }
}

/** Documents that meet all of the queries. */
export function allOf(queries: readonly Query[]): Query {
  if (queries.length === 1) return queries[0]!
  return { bool: { filter: queries } }
}

export function noneOf(queries: readonly Query[]): Query {
  return { bool: { must_not: queries } }
}

/** Documents with one of these terms. */
export function withTerms(field: string, terms: readonly string[]): Query {
  return terms.length === 1 ? { term: { [field]: terms[0] } } : { terms: { [field]: terms } }
}

/** Ordinals of the fields that a plan searches. */
export function searchedFields(fieldWeights: readonly number[]): number[] {
  return fieldWeights.flatMap((weight, field) => (weight > 0 ? [field] : []))
}

/** Documents with a form of one of these stems in one of these fields. */
export function stemsIn(scope: string, fields: readonly number[], stems: readonly string[]): Query {
  return withTerms(
    'stems',
    fields.flatMap((field) => stems.map((stem) => fieldTerm(scope, field, stem))),
  )
}

/** Documents that hold words in a row, as `holdsRow` of the engine says. */
export function rowQuery(scope: string, { stems, fieldWeights, without }: WordRow): Query {
  const fields = searchedFields(fieldWeights)
  const inRow = anyOf(fields.map((field) => inRowOf(scope, 'stemRow', field, stems)))
  if (without === undefined) return inRow
  return { bool: { filter: [inRow], must_not: [stemsIn(scope, fields, [without])] } }
}

/** Words side by side in a field. */
export function inRowOf(scope: string, row: Row, field: number, words: readonly string[]): Query {
  const terms = words.map((word) => fieldTerm(scope, field, word))
  if (terms.length === 1) return withTerms(row === 'formRow' ? 'forms' : 'stems', terms)
  return spanNear(row, terms, { slop: 0, in_order: true })
}

/** Places between two values of an array: what is nearer is in the same value. */
const NEAR_MAX = 4_094

/**
 * Forms in one value of a field, in any order.
 * @param at what names in the mapping begin with
 */
export function inOneValue(
  scope: string,
  field: number,
  forms: readonly string[],
  at: '' | 'elements.',
): Query {
  const terms = forms.map((form) => fieldTerm(scope, field, form))
  return spanNear(`${at}formRow`, terms, { slop: NEAR_MAX, in_order: false })
}

function spanNear(row: Row, terms: readonly string[], how: object): Query {
  return { span_near: { clauses: terms.map((term) => atPlace(row, term)), ...how } }
}

/** A word at its place, plain or joined: the rows of joined words have the same places. */
function atPlace(row: Row, term: string): Query {
  const first = `${row}0`
  const plain = { span_term: { [first]: term } }
  const joined = Array.from({ length: JOINED_LAYERS }, (_, layer) => ({
    field_masking_span: { field: first, query: { span_term: { [`${row}${layer + 1}`]: term } } },
  }))
  return { span_or: { clauses: [plain, ...joined] } }
}
