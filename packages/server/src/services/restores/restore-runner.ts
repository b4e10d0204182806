import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, BULK_BATCH_MAX, RESTORE_ERRORS_SHOWN_MAX } from '@aisle/contract'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import type { OpenSnapshotStore } from '../../ports/catalog/snapshot-reader.ts'
import type { StoredDocument, WalkPlace } from '../../ports/catalog/document-reader.ts'
import { RESTORES } from '../../ports/catalog/edit-journal.ts'
import { declaredFields } from '../../domain/documents/redefine-fields.ts'
import { analysisOf } from '../../domain/store/store-settings.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import { Takeover } from '../edits/takeover.ts'
import { currentSettings } from '../store/store-settings.ts'
import { isOver, recordOf, updateRecord, type RestoreRecord } from './restore-record.ts'
import type { RestorePorts } from './restore-store.ts'

export interface RestoreRunnerOptions {
  /** Milliseconds between two looks for work. */
  readonly pollMs?: number
  /** Milliseconds without progress of another runner after which its work is taken over. */
  readonly takeoverMs?: number
  /** Milliseconds of copying after which the progress is recorded. */
  readonly noteMs?: number
  /** Receives bugs, for the log. */
  readonly onFault?: (error: unknown) => void
}

const POLL_MS = 5_000
const TAKEOVER_MS = 15_000
const NOTE_MS = 1_000
/** Runners that may begin where one has made no progress. */
const ATTEMPTS_MAX = 5
/** Bytes of documents of one write. */
const PAGE_BYTES = 1_000_000

type Ports = RestorePorts & { readonly snapshots: SnapshotKeeper }

/**
 * Copies stores out of snapshots into new stores. Every serving thread has a runner; one of them
 * takes a restore, and another one continues it when that stops making progress. Documents that are
 * copied twice are as they were, in the same place.
 */
export class RestoreRunner {
  readonly name = randomUUID()
  readonly #ports: Ports
  readonly #options: Required<RestoreRunnerOptions>
  readonly #takeover: Takeover
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopping = false

