import {
  ApiError,
  SOURCES_MAX,
  type ChangedBy,
  type DeletedSource,
  type PutSourceRequest,
  type Source,
  type SourceList,
} from '@aisle/contract'
import { FOLLOWED_SOURCES, SOURCES } from '../../ports/catalog/edit-journal.ts'
import { existingStore } from '../store/stores.ts'
import { dropKept } from './drop-source.ts'
import { FOLLOW_RECORDS, followKey } from './follow-record.ts'
import { presentSource } from './present-source.ts'
import { requireReachable } from './require-reachable.ts'
import { checkSchedule, nextRunMs } from './schedule.ts'
import { readConfig, readSecrets, recipientOf } from './source-config.ts'
import type { SourcePorts } from './source-ports.ts'
import {
  runsOf,
  RUN_RECORDS,
  SOURCE_RECORDS,
  sourceKey,
  type SourceConfig,
  type SourceRecord,
} from './source-record.ts'
import { sealSecrets } from './source-secrets.ts'
import { removeQueue } from './webhook-queue.ts'

/** Of sources; ids of runs match it as well. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** @throws ApiError store_not_found */
export async function listSources(ports: SourcePorts, storeId: string): Promise<SourceList> {
  const records = await storedSources(ports, storeId)
  const sources = await Promise.all(records.map((record) => presented(ports, record)))
  return { sources: sources.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
}

/** Others are not looked for: they may be longer than any key. */
export function isSourceName(text: string): boolean {
  return NAME.test(text)
}

/** @throws ApiError source_not_found, store_not_found */
export async function findSource(
  ports: Pick<SourcePorts, 'edits' | 'registry'>,
  storeId: string,
  name: string,
): Promise<SourceRecord> {
  const { createdAt } = existingStore(ports.registry, storeId)
  const { content, id } = sourceKey(storeId, name)
  const record = isSourceName(name) ? await SOURCE_RECORDS.find(ports, content, id) : undefined
  if (record?.storeCreatedAt === createdAt) return record
  throw new ApiError('source_not_found', 'The store has no source with this name', {
    param: 'name',
  })
}

export async function getSource(
  ports: SourcePorts,
  storeId: string,
  name: string,
): Promise<Source> {
  return presented(ports, await findSource(ports, storeId, name))
}

/**
 * Creates or replaces a source. What it has written stays known.
 *
 * @returns whether it was created
 * @throws ApiError store_not_found, invalid_parameter, source_limit_reached
 */
export async function putSource(
  ports: SourcePorts,
  storeId: string,
  name: string,
  request: PutSourceRequest,
  changedBy: ChangedBy | undefined,
): Promise<{ readonly source: Source; readonly isNew: boolean }> {
  const nowMs = ports.clock.now()
  if (!isSourceName(name)) {
    const message =
      'The name in the path must be 1 to 64 lower-case letters, digits, "_" or "-", and begin with a letter or a digit'
    throw new ApiError('invalid_parameter', message, { param: 'name' })
  }
  const config = readConfig(request, ports.mail !== undefined)
  requireReachable(ports, config)
  const secrets = readSecrets(config.connection.kind, request.secrets)
  if (config.schedule !== undefined) checkSchedule(config.schedule, nowMs)
  const key = sourceKey(storeId, name)
  const { createdAt: storeCreatedAt } = existingStore(ports.registry, storeId)
  const stored = await SOURCE_RECORDS.find(ports, key.content, key.id)
  if (stored !== undefined && stored.storeCreatedAt !== storeCreatedAt) {
    await removeSource(ports, stored)
  }
  const now = new Date(nowMs).toISOString()
  const sealed = secrets === undefined ? undefined : sealSecrets(ports, key.id, secrets)
  if (stored !== undefined) await dropKept(ports, stored, config.connection)
  const changed = await SOURCE_RECORDS.update(ports, key, (before) => ({
    ...before,
    ...config,
    ...(sealed ?? keptSecrets(before, config)),
    nextAtMs: nextAt(config, before.isPaused, nowMs),
    changedAt: now,
    changedBy,
  }))
  if (changed !== undefined) return { source: await presented(ports, changed), isNew: false }
  if ((await storedSources(ports, storeId)).length >= SOURCES_MAX) {
    throw new ApiError('source_limit_reached', `A store has at most ${SOURCES_MAX} sources`)
  }
  const record: SourceRecord = {
    id: key.id,
    storeId,
    storeCreatedAt,
    name,
    ...config,
    sealedSecrets: sealed?.sealedSecrets,
    secretNames: sealed?.secretNames ?? [],
    isPaused: false,
    nextAtMs: nextAt(config, false, nowMs),
    runId: undefined,
    groups: [],
    garbage: [],
    position: undefined,
    documents: 0,
    lastRun: undefined,
    lastGoodRun: undefined,
    createdAt: now,
    changedAt: now,
    changedBy,
  }
  await SOURCE_RECORDS.create(ports, SOURCES, record)
  return { source: await presented(ports, record), isNew: true }
}

/** @throws ApiError source_not_found */
export async function deleteSource(
  ports: SourcePorts,
  storeId: string,
  name: string,
): Promise<DeletedSource> {
  await removeSource(ports, await findSource(ports, storeId, name))
  return { name, status: 'deleted' }
}

/** A scheduled run that was missed meanwhile is not made up for. */
export async function pauseSource(
  ports: SourcePorts,
  storeId: string,
  name: string,
  isPaused: boolean,
): Promise<Source> {
  const found = await findSource(ports, storeId, name)
  const changed = await SOURCE_RECORDS.update(ports, sourceKey(storeId, name), (one) => ({
    ...one,
    isPaused,
    nextAtMs: nextAt(one, isPaused, ports.clock.now()),
  }))
  return presented(ports, changed ?? found)
}

/** Removes a source with its runs. The documents that it has written stay. */
export async function removeSource(
  ports: Pick<SourcePorts, 'edits' | 'sources' | 'addressKey'>,
  source: SourceRecord,
): Promise<void> {
  const { edits } = ports
  const isDropped = await dropKept(ports, source, undefined)
  // A run in progress ends with its next batch, because its record is gone.
  for (const run of await RUN_RECORDS.list({ edits }, runsOf(source))) {
    await edits.remove(runsOf(source), run.id)
    for (const group of run.groups) await edits.removeParts(group.id)
  }
  for (const { id } of source.groups) await edits.removeParts(id)
  for (const id of source.garbage) await edits.removeParts(id)
  await edits.remove(FOLLOWED_SOURCES, source.id)
  await removeQueue(ports, source)
  await edits.remove(SOURCES, source.id)
  // A run that ended meanwhile may have made it again.
  if (isDropped) await dropKept(ports, source, undefined)
}

async function storedSources(
  ports: Pick<SourcePorts, 'edits' | 'registry'>,
  storeId: string,
): Promise<SourceRecord[]> {
  const { createdAt } = existingStore(ports.registry, storeId)
  const all = await SOURCE_RECORDS.list(ports, SOURCES)
  return all.filter((one) => one.storeId === storeId && one.storeCreatedAt === createdAt)
}

function nextAt(
  { schedule }: Pick<SourceConfig, 'schedule'>,
  isPaused: boolean,
  nowMs: number,
): number | undefined {
  return schedule === undefined || isPaused ? undefined : nextRunMs(schedule, nowMs)
}

/** Secrets of one server are not sent to another one because somebody changes the URL. */
function keptSecrets(
  before: SourceRecord,
  { connection }: SourceConfig,
): Pick<SourceRecord, 'sealedSecrets' | 'secretNames'> {
  const { sealedSecrets, secretNames } = before
  if (recipientOf(before.connection) === recipientOf(connection)) {
    return { sealedSecrets, secretNames }
  }
  return { sealedSecrets: undefined, secretNames: [] }
}

async function presented(ports: SourcePorts, source: SourceRecord): Promise<Source> {
  const { runId } = source
  const run = runId === undefined ? undefined : await RUN_RECORDS.find(ports, runsOf(source), runId)
  const { content, id } = followKey(source)
  const following = await FOLLOW_RECORDS.find(ports, content, id)
  return presentSource(source, run, following, ports.clock.now())
}
