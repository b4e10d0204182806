/**
 * For a backend that is asked over the network: what the words of a query stand for, given a
 * catalog of words that may be elsewhere, and the order of the few documents that such a backend
 * has chosen. The plain code of the twin is quick enough for these, and cannot differ from it.
 */
export type {
  DocumentWords,
  NaiveDocument as CandidateDocument,
  PlacedToken,
  RestOfWords,
} from './naive-document.ts'
export { analyzeDocument as analyzeCandidate } from './naive-document.ts'
export { compareByCodePoint } from '../codec/code-point-order.ts'
export { completionCandidates } from './naive-completions.ts'
export { groupDocuments, groupKeyOf } from './naive-groups.ts'
export type { GroupedPage } from './naive-groups.ts'
export { hitsOf } from './naive-hit.ts'
export { listValues } from './naive-facets.ts'
export { withoutField } from './naive-filter.ts'
export { rankDocuments, relevantDocuments } from './naive-ranking.ts'
export { pinnedDocument, placePins } from './naive-rules.ts'
export type { WordDemand } from './naive-score.ts'
export { demandOf, isSignificant, matchedTerms, rankingScore } from './naive-score.ts'
export type { RankedDocument } from './naive-sort.ts'
export type { TitleCompany } from './naive-vouching.ts'
export { findTitleCompanies } from './naive-vouching.ts'
export { soughtWords } from './sought-words.ts'
export type { SoughtWords } from './sought-words.ts'
export type { SlotAlternatives } from './naive-words.ts'
export { findSlots } from './naive-words.ts'
export type { FormLikeness, TitleSample, WordCatalog, WordRow, WordSource } from './word-catalog.ts'
export {
  ALL_TERMS_DOCS_MIN,
  averageLength,
  countedMin,
  PAIR_CANDIDATES_MAX,
  saturate,
  slotPoints,
} from '../scoring/formula.ts'
