import { SourceError, type SourceChanges, type SourceReader } from '@aisle/sources'
import { DELETED_DIGEST, PartWriter } from '../../domain/documents/source-parts.ts'
import type {
  ChangedDocument,
  DeletedDocument,
  FollowedChanges,
  RefusedSourceRow,
  SourceRequest,
} from '../../ports/catalog/source-readings.ts'
import { digestOf, type KnownDocuments } from './known-documents.ts'
import { readable, readRow, type ReadRow } from './source-comparison.ts'
import { openFirstRows, rowWriter } from './source-rows.ts'

/** Follows a source, and compares its changes with what was written before. */
export class SourceFollowing {
  readonly #reader: SourceReader
  readonly #openTrial: () => Promise<SourceReader>
  readonly #request: SourceRequest
  readonly #known: KnownDocuments
  readonly #signal: AbortSignal
  #changes: AsyncIterator<SourceChanges> | undefined
  #read: ((row: Parameters<typeof readRow>[1]) => ReadRow) | undefined
  #row = 0

  constructor(
    reader: SourceReader,
    openTrial: () => Promise<SourceReader>,
    request: SourceRequest,
    known: KnownDocuments,
    signal: AbortSignal,
  ) {
    this.#reader = reader
    this.#openTrial = openTrial
    this.#request = request
    this.#known = known
    this.#signal = signal
  }

  async next(position: string): Promise<FollowedChanges> {
    try {
      return await readable(() => this.#next(position))
    } catch (error) {
      const { cause } = error as Error
      const isLost = cause instanceof SourceError && cause.fault === 'position_lost'
      if (isLost) return { kind: 'lost', reason: cause.message }
      throw error
    }
  }

  /** These documents as they are now, compared like changes at the position. */
  some(ids: readonly string[], position: string): Promise<FollowedChanges> {
    return readable(async () => {
      this.#read ??= await this.#rowReader()
      const changes = (await this.#reader.readSome?.(ids, this.#signal)) ?? []
      return this.#compared({ changes, position })
    })
  }

  async close(): Promise<void> {
    await this.#changes?.return?.()
  }

  async #next(start: string): Promise<FollowedChanges> {
    if (this.#reader.follow === undefined) throw new Error('Sources of this kind are not followed')
    this.#read ??= await this.#rowReader()
    this.#changes ??= this.#reader.follow(start, this.#signal)[Symbol.asyncIterator]()
    const { done, value } = await this.#changes.next()
    if (done === true) throw new SourceError('unreachable', 'The source ended its changes')
    return this.#compared(value)
  }

  /** Rows are read as a run reads them, which learns from the first ones. */
  async #rowReader(): Promise<(row: Parameters<typeof readRow>[1]) => ReadRow> {
    const trial = await this.#openTrial()
    try {
      const { position: _, ...request } = this.#request
      const opened = await openFirstRows(trial, request, this.#signal)
      await opened.all.return(undefined)
      const { write, idColumn } = rowWriter(opened.profile, request)
      return (row) => readRow(write, row, ++this.#row, idColumn)
    } finally {
      await trial.close()
    }
  }

  #compared({ changes, position }: SourceChanges): FollowedChanges {
    const refused: RefusedSourceRow[] = []
    // The last change of a document counts.
    const last = new Map<string, Exclude<ReadRow, RefusedSourceRow> | undefined>()
    for (const change of changes) {
      if (change.kind === 'delete') {
        last.set(change.id, undefined)
        continue
      }
      const read = this.#read!(change.row)
      if ('error' in read) refused.push(read)
      else last.set(read.id, read)
    }
    const part = new PartWriter()
    const changed: ChangedDocument[] = []
    const deleted: DeletedDocument[] = []
    let unchanged = 0
    for (const [id, read] of last) {
      if (read === undefined) {
        if (this.#request.ignoresDeletions === true || !this.#known.delete(id)) continue
        deleted.push({ id, digestAt: part.add(id, DELETED_DIGEST) })
        continue
      }
      const digest = digestOf(read.json)
      const found = this.#known.read(id, digest)
      if (found === 'repeated') {
        unchanged++
        continue
      }
      const digestAt = part.add(id, digest)
      // A view would be sent to the other thread with all that it is a view of.
      const json = Uint8Array.prototype.slice.call(read.json)
      if (found === 'unchanged') unchanged++
      else changed.push({ id, json, isNew: found === 'new', row: read.row, digestAt })
    }
    return {
      kind: 'changes',
      unchanged,
      changed,
      deleted,
      refused,
      part: part.take(),
      position,
      documents: this.#known.count,
    }
  }
}
