import type { StoreClient, StoreSchema } from '@aisle/client'
import type { FailedRow, FailureReason, RowOptions, Source } from '@aisle/import'
import { currentTimeMs } from '../state/clock.ts'
import { Shared, useShared } from '../state/shared.ts'
import { importMark, keepMark, removeMark } from './import-mark.ts'

export type ImportPhase = 'running' | 'paused' | 'done' | 'cancelled' | 'stopped'

/** An import in this page. It continues on all screens, and ends with the tab. */
export interface ImportJob {
  readonly storeId: string
  readonly fileName: string
  readonly fileBytes: number
  readonly phase: ImportPhase
  /** Number of rows with a result, from the first one on. */
  readonly rows: number
  /** Documents; rows with the same id are one. */
  readonly imported: number
  /** Rows that replaced an earlier one with the same id. */
  readonly repeated: number
  /** The first such ids. */
  readonly repeatedIds: readonly string[]
  readonly failed: number
  readonly reasons: readonly FailureReason[]
  /** Share of the file, 0..1. */
  readonly share: number
  readonly rowsPerSecond: number
  readonly secondsLeft: number | undefined
  /** Why it stopped. */
  readonly error: unknown
  /** The reason for which one row after another failed. */
  readonly stuck: FailureReason | undefined
}

export interface ImportRequest {
  readonly storeId: string
  readonly calls: StoreClient
  readonly source: Source
  readonly schema: StoreSchema
  readonly options: RowOptions
  readonly delimiter: string | undefined
  readonly encoding: string | undefined
  /** Number of rows to skip, from the first one on. */
  readonly skip: number
  readonly onEnd: () => void
}

/** Failed rows kept for the download, in characters of JSON. */
const FAILED_KEPT_MAX_CHARS = 50_000_000
/** The rate is computed over the last seconds. */
const RATE_WINDOW_MS = 5_000

const JOB = new Shared<ImportJob | undefined>(undefined)
let running: { request: ImportRequest; abort: AbortController; gate: Gate } | undefined
let failedLines: string[] = []
let failedChars = 0

export function useImportJob(): ImportJob | undefined {
  return useShared(JOB)
}

function update(changes: Partial<ImportJob>): void {
  if (JOB.value !== undefined) JOB.set({ ...JOB.value, ...changes })
}

/** A pause: waiting code continues when it opens. */
class Gate {
  #pause: PromiseWithResolvers<void> | undefined

  close(): void {
    this.#pause ??= Promise.withResolvers()
  }

  open(): void {
    this.#pause?.resolve()
    this.#pause = undefined
  }

  async pass(): Promise<void> {
    await this.#pause?.promise
  }
}

/** Starts an import, or continues a stopped one. Only one runs at a time. */
export function startImport(request: ImportRequest): void {
  if (isUnderWay(JOB.value)) return
  const { storeId, source, skip } = request
  if (skip === 0) {
    failedLines = []
    failedChars = 0
  }
  const before = skip > 0 && JOB.value?.fileName === source.name ? JOB.value : undefined
  JOB.set({
    storeId,
    fileName: source.name,
    fileBytes: source.bytes,
    phase: 'running',
    rows: skip,
    imported: before?.imported ?? 0,
    repeated: 0,
    repeatedIds: [],
    failed: before?.failed ?? 0,
    reasons: [],
    share: 0,
    rowsPerSecond: 0,
    secondsLeft: undefined,
    error: undefined,
    stuck: undefined,
  })
  running = { request, abort: new AbortController(), gate: new Gate() }
  addEventListener('beforeunload', warn)
  void run(request, running.abort.signal, running.gate, before)
}

/** The browser asks before the tab closes. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

export function isUnderWay(one: ImportJob | undefined): boolean {
  return one?.phase === 'running' || one?.phase === 'paused'
}

export function pauseImport(): void {
  running?.gate.close()
  update({ phase: 'paused' })
}

export function continueImport(): void {
  running?.gate.open()
  update({ phase: 'running' })
}

/** Rows that were sent stay; the rest is not sent. */
export function cancelImport(): void {
  running?.abort.abort()
  running?.gate.open()
}

