import { ControlFollower } from '../opensearch/control-follower.ts'
import type {
  ControlDocument,
  ControlWrite,
  StoredControl,
} from '../opensearch/control-document.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import { monthOf } from '@aisle/server/domain'
import type { SearchUsage, StoreRecord } from '@aisle/server/ports'
import { clusterFailure } from '../control/cluster-failure.ts'

const USAGE_KIND = 'usage'
const SAVE_MS = 1_000

/** The count of one node for one store in one month. */
interface NodeCount {
  /** A store that was re-created under the same id starts at zero. */
  readonly createdAt: string
  readonly month: number
  readonly searches: number
}

/** Searches counted before this store was on the cluster, stored as if counted by a node. */
export function searchesDocument(storeId: string, searches: NodeCount): ControlDocument {
  const id = `${USAGE_KIND}:import:${storeId}`
  return { id, kind: USAGE_KIND, json: JSON.stringify(searches) }
}

/** The count of all nodes for a store in its newest month; undefined: nothing. */
export async function searchesOf(
  index: ControlIndex,
  { storeId, createdAt }: Pick<StoreRecord, 'storeId' | 'createdAt'>,
): Promise<NodeCount | undefined> {
  const counts = (await index.all(USAGE_KIND))
    .filter(({ id }) => id.split(':')[2] === storeId)
    .map(({ json }) => JSON.parse(json) as NodeCount)
    .filter((count) => count.createdAt === createdAt)
  const month = Math.max(...counts.map((count) => count.month))
  const ofMonth = counts.filter((count) => count.month === month)
  if (ofMonth.length === 0) return undefined
  return { createdAt, month, searches: ofMonth.reduce((sum, { searches }) => sum + searches, 0) }
}

export interface ClusterUsageOptions {
  /** Different at each start: its counts cover only this start. */
  readonly nodeId: string
  readonly storeOf: (storeId: string) => Pick<StoreRecord, 'createdAt'> | undefined
  /** Called when counts could not be written or read; both are retried. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Searches of each store and month, counted over all nodes. Each node writes its own counts once a
 * second, so that nobody waits or competes; the total is the sum over all nodes. A limit may be
 * exceeded by the counts of the others within about two seconds; a node that is killed loses its
 * last second.
 */
export class ClusterUsage implements SearchUsage {
  readonly #index: ControlIndex
  readonly #options: ClusterUsageOptions
  readonly #follower: ControlFollower
  readonly #own = new Map<string, NodeCount>()
  /** Counts of the other nodes, by store and node. */
  readonly #others = new Map<string, Map<string, NodeCount>>()
  readonly #unsaved = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  private constructor(index: ControlIndex, from: number, options: ClusterUsageOptions) {
    this.#index = index
    this.#options = options
    this.#follower = new ControlFollower(index, from, {
      onChanges: (documents) => this.#take(documents),
      onFailure: options.onFailure,
    })
  }

  static async open(index: ControlIndex, options: ClusterUsageOptions): Promise<ClusterUsage> {
    const documents = await index.all(USAGE_KIND)
    const usage = new ClusterUsage(index, documents.at(-1)?.version.seqNo ?? -1, options)
    usage.#take(documents)
    usage.#follower.start()
    return usage
  }

  take(storeId: string, nowMs: number, limit = Infinity): boolean {
    if (this.used(storeId, nowMs) >= limit) return false
    const own = this.#ownCount(storeId, nowMs)
    this.#own.set(storeId, { ...own, searches: own.searches + 1 })
    this.#unsaved.add(storeId)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.save().catch(this.#options.onFailure)
    }, SAVE_MS).unref()
    return true
  }

  used(storeId: string, nowMs: number): number {
    const own = this.#ownCount(storeId, nowMs)
    return [...(this.#others.get(storeId)?.values() ?? [])]
      .filter(({ createdAt, month }) => createdAt === own.createdAt && month === own.month)
      .reduce((sum, { searches }) => sum + searches, own.searches)
  }

  /** Writes new counts. Also called when the node stops. */
  async save(): Promise<void> {
    const storeIds = [...this.#unsaved]
    this.#unsaved.clear()
    const writes = storeIds.map((storeId): ControlWrite => {
      const id = `${USAGE_KIND}:${this.#options.nodeId}:${storeId}`
      const json = JSON.stringify(this.#own.get(storeId))
      // Nobody else writes this document.
      return { put: { id, kind: USAGE_KIND, json }, expected: 'any' }
    })
    try {
      await this.#index.commit(writes)
    } catch (error) {
      for (const storeId of storeIds) this.#unsaved.add(storeId)
      throw clusterFailure(error, 'write how many searches there were')
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#follower.close()
    await this.save()
  }

  /**
   * Searches of the month of `nowMs`; if the clock is set back, counting continues in the later
   * month.
   */
  #ownCount(storeId: string, nowMs: number): NodeCount {
    const createdAt = this.#options.storeOf(storeId)?.createdAt ?? ''
    const month = monthOf(nowMs)
    const before = this.#own.get(storeId)
    const isSame = before?.createdAt === createdAt && before.month >= month
    return isSame ? before : { createdAt, month, searches: 0 }
  }

  #take(documents: readonly StoredControl[]): void {
    for (const { id, kind, json } of documents) {
      if (kind !== USAGE_KIND) continue
      const [, nodeId = '', storeId = ''] = id.split(':')
      if (nodeId === this.#options.nodeId) continue
      const ofStore = this.#others.get(storeId) ?? new Map<string, NodeCount>()
      this.#others.set(storeId, ofStore.set(nodeId, JSON.parse(json) as NodeCount))
    }
  }
}
