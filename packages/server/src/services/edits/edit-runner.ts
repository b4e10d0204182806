import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, EDIT_HISTORY_MAX_BYTES } from '@aisle/contract'
import { RESTORES, type StoredEdit } from '../../ports/catalog/edit-journal.ts'
import type { ServicePorts } from '../service-ports.ts'
import { removeExpired } from './edit-documents.ts'
import { added, isOver, recordOf, updateRecord, type EditRecord } from './edit-record.ts'
import { Takeover } from './takeover.ts'
import { changePart, findTargets, undoPart } from './run-edit.ts'

export interface EditRunnerOptions {
  /** Milliseconds between two looks for work. */
  readonly pollMs?: number
  /** Milliseconds without progress of another runner after which its work is taken over. */
  readonly takeoverMs?: number
  readonly historyMaxBytes?: number
  /** Receives bugs, for the log. */
  readonly onFault?: (error: unknown) => void
}

const POLL_MS = 5_000
const TAKEOVER_MS = 15_000
/** Polls after which edits of deleted stores, and old ones, are removed: once an hour. */
const SWEEP_POLLS = 720
/** Edits of different stores on which a runner works at the same time. */
const EDITS_AT_ONCE = 4
/** Runners that may work on a part without finishing it. */
const ATTEMPTS_MAX = 5

/**
 * Works on edits of many documents. Every serving thread and every node has a runner; one of them
 * takes an edit, and another one continues it when that stops making progress. Two that work on
 * the same part do no harm: documents change only from the version that was recorded.
 */
export class EditRunner {
  readonly #ports: ServicePorts
  readonly #options: Required<EditRunnerOptions>
  readonly #name = randomUUID()
  readonly #takeover: Takeover
  readonly #running = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #polls = 0
  #isStopping = false