/**
 * The state from which a stopped or cancelled import can continue.
 * @param calls of the current session
 */
export function resumeImport(calls: StoreClient): void {
  if (running === undefined || JOB.value === undefined) return
  startImport({ ...running.request, calls, skip: JOB.value.rows })
}

export function dismissImport(): void {
  JOB.set(undefined)
  running = undefined
  failedLines = []
}

/** One line of JSON per refused row: its place, the reason, and the row. */
export function failedRowsText(): readonly string[] {
  return failedLines
}

async function run(
  request: ImportRequest,
  signal: AbortSignal,
  gate: Gate,
  before: ImportJob | undefined,
): Promise<void> {
  const { storeId, calls, source, schema, options, skip, delimiter, encoding } = request
  const rate = new Rate()
  let bytes = 0
  try {
    const { importDocuments, openRows } = await import('@aisle/import')
    const rows = await openRows(source, {
      delimiter,
      encoding,
      onBytes: (more) => (bytes += more),
      signal,
    })
    rate.add(currentTimeMs(), skip, 0)
    const outcome = await importDocuments(calls, passing(rows.all, gate), schema, {
      ...options,
      skip,
      keepGoing: false,
      signal,
      onFailed: (failure) => {
        keepFailed(failure)
        update({ failed: (JOB.value?.failed ?? 0) + 1 })
      },
      onSettled: (row, imported) => {
        const share = Math.min(1, bytes / source.bytes)
        rate.add(currentTimeMs(), row, share)
        keepMark(importMark(source, storeId, row))
        update({
          rows: row,
          imported: (before?.imported ?? 0) + imported,
          share,
          rowsPerSecond: rate.rowsPerSecond(),
          secondsLeft: rate.secondsLeft(),
        })
      },
    })
    const { stuck, reasons, interrupted, repeated, repeatedIds } = outcome
    const phase = interrupted ? 'cancelled' : stuck === undefined ? 'done' : 'stopped'
    if (phase === 'done') removeMark(storeId)
    update({
      phase,
      reasons,
      stuck,
      repeated,
      repeatedIds,
      imported: (before?.imported ?? 0) + outcome.imported,
      ...(phase === 'done' ? { share: 1 } : {}),
    })
  } catch (error) {
    update(signal.aborted ? { phase: 'cancelled' } : { phase: 'stopped', error })
  } finally {
    removeEventListener('beforeunload', warn)
    request.onEnd()
  }
}

/** Rows that wait while the import is paused. */
async function* passing<Row>(rows: AsyncIterable<Row>, gate: Gate): AsyncGenerator<Row> {
  for await (const row of rows) {
    await gate.pass()
    yield row
  }
}

function keepFailed(failure: FailedRow): void {
  if (failedChars > FAILED_KEPT_MAX_CHARS) return
  const line = `${JSON.stringify(failure)}\n`
  failedLines.push(line)
  failedChars += line.length
}

/** The rate, over the last few seconds. */
class Rate {
  #points: { ms: number; rows: number; share: number }[] = []

  add(ms: number, rows: number, share: number): void {
    this.#points.push({ ms, rows, share })
    while (this.#points.length > 2 && ms - this.#points[1]!.ms > RATE_WINDOW_MS)
      this.#points.shift()
  }

  rowsPerSecond(): number {
    const [first, last] = [this.#points[0]!, this.#points.at(-1)!]
    return ((last.rows - first.rows) / Math.max(1, last.ms - first.ms)) * 1_000
  }

  secondsLeft(): number | undefined {
    const [first, last] = [this.#points[0]!, this.#points.at(-1)!]
    const perMs = (last.share - first.share) / Math.max(1, last.ms - first.ms)
    return perMs > 0 ? (1 - last.share) / perMs / 1_000 : undefined
  }
}
