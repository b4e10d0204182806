import { ApiError } from '@aisle/contract'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { Clock } from '@aisle/server/ports'
import type { ClusterDocuments } from './cluster-documents.ts'
import { placesOf } from './known-places.ts'
import type { Lease, Leases } from '../control/leases.ts'
import { moveStore } from './store-mover.ts'
import type { LeftPlace, StoreDocuments } from '../stores/store-places.ts'

export interface DocumentKeeperOptions {
  readonly documents: ClusterDocuments
  readonly cluster: ClusterConnection
  readonly leases: Leases
  readonly clock: Clock
  /** The cluster did not answer, or a move failed; all is tried again. */
  readonly onFailure: (error: unknown) => void
  /** From so many documents, or bytes of them, a store gets an index of its own. */
  readonly promoteDocuments?: number
  readonly promoteBytes?: number
  /** For so long a place that was left is not purged: a late write may still come. */
  readonly purgeAfterMs?: number
}

const JOB = 'documents'
const TICK_MS = 10_000
/** A node that has not renewed its lease for so long has lost it. */
const LEASE_MS = 60_000
const PROMOTE_DOCUMENTS = 500_000
const PROMOTE_BYTES = 5_000_000_000
const PURGE_AFTER_MS = 120_000
/** Stores of a pool that are looked at: the largest. */
const LARGEST_MAX = 100
/** JSON bytes of one shard, before the store grows. */
const SHARD_BYTES = 5_000_000_000
const SHARDS_MAX = 32

/**
 * What is done with documents in the background, by one node at a time: stores that have grown
 * large move to an index of their own, documents are written anew when the language has changed,
 * or a version makes other terms of them, and what was left is purged.
 */
export class DocumentKeeper {
  readonly #options: DocumentKeeperOptions
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: DocumentKeeperOptions) {
    this.#options = options
  }

  /** Begins, until it is closed. */
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

  /** Does what is to be done, unless another node is at it. */
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
      const shards = large.get(known.place.scope)
      const isForeign = known.place.language !== known.language
      const isOld = documents.places.isOutdated(known)
      if (shards === undefined && !isForeign && !isOld && known.move === undefined) continue
      try {
        await moveStore(
          { ...this.#options, requests: documents.requests, places: documents.places },
          { storeId, shards, goesOn: () => this.#goesOn(lease) },
        )
      } catch (error) {
        // It was deleted meanwhile; the other stores are still to be moved.
        if (!(error instanceof ApiError && error.code === 'store_not_found')) throw error
      }
    }
  }

  /** Scopes in a pool that are too large for it, with the shards that they shall have. */
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
      // A swap that this node was not told of yet may have given it to another store.
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

function shardsFor(documentBytes: number): number {
  return Math.min(SHARDS_MAX, 1 + Math.ceil(documentBytes / SHARD_BYTES))
}

/** Shards of the own index of a store of this size; undefined: it belongs into a pool. */
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
