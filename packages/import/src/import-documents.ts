import type { StoreClient, StoreSchema } from '@aisle/client'
import { withReadings } from './convert-json.ts'
import { withId } from './document-ids.ts'
import { ImportError } from './import-error.ts'
import { FailureReasons } from './failure-reasons.ts'
import type { FailureReason } from './failure-reasons.ts'
import { withMapping } from './map-fields.ts'
import { IdSet } from './profile/id-set.ts'
import { IDS_NAMED_MAX } from './profile/id-stats.ts'
import type { SourceRow } from './source-row.ts'
import { rowToJson, targetsOf } from './table-rows.ts'
import type { TableOptions } from './table-rows.ts'

/** How a row becomes a document. */
export interface RowOptions extends TableOptions {
  readonly action: 'upsert' | 'insert' | 'update' | undefined
}

interface ImportOptions extends RowOptions {
  /** Number of rows to skip, from the first on. */
  readonly skip: number
  /** Called for every row that was not imported. */
  readonly onFailed: (failure: FailedRow) => void
  /** Called after each answer with the number of settled rows, from the first on, and documents. */
  readonly onSettled: (rows: number, imported: number) => void
  /** Continue when row after row fails for the same reason. */
  readonly keepGoing: boolean
  /** Stops sending, and waits for requests in flight. */
  readonly signal: AbortSignal
}

export interface FailedRow {
  /** Place in the source, from 1. */
  readonly row: number
  readonly error: string
  /** The row as it was read. */
  readonly entry: unknown
}

export interface ImportOutcome {
  /** Documents; rows with the same id are one. */
  readonly imported: number
  /** Rows that were imported, and whose id an earlier row has too: the later one counts. */
  readonly repeated: number
  /** The first such ids. */
  readonly repeatedIds: readonly string[]
  readonly failed: number
  readonly reasons: readonly FailureReason[]
  /** Why it stopped early: too many consecutive rows failed for this reason. */
  readonly stuck: FailureReason | undefined
  readonly interrupted: boolean
}

const BATCH_ROWS = 500
const BATCH_CHARS = 4_000_000
/** Requests in flight: the service commits two together while it reads the next ones. */
const IN_FLIGHT_MAX = 4

/** A failed row, before it is reported. */
interface Failure {
  readonly row: number
  readonly error: string
  /** As far as it is known. */
  readonly id?: string
  readonly source: SourceRow
}

interface Batch {
  readonly lines: string[]
  /** For each line, its row. */
  readonly rows: { readonly row: number; readonly source: SourceRow }[]
  readonly local: Failure[]
  chars: number
  last: number
}

/**
 * Sends the rows of a source, some hundred at a time, in order, and says what became of each. Stops
 * when row after row fails for one reason.
 */
export async function importDocuments(
  store: StoreClient,
  rows: AsyncIterable<SourceRow>,
  schema: StoreSchema,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const toLine = lineWriter(schema, options)
  const inFlight: Promise<void>[] = []
  const ids = new IdSet()
  const repeatedIds = new Set<string>()
  let [imported, repeated, failed] = [0, 0, 0]
  const count = (id: string): void => {
    if (ids.add(id)) {
      imported++
      return
    }
    repeated++
    if (repeatedIds.size < IDS_NAMED_MAX) repeatedIds.add(id)
  }
  const reasons = new FailureReasons()
  const fail = (failure: Failure): void => {
    failed++
    const { row, error, id } = failure
    reasons.add(row, error, id)
    options.onFailed({ row, error, entry: entryOf(failure.source) })
  }
  const send = async (batch: Batch): Promise<() => void> => {
    const answer = batch.lines.length === 0 ? undefined : await store.bulk(batch.lines)
    return () => {
      for (const { status, id } of answer?.results ?? []) if (status !== 'failed') count(id)
      const refused = (answer?.results ?? []).flatMap(({ status, index, error, id }) =>
        status === 'failed' ? [{ ...batch.rows[index]!, error: error ?? 'refused', id }] : [],
      )
      for (const failure of [...batch.local, ...refused].toSorted((a, b) => a.row - b.row)) {
        fail(failure)
      }
      if (answer?.error !== undefined) throw new ImportError('stopped', answer.error)
      options.onSettled(batch.last, imported)
    }
  }
  let before: Promise<void> = Promise.resolve()
  const start = async (batch: Batch): Promise<void> => {
    const sending = send(batch)
    // Answers are taken in order, so that what is settled is a beginning of the file.
    const settled = Promise.all([sending, before]).then(([settle]) => settle())
    settled.catch(() => undefined)
    before = settled
    inFlight.push(settled)
    if (inFlight.length >= IN_FLIGHT_MAX) await inFlight.shift()
  }

  let batch = emptyBatch()
  let row = 0
  const mayGoOn = (): boolean =>
    !options.signal.aborted && (options.keepGoing || reasons.stuck === undefined)
  for await (const read of untilAborted(rows, options.signal)) {
    if (++row <= options.skip) continue
    if (!mayGoOn()) break
    batch.last = row
    try {
      const line = toLine(read)
      batch.lines.push(line)
      batch.rows.push({ row, source: read })
      batch.chars += line.length
    } catch (error) {
      if (!(error instanceof ImportError) || error.kind !== 'row') throw error
      batch.local.push({ row, error: error.message, source: read })
    }
    const rowCount = batch.lines.length + batch.local.length
    if (rowCount < BATCH_ROWS && batch.chars < BATCH_CHARS) continue
    await start(batch)
    batch = emptyBatch()
  }
  if (batch.last > 0 && mayGoOn()) await start(batch)
  await before
  const stuck = options.keepGoing ? undefined : reasons.stuck
  return {
    imported,
    repeated,
    repeatedIds: [...repeatedIds],
    failed,
    reasons: reasons.list(),
    stuck,
    interrupted: options.signal.aborted,
  }
}

