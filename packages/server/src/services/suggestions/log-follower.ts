import { lastErasureMs, readLog, type LogFiles } from '@aisle/event-log'
import type { Analyzer } from '@aisle/engine'
import {
  buildPopularityIndex,
  buildProfileIndex,
  dayOf,
  popularIds,
  QueryHistory,
  SpellingBook,
  suggestionIndexSteps,
  togetherIndexSteps,
  type CatalogName,
  type Spelling,
} from '@aisle/suggestions'
import type { HistoryFile } from '../../ports/suggestions/history-files.ts'
import type { BuiltSuggestions } from '../../ports/suggestions/suggestion-publisher.ts'

/** Bytes of the log, and time, after which the file is written. */
const SAVE_BYTES = 32 * 1024 * 1024
const SAVE_MS = 60_000
/** Maximum age of entries that are on their way to the log. */
const TICK_SLACK_MS = 1_000
/**
 * Searches share the processor with builds. Builds use a ninth of the time if events still take
 * effect within 20 s, and a third at most: 3 to 7 s for 200,000 queries. Small stores are fast.
 */
const PAUSE_PER_BUILD = 8
const PAUSE_PER_LONG_BUILD = 2
const PAUSE_LONG_MS = 10_000
const PAUSE_MIN_MS = 500

/** @param tookMs duration of a build @returns milliseconds until the next may begin */
function pauseAfter(tookMs: number): number {
  const short = Math.min(PAUSE_PER_BUILD * tookMs, PAUSE_LONG_MS)
  return Math.max(PAUSE_MIN_MS, short, PAUSE_PER_LONG_BUILD * tookMs)
}

export interface LogFollowerOptions {
  readonly files: LogFiles
  readonly file: HistoryFile
  readonly analyzer: Analyzer
  readonly nowMs: number
}

/** Keeps the history of one store up to date with its log. */
export class LogFollower {
  readonly analyzer: Analyzer
  readonly #files: LogFiles
  readonly #file: HistoryFile
  readonly #history: QueryHistory
  readonly #spellings: SpellingBook
  #watermark: number
  readonly #erasedMs: number
  #savedWatermark: number
  #savedMs: number
  #changed = true
  #builtDay = -1
  #nextBuildMs = 0

  constructor({ files, file, analyzer, nowMs }: LogFollowerOptions) {
    this.analyzer = analyzer
    this.#files = files
    this.#file = file
    const saved = file.read()
    this.#erasedMs = lastErasureMs(files)
    const isUsable = saved?.language === analyzer.name && saved.erasedMs === this.#erasedMs
    const usable = isUsable ? saved : undefined
    this.#history = new QueryHistory(analyzer, usable?.state)
    this.#spellings = new SpellingBook(analyzer)
    this.#watermark = usable?.watermark ?? 0
    this.#savedWatermark = this.#watermark
    this.#savedMs = nowMs
  }

  /** Byte position up to which the log is part of the history. */
  get watermark(): number {
    return this.#watermark
  }

  /**
   * Reads the next page of the log.
   *
   * @param end end of the log on disk
   * @returns whether there may be more
   */
  step(end: number): boolean {
    const { records, next } = readLog(this.#files, this.#watermark, end)
    if (next <= this.#watermark) return false
    for (const { entry } of records) this.#history.apply(entry)
    this.#watermark = next
    this.#changed ||= records.length > 0
    return next < end
  }

  /** Ends typing bursts that are over. */
  tick(nowMs: number): void {
    const before = this.#history.table.changes
    this.#history.tick(nowMs - TICK_SLACK_MS)
    this.#changed ||= this.#history.table.changes !== before
  }

  /** Whether new suggestions are due: something changed, or a day began. */
  isDue(nowMs: number): boolean {
    if (nowMs < this.#nextBuildMs) return false
    return this.#changed || dayOf(nowMs) !== this.#builtDay
  }

  /** The words of the catalog have changed: the spelling of all queries is checked again. */
  renewSpelling(): void {
    this.#spellings.renew()
    this.#changed = true
  }

  /** Begins to check the spelling of queries and names added since the last time. */
  beginSpelling(names: readonly CatalogName[]): void {
    this.#spellings.begin(this.#history.table, names)
  }

  /** Texts whose spelling is to be checked next. @returns none if all are known */
  unspelt(count: number): string[] {
    return this.#spellings.next(count)
  }

  /** @param spellings of the unchecked texts; undefined if time ran out */
  takeSpelling(texts: readonly string[], spellings: readonly (Spelling | undefined)[]): void {
    this.#spellings.take(texts, spellings)
  }

  /** Requests another build, because more spellings are to be checked than for the last one. */
  goOnSpelling(): void {
    this.#changed = true
  }

  /** Builds the current suggestions step by step; `step` and `tick` must wait for the end. */
  *build(names: readonly CatalogName[], nowMs: number): Generator<void, BuiltSuggestions> {
    const startMs = performance.now()
    const { table, profiles, documents, together, seen } = this.#history
    const today = dayOf(nowMs)
    const built = {
      index: yield* suggestionIndexSteps({
        table,
        documents: documents.documents,
        names,
        spellings: this.#spellings,
        analyzer: this.analyzer,
        today,
      }),
      profiles: buildProfileIndex(profiles.items),
      together: yield* togetherIndexSteps({ together, seen, today }),
    }
    this.#changed = false
    this.#builtDay = today
    this.#nextBuildMs = nowMs + pauseAfter(performance.now() - startMs)
    return built
  }

  /**
   * Input of the popularity of documents: whether there is any, and how often it changed.
   */
  get appeal(): { readonly isEmpty: boolean; readonly changes: number } {
    const { documents, changes } = this.#history.appeal
    return { isEmpty: documents.isEmpty, changes }
  }

  /** The documents with popularity, including deleted ones. */
  popularIds(nowMs: number): string[] {
    return popularIds(this.#history.appeal, dayOf(nowMs))
  }

  /** Builds the current popularity. @param docKeyOf the live version of a document */
  buildPopularity(docKeyOf: (id: string) => number | undefined, nowMs: number): SharedArrayBuffer {
    const { appeal, table } = this.#history
    return buildPopularityIndex({ appeal, table, docKeyOf, today: dayOf(nowMs) })
  }

  /** Writes the file if enough was added since the last time. */
  saveWhenDue(nowMs: number): void {
    const bytes = this.#watermark - this.#savedWatermark
    if (bytes === 0 || (bytes < SAVE_BYTES && nowMs - this.#savedMs < SAVE_MS)) return
    this.save(nowMs)
  }

  save(nowMs: number): void {
    const { name: language } = this.analyzer
    this.#file.write({
      language,
      watermark: this.#watermark,
      erasedMs: this.#erasedMs,
      state: this.#history.state,
    })
    this.#savedWatermark = this.#watermark
    this.#savedMs = nowMs
  }
}
