import { ApiError, SOURCE_RUNS_MAX } from '@aisle/contract'
import { SOURCE_RUNS, SOURCES } from '../../ports/catalog/edit-journal.ts'
import { JobRunner, type JobEnd, type JobRunnerOptions } from '../jobs/job-runner.ts'
import { runSource } from './run-source.ts'
import { nextRunMs } from './schedule.ts'
import type { SourceAlerts } from './source-alerts.ts'
import type { SourcePorts } from './source-ports.ts'
import {
  presentRun,
  RUN_RECORDS,
  runKey,
  runsOf,
  SOURCE_RECORDS,
  sourceKey,
  type PartGroup,
  type SourceRecord,
  type SourceRunRecord,
} from './source-record.ts'
import { beginRun, runInProgress } from './source-runs.ts'
import { removeSource } from './sources.ts'

export interface SourceRunnerOptions extends JobRunnerOptions {
  /** Called when a run is over. */
  readonly onEnded?: (run: SourceRunRecord) => void
}

/** Runs of different sources on which a runner works at the same time. */
const RUNS_AT_ONCE = 2
/** A store that was just created may not be known everywhere: its sources wait. */
const SWEEP_AFTER_MS = 3_600_000

/** Runs sources: those that are due, and those that somebody asked for. */
export class SourceRunner extends JobRunner<SourceRunRecord> {
  readonly #ports: SourcePorts

  constructor(ports: SourcePorts, alerts: SourceAlerts, options: SourceRunnerOptions = {}) {
    super(
      ports,
      {
        records: RUN_RECORDS,
        has: ({ content }) => content.startsWith(SOURCE_RUNS),
        atOnce: RUNS_AT_ONCE,
        step: (record, work) => runSource(ports, record, work),
        ended: (record, state, error) => endedRun(ports, record, state, error),
        abandon: (record) => keepGroups(ports, record),
        finish: (record) => finish(ports, record, alerts, options),
        tidy: () => sweepSources(ports),
      },
      options,
    )
    this.#ports = ports
  }

  override async poll(): Promise<void> {
    await beginDueRuns(this.#ports)
    await super.poll()
  }
}

/** Begins the runs whose time has come. Of runners that try at the same time, one does. */
async function beginDueRuns(ports: SourcePorts): Promise<void> {
  const nowMs = ports.clock.now()
  for (const source of await SOURCE_RECORDS.list(ports, SOURCES)) {
    const { nextAtMs, schedule, storeId, name } = source
    const isLiving = ports.registry.find(storeId)?.createdAt === source.storeCreatedAt
    if (nextAtMs === undefined || nextAtMs > nowMs || schedule === undefined || !isLiving) continue
    const taken = await SOURCE_RECORDS.update(ports, sourceKey(storeId, name), (one) =>
      one.nextAtMs === nextAtMs ? { ...one, nextAtMs: nextRunMs(schedule, nowMs) } : undefined,
    )
    // A run that takes longer than the time between two is not overtaken by the next.
    if (taken === undefined || (await runInProgress(ports, taken)) !== undefined) continue
    await beginRun(ports, storeId, name, {}, { trigger: 'schedule' }).catch((error: unknown) => {
      // Somebody began one at the same time, or deleted the source.
      if (!(error instanceof ApiError)) throw error
    })
  }
}

function endedRun(
  { clock }: Pick<SourcePorts, 'clock'>,
  record: SourceRunRecord,
  state: JobEnd,
  error: string | undefined,
): SourceRunRecord {
  return { ...record, state, endedAt: new Date(clock.now()).toISOString(), error }
}

/** What a run has written before it ended early is known to the next. */
async function keepGroups(ports: SourcePorts, { kind, ...record }: SourceRunRecord): Promise<void> {
  const { content, id } = runKey({ kind, ...record })
  const run = await RUN_RECORDS.find(ports, content, id)
  if (run === undefined || kind === 'dry_run') return
  const written: PartGroup[] = []
  for (const group of run.groups) {
    if ((await ports.edits.part(group.id, 0)) !== undefined) written.push(group)
  }
  await SOURCE_RECORDS.update(ports, sourceKey(run.storeId, run.source), (one) => {
    const known = new Set(one.groups.map((group) => group.id))
    return { ...one, groups: [...one.groups, ...written.filter((group) => !known.has(group.id))] }
  })
}

async function finish(
  ports: SourcePorts,
  run: SourceRunRecord,
  alerts: SourceAlerts,
  { onEnded }: SourceRunnerOptions,
): Promise<void> {
  onEnded?.(run)
  const key = sourceKey(run.storeId, run.source)
  const source =
    run.kind === 'dry_run' || run.state === 'done'
      ? await SOURCE_RECORDS.find(ports, key.content, key.id)
      : await SOURCE_RECORDS.update(ports, key, (one) => ({ ...one, lastRun: presentRun(run) }))
  if (source === undefined) return
  await removeGarbage(ports, source)
  for (const old of (await RUN_RECORDS.list(ports, runsOf(source))).slice(SOURCE_RUNS_MAX)) {
    await ports.edits.remove(runsOf(source), old.id)
  }
  alert(alerts, source, run)
}

async function removeGarbage(ports: SourcePorts, { garbage, ...key }: SourceRecord): Promise<void> {
  if (garbage.length === 0) return
  for (const id of garbage) await ports.edits.removeParts(id)
  await SOURCE_RECORDS.update(ports, sourceKey(key.storeId, key.name), (one) => ({
    ...one,
    garbage: one.garbage.filter((id) => !garbage.includes(id)),
  }))
}

/** Tells of a fault, and when it is over. */
function alert(alerts: SourceAlerts, source: SourceRecord, run: SourceRunRecord): void {
  if (run.kind === 'dry_run' || run.state === 'cancelled') return
  const isFault = run.state === 'failed' || run.isRemovalRefused
  if (!isFault && !run.followsFault) return
  const event = run.state === 'failed' ? 'failed' : isFault ? 'removal_refused' : 'recovered'
  alerts.tell(source, { event, run })
}

/** Removes the sources of deleted stores. */
async function sweepSources(ports: SourcePorts): Promise<void> {
  const before = ports.clock.now() - SWEEP_AFTER_MS
  for (const source of await SOURCE_RECORDS.list(ports, SOURCES)) {
    const isLiving = ports.registry.find(source.storeId)?.createdAt === source.storeCreatedAt
    if (!isLiving && Date.parse(source.createdAt) < before) await removeSource(ports, source)
  }
}
