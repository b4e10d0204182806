import { ApiError } from '@aisle/contract'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { Clock } from '@aisle/server/ports'
import type { ClusterDocuments } from './cluster-documents.ts'
import { placesOf } from './known-places.ts'
import type { Lease, Leases } from '../control/leases.ts'
import { shardsFor } from './shard-count.ts'
import { moveStore } from './store-mover.ts'
import type { LeftPlace, StoreDocuments } from '../stores/store-places.ts'

export interface DocumentKeeperOptions {
  readonly documents: ClusterDocuments
  readonly cluster: ClusterConnection
  readonly leases: Leases
  readonly clock: Clock
  /** Called when the cluster did not respond, or a move failed; everything is retried. */
  readonly onFailure: (error: unknown) => void
  /**
   * A store with at least this many documents, or this many bytes of them, gets a separate index.
   */
  readonly promoteDocuments?: number
  readonly promoteBytes?: number
  /** A vacated place is not purged for this time, because a late write may still arrive. */
  readonly purgeAfterMs?: number
}

const JOB = 'documents'
const TICK_MS = 10_000
/** A node that has not renewed its lease for this time has lost it. */
const LEASE_MS = 60_000
const PROMOTE_DOCUMENTS = 500_000
const PROMOTE_BYTES = 5_000_000_000
const PURGE_AFTER_MS = 120_000
/** Number of the largest stores of a pool to check. */
const LARGEST_MAX = 100

/** Time that the check of all documents of a store may take. */
const CHECK_MAX_MS = 60 * 60_000

/**
 * Maintains documents in the background, on one node at a time: moves stores that have grown large
 * to a separate index, rewrites documents when the language has changed or a version derives other
 * terms from them, and purges vacated places.
 */
export class DocumentKeeper {
  readonly #options: DocumentKeeperOptions
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: DocumentKeeperOptions) {
    this.#options = options
  }

  /** Runs until it is closed. */
  start(): void {
    this.#timer = setTimeout(() => {
      void this.tick()
        .catch(this.#options.onFailure)
        .then(() => {
          if (!this.#isClosed) this.start()
        })
    }, TICK_MS).unref()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  /** Does the pending work, unless another node is doing it. */
  async tick(): Promise<void> {
    const lease = await this.#options.leases.take(JOB, LEASE_MS)
    if (lease === undefined) return
    try {
      await this.#purge(lease)
      await this.#move(lease)
    } finally {
      await lease.end()
    }
  }

  async #move(lease: Lease): Promise<void> {
    const { documents } = this.#options
    const large = await this.#largeStores()
    for (const { name, documents: stored } of documents.places.all()) {
      const storeId = documents.places.ownerOf({ name, life: stored.life })
      if (storeId === undefined) continue
      const known = documents.places.known(storeId)
      if (known?.place === undefined) continue
      await this.#dropForgotten(storeId, known)
      const shards = large.get(known.place.scope)
      const isForeign =
        known.place.language !== known.language || known.redefinition?.isChecked === true
      const isOld = documents.places.isOutdated(known)
      if (shards === undefined && !isForeign && !isOld && known.move === undefined) continue
      try {
        await moveStore(
          { ...this.#options, requests: documents.requests, places: documents.places },
          { storeId, shards, goesOn: () => this.#goesOn(lease) },
        )
      } catch (error) {
        // The store was deleted meanwhile; the other stores must still be moved.
        if (!(error instanceof ApiError && error.code === 'store_not_found')) throw error
      }
    }
  }

  /** Ends a redefinition whose node died while it checked the documents. */
  async #dropForgotten(storeId: string, { redefinition }: StoreDocuments): Promise<void> {
    const { clock, documents } = this.#options
    const isForgotten =
      redefinition?.isChecked === false && clock.now() - redefinition.atMs > CHECK_MAX_MS
    if (!isForgotten) return
    await documents.places.change(storeId, (before) =>
      before.redefinition?.id === redefinition.id ? { ...before, redefinition: undefined } : before,
    )
  }

  /** Returns scopes that are too large for their pool, with the number of shards to give them. */
  async #largeStores(): Promise<Map<string, number>> {
    const { documents, promoteDocuments, promoteBytes } = this.#options
    const pool = documents.places.poolOf('').index
    const largest = await documents.requests.largest(pool, LARGEST_MAX)
    return new Map(
      largest
        .filter((totals) => isLarge(totals, promoteDocuments, promoteBytes))
        .map(({ scope, documentBytes }) => [scope, shardsFor(documentBytes)]),
    )
  }

  async #purge(lease: Lease): Promise<void> {
    const { documents, clock, purgeAfterMs = PURGE_AFTER_MS } = this.#options
    const { places } = documents
    for (const { name, documents: known } of places.all()) {
      if (!(await this.#goesOn(lease))) return
      const content = { name, life: known.life }
      const mayBeLeft = known.place !== undefined && places.ownerOf(content) === undefined
      // A swap that this node has not heard of yet may have given it to another store.
      if (mayBeLeft && (await places.newestOwnerOf(content)) === undefined) {
        // Its store was deleted.
        await places.changeLeft(name, (before) =>
          before.life === known.life ? withoutPlace(before, clock.now()) : before,
        )
        continue
      }
      const due = known.left.filter(({ atMs }) => clock.now() - atMs >= purgeAfterMs)
      for (const place of due) await this.#purgePlace(known, place)
      if (due.length === 0) continue
      const isDue = new Set(due.map(({ scope }) => scope))
      await places.changeLeft(name, (before) => ({
        ...before,
        left: before.left.filter(({ scope }) => !isDue.has(scope)),
      }))
    }
  }

  async #purgePlace({ place, move }: StoreDocuments, left: LeftPlace): Promise<void> {
    const { requests } = this.#options.documents
    const isInUse = [place, move?.to].some((one) => one?.index === left.index)
    if (left.routing === undefined && !isInUse) await requests.removeIndex(left.index)
    else await requests.purge(left)
  }

  async #goesOn(lease: Lease): Promise<boolean> {
    return !this.#isClosed && (await lease.renew())
  }
}

interface Size {
  readonly docCount: number
  readonly documentBytes: number
}

function isLarge(
  { docCount, documentBytes }: Size,
  promoteDocuments = PROMOTE_DOCUMENTS,
  promoteBytes = PROMOTE_BYTES,
): boolean {
  return docCount >= promoteDocuments || documentBytes >= promoteBytes
}

/**
 * Returns the shards for the separate index of a store of this size; undefined if it belongs in a
 * pool.
 */
export function ownShards(size: Size): number | undefined {
  return isLarge(size) ? shardsFor(size.documentBytes) : undefined
}

function withoutPlace(before: StoreDocuments, nowMs: number): StoreDocuments {
  return {
    ...before,
    place: undefined,
    move: undefined,
    schema: undefined,
    left: [...before.left, ...placesOf(before, nowMs)],
  }
}
