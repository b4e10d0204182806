/** The public surface of the engine: what the server may use. */
export type {
  DocumentValue,
  ElementType,
  Field,
  FieldPattern,
  FieldType,
  FieldValue,
  Scalar,
  Schema,
  VectorShape,
  VectorSpace,
} from './schema/schema.ts'
export {
  elementsAt,
  elementType,
  FIELD_TYPES,
  fieldValue,
  hasColumn,
  isArrayType,
  isNumeric,
  isObjectType,
  isPlace,
  isVector,
  OBJECT_TYPES,
  spaceField,
} from './schema/schema.ts'
export type { Area } from './places/area.ts'
export { boxOf, polygonOf, wrapped } from './places/drawn-areas.ts'
export { metersBetween } from './places/distance.ts'
export type { Place } from './places/place.ts'
export { onGrid, packPlace, unpackPlace } from './places/place.ts'
export { unrolled } from './places/polygon.ts'
export type { QueryVector, StoredVector } from './vectors/quantise.ts'
export { COMPONENT_MAX, queryVector, similarity, storedVector } from './vectors/quantise.ts'
export type { Analyzer, Token } from './analysis/analyzer.ts'
export type { FieldTokens } from './analysis/analyze-document.ts'
export { analyzeDocument } from './analysis/analyze-document.ts'
export { asSymbol } from './analysis/symbols.ts'
export { unitsBegun } from './analysis/units.ts'
export { begunLength, typedRanges } from './analysis/hangul.ts'
export { createAnalyzer } from './analysis/create-analyzer.ts'
export { analysisName, characterList, readAnalysisName } from './analysis/analysis-name.ts'
export {
  fieldAnalyzer,
  foreignForm,
  queryAnalyzer,
  shownForm,
  valueAnalyzer,
} from './analysis/field-analyzer.ts'
export type { FilterNode } from './query/filter.ts'
export type { BoostExplanation, ScoreExplanation, SlotExplanation } from './query/explanation.ts'
export type {
  FacetInterval,
  FacetIntervals,
  FacetOutcome,
  FacetRequest,
  FacetWord,
  Phrase,
  PlannedBoost,
  PlannedMeaning,
  PlannedGroups,
  PlannedPin,
  JoinedSpelling,
  PlannedWord,
  Respelling,
  ExplainedWord,
  QuerySlot,
  RankedHit,
  SearchOutcome,
  SearchPlan,
  SlotExpansion,
  SortKey,
} from './query/plan.ts'
export { isByScore, withScore } from './query/sort-order.ts'
export { infixTexts } from './query/infix-texts.ts'
export type { PlannedNumeric } from './scoring/numeric-signal.ts'
export type { PlannedPersonal } from './query/personal.ts'
export { allBoosts, hasBoosts } from './query/personal.ts'
export type { DocumentPopularity } from './query/popularity.ts'
export type { LearnedDocument } from './query/learning.ts'
export type { Completion, CompletionOutcome, CompletionRequest } from './query/completion.ts'
export type { IndexDocument } from './schema/document.ts'
export type { MatchWords } from './highlight/match-words.ts'
export { escapeHtml } from './highlight/escape-html.ts'
export type { Marks } from './highlight/text-marker.ts'
export { TextMarker } from './highlight/text-marker.ts'
export {
  heavyFields,
  LENGTH_NORM_OTHER,
  LENGTH_NORM_TITLE,
  popularityLevel,
  WORD_WEIGHT,
  WORD_WEIGHT_MEASURE,
  WORD_WEIGHT_MEASURE_NUMBER,
  WORD_WEIGHT_STOPWORD,
  WORD_WEIGHT_UNIT,
} from './scoring/formula.ts'
export { NEIGHBOUR_FREQUENCY_RATIO, neighbourDocFreqMax } from './scoring/corrections.ts'
export { SectionReader, SectionWriter } from './codec/section-file.ts'
export { GrowableU16 } from './codec/growable.ts'
export { IndexMaintenance } from './indexer/index-maintenance.ts'
export type { IndexTask, IndexTaskResult } from './indexer/index-task.ts'
export { performIndexTask } from './indexer/index-task.ts'

export { IndexWriter } from './indexer/index-writer.ts'
export { DeadlineReached, deadlineCheck } from './search/view/deadline.ts'
export { FacetQuery } from './search/facets/facet-query.ts'
export { popularityLevelOf } from './search/view/popularity-levels.ts'
export { Searcher } from './search/searcher.ts'
export type { IndexSnapshot } from './segment/snapshot.ts'
export { bytesToSave, openIndex } from './storage/index-files.ts'
export { SAMPLE_SCHEMA, sampleDocuments } from './storage/index-sample.ts'
