import { setTimeout as sleep } from 'node:timers/promises'
import { ThinClient, type ServerProcess, type StoreKeys } from '@aisle/testing'
import {
  ConfigureLoad,
  createSoakStore,
  EventLoad,
  RotationLoad,
  SearchLoad,
  SnapshotLoad,
} from './soak-loads.ts'
import type { SoakLoad } from './soak-loads.ts'
import { ANSWER_LIMIT_MS, StoreClient } from './store-client.ts'
import { StoreLives } from './store-lives.ts'
import { verifyStore } from './verify.ts'
import { bulkWriter, clearingWriter, singleWriter, type ChaosWriter } from './writers.ts'

export interface LoadSizes {
  /** Number of ids of the bulk writers. */
  readonly documents: number
  readonly snapshotEveryMs: number
  /** Pause of each kind of work after each call; default: none that all have. */
  readonly pauseMs?: number
}

/**
 * All kinds of writes at the same time, with searches beside them, over many lives of the process:
 * documents by all routes, stores that are created and deleted, events, presets, sets, rules and
 * settings, keys, snapshots. Each kind knows what was acknowledged, and what must exist after the
 * next start.
 */
export class AllKinds {
  /** Ids of documents that were read back and searched. */
  verified = 0
  readonly #keys: Map<string, StoreKeys>
  readonly #loads: readonly SoakLoad[]
  readonly #lives = new StoreLives()
  readonly #writers: readonly ChaosWriter[]
  readonly #pauseMs: number

  private constructor(
    keys: Map<string, StoreKeys>,
    loads: readonly SoakLoad[],
    { documents, pauseMs = 0 }: LoadSizes,
  ) {
    this.#pauseMs = pauseMs
    this.#keys = keys
    this.#loads = loads
    this.#writers = [
      singleWriter('single-a', 'shared', 40),
      singleWriter('single-b', 'shared', 10),
      bulkWriter('bulk', 'shared', documents, false),
      bulkWriter('stream', 'shared', documents, true),
      clearingWriter('clear', 'own', 300),
    ]
  }

  static async create(server: ServerProcess, sizes: LoadSizes): Promise<AllKinds> {
    const keys = new Map<string, StoreKeys>()
    for (const id of ['shared', 'own', 'configured'])
      keys.set(id, await createSoakStore(server, id))
    const loads = [
      new SearchLoad(keys.get('shared')!),
      new ConfigureLoad(keys.get('configured')!),
      await EventLoad.create(server),
      await RotationLoad.create(server),
      new SnapshotLoad(sizes.snapshotEveryMs),
    ]
    return new AllKinds(keys, loads, sizes)
  }

  /** Runs until the process has ended. @returns problems */
  async work(server: ServerProcess, random: () => number): Promise<string[]> {
    const { url, adminToken } = server
    const pause = (): Promise<unknown> | undefined =>
      this.#pauseMs === 0 ? undefined : sleep(this.#pauseMs)
    const clients = this.#writers.map(
      ({ storeId }) => new StoreClient(url, this.#keys.get(storeId)!),
    )
    const admin = new ThinClient(url, { adminToken, timeoutMs: ANSWER_LIMIT_MS })
    const problems = await Promise.all([
      ...this.#writers.map((writer, i) => writer.run(clients[i]!, random, pause)),
      this.#lives.run(admin, random, pause),
      ...this.#loads.map((load) => load.run(server, random, this.#pauseMs)),
    ])
    for (const client of [...clients, admin]) client.close()
    return problems.flat()
  }

  /**
   * Compares a restarted service with the acknowledged writes.
   * @returns problems
   */
  async verify(server: ServerProcess, random: () => number): Promise<string[]> {
    const stores = [...this.#keys].map(async ([storeId, keys]) => {
      const own = this.#writers.filter((writer) => writer.storeId === storeId)
      if (own.length === 0) return []
      const client = new StoreClient(server.url, keys)
      const problems = await verifyStore(client, own, random)
      this.verified += own.reduce((sum, { journal }) => sum + journal.known.size, 0)
      client.close()
      return problems
    })
    const reader = new ThinClient(server.url, { timeoutMs: ANSWER_LIMIT_MS })
    const lives = this.#lives.verify(reader).finally(() => reader.close())
    const loads = this.#loads.map((load) => load.verify?.(server, random) ?? [])
    return (await Promise.all([...stores, lives, ...loads])).flat()
  }

  /** Acknowledged calls so far, by kind of work. */
  get calls(): Map<string, number> {
    const writes = this.#writers.reduce((sum, { journal }) => sum + journal.ackCount, 0)
    return new Map([
      ['writes', writes],
      ['stores created, filled, deleted', this.#lives.ackCount],
      ...this.#loads.map(({ name, count }) => [name, count] as const),
    ])
  }
}
