import { digestOf } from '../../domain/access/store-keys.ts'
import type { Clock } from '../../ports/host/clock.ts'
import type { StoreRecord, StoreRegistry } from '../../ports/catalog/store-registry.ts'
import type { UseNotes } from '../access/use-notes.ts'

/** Finds the store of an events write key. */
export class WriteKeys {
  readonly #registry: StoreRegistry
  readonly #clock: Clock
  readonly #uses: Pick<UseNotes, 'noteKey'>
  #records: readonly StoreRecord[] = []
  #byDigest = new Map<string, string>()

  constructor(registry: StoreRegistry, clock: Clock, uses: Pick<UseNotes, 'noteKey'>) {
    this.#registry = registry
    this.#clock = clock
    this.#uses = uses
  }

  /** The store that a key opens now; a key in its grace period works. */
  storeOf(writeKey: string): StoreRecord | undefined {
    const digest = digestOf(writeKey)
    const found = this.#opened(digest)
    if (found !== undefined || !this.#refresh()) return found
    return this.#opened(digest)
  }

  #opened(digest: string): StoreRecord | undefined {
    const storeId = this.#byDigest.get(digest)
    const store = storeId === undefined ? undefined : this.#registry.find(storeId)
    const key = store?.keys.events.find((one) => one.digest === digest)
    if (store === undefined || key === undefined) return undefined
    const { validUntilMs = Infinity } = key
    const nowMs = this.#clock.now()
    if (nowMs >= validUntilMs) return undefined
    this.#uses.noteKey(store.storeId, key, nowMs)
    return store
  }

  /** @returns whether any store changed since the last call */
  #refresh(): boolean {
    const records = this.#registry.list()
    const isSame =
      records.length === this.#records.length &&
      records.every((record, i) => record === this.#records[i])
    if (isSame) return false
    this.#records = records
    this.#byDigest = new Map(
      records.flatMap(({ storeId, keys }) => keys.events.map(({ digest }) => [digest, storeId])),
    )
    return true
  }
}
