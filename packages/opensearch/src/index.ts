export { bodyFingerprint } from './body-fingerprint.ts'
export { ClusterConnection } from './cluster-connection.ts'
export { ClusterError } from './cluster-error.ts'
export { ControlFollower } from './control-follower.ts'
export { ControlIndex } from './control-index.ts'
export type {
  ControlDocument,
  ControlVersion,
  ControlWrite,
  StoredControl,
} from './control-document.ts'
export { allocateSlots, SlotsExhaustedError, slotName } from './field-slots.ts'
export type { SlotMap } from './field-slots.ts'
export { PackedDocument, packedText } from './packed-document.ts'
export { packedWordsOf } from './packed-words.ts'
export { WordFinder } from './word-finder.ts'
export { productBody } from './product-body.ts'
export type { ProductShape } from './product-body.ts'
export {
  createProductIndex,
  JOINED_LAYERS,
  openPool,
  ownIndexName,
  poolName,
} from './product-index.ts'
export {
  exactTerm,
  fieldTerm,
  formTerms,
  IMPACT_LEVELS,
  impactEvidence,
  impactTerm,
  joinedStemTerm,
  presenceTerm,
  productId,
  shortValue,
  valueTerm,
  wordTerm,
} from './product-terms.ts'
export { EventIndex } from './event-index.ts'
export { SnapshotRepository } from './snapshot-repository.ts'
export type { RepositorySnapshot } from './snapshot-repository.ts'
export type {
  CreateOutcome,
  EventDocument,
  EventPlace,
  StoredEvent,
  WeekState,
} from './event-document.ts'
export { WEEK_MS, weekOf, weekStartMs } from './event-week.ts'
export { NumberBlocks } from './number-blocks.ts'
export { ProductRequests, tombstoneBody, tombstonesOf } from './product-requests.ts'
export type {
  ProductPlace,
  ProductTotals,
  ProductWrite,
  StoredProduct,
} from './product-requests.ts'
