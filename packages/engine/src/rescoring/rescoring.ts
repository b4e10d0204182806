/**
 * `@aisle/engine/rescoring`: for a backend that is asked over the network. It finds what the words
 * of a query stand for, given a catalog of words that may be elsewhere, and ranks the few
 * candidates that the backend has chosen. Plain code is quick enough for these. The naive index
 * ranks all of its documents with it, so tests compare the fast search with what a cluster returns.
 */
export type {
  DocumentWords,
  CandidateDocument,
  PlacedToken,
  RestOfWords,
} from './candidate-document.ts'
export { analyzeCandidate } from './candidate-document.ts'
export { typedRanges } from '../analysis/hangul.ts'
export { compareByCodePoint } from '../codec/code-point-order.ts'
export { completionCandidates } from './completions.ts'
export { editDistance } from './edit-distance.ts'
export { groupDocuments, groupKeyOf } from './groups.ts'
export type { GroupedPage } from './groups.ts'
export { hitsOf } from './hit.ts'
export { listValues } from './facets.ts'
export { withoutField } from './filter.ts'
export { rankByMeaning } from './meaning.ts'
export { rankDocuments, relevantDocuments } from './ranking.ts'
export { pinnedDocument, placePins } from './rules.ts'
export type { WordDemand } from './score.ts'
export { demandOf, isSignificant, matchedTerms, rankingScore } from './score.ts'
export type { RankedDocument } from './sort.ts'
export { soughtWords } from './sought-words.ts'
export type { SoughtWords } from './sought-words.ts'
export type { SlotAlternatives } from './words.ts'
export { findSlots } from './words.ts'
export type { FormLikeness, WordCatalog, WordRow, WordSource } from './word-catalog.ts'
export {
  ALL_TERMS_DOCS_MIN,
  averageLength,
  countedMin,
  fieldEvidence,
  impactOf,
  K1,
  lengthStep,
  PAIR_CANDIDATES_MAX,
  saturate,
  SATURATED_MAX,
  slotPoints,
} from '../scoring/formula.ts'
export { looksBegun } from '../scoring/corrections.ts'
export { MEANING_CANDIDATES } from '../scoring/meaning.ts'
