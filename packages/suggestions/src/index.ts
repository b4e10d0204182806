/** Query suggestions from counted searches: the public surface of the package. */
export { looksPersonal } from './text/personal-text.ts'
export { readQuery } from './text/query-text.ts'
export type { QueryText } from './text/query-text.ts'
export { QueryHistory } from './history/query-history.ts'
export type { HistoryState } from './history/query-history.ts'
export { buildSuggestionIndex, suggestionIndexSteps } from './index/build-index.ts'
export { buildPopularityIndex, popularIds, PopularityIndex } from './index/popularity-index.ts'
export { buildTogetherIndex, TogetherIndex, togetherIndexSteps } from './index/together-index.ts'
export type { MostSeen, TogetherKind } from './index/together-index.ts'
export type { CatalogName } from './index/catalog-name.ts'
export { SpellingBook } from './index/spelling-book.ts'
export type { Spelling } from './index/spelling-book.ts'
export { popularityOfRank, SuggestionIndex } from './index/suggestion-index.ts'
export { dayOf, TIME_RANGES } from './index/windows.ts'
export type { TimeRange } from './index/windows.ts'
export { buildProfileIndex, ProfileIndex } from './profile/profile-index.ts'
export {
  affinityOf,
  crowdShare,
  othersOf,
  leaningsOf,
  seenUntil,
  TASTE_DOCUMENTS_MIN,
} from './profile/taste.ts'
export type { CrowdDocument, Leaning, TasteDocument } from './profile/taste.ts'
export type { SeenDocument } from './history/seen-documents.ts'
export { interestsOf } from './profile/alignment.ts'
export type { Interest } from './profile/alignment.ts'
export { SuggestionMatcher } from './match/match-suggestions.ts'
export type { Matched } from './match/match-suggestions.ts'

export { readTyped } from './match/typed-text.ts'
export type { TypedText } from './match/typed-text.ts'
export { TIER } from './match/match-suggestions.ts'

export { readSuggested, tierOf } from './match/text-tier.ts'
export type { SuggestedText } from './match/text-tier.ts'
