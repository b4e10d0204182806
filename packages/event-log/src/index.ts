/** Visitor events: the public surface of the package. */
export type {
  Identification,
  LogEntry,
  RefusedEvent,
  TallyCount,
  Visitor,
  VisitorEvent,
} from './model/visitor-event.ts'
export { factsOf } from './model/event-facts.ts'
export type { EventFacts, ExperimentArm } from './model/event-facts.ts'
export { experimentVisitor } from './reports/naive-experiments.ts'
export { AddressHasher } from './intake/address-hash.ts'
export { parseTime } from './intake/event-time.ts'
export { propertyWarnings } from './intake/property-warnings.ts'
export { isId } from './intake/json-value.ts'
export { checkSimpleEvent } from './intake/simple-form.ts'
export type { CheckedSimpleEvent } from './intake/simple-form.ts'
export {
  checkCanonicalEvent,
  type CheckedCanonicalEvent,
  EnvelopeError,
  readEnvelope,
  writeKeyOf,
} from './intake/canonical-form.ts'

export { BURST_PAUSE_MS, finalQueries } from './bursts/typing-bursts.ts'

export { decodeRecords, isRecord, messageIdHash, RecordBatch, splitRecords } from './log/record.ts'
export type { BatchRecord } from './log/record.ts'
export { AppendError, DayFullError } from './log/append-errors.ts'

export { afterErasure, erasedHashes, lastErasureMs } from './log/erased-visitors.ts'
export type { ErasedHashes, ErasedIds } from './log/erased-visitors.ts'
export type { AppendBatch } from './log/log-writer.ts'
export { countDuplicate } from './log/duplicate-counts.ts'
export { LogFolder, logNameOf } from './log/log-folder.ts'
export { DiskLogFiles } from './log/log-files.ts'
export type { LogFiles } from './log/log-files.ts'
export { hasSegmentBefore, logEnd, logStart, readLog, recordReader } from './log/log-reader.ts'
export type { LogPage, LogRecord } from './log/log-reader.ts'
export { activityOf, MICROS, shownQueryOf, TAG_SEPARATOR } from './reports/activity.ts'
export { filtersUsed } from './reports/used-filters.ts'

export {
  MISSED_VISITORS_PER_CLICKED,
  UNCLICKED_VISITORS_MIN,
} from './reports/naive-missed-searches.ts'
export { EXAMPLES_MAX, FEW_RESULTS, REFORMULATION_MS } from './reports/naive-reformulations.ts'
export {
  REFORMULATED_BYTES_MAX,
  REFORMULATED_WORDS_MAX,
  REPLACED_WORDS_MAX,
  replacedWords,
} from './reports/replaced-words.ts'
export type { ActivityKind } from './reports/activity.ts'
export { naiveJourney } from './reports/naive-journey.ts'
export type {
  Journey,
  JourneyPlace,
  JourneyQuery,
  JourneyStep,
  VisitorIds,
} from './reports/naive-journey.ts'
export { EARLY_ACTION_MS, naiveReport } from './reports/naive-reports.ts'
export {
  FUNNEL_STEPS,
  intervalMs,
  intervalStart,
  LATENCY_SHARES,
  NO_SEARCHES,
} from './reports/report-counts.ts'
export type * from './reports/report-counts.ts'
export {
  ATTRIBUTION_MS,
  SEARCH_ID_WINDOW_MS,
  STRETCH_MARGIN_MS,
  STRETCH_MS,
  stretchesAround,
} from './reports/stretches.ts'
