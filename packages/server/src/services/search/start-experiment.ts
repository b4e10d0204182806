import { randomUUID } from 'node:crypto'
import {
  ApiError,
  EXPERIMENT_PERCENT_DEFAULT,
  EXPERIMENTS_MAX,
  EXPERIMENTS_RUNNING_MAX,
  type Experiment,
  type StartExperimentRequest,
} from '@aisle/contract'
import { requireFacet } from '../../domain/store/facet-display.ts'
import type { YieldingWork } from '../../domain/turns/gradual.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { endOf, experimentResource, type ExperimentRecord } from '../store/experiment-record.ts'
import { ATTEMPTS_MAX, busy, presented } from '../store/experiments.ts'
import { runningExperiments, storedExperiments } from '../store/known-experiments.ts'
import { checkDraft, type DraftPorts } from './check-draft.ts'

const ID_CHARS = 12

/**
 * Starts an experiment at once.
 *
 * @param request checked, except its draft
 * @param by login of the person
 * @throws ApiError experiment_conflict, unknown_field, field_not_facetable, and what `checkDraft`
 *   throws
 */
export async function startExperiment(
  ports: DraftPorts & Pick<ServicePorts, 'writer'>,
  storeId: string,
  request: Omit<StartExperimentRequest, 'draft'> & { readonly draft: unknown },
  by: string | undefined,
  work: YieldingWork,
): Promise<Experiment> {
  const { name, kind, goal = 'order', draft_percent: percent, tags = [], category } = request
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
  if (category !== undefined) {
    const { schema = NO_SCHEMA } = openView(ports, storeId)
    requireFacet(schema, category.field, 'category.field')
  }
  const { draft, puts, removes } = await checkDraft(ports, storeId, request.draft, work)
  const absent = removes.find((one) => one.kind === 'preset')
  if (absent !== undefined) {
    throw new ApiError(
      'invalid_parameter',
      'An experiment may change presets but not delete them: searches that name one would fail',
      { param: `draft.presets.${absent.name}` },
    )
  }
  if (Object.keys(draft).length + puts.length + removes.length === 0) {
    throw new ApiError('invalid_parameter', 'Parameter `draft` must change something', {
      param: 'draft',
    })
  }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const nowMs = ports.clock.now()
    const resources = ports.resources.of(storeId)
    requireRoom(runningExperiments(resources, nowMs), { tags, category })
    const record: ExperimentRecord = {
      id: randomUUID().replaceAll('-', '').slice(0, ID_CHARS),
      name,
      kind,
      goal: kind === 'interleaved' ? 'click' : goal,
      draftPercent: percent ?? EXPERIMENT_PERCENT_DEFAULT,
      tags,
      ...(category === undefined ? {} : { category }),
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

/** Every search belongs to one experiment at most, and each experiment gets all it may take. */
function requireRoom(running: readonly ExperimentRecord[], wanted: Taken): void {
  if (running.length >= EXPERIMENTS_RUNNING_MAX) {
    throw new ApiError(
      'experiment_conflict',
      `A store may run at most ${EXPERIMENTS_RUNNING_MAX} experiments at once: end one first`,
    )
  }
  const other = running.find((one) => sharesTags(one, wanted) && sharesPages(one, wanted))
  if (other === undefined) return
  throw new ApiError(
    'experiment_conflict',
    `The experiment "${other.name}" (${other.id}) takes the same searches: end it first, or give both different \`tags\` or categories`,
    { param: 'tags' },
  )
}

interface Taken extends Pick<ExperimentRecord, 'tags'> {
  readonly category?: ExperimentRecord['category'] | undefined
}

function sharesTags({ tags: own }: Taken, { tags }: Taken): boolean {
  return own.length === 0 || tags.length === 0 || own.some((tag) => tags.includes(tag))
}

/** A search with the filters of two categories belongs to the experiment that started first. */
function sharesPages({ category: own }: Taken, { category }: Taken): boolean {
  if (own === undefined || category === undefined) return true
  return own.field === category.field && own.value === category.value
}

/** The oldest that has ended, once one more is stored. */
function forgotten(
  resources: StoreResources,
  nowMs: number,
): { kind: 'experiment'; name: string }[] {
  const all = storedExperiments(resources)
  if (all.length < EXPERIMENTS_MAX) return []
  const over = all.filter((one) => nowMs >= endOf(one))
  return over.slice(-1).map(({ id }) => ({ kind: 'experiment', name: id }))
}
