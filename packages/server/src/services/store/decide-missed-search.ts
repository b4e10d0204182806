import { createHash } from 'node:crypto'
import {
  ApiError,
  MISSED_DECISIONS_MAX,
  type Mend,
  type MissedSearch,
  type MissedState,
} from '@aisle/contract'
import type { MissedSearchRow } from '@aisle/event-log'
import type { ResourceName } from '../../domain/store/resource.ts'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { ServicePorts } from '../service-ports.ts'
import { mendChange, placeMend, takeMendBack, type MendPlace } from './mend-change.ts'
import { etagOf, requireMatch } from '../../domain/values/preconditions.ts'

/** What a store remembers of a missed search that somebody has decided about. */
export interface MissedDecision {
  readonly query: string
  readonly state: Exclude<MissedState, 'open'>
  readonly decidedAt: string
  /** Login of the person. */
  readonly decidedBy?: string
  readonly mend?: Mend
  readonly place?: MendPlace
  /** As it was then; undefined if it was not missed. */
  readonly row?: MissedSearchRow
}

export interface DecidedSearch {
  readonly query: string
  readonly state: MissedState
  readonly etag: string
  readonly changed?: NonNullable<MissedSearch['changed']>
  readonly kept_rule?: string
}

/** If others write at the same time, the decision is repeated on top of theirs. */
const ATTEMPTS_MAX = 10

type DecisionPorts = Pick<ServicePorts, 'resources' | 'writer' | 'backend' | 'clock'>

export interface Decision {
  /** As reports show it. */
  readonly query: string
  readonly ifMatch?: string | undefined
  readonly by?: string | undefined
  readonly row?: MissedSearchRow | undefined
}

/**
 * Marks a missed search as fixed, and makes the change of its mend with it.
 *
 * @throws ApiError precondition_failed if it is decided already
 */
export function fixMissedSearch(
  ports: DecisionPorts,
  storeId: string,
  decision: Decision & { readonly mend?: Mend | undefined },
): Promise<DecidedSearch> {
  const { query, mend } = decision
  const wanted = mend === undefined ? undefined : mendChange(ports, storeId, query, mend)
  return decide(ports, storeId, decision, (resources) => {
    const { change, placed } =
      wanted === undefined
        ? { change: { puts: [], removes: [] }, placed: undefined }
        : placeMend(resources, keyOf(query).slice(0, RULE_KEY_CHARS), wanted)
    return {
      change,
      record: {
        state: 'fixed',
        ...(mend === undefined ? {} : { mend }),
        ...(placed === undefined ? {} : { place: placed }),
      },
    }
  })
}

const RULE_KEY_CHARS = 8

/** Removes a missed search from the list. @throws ApiError precondition_failed */
export function dismissMissedSearch(
  ports: DecisionPorts,
  storeId: string,
  decision: Decision,
): Promise<DecidedSearch> {
  return decide(ports, storeId, decision, () => ({
    change: { puts: [], removes: [] },
    record: { state: 'dismissed' },
  }))
}

async function decide(
  { resources, writer, clock }: DecisionPorts,
  storeId: string,
  { query, ifMatch, by, row }: Decision,
  make: (resources: StoreResources) => {
    readonly change: ReturnType<typeof placeMend>['change']
    readonly record: Pick<MissedDecision, 'state' | 'mend' | 'place'>
  },
): Promise<DecidedSearch> {
  const name = keyOf(query)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const all = resources.of(storeId)
    const before = decisionOf(all, query)
    requireMatch(ifMatch, stateJson(query, before))
    if (before !== undefined) {
      throw new ApiError(
        'precondition_failed',
        `Nothing was changed: this search is already ${before.state}; reopen it first`,
        { current: stateJson(query, before) },
      )
    }
    const { change, record } = make(all)
    const decision: MissedDecision = {
      query,
      ...record,
      decidedAt: new Date(clock.now()).toISOString(),
      ...(by === undefined ? {} : { decidedBy: by }),
      ...(row === undefined ? {} : { row }),
    }
    const put = {
      kind: 'missedSearch',
      name,
      json: JSON.stringify(decision),
      insert: true,
    } as const
    const puts = [...change.puts, put]
    const removes = [...change.removes, ...forgotten(all)]
    if (await writer.changeResources(storeId, { puts, removes })) return decided(query, decision)
  }
  throw busy()
}

/**
 * Puts a missed search back on the list, and reverts what its mend changed, unless somebody has
 * edited that since.
 *
 * @throws ApiError precondition_failed
 */
export async function reopenMissedSearch(
  { resources, writer }: Pick<ServicePorts, 'resources' | 'writer'>,
  storeId: string,
  { query, ifMatch }: Decision,
): Promise<DecidedSearch> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const all = resources.of(storeId)
    const before = decisionOf(all, query)
    requireMatch(ifMatch, stateJson(query, before))
    if (before === undefined) return decided(query, undefined)
    const { change, keptRule } = takeMendBack(all, before.place)
    const own = all.get('missedSearch', keyOf(query))!
    const removes = [...change.removes, { kind: own.kind, name: own.name, replaces: own.json }]
    if (await writer.changeResources(storeId, { puts: change.puts, removes })) {
      return {
        ...decided(query, undefined),
        ...(keptRule === undefined ? {} : { kept_rule: keptRule }),
      }
    }
  }
  throw busy()
}

/** Newest first. */
export function missedDecisions(resources: StoreResources): readonly MissedDecision[] {
  const list = resources.list('missedSearch')
  return list.map(parsed).toSorted((a, b) => (a.decidedAt < b.decidedAt ? 1 : -1))
}

export function decisionOf(resources: StoreResources, query: string): MissedDecision | undefined {
  const resource = resources.get('missedSearch', keyOf(query))
  return resource === undefined ? undefined : parsed(resource)
}

/** The ETag of the state of a missed search. */
export function stateTag(query: string, decision: MissedDecision | undefined): string {
  return etagOf(stateJson(query, decision))
}

/** What a mend created or added to, as responses name it. */
export function changedBy(place: MendPlace | undefined): MissedSearch['changed'] {
  return place === undefined ? undefined : { kind: place.kind, name: place.name }
}

const parsed = resourceMemo(({ json }) => JSON.parse(json) as MissedDecision)

function stateJson(query: string, decision: MissedDecision | undefined): string {
  const { state = 'open', decidedAt, decidedBy } = decision ?? {}
  return JSON.stringify({ query, state, decided_at: decidedAt, decided_by: decidedBy })
}

function decided(query: string, decision: MissedDecision | undefined): DecidedSearch {
  const changed = changedBy(decision?.place)
  return {
    query,
    state: decision?.state ?? 'open',
    etag: stateTag(query, decision),
    ...(changed === undefined ? {} : { changed }),
  }
}

/** The oldest decisions beyond the limit, once one more is stored. */
function forgotten(resources: StoreResources): ResourceName[] {
  const all = missedDecisions(resources)
  return all
    .slice(MISSED_DECISIONS_MAX - 1)
    .map(({ query }) => ({ kind: 'missedSearch', name: keyOf(query) }))
}

/** Name of the resource of a query, which may have any characters. */
function keyOf(query: string): string {
  return createHash('sha256').update(query).digest('hex').slice(0, 32)
}

function busy(): ApiError {
  return new ApiError('unavailable', 'Other requests are changing this search: try again', {
    retryAfterSeconds: 1,
  })
}
