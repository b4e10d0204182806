/**
 * The factor of learning on the points of a document: 1 .. 1 + limit.
 *
 * @param limit 0..1
 * @param lift of the document for the query, 0..1
 */
export function learnedFactor(limit: number, lift: number): number {
  return 1 + limit * lift
}
