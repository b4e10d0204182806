import { setTimeout as delay } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import type {
  ChangedDocument,
  ComparedRows,
  SourceReading,
} from '../../ports/catalog/source-readings.ts'
import type { JobWork } from '../jobs/job-runner.ts'
import { openView } from '../open-view.ts'
import { describeSchema } from '../store/change-schema.ts'
import { dropUnused } from './drop-source.ts'
import { FOLLOW_RECORDS, followKey } from './follow-record.ts'
import { basisOf, readingRequest } from './reading-request.ts'
import { RunDiff } from './run-diff.ts'
import { partsOf } from './source-groups.ts'
import type { SourcePorts } from './source-ports.ts'
import {
  NO_FIGURES,
  presentRun,
  RUN_RECORDS,
  runKey,
  SOURCE_RECORDS,
  sourceKey,
  type PartGroup,
  type RunFigures,
  type SourceRecord,
  type SourceRunRecord,
} from './source-record.ts'
import { SourceWrites } from './source-writes.ts'
import { findSource } from './sources.ts'

/** Groups of parts that are read as they are; more are made one first. */
const GROUPS_MAX = 4
/** Milliseconds after which the progress is recorded. */
const NOTE_MS = 1_000
/** A follower that does nothing for so long does not write. */
const FOLLOWER_MAX_MS = 20_000
const FOLLOWER_LOOK_MS = 50
/** Documents that are removed at the same time. */
const REMOVED_AT_ONCE = 50

type Work = JobWork<SourceRunRecord>

/**
 * Reads a source once, and writes what has changed. What it may have written is recorded before it
 * is written, and what it has written after that was acknowledged: so a run that is killed at any
 * moment is begun again, and neither forgets a document nor believes in one that was not written.
 *
 * @returns the record afterwards; undefined if the run is over or another runner has it
 */
export async function runSource(
  ports: SourcePorts,
  record: SourceRunRecord,
  work: Work,
): Promise<SourceRunRecord | undefined> {
  const { storeId } = record
  if (record.kind === 'run') await followerPaused(ports, record, work)
  if (work.isStopping()) return work.update((one) => one)
  const source = await findSource(ports, storeId, record.source)
  const schema = await describeSchema(ports, storeId)
  if (schema.fields.length === 0) {
    throw new ApiError('schema_not_defined', 'Define a schema before you run a source')
  }
  const { content } = openView(ports, storeId)
  const own: PartGroup = { id: `${record.id}.${record.groups.length + 1}`, content }
  const begun = await work.update((one) => ({
    ...one,
    figures: NO_FIGURES,
    groups: [...one.groups, own],
  }))
  if (begun === undefined) return undefined
  const basis = basisOf(source, schema, content)
  const isWhole = source.groups.length === 1 && record.groups.length === 0
  const mayBeUnchanged = isWhole && !record.isFull && record.kind === 'run'
  const { position } = source
  const ending = new AbortController()
  const reading = ports.sources.open(
    {
      ...readingRequest(ports, source),
      isTrial: record.kind === 'dry_run',
      schema,
      position: mayBeUnchanged && position?.basis === basis ? position.value : undefined,
    },
    ending.signal,
  )
  // A source that sends nothing must not keep the service from stopping.
  const watch = setInterval(() => {
    void isAsked(ports, record, work).then(
      (ends) => {
        if (ends) ending.abort()
      },
      () => undefined,
    )
  }, NOTE_MS).unref()
  try {
    const run = new Run(ports, source, begun, work, reading, own)
    return await run.run([...source.groups, ...record.groups], basis)
  } catch (error) {
    if (!ending.signal.aborted) throw error
    return await work.update((one) => one)
  } finally {
    clearInterval(watch)
    await reading.close().catch(() => undefined)
    ending.abort()
    await dropUnused(ports, source)
  }
}

/** Whether the run is to end: somebody cancelled it or deleted its source, or the service stops. */
async function isAsked(ports: SourcePorts, record: SourceRunRecord, work: Work): Promise<boolean> {
  if (work.isStopping()) return true
  const { content, id } = runKey(record)
  const run = await RUN_RECORDS.find(ports, content, id)
  return run === undefined || run.isCancelled
}

/**
 * Resolves when changes of the source are no longer written: they are older than what the run
 * reads, and would replace it.
 */
async function followerPaused(
  ports: SourcePorts,
  { id, storeId, source: name }: SourceRunRecord,
  work: Work,
): Promise<void> {
  const { content, id: followId } = followKey(sourceKey(storeId, name))
  let beats: number | undefined
  let sinceMs = performance.now()
  while (!work.isStopping()) {
    const follower = await FOLLOW_RECORDS.find(ports, content, followId)
    if (follower?.state !== 'following' || follower.pausedFor === id) return
    if (follower.beats !== beats) sinceMs = performance.now()
    // Its runner is gone, and no other one continues.
    if (performance.now() - sinceMs > FOLLOWER_MAX_MS) return
    beats = follower.beats
    await delay(FOLLOWER_LOOK_MS)
  }
}

