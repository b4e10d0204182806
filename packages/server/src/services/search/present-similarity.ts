import type { SearchParameters } from '@aisle/contract'
import { similarity, storedVector } from '@aisle/engine'
import type { Field, QueryVector, Schema, SearchPlan } from '@aisle/engine'
import { vectorOf } from '../../domain/documents/stored-value.ts'
import { isNamed } from '../../domain/documents/nested-fields.ts'

/** A field whose similarity hits report. */
export interface ComparedField {
  readonly field: Field
  readonly schema: Schema
  readonly vector: QueryVector
}

/** @returns undefined if the search compares no vectors, or may not show them */
export function comparedField(
  { sort, meaning }: Pick<SearchPlan, 'sort' | 'meaning'>,
  schema: Schema,
  { omit_fields: omitted = [] }: Pick<SearchParameters, 'omit_fields'>,
): ComparedField | undefined {
  const compared = meaning ?? sort.find((key) => key.kind === 'similarity')
  // Own vectors of a document, which no field has, are not shown.
  if (compared === undefined || compared.field < 0) return undefined
  const field = schema.fields[compared.field]!
  if (isNamed(field.name, omitted, schema)) return undefined
  return { field, schema, vector: compared.vector }
}

/**
 * `vector_similarity` of a hit, with four decimals.
 *
 * @param json the stored data of the document
 * @returns undefined if it has no vector
 */
export function presentSimilarity(
  { field, schema, vector }: ComparedField,
  json: Uint8Array,
): number | undefined {
  const values = vectorOf(json, field, schema)
  if (values === undefined) return undefined
  return Number(similarity(storedVector(values, field.vector!.metric), vector).toFixed(4))
}