/** The rows up to the signal, which is not a failure. */
async function* untilAborted(
  rows: AsyncIterable<SourceRow>,
  signal: AbortSignal,
): AsyncGenerator<SourceRow> {
  try {
    yield* rows
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function emptyBatch(): Batch {
  return { lines: [], rows: [], local: [], chars: 0, last: 0 }
}

/**
 * How a row becomes a line of the bulk. What it makes throws ImportError for a row that cannot be
 * one.
 */
export function lineWriter(schema: StoreSchema, options: RowOptions): (row: SourceRow) => string {
  const fields = new Map(schema.fields.map((field) => [field.name, field]))
  let targets: ReadonlyMap<string, string> | undefined
  const { mapping, idColumn, readings = new Map(), ignoresUnknown = false } = options
  const { dropsEmpty = false } = options
  const conversion = { readings, mapping, fields, ignoresUnknown, dropsEmpty }
  const keepsId = fields.has(mapping.get(idColumn) ?? idColumn)
  return (row) => {
    if (row.kind === 'ragged') throw new ImportError('row', row.error)
    if (row.kind === 'json') {
      const text = withId(withReadings(row.text, conversion), options, keepsId)
      return withAction(onOneLine(withMapping(text, mapping)), options.action)
    }
    targets ??= knownTargets(Object.keys(row.cells), fields, options)
    return withAction(rowToJson(row.cells, targets, fields, options), options.action)
  }
}

/** @throws ImportError that names all columns that have no field */
function knownTargets(
  columns: readonly string[],
  fields: ReadonlyMap<string, unknown>,
  options: RowOptions,
): ReadonlyMap<string, string> {
  const targets = targetsOf(columns, options, new Set(fields.keys()))
  const unknown = [...targets].filter(([, name]) => !fields.has(name))
  if (unknown.length === 0 || options.ignoresUnknown === true) return targets
  const [column] = unknown[0]!
  const names = unknown.map(([one, name]) => `"${one}" (${name})`).join(', ')
  throw new ImportError(
    'unreadable',
    `The schema has no field for ${unknown.length === 1 ? 'column' : 'columns'} ${names}: name other fields, or leave them out`,
    { choice: 'map', column },
  )
}

/** Line feeds of JSON are between its values, never inside. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text
}

function withAction(line: string, action: ImportOptions['action']): string {
  if (action === undefined) return line
  if (!line.startsWith('{')) return line
  const isEmpty = /^\{\s*\}$/.test(line)
  return `{"action":"${action}"${isEmpty ? '' : ','}${line.slice(1)}`
}

function entryOf(row: SourceRow): unknown {
  if (row.kind !== 'json') return row.cells
  try {
    return JSON.parse(row.text)
  } catch {
    return row.text
  }
}
