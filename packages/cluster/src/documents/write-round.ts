import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import { ClusterError, isDiskFull } from '../opensearch/cluster-error.ts'
import { productBody } from '../opensearch/product-body.ts'
import { tombstoneBody } from '../opensearch/product-requests.ts'
import type {
  ProductRequests,
  ProductWrite,
  StoredProduct,
} from '../opensearch/product-requests.ts'
import type { Schema } from '@aisle/engine'
import { grownSchema, requireFit, toIndexDocument, type DecidedWrite } from '@aisle/server/domain'
import type { Clock } from '@aisle/server/ports'
import type { DocKeys } from './doc-keys.ts'
import type { Fillings } from './fillings.ts'
import { giveKeys } from './given-keys.ts'
import { learnGuesses, placeOf, readPending, type Read } from './pending-documents.ts'
import { keptVectors } from './kept-vectors.ts'
import type { DocumentChain, StepOutcome } from './document-chain.ts'
import { requireSlots, type KnownPlaces, type StoreState } from './known-places.ts'
import { movedSchema, shapeOf, type StorePlace } from '../stores/store-places.ts'
import { StoreWork, writeFailure, type WriteJob } from './store-work.ts'

/** What a round needs from its node. */
export interface WriteTools {
  readonly requests: ProductRequests
  readonly places: KnownPlaces
  readonly docKeys: DocKeys
  readonly clock: Clock
  readonly fillings: Fillings
}

/** Maximum of attempts while the cluster is busy or does not respond. */
const ATTEMPTS_MAX = 10
/** No attempt begins after this time, so that callers get an answer. */
const ROUND_LIMIT_MS = 20_000
/** Delay before the second attempt; it doubles before each further one. */
const BACK_OFF_MS = 20
const BACK_OFF_MAX_MS = 3_000
/**
 * Maximum delay before a conflicting document is decided again. It does not grow with the
 * conflicts, so each of N nodes that write one document soon gets its turn.
 */
const CONTEST_PAUSE_MAX_MS = 20
/** Interval at which a round with conflicts checks where the store is. */
const LOOK_MS = 1_000
/** Documents that are analysed before other work on this thread gets its turn. */
const ANALYSED_AT_ONCE = 16

/**
 * Executes a group of writes: reads the current documents, decides, writes by compare-and-set, and
 * checks that the place is still the same. Documents written to a place that the store has left
 * meanwhile are written again to its new place. Writes are acknowledged only then, so no
 * acknowledged write is ever left in a vacated place.
 *
 * A round keeps the content that the store had at its start. If stores are swapped meanwhile,
 * documents that it has written move along, as if they had come before the swap; writes that it
 * would have to retry are refused.
 *
 * While a store moves, each write goes to both places before it is acknowledged.
 */
export async function writeRound(
  tools: WriteTools,
  works: readonly StoreWork[],
  onRetry: () => void = () => undefined,
): Promise<void> {
  let left = works.filter((work) => work.pending.length > 0)
  let kept = works
  let lookedMs = performance.now()
  let isDoubtful = false
  let isFirst = true
  try {
    await persist(
      async () => {
        if (isDoubtful || performance.now() - lookedMs > LOOK_MS) {
          lookedMs = performance.now()
          const refused = new Set(await refuseSwapped(tools, left))
          kept = kept.filter((work) => !refused.has(work))
          left = left.filter((work) => !refused.has(work))
        }
        isDoubtful = true
        const mayGuess = isFirst
        isFirst = false
        await attemptAll(tools, left, mayGuess)
        isDoubtful = false
        left = left.filter((work) => work.pending.length > 0)
        if (left.length === 0) left = await movedSince(tools, kept)
        return left.length === 0
      },
      left.length === 0,
      onRetry,
    )
    for (const work of kept) work.settle()
  } catch (error) {
    // Finished writes count, unless the place has changed or cannot be read.
    const isKnown = await movedSince(tools, kept).then(
      () => true,
      () => false,
    )
    const reason = writeFailure(error)
    for (const work of kept) {
      if (!isKnown) work.doubtAll()
      work.fail(reason)
    }
  }
}

/**
 * Repeats attempts until one says that all is done, also after temporary failures: the next attempt
 * reads what the failed one has done.
 */
async function persist(
  attempt: () => Promise<boolean>,
  isDone = false,
  onRetry: () => void = () => undefined,
): Promise<void> {
  const endMs = performance.now() + ROUND_LIMIT_MS
  let failures = 0
  while (!isDone) {
    try {
      isDone = await attempt()
    } catch (error) {
      failures++
      const isOver = failures === ATTEMPTS_MAX || performance.now() > endMs
      if (isOver || !isPassing(error)) throw error
      onRetry()
      await pause(failures)
      continue
    }
    if (!isDone) await letOthers(endMs)
  }
}

