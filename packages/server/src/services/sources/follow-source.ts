import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, FOLLOW_ALERT_AFTER_SECONDS } from '@aisle/contract'
import { DIGEST_BYTES, withUnknown } from '../../domain/documents/source-parts.ts'
import { uuidv7 } from '../../domain/values/uuid.ts'
import type { FollowedChanges, SourceReading } from '../../ports/catalog/source-readings.ts'
import type { JobWork } from '../jobs/job-runner.ts'
import { openView } from '../open-view.ts'
import { describeSchema } from '../store/change-schema.ts'
import { isFollowed, type FollowRecord } from './follow-record.ts'
import { basisOf, readingRequest } from './reading-request.ts'
import { partsOf } from './source-groups.ts'
import type { SourceAlerts } from './source-alerts.ts'
import type { SourcePorts } from './source-ports.ts'
import { SOURCE_RECORDS, sourceKey, type PartGroup, type SourceRecord } from './source-record.ts'
import { beginRun, runInProgress } from './source-runs.ts'
import { findSource } from './sources.ts'
import { dequeue, queued } from './webhook-queue.ts'

/** How often it is looked whether a run has begun, or the source was changed. */
const LOOK_MS = 500
/** After an error: the first wait, and the longest. */
const RETRY_MS = 1_000
const RETRY_MAX_MS = 30_000
/** How often it is recorded that the source answers. */
const NOTE_READ_MS = 5_000
/** Documents of webhooks that are read from a shop at the same time. */
const QUEUED_AT_ONCE = 20

type Work = JobWork<FollowRecord>
type Changes = FollowedChanges & { readonly kind: 'changes' }

/** Is told what is read, for metrics. */
export interface FollowWatch {
  readonly onChanges?: (
    storeId: string,
    figures: Readonly<Record<'changed' | 'deleted' | 'refused', number>>,
  ) => void
  /** Changes could not be read. */
  readonly onUnread?: (storeId: string) => void
}

/**
 * Follows a source until something else is to be done: a run begins, the source is changed or
 * cannot be read. A change is acknowledged to the source after its documents and the position are
 * durable; after an interruption it is read again, and found unchanged.
 *
 * @returns the record afterwards; undefined if another runner has it
 */
export async function followSource(
  ports: SourcePorts,
  record: FollowRecord,
  work: Work,
  alerts: SourceAlerts,
  watch: FollowWatch = {},
): Promise<FollowRecord | undefined> {
  const source = await findSource(ports, record.storeId, record.source).catch(absent)
  if (source === undefined || !isFollowed(source) || source.position === undefined) {
    return work.update((one) => ({ ...one, state: 'ended' }))
  }
  const run = await runInProgress(ports, source)
  if (run?.kind === 'run') {
    await delay(record.pausedFor === run.id ? LOOK_MS : 0)
    return work.update((one) => ({ ...one, pausedFor: run.id, attempts: 1 }))
  }
  const note = (change: Partial<FollowRecord>): Promise<FollowRecord | undefined> =>
    work.update((one) => ({ ...one, ...change, pausedFor: undefined, attempts: 1 }))
  try {
    const lost = await new Following(ports, source, record, work, alerts, watch).follow()
    if (lost === undefined) return await note({})
    const noted = await note({ error: `${lost}: everything is read again` })
    // A run that failed for a reason that lasts fails again.
    if (source.lastRun?.state === 'failed') await waitAfter(record, work)
    await beginRun(ports, source.storeId, source.name, {}, { trigger: 'follow' })
    return noted
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    watch.onUnread?.(record.storeId)
    const noted = await noteFailure(ports, work, error.message)
    if (noted === undefined) return undefined
    if (noted.tells) alerts.tell(source, { event: 'following_failed', ...noted })
    await waitAfter(record, work)
    return note({})
  }
}

/** @returns undefined if another runner has the source; `tells`: an alert is due */
async function noteFailure(
  { clock }: SourcePorts,
  work: Work,
  error: string,
): Promise<
  | { readonly following: FollowRecord; readonly failingSince: string; readonly tells: boolean }
  | undefined
> {
  const nowMs = clock.now()
  let tells = false
  let failingSince = ''
  const following = await work.update((one) => {
    failingSince = one.failingSince ?? new Date(nowMs).toISOString()
    const isLong = nowMs - Date.parse(failingSince) >= FOLLOW_ALERT_AFTER_SECONDS * 1_000
    tells = isLong && one.isAlerted !== true
    const isAlerted = one.isAlerted === true || isLong
    return { ...one, error, failingSince, isAlerted, pausedFor: undefined, attempts: 1 }
  })
  return following && { following, failingSince, tells }
}

