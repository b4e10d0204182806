import type { LogEntry } from '@aisle/event-log'
import type { CatalogName } from '@aisle/suggestions'
import { createMemorySuggestions } from '@aisle/server/test'
import type { Clock, LogOwner, SuggestionSource } from '@aisle/server/ports'
import { brandNames, spellQueries } from '@aisle/server/parts'
import type { ApiNode } from '../api-node.ts'

/** What is made of the events of a store, as of one moment. */
interface StoreFacts {
  readonly entries: readonly LogEntry[]
  readonly names: readonly CatalogName[]
  /** By document id, of all that are asked for; undefined: there is none. */
  readonly docKeys: Map<string, number | undefined>
}

/**
 * Suggestions and popularity of an API node in tests: made anew of its copy of the events, by the
 * clock of the test. Its own thread makes them by the clock of the machine, some seconds later;
 * cluster-suggestions.test.ts looks at that.
 */
export class ClusterSuggestions {
  readonly source: SuggestionSource
  readonly #node: Pick<ApiNode, 'ports'>
  readonly #read: (storeId: string) => Promise<LogEntry[]>
  readonly #stores = new Map<string, StoreFacts>()

  /** @param read all events of a store that any node has answered */
  constructor(
    node: Pick<ApiNode, 'ports'>,
    clock: Clock,
    read: (storeId: string) => Promise<LogEntry[]>,
  ) {
    this.#node = node
    this.#read = read
    const of = ({ storeId }: LogOwner) => this.#stores.get(storeId)
    this.source = createMemorySuggestions({
      events: { entries: (owner) => of(owner)?.entries ?? [] },
      clock,
      analyzerOf: ({ storeId }) => node.ports.backend.view(storeId)!.analyzer,
      namesOf: (owner) => of(owner)?.names ?? [],
      spell: ({ storeId }, texts) => spellQueries(node.ports.backend, storeId, texts),
      contentOf: ({ storeId }) => node.ports.backend.view(storeId)!.content,
      docKeyOf(owner, id) {
        const docKeys = of(owner)?.docKeys
        if (docKeys?.has(id) === false) docKeys.set(id, undefined)
        return docKeys?.get(id)
      },
    })
  }

  /**
   * Takes what has happened up to now.
   *
   * @param hasWritten whether documents may have changed since the last time
   */
  async follow(hasWritten: boolean): Promise<void> {
    if (hasWritten) this.#stores.clear()
    const stores = this.#node.ports.registry.list()
    await Promise.all(stores.map((owner) => this.#followStore(owner)))
  }

  async #followStore(owner: LogOwner): Promise<void> {
    const { storeId } = owner
    const { backend } = this.#node.ports
    const entries = await this.#read(storeId)
    const known = this.#stores.get(storeId)
    const view = backend.view(storeId)
    if (entries.length === (known?.entries.length ?? 0) || view?.schema === undefined) return
    const names = known?.names ?? (await brandNames(backend, storeId)) ?? []
    const docKeys = new Map(known?.docKeys)
    this.#stores.set(storeId, { entries, names, docKeys })
    // Asks for those that matter.
    this.source.popularity(owner)
    for (const id of docKeys.keys()) {
      if (known?.docKeys.has(id) === true) continue
      const [docKey] = await view.matchingKeys({ kind: 'ids', ids: [id] })
      docKeys.set(id, docKey)
    }
  }
}
