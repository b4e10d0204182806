import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import { ClusterError, productBody, tombstoneBody } from '@aisle/opensearch'
import type { ProductRequests, ProductWrite, StoredProduct } from '@aisle/opensearch'
import type { Clock } from '../../ports/clock.ts'
import type { DocKeys } from './doc-keys.ts'
import type { DocumentChain, StepOutcome } from './document-chain.ts'
import type { KnownPlaces, StoreState } from './known-places.ts'
import { shapeOf } from './store-places.ts'
import type { StorePlace } from './store-places.ts'
import { StoreWork, writeFailure } from './store-work.ts'
import type { WriteJob } from './store-work.ts'

/** What a round needs of its node. */
export interface WriteTools {
  readonly requests: ProductRequests
  readonly places: KnownPlaces
  readonly docKeys: DocKeys
  readonly clock: Clock
}

/**
 * Times that a document is decided anew because another writer has changed it meanwhile, or because
 * the cluster was busy or did not answer.
 */
const ATTEMPTS_MAX = 10
/** Before the second attempt; twice as long before each further one. */
const BACK_OFF_MS = 20
const BACK_OFF_MAX_MS = 3_000
/** Documents that are analysed before other work of this thread has its turn. */
const ANALYSED_AT_ONCE = 16

/**
 * Does a group of writes: reads what is there, decides, writes by compare-and-set, and looks
 * whether the place is still the same. What was written into a place that the store has left
 * meanwhile is written again where it is now. Only then it is acknowledged, so no acknowledged
 * write is ever in a place that was left before.
 *
 * While a store moves, each write is made in both places before it is acknowledged.
 */
export async function writeRound(tools: WriteTools, works: readonly StoreWork[]): Promise<void> {
  let left = works.filter((work) => work.pending.length > 0)
  let attempt = 0
  try {
    for (; left.length > 0; attempt++) {
      if (attempt === ATTEMPTS_MAX)
        throw new ClusterError('busy', 'Others write the same documents')
      await pause(attempt)
      try {
        await attemptAll(tools, left)
      } catch (error) {
        // Whether it was done shows when it is read again.
        if (!isPassing(error) || attempt === ATTEMPTS_MAX - 1) throw error
        continue
      }
      left = left.filter((work) => work.pending.length > 0)
      if (left.length > 0) continue
      left = await movedSince(tools, works)
    }
    for (const work of works) work.settle()
  } catch (error) {
    // What was done counts, unless the place is another one, or nobody can say.
    const isKnown = await movedSince(tools, works).then(
      () => true,
      () => false,
    )
    const reason = writeFailure(error)
    for (const work of works) {
      if (!isKnown) work.doubtAll()
      work.fail(reason)
    }
  }
}

async function attemptAll(tools: WriteTools, works: readonly StoreWork[]): Promise<void> {
  const pending = works.flatMap((work) => work.pending.map((chain) => ({ work, chain })))
  const bases = await tools.requests.read(
    pending.map(({ work, chain }) => ({
      place: placeOf(work),
      id: chain.id,
      withJson: chain.needsJson,
    })),
  )
  const changes: Change[] = []
  const isFinished = new Set<DocumentChain>()
  for (const [at, { work, chain }] of pending.entries()) {
    const base = bases[at]
    const live = base?.isGone === true ? undefined : base
    if (!chain.isDone(live)) {
      const { change } = chain.decide(live, work.state.documents.schema)
      if (change !== undefined) {
        changes.push({ work, chain, base })
        continue
      }
    }
    isFinished.add(chain)
  }
  await giveKeys(tools, changes)
  const writes = await writesOf(tools, changes)
  const outcomes = await tools.requests.write(writes)
  const failures: ClusterError[] = []
  for (const [at, outcome] of outcomes.entries()) {
    const { chain } = changes[at]!
    if (outcome === 'done') isFinished.add(chain)
    else if (outcome !== 'conflict' && outcome.kind === 'refused') {
      chain.refuse()
      isFinished.add(chain)
    } else if (outcome !== 'conflict') failures.push(outcome)
  }
  for (const work of works) {
    await mirror(
      tools,
      work,
      work.pending.filter((chain) => isFinished.has(chain)),
    )
    work.pending = work.pending.filter((chain) => !isFinished.has(chain))
  }
  const [failure] = failures
  if (failure !== undefined) throw failure
}

interface Change {
  readonly work: StoreWork
  readonly chain: DocumentChain
  readonly base: StoredProduct | undefined
}

function placeOf({ state }: StoreWork): StorePlace {
  return state.documents.place!
}

/** Later writes have greater docKeys, in the order in which they were asked for. */
async function giveKeys({ docKeys }: WriteTools, changes: readonly Change[]): Promise<void> {
  for (const [work, ofStore] of Map.groupBy(changes, (change) => change.work)) {
    const first = await docKeys.take(work.storeId, ofStore.length, {
      above: Math.max(0, ...ofStore.map(({ base }) => base?.docKey ?? 0)),
      nextBlock: work.state.nextDocKey,
    })
    const inOrder = ofStore.toSorted((a, b) => a.chain.order - b.chain.order)
    for (const [at, { chain }] of inOrder.entries()) chain.docKey = first + at
  }
}

