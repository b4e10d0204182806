import { RefusedError } from '@aisle/client'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import type { Pause } from './writers.ts'
import { CHAOS_FIELDS, chaosDocument } from './document.ts'

/** A created store, as far as answers show. */
interface Life {
  readonly keys: StoreKeys
  /** Acknowledged documents. */
  docCount: number
  /** The call that was sent and not answered. */
  pending: 'document' | 'delete' | 'swap' | undefined
}

/** Number of concurrent stores, and of deleted ones that are checked. */
const LIVES_MAX = 4
const DELETED_MAX = 6
const DOCUMENTS_MAX = 5

/**
 * Creates stores, writes a few documents to each, swaps them and deletes them, until the server has
 * ended.
 */
export class StoreLives {
  readonly #lives: Life[] = []
  readonly #deleted: StoreKeys[] = []
  #swapping: readonly [Life, Life] | undefined
  #storeCount = 0
  /** Number of acknowledged calls. */
  ackCount = 0

  /** @returns problems: unexpected answers */
  async run(client: ThinClient, random: () => number, pause: Pause): Promise<string[]> {
    for (;;) {
      try {
        await this.#step(client, random)
        this.ackCount++
        await pause()
      } catch (error) {
        return error instanceof RefusedError ? [`stores: ${error.message}`] : []
      }
    }
  }

  async #step(client: ThinClient, random: () => number): Promise<void> {
    const choice = random()
    const at = Math.floor(random() * this.#lives.length)
    const life = this.#lives[at]
    if (life === undefined || (choice < 0.3 && this.#lives.length < LIVES_MAX)) {
      const id = `life-${++this.#storeCount}`
      const keys = await client.createStore({ name: id, id })
      await client.setSchema(keys, { fields: CHAOS_FIELDS })
      this.#lives.push({ keys, docCount: 0, pending: undefined })
    } else if (choice < 0.7 && life.docCount < DOCUMENTS_MAX) {
      life.pending = 'document'
      const id = `d${life.docCount}`
      await client.bulk(life.keys, [JSON.stringify({ id, data: chaosDocument(life.docCount) })])
      life.docCount++
      life.pending = undefined
    } else if (choice < 0.8 && this.#lives.length > 1) {
      const other = this.#lives[(at + 1) % this.#lives.length]!
      this.#swapping = [life, other]
      life.pending = other.pending = 'swap'
      await client.swapStores(life.keys.storeId, other.keys.storeId)
      this.#swap()
    } else {
      life.pending = 'delete'
      await client.deleteStore(life.keys.storeId)
      this.#forget(at)
    }
  }

  /** The two stores exchange their documents. */
  #swap(): void {
    const [a, b] = this.#swapping!
    const { docCount } = a
    a.docCount = b.docCount
    b.docCount = docCount
    a.pending = b.pending = undefined
    this.#swapping = undefined
  }

  /** An unanswered swap was either executed for both, or not at all. */
  async #settleSwap(client: ThinClient): Promise<void> {
    if (this.#swapping === undefined) return
    const [a] = this.#swapping
    const isDone = (await countOf(client, a.keys)) !== a.docCount
    if (isDone) this.#swap()
    else for (const life of this.#swapping) life.pending = undefined
    this.#swapping = undefined
  }

  /** Compares the state after a restart with the acknowledged calls. @returns problems */
  async verify(client: ThinClient): Promise<string[]> {
    const problems: string[] = []
    await this.#settleSwap(client)
    for (let at = this.#lives.length - 1; at >= 0; at--) {
      const life = this.#lives[at]!
      const { keys, docCount, pending } = life
      const found = await countOf(client, keys)
      life.pending = undefined
      if (found === undefined) {
        if (pending !== 'delete') problems.push(`${keys.storeId} is gone`)
        this.#forget(at)
      } else {
        const isWhole = found === docCount || (pending === 'document' && found === docCount + 1)
        if (!isWhole) problems.push(`${keys.storeId} finds ${found} documents, not ${docCount}`)
        life.docCount = found
      }
    }
    for (const keys of this.#deleted) {
      if ((await countOf(client, keys)) !== undefined) {
        problems.push(`${keys.storeId} was deleted and still exists`)
      }
    }
    return problems
  }

  #forget(at: number): void {
    const [life] = this.#lives.splice(at, 1)
    this.#deleted.push(life!.keys)
    if (this.#deleted.length > DELETED_MAX) this.#deleted.shift()
  }
}

/** Documents that a search finds; undefined if the store does not exist. */
async function countOf(client: ThinClient, keys: StoreKeys): Promise<number | undefined> {
  try {
    return (await client.search(keys, { q: '*' })).found
  } catch (error) {
    if (error instanceof RefusedError && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}
