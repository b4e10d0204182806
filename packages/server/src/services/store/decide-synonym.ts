import { createHash } from 'node:crypto'
import {
  ApiError,
  SYNONYM_REJECTIONS_MAX,
  TRAFFIC_SYNONYM_SET,
  type AcceptSynonymRequest,
  type DecidedSynonym,
  type PutSynonymSetRequest,
  type SynonymItem,
  type SynonymPair,
} from '@aisle/contract'
import type { Analyzer } from '@aisle/engine'
import { exactJson } from '../../domain/json/json-exact.ts'
import { checkResourceName } from '../../domain/store/resource-name.ts'
import { pairKey } from '../../domain/words/replaceable-phrases.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { openView } from '../open-view.ts'
import type { ServicePorts } from '../service-ports.ts'
import { resourceJson, SYNONYM_SET } from './resources.ts'

/** A pair that must not be suggested again. */
export interface RejectedSynonym extends SynonymPair {
  /** Name of the resource that stores it. */
  readonly name: string
  readonly rejectedAt: string
}

/** If others change the set at the same time, the change is applied again on top of theirs. */
const ATTEMPTS_MAX = 10

/**
 * Adds a pair to a synonym set, and creates the set if it does not exist.
 *
 * @returns the JSON text of the set
 * @throws ApiError
 */
export async function acceptSynonym(
  ports: Pick<ServicePorts, 'resources' | 'writer' | 'backend'>,
  storeId: string,
  { from, to, both_ways: isMutual = false, set = TRAFFIC_SYNONYM_SET }: AcceptSynonymRequest,
): Promise<string> {
  const { analyzer } = checkPair(ports, storeId, { from, to })
  const name = checkResourceName(set, 'set')
  const item: SynonymItem = isMutual ? { synonyms: [from, to] } : { root: from, synonyms: [to] }
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const resources = ports.resources.of(storeId)
    const before = resources.get('synonymSet', name)
    const { items, default: isDefault } = setOf(before)
    const next = items.some((one) => JSON.stringify(one) === JSON.stringify(item))
      ? items
      : [...items, item]
    // Its other items were checked when they were saved.
    const kept = { items: next, default: isDefault ?? false }
    const put = { kind: 'synonymSet', name, json: exactJson(kept) } as const
    const guard = before === undefined ? { insert: true } : { replaces: before.json }
    const removes = rejectionsOf(resources, { from, to }, analyzer)
    if (await ports.writer.changeResources(storeId, { puts: [{ ...put, ...guard }], removes })) {
      // Another request may delete it at once.
      return resourceJson(SYNONYM_SET, put)
    }
  }
  throw new ApiError('unavailable', 'Other requests are changing the synonym set: try again', {
    retryAfterSeconds: 1,
  })
}

/** Records that a pair is rejected, in either direction. @throws ApiError */
export async function rejectSynonym(
  ports: Pick<ServicePorts, 'writer' | 'backend' | 'clock'>,
  storeId: string,
  { from, to }: SynonymPair,
): Promise<DecidedSynonym> {
  const { analyzer, resources } = checkPair(ports, storeId, { from, to })
  const key = pairKey(from, to, analyzer)
  const name = createHash('sha256').update(key).digest('hex').slice(0, 32)
  const rejectedAt = new Date(ports.clock.now()).toISOString()
  const json = JSON.stringify({ from, to, rejectedAt })
  const known = rejectedSynonyms(resources).filter((one) => one.name !== name)
  const forgotten = known
    .toSorted((a, b) => (a.rejectedAt < b.rejectedAt ? -1 : 1))
    .slice(0, Math.max(0, known.length + 1 - SYNONYM_REJECTIONS_MAX))
  await ports.writer.changeResources(storeId, {
    puts: [{ kind: 'synonymRejection', name, json }],
    removes: forgotten.map((one) => ({ kind: 'synonymRejection', name: one.name })),
  })
  return { from, to, status: 'rejected' }
}

/** Removes the record that a pair was rejected. @throws ApiError */
export async function restoreSynonym(
  ports: Pick<ServicePorts, 'writer' | 'backend'>,
  storeId: string,
  { from, to }: SynonymPair,
): Promise<DecidedSynonym> {
  const { analyzer, resources } = checkPair(ports, storeId, { from, to })
  const removes = rejectionsOf(resources, { from, to }, analyzer)
  if (removes.length > 0) await ports.writer.changeResources(storeId, { puts: [], removes })
  return { from, to, status: 'restored' }
}

export function rejectedSynonyms(resources: StoreResources): readonly RejectedSynonym[] {
  return resources.list('synonymRejection').map(({ name, json }) => ({
    ...(JSON.parse(json) as Omit<RejectedSynonym, 'name'>),
    name,
  }))
}

function rejectionsOf(
  resources: StoreResources,
  { from, to }: SynonymPair,
  analyzer: Analyzer,
): { readonly kind: 'synonymRejection'; readonly name: string }[] {
  const key = pairKey(from, to, analyzer)
  return rejectedSynonyms(resources)
    .filter((one) => pairKey(one.from, one.to, analyzer) === key)
    .map(({ name }) => ({ kind: 'synonymRejection', name }))
}

function setOf(resource: Resource | undefined): PutSynonymSetRequest {
  if (resource === undefined) return { items: [], default: true }
  return JSON.parse(resource.json) as PutSynonymSetRequest
}

function checkPair(
  ports: Pick<ServicePorts, 'backend'>,
  storeId: string,
  pair: SynonymPair,
): { readonly analyzer: Analyzer; readonly resources: StoreResources } {
  const { analyzer, resources } = openView(ports, storeId)
  for (const param of ['from', 'to'] as const) {
    if (analyzer.analyze(pair[param]).length > 0) continue
    throw new ApiError('invalid_parameter', `Parameter \`${param}\` must contain a word`, { param })
  }
  const [a, b] = pairKey(pair.from, pair.to, analyzer).split('\n')
  if (a !== b) return { analyzer, resources }
  throw new ApiError('invalid_parameter', 'Parameter `to` must have other words than `from`', {
    param: 'to',
  })
}