async function writesOf(tools: WriteTools, changes: readonly Change[]): Promise<ProductWrite[]> {
  const operation = randomUUID()
  const writes: ProductWrite[] = []
  for (const [at, { work, chain, base }] of changes.entries()) {
    if (at % ANALYSED_AT_ONCE === ANALYSED_AT_ONCE - 1) await nextTurn()
    chain.sent(operation)
    const place = placeOf(work)
    const body = bodyOf(tools, work, chain, place, operation)
    writes.push({ place, id: chain.id, expected: base?.version ?? 'absent', body })
  }
  return writes
}

function bodyOf(
  { clock }: WriteTools,
  work: StoreWork,
  { id, docKey, change }: DocumentChain,
  place: StorePlace,
  operation: string,
): string | undefined {
  if (change === undefined || change === 'remove') return undefined
  const { json, values } = change
  const product = {
    id,
    docKey,
    json: Buffer.from(json.buffer, json.byteOffset, json.length).toString(),
    writtenMs: clock.now(),
    values,
  }
  return productBody(shapeOf(place, work.state.documents.schema!), product, operation)
}

/** Makes the same changes where the store is moving to, unless something newer is there. */
async function mirror(
  tools: WriteTools,
  work: StoreWork,
  chains: readonly DocumentChain[],
): Promise<void> {
  const place = work.state.documents.move?.to
  if (place === undefined) return
  let left = chains.filter(({ change }) => change !== undefined)
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === ATTEMPTS_MAX) throw new ClusterError('busy', 'Others write the same documents')
    await pause(attempt)
    const bases = await tools.requests.read(left.map(({ id }) => ({ place, id, withJson: false })))
    const older = left.flatMap((chain, at) => {
      const base = bases[at]
      return base !== undefined && base.docKey >= chain.docKey ? [] : [{ chain, base }]
    })
    const operation = randomUUID()
    const outcomes = await tools.requests.write(
      older.map(({ chain, base }) => {
        chain.sent(operation)
        const body =
          bodyOf(tools, work, chain, place, operation) ??
          tombstoneBody(place.scope, chain, operation)
        return { place, id: chain.id, expected: base?.version ?? 'absent', body }
      }),
    )
    const failure = outcomes.find((outcome) => outcome instanceof ClusterError)
    if (failure !== undefined) throw failure
    left = older.flatMap(({ chain }, at) => (outcomes[at] === 'conflict' ? [chain] : []))
  }
}

/** Stores that are elsewhere now: what they have written is pending again. */
async function movedSince(
  { places }: WriteTools,
  works: readonly StoreWork[],
): Promise<StoreWork[]> {
  const states = await places.read(works.map(({ storeId }) => storeId))
  return works.filter((work) => {
    const before = work.state
    const after = states.get(work.storeId)
    // A store that was deleted has nothing to be written into: it was there, and then it was not.
    if (after === undefined || after.life !== before.life) return false
    work.state = after
    if (isSamePlace(before, after)) return false
    work.pending = [...new Set([...work.pending, ...work.changed])]
    return work.pending.length > 0
  })
}

function isSamePlace(a: StoreState, b: StoreState): boolean {
  return (
    a.documents.place?.scope === b.documents.place?.scope &&
    a.documents.move?.to.scope === b.documents.move?.to.scope
  )
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof ClusterError) || error.type === 'cluster_block_exception') return false
  return error.kind === 'busy' || error.kind === 'unreachable'
}

async function pause(attempt: number): Promise<void> {
  if (attempt === 0) return
  const longest = Math.min(BACK_OFF_MS * 2 ** (attempt - 1), BACK_OFF_MAX_MS)
  await wait(longest * (0.5 + Math.random() / 2))
}

/** The works of a group, by store. Jobs that nothing can be done for are answered. */
export async function worksOf(
  { places }: WriteTools,
  jobs: readonly WriteJob[],
): Promise<StoreWork[]> {
  const byStore = Map.groupBy(jobs, ({ storeId }) => storeId)
  const states = await places.read([...byStore.keys()])
  return [...byStore].flatMap(([storeId, ofStore]) => {
    const state = states.get(storeId)
    if (state?.documents.place === undefined) {
      for (const job of ofStore) answerWithoutPlace(job, state !== undefined)
      return []
    }
    return [new StoreWork(storeId, ofStore, state)]
  })
}

function answerWithoutPlace(job: WriteJob, isThere: boolean): void {
  if (!isThere) {
    job.reject(new ApiError('store_not_found', 'There is no store of that id'))
  } else if (job.steps.some(({ kind }) => kind === 'write')) {
    const message = 'Cannot index documents: the store has no schema yet'
    job.reject(new ApiError('schema_not_defined', message))
  } else {
    job.resolve(
      job.steps.map((step): StepOutcome =>
        step.kind === 'version' ? { status: 'superseded', id: step.id } : 'absent',
      ),
    )
  }
}
