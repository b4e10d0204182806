/** The public surface of the engine: what the server may use. */
export type { ElementType, Field, FieldType, FieldValue, Scalar, Schema } from './schema/schema.ts'
export { elementType, FIELD_TYPES, hasColumn, isArrayType } from './schema/schema.ts'
export type { Analyzer, Token } from './analysis/analyzer.ts'
export type { FilterLeaf, FilterNode } from './query/filter.ts'
export type {
  FacetOutcome,
  FacetRequest,
  QuerySlot,
  RankedHit,
  SearchOutcome,
  SearchPlan,
  SlotExpansion,
  SortKey,
} from './query/plan.ts'
export type { IndexDocument } from './indexer/document.ts'
