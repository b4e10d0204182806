import { elementsAt, isPlace, unpackPlace } from '@aisle/engine'
import type { Analyzer, Field, IndexDocument, Schema } from '@aisle/engine'
import type { History, IndexStep } from '@aisle/engine/naive/generate'
import { allocateSlots } from '../opensearch/field-slots.ts'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { createProductIndex } from '../opensearch/product-index.ts'
import { productBody } from '../opensearch/product-body.ts'
import { productId } from '../opensearch/product-terms.ts'
import { TEST_CLUSTER, testIndexName } from '@aisle/testing'
import { exactJson } from '@aisle/server/domain'
import { CandidateCache } from './candidate-cache.ts'
import { FactCache, FACTS_KEPT_MAX_BYTES } from './fact-cache.ts'
import type { GroupSizes } from './group-search.ts'
import { ONE_TURN } from '@aisle/server/ports'
import { StoreSearch } from './store-search.ts'
import type { SearchedStore } from './searched-store.ts'

type KnownStore = Omit<SearchedStore, 'facts' | 'candidates' | 'onProduct' | 'hasProduct'>

/** A pool on the test cluster with the documents of generated stores, each in its own scope. */
export class SearchedStoreForTest implements AsyncDisposable {
  readonly #cluster: ClusterConnection
  readonly #index: string
  readonly #known = new Map<StoreSearch, KnownStore>()
  #stores = 0
  #nowMs = 0

  private constructor(cluster: ClusterConnection, index: string) {
    this.#cluster = cluster
    this.#index = index
  }

  static async openIndex(shards = 1): Promise<SearchedStoreForTest> {
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    const index = testIndexName()
    await createProductIndex(cluster, index, { shards, isPool: false })
    return new SearchedStoreForTest(cluster, index)
  }

  /** Writes the documents of a life, step by step. */
  async store(history: History, analyzer: Analyzer, groupSizes?: GroupSizes): Promise<StoreSearch> {
    const scope = `s${this.#stores++}`
    const { schema } = history
    const slots = allocateSlots(schema, [])
    const place = { index: this.#index, routing: undefined, scope, slots }
    const sizes = groupSizes === undefined ? {} : { groupSizes }
    const search = this.#search({
      place,
      schema,
      analyzer,
      hasEvidence: true,
      turns: ONE_TURN,
      ...sizes,
    })
    await this.write(search, history)
    return search
  }

  /**
   * Writes a further part of its life. What was learned before is out of date then: time passes.
   */
  async write(search: StoreSearch, history: History): Promise<void> {
    const { place, analyzer } = this.#known.get(search)!
    const { scope, slots } = place
    let current = history.initialSchema
    const lines = history.steps.flatMap((step: IndexStep): (object | string)[] => {
      if (step.kind === 'schema') current = step.schema
      if (step.kind === 'remove') return [{ delete: { _id: productId(scope, step.id) } }]
      if (step.kind !== 'add') return []
      const { docKey, inserted = docKey, id } = step.document
      const shape = { scope, schema: current, slots, analyzer }
      const json = jsonOf(step.document, current)
      const product = { ...step.document, inserted, writtenMs: 1, json }
      return [{ index: { _id: productId(scope, id) } }, productBody(shape, product, 'test')]
    })
    if (lines.length > 0) {
      const answer = (await this.#cluster.request({
        method: 'POST',
        path: `/${this.#index}/_bulk?refresh=true`,
        lines,
      })) as { errors: boolean; items: { [action: string]: { error?: object } }[] }
      const failed = answer.items.find((item) => Object.values(item)[0]!.error !== undefined)
      if (failed !== undefined) throw new Error(JSON.stringify(failed))
    }
    this.#nowMs += 3_600_000
  }

  /** Lets time pass without a change, until what was learned is old and versions are settled. */
  rest(): void {
    this.#nowMs += 10_000
  }

  #search(store: KnownStore): StoreSearch {
    const facts = new FactCache(FACTS_KEPT_MAX_BYTES, () => this.#nowMs).of(store.place.scope)
    const candidates = new CandidateCache().of(store.place.scope)
    const kept = { facts, candidates, onProduct: () => undefined, hasProduct: () => false }
    const search = new StoreSearch(this.#cluster, { ...store, ...kept })
    this.#known.set(search, store)
    return search
  }

  /** Searches the same documents with empty caches. */
  again(search: StoreSearch): StoreSearch {
    return this.#search(this.#known.get(search)!)
  }

  /** Closes its index, until `open`. */
  async close(): Promise<void> {
    await this.#cluster.request({ method: 'POST', path: `/${this.#index}/_close` })
  }

  async open(): Promise<void> {
    await this.#cluster.request({ method: 'POST', path: `/${this.#index}/_open` })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.request({ method: 'DELETE', path: `/${this.#index}` })
    await this.#cluster.close()
  }
}

function jsonOf({ values }: IndexDocument, schema: Schema): string {
  const members = schema.fields.flatMap((field, ordinal): [string, unknown][] => {
    const value = values[ordinal]
    if (value === undefined || field.element !== undefined) return []
    if (field.type !== 'object[]') return [[field.name, shownValue(field, value)]]
    return [[field.name, elementsAt(values, ordinal).map((one) => elementJson(one, schema))]]
  })
  return exactJson(Object.fromEntries(members))
}

function elementJson(element: ReadonlyMap<number, unknown>, { fields }: Schema): object {
  const members = [...element].map(([ordinal, value]): [string, unknown] => {
    const field = fields[ordinal]!
    return [field.name.slice(field.name.indexOf('.') + 1), shownValue(field, value)]
  })
  return Object.fromEntries(members)
}

function shownValue(field: Field, value: unknown): unknown {
  if (!isPlace(field)) return value
  return Array.isArray(value) ? (value as bigint[]).map(unpackPlace) : unpackPlace(value as bigint)
}
