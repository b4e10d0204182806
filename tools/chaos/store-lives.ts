import { RefusedError } from '@aisle/client'
import type { StoreKeys, ThinClient } from '@aisle/testing'
import { CHAOS_FIELDS, chaosDocument } from './document.ts'

/** A store that was made, as far as answers tell. */
interface Life {
  readonly keys: StoreKeys
  /** Documents that were acknowledged. */
  docCount: number
  /** The call that was sent and not answered. */
  pending: 'document' | 'delete' | 'swap' | undefined
}

/** Stores that live at the same time, and deleted ones that are looked for. */
const LIVES_MAX = 4
const DELETED_MAX = 6
const DOCUMENTS_MAX = 5

/**
 * Makes stores, writes a few documents to each, swaps them, deletes them again: until the server is
 * gone.
 */
export class StoreLives {
  readonly #lives: Life[] = []
  readonly #deleted: StoreKeys[] = []
  #swapping: readonly [Life, Life] | undefined
  #storeCount = 0
  /** Calls that were answered. */
  ackCount = 0

  /** @returns problems: answers that should not be */
  async run(client: ThinClient, random: () => number): Promise<string[]> {
    for (;;) {
      try {
        await this.#step(client, random)
        this.ackCount++
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

  /** What one has the other has now, and the other way round. */
  #swap(): void {
    const [a, b] = this.#swapping!
    const { docCount } = a
    a.docCount = b.docCount
    b.docCount = docCount
    a.pending = b.pending = undefined
    this.#swapping = undefined
  }

  /** A swap that was not answered: it is done or not, of both alike. */
  async #settleSwap(client: ThinClient): Promise<void> {
    if (this.#swapping === undefined) return
    const [a] = this.#swapping
    const isDone = (await countOf(client, a.keys)) !== a.docCount
    if (isDone) this.#swap()
    else for (const life of this.#swapping) life.pending = undefined
    this.#swapping = undefined
  }

  /** Holds what is there after a restart against what was answered. @returns what is wrong */
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
        problems.push(`${keys.storeId} was deleted and is there`)
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

/** Documents that a search finds; undefined when there is no such store. */
async function countOf(client: ThinClient, keys: StoreKeys): Promise<number | undefined> {
  try {
    return (await client.search(keys, { q: '*' })).found
  } catch (error) {
    if (error instanceof RefusedError && [401, 403, 404].includes(error.status)) return undefined
    throw error
  }
}