  constructor(ports: Ports, options: RestoreRunnerOptions = {}) {
    this.#ports = ports
    this.#options = {
      pollMs: POLL_MS,
      takeoverMs: TAKEOVER_MS,
      noteMs: NOTE_MS,
      onFault: () => undefined,
      ...options,
    }
    this.#takeover = new Takeover(this.name, this.#options.takeoverMs)
  }

  start(): void {
    this.#timer = setInterval(() => {
      // What fails now is tried again with the next poll.
      void this.poll().catch((error: unknown) => {
        if (!(error instanceof ApiError)) this.#options.onFault(error)
      })
    }, this.#options.pollMs).unref()
  }

  /** Resolves when no page is in the works; the rest is continued by another runner. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.idle()
  }

  /** Resolves when the restore that it works on is over, or waits for the next poll. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** Takes work that nobody does. */
  async poll(): Promise<void> {
    const open = (await this.#ports.edits.open()).filter(({ content }) => content === RESTORES)
    this.#takeover.keep(new Set(open.map(({ id }) => id)))
    for (const stored of open) {
      const record = recordOf(stored)
      if (this.#running !== undefined || this.#isStopping) return
      if (!this.#takeover.isFree(stored, record.runner)) continue
      this.#running = this.#work(record)
        .catch((error: unknown) => this.#options.onFault(error))
        .finally(() => (this.#running = undefined))
    }
  }

  async #work({ id }: RestoreRecord): Promise<void> {
    const record = await updateRecord(this.#ports, id, (one) =>
      isOver(one) ? undefined : { ...one, runner: this.name, attempts: one.attempts + 1 },
    )
    if (record === undefined) return
    // A verification takes long, and is work all the same.
    const beating = setInterval(() => {
      void this.#update(id, (one) => ({ ...one, beats: one.beats + 1 })).catch(() => undefined)
    }, this.#options.takeoverMs / 3).unref()
    try {
      if (record.content === undefined) {
        throw new ApiError('internal', 'The service ended while it created the new store')
      }
      if (record.attempts > ATTEMPTS_MAX) {
        throw new ApiError('internal', `It was interrupted ${ATTEMPTS_MAX} times at the same point`)
      }
      await this.#restore(record)
    } catch (error) {
      // The next poll tries again.
      if (error instanceof ApiError && error.code === 'unavailable') return
      if (!(error instanceof ApiError)) this.#options.onFault(error)
      const reason = error instanceof ApiError ? error.message : 'An unexpected error'
      await this.#end(record, 'failed', reason)
    } finally {
      clearInterval(beating)
    }
  }

  async #restore(record: RestoreRecord): Promise<void> {
    const { snapshots, snapshotReader } = this.#ports
    const { id, snapshot, sourceId } = record
    if (record.state === 'verifying') {
      await snapshots.verify(snapshot)
      const verified = await this.#update(id, (one) => ({ ...one, state: 'copying', attempts: 1 }))
      if (verified === undefined) return
    }
    const source = await snapshotReader.open(snapshot, sourceId)
    try {
      await this.#copy(record, source)
    } finally {
      await source.close()
    }
  }

  async #copy(record: RestoreRecord, source: OpenSnapshotStore): Promise<void> {
    const { id, storeId } = record
    if (!record.isConfigured) {
      this.#requireOwn(record)
      await this.#configure(storeId, source)
      await this.#update(id, (one) => ({ ...one, isConfigured: true, attempts: 1 }))
    }
    const scan = source.scan(record.after)
    const { writer } = this.#ports
    let { documentsDone, refused } = record
    let errors = [...record.errors]
    let after: WalkPlace | undefined = record.after
    let notedMs = performance.now()
    const note = (): Promise<RestoreRecord | undefined> =>
      this.#update(id, (one) => ({ ...one, documentsDone, refused, errors, after, attempts: 1 }))
    for (;;) {
      const page = source.schema === undefined ? [] : await scan.next(PAGE_BYTES)
      for (const documents of batchesOf(page)) {
        this.#requireOwn(record)
        const outcomes = await writer.writeDocuments(
          storeId,
          documents.map((one) => ({ id: one.id, action: 'upsert', json: one.json })),
        )
        const failed = outcomes.flatMap((outcome, at) =>
          outcome.status === 'failed'
            ? [{ id: documents[at]!.id, code: outcome.code, error: outcome.message }]
            : [],
        )
        refused += failed.length
        errors = [...errors, ...failed].slice(0, RESTORE_ERRORS_SHOWN_MAX)
        documentsDone += documents.length
        const { docKey, inserted = docKey } = documents.at(-1)!
        after = { docKey, inserted }
      }
      const isDue = performance.now() - notedMs >= this.#options.noteMs
      if (page.length > 0 && !isDue && !this.#isStopping) continue
      const noted = await note()
      if (noted === undefined || this.#isStopping) return
      if (noted.isCancelled) return await this.#end(noted, 'cancelled')
      if (page.length === 0) return await this.#end(noted, 'done')
      notedMs = performance.now()
      await nextTurn()
    }
  }

  /** Settings, sets, presets and rules; then the schema, which their language applies to. */
  async #configure(storeId: string, { resources, schema }: OpenSnapshotStore): Promise<void> {
    const { writer } = this.#ports
    const { settings } = currentSettings(ResourceTable.of(resources))
    await writer.changeResources(storeId, { puts: resources, removes: [] }, analysisOf(settings))
    if (schema !== undefined) await writer.changeSchema(storeId, 'additive', declaredFields(schema))
  }

  /** @throws ApiError if the new store was deleted, or has other documents now */
  #requireOwn({ storeId, content }: RestoreRecord): void {
    if (this.#ports.backend.view(storeId)?.content === content) return
    throw new ApiError('store_not_found', `Store "${storeId}" was deleted`)
  }

  /** One that is not complete leaves no store behind. */
  async #end(
    { id, storeId, content }: RestoreRecord,
    state: 'done' | 'failed' | 'cancelled',
    error?: string,
  ): Promise<void> {
    const { backend, writer, clock } = this.#ports
    const isThere = content !== undefined && backend.view(storeId)?.content === content
    if (state !== 'done' && isThere) await writer.deleteStore(storeId)
    const endedAt = new Date(clock.now()).toISOString()
    await this.#update(id, (one) => ({ ...one, state, endedAt, error }))
  }

  #update(
    id: string,
    change: (record: RestoreRecord) => RestoreRecord,
  ): Promise<RestoreRecord | undefined> {
    return updateRecord(this.#ports, id, (one) =>
      one.runner === this.name && !isOver(one) ? change(one) : undefined,
    )
  }
}

function batchesOf(page: readonly StoredDocument[]): StoredDocument[][] {
  const batches: StoredDocument[][] = []
  for (let from = 0; from < page.length; from += BULK_BATCH_MAX) {
    batches.push(page.slice(from, from + BULK_BATCH_MAX))
  }
  return batches
}
