import { ApiError, POPULARITY_TRIAL_ID, type Experiment, type StoreSettings } from '@aisle/contract'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { addSettingsVersion, type VersionAuthor } from './add-settings-version.ts'
import { describeSettings, type SettingsPorts } from './change-settings.ts'
import { endOf, experimentResource, type ExperimentRecord } from './experiment-record.ts'
import { experimentOf, experimentsOf } from './known-experiments.ts'
import { withTrialEnded } from './popularity-trial.ts'
import { draftSettings } from './relevance-draft.ts'

type ExperimentPorts = Pick<ServicePorts, 'resources' | 'writer' | 'clock'>

/** Who ends an experiment: a login for its list, and the author of a version of the settings. */
export type ExperimentAuthor = VersionAuthor & { readonly by: string | undefined }

/** If others write at the same time, the change is repeated on top of theirs. */
export const ATTEMPTS_MAX = 10

/**
 * Ends an experiment; what is live stays.
 *
 * @throws ApiError experiment_not_found, experiment_ended
 */
export async function endExperiment(
  ports: ExperimentPorts,
  storeId: string,
  id: string,
  { changedBy, by }: ExperimentAuthor,
): Promise<Experiment> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const nowMs = ports.clock.now()
    const resources = ports.resources.of(storeId)
    const ended = endedAt(requireExperiment(resources, id, nowMs), nowMs, by)
    if (id === POPULARITY_TRIAL_ID) {
      await addSettingsVersion(ports, storeId, { changedBy }, (given) => ({
        settings: withTrialEnded(given, nowMs),
      }))
      return presented(ended, nowMs)
    }
    const before = resources.get('experiment', id)!
    const puts = [{ ...experimentResource(ended), replaces: before.json }]
    if (await ports.writer.changeResources(storeId, { puts, removes: [] })) {
      return presented(ended, nowMs)
    }
  }
  throw busy()
}

/**
 * Makes the draft of an experiment live, as a version of the settings, and ends the experiment. One
 * that ended before may be published too.
 *
 * @throws ApiError experiment_not_found, experiment_ended if it is published already, and that of
 * a draft that does not suit the schema any more
 */
export async function publishExperiment(
  ports: SettingsPorts,
  storeId: string,
  id: string,
  author: ExperimentAuthor,
): Promise<{ readonly experiment: Experiment; readonly settings: StoreSettings }> {
  const nowMs = ports.clock.now()
  const record = requireExperiment(ports.resources.of(storeId), id, nowMs)
  if (presented(record, nowMs).state === 'published') {
    throw new ApiError('experiment_ended', 'This experiment is published already')
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const { draft, puts, removes } = record
  const { note = record.name, changedBy, by } = author
  const isTrial = id === POPULARITY_TRIAL_ID
  await addSettingsVersion(ports, storeId, { note, changedBy }, (given) => ({
    settings: draftSettings(
      isTrial ? withTrialEnded(given, nowMs) : given,
      draft,
      schema,
      analyzer,
    ),
    puts,
    removes,
  }))
  const experiment = isTrial
    ? presented({ ...record, endedAt: endedBefore(record, nowMs), isPublished: true }, nowMs)
    : await markPublished(ports, storeId, id, by)
  return { experiment, settings: await describeSettings(ports, storeId) }
}

/** Apart from the version of the settings, because a rollback of that does not restart it. */
async function markPublished(
  { resources, writer, clock }: Pick<ExperimentPorts, 'resources' | 'writer' | 'clock'>,
  storeId: string,
  id: string,
  by: string | undefined,
): Promise<Experiment> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const nowMs = clock.now()
    const all = resources.of(storeId)
    const record = requireExperiment(all, id, nowMs)
    const isOver = nowMs >= endOf(record)
    const published = { ...(isOver ? record : endedAt(record, nowMs, by)), isPublished: true }
    const puts = [{ ...experimentResource(published), replaces: all.get('experiment', id)!.json }]
    if (await writer.changeResources(storeId, { puts, removes: [] })) {
      return presented(published, nowMs)
    }
  }
  throw busy()
}

export function listExperiments(
  { resources, clock }: Pick<ServicePorts, 'resources' | 'clock'>,
  storeId: string,
): readonly Experiment[] {
  const nowMs = clock.now()
  return experimentsOf(resources.of(storeId), nowMs).map((record) => presented(record, nowMs))
}

/** @throws ApiError experiment_not_found */
export function requireExperiment(
  resources: StoreResources,
  id: string,
  nowMs: number,
): ExperimentRecord {
  const record = experimentOf(resources, id, nowMs)
  if (record !== undefined) return record
  throw new ApiError(
    'experiment_not_found',
    `There is no experiment \`${id.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()}\``,
  )
}

const NAME_SHOWN_MAX_CHARS = 100

export function presented(record: ExperimentRecord, nowMs: number): Experiment {
  const { id, name, kind, goal, draftPercent, tags, category } = record
  const { startedAt, startedBy, endedBy } = record
  const isOver = nowMs >= endOf(record)
  return {
    id,
    name,
    kind,
    state: !isOver ? 'running' : record.isPublished === true ? 'published' : 'ended',
    goal,
    draft_percent: draftPercent,
    tags: [...tags],
    ...(category === undefined ? {} : { category }),
    started_at: startedAt,
    ...(startedBy === undefined ? {} : { started_by: startedBy }),
    ends_at: new Date(endOf(record)).toISOString(),
    ...(endedBy === undefined ? {} : { ended_by: endedBy }),
  }
}

/** @throws ApiError experiment_ended */
function endedAt(
  record: ExperimentRecord,
  nowMs: number,
  by: string | undefined,
): ExperimentRecord {
  if (nowMs >= endOf(record)) {
    throw new ApiError('experiment_ended', 'This experiment has ended already')
  }
  const endedBy = by === undefined ? {} : { endedBy: by }
  return { ...record, endedAt: new Date(nowMs).toISOString(), ...endedBy }
}

function endedBefore(record: ExperimentRecord, nowMs: number): string {
  return new Date(Math.min(endOf(record), nowMs)).toISOString()
}

export function busy(): ApiError {
  return new ApiError('unavailable', 'Other requests are changing the same: try again', {
    retryAfterSeconds: 1,
  })
}
