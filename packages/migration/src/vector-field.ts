import type { SchemaFieldRequest } from '@aisle/client'
import { VECTOR_DIMENSIONS_MAX, VECTOR_DIMENSIONS_MIN } from '@aisle/contract/limits'
import { isObject } from '@aisle/contract/is-object'
import { objectOf, textOf, type Json } from './json.ts'

type VectorField = Pick<SchemaFieldRequest, 'type' | 'dimensions' | 'metric'>

/** Names of the scalar product there. Others compare directions. */
const DOT = ['ip', 'innerproduct', 'inner_product', 'dot_product', 'max_inner_product']
const COSINE = ['', 'cosine', 'cosinesimil']

/**
 * The field of vectors, and what changes.
 *
 * @param metric as the source calls it; empty: its default
 * @returns a text if it has no equivalent
 */
export function vectorField(
  dimensions: unknown,
  metric: string,
): { readonly field: VectorField; readonly note: string | undefined } | string {
  if (
    typeof dimensions !== 'number' ||
    !(dimensions >= VECTOR_DIMENSIONS_MIN && dimensions <= VECTOR_DIMENSIONS_MAX)
  ) {
    return `is left out: a vector has ${VECTOR_DIMENSIONS_MIN} to ${VECTOR_DIMENSIONS_MAX} dimensions`
  }
  const isDot = DOT.includes(metric)
  return {
    field: { type: 'vector', dimensions, ...(isDot ? { metric: 'dot' } : {}) },
    note:
      isDot || COSINE.includes(metric)
        ? undefined
        : `is compared by cosine instead of \`${metric}\`: the order is the same for vectors of length 1`,
  }
}

/** `knn_vector` of OpenSearch, `dense_vector` of Elasticsearch. */
export function vectorOfMapping(property: Json): ReturnType<typeof vectorField> {
  const method = objectOf(property['method'])
  const metric =
    textOf(property['space_type']) ??
    textOf(method['space_type']) ??
    textOf(property['similarity']) ??
    // Without a method, OpenSearch compares distances; Elasticsearch compares directions.
    (property['type'] === 'knn_vector' ? 'l2' : '')
  return vectorField(property['dimension'] ?? property['dims'], metric)
}

/**
 * The vector in a member of `_vectors` of Meilisearch, which may be the numbers, an object with
 * them, or a list of several vectors: the first counts.
 */
export function vectorOfEmbeddings(value: unknown): unknown {
  const embeddings = isObject(value) && 'embeddings' in value ? value['embeddings'] : value
  const isSeveral = Array.isArray(embeddings) && Array.isArray(embeddings[0])
  return isSeveral ? (embeddings[0] as unknown) : embeddings
}
