/**
 * Parts of the ranking that the bench of relevance takes out one by one, to measure what each is
 * worth (`npm run relevance -- --without ...`). In the service all of them are always on: nobody
 * else writes here.
 */
export const rankingParts = {
  /** Later costs of mistyped words: see `correctionScore`, `correctionWeight`. */
  typoCosts: true,
  /** Titles vouch for words that they lack: see `vouching.ts`. */
  vouching: true,
  /** Forms of a stem that are no plurals count less: see `stemQuality`. */
  weakStems: true,
}
