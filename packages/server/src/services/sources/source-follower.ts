import { FOLLOWED_SOURCES, SOURCES } from '../../ports/catalog/edit-journal.ts'
import { JobRunner, type JobRunnerOptions } from '../jobs/job-runner.ts'
import { FOLLOW_RECORDS, followKey, isFollowed, type FollowRecord } from './follow-record.ts'
import { followSource } from './follow-source.ts'
import type { SourceAlerts } from './source-alerts.ts'
import type { SourcePorts } from './source-ports.ts'
import { SOURCE_RECORDS, type SourceRecord } from './source-record.ts'

/** Sources that one runner follows at the same time. Each has a thread while it is followed. */
const FOLLOWED_AT_ONCE = 20

/** Follows the sources whose databases say what changes. */
export class SourceFollower extends JobRunner<FollowRecord> {
  readonly #ports: SourcePorts

  constructor(ports: SourcePorts, alerts: SourceAlerts, options: JobRunnerOptions = {}) {
    super(
      ports,
      {
        records: FOLLOW_RECORDS,
        has: ({ content }) => content === FOLLOWED_SOURCES,
        atOnce: FOLLOWED_AT_ONCE,
        step: (record, work) => followSource(ports, record, work, alerts),
        ended: (record) => ({ ...record, state: 'ended' }),
      },
      options,
    )
    this.#ports = ports
  }

  override async poll(): Promise<void> {
    for (const source of await SOURCE_RECORDS.list(this.#ports, SOURCES)) {
      if (isFollowed(source) && source.position !== undefined) await this.#begin(source)
    }
    await super.poll()
  }

  async #begin(source: SourceRecord): Promise<void> {
    const { content, id } = followKey(source)
    const existing = await FOLLOW_RECORDS.find(this.#ports, content, id)
    if (existing?.state === 'following') return
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
  }
}