function absent(error: unknown): undefined {
  const { code } = error as ApiError
  if (code !== 'source_not_found' && code !== 'store_not_found') throw error
}

/** Longer with each error in a row. */
async function waitAfter(record: FollowRecord, work: Work): Promise<void> {
  const failures = FAILURES.get(record.id) ?? 0
  FAILURES.set(record.id, failures + 1)
  const endMs = performance.now() + Math.min(RETRY_MS * 2 ** failures, RETRY_MAX_MS)
  while (performance.now() < endMs && !work.isStopping()) await delay(LOOK_MS)
}

/** Errors in a row of each source that this runner follows. */
const FAILURES = new Map<string, number>()

/** One connection to a source. */
class Following {
  readonly #ports: SourcePorts
  readonly #source: SourceRecord
  readonly #work: Work
  readonly #alerts: SourceAlerts
  readonly #watch: FollowWatch
  readonly #group: PartGroup
  #partCount = 0
  #basis = ''
  /** The source has not answered yet, and it is recorded that it did not before. */
  #isFailing: boolean
  #notedMs = -Infinity

  constructor(
    ports: SourcePorts,
    source: SourceRecord,
    record: FollowRecord,
    work: Work,
    alerts: SourceAlerts,
    watch: FollowWatch,
  ) {
    this.#ports = ports
    this.#source = source
    this.#work = work
    this.#alerts = alerts
    this.#watch = watch
    this.#isFailing = record.error !== undefined || record.failingSince !== undefined
    const { content } = openView(ports, source.storeId)
    this.#group = { id: `${source.id}.${uuidv7()}`, content }
  }

