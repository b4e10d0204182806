import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { createProductIndex, ownIndexName } from '../opensearch/product-index.ts'
import { productBody } from '../opensearch/product-body.ts'
import { tombstonesOf } from '../opensearch/product-requests.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ProductRequests, StoredProduct } from '../opensearch/product-requests.ts'
import { redefinedSchema, redefineFields, toIndexDocument } from '@aisle/server/domain'
import type { Schema } from '@aisle/engine'
import type { Clock } from '@aisle/server/ports'
import { keptVectors } from './kept-vectors.ts'
import { placesOf, slotsOf, type KnownPlaces } from './known-places.ts'
import {
  movedSchema,
  shapeOf,
  type StoreDocuments,
  type StorePlace,
} from '../stores/store-places.ts'

export interface MoveTools {
  readonly cluster: ClusterConnection
  readonly requests: ProductRequests
  readonly places: KnownPlaces
  readonly clock: Clock
}

export interface MoveRequest {
  readonly storeId: string
  /** Shards of a separate index; undefined: it stays in its current index. */
  readonly shards?: number | undefined
  /** Called after each page. @returns false when this node must stop */
  readonly goesOn: () => Promise<boolean>
}

/** Documents that are read and written at once. */
const PAGE = 200
/** Number of documents after which the progress is saved, besides that of the first page. */
const NOTED_EACH = 5_000
/** Maximum of attempts to write a page while the cluster is busy. */
const SENDS_MAX = 10
const BUSY_PAUSE_MS = 500
const ANALYSED_AT_ONCE = 16

/**
 * Rewrites all documents of a store in another place (a separate index, or for another language or
 * other fields), and then switches to it. Searches read the old place until then. Writes go to both
 * places from the moment that the move is in the control document, and anything written before is
 * in the old place when it is read here; so the new place is complete when the walk ends. A
 * document that the new place already has is as new or newer, and stays.
 *
 * @returns false if another node has changed the store's place, or this node must stop: then
 * nothing has changed, and the written documents are left over
 */
export async function moveStore(tools: MoveTools, request: MoveRequest): Promise<boolean> {
  const { requests, places } = tools
  const { storeId } = request
  const to = await beginMove(tools, request)
  if (to === undefined) return false
  const from = places.known(storeId)!.place!
  const isOurs = (documents: StoreDocuments | undefined): documents is StoreDocuments =>
    documents?.move?.to.scope === to.scope
  const moment = await requests.openMoment(from)
  try {
    let after = -1
    let done = 0
    let noted = -Infinity
    for (;;) {
      const { documents, left } = await requests.page(moment, from.scope, { after, size: PAGE })
      if (documents.length === 0) break
      const state = (await places.read([storeId])).get(storeId)?.documents
      if (!isOurs(state) || !(await request.goesOn())) return false
      await copyPage(tools, state.move!.to, movedSchema(state)!, documents)
      after = documents.at(-1)!.docKey
      done += documents.length
      if (done - noted < NOTED_EACH) continue
      noted = done
      const total = done + left - documents.length
      await places.change(storeId, (before) =>
        isOurs(before)
          ? { ...before, move: { ...before.move!, documentsDone: done, documentsTotal: total } }
          : before,
      )
    }
  } finally {
    // An unclosed moment expires.
    await requests.closeMoment(moment).catch(() => undefined)
  }
  return endMove(tools, storeId, to)
}

async function beginMove(
  { cluster, places, clock }: MoveTools,
  { storeId, shards }: MoveRequest,
): Promise<StorePlace | undefined> {
  const scope = await places.newScope()
  const before = places.known(storeId)
  if (before?.place === undefined || before.schema === undefined) return undefined
  const { place } = before
  let where: Pick<StorePlace, 'index' | 'routing'> = place
  if (shards !== undefined) {
    where = { index: ownIndexName(places.prefix, storeId, scope), routing: undefined }
    await createProductIndex(cluster, where.index, { shards, isPool: false })
  }
  const after = await places.change(storeId, (known) => {
    if (known.place?.scope !== place.scope || known.schema === undefined) return known
    const { language, move, left, redefinition } = known
    const fields = redefinition?.isChecked === true ? redefinition.fields : undefined
    const schema = redefinedSchema(known.schema, fields)
    const to: StorePlace = {
      index: where.index,
      routing: where.routing,
      scope,
      slots: slotsOf(schema, []),
      language,
      rules: places.rulesInForce(language, schema),
    }
    return {
      ...known,
      move: { to, documentsDone: 0, documentsTotal: 0, fields },
      // Includes an attempt that made no progress.
      left: [...left, ...placesOf({ place: undefined, move }, clock.now())],
    }
  })
  return after.move?.to.scope === scope ? after.move.to : undefined
}

async function endMove(
  { places, clock }: MoveTools,
  storeId: string,
  to: StorePlace,
): Promise<boolean> {
  const after = await places.change(storeId, (before) => {
    const { move, place, left } = before
    if (move?.to.scope !== to.scope) return before
    const nowMs = clock.now()
    const { schema, redefinition } = before
    const redefined =
      schema === undefined || move.fields === undefined
        ? undefined
        : redefineFields(schema, move.fields)
    const tombstones = { ...move.to, scope: tombstonesOf(to.scope) }
    return {
      ...before,
      place: move.to,
      move: undefined,
      ...(redefined && {
        schema: redefined.schema,
        previousFields: redefined.previous,
        redefinition: isDeepStrictEqual(redefinition?.fields, move.fields)
          ? undefined
          : redefinition,
        changedMs: nowMs,
      }),
      left: [
        ...left,
        ...placesOf({ place, move: undefined }, nowMs),
        ...placesOf({ place: tombstones, move: undefined }, nowMs),
      ],
    }
  })
  return after.place?.scope === to.scope
}

/** A document as written to another place. */
export type CopiedProduct = Pick<
  StoredProduct,
  'id' | 'docKey' | 'inserted' | 'operation' | 'own' | 'json' | 'writtenMs'
>

/**
 * Writes documents that do not exist yet.
 * @throws ClusterError
 */
export async function copyPage(
  { requests }: Pick<MoveTools, 'requests'>,
  to: StorePlace,
  schema: Schema,
  documents: readonly CopiedProduct[],
): Promise<void> {
  const shape = shapeOf(to, schema)
  const writes = []
  for (const [at, document] of documents.entries()) {
    if (at % ANALYSED_AT_ONCE === ANALYSED_AT_ONCE - 1) await nextTurn()
    const { id, docKey, inserted, operation, json = '', writtenMs = 0 } = document
    const { values } = toIndexDocument({ docKey, id, json: Buffer.from(json) }, schema)
    const own = keptVectors(schema, values, document.own)
    const product = { id, docKey, inserted, json, writtenMs, values, own }
    const body = productBody(shape, product, operation)
    writes.push({ place: to, id, expected: 'absent' as const, body })
  }
  let left = writes
  for (let sends = 1; left.length > 0; sends++) {
    try {
      const outcomes = await requests.write(left)
      for (const outcome of outcomes) {
        if (outcome instanceof ClusterError && outcome.kind === 'refused') throw outcome
      }
      left = left.filter((_, at) => outcomes[at] instanceof ClusterError)
    } catch (error) {
      const isPassing = error instanceof ClusterError && error.kind === 'busy'
      // A request without an answer may be performed much later, so this attempt ends.
      if (!isPassing) throw error
    }
    if (left.length > 0 && sends === SENDS_MAX) {
      throw new ClusterError('busy', 'The cluster is too busy for a move')
    }
    if (left.length > 0) await wait(BUSY_PAUSE_MS)
  }
}
