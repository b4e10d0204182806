import type { StoreClient, StoreSchema } from '@aisle/client'
import { isConversion, withReadings } from './convert-json.ts'
import { withId } from './document-ids.ts'
import { ImportError } from './import-error.ts'
import { ID_DEFAULT } from './id-names.ts'
import { entryOf } from './json-entry.ts'
import { FailureReasons, type FailureReason } from './failure-reasons.ts'
import { withMapping } from './map-fields.ts'
import { IdSet } from './profile/id-set.ts'
import { IDS_NAMED_MAX } from './profile/id-stats.ts'
import type { JsonRow, SourceRow } from './source-row.ts'
import { rowToJson, targetsOf, type TableOptions } from './table-rows.ts'

/** Options for turning rows into documents. */
export interface RowOptions extends TableOptions {
  readonly action: 'upsert' | 'insert' | 'update' | undefined
}

interface ImportOptions extends RowOptions {
  /** Number of leading rows to skip. */
  readonly skip: number
  /** Called for every row that was not imported. */
  readonly onFailed: (failure: FailedRow) => void
  /** Called after each response with the number of settled leading rows, and of documents. */
  readonly onSettled: (rows: number, imported: number) => void
  /** Continue after many consecutive failures for the same reason. */
  readonly keepGoing: boolean
  /** Stops sending, and waits for requests in flight. */
  readonly signal: AbortSignal
}

export interface FailedRow {
  /** Row number in the source, from 1. */
  readonly row: number
  readonly error: string
  /** The row as read. */
  readonly entry: unknown
}

export interface ImportOutcome {
  /** Number of documents; rows with the same id count once. */
  readonly imported: number
  /** Imported rows that replaced an earlier row with the same id. */
  readonly repeated: number
  /** The first such ids. */
  readonly repeatedIds: readonly string[]
  readonly failed: number
  readonly reasons: readonly FailureReason[]
  /** The reason that stopped the import early: too many consecutive rows failed for it. */
  readonly stuck: FailureReason | undefined
  readonly interrupted: boolean
}

const BATCH_ROWS = 500
const BATCH_CHARS = 4_000_000
/** Requests in flight: the service commits two at once while it reads the next. */
const IN_FLIGHT_MAX = 4

/** A failed row, before it is reported. */
interface Failure {
  readonly row: number
  readonly error: string
  /** The document id, if known. */
  readonly id?: string
  readonly source: SourceRow
}

interface Batch {
  readonly lines: string[]
  /** The row of each line. */
  readonly rows: { readonly row: number; readonly source: SourceRow }[]
  readonly local: Failure[]
  chars: number
  last: number
}

/**
 * Sends the rows of a source in order, some hundred at a time, and reports the outcome of each.
 * Stops after many consecutive failures for one reason.
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
    options.onFailed({ row, error, entry: shownEntry(failure.source) })
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
    // Responses are awaited in order, so that the settled rows are always a prefix of the file.
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
  const { intact, failure } = untilBroken(untilAborted(rows, options.signal))
  for await (const read of intact) {
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
  const broken = failure()
  if (broken !== undefined) throw broken
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

/** Yields rows until the signal, which is not a failure. */
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

/** Yields the rows before the place where a file is broken, and keeps the error. */
function untilBroken(rows: AsyncGenerator<SourceRow>): {
  readonly intact: AsyncGenerator<SourceRow>
  readonly failure: () => ImportError | undefined
} {
  let failure: ImportError | undefined
  async function* intact(): AsyncGenerator<SourceRow> {
    try {
      yield* rows
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      failure = error
    }
  }
  return { intact: intact(), failure: () => failure }
}

function emptyBatch(): Batch {
  return { lines: [], rows: [], local: [], chars: 0, last: 0 }
}

/**
 * Creates the function that turns a row into a line of the bulk request. That function throws
 * ImportError for a row that cannot be converted.
 */
export function lineWriter(schema: StoreSchema, options: RowOptions): (row: SourceRow) => string {
  const fields = new Map(schema.fields.map((field) => [field.name, field]))
  let targets: ReadonlyMap<string, string> | undefined
  const { mapping, idColumn, readings = new Map(), ignoresUnknown = false } = options
  const { dropsEmpty = false } = options
  const conversion = { readings, mapping, fields, ignoresUnknown, dropsEmpty }
  const keepsId = fields.has(mapping.get(idColumn) ?? idColumn)
  const isChanged = isConversion(conversion) || mapping.size > 0 || idColumn !== ID_DEFAULT
  // Anything that is not a JSON object is left to the service, which reports it.
  const textOf = (row: JsonRow): string => {
    const entry = isChanged || !options.generateIds ? entryOf(row) : undefined
    if (entry === undefined) return row.text
    const converted = isConversion(conversion) ? withReadings(entry, conversion) : entry
    const identified = withId(converted, options, keepsId)
    if (!isChanged) return row.text
    return JSON.stringify(mapping.size > 0 ? withMapping(identified, mapping) : identified)
  }
  return (row) => {
    if (row.kind === 'ragged') throw new ImportError('row', row.error)
    if (row.kind === 'json') return withAction(onOneLine(textOf(row)), options.action)
    targets ??= knownTargets(Object.keys(row.cells), fields, options)
    return withAction(rowToJson(row.cells, targets, fields, options), options.action)
  }
}

/** @throws ImportError that names all columns without a field */
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
    `The schema has no field for ${unknown.length === 1 ? 'column' : 'columns'} ${names}: map ${unknown.length === 1 ? 'it to another field, or leave it out' : 'them to other fields, or leave them out'}`,
    { choice: 'map', column },
  )
}

/** JSON has line feeds between values, never inside them. */
function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replaceAll(/[\r\n]+/g, ' ') : text
}

function withAction(line: string, action: ImportOptions['action']): string {
  if (action === undefined) return line
  if (!line.startsWith('{')) return line
  const isEmpty = /^\{\s*\}$/.test(line)
  return `{"action":"${action}"${isEmpty ? '' : ','}${line.slice(1)}`
}

function shownEntry(row: SourceRow): unknown {
  if (row.kind !== 'json') return row.cells
  try {
    return JSON.parse(row.text)
  } catch {
    return row.text
  }
}