  /** @returns why changes were lost; undefined: it is time to look around */
  async follow(): Promise<string | undefined> {
    const { storeId, position } = this.#source
    const schema = await describeSchema(this.#ports, storeId)
    this.#basis = basisOf(this.#source, schema, this.#group.content)
    if (position!.basis !== this.#basis) return 'The source or the schema was changed'
    const ending = new AbortController()
    const request = {
      ...readingRequest(this.#ports, this.#source),
      schema,
      ignoresDeletions: this.#source.deletions === 'keep',
    }
    const reading = this.#ports.sources.open(request, ending.signal)
    try {
      for (const group of this.#source.groups) {
        const isOutdated = group.content !== this.#group.content
        for await (const part of partsOf(this.#ports, group)) {
          await reading.remember(part, isOutdated)
        }
      }
      return await this.#passOn(reading, position!.value)
    } finally {
      await reading.close().catch(() => undefined)
      ending.abort()
    }
  }

  async #passOn(reading: SourceReading, position: string): Promise<string | undefined> {
    let next = reading.nextChanges(position)
    for (;;) {
      const batch = await this.#whileUndisturbed(next, () => this.#passOnQueued(reading, position))
      if (batch === undefined) return undefined
      if (batch.kind === 'lost') return batch.reason
      FAILURES.delete(this.#source.id)
      const isNew = batch.position !== position
      position = batch.position
      if (!(await this.#write(batch, isNew))) return undefined
      if (isNew) await reading.acknowledge(position)
      next = reading.nextChanges(position)
    }
  }

  /**
   * Reads what a shop has told by webhooks. It leaves the queue when it is written.
   *
   * @returns why changes were lost
   */
  async #passOnQueued(
    reading: SourceReading,
    position: string,
  ): Promise<Extract<FollowedChanges, { kind: 'lost' }> | undefined> {
    const queue = await queued(this.#ports, this.#source, QUEUED_AT_ONCE)
    if (queue.isOverfull) {
      await dequeue(this.#ports, this.#source, queue)
      return { kind: 'lost', reason: 'More products have changed than are read one by one' }
    }
    if (queue.ids.length === 0) return undefined
    const batch = await reading.someNow(queue.ids, position)
    if (batch.kind === 'lost') return batch
    FAILURES.delete(this.#source.id)
    await this.#write(batch, false)
    await dequeue(this.#ports, this.#source, queue)
    return undefined
  }

  /**
   * @param look is called meanwhile, and may find an end
   * @returns undefined if there is something else to do
   */
  async #whileUndisturbed(
    next: Promise<FollowedChanges>,
    look: () => Promise<FollowedChanges | undefined>,
  ): Promise<FollowedChanges | undefined> {
    next.catch(() => undefined)
    for (;;) {
      const isArrived = await Promise.race([next.then(yes), delay(LOOK_MS, false)])
      if (this.#work.isStopping() || (await this.#isDisturbed())) return undefined
      if (isArrived) return next
      const found = await look()
      if (found !== undefined) return found
    }
  }

  async #isDisturbed(): Promise<boolean> {
    const { storeId, name, changedAt } = this.#source
    const source = await findSource(this.#ports, storeId, name).catch(absent)
    if (source?.changedAt !== changedAt || !isFollowed(source)) return true
    if ((await runInProgress(this.#ports, source))?.kind === 'run') return true
    const { content } = openView(this.#ports, storeId)
    const schema = await describeSchema(this.#ports, storeId)
    return basisOf(this.#source, schema, content) !== this.#basis
  }

  /**
   * @param isNew whether the position is another one than before
   * @returns whether this runner still has the source
   */
  async #write(batch: Changes, isNew: boolean): Promise<boolean> {
    const { edits, writer, clock } = this.#ports
    const { storeId, onError } = this.#source
    const { changed, deleted } = batch
    const failures = batch.refused.map(({ error }) => error)
    if (batch.part.length > 0) {
      await this.#announce()
      const number = this.#partCount++
      // A deletion is forgotten if it is recorded as done before it is done.
      const digestsAt = [...changed, ...deleted].map(({ digestAt }) => digestAt)
      await edits.putPart(this.#group.id, number, withUnknown(batch.part, digestsAt))
      const outcomes = await writer.writeDocuments(
        storeId,
        changed.map(({ id, json }) => ({ id, action: 'upsert', json })),
      )
      for (const [i, outcome] of outcomes.entries()) {
        if (outcome.status !== 'failed') continue
        failures.push(outcome.message)
        const { digestAt } = changed[i]!
        batch.part.fill(0, digestAt, digestAt + DIGEST_BYTES)
      }
      await Promise.all(deleted.map(({ id }) => writer.deleteDocument(storeId, id)))
      await edits.putPart(this.#group.id, number, batch.part)
    }
    if (failures.length > 0 && onError === 'stop') {
      throw new ApiError('source_unreadable', `A row was refused: ${failures[0]}`)
    }
    if (isNew || batch.part.length > 0) await this.#notePosition(batch)
    const now = new Date(clock.now()).toISOString()
    const hasChanges = batch.changed.length + deleted.length + failures.length > 0
    if (hasChanges) {
      this.#watch.onChanges?.(storeId, {
        changed: batch.changed.length,
        deleted: deleted.length,
        refused: failures.length,
      })
    }
    const isTime = performance.now() - this.#notedMs >= NOTE_READ_MS
    if (!hasChanges && !this.#isFailing && !isTime) return true
    let before: FollowRecord | undefined
    const noted = await this.#work.update((one) => {
      before = one
      return {
        ...one,
        error: undefined,
        failingSince: undefined,
        isAlerted: false,
        readAt: now,
        pausedFor: undefined,
        attempts: 1,
        changed: one.changed + batch.changed.length,
        deleted: one.deleted + deleted.length,
        refused: one.refused + failures.length,
        lastChangeAt: hasChanges ? now : one.lastChangeAt,
      }
    })
    this.#isFailing = false
    this.#notedMs = performance.now()
    if (noted !== undefined && before?.isAlerted === true) {
      const failingSince = before.failingSince ?? now
      const alert = { event: 'following_recovered', following: noted, failingSince } as const
      this.#alerts.tell(this.#source, alert)
    }
    return noted !== undefined
  }

  /** The source knows of the group before the group has a document. */
  async #announce(): Promise<void> {
    if (this.#partCount > 0) return
    const { storeId, name } = this.#source
    await SOURCE_RECORDS.update(this.#ports, sourceKey(storeId, name), (one) => ({
      ...one,
      groups: [...one.groups, this.#group],
    }))
  }

  async #notePosition({ documents, position }: Changes): Promise<void> {
    const { storeId, name } = this.#source
    await SOURCE_RECORDS.update(this.#ports, sourceKey(storeId, name), (one) => ({
      ...one,
      documents,
      // A change of the source meanwhile has the last word.
      position: one.position && { value: position, basis: one.position.basis },
    }))
  }
}

function yes(): true {
  return true
}
