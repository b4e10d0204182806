import { randomUUID } from 'node:crypto'
import {
  ApiError,
  EXPERIMENT_PERCENT_DEFAULT,
  EXPERIMENTS_MAX,
  EXPERIMENTS_RUNNING_MAX,
  type Experiment,
  type StartExperimentRequest,
  type StoreSettings,
} from '@aisle/contract'
import type { YieldingWork } from '../../domain/turns/gradual.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { addSettingsVersion, type VersionAuthor } from './add-settings-version.ts'
import { describeSettings, type SettingsPorts } from './change-settings.ts'
import {
  endOf,
  experimentOf,
  experimentResource,
  experimentsOf,
  runningExperiments,
  type ExperimentRecord,
} from './experiment-record.ts'
import { checkDraft, draftSettings } from './relevance-draft.ts'

type ExperimentPorts = Pick<ServicePorts, 'resources' | 'writer' | 'backend' | 'clock'>

/** If others write at the same time, the change is repeated on top of theirs. */
const ATTEMPTS_MAX = 10
const ID_CHARS = 12

/**
 * Starts an experiment at once.
 *
 * @param request checked, except its draft
 * @param by login of the person
 * @throws ApiError experiment_conflict, and what `checkDraft` throws
 */
export async function startExperiment(
  ports: ExperimentPorts,
  storeId: string,
  request: Omit<StartExperimentRequest, 'draft'> & { readonly draft: unknown },
  by: string | undefined,
  work: YieldingWork,
): Promise<Experiment> {
  const { name, kind, goal = 'order', draft_percent: percent, tags = [] } = request
  if (kind === 'interleaved') {
    for (const param of ['goal', 'draft_percent'] as const) {
      if (request[param] === undefined) continue
      throw new ApiError(
        'invalid_parameter',
        `Parameter \`${param}\` needs \`kind: "split"\`: an interleaved experiment is decided by clicks, and all visitors see both orders`,
        { param },
      )
    }
  }
  const { draft, puts, removes } = await checkDraft(ports, storeId, request.draft, work)
  if (Object.keys(draft).length + puts.length + removes.length === 0) {
    throw new ApiError('invalid_parameter', 'Parameter `draft` must change something', {
      param: 'draft',
    })
  }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const nowMs = ports.clock.now()
    const resources = ports.resources.of(storeId)
    requireRoom(runningExperiments(resources, nowMs), tags)
    const record: ExperimentRecord = {
      id: randomUUID().replaceAll('-', '').slice(0, ID_CHARS),
      name,
      kind,
      goal: kind === 'interleaved' ? 'click' : goal,
      draftPercent: percent ?? EXPERIMENT_PERCENT_DEFAULT,
      tags,
      startedAt: new Date(nowMs).toISOString(),
      ...(by === undefined ? {} : { startedBy: by }),
      draft,
      puts,
      removes,
    }
    const change = {
      puts: [{ ...experimentResource(record), insert: true }],
      removes: forgotten(resources, nowMs),
    }
    if (await ports.writer.changeResources(storeId, change)) return presented(record, nowMs)
  }
  throw busy()
}

/**
 * Ends an experiment; what is live stays.
 *
 * @throws ApiError experiment_not_found, experiment_ended
 */
export async function endExperiment(
  ports: ExperimentPorts,
  storeId: string,
  id: string,
  by: string | undefined,
): Promise<Experiment> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const nowMs = ports.clock.now()
    const resources = ports.resources.of(storeId)
    const ended = endedAt(requireExperiment(resources, id), nowMs, by)
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
  author: VersionAuthor & { readonly by: string | undefined },
): Promise<{ readonly experiment: Experiment; readonly settings: StoreSettings }> {
  const record = requireExperiment(ports.resources.of(storeId), id)
  if (record.isPublished === true) {
    throw new ApiError('experiment_ended', 'This experiment is published already')
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const { draft, puts, removes } = record
  const { note = record.name, changedBy, by } = author
  await addSettingsVersion(ports, storeId, { note, changedBy }, (given) => ({
    settings: draftSettings(given, draft, schema, analyzer),
    puts,
    removes,
  }))
  const experiment = await markPublished(ports, storeId, id, by)
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
    const record = requireExperiment(all, id)
    const isOver = record.endedAt !== undefined || nowMs >= endOf(record)
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
  return experimentsOf(resources.of(storeId)).map((record) => presented(record, nowMs))
}

/** @throws ApiError experiment_not_found */
export function requireExperiment(resources: StoreResources, id: string): ExperimentRecord {
  const record = experimentOf(resources, id)
  if (record !== undefined) return record
  throw new ApiError(
    'experiment_not_found',
    `There is no experiment \`${id.slice(0, NAME_SHOWN_MAX_CHARS).toWellFormed()}\``,
  )
}

const NAME_SHOWN_MAX_CHARS = 100

export function presented(record: ExperimentRecord, nowMs: number): Experiment {
  const { id, name, kind, goal, draftPercent, tags, startedAt, startedBy, endedBy } = record
  const isOver = record.endedAt !== undefined || nowMs >= endOf(record)
  return {
    id,
    name,
    kind,
    state: record.isPublished === true ? 'published' : isOver ? 'ended' : 'running',
    goal,
    draft_percent: draftPercent,
    tags: [...tags],
    started_at: startedAt,
    ...(startedBy === undefined ? {} : { started_by: startedBy }),
    ends_at: new Date(endOf(record)).toISOString(),
    ...(endedBy === undefined ? {} : { ended_by: endedBy }),
  }
}

/** Every search belongs to one experiment at most, and each experiment gets all it may take. */
function requireRoom(running: readonly ExperimentRecord[], tags: readonly string[]): void {
  if (running.length >= EXPERIMENTS_RUNNING_MAX) {
    throw new ApiError(
      'experiment_conflict',
      `A store may run at most ${EXPERIMENTS_RUNNING_MAX} experiments at once: end one first`,
    )
  }
  const other = running.find(
    (one) =>
      one.tags.length === 0 || tags.length === 0 || one.tags.some((tag) => tags.includes(tag)),
  )
  if (other === undefined) return
  throw new ApiError(
    'experiment_conflict',
    `The experiment "${other.name}" (${other.id}) takes the same searches: end it first, or give both different \`tags\``,
    { param: 'tags' },
  )
}

/** @throws ApiError experiment_ended */
function endedAt(
  record: ExperimentRecord,
  nowMs: number,
  by: string | undefined,
): ExperimentRecord {
  if (record.endedAt !== undefined || nowMs >= endOf(record)) {
    throw new ApiError('experiment_ended', 'This experiment has ended already')
  }
  const endedBy = by === undefined ? {} : { endedBy: by }
  return { ...record, endedAt: new Date(nowMs).toISOString(), ...endedBy }
}

/** The oldest that has ended, once one more is stored. */
function forgotten(
  resources: StoreResources,
  nowMs: number,
): { kind: 'experiment'; name: string }[] {
  const all = experimentsOf(resources)
  if (all.length < EXPERIMENTS_MAX) return []
  const over = all.filter((one) => one.endedAt !== undefined || nowMs >= endOf(one))
  return over.slice(-1).map(({ id }) => ({ kind: 'experiment', name: id }))
}

function busy(): ApiError {
  return new ApiError('unavailable', 'Other requests are changing the same: try again', {
    retryAfterSeconds: 1,
  })
}
