import { ApiError, SOURCE_SHOWN_MAX_CHARS, type SourcePreview } from '@aisle/contract'
import { ImportError, type SourceRow } from '@aisle/import'
import { SourceError, type SourceBatch, type SourceReader } from '@aisle/sources'
import {
  isDeleted,
  partEntries,
  PART_DOCUMENTS_MAX,
  PartWriter,
} from '../../domain/documents/source-parts.ts'
import { readEntry } from '../../domain/documents/write-request.ts'
import type {
  ChangedDocument,
  ComparedBatch,
  MissingDocuments,
  RefusedSourceRow,
  SourceReading,
  SourceRequest,
} from '../../ports/catalog/source-readings.ts'
import { digestOf, KnownDocuments } from './known-documents.ts'
import { columnsOf, idOf, lineOf, openFirstRows, openSourceRows, rowWriter } from './source-rows.ts'

/** A batch is full at this number of documents to write, or of their bytes. */
const CHANGED_MAX = 500
const CHANGED_BYTES_MAX = 4_000_000
/** Rows of a preview from which columns are learned. */
const PREVIEW_SAMPLE_ROWS = 1_000
const UNKNOWN_DIGEST = new Uint8Array(8)

interface ReadBatch {
  readonly rows: readonly SourceRow[]
  readonly read: (row: SourceRow, number: number) => ReadRow
}

/** Reads a source, and compares its documents with what was written before. */
export class SourceComparison implements Omit<
  SourceReading,
  'nextChanges' | 'someNow' | 'acknowledge'
