import type { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import { createIndex } from './create-index.ts'
import {
  EVENT_MAPPING,
  EVENT_SETTINGS,
  type CreateOutcome,
  type EventDocument,
  type EventPlace,
  type ShardState,
  type StoredEvent,
  type WeekState,
} from './event-document.ts'
import { weekName, weekNamed, weekStartMs } from './event-week.ts'

/**
 * Statuses of a document that was not written and may be retried; 403: a block, for example by a
 * full disk.
 */
const BUSY_STATUSES: ReadonlySet<number> = new Set([429, 503, 403])

/** Documents removed per request, so that it ends long before its timeout. */
const REMOVED_PER_REQUEST = 5_000

interface BulkItem {
  readonly status: number
  readonly error?: { readonly type: string; readonly reason: string }
}

interface EventHit {
  readonly _id: string
  readonly _seq_no: number
  readonly _source: { readonly log: string; readonly receivedMs: number; readonly record: string }
}

interface ShardCopy {
  readonly routing: { readonly primary: boolean }
  readonly seq_no?: { readonly max_seq_no: number; readonly global_checkpoint: number }
}

interface IndexStats {
  readonly uuid: string
  readonly primaries: { readonly docs?: { readonly deleted: number } }
  readonly shards: Readonly<Record<string, readonly ShardCopy[]>>
}

/**
 * Records of event logs in one index for each week (`PREFIX-2026-11-16`), so that old ones are
 * removed as whole indices. Each is written once and never changed. The changes of a shard have
 * numbers, and up to the one that all copies have reached (`settled`) they are the same for every
 * reader forever.
 */
export class EventIndex {
  readonly #cluster: ClusterConnection
  readonly #prefix: string
  /** Weeks whose index is known to exist. */
  readonly #made = new Set<number>()

  constructor(cluster: ClusterConnection, prefix: string) {
    this.#cluster = cluster
    this.#prefix = prefix
  }

  /**
   * Writes documents of one week, each once. Also reports `created` for a document that an earlier
   * attempt of the same operation has written.
   *
   * @throws ClusterError: any of them may have been written
   */
  async create(week: number, documents: readonly EventDocument[]): Promise<CreateOutcome[]> {
    if (!this.#made.has(week)) await this.#make(week)
    const lines = documents.flatMap(({ id, log, receivedMs, record, operation }): object[] => [
      { create: { _id: id, routing: log } },
      { log, receivedMs, record: Buffer.from(record).toString('base64'), operation },
    ])
    const path = `/${this.#name(week)}/_bulk`
    const { items } = (await this.#cluster.request({ method: 'POST', path, lines })) as {
      items: { create: BulkItem }[]
    }
    const conflicts = documents.filter((_, at) => items[at]!.create.status === 409)
    const found = await this.#operations(week, conflicts)
    return items.map(({ create: { status, error } }, at): CreateOutcome => {
      const { id, operation } = documents[at]!
      // The cluster repeats a write when the primary dies, and then conflicts with its own.
      if (status === 409) return found.get(id) === operation ? 'created' : 'known'
      if (error === undefined) return 'created'
      if (error.type === 'index_not_found_exception') this.#made.delete(week)
      else if (!BUSY_STATUSES.has(status)) {
        throw new ClusterError('refused', `${path}: ${error.reason}`, { status, type: error.type })
      }
      return 'busy'
    })
  }

  /** Returns the ids among these that exist in a week, as of the newest write. */
  async known(week: number, places: readonly EventPlace[]): Promise<ReadonlySet<string>> {
    return new Set((await this.#operations(week, places)).keys())
  }

  /** Returns all existing weeks, oldest first. */
  async weeks(): Promise<number[]> {
    // Other ways to list indices need rights on the state of the whole cluster.
    const path = `/_resolve/index/${this.#prefix}-*?expand_wildcards=open`
    const { indices } = (await this.#cluster.request({
      method: 'GET',
      path,
      repeatable: true,
    })) as { indices: { name: string }[] }
    return indices
      .flatMap(({ name }) => weekNamed(name.slice(this.#prefix.length + 1)) ?? [])
      .toSorted((a, b) => a - b)
  }

  /** Returns the progress of these weeks, oldest first; missing weeks are left out. */
  async states(weeks: readonly number[]): Promise<WeekState[]> {
    if (weeks.length === 0) return []
    const names = weeks.map((week) => this.#name(week)).join(',')
    const only = 'indices.*.uuid,indices.*.primaries,indices.*.shards.*.seq_no,**.routing.primary'
    const { indices = {} } = (await this.#cluster.request({
      method: 'GET',
      path: `/${names}/_stats/docs?level=shards&ignore_unavailable=true&filter_path=${only}`,
      repeatable: true,
    })) as { indices?: Readonly<Record<string, IndexStats>> }
    return weeks.flatMap((week): WeekState[] => {
      const stats = indices[this.#name(week)]
      if (stats === undefined) return []
      const { uuid, primaries, shards } = stats
      return [
        {
          week,
          uuid,
          shards: this.#shards(week, shards),
          removedCount: primaries.docs?.deleted ?? 0,
        },
      ]
    })
  }

  /** Makes everything written to a week visible to `read`. */
  async refresh(week: number): Promise<void> {
    const path = `/${this.#name(week)}/_refresh`
    const { _shards } = (await this.#cluster.request({
      method: 'POST',
      path,
      repeatable: true,
    })) as {
      _shards: { failed: number }
    }
    if (_shards.failed > 0) throw new ClusterError('busy', `${path}: a shard did not answer`)
  }

  /**
   * Returns documents of a shard in the order of their numbers, from `after` (exclusive) to `upTo`
   * (inclusive), but only what was settled before the last refresh. Removed ones are missing.
   */
  async read(
    { week, shard }: { readonly week: number; readonly shard: number },
    after: number,
    upTo: number,
    limit: number,
  ): Promise<StoredEvent[]> {
    const path = `/${this.#name(week)}/_search?preference=_shards:${shard}`
    const answer = (await this.#cluster.request({
      method: 'POST',
      path,
      body: {
        query: { range: { _seq_no: { gt: after, lte: upTo } } },
        sort: [{ _seq_no: 'asc' }],
        size: limit,
        seq_no_primary_term: true,
        track_total_hits: false,
        _source: ['log', 'receivedMs', 'record'],
      },
      repeatable: true,
    })) as { hits: { hits: EventHit[] }; timed_out: boolean; _shards: { failed: number } }
    // A partial response would look complete.
    if (answer._shards.failed > 0 || answer.timed_out) {
      throw new ClusterError('busy', `${path}: the shard did not answer`)
    }
    return answer.hits.hits.map(({ _id, _seq_no, _source: { log, receivedMs, record } }) => {
      return { id: _id, log, receivedMs, record: Buffer.from(record, 'base64'), seqNo: _seq_no }
    })
  }

  /**
   * Removes documents of a week; `expunge` removes their bytes. Missing documents are skipped.
   */
  async remove(week: number, places: readonly EventPlace[]): Promise<void> {
    for (let at = 0; at < places.length; at += REMOVED_PER_REQUEST) {
      const lines = places
        .slice(at, at + REMOVED_PER_REQUEST)
        .map(({ id, log }) => ({ delete: { _id: id, routing: log } }))
      const path = `/${this.#name(week)}/_bulk`
      const { items } = (await this.#cluster.request({
        method: 'POST',
        path,
        lines,
        repeatable: true,
      })) as {
        items: { delete: BulkItem }[]
      }
      const failed = items.find(
        ({ delete: { status, error } }) => error !== undefined && status !== 404,
      )
      if (failed !== undefined) {
        throw new ClusterError('busy', `${path}: ${failed.delete.error?.reason ?? ''}`)
      }
    }
  }

  /** Removes the documents of a log that arrived before a time, as `remove` does. */
  async removeBefore(log: string, receivedMs: number): Promise<void> {
    for (const week of await this.weeks()) {
      if (weekStartMs(week) >= receivedMs) return
      await this.refresh(week)
      const path =
        `/${this.#name(week)}/_delete_by_query?conflicts=proceed&routing=${encodeURIComponent(log)}` +
        `&refresh=true&max_docs=${REMOVED_PER_REQUEST}`
      const filter = [{ term: { log } }, { range: { receivedMs: { lt: receivedMs } } }]
      for (let deleted = REMOVED_PER_REQUEST; deleted === REMOVED_PER_REQUEST;) {
        const answer = (await this.#cluster.request({
          method: 'POST',
          path,
          body: { query: { bool: { filter } } },
          repeatable: true,
        })) as { deleted: number; failures: readonly unknown[] }
        if (answer.failures.length > 0)
          throw new ClusterError('busy', `${path}: not all were removed`)
        deleted = answer.deleted
      }
    }
  }

  /**
   * Rewrites the files that hold removed bytes. The cluster keeps these for half a minute, for
   * copies that may have missed the removal, and longer while a copy is away; a later call then
   * removes them.
   */
  async expunge(week: number): Promise<void> {
    const name = this.#name(week)
    for (const path of [
      `/${name}/_flush?force=true`,
      `/${name}/_forcemerge?only_expunge_deletes=true`,
      // The previous files are open until then.
      `/${name}/_flush`,
      `/${name}/_refresh`,
    ]) {
      await this.#cluster.request({ method: 'POST', path, repeatable: true })
    }
  }

  /** Removes a whole week, its bytes at once. */
  async drop(week: number): Promise<void> {
    const path = `/${this.#name(week)}?ignore_unavailable=true`
    await this.#cluster.request({ method: 'DELETE', path, repeatable: true })
    this.#made.delete(week)
  }

  async #operations(
    week: number,
    places: readonly EventPlace[],
  ): Promise<ReadonlyMap<string, string>> {
    if (places.length === 0) return new Map()
    const { docs } = (await this.#cluster.request({
      method: 'POST',
      // A replica may not yet have the state that made the primary refuse a write.
      path: `/${this.#name(week)}/_mget?preference=_primary&_source_includes=operation`,
      body: { docs: places.map(({ id, log }) => ({ _id: id, routing: log })) },
      repeatable: true,
    })) as {
      docs: {
        readonly _id: string
        readonly found?: boolean
        readonly _source?: { readonly operation: string }
        readonly error?: { readonly type: string; readonly reason: string }
      }[]
    }
    const failed = docs.find(({ error }) => error !== undefined)?.error
    if (failed !== undefined && failed.type !== 'index_not_found_exception') {
      throw new ClusterError('busy', `Cannot read ${this.#name(week)}: ${failed.reason}`)
    }
    return new Map(
      docs.flatMap(({ _id, found, _source }) =>
        found === true && _source !== undefined ? [[_id, _source.operation]] : [],
      ),
    )
  }

  /** Several nodes may do so at the same time. */
  async #make(week: number): Promise<void> {
    const body = { settings: { index: EVENT_SETTINGS }, mappings: EVENT_MAPPING }
    await createIndex(this.#cluster, this.#name(week), body)
    this.#made.add(week)
  }

  #shards(week: number, shards: IndexStats['shards']): ShardState[] {
    return Array.from({ length: EVENT_SETTINGS.number_of_shards }, (_, shard) => {
      const primary = shards[shard]?.find(({ routing }) => routing.primary)?.seq_no
      if (primary === undefined) {
        throw new ClusterError('busy', `Shard ${shard} of ${this.#name(week)} is unassigned`)
      }
      return { settled: primary.global_checkpoint, newest: primary.max_seq_no }
    })
  }

  #name(week: number): string {
    return `${this.#prefix}-${weekName(week)}`
  }
}
