/**
 * Parts of the ranking that the relevance bench switches off one by one, to measure what each is
 * worth (`npm run relevance -- --without ...`). Only the bench writes here; in the service all
 * parts are always on.
 */
export const rankingParts = {
  /** Later costs of mistyped words: see `correctionScore`, `correctionWeight`. */
  typoCosts: true,
  /** Title words vouch for query words that the document lacks: see `vouching.ts`. */
  vouching: true,
  /** Forms of a stem that are not plurals count less: see `stemQuality`. */
  weakStems: true,
}
