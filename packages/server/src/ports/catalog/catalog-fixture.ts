import assert from 'node:assert/strict'
import { createAnalyzer } from '@aisle/engine'
import type { FilterNode, SearchOutcome, SearchPlan } from '@aisle/engine'
import { EMPTY_PLAN, plainSlot } from '@aisle/testing'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { CatalogWriter, DocumentWrite, WriteOutcome } from './catalog-writer.ts'
import type { DocumentReader } from './document-reader.ts'
import type { ResourceReader } from './resource-reader.ts'
import type { SearchBackend, SearchView } from '../search/search-backend.ts'
import type { StoreRegistry } from './store-registry.ts'

/**
 * Shared by the conformance suites of the catalog ports: a small store, and helpers that read it.
 */

/** The ports of a catalog over the same data. */
export interface CatalogPorts {
  readonly registry: StoreRegistry
  readonly reader: DocumentReader
  readonly resources: ResourceReader
  readonly writer: CatalogWriter
  readonly backend: SearchBackend
}

/** An adapter under test, created empty each time and removed when disposed. */
export type CreateCatalog = () => Promise<CatalogPorts & AsyncDisposable>

export const STORE = 'shop'
const analyzer = createAnalyzer()
export const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'sku', type: 'int64', facet: true, sort: true },
  { name: 'tags', type: 'string[]', facet: true },
])
export const [TITLE, , SKU] = FIELDS.keys()

/** A store with a schema and the documents a, b and c. */
export async function filled(create: CreateCatalog): Promise<CatalogPorts & AsyncDisposable> {
  const catalog = await create()
  await catalog.writer.createStore({ name: 'My shop', id: STORE })
  await catalog.writer.changeSchema(STORE, 'additive', FIELDS)
  const outcomes = await catalog.writer.writeDocuments(STORE, [
    upsert('a', '{"title":"red shoe","price":1.5,"sku":1}'),
    upsert('b', '{"title":"blue shoe","price":2.5,"sku":2}'),
    upsert('c', '{"title":"green hat","tags":["sale"]}'),
  ])
  assert.deepEqual(statuses(outcomes), ['created', 'created', 'created'])
  return catalog
}

export function write(
  action: DocumentWrite['action'],
  id: string | undefined,
  json: string,
): DocumentWrite {
  return { action, id, json: Buffer.from(json) }
}

export function upsert(id: string, json: string): DocumentWrite {
  return write('upsert', id, json)
}

/** Returns the status of each outcome, or its error code if it failed. */
export function statuses(outcomes: readonly WriteOutcome[]): string[] {
  return outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.code : outcome.status))
}

export async function textOf({ reader }: CatalogPorts, id: string): Promise<string | undefined> {
  const document = await reader.get(STORE, id)
  return document === undefined ? undefined : Buffer.from(document.json).toString()
}

/** The ids of hits, in their order. */
export async function idsOfHits(
  { reader }: CatalogPorts,
  hits: readonly { readonly docKey: number }[],
): Promise<string[]> {
  const documentOf = await reader.fetch(
    STORE,
    hits.map(({ docKey }) => docKey),
  )
  return hits.map(({ docKey }) => documentOf(docKey)!.id)
}

export interface Query {
  readonly words?: readonly string[]
  readonly filter?: FilterNode
  /** Field ordinal, ascending. */
  readonly sortBy?: number
}

/** Returns the first 250 documents that match, unless sorted by insertion, the last first. */
export async function find({ backend }: CatalogPorts, query: Query = {}): Promise<SearchOutcome> {
  const view = backend.view(STORE)!
  return view.search(planOf(view, query))
}

/** The plan of a query on the test store. */
export function planOf({ schema }: SearchView, query: Query = {}): SearchPlan {
  const { words = [], filter, sortBy } = query
  const fields = schema!.fields
  return {
    ...EMPTY_PLAN,
    slots: words.map((form) => plainSlot(form, analyzer.stem(form))),
    fieldWeights: fields.map((_, ordinal) => (ordinal === TITLE ? 1 : 0)),
    lengthNorms: fields.map(() => 0.5),
    titleField: TITLE!,
    ...(filter === undefined ? {} : { filter }),
    sort:
      sortBy === undefined
        ? []
        : [{ kind: 'field', field: sortBy, descending: false, missing: 'last' }],
    size: 250,
  }
}

/** Returns the ids of the hits, sorted. */
export async function idsOf(catalog: CatalogPorts, query: Query = {}): Promise<string[]> {
  const { hits, found } = await find(catalog, query)
  assert.equal(found, hits.length)
  return (await idsOfHits(catalog, hits)).toSorted()
}