interface RunEnd {
  readonly isUnchanged: boolean
  readonly isRemovalRefused?: boolean
  readonly documents?: number
  /** Groups that the own one replaces. */
  readonly former?: readonly PartGroup[]
  readonly position?: SourceRecord['position']
}

/** One reading, from its beginning. */
class Run {
  readonly #ports: SourcePorts
  readonly #source: SourceRecord
  readonly #record: SourceRunRecord
  readonly #work: Work
  readonly #reading: SourceReading
  readonly #own: PartGroup
  readonly #diff = new RunDiff()
  readonly #isDry: boolean
  #figures: RunFigures = NO_FIGURES
  readonly #writes: SourceWrites
  /** The first document that the store refused. */
  #refusedByStore: { readonly row: number; readonly error: string } | undefined
  /** A refused row had no id: it may be of any document. */
  #hasUnknownRow = false

  constructor(
    ports: SourcePorts,
    source: SourceRecord,
    record: SourceRunRecord,
    work: Work,
    reading: SourceReading,
    own: PartGroup,
  ) {
    this.#ports = ports
    this.#source = source
    this.#record = record
    this.#work = work
    this.#reading = reading
    this.#own = own
    this.#isDry = record.kind === 'dry_run'
    this.#writes = new SourceWrites(ports, record.storeId, own, (changed, outcomes) =>
      this.#onWritten(changed, outcomes),
    )
  }

  async run(known: readonly PartGroup[], basis: string): Promise<SourceRunRecord | undefined> {
    const groups = await this.#remember(known)
    let next = this.#reading.next()
    let notedMs = performance.now()
    try {
      for (;;) {
        const batch = await next
        if (batch.kind === 'unchanged') return await this.#finish({ isUnchanged: true })
        if (batch.kind === 'end') {
          await this.#writes.end()
          this.#stopAtRefused()
          return await this.#end(groups, batch.position, basis)
        }
        // The source is read on while the batch is written.
        next = this.#reading.next()
        next.catch(() => undefined)
        await this.#look(batch)
        if (this.#isDry) this.#addWritten(batch.changed)
        else await this.#writes.add(batch)
        this.#stopAtRefused()
        if (performance.now() - notedMs < NOTE_MS && !this.#work.isStopping()) continue
        const noted = await this.#noteFigures()
        if (noted === undefined || noted.isCancelled || this.#work.isStopping()) {
          await this.#writes.stop()
          return await this.#noteFigures()
        }
        notedMs = performance.now()
      }
    } finally {
      await this.#writes.stop()
    }
  }

  #noteFigures(): Promise<SourceRunRecord | undefined> {
    const figures = this.#figures
    return this.#work.update((one) => ({ ...one, figures }))
  }

  /**
   * Tells the reading what was written before.
   *
   * @returns where that is recorded: runs that ended early leave a group each, which are joined
   */
  async #remember(groups: readonly PartGroup[]): Promise<readonly PartGroup[]> {
    const { content, id } = this.#own
    for (const group of groups) {
      // Another content has other documents, as far as is known.
      const isOutdated = this.#record.isFull || group.content !== content
      for await (const part of partsOf(this.#ports, group))
        await this.#reading.remember(part, isOutdated)
    }
    if (groups.length <= GROUPS_MAX || this.#isDry) return groups
    const joined: PartGroup = { id: `${id}-joined`, content }
    let number = 0
    for (const group of groups) {
      for await (const part of partsOf(this.#ports, group)) {
        const left = await this.#reading.compact(part)
        if (left.length > 0) await this.#ports.edits.putPart(joined.id, number++, left)
      }
    }
    const { storeId, source: name } = this.#record
    await SOURCE_RECORDS.update(this.#ports, sourceKey(storeId, name), (one) => ({
      ...one,
      groups: [joined],
      garbage: [...one.garbage, ...groups.map((group) => group.id)],
    }))
    await this.#work.update((one) => ({ ...one, groups: [this.#own] }))
    return [joined]
  }

  /** Counts the rows of a batch, and keeps what the run is to show. */
  async #look({ rows, bytes, unchanged, changed, refused }: ComparedRows): Promise<void> {
    for (const one of refused) this.#diff.addRefused(one)
    this.#hasUnknownRow ||= refused.some(({ id }) => id === undefined)
    this.#add({ rows, bytes, unchanged, refused: refused.length })
    if (refused.length > 0) this.#stopAt(refused[0]!)
    for (const one of changed) {
      if (one.isNew) this.#diff.addNew(one)
      else if (this.#diff.wantsChanged) {
        const before = await this.#ports.reader.get(this.#record.storeId, one.id)
        if (before !== undefined) this.#diff.addChanged(one, before.json)
      }
    }
  }

  #onWritten(changed: readonly ChangedDocument[], outcomes: readonly WriteOutcome[]): void {
    const written: ChangedDocument[] = []
    for (const [i, outcome] of outcomes.entries()) {
      const document = changed[i]!
      if (outcome.status !== 'failed') {
        written.push(document)
        continue
      }
      const { id, row, json } = document
      const one = { row, id, error: outcome.message }
      this.#diff.addRefused({ ...one, document: Buffer.from(json).toString('utf8', 0, 1_000) })
      this.#refusedByStore ??= one
    }
    this.#addWritten(written)
    this.#add({ refused: changed.length - written.length })
  }

  /** @throws ApiError if the first refused document is to end the run */
  #stopAtRefused(): void {
    if (this.#refusedByStore !== undefined) this.#stopAt(this.#refusedByStore)
  }

  /** @throws ApiError if the first refused row is to end the run */
  #stopAt({ row, error }: { readonly row: number; readonly error: string }): void {
    if (this.#source.onError !== 'stop') return
    throw new ApiError('source_unreadable', `Row ${row} was refused: ${error}`)
  }

  async #end(
    groups: readonly PartGroup[],
    position: string | undefined,
    basis: string,
  ): Promise<SourceRunRecord | undefined> {
    const { known, missing } = await this.#reading.figures()
    const { maxRemovedShare, deletions } = this.#source
    this.#add({ missing })
    const before = known - this.#figures.added
    const removes = deletions === 'remove_missing' && missing > 0
    const isRisky = this.#hasUnknownRow || missing > before * maxRemovedShare
    const isRemovalRefused = removes && !this.#record.allowsRemoval && isRisky
    if (removes) {
      for (const group of groups) {
        for await (const part of partsOf(this.#ports, group)) {
          const found = await this.#reading.missing(part)
          if (isRemovalRefused) await this.#keep(found.part)
          else await this.#remove(found.ids)
        }
      }
    }
    const left = isRemovalRefused ? known : known - missing
    return this.#finish({
      isUnchanged: false,
      isRemovalRefused,
      documents: left,
      former: groups,
      // What was not removed is to be looked at again.
      position: position === undefined || isRemovalRefused ? undefined : { value: position, basis },
    })
  }

  async #keep(part: Uint8Array): Promise<void> {
    if (!this.#isDry && part.length > 0) await this.#writes.putPart(part)
  }

  async #remove(ids: readonly string[]): Promise<void> {
    this.#diff.addRemoved(ids)
    if (this.#isDry) {
      this.#add({ removed: ids.length })
      return
    }
    for (let at = 0; at < ids.length; at += REMOVED_AT_ONCE) {
      const some = ids.slice(at, at + REMOVED_AT_ONCE)
      const { storeId } = this.#record
      const removed = await Promise.all(
        some.map((id) => this.#ports.writer.deleteDocument(storeId, id)),
      )
      this.#add({ removed: removed.filter(Boolean).length })
    }
  }

  async #finish(end: RunEnd): Promise<SourceRunRecord | undefined> {
    const { edits, clock } = this.#ports
    const diff = Buffer.from(JSON.stringify(this.#diff.take()))
    await edits.putPart(this.#record.id, 0, diff)
    const done: SourceRunRecord = {
      ...this.#record,
      figures: this.#figures,
      isUnchanged: end.isUnchanged,
      isRemovalRefused: end.isRemovalRefused === true,
      state: 'done',
      endedAt: new Date(clock.now()).toISOString(),
    }
    if (!this.#isDry) await this.#note(done, end)
    const { figures, isUnchanged, isRemovalRefused, state, endedAt } = done
    const result = { figures, isUnchanged, isRemovalRefused, state, endedAt }
    return this.#work.update((one) => ({ ...one, ...result }))
  }

  /** The source first: a run that is over has no other chance to say what it has written. */
  async #note(
    done: SourceRunRecord,
    { isUnchanged, documents, former = [], position }: RunEnd,
  ): Promise<void> {
    const { storeId, source: name } = this.#record
    const lastRun = presentRun(done)
    await SOURCE_RECORDS.update(this.#ports, sourceKey(storeId, name), (one) => ({
      ...one,
      lastRun,
      lastGoodRun: done.isRemovalRefused ? one.lastGoodRun : lastRun,
      ...(isUnchanged
        ? {}
        : {
            groups: [this.#own],
            garbage: [...one.garbage, ...former.map(({ id }) => id)],
            documents: documents ?? one.documents,
            position,
          }),
    }))
  }

  #addWritten(documents: readonly ChangedDocument[]): void {
    const added = documents.filter(({ isNew }) => isNew).length
    this.#add({ added, changed: documents.length - added })
  }

  #add(more: Partial<RunFigures>): void {
    const sums = Object.entries(this.#figures).map(([name, value]) => [
      name,
      value + (more[name as keyof RunFigures] ?? 0),
    ])
    this.#figures = Object.fromEntries(sums) as unknown as RunFigures
  }
}
