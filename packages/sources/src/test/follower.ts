import type { SourceConnection } from '@aisle/contract'
import { SourceNetworks } from '../networks.ts'
import { openReader } from '../open-reader.ts'
import type { ReaderOptions, SourceChanges, SourceReader } from '../source-reader.ts'

export const LOCAL_NETWORKS = new SourceNetworks(['127.0.0.1'])

/** What a service does with a reader, in the plainest code: documents by id, and a position. */
export class Follower {
  readonly documents = new Map<string, unknown>()
  readonly refused: string[] = []
  /** Those with changes. */
  readonly batches: SourceChanges[] = []
  position: string | undefined
  readonly #connection: SourceConnection
  readonly #options: ReaderOptions
  #reader: SourceReader | undefined
  #ending = new AbortController()
  #following: Promise<unknown> | undefined

  constructor(connection: SourceConnection, options: Partial<ReaderOptions> = {}) {
    this.#connection = connection
    this.#options = {
      secrets: {},
      networks: LOCAL_NETWORKS,
      idColumn: 'id',
      owner: 'the source of a test',
      ...options,
    }
  }

  async readAll(): Promise<void> {
    const reader = await openReader(this.#connection, this.#options)
    try {
      const ids = new Set<string>()
      for await (const batch of reader.readAll(new AbortController().signal)) {
        if (batch.kind === 'end') this.position = batch.position
        if (batch.kind !== 'rows') continue
        for (const row of batch.rows) {
          if (row.kind === 'ragged') this.refused.push(row.error)
          else if (row.kind === 'json') ids.add(this.#put(row.text))
        }
      }
      for (const id of this.documents.keys()) if (!ids.has(id)) this.documents.delete(id)
    } finally {
      await reader.close()
    }
  }

  /** Follows until `stop` or an error, which `ended` returns. */
  async start(): Promise<void> {
    this.#ending = new AbortController()
    this.#reader = await openReader(this.#connection, this.#options)
    this.#following = this.#follow(this.#reader, this.#ending.signal).catch(
      (error: unknown) => error,
    )
  }

  get ended(): Promise<unknown> {
    return this.#following!
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#following
    await this.#reader?.close()
  }

  async drop(): Promise<void> {
    const reader = await openReader(this.#connection, this.#options)
    await reader.drop?.()
    await reader.close()
  }

  async #follow(reader: SourceReader, signal: AbortSignal): Promise<void> {
    for await (const batch of reader.follow!(this.position!, signal)) {
      if (batch.changes.length > 0) this.batches.push(batch)
      for (const change of batch.changes) {
        if (change.kind === 'delete') this.documents.delete(change.id)
        else if (change.row.kind === 'json') this.#put(change.row.text)
      }
      this.position = batch.position
      await reader.acknowledge?.(batch.position)
    }
  }

  #put(text: string): string {
    const { id, data } = JSON.parse(text) as { id: string; data: unknown }
    this.documents.set(id, data)
    return id
  }
}
