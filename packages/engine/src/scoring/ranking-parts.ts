/**
 * Parts of the ranking that the relevance bench switches off one by one, to measure what each is
 * worth (`npm run relevance -- --without ...`), and the benchmark, to measure what it costs. Only
 * these write here; in the service all parts are always on.
 */
export const rankingParts = {
  /** Words side by side in the title earn points: see `pairPoints`. */
  pairs: true,
  /** Titles order documents with the same score: see `tiesByPlace`. */
  places: true,
  /** Unlikely corrections do not count: see `isLikely`. */
  typoBound: true,
  /** Title words vouch for query words that the document lacks: see `vouching.ts`. */
  vouching: true,
  /** Forms of a stem that are not plurals count less: see `stemQuality`. */
  weakStems: true,
}