> {
  readonly #reader: SourceReader
  readonly #request: SourceRequest
  readonly #signal: AbortSignal
  readonly #known = new KnownDocuments()
  #batches: AsyncGenerator<ReadBatch> | undefined
  #batch: ReadBatch = { rows: [], read: () => undefined as never }
  /** Rows of the batch that were compared. */
  #rowAt = 0
  #row = 0
  #bytes = 0
  #last: ComparedBatch | undefined

  constructor(reader: SourceReader, request: SourceRequest, signal: AbortSignal) {
    this.#reader = reader
    this.#request = request
    this.#signal = signal
  }

  async remember(part: Uint8Array, isOutdated: boolean): Promise<void> {
    for (const { id, digestAt } of partEntries(part)) {
      const digest = part.subarray(digestAt, digestAt + 8)
      if (isDeleted(digest)) this.#known.delete(id)
      else this.#known.remember(id, isOutdated ? UNKNOWN_DIGEST : digest)
    }
  }

  async compact(part: Uint8Array): Promise<Uint8Array> {
    const kept = new PartWriter()
    for (const { id } of partEntries(part)) {
      const digest = this.#known.report(id)
      if (digest !== undefined) kept.add(id, digest)
    }
    return kept.take()
  }

  next(): Promise<ComparedBatch> {
    return readable(() => this.#next())
  }

  async #next(): Promise<ComparedBatch> {
    this.#batches ??= this.#read()
    if (this.#last !== undefined) return this.#last
    const part = new PartWriter()
    const changed: ChangedDocument[] = []
    const refused: RefusedSourceRow[] = []
    const begin = { row: this.#row, bytes: this.#bytes }
    let changedBytes = 0
    let unchanged = 0
    const isFull = (): boolean =>
      changed.length + refused.length >= CHANGED_MAX ||
      changedBytes >= CHANGED_BYTES_MAX ||
      this.#row - begin.row >= PART_DOCUMENTS_MAX
    while (!isFull()) {
      if (this.#rowAt === this.#batch.rows.length) {
        const { done, value } = await this.#batches.next()
        if (done !== true) {
          this.#batch = value
          this.#rowAt = 0
          continue
        }
        if (part.count + refused.length === 0 && this.#last !== undefined) return this.#last
        break
      }
      const row = ++this.#row
      const read = this.#batch.read(this.#batch.rows[this.#rowAt++]!, row)
      if ('error' in read) {
        refused.push(read)
        // The source still has the document: what was written of it stays, and is not missing.
        if (read.id !== undefined && this.#known.has(read.id)) {
          this.#known.read(read.id, UNKNOWN_DIGEST)
          part.add(read.id, UNKNOWN_DIGEST)
        }
        continue
      }
      const { id, json } = read
      const digest = digestOf(json)
      const found = this.#known.read(id, digest)
      // It is described where it was read before, with the outcome of its write.
      if (found === 'repeated') {
        unchanged++
        continue
      }
      const digestAt = part.add(id, digest)
      if (found === 'unchanged') {
        unchanged++
        continue
      }
      // A view would be sent to the other thread with all that it is a view of.
      const copy = new Uint8Array(json)
      changed.push({ id, json: copy, isNew: found === 'new', row, digestAt })
      changedBytes += json.length
    }
    const counts = { rows: this.#row - begin.row, bytes: this.#bytes - begin.bytes, unchanged }
    return { kind: 'rows', ...counts, changed, refused, part: part.take() }
  }

  async figures(): Promise<{ known: number; missing: number }> {
    this.#known.forgetReports()
    return { known: this.#known.count, missing: this.#known.missing }
  }

  async missing(part: Uint8Array): Promise<MissingDocuments> {
    const ids: string[] = []
    const left = new PartWriter()
    for (const { id } of partEntries(part)) {
      if (this.#known.isSeen(id)) continue
      const digest = this.#known.report(id)
      if (digest === undefined) continue
      ids.push(id)
      left.add(id, digest)
    }
    return { ids, part: left.take() }
  }

  /** What was written before, for changes that are followed. */
  get known(): KnownDocuments {
    return this.#known
  }

  async close(): Promise<void> {
    await this.#batches?.return(undefined)
    await this.#reader.close()
  }

  async *#read(): AsyncGenerator<ReadBatch> {
    const { profile, all } = await openSourceRows(this.#reader, this.#request, this.#signal)
    const { write, idColumn } = rowWriter(profile, this.#request)
    const read = (row: SourceRow, number: number): ReadRow => readRow(write, row, number, idColumn)
    for await (const batch of all) {
      if (batch.kind !== 'rows') {
        this.#last = endOf(batch)
        continue
      }
      this.#bytes += batch.bytes ?? 0
      yield { rows: batch.rows, read }
    }
    if (this.#last === undefined)
      throw new Error('The reader of a source did not say that it ended')
  }
}

/** @throws ApiError source_unreadable */
export function previewSource(
  reader: SourceReader,
  request: SourceRequest,
  rows: number,
  signal: AbortSignal,
): Promise<SourcePreview> {
  return readable(async () => {
    const opened = await openFirstRows(reader, request, signal, PREVIEW_SAMPLE_ROWS)
    try {
      const { proposal, write, idColumn } = rowWriter(opened.profile, request)
      const shown = opened.sample
        .slice(0, rows)
        .map((row, i) => readRow(write, row, i + 1, idColumn))
      return {
        documents: shown.flatMap((one) =>
          'error' in one ? [] : [{ id: one.id, document: Buffer.from(one.json).toString() }],
        ),
        refused: shown.flatMap((one) => ('error' in one ? [one] : [])),
        columns: columnsOf(proposal),
        id_column: idColumn,
        rows_read: opened.sample.length,
        schema_defined: (request.schema?.fields.length ?? 0) > 0,
        proposed_fields: proposal.fields.map((field) => ({ ...field })),
        ...(proposal.distinct === undefined ? {} : { distinct: proposal.distinct }),
      }
    } finally {
      await opened.all.return(undefined)
      await reader.close()
    }
  })
}

export type ReadRow =
  | RefusedSourceRow
  | { readonly row: number; readonly id: string; readonly json: Uint8Array }

export function readRow(
  write: (row: SourceRow) => string,
  read: SourceRow,
  row: number,
  idColumn: string,
): ReadRow {
  const refused = (error: string): RefusedSourceRow => {
    const id = idOf(read, idColumn)
    const document = textOf(read).slice(0, SOURCE_SHOWN_MAX_CHARS).toWellFormed()
    return { row, ...(id === undefined ? {} : { id }), error, document }
  }
  const made = lineOf(write, read)
  if ('error' in made) return refused(made.error)
  const entry = readEntry(Buffer.from(made.line))
  if ('failed' in entry) return refused(entry.failed.message)
  const { id, json } = entry.write
  return id === undefined ? refused('The row has no id') : { row, id, json }
}

function textOf(row: SourceRow): string {
  return row.kind === 'json' ? row.text : JSON.stringify(row.cells)
}

function endOf(batch: Exclude<SourceBatch, { kind: 'rows' }>): ComparedBatch {
  return batch.kind === 'end' ? batch : { kind: 'unchanged' }
}

/** What a source cannot give is an answer, not a bug. */
export async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SourceError) && !(error instanceof ImportError)) throw error
    throw new ApiError('source_unreadable', error.message, { cause: error })
  }
}
