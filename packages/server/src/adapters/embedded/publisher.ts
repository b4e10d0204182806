import type { MessagePort } from 'node:worker_threads'
import { AccessTable } from '../../domain/access/access-table.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import type { StoreRecord } from '../../ports/catalog/store-registry.ts'
import { nextGeneration, raiseGeneration, type Generation } from './generation.ts'
import type { Publication } from './publication.ts'
import { createSearchCounter, lastUseMs, type SearchCounter } from './search-counter.ts'

/**
 * The writer's side of the stream of publications: holds the complete current state, for threads
 * that start later, and sends changes to all. Main thread only.
 */
export class Publisher {
  readonly generation: Generation
  readonly #ports = new Set<MessagePort>()
  /** Newest parts of each store, merged; a new thread receives them first. */
  readonly #stores = new Map<string, Publication & { kind: 'store' }>()
  readonly #resources = new Map<string, ResourceTable>()
  readonly #access = new AccessTable()
  readonly #counterOf: (store: StoreRecord) => SearchCounter
  /** Versions of the newest change of each store, and of any store. */
  readonly #versions = new Map<string, number>()
  #version = 0
  #announced = false
  #round: Publication[] = []

  /** @param counterOf returns the counter of earlier searches for a store that is new here */
  constructor(
    generation: Generation,
    counterOf: (store: StoreRecord) => SearchCounter = () => createSearchCounter(),
  ) {
    this.generation = generation
    this.#counterOf = counterOf
  }

  /** Time of the last use of a store's index, on any thread; 0: none since the start. */
  lastUseMs(storeId: string): number {
    const counter = this.#stores.get(storeId)?.counter
    return counter === undefined ? 0 : lastUseMs(counter)
  }

  /** Adds to the round that the next `advance` sends. */
  add(added: Exclude<Publication, { kind: 'generation' }>): void {
    const publication = this.#completed(added)
    this.#round.push(publication)
    if (publication.kind === 'store') {
      const before = this.#stores.get(publication.storeId)
      this.#stores.set(publication.storeId, { ...before, ...publication })
    } else if (publication.kind === 'removed') {
      this.#stores.delete(publication.storeId)
      this.#resources.delete(publication.storeId)
      this.#versions.delete(publication.storeId)
    } else if (publication.kind === 'swapped') {
      this.#swap(publication.storeIds)
    } else if (publication.kind === 'resources') {
      const table = this.#resources.get(publication.storeId) ?? ResourceTable.empty
      this.#resources.set(publication.storeId, table.after(publication.change))
    } else if (publication.kind === 'access') {
      this.#access.apply(publication.change)
    } else {
      this.#announced = true
    }
  }

  /**
   * Sends the round to every thread and makes it the current state. Afterwards writes may be
   * answered.
   */
  advance(): void {
    if (this.#round.length === 0) return
    const generation = nextGeneration(this.generation)
    for (const port of this.#ports) {
      for (const publication of this.#round) port.postMessage(publication)
      port.postMessage({ kind: 'generation', generation } satisfies Publication)
    }
    this.#round = []
    raiseGeneration(this.generation, generation)
  }

  /** Sends the complete state to a new thread, then all changes. */
  connect(port: MessagePort): void {
    // Changes that wait in the round are in #stores too; the thread sees them early, which does no
    // harm.
    for (const publication of this.#stores.values()) port.postMessage(publication)
    for (const [storeId, table] of this.#resources) {
      const change = { puts: table.all(), removes: [] }
      const version = this.#versions.get(storeId) ?? 0
      port.postMessage({ kind: 'resources', storeId, change, version } satisfies Publication)
    }
    const access = {
      users: this.#access.users(),
      sessions: this.#access.sessions(),
      adminTokenDigest: this.#access.adminTokenDigest(),
    }
    port.postMessage({ kind: 'access', change: access } satisfies Publication)
    if (this.#announced) port.postMessage({ kind: 'announced' } satisfies Publication)
    const generation = Atomics.load(this.generation, 0)
    port.postMessage({ kind: 'generation', generation } satisfies Publication)
    this.#ports.add(port)
  }

  /**
   * A thread must not receive the swap twice, first in the state held here and then in the round,
   * so the round must be sent within this turn.
   */
  #swap([a, b]: readonly [string, string]): void {
    const [storeA, storeB] = [this.#stores.get(a)!, this.#stores.get(b)!]
    for (const [own, other] of [
      [storeA, storeB],
      [storeB, storeA],
    ] as const) {
      const { storeId, record, counter } = own
      this.#stores.set(storeId, {
        ...other,
        storeId,
        version: this.#versions.get(storeId)!,
        ...(record === undefined ? {} : { record }),
        ...(counter === undefined ? {} : { counter }),
      })
    }
    const [ofA, ofB] = [this.#resources.get(a), this.#resources.get(b)]
    this.#resources.set(a, ofB ?? ResourceTable.empty)
    this.#resources.set(b, ofA ?? ResourceTable.empty)
  }

  /** Adds the publisher's own data about the store to a publication. */
  #completed<T extends Publication>(publication: T): T {
    if (publication.kind === 'swapped') {
      const versions = publication.storeIds.map((storeId) => {
        this.#versions.set(storeId, ++this.#version)
        return this.#version
      })
      return { ...publication, versions }
    }
    if (publication.kind !== 'store' && publication.kind !== 'resources') return publication
    const { storeId } = publication
    const isStore = publication.kind === 'store'
    const isNew = isStore && !this.#stores.has(storeId) && publication.record !== undefined
    const decides = !isStore || (publication.index !== undefined && !publication.answersAsBefore)
    if (decides) this.#versions.set(storeId, ++this.#version)
    return {
      ...publication,
      ...(isNew ? { counter: this.#counterOf(publication.record) } : {}),
      ...(decides ? { version: this.#version } : {}),
    }
  }

  disconnect(port: MessagePort): void {
    this.#ports.delete(port)
    port.close()
  }
}
