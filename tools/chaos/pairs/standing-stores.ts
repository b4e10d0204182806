import { RefusedError } from '@aisle/client'
import { until, type StoreKeys, type ThinClient } from '@aisle/testing'
import { CHAOS_FIELDS, chaosDocument } from '../document.ts'
import { adminOf } from '../soak-loads.ts'
import type { Machine } from './machine.ts'

const BIG = 3_000
const SIDES = { left: 40, right: 60 }
type Side = keyof typeof SIDES
const BATCH = 500

/**
 * Stores that nobody writes, and what is in progress on them when the service is killed: a change
 * of the schema with all documents, a swap, a snapshot. Each remembers what was answered.
 */
export class StandingStores {
  readonly #big: StoreKeys
  readonly #sides: Readonly<Record<Side, StoreKeys>>
  /** Possible values of "the facet exists", and of "the two were swapped". */
  #facet: ReadonlySet<boolean> = new Set([false])
  #swapped: ReadonlySet<boolean> = new Set([false])
  #snapshot: string | undefined

  private constructor(big: StoreKeys, sides: Readonly<Record<Side, StoreKeys>>) {
    this.#big = big
    this.#sides = sides
  }

  static async create(machine: Machine): Promise<StandingStores> {
    using client = machine.client()
    const filled = async (id: string, documents: number): Promise<StoreKeys> => {
      const keys = await client.createStore({ name: id, id })
      await client.setSchema(keys, { fields: CHAOS_FIELDS })
      for (let at = 0; at < documents; at += BATCH) {
        const count = Math.min(BATCH, documents - at)
        const lines = Array.from({ length: count }, (_, i) =>
          JSON.stringify({ id: `${id}-${at + i}`, data: chaosDocument(at + i) }),
        )
        await client.bulk(keys, lines)
      }
      return keys
    }
    const big = await filled('big', BIG)
    const left = await filled('left', SIDES.left)
    return new StandingStores(big, { left, right: await filled('right', SIDES.right) })
  }

  /** Redefines a field of many documents. Unanswered if the service ends. */
  async changeSchema(client: ThinClient): Promise<void> {
    const facet = ![...this.#facet][0]!
    this.#facet = new Set([true, false])
    const fields = [{ name: 'body', type: 'string', searchable: true, facet }]
    if (await isAnswered(client.setSchema(this.#big, { mode: 'change', fields })))
      this.#facet = new Set([facet])
  }

  async swap(client: ThinClient): Promise<void> {
    const swapped = ![...this.#swapped][0]!
    this.#swapped = new Set([true, false])
    if (await isAnswered(client.swapStores('left', 'right'))) this.#swapped = new Set([swapped])
  }

  async takeSnapshot(machine: Machine): Promise<void> {
    const { server } = machine
    await isAnswered(
      adminOf(server)
        .createSnapshot()
        .then(({ name }) => (this.#snapshot = name)),
    )
  }

  /** @returns problems of a service that has been started again */
  async check(machine: Machine): Promise<string[]> {
    using client = machine.client()
    return [
      ...(await this.#checkSchema(client)),
      ...(await this.#checkSides(client)),
      ...(await this.#checkSnapshots(machine)),
    ]
  }

  async #checkSchema(client: ThinClient): Promise<string[]> {
    const problems: string[] = []
    const store = client.store(this.#big)
    // It goes on after a start.
    const { fields } = await until('the change of the schema', async () => {
      const schema = await store.schema()
      if (schema.change?.state === 'failed') problems.push('the change of the schema failed')
      return schema.change === undefined || problems.length > 0 ? schema : undefined
    })
    const facet = fields.find(({ name }) => name === 'body')!.facet
    if (!this.#facet.has(facet)) problems.push(`the facet is ${facet} after an answered change`)
    this.#facet = new Set([facet])
    const all = await client.search(this.#big, { q: '*', filter_by: `version:<${BIG}` })
    if (all.found !== BIG) problems.push(`the big store has ${all.found} of ${BIG} documents`)
    const counted = await client
      .search(this.#big, { q: '*', facet_by: 'body' })
      .then(({ facets }) => (facets?.['body'] === undefined ? 0 : 1))
      .catch((error: unknown) => {
        if (error instanceof RefusedError && error.status === 400) return 0
        throw error
      })
    if (counted !== Number(facet)) problems.push(`the facet is ${facet}, and counted ${counted}`)
    return problems
  }

  async #checkSides(client: ThinClient): Promise<string[]> {
    const counts = await Promise.all(
      Object.values(this.#sides).map(async (keys) => (await client.search(keys, { q: '*' })).found),
    )
    const swapped = counts[0] === SIDES.right
    const [left, right] = swapped ? [SIDES.right, SIDES.left] : [SIDES.left, SIDES.right]
    const isWhole = counts[0] === left && counts[1] === right
    const isKnown = this.#swapped.has(swapped)
    this.#swapped = new Set([swapped])
    return isWhole && isKnown ? [] : [`a swap left ${counts.join(' and ')} documents`]
  }

  async #checkSnapshots({ server }: Machine): Promise<string[]> {
    const admin = adminOf(server)
    const { snapshots } = await admin.snapshots()
    for (const { name } of snapshots) await admin.verifySnapshot(name)
    const isLost =
      this.#snapshot !== undefined && !snapshots.some(({ name }) => name === this.#snapshot)
    return isLost ? [`the snapshot ${this.#snapshot} is gone`] : []
  }
}

/** @returns false if the outcome is unknown: the service ended, or could not say */
async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof RefusedError && error.status < 500) throw error
    return false
  }
}
