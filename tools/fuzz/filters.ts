import { ApiError } from '@aisle/contract'
import { createAnalyzer, IndexWriter, Searcher } from '@aisle/engine'
import type { Analyzer, FilterNode, IndexDocument, SearchPlan, Token } from '@aisle/engine'
import { EMPTY_PLAN, seededRandom } from '@aisle/testing'
import type { CandidateDocument } from '../../packages/engine/src/rescoring/candidate-document.ts'
import { matches } from '../../packages/engine/src/rescoring/filter.ts'
import { parseFilter } from '../../packages/server/src/domain/expressions/filter-parser.ts'
import { FUZZ_SCHEMA, randomDocument, randomFilter, type Random } from './filter-texts.ts'

export interface FilterFuzzOptions {
  readonly runs: number
  readonly seed: number
  readonly onProgress?: (report: FilterFuzzReport) => void
}

export interface FilterFuzzReport {
  runs: number
  /** Expressions that could be parsed. */
  parsed: number
  /** Parsed expressions that matched some documents but not all. */
  partial: number
  readonly problems: string[]
}

const DOCUMENTS = 60
const REMOVED = [5, 30, 31]
/** The documents are replaced after this many expressions. */
const RUNS_PER_CATALOG = 20_000
const SLOW_MS = 50
const PROBLEMS_MAX = 20
const REFUSALS = new Set(['invalid_filter', 'unknown_field', 'field_not_filterable'])

/**
 * Filter expressions, most of them valid: each is refused with a documented code, or matches the
 * same documents in the embedded index as in the naive evaluator; none takes longer than 50 ms.
 */
export function runFilterFuzz({ runs, seed, onProgress }: FilterFuzzOptions): FilterFuzzReport {
  const report: FilterFuzzReport = { runs: 0, parsed: 0, partial: 0, problems: [] }
  const random = seededRandom(seed)
  while (report.runs < runs && report.problems.length < PROBLEMS_MAX) {
    const catalog = new Catalog(random)
    const end = Math.min(runs, report.runs + RUNS_PER_CATALOG)
    for (; report.runs < end && report.problems.length < PROBLEMS_MAX; report.runs++) {
      examine(randomFilter(random), catalog, report)
    }
    onProgress?.(report)
  }
  return report
}

function examine(text: string, catalog: Catalog, report: FilterFuzzReport): void {
  try {
    const startMs = performance.now()
    const filter = read(text)
    const found = filter === undefined ? undefined : catalog.search(filter)
    const ms = performance.now() - startMs
    if (ms > SLOW_MS) noteSlow(text, ms, catalog, report)
    if (filter === undefined || found === undefined) return
    report.parsed++
    const wanted = catalog.naive(filter)
    if (found.length > 0 && found.length < catalog.count) report.partial++
    if (found.join() !== wanted.join()) {
      report.problems.push(`${JSON.stringify(text)} keeps ${found.join()}, naive ${wanted.join()}`)
    }
  } catch (error) {
    report.problems.push(`${JSON.stringify(text)}: ${String(error)}`)
  }
}

/** @returns undefined if it is refused correctly */
function read(text: string): FilterNode | undefined {
  try {
    return parseFilter(text, FUZZ_SCHEMA, analyzer)
  } catch (error) {
    if (error instanceof ApiError && REFUSALS.has(error.code)) return undefined
    throw error
  }
}

/** A pause of the machine is not the filter's fault: only what is slow every time is slow. */
function noteSlow(text: string, ms: number, catalog: Catalog, report: FilterFuzzReport): void {
  const times = [1, 2, 3].map(() => {
    const startMs = performance.now()
    const filter = read(text)
    if (filter !== undefined) catalog.search(filter)
    return performance.now() - startMs
  })
  const least = Math.min(ms, ...times)
  if (least > SLOW_MS) report.problems.push(`${JSON.stringify(text)} takes ${least} ms`)
}

const analyzer = createAnalyzer()

/** The naive evaluator analyzes every value every time; there are only few of them. */
const remembering: Analyzer = {
  ...analyzer,
  stem: (form) => analyzer.stem(form),
  isStopword: (form) => analyzer.isStopword(form),
  fold: remembered((text) => analyzer.fold(text)),
  analyze: remembered((text): Token[] => analyzer.analyze(text)),
}

function remembered<T>(run: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (!known.has(text)) known.set(text, run(text))
    return known.get(text)!
  }
}

/** Some documents, in the index and in the plainest form. */
class Catalog {
  readonly #documents: readonly CandidateDocument[]
  readonly #keys = new Map<string, number>()
  readonly #searcher = new Searcher()

  constructor(random: Random) {
    const documents: IndexDocument[] = []
    for (let docKey = 1; docKey <= DOCUMENTS; docKey++) {
      documents.push(randomDocument(docKey, random))
    }
    const writer = new IndexWriter(FUZZ_SCHEMA, 'en')
    const half = DOCUMENTS / 2
    writer.apply({ added: documents.slice(0, half), removed: [] })
    writer.apply({ added: documents.slice(half), removed: [] })
    const isRemoved = ({ docKey }: IndexDocument): boolean => REMOVED.includes(docKey)
    writer.apply({ added: [], removed: documents.filter(isRemoved) })
    this.#searcher.update(writer.snapshot())
    // Filters read only the values.
    const live = documents.filter((document) => !isRemoved(document))
    this.#documents = live
      .map((document) => ({ ...document, fields: FUZZ_SCHEMA.fields, tokens: [], titleWords: [] }))
      .toReversed()
    for (const { id, docKey } of live) this.#keys.set(id, docKey)
  }

  get count(): number {
    return this.#documents.length
  }

  /** Keys of the matching documents, newest first. */
  search(filter: FilterNode): number[] {
    const { hits } = this.#searcher.search(planOf(filter), (id) => this.#keys.get(id))
    return hits.map(({ docKey }) => docKey)
  }

  naive(filter: FilterNode): number[] {
    return this.#documents
      .filter((document) => matches(document, filter, remembering))
      .map(({ docKey }) => docKey)
  }
}

function planOf(filter: FilterNode): SearchPlan {
  return {
    ...EMPTY_PLAN,
    fieldWeights: FUZZ_SCHEMA.fields.map(() => 1),
    lengthNorms: FUZZ_SCHEMA.fields.map(() => 0.5),
    titleField: 0,
    filter,
    size: DOCUMENTS,
  }
}
