import { ApiError, VECTOR_WEIGHT_DEFAULT } from '@aisle/contract'
import { COMPONENT_MAX, queryVector } from '@aisle/engine'
import type {
  Field,
  FilterNode,
  PlannedMeaning,
  QueryVector,
  Schema,
  SearchPlan,
  SortKey,
  VectorShape,
} from '@aisle/engine'
import { requireField } from '../documents/field-lookup.ts'
import { allOf } from '../expressions/filter-nodes.ts'
import { isQuestion } from '../query/question.ts'

/** The parameter `vector`. */
export interface VectorRequest {
  readonly field: string
  readonly values?: readonly number[] | undefined
  /** A document, whose vector has become `values`. */
  readonly like?: string | undefined
  readonly weight?: number | undefined
  readonly min_similarity?: number | undefined
}

/** What documents are compared with. */
export interface PlannedVector {
  readonly order: { readonly field: number; readonly vector: QueryVector }
  /** Documents that are near enough; at least, they have a vector. */
  readonly filter: FilterNode
}

/** The field that `vector.field` names. @throws ApiError unknown_field, invalid_parameter */
export function requireVector(
  schema: Schema,
  name: string,
): { readonly field: Field; readonly ordinal: number; readonly shape: VectorShape } {
  const { field, ordinal } = requireField(schema, name, { param: 'vector.field' })
  if (field.vector !== undefined) return { field, ordinal, shape: field.vector }
  throw new ApiError(
    'invalid_parameter',
    `Field \`${field.name}\` is ${field.type}: \`vector.field\` must be a field of type \`vector\`.`,
    { param: 'vector.field' },
  )
}

/** @throws ApiError unknown_field, invalid_parameter, missing_parameter, out_of_range */
export function planVector(
  request: VectorRequest | undefined,
  schema: Schema,
): PlannedVector | undefined {
  if (request === undefined) return undefined
  const { field, ordinal, shape } = requireVector(schema, request.field)
  const { dimensions, metric } = shape
  const { values, like, min_similarity: least } = request
  if (values === undefined) {
    throw new ApiError(
      'missing_parameter',
      '`vector` needs `values`, or `like` with the id of a document.',
      { param: 'vector.values' },
    )
  }
  if (values.length !== dimensions) {
    throw new ApiError(
      'invalid_parameter',
      `\`vector.values\` must be ${dimensions} numbers, as field \`${field.name}\` has, received ${values.length}.`,
      { param: 'vector.values' },
    )
  }
  const far = values.findIndex((value) => !(Math.abs(value) <= COMPONENT_MAX))
  if (far >= 0) {
    const param = `vector.values[${far}]`
    throw new ApiError('out_of_range', `\`${param}\` must be within ±${COMPONENT_MAX}.`, { param })
  }
  const vector = queryVector(values, metric)
  const near: FilterNode =
    least === undefined
      ? { kind: 'exists', field: ordinal }
      : { kind: 'near', field: ordinal, vector, least }
  const others: FilterNode[] =
    like === undefined ? [] : [{ kind: 'not', node: { kind: 'ids', ids: [like] } }]
  return { order: { field: ordinal, vector }, filter: allOf([near, ...others]) }
}

/**
 * What a query with words means: it reorders what they find in the usual order. Documents without
 * any of its words are found too, unless the plan demands all words or a relevance.
 */
export function planMeaning(
  q: string,
  plan: Pick<SearchPlan, 'slots' | 'requireAllTerms' | 'minRelevance'>,
  {
    weight = VECTOR_WEIGHT_DEFAULT,
    min_similarity: least,
  }: Pick<VectorRequest, 'weight' | 'min_similarity'>,
  order: PlannedVector['order'],
): PlannedMeaning {
  const { slots: words } = plan
  const takesOthers = plan.requireAllTerms !== true && (plan.minRelevance ?? 0) === 0
  const significant = words.filter(({ stopword }) => !stopword).length
  const rule = { weight, words: significant, isQuestion: isQuestion(q, words) }
  const meaning = { ...order, ...rule }
  return least === undefined || !takesOthers ? meaning : { ...meaning, least }
}

/**
 * The order of a search. Without words, all have the same score: where it is a key, the most
 * similar come first.
 */
export function orderByVector(
  sort: readonly SortKey[],
  near: PlannedVector | undefined,
  hasWords: boolean,
): readonly SortKey[] {
  if (near === undefined || hasWords) return sort
  return sort.map((key) =>
    key.kind === 'textMatch' && key.buckets === undefined
      ? { kind: 'similarity', ...near.order, descending: key.descending }
      : key,
  )
}
