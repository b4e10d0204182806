import { ApiError } from '@aisle/contract'
import { allocateSlots, SlotsExhaustedError, type SlotMap } from '../opensearch/field-slots.ts'
import { NumberBlocks } from '../opensearch/number-blocks.ts'
import { poolName } from '../opensearch/product-index.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { StoredControl } from '../opensearch/control-document.ts'
import type { Schema } from '@aisle/engine'
import { clusterFailure } from '../control/cluster-failure.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import { KnownDocuments } from '../control/known-documents.ts'
import {
  movedSchema,
  STORE_DOCUMENTS,
  type StoreDocuments,
  type StorePlace,
} from '../stores/store-places.ts'
import { SWAPS_ID, type StoreContent } from '../stores/store-contents.ts'
import { STORES } from '../stores/store-documents.ts'
import { isOutdated, termRules, type TermRules } from '../stores/term-rules.ts'

/** A store as of a real-time read. */
export interface StoreState {
  /** The content of the store, which all other fields are about. */
  readonly content: StoreContent
  /** The state of its documents; empty for a store without a schema. */
  readonly documents: StoreDocuments
  /** The first docKey of the next block. */
  readonly nextDocKey: number
}

const LANGUAGE = 'en'
/** Scopes that a node takes at once. */
const SCOPES_TAKEN = 16

/** Schemas and places of the documents of all stores, as this node knows them. */
export class KnownPlaces {
  readonly #index: ControlIndex
  readonly #stores: ClusterStores
  readonly #documents: KnownDocuments<StoreDocuments>
  readonly #numbers: NumberBlocks
  readonly prefix: string
  readonly #areNodesAlike: () => boolean
  #scopes: { next: number; readonly end: number } | undefined
  #taking: Promise<void> | undefined

  /**
   * @param prefix the prefix of all index names
   * @param areNodesAlike whether all nodes derive the same terms from a document
   */
  constructor(
    index: ControlIndex,
    stores: ClusterStores,
    prefix: string,
    areNodesAlike: () => boolean = () => true,
  ) {
    this.#index = index
    this.#stores = stores
    this.#documents = new KnownDocuments(index, STORE_DOCUMENTS)
    this.#numbers = new NumberBlocks(index)
    this.prefix = prefix
    this.#areNodesAlike = areNodesAlike
  }

  /** @returns number of the newest change among them; -1 if there is none */
  load(): Promise<number> {
    return this.#documents.load()
  }

  take(document: StoredControl): void {
    this.#documents.take(document)
  }

