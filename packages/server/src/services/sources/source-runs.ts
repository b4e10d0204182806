import {
  ApiError,
  type ChangedBy,
  type RunSourceRequest,
  type SourceDiff,
  type SourceRun,
  type SourceRunDetail,
  type SourceRuns,
} from '@aisle/contract'
import { uuidv7 } from '../../domain/values/uuid.ts'
import type { SourcePorts } from './source-ports.ts'
import {
  NO_FIGURES,
  presentRun,
  runKey,
  RUN_RECORDS,
  runsOf,
  SOURCE_RECORDS,
  sourceKey,
  type SourceRecord,
  type SourceRunRecord,
} from './source-record.ts'
import { findSource, isSourceName } from './sources.ts'

const NO_DIFF: SourceDiff = { added: [], changed: [], removed: [], refused: [] }

/**
 * Begins a run, which a runner of the service takes.
 *
 * @throws ApiError source_not_found, source_running, store_not_found
 */
export async function beginRun(
  ports: SourcePorts,
  storeId: string,
  name: string,
  {
    dry_run: isDry = false,
    full: isFull = false,
    allow_removal: allowsRemoval = false,
  }: RunSourceRequest,
  { trigger, changedBy }: { trigger: SourceRun['trigger']; changedBy?: ChangedBy | undefined },
): Promise<SourceRun> {
  const source = await findSource(ports, storeId, name)
  const running = await runInProgress(ports, source)
  if (running !== undefined) throw alreadyRuns(running.id)
  const { lastRun, runId } = source
  const id = uuidv7()
  const record: SourceRunRecord = {
    id,
    storeId,
    source: name,
    kind: isDry ? 'dry_run' : 'run',
    trigger,
    isFull,
    allowsRemoval,
    followsFault: lastRun?.state === 'failed' || lastRun?.removal_refused === true,
    state: 'running',
    isUnchanged: false,
    isRemovalRefused: false,
    figures: NO_FIGURES,
    groups: [],
    changedBy,
    createdAt: new Date(ports.clock.now()).toISOString(),
    endedAt: undefined,
    error: undefined,
    isCancelled: false,
    runner: '',
    attempts: 0,
    beats: 0,
  }
  // Of requests that begin one at the same time, one does. Its record comes after that: until then
  // the source has no run in progress, and another request may replace it.
  const begun = await SOURCE_RECORDS.update(ports, sourceKey(storeId, name), (one) =>
    one.runId === runId ? { ...one, runId: id } : undefined,
  )
  if (begun === undefined) throw alreadyRuns(undefined)
  await RUN_RECORDS.create(ports, runsOf(source), record)
  return presentRun(record)
}

export async function runInProgress(
  ports: Pick<SourcePorts, 'edits'>,
  source: SourceRecord,
): Promise<SourceRunRecord | undefined> {
  const { runId } = source
  const run = runId === undefined ? undefined : await RUN_RECORDS.find(ports, runsOf(source), runId)
  return run === undefined || RUN_RECORDS.isOver(run) ? undefined : run
}

/** @throws ApiError source_not_found */
export async function listRuns(
  ports: SourcePorts,
  storeId: string,
  name: string,
): Promise<SourceRuns> {
  const source = await findSource(ports, storeId, name)
  return { runs: (await RUN_RECORDS.list(ports, runsOf(source))).map(presentRun) }
}

/** @throws ApiError source_not_found, source_run_not_found */
export async function getRun(
  ports: SourcePorts,
  storeId: string,
  name: string,
  id: string,
): Promise<SourceRunDetail> {
  const run = await findRun(ports, storeId, name, id)
  const diff = await ports.edits.part(id, 0)
  return {
    run: presentRun(run),
    diff: diff === undefined ? NO_DIFF : (JSON.parse(Buffer.from(diff).toString()) as SourceDiff),
  }
}

/**
 * Ends a run before its next documents. One that is over stays as it is.
 *
 * @throws ApiError source_not_found, source_run_not_found
 */
export async function cancelRun(
  ports: SourcePorts,
  storeId: string,
  name: string,
  id: string,
): Promise<SourceRun> {
  const run = await findRun(ports, storeId, name, id)
  const changed = await RUN_RECORDS.update(ports, runKey(run), (one) =>
    RUN_RECORDS.isOver(one) ? undefined : { ...one, isCancelled: true },
  )
  return presentRun(changed ?? (await findRun(ports, storeId, name, id)))
}

async function findRun(
  ports: SourcePorts,
  storeId: string,
  name: string,
  id: string,
): Promise<SourceRunRecord> {
  const source = await findSource(ports, storeId, name)
  const run = isSourceName(id) ? await RUN_RECORDS.find(ports, runsOf(source), id) : undefined
  if (run !== undefined) return run
  throw new ApiError('source_run_not_found', 'The source has no run with this id', {
    param: 'run_id',
  })
}

function alreadyRuns(id: string | undefined): ApiError {
  return new ApiError(
    'source_running',
    `A run of this source is in progress${id === undefined ? '' : `: ${id}`}`,
  )
}