  constructor(ports: ServicePorts, options: EditRunnerOptions = {}) {
    this.#ports = ports
    this.#options = {
      pollMs: POLL_MS,
      takeoverMs: TAKEOVER_MS,
      historyMaxBytes: EDIT_HISTORY_MAX_BYTES,
      onFault: () => undefined,
      ...options,
    }
    this.#takeover = new Takeover(this.#name, this.#options.takeoverMs)
  }

  start(): void {
    this.#timer = setInterval(() => {
      // What fails now is tried again with the next poll.
      void this.poll().catch(this.#onFailure)
      if (++this.#polls % SWEEP_POLLS === 0) void this.sweep().catch(this.#onFailure)
    }, this.#options.pollMs).unref()
  }

  /** Resolves when no part is in the works; the rest is continued by another runner. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.idle()
  }

  /** Resolves when the edits that it works on are over, or wait for the next poll. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  /** Takes work that nobody does. */
  async poll(): Promise<void> {
    const open = (await this.#ports.edits.open()).filter(({ content }) => content !== RESTORES)
    for (const edit of open) {
      if (this.#running.size >= EDITS_AT_ONCE || this.#isStopping) return
      if (!this.#running.has(edit.id) && this.#takeover.isFree(edit, recordOf(edit).runner)) {
        this.#begin(edit)
      }
    }
    this.#takeover.keep(new Set(open.map(({ id }) => id)))
  }

  /** Removes edits that are too old or too many, and those of deleted stores. */
  async sweep(): Promise<void> {
    const { edits, registry, backend } = this.#ports
    // Read before the stores: those that are created meanwhile are not missing there.
    const contents = await edits.contents()
    const living = new Set(registry.list().map(({ storeId }) => backend.view(storeId)?.content))
    // A store that this thread does not know yet must not lose its edits.
    if (living.has(undefined)) return
    for (const content of contents) {
      if (content === RESTORES) continue
      if (living.has(content)) await removeExpired(this.#ports, content)
      else for (const { id } of await edits.list(content)) await edits.remove(content, id)
      await nextTurn()
    }
  }

  /** A store that is loading, or storage that is busy, is not a bug. */
  readonly #onFailure = (error: unknown): void => {
    if (!(error instanceof ApiError)) this.#options.onFault(error)
  }

  #begin(edit: StoredEdit): void {
    const work = this.#work(edit)
      .catch((error: unknown) => this.#options.onFault(error))
      .finally(() => this.#running.delete(edit.id))
    this.#running.set(edit.id, work)
  }

  async #work(edit: StoredEdit): Promise<void> {
    let record = await updateRecord(this.#ports, edit, (one) =>
      isOver(one) ? undefined : { ...one, runner: this.#name, attempts: one.attempts + 1 },
    )
    try {
      if (record !== undefined && record.attempts > ATTEMPTS_MAX) {
        throw new ApiError('internal', `It was interrupted ${ATTEMPTS_MAX} times at the same point`)
      }
      while (record !== undefined && !isOver(record) && !this.#isStopping) {
        record = await this.#step(record)
        await nextTurn()
      }
    } catch (error) {
      // The next poll tries again.
      if (error instanceof ApiError && error.code === 'unavailable') return
      if (!(error instanceof ApiError)) this.#options.onFault(error)
      const reason = error instanceof ApiError ? error.message : 'An unexpected error'
      record = await this.#update(edit, (one) => this.#over(one, 'failed', reason))
    }
    if (record !== undefined && isOver(record)) await this.#finish(record)
  }

  /** @returns the record afterwards; undefined if somebody else works on it now */
  async #step(record: EditRecord): Promise<EditRecord | undefined> {
    const ports = this.#ports
    if (record.isCancelled) return this.#update(record, (one) => this.#over(one, 'cancelled'))
    const storeId = this.#storeOf(record)
    if (record.state === 'finding') {
      const note = async (found: number): Promise<boolean> => {
        const noted = await this.#update(record, (one) => ({ ...one, found, attempts: 1 }))
        return noted !== undefined && !noted.isCancelled && !this.#isStopping
      }
      const targets = await findTargets(ports, storeId, record, note)
      if (targets === undefined) return this.#update(record, (one) => one)
      return this.#update(record, (one) => ({ ...one, ...targets, state: 'changing', attempts: 1 }))
    }
    if (record.nextPart >= record.partCount) {
      return this.#update(record, (one) => this.#over(one, 'done'))
    }
    const { tally, historyBytes } =
      record.kind === 'undo'
        ? { tally: await undoPart(ports, storeId, record), historyBytes: 0 }
        : await changePart(ports, storeId, record)
    const next = await this.#update(record, (one) => ({
      ...one,
      nextPart: record.nextPart + 1,
      tally: added(one.tally, tally),
      historyBytes: one.history === 'kept' ? one.historyBytes + historyBytes : 0,
      attempts: 1,
    }))
    return next === undefined || next.kind === 'undo' ? next : this.#limitHistory(next)
  }

  /** Drops former values, those of the oldest edit first, until they fit. */
  async #limitHistory(record: EditRecord): Promise<EditRecord | undefined> {
    const { edits } = this.#ports
    const drop = (edit: Pick<EditRecord, 'content' | 'id'>) =>
      updateRecord(this.#ports, edit, (one) => ({ ...one, history: 'dropped', historyBytes: 0 }))
    const others = (await edits.list(record.content))
      .map(recordOf)
      .filter((one) => one.id !== record.id && one.history === 'kept' && isOver(one))
    let bytes = others.reduce((sum, one) => sum + one.historyBytes, record.historyBytes)
    while (bytes > this.#options.historyMaxBytes && others.length > 0) {
      const oldest = others.pop()!
      bytes -= oldest.historyBytes
      await drop(oldest)
      await edits.removeParts(oldest.id)
    }
    if (bytes <= this.#options.historyMaxBytes && record.history === 'kept') return record
    const dropped = record.history === 'kept' ? await drop(record) : record
    await edits.removeParts(record.id, record.nextPart)
    return dropped
  }

  async #finish(record: EditRecord): Promise<void> {
    const { undoes, content, state, id } = record
    if (undoes !== undefined && state !== 'done') {
      // It may be undone again.
      await updateRecord(this.#ports, { content, id: undoes }, (one) =>
        one.undoneBy === id ? { ...one, undoneBy: undefined } : undefined,
      )
    }
    await removeExpired(this.#ports, content)
  }

  #update(
    record: Pick<EditRecord, 'content' | 'id'>,
    change: (record: EditRecord) => EditRecord,
  ): Promise<EditRecord | undefined> {
    return updateRecord(this.#ports, record, (one) =>
      one.runner === this.#name && !isOver(one) ? change(one) : undefined,
    )
  }

  #over(record: EditRecord, state: 'done' | 'cancelled' | 'failed', error?: string): EditRecord {
    const endedAt = new Date(this.#ports.clock.now()).toISOString()
    const history = record.tally.changed === 0 ? 'none' : record.history
    return { ...record, state, endedAt, history, error }
  }

  /** The store that has the documents now: they move with a swap. */
  #storeOf({ content, storeId }: EditRecord): string {
    const { backend, registry } = this.#ports
    if (backend.view(storeId)?.content === content) return storeId
    const other = registry.list().find((one) => backend.view(one.storeId)?.content === content)
    if (other !== undefined) return other.storeId
    throw new ApiError('store_not_found', 'The store was deleted')
  }
}