  /** Returns the state as of about a second ago; `undefined` if there is no such store. */
  known(storeId: string): StoreDocuments | undefined {
    const content = this.#stores.contentOf(storeId)
    return content && ofLife(content.life, this.#documents.get(content.name))
  }

  /** Names the content of a store, which docKeys belong to; see `SearchView.content`. */
  contentOf(storeId: string): string | undefined {
    return this.#stores.contentOf(storeId)?.life
  }

  /** Returns the same for a content, even if the store no longer has it. */
  knownContent(storeId: string, life: string): StoreDocuments | undefined {
    if (this.contentOf(storeId) === life) return this.known(storeId)
    const owner = this.#stores.list().find((store) => this.contentOf(store.storeId) === life)
    return owner && this.known(owner.storeId)
  }

  /**
   * Everything that is stored, by the name of the content, including contents of deleted stores.
   */
  all(): { readonly name: string; readonly documents: StoreDocuments }[] {
    return this.#documents.entries().map(([name, documents]) => ({ name, documents }))
  }

  /** The store that has a content, as of about a second ago. */
  ownerOf(content: StoreContent): string | undefined {
    return this.#stores.ownerOf(content)
  }

  /** The store that has a content, as of now. */
  newestOwnerOf(content: StoreContent): Promise<string | undefined> {
    return this.#stores.newestOwnerOf(content)
  }

  /**
   * Reads the states as of now, including the latest changes of other nodes. Missing stores are
   * left out.
   */
  async read(storeIds: readonly string[]): Promise<Map<string, StoreState>> {
    const names = (): string[] =>
      storeIds.map((storeId) => this.#stores.contentOf(storeId)?.name ?? storeId)
    const stores = storeIds.map((storeId) => `${STORES.kind}:${storeId}`)
    for (;;) {
      const read = names()
      const byId = await this.#readAll([...stores, SWAPS_ID, ...read.flatMap(idsOf)])
      // If stores were swapped meanwhile, other contents must be read.
      if (names().some((name, at) => name !== read[at])) continue
      const states = new Map<string, StoreState>()
      for (const storeId of storeIds) {
        const content = this.#stores.contentOf(storeId)
        if (content !== undefined) states.set(storeId, this.#stateOf(content, byId))
      }
      return states
    }
  }

  /** Returns the same for contents, no matter which stores have them. */
  async readContents(contents: readonly StoreContent[]): Promise<Map<string, StoreState>> {
    const byId = await this.#readAll(contents.flatMap(({ name }) => idsOf(name)))
    return new Map(contents.map((content) => [content.life, this.#stateOf(content, byId)]))
  }

  async #readAll(ids: readonly string[]): Promise<Map<string, StoredControl>> {
    const documents = await this.#index.getAll(ids).catch((error: unknown) => {
      throw clusterFailure(error, 'read the store')
    })
    for (const document of documents) {
      this.#stores.take(document)
      this.#documents.take(document)
    }
    return new Map(documents.map((document) => [document.id, document]))
  }

  #stateOf(content: StoreContent, byId: ReadonlyMap<string, StoredControl>): StoreState {
    const { name, life } = content
    return {
      content,
      documents: ofLife(life, this.#documents.get(name)),
      nextDocKey: NumberBlocks.nextIn(byId.get(NumberBlocks.idOf(docKeysOf(name)))),
    }
  }

  /**
   * Changes the state of a store's documents, decided on the newest state.
   * @param decide returns the next state, or the same one; may be called several times
   * @throws ApiError store_not_found
   */
  async change(
    storeId: string,
    decide: (before: StoreDocuments) => StoreDocuments,
  ): Promise<StoreDocuments> {
    const state = (await this.read([storeId])).get(storeId)
    if (state === undefined) {
      throw new ApiError('store_not_found', 'There is no store with this id')
    }
    return this.#decide(state.content, decide)
  }

  /** Returns the same for a content, no matter which store has it. */
  async changeContent(
    content: StoreContent,
    decide: (before: StoreDocuments) => StoreDocuments,
  ): Promise<StoreDocuments> {
    await this.readContents([content])
    return this.#decide(content, decide)
  }

  async #decide(
    { name, life }: StoreContent,
    decide: (before: StoreDocuments) => StoreDocuments,
  ): Promise<StoreDocuments> {
    let after = ofLife(life, this.#documents.get(name))
    await this.#documents.change(name, (stored) => {
      const before = ofLife(life, stored)
      after = decide(before)
      // A store without any state yet has no control document.
      return after === before ? stored : after
    })
    return after
  }

  /** Changes the state of a content, even if its store no longer exists. */
  changeLeft(name: string, decide: (before: StoreDocuments) => StoreDocuments): Promise<void> {
    return this.#documents.change(name, (stored) => stored && decide(stored))
  }

  /** The pool that new stores are put into. */
  poolOf(storeId: string): Pick<StorePlace, 'index' | 'routing'> {
    return { index: poolName(this.prefix, 0), routing: storeId }
  }

  /**
   * Returns the same documents with more fields.
   * @throws ApiError invalid_schema
   */
  withFields(before: StoreDocuments, schema: Schema, nowMs: number): StoreDocuments {
    const grown = (one: StorePlace, of: Schema): StorePlace => ({
      ...one,
      slots: slotsOf(of, one.slots),
      // Only languages that came with the fields are new.
      rules: one.rules && { ...this.rulesInForce(one.language, of), ...one.rules },
    })
    const { place, move } = before
    const next = movedSchema({ ...before, schema })!
    return {
      ...before,
      schema,
      place: place && grown(place, schema),
      ...(move === undefined ? {} : { move: { ...move, to: grown(move.to, next) } }),
      changedMs: nowMs,
    }
  }

  /** The rules by which all nodes derive terms; undefined while nodes run several versions. */
  rulesInForce(language: string, schema: Schema): TermRules | undefined {
    return this.#areNodesAlike() ? termRules(language, schema) : undefined
  }

  /** Whether documents must be rewritten, because all nodes now derive other terms from them. */
  isOutdated({ place, schema }: StoreDocuments): boolean {
    return (
      place !== undefined &&
      schema !== undefined &&
      this.#areNodesAlike() &&
      isOutdated(place.rules, place.language, schema)
    )
  }

  /** Returns a scope that was never used. */
  async newScope(): Promise<string> {
    while (this.#scopes === undefined || this.#scopes.next === this.#scopes.end) {
      this.#taking ??= this.#takeScopes().finally(() => (this.#taking = undefined))
      await this.#taking
    }
    return (this.#scopes.next++).toString(36)
  }

  async #takeScopes(): Promise<void> {
    const next = await this.takeNumbers('scopes', SCOPES_TAKEN)
    this.#scopes = { next, end: next + SCOPES_TAKEN }
  }

  async takeNumbers(counter: string, count: number): Promise<number> {
    try {
      return await this.#numbers.take(counter, count)
    } catch (error) {
      throw clusterFailure(error, 'write')
    }
  }
}

/** The docKey counter of a content; all contents with this name share it. */
export function docKeysOf(name: string): string {
  return `docKeys:${name}`
}

function idsOf(name: string): string[] {
  return [`${STORE_DOCUMENTS.kind}:${name}`, NumberBlocks.idOf(docKeysOf(name))]
}

/** @throws ApiError invalid_schema */
export function slotsOf(schema: Schema, before: SlotMap): SlotMap {
  try {
    return allocateSlots(schema, before)
  } catch (error) {
    if (!(error instanceof SlotsExhaustedError)) throw error
    const message = `Cannot define the schema: field "${error.field}": ${error.message}`
    throw new ApiError('invalid_schema', message, { param: 'fields' })
  }
}

/** @throws ApiError out_of_range if a cluster has no space for fields that a document adds */
export function requireSlots(schema: Schema, before: SlotMap): void {
  try {
    allocateSlots(schema, before)
  } catch (error) {
    if (!(error instanceof SlotsExhaustedError)) throw error
    const message = `Cannot index the document: field "${error.field}" cannot be added: ${error.message}`
    throw new ApiError('out_of_range', message, { param: `data.${error.field}` })
  }
}

/** Returns the stored state if it belongs to this store, not to an earlier one with the same id. */
function ofLife(life: string, stored: StoreDocuments | undefined): StoreDocuments {
  if (stored?.life === life) return stored
  return {
    life,
    schema: undefined,
    place: undefined,
    language: LANGUAGE,
    left: stored === undefined ? [] : [...stored.left, ...placesOf(stored, stored.changedMs)],
    changedMs: 0,
  }
}

/** All places of a store, as vacated places. */
export function placesOf(
  { place, move }: Pick<StoreDocuments, 'place' | 'move'>,
  atMs: number,
): StoreDocuments['left'] {
  return [place, move?.to].flatMap((one) =>
    one === undefined ? [] : [{ scope: one.scope, index: one.index, routing: one.routing, atMs }],
  )
}
