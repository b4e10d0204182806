/**
 * The factor of a visitor's taste on the points of a document: 1 .. 1 + limit ("Personal" in
 * docs/ranking.md).
 *
 * @param share the sum of the shares of the lifts that the document meets, >= 0
 * @param limit the largest share that a shop allows
 */
export function personalFactor(share: number, limit: number): number {
  return 1 + Math.min(limit, share)
}
