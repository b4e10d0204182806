import { fieldValue } from '../schema/schema.ts'
import { type QueryVector, similarity, storedVector } from '../vectors/quantise.ts'
import type { CandidateDocument } from './candidate-document.ts'

/** Similarity of the vector of a document to another; undefined if it has none. */
export function similarityOf(
  document: CandidateDocument,
  field: number,
  query: QueryVector,
): number | undefined {
  if (document.storedVectors !== undefined) {
    const own = document.storedVectors.get(field)
    return own === undefined ? undefined : similarity(own, query)
  }
  if (field < 0) {
    const own = document.vectors?.get(-field)
    return own === undefined ? undefined : similarity(storedVector(own, 'cosine'), query)
  }
  const values = fieldValue(document.values, field) as readonly number[] | undefined
  const shape = document.fields[field]?.vector
  if (values === undefined || shape === undefined) return undefined
  return similarity(storedVector(values, shape.metric), query)
}
