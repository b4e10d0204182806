import { FOLLOWED_SOURCES, SOURCES } from '../../ports/catalog/edit-journal.ts'
import { JobRunner, type JobRunnerOptions } from '../jobs/job-runner.ts'
import { FOLLOW_RECORDS, followKey, isFollowed, type FollowRecord } from './follow-record.ts'
import { followSource, type FollowWatch } from './follow-source.ts'
import type { SourceAlerts } from './source-alerts.ts'
import type { SourcePorts } from './source-ports.ts'
import { SOURCE_RECORDS, type SourceRecord } from './source-record.ts'

/** Sources that one runner follows at the same time. Each has a thread while it is followed. */
const FOLLOWED_AT_ONCE = 20

/** Whether a source is as it should be, for metrics. */
export interface SourceState {
  readonly storeId: string
  readonly name: string
  /** When it was last read completely, or last answered while it is followed, in milliseconds. */
  readonly goodAtMs: number
  /** When it last answered while it is followed; undefined: it is not followed now. */
  readonly readAtMs: number | undefined
}

export interface SourceFollowerOptions extends JobRunnerOptions, FollowWatch {
  /** Receives the sources that are scheduled or followed, the oldest first, with each poll. */
  readonly onPolled?: (states: readonly SourceState[]) => void
}

/** Follows the sources whose databases say what changes. */
export class SourceFollower extends JobRunner<FollowRecord> {
  readonly #ports: SourcePorts
  readonly #onPolled: (states: readonly SourceState[]) => void

  constructor(ports: SourcePorts, alerts: SourceAlerts, options: SourceFollowerOptions = {}) {
    super(
      ports,
      {
        records: FOLLOW_RECORDS,
        has: ({ content }) => content === FOLLOWED_SOURCES,
        atOnce: FOLLOWED_AT_ONCE,
        step: (record, work) => followSource(ports, record, work, alerts, options),
        ended: (record) => ({ ...record, state: 'ended' }),
      },
      options,
    )
    this.#ports = ports
    this.#onPolled = options.onPolled ?? (() => undefined)
  }

  override async poll(): Promise<void> {
    const states: SourceState[] = []
    for (const source of await SOURCE_RECORDS.list(this.#ports, SOURCES)) {
      const isWanted = isFollowed(source) && source.position !== undefined
      const following = isWanted ? await this.#begin(source) : undefined
      const isAwaited = !source.isPaused && (source.schedule !== undefined || isFollowed(source))
      if (isAwaited) states.push(stateOf(source, following))
    }
    this.#onPolled(states.reverse())
    await super.poll()
  }

  /** @returns how far it is followed; undefined: it begins now */
  async #begin(source: SourceRecord): Promise<FollowRecord | undefined> {
    const { content, id } = followKey(source)
    const existing = await FOLLOW_RECORDS.find(this.#ports, content, id)
    if (existing?.state === 'following') return existing
    const record: FollowRecord = {
      id,
      storeId: source.storeId,
      source: source.name,
      state: 'following',
      pausedFor: undefined,
      error: undefined,
      changed: 0,
      deleted: 0,
      refused: 0,
      lastChangeAt: undefined,
      startedAt: new Date(this.#ports.clock.now()).toISOString(),
      isCancelled: false,
      runner: '',
      attempts: 0,
      beats: 0,
    }
    if (existing === undefined) await FOLLOW_RECORDS.create(this.#ports, content, record)
    else {
      const begin = (one: FollowRecord): FollowRecord | undefined =>
        one.state === 'ended' ? record : undefined
      await FOLLOW_RECORDS.update(this.#ports, { content, id }, begin)
    }
    return undefined
  }
}

function stateOf(source: SourceRecord, following: FollowRecord | undefined): SourceState {
  const { storeId, name, createdAt, lastGoodRun } = source
  const runAtMs = Date.parse(lastGoodRun?.ended_at ?? createdAt)
  const goodAtMs = Math.max(runAtMs, Date.parse(following?.readAt ?? createdAt))
  const since = following && (following.readAt ?? following.startedAt)
  return { storeId, name, goodAtMs, readAtMs: since === undefined ? since : Date.parse(since) }
}