/** @param mayGuess whether documents that are probably new need not be read */
async function attemptAll(
  tools: WriteTools,
  works: readonly StoreWork[],
  mayGuess: boolean,
): Promise<void> {
  const { read, guessed } = await readPending(tools, works, mayGuess)
  // A chain that seems done may be so on this copy alone, which may be a primary that has lost the
  // others without knowing. So it is written again, and counts once the cluster has accepted that.
  const undecided = read.filter(({ chain, live }) => !chain.isDone(live))
  const grown = new Map<StoreWork, Schema>()
  for (const [work, ofStore] of Map.groupBy(undecided, (one) => one.work)) {
    const schema = decideInOrder(work, ofStore)
    if (schema !== undefined && schema !== work.state.documents.schema) grown.set(work, schema)
  }
  const changes: Change[] = []
  const isFinished = new Set<DocumentChain>()
  for (const { work, chain, base } of read) {
    if (chain.change === undefined) {
      // Only a document that was read can prove that nothing is to be written.
      if (!guessed.has(chain)) isFinished.add(chain)
    } else changes.push({ work, chain, base })
  }
  if (grown.size > 0) {
    // Decides again with the current fields, because others may have added them differently.
    await addFields(tools, grown)
    return
  }
  await giveKeys(tools.docKeys, changes)
  const writes = await writesOf(tools, changes)
  const outcomes = await tools.requests.write(writes)
  learnGuesses(tools.fillings, changes, guessed, outcomes)
  const failures: ClusterError[] = []
  for (const [at, outcome] of outcomes.entries()) {
    const change = changes[at]!
    const { chain } = change
    if (outcome === 'done') {
      // A removal that seems done writes a tombstone, and then removes it.
      if (!leavesTombstone(change)) isFinished.add(chain)
    } else if (outcome !== 'conflict' && outcome.kind === 'refused') {
      chain.refuse(outcome)
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

/**
 * Decides the steps of a store in order of arrival: each sees the fields that earlier ones added.
 * @returns the schema with these fields
 */
function decideInOrder(
  { state }: StoreWork,
  documents: readonly Pick<Read, 'chain' | 'live'>[],
): Schema | undefined {
  const { schema: inForce, place, redefinition } = state.documents
  const admit = (decided: DecidedWrite): void => {
    if (decided.schema !== inForce) requireSlots(decided.schema, place!.slots)
    requireFit(decided, redefinition?.fields)
  }
  const decisions = documents.flatMap(({ chain, live }) => chain.begin(live))
  let schema = inForce
  for (const decision of decisions.toSorted((a, b) => a.order - b.order)) {
    schema = decision.decide(schema, admit)
  }
  return schema
}

/** Adds the fields that documents bring. Fails the work of a store that was deleted or replaced. */
async function addFields(
  { places, clock }: WriteTools,
  grown: ReadonlyMap<StoreWork, Schema>,
): Promise<void> {
  for (const [work, wanted] of grown) {
    try {
      const { schema } = await places.changeContent(work.state.content, (before) => {
        if (before.schema === undefined) return before
        const schema = grownSchema(before.schema, wanted)
        return schema === before.schema ? before : places.withFields(before, schema, clock.now())
      })
      if (schema === undefined) throw new ApiError('store_not_found', 'The store was replaced')
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'unavailable') throw error
      work.fail(error)
      work.pending = []
    }
  }
  await movedSince({ places }, [...grown.keys()])
}

interface Change {
  readonly work: StoreWork
  readonly chain: DocumentChain
  readonly base: StoredProduct | undefined
}

/** Whether it removes a document that seems missing: only a write proves that it is. */
function leavesTombstone({ chain, base }: Change): boolean {
  return chain.change === 'remove' && base === undefined
}

async function writesOf(tools: WriteTools, changes: readonly Change[]): Promise<ProductWrite[]> {
  const operation = randomUUID()
  const writes: ProductWrite[] = []
  for (const [at, { work, chain, base }] of changes.entries()) {
    if (at % ANALYSED_AT_ONCE === ANALYSED_AT_ONCE - 1) await nextTurn()
    chain.sent(operation)
    const place = placeOf(work)
    const body = leavesTombstone(changes[at]!)
      ? tombstoneBody(place.scope, chain, operation)
      : bodyOf(tools, work, chain, place, operation)
    writes.push({ place, id: chain.id, expected: base?.version ?? 'absent', body })
  }
  return writes
}

function bodyOf(
  { clock }: WriteTools,
  { state: { documents } }: StoreWork,
  { id, docKey, inserted, change, vectors, writtenMs }: DocumentChain,
  place: StorePlace,
  operation: string,
): string | undefined {
  if (change === undefined || change === 'remove') return undefined
  const { json } = change
  const { move } = documents
  const isRedefined = move?.to === place && move.fields !== undefined
  const schema = isRedefined ? movedSchema(documents)! : documents.schema!
  const { values } = isRedefined ? toIndexDocument({ docKey, id, json }, schema) : change
  const product = {
    id,
    docKey,
    inserted,
    json: Buffer.from(json.buffer, json.byteOffset, json.length).toString(),
    writtenMs: writtenMs ?? clock.now(),
    values,
    own: keptVectors(schema, values, vectors),
  }
  return productBody(shapeOf(place, schema), product, operation)
}

/**
 * Applies the same changes to the place that the store is moving to, unless it has something newer.
 */
async function mirror(
  tools: WriteTools,
  work: StoreWork,
  chains: readonly DocumentChain[],
): Promise<void> {
  const place = work.state.documents.move?.to
  if (place === undefined) return
  let left = chains.filter(({ change }) => change !== undefined)
  const endMs = performance.now() + ROUND_LIMIT_MS
  while (left.length > 0) {
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
    if (left.length > 0) await letOthers(endMs)
  }
}

/**
 * Refuses further writes to stores whose content was swapped: they would be found in another store,
 * and nobody could tell whether they came before the swap.
 *
 * @returns the works of such stores
 */
async function refuseSwapped(
  { places }: WriteTools,
  works: readonly StoreWork[],
): Promise<StoreWork[]> {
  const states = await places.read(works.map(({ storeId }) => storeId))
  return works.filter((work) => {
    const after = states.get(work.storeId)
    if (after === undefined || after.content.life === work.state.content.life) return false
    work.fail(
      new ApiError('unavailable', 'Cannot write: the store was swapped in the meantime', {
        retryAfterSeconds: 1,
      }),
    )
    return true
  })
}

/** Finds works whose content has moved: everything written there is pending again. */
async function movedSince(
  { places }: Pick<WriteTools, 'places'>,
  works: readonly StoreWork[],
): Promise<StoreWork[]> {
  const states = await places.readContents(works.map(({ state }) => state.content))
  return works.filter((work) => {
    const before = work.state
    const after = states.get(before.content.life)
    // If the content was removed meanwhile, there is nowhere to write to: the documents existed and
    // were removed.
    if (after?.documents.place === undefined) return false
    work.state = after
    if (isSamePlace(before, after)) return false
    work.pending = [...new Set([...work.pending, ...work.changed])]
    return work.pending.length > 0
  })
}

function isSamePlace(a: StoreState, b: StoreState): boolean {
  return (
    a.documents.place?.scope === b.documents.place?.scope &&
    a.documents.place?.isLoading === b.documents.place?.isLoading &&
    a.documents.move?.to.scope === b.documents.move?.to.scope
  )
}

function isPassing(error: unknown): boolean {
  const failure = error instanceof ApiError ? error.cause : error
  if (!(failure instanceof ClusterError) || failure instanceof ContestedError) return false
  return !isDiskFull(failure) && (failure.kind === 'busy' || failure.kind === 'unreachable')
}

/** Other nodes changed a document first for too long, so the write is not retried. */
class ContestedError extends ClusterError {}

/** Waits after a conflict with other writes. @throws ContestedError */
async function letOthers(endMs: number): Promise<void> {
  if (performance.now() > endMs) {
    throw new ContestedError('busy', 'Other requests are writing the same documents')
  }
  await wait(Math.random() * CONTEST_PAUSE_MAX_MS)
}

/** @param failures the number of failures so far */
async function pause(failures: number): Promise<void> {
  const longest = Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MAX_MS)
  await wait(longest * (0.5 + Math.random() / 2))
}

/** Groups jobs into works by store. Answers jobs of stores that cannot be written to. */
export async function worksOf(
  { places }: WriteTools,
  jobs: readonly WriteJob[],
): Promise<StoreWork[]> {
  const byStore = Map.groupBy(jobs, ({ storeId }) => storeId)
  let states = new Map<string, StoreState>()
  await persist(async () => {
    states = await places.read([...byStore.keys()])
    return true
  })
  return [...byStore].flatMap(([storeId, ofStore]) => {
    const state = states.get(storeId)
    if (state?.documents.place === undefined) {
      for (const job of ofStore) answerWithoutPlace(job, state !== undefined)
      return []
    }
    const { life } = state.content
    const isOfIt = ({ content = life }: WriteJob): boolean => content === life
    for (const job of ofStore) if (!isOfIt(job)) answerWithoutPlace(job, true)
    const jobs = ofStore.filter(isOfIt)
    return jobs.length === 0 ? [] : [new StoreWork(storeId, jobs, state)]
  })
}

function answerWithoutPlace(job: WriteJob, isThere: boolean): void {
  if (!isThere) {
    job.reject(new ApiError('store_not_found', 'There is no store with this id'))
  } else if (job.steps.some(({ kind }) => kind === 'write')) {
    const message = 'Cannot index documents: the store has no schema yet'
    job.reject(new ApiError('schema_not_defined', message))
  } else {
    job.resolve(
      job.steps.map((step): StepOutcome =>
        step.kind === 'version' || step.kind === 'vectors'
          ? { status: 'superseded', id: step.id }
          : 'absent',
      ),
    )
  }
}
