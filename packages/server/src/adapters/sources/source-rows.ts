import type { SourcePreview, StoreSchema } from '@aisle/contract'
import { isObject } from '@aisle/contract/is-object'
import {
  charsOf,
  fieldsOfEntry,
  FileProfile,
  ID_DEFAULT,
  ImportError,
  likelyIds,
  lineWriter,
  propose,
  unknownColumns,
  type Proposal,
  type SourceRow,
} from '@aisle/import'
import type { SourceBatch, SourceReader } from '@aisle/sources'
import type { SourceRequest } from '../../ports/catalog/source-readings.ts'

/** Rows from which is learned how numbers and dates are written. */
const SAMPLE_ROWS_MAX = 10_000
const SAMPLE_CHARS_MAX = 50_000_000
const LIST_SEPARATOR = '|'

export interface OpenedRows {
  readonly profile: FileProfile
  readonly sample: readonly SourceRow[]
  /** All batches, the sample included. */
  readonly all: AsyncGenerator<SourceBatch>
}

/** The first rows of a source alone, in the quickest way that it has. */
export function openFirstRows(
  reader: SourceReader,
  request: SourceRequest,
  signal: AbortSignal,
  rowsMax = SAMPLE_ROWS_MAX,
): Promise<OpenedRows> {
  const batches = reader.readFirst?.(rowsMax, signal) ?? reader.readAll(signal)
  return openBatches(batches, request, rowsMax)
}

/** Reads the first rows of a source, from which its columns are learned. */
export function openSourceRows(
  reader: SourceReader,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<OpenedRows> {
  return openBatches(reader.readAll(signal, request.position), request, SAMPLE_ROWS_MAX)
}

async function openBatches(
  read: AsyncIterable<SourceBatch>,
  request: SourceRequest,
  rowsMax: number,
): Promise<OpenedRows> {
  const batches = read[Symbol.asyncIterator]()
  const head: SourceBatch[] = []
  const sample: SourceRow[] = []
  let chars = 0
  while (sample.length < rowsMax && chars < SAMPLE_CHARS_MAX) {
    const { done, value } = await batches.next()
    if (done === true) break
    head.push(value)
    if (value.kind !== 'rows') break
    for (const row of value.rows) {
      sample.push(row)
      chars += charsOf(row)
    }
  }
  const first = sample.find((row) => row.kind !== 'ragged')
  const columns = first?.kind === 'table' ? Object.keys(first.cells) : undefined
  const idColumn = request.idColumn ?? ID_DEFAULT
  const profile = new FileProfile({ columns, listSeparator: LIST_SEPARATOR, idColumn })
  for (const row of sample) profile.add(row)
  profile.isSample = true
  async function* all(): AsyncGenerator<SourceBatch> {
    try {
      // What was passed on is let go.
      for (let one = head.shift(); one !== undefined; one = head.shift()) yield one
      for (;;) {
        const { done, value } = await batches.next()
        if (done === true) return
        yield value
      }
    } finally {
      await batches.return?.(undefined)
    }
  }
  return { profile, sample, all: all() }
}

/** How rows become documents: as an import of the same file would read them. */
export function rowWriter(
  profile: FileProfile,
  request: SourceRequest,
): { readonly proposal: Proposal; readonly write: (row: SourceRow) => string; idColumn: string } {
  const { schema } = request
  const idColumn = request.idColumn ?? likelyIds(profile)?.column ?? ID_DEFAULT
  const mapping = new Map(
    Object.entries(request.mapping).filter(
      ([column]) => profile.columns === undefined || profile.columns.includes(column),
    ),
  )
  const hasSchema = schema !== undefined && schema.fields.length > 0
  const proposal = propose(profile, { mapping, idColumn, schema: hasSchema ? schema : undefined })
  const write = lineWriter(hasSchema ? schema : proposedSchema(proposal), {
    mapping: proposal.mapping,
    readings: proposal.readings,
    idColumn,
    generateIds: false,
    listSeparator: LIST_SEPARATOR,
    // A column that the shop adds to its feed must not stop it.
    ignoresUnknown: true,
    dropsEmpty: proposal.dropsEmpty,
    action: undefined,
  })
  return { proposal, write, idColumn }
}

function proposedSchema({ fields }: Proposal): StoreSchema {
  return { fields: fields as StoreSchema['fields'] }
}

/** @returns the line of a row, or why there is none */
export function lineOf(
  write: (row: SourceRow) => string,
  row: SourceRow,
): { readonly line: string } | { readonly error: string } {
  try {
    return { line: write(row) }
  } catch (error) {
    if (error instanceof ImportError && error.kind === 'row') return { error: error.message }
    throw error
  }
}

/** The id of a row that is refused, as far as it can be read. */
export function idOf(row: SourceRow, idColumn: string): string | undefined {
  if (row.kind === 'ragged') return undefined
  const value = row.kind === 'table' ? row.cells[idColumn] : idInJson(row.text, idColumn)
  const id = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return id === '' ? undefined : id
}

function idInJson(text: string, idColumn: string): unknown {
  try {
    const entry: unknown = JSON.parse(text)
    const own = isObject(entry) ? entry[idColumn] : undefined
    return own ?? fieldsOfEntry(text)?.[idColumn]
  } catch {
    return undefined
  }
}

export function columnsOf(proposal: Proposal): SourcePreview['columns'] {
  const unknown = new Set(unknownColumns(proposal))
  return proposal.columns.map((one) => ({
    column: one.path,
    field: one.target,
    ...(one.field === undefined ? {} : { type: one.field.type }),
    is_new: unknown.has(one),
    examples: one.examples.slice(0, 3),
  }))
}
